/** HTTPS through the guard, against real servers on loopback with certificates of a test authority. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createTcp, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WebAnswer, WebRefusal } from '../../src/egress/https.ts';
import { programWords } from '../support/entry.ts';
import { needs, projectRoot } from '../support/require.ts';
import { type Leaf, makeTestCa, pemOf, type TestCa } from '../support/test-ca.ts';
import { patientMs } from '../support/time-limit.ts';
import type { Asking } from './ask.ts';

const test = suite('egress https');
const secured = needs('openssl');
const program = programWords('./ask.ts', import.meta.url);

type Outcome = Partial<Omit<WebAnswer, 'ok'>> & Partial<Omit<WebRefusal, 'ok'>> & { readonly ok: boolean };

let folder = '';
let ca: TestCa;
const servers: (Server | TcpServer)[] = [];

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-https-'));
});
test.after(async () => {
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function port(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as { port: number }).port;
}

const withLeaf = (leaf: Leaf, serve: RequestListener, more: object = {}): Promise<number> =>
  port(createServer({ ...pemOf(leaf), ...more }, serve).on('tlsClientError', () => undefined));

/** Sends requests from a new process, with every port of these addresses listed for localhost. */
async function ask(
  asks: Asking['asks'],
): Promise<{ readonly answers: readonly Outcome[]; readonly handles: readonly string[] }> {
  const places = asks.map(({ url }) => {
    const { protocol, port: given } = new URL(url);
    return `localhost:${given || (protocol === 'https:' ? 443 : 80)}`;
  });
  const asking: Asking = { allow: places, private: places, asks };
  const { stdout } = await promisify(execFile)(process.execPath, [...program, JSON.stringify(asking)], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: ca.certificate },
    timeout: patientMs(60_000),
  });
  return JSON.parse(stdout);
}

secured(test, 'a page over TLS is returned with status, size, time and certificate facts', async () => {
  ca = makeTestCa(folder);
  const seen: string[] = [];
  const good = await withLeaf(
    ca.issue(['localhost', 'www.example.org'], { days: 40 }),
    (request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.host}`);
      response.end('hello');
    },
  );
  const { answers, handles } = await ask([
    { url: `https://localhost:${good}/page?q=1#part` },
    { url: `https://LOCALHOST:${good}/` },
  ]);
  const [page, other] = answers;
  assert.equal([page?.ok, page?.status, page?.bytes, page?.complete], [true, 200, 5, true]);
  assert.equal([page?.address, page?.location], ['127.0.0.1', null]);
  assert.ok((page?.ms ?? 0) > 0);
  const { validTo, ...certificate } = page?.certificate ?? { validTo: '' };
  assert.equal(certificate, {
    verified: true,
    problem: '',
    subject: 'localhost',
    issuer: 'Desk Test CA',
    names: ['localhost', 'www.example.org'],
    daysLeft: 39,
    chain: 2,
  });
  assert.ok(Math.abs(Date.parse(validTo) - Date.now() - 40 * 86_400_000) < 120_000);
  assert.equal([other?.ok, other?.status, other?.bytes], [true, 200, 5]);
  assert.equal(seen, [`GET /page?q=1 localhost:${good}`, `GET / localhost:${good}`]);
  assert.equal(handles, []);
});

secured(
  test,
  'a certificate that does not verify is reported with its remaining days, and no request is sent',
  async () => {
    const asked: string[] = [];
    const serve: RequestListener = (request, response) => {
      asked.push(request.url ?? '');
      response.end();
    };
    const expired = await withLeaf(ca.issue(['localhost'], { days: -3 }), serve);
    const early = await withLeaf(ca.issue(['localhost'], { fromDays: 2, days: 60 }), serve);
    const other = await withLeaf(ca.issue(['other.example'], { days: 30 }), serve);
    const stranger = await withLeaf(makeTestCa(folder, 'Other CA').issue(['localhost'], { days: 20 }), serve);
    const urls = [expired, early, other, stranger].map((at) => ({ url: `https://localhost:${at}/` }));
    const { answers, handles } = await ask(urls);
    assert.equal(
      answers.map(({ ok, code, kind }) => [ok, kind, code]),
      [
        [false, 'network', 'CERT_HAS_EXPIRED'],
        [false, 'network', 'CERT_NOT_YET_VALID'],
        [false, 'network', 'ERR_TLS_CERT_ALTNAME_INVALID'],
        [false, 'network', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      ],
    );
    assert.equal(
      answers.map(({ certificate }) => [certificate?.verified, certificate?.daysLeft]),
      [
        [false, -4],
        [false, 59],
        [false, 29],
        [false, 19],
      ],
    );
    for (const { certificate, reason } of answers) assert.is(certificate?.problem, reason);
    assert.match(answers[0]?.reason ?? '', 'has expired, renew it');
    assert.match(answers[3]?.reason ?? '', 'does not trust');
    assert.equal(asked, []);
    assert.equal(handles, []);
  },
);

secured(test, 'a server with TLS below 1.2, or without TLS, is refused', async () => {
  const leaf = ca.issue(['localhost']);
  const old = await withLeaf(leaf, () => undefined, {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  });
  const plain = await port(createPlain((_, response) => response.end('plain')));
  const { answers } = await ask([
    { url: `https://localhost:${old}/` },
    { url: `https://localhost:${plain}/` },
  ]);
  assert.match(answers[0]?.code ?? '', /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/);
  assert.match(answers[0]?.reason ?? '', 'does not support TLS 1.2');
  assert.match(answers[1]?.code ?? '', /WRONG_VERSION|PACKET_LENGTH|RECORD/);
});

secured(test, 'a redirect is returned and not followed', async () => {
  const asked: string[] = [];
  const trap = await port(
    createPlain((request, response) => {
      asked.push(`trap ${request.url}`);
      response.end();
    }),
  );
  const codes = [301, 302, 303, 307, 308];
  const leaf = ca.issue(['localhost']);
  const from = await withLeaf(leaf, (request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(Number(request.url?.slice(1)), { location: `http://localhost:${trap}/steal` }).end();
  });
  const { answers } = await ask([
    ...codes.map((code) => ({ url: `https://localhost:${from}/${code}` })),
    { url: `http://localhost:${trap}/asked` },
  ]);
  assert.equal(
    answers.map(({ status }) => status),
    [...codes, 200],
  );
  assert.is(answers[0]?.location, `http://localhost:${trap}/steal`);
  assert.equal(asked, [...codes.map((code) => `/${code}`), 'trap /asked']);
});

secured(test, 'a response that is too large, too slow or endless is ended with the reason', async () => {
  let written = 0;
  const big = await port(
    createPlain((_, response) => {
      const more = () => {
        while (!response.destroyed) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on('drain', more);
      more();
    }),
  );
  const drip = await port(
    createPlain((_, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    }),
  );
  const mute = await port(createTcp((socket) => socket.on('error', () => undefined).resume()));
  const headers = await port(
    createTcp((socket) => {
      socket.on('error', () => undefined).write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-More: more\r\n'), 1);
      socket.on('close', () => clearInterval(timer)).resume();
    }),
  );
  const long = await port(
    createTcp((socket) => {
      socket.on('error', () => undefined).end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`);
    }),
  );
  const odd = await port(
    createTcp((socket) => void socket.on('error', () => undefined).end('SSH-2.0-x\r\n')),
  );
  const cutOff = await port(
    createTcp((socket) => {
      socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    }),
  );
  const switching = await port(
    createTcp((socket) => {
      socket
        .on('error', () => undefined)
        .write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    }),
  );
  const at = (to: number, more: object = {}) => ({ url: `http://localhost:${to}/`, ...more });
  const { answers, handles } = await ask([
    at(big),
    at(drip, { timeoutMs: 400 }),
    at(mute, { timeoutMs: 200 }),
    { url: `https://localhost:${mute}/`, timeoutMs: 200 },
    at(headers, { timeoutMs: 5_000 }),
    at(long),
    at(odd),
    at(cutOff),
    at(switching),
  ]);
  const [huge, ...others] = answers;
  assert.equal([huge?.ok, huge?.status, huge?.bytes, huge?.complete], [true, 200, 1 << 20, false]);
  assert.ok(written < 40 << 20, `${written} bytes were taken`);
  assert.equal(
    others.map(({ ok, code }) => [ok, code]),
    [
      [false, 'timeout'],
      [false, 'timeout'],
      [false, 'timeout'],
      [false, 'HPE_HEADER_OVERFLOW'],
      [false, 'HPE_HEADER_OVERFLOW'],
      [false, 'HPE_INVALID_CONSTANT'],
      [false, 'ECONNRESET'],
      [false, 'upgrade'],
    ],
  );
  for (const { reason } of others) assert.match(reason ?? '', /, check |another protocol/);
  assert.equal(handles, []);
});

secured(test, 'a URL with a user name, another scheme or no host is refused without a request', async () => {
  const { answers } = await ask([
    { url: 'https://user:word@localhost/' },
    { url: 'ftp://localhost/' },
    { url: 'https://0x7f.1/' },
    { url: 'https://[::1]/' },
    { url: 'https://localhost./' },
  ]);
  assert.equal(
    answers.map(({ ok, kind, code }) => [ok, kind, code]),
    ['user-info', 'bad-url', 'ip-literal', 'ip-literal', 'trailing-dot'].map((code) => [false, 'rule', code]),
  );
  assert.not.match(JSON.stringify(answers), 'word');
});

test.run();
