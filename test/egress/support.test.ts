/** The test support for egress: a private network, a complete packet capture, good and bad certificates. */
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectedTo, NAMESPACE_NEEDS, namesAsked, startNamespace } from '../support/namespace.ts';
import { needs } from '../support/require.ts';
import { makeTestCa } from '../support/test-ca.ts';

const test = suite('support of egress');
const alone = needs(...NAMESPACE_NEEDS);

const program = `
const { connect } = require('node:net');
const { lookup } = require('node:dns');
const to = (host, port) => new Promise((done) => {
  const socket = connect({ host, port }, () => { socket.destroy(); done('connected'); });
  socket.on('error', (error) => done(error.code));
});
(async () => {
  const server = require('node:net').createServer((socket) => socket.on('error', () => {}).end());
  await new Promise((done) => server.listen(443, '::', done));
  const answers = [];
  for (const [host, port] of [['203.0.113.7', 443], ['2001:db8::7', 443], ['localhost', 444], ['known.example', 443]])
    answers.push(await to(host, port));
  await new Promise((done) => lookup('Asked.example', done));
  console.log(JSON.stringify(answers));
  server.close();
})();`;

alone(test, 'the capture records every connection and every name in a private network', async () => {
  await using namespace = await startNamespace({
    hosts: { 'known.example': ['198.51.100.9'] },
    everywhere: true,
  });
  const capture = await namespace.capture();
  const { code, stdout, stderr } = await namespace.run([process.execPath, '-e', program]);
  const sent = await capture.stop();
  assert.is(code, 0, stderr);
  assert.equal(JSON.parse(stdout), ['connected', 'connected', 'ECONNREFUSED', 'connected']);
  assert.equal(
    connectedTo(sent).filter((place) => !place.endsWith(':444')),
    ['198.51.100.9:443', '203.0.113.7:443', '[2001:db8::7]:443'],
  );
  assert.ok(connectedTo(sent).includes('127.0.0.1:444'));
  assert.equal(namesAsked(sent), ['asked.example']);
});

needs('openssl')(test, 'a certificate has the requested names and dates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-ca-'));
  try {
    const ca = makeTestCa(folder);
    const read = (path: string) => new X509Certificate(readFileSync(path));
    const good = read(ca.issue(['one.example', '*.two.example', '127.0.0.1']).certificate);
    assert.ok(good.checkIssued(read(ca.certificate)) && good.verify(read(ca.certificate).publicKey));
    assert.is(good.subjectAltName, 'DNS:one.example, DNS:*.two.example, IP Address:127.0.0.1');
    assert.ok(
      Date.parse(good.validFrom) < Date.now() && Date.parse(good.validTo) > Date.now() + 80 * 86_400_000,
    );
    const ended = read(ca.issue(['one.example'], { days: -1 }).certificate);
    assert.ok(Date.parse(ended.validTo) < Date.now());
    const other = read(makeTestCa(folder, 'Other CA').issue(['one.example']).certificate);
    assert.not.ok(other.checkIssued(read(ca.certificate)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
