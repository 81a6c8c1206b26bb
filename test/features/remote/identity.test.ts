/** The certificate of the remote listener: as OpenSSL reads it, kept, renewed, and given by files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { selfSigned } from '../../../src/features/remote/certificate.ts';
import { IdentityKeeper, LIFE_MS, namesOf, RENEW_MS } from '../../../src/features/remote/identity.ts';
import { loopbackConfig } from '../../support/fake-desk.ts';
import { testsNeeding } from '../../support/require.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const it = testsNeeding(test, 'openssl');
const log = pino({ level: 'silent' });
const DAY = 86_400_000;
const remote = (parts: object = {}) =>
  loopbackConfig({ listen: { remote: { enabled: true, ...parts } } }).listen.remote;

function made(parts: object = {}) {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const now = Date.now();
  const text = selfSigned({
    key,
    names: ['desk.example', '192.0.2.1'],
    fromMs: now - DAY,
    untilMs: now + 100 * DAY,
    ...parts,
  });
  return { text, key, pem: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

it('OpenSSL reads a certificate as it was meant, and verifies it strictly', () => {
  const folder = memoryFolder('desk-certificate-');
  const file = join(folder, 'c.pem');
  writeFileSync(
    file,
    made({ names: ['desk.example', '192.0.2.1', '2001:db8::1'], untilMs: Date.UTC(2055, 0, 2) }).text,
  );
  const text = execFileSync('openssl', ['x509', '-in', file, '-noout', '-text'], { encoding: 'utf8' });
  for (const line of [
    'Version: 3 (0x2)',
    'ecdsa-with-SHA256',
    'ASN1 OID: prime256v1',
    'CA:FALSE',
    'Digital Signature',
    'TLS Web Server Authentication',
    'DNS:desk.example, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1',
    'Not After : Jan  2 00:00:00 2055 GMT',
  ])
    assert.ok(text.includes(line), `${line}\n${text}`);
  const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', file, file];
  const verified = spawnSync('openssl', strict, { encoding: 'utf8' });
  assert.is(verified.status, 0, verified.stderr);
});

test('certificates differ, and have a positive serial number of 16 bytes', () => {
  const serials = Array.from({ length: 50 }, () => new X509Certificate(made().text).serialNumber);
  assert.is(new Set(serials).size, 50);
  for (const serial of serials) assert.match(serial, /^[4-7][0-9A-F]{31}$/);
});

test('many names make long elements that are read too', () => {
  const names = Array.from({ length: 64 }, (_, at) => `${'long-name-'.repeat(6)}${at}.example`);
  const certificate = new X509Certificate(made({ names }).text);
  assert.is(certificate.subjectAltName?.split(', ').length, 64);
});

test('an own certificate is made once, kept closed to others, and the same after a restart', () => {
  const folder = memoryFolder('desk-identity-');
  const keeper = new IdentityKeeper(folder, log);
  keeper.refresh(remote({ names: ['desk.example:8443', '[2001:db8::1]'] }));
  const { identity } = keeper;
  keeper.refresh(remote({ names: ['desk.example:8443', '[2001:db8::1]'] }));
  assert.is(keeper.identity, identity);
  for (const name of ['remote.key', 'remote.crt'])
    assert.is(statSync(join(folder, name)).mode & 0o777, 0o600);
  const again = new IdentityKeeper(folder, log);
  again.refresh(remote({ names: ['desk.example'] }));
  assert.is(again.identity?.fingerprint, identity?.fingerprint);
  const certificate = new X509Certificate(identity?.certificate ?? '');
  assert.is(certificate.fingerprint256, identity?.fingerprint);
  assert.ok(
    certificate.checkHost('desk.example') &&
      certificate.checkIP('2001:db8::1') &&
      certificate.checkIP('127.0.0.1'),
  );
});

test('another name, a near end or a damaged file makes another certificate, with the same key where there is one', () => {
  const folder = memoryFolder('desk-identity-');
  const clock = { now: Date.now() };
  const keeper = new IdentityKeeper(folder, log, () => clock.now);
  keeper.refresh(remote());
  const first = keeper.identity;
  keeper.refresh(remote({ names: ['new.example'] }));
  const second = keeper.identity;
  assert.is.not(second?.fingerprint, first?.fingerprint);
  assert.is(second?.key, first?.key);
  clock.now += LIFE_MS - RENEW_MS - 2 * DAY;
  keeper.refresh(remote({ names: ['new.example'] }));
  assert.is(keeper.identity, second);
  clock.now += 2 * DAY;
  keeper.refresh(remote({ names: ['new.example'] }));
  assert.is.not(keeper.identity?.fingerprint, second?.fingerprint);
  writeFileSync(join(folder, 'remote.key'), 'x');
  const again = new IdentityKeeper(folder, log, () => clock.now);
  again.refresh(remote());
  assert.is.not(again.identity?.key, first?.key);
  assert.is(again.trouble, null);
});

test('given files are used, and read again when they are replaced', () => {
  const folder = memoryFolder('desk-given-');
  const [certificate, key, target] = ['c.pem', 'k.pem', 'k1.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const put = ({ text, pem }: { text: string; pem: string }) => {
    writeFileSync(certificate, text);
    writeFileSync(target, pem, { mode: 0o600 });
  };
  const [one, two] = [made(), made()];
  put(one);
  symlinkSync(target, key);
  const keeper = new IdentityKeeper(folder, log);
  const config = remote({ certificate, key });
  keeper.refresh(config);
  const { identity } = keeper;
  assert.is(identity?.fingerprint, new X509Certificate(one.text).fingerprint256);
  assert.is(identity?.own, false);
  put(two);
  keeper.refresh(config);
  const next = keeper.identity;
  assert.is(next?.fingerprint, new X509Certificate(two.text).fingerprint256);
  for (const [spoil, why] of [
    [
      () => writeFileSync(certificate, one.text),
      /the key is not that of the certificate; the former certificate is still shown/,
    ],
    [() => writeFileSync(certificate, 'nothing'), /there is no certificate in it: expected PEM/],
    [
      () => writeFileSync(certificate, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      /cannot be read: expected PEM/,
    ],
    [() => writeFileSync(target, 'nothing'), /the key cannot be read: expected PEM without a passphrase/],
    [() => chmodSync(target, 0o644), /\[listen\.remote\] key /],
  ] as const) {
    put(two);
    chmodSync(target, 0o600);
    spoil();
    keeper.refresh(config);
    assert.match(`${keeper.trouble?.what}; ${keeper.trouble?.remedy}`, why);
    assert.is(keeper.identity, next);
  }
  put(two);
  chmodSync(target, 0o600);
  keeper.refresh(config);
  assert.is(keeper.trouble, null);
});

test('a given certificate that ends soon or has ended is shown and reported', () => {
  for (const [untilMs, words] of [
    [Date.now() + 2 * DAY, 'ends at'],
    [Date.now() - 1000, 'ended at'],
  ] as const) {
    const folder = memoryFolder('desk-given-');
    const { text, pem } = made({ untilMs });
    writeFileSync(join(folder, 'c'), text);
    writeFileSync(join(folder, 'k'), pem, { mode: 0o600 });
    const keeper = new IdentityKeeper(folder, log);
    keeper.refresh(remote({ certificate: join(folder, 'c'), key: join(folder, 'k') }));
    assert.ok(keeper.identity);
    assert.match(keeper.trouble?.what ?? '', words);
  }
});

test('names of an own certificate: those configured without ports, the host, this machine, loopback', () => {
  assert.equal(namesOf({ host: '192.0.2.7', names: ['Desk.example:8443', '[2001:DB8::1]:1'] }, 'box'), [
    ...['desk.example', '2001:db8::1', '192.0.2.7', 'box', 'localhost', '127.0.0.1', '::1'],
  ]);
  assert.equal(namesOf({ host: '0.0.0.0', names: [] }, '_bad name'), ['localhost', '127.0.0.1', '::1']);
  assert.equal(namesOf({ host: 'Desk.LAN', names: [] }, 'box')[0], 'desk.lan');
});

test('a certificate for a host in capital letters is made once', () => {
  const keeper = new IdentityKeeper(memoryFolder('desk-identity-'), log);
  keeper.refresh(remote({ host: 'LocalHost' }));
  const first = keeper.identity;
  keeper.refresh(remote({ host: 'LocalHost' }));
  assert.is(keeper.identity, first);
});

test('a chain that is cut off is reported, and the former certificate stays', () => {
  const folder = memoryFolder('desk-given-');
  const { text, pem } = made();
  const [certificate, key] = [join(folder, 'c'), join(folder, 'k')];
  writeFileSync(certificate, text);
  writeFileSync(key, pem, { mode: 0o600 });
  const keeper = new IdentityKeeper(folder, log);
  keeper.refresh(remote({ certificate, key }));
  const before = keeper.identity;
  writeFileSync(certificate, `${text}\n${text.slice(0, text.length / 2)}`);
  keeper.refresh(remote({ certificate, key }));
  assert.is(keeper.identity, before);
  assert.match(keeper.trouble?.what ?? '', 'TLS refuses it');
});

test('an own certificate that could not be stored is reported until it is', () => {
  const folder = memoryFolder('desk-identity-');
  const file = join(folder, 'remote.crt');
  mkdirSync(file);
  const keeper = new IdentityKeeper(folder, log);
  keeper.refresh(remote());
  const first = keeper.identity;
  assert.match(keeper.trouble?.what ?? '', 'cannot be stored');
  keeper.refresh(remote());
  assert.match(keeper.trouble?.what ?? '', 'cannot be stored');
  rmdirSync(file);
  keeper.refresh(remote());
  assert.is(keeper.trouble, null);
  assert.is(keeper.identity, first);
  assert.is(readFileSync(file, 'utf8'), first?.certificate);
});

test.run();
