/**
 * Only listed hosts are connected to: every forbidden request is tried in a network where any address answers,
 * and a packet capture shows the connection attempts. support.test.ts tests the capture itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { programWords } from '../support/entry.ts';
import { connectedTo, NAMESPACE_NEEDS, namesAsked, startNamespace } from '../support/namespace.ts';
import { needs } from '../support/require.ts';
import { makeTestCa } from '../support/test-ca.ts';
import { patientMs } from '../support/time-limit.ts';
import type { VectorOptions, VectorReport } from './vectors.ts';

const test = suite('egress capture');
const alone = needs(...NAMESPACE_NEEDS, 'openssl');
const vectors = programWords('./vectors.ts', import.meta.url);

const GOOD_V4 = '93.184.215.14';
const GOOD_V6 = '2606:2800:21f:cb07::1';

/** Forbidden addresses that a name may resolve to. */
const NOT_PUBLIC = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::ffff:93.184.215.14',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '2002:a00:1::1',
  '2001:0:a00:1::1',
  '2001:db8::1',
  '3fff::1',
];

const zone: Record<string, readonly (readonly string[])[]> = {
  'good.example': [[GOOD_V4, GOOD_V6]],
  'desk.example': [['127.0.0.8']],
  'imap.example': [['93.184.215.20']],
  'other.example': [['93.184.215.99']],
  // Public in the first response, private in all later ones.
  'rebind.example': [['93.184.215.30'], ['127.0.0.1']],
};
const bad = NOT_PUBLIC.flatMap((address, index) => {
  const [alone, first, last] = ['alone', 'first', 'last'].map((kind) => `${kind}-${index}.example`) as [
    string,
    string,
    string,
  ];
  zone[alone] = [[address]];
  zone[first] = [[address, GOOD_V4, GOOD_V6]];
  zone[last] = [[GOOD_V4, GOOD_V6, address]];
  return [alone, first, last];
});

const LITERALS = [
  '93.184.215.14',
  '1571346190',
  '0x5db8d70e',
  '0135.0270.0327.016',
  '93.12113678',
  '127.1',
  '0',
  '[::1]',
  '[2606:2800:21f:cb07::1]',
  '[::ffff:93.184.215.14]',
  '[64:ff9b::5db8:d70e]',
  '169.254.169.254',
];

const refusedUrls = [
  ...LITERALS.map((host) => `https://${host}/`),
  'https://good.example./',
  'https://user@good.example/',
  'https://user:word@good.example/',
  'https://good.example@other.example/',
  'https://other.example/',
  'https://good.example:993/',
  'http://good.example/',
  'https://www.good.example/',
  'https://good.example.other.example/',
  'https://ｇｏｏｄ.example:80/',
  'https://127.0.0.1.nip.example/',
];
const refusedPlaces = [
  ...LITERALS.map((host) => [host.replace(/[[\]]/g, ''), 993] as const),
  ...LITERALS.map((host) => [host, 993] as const),
  ['good.example', 993],
  ['imap.example', 465],
  ['imap.example.', 993],
  ['user@imap.example', 993],
  ['*.example', 993],
  ['fe80::1%lo', 993],
] as const;

alone(test, 'only listed hosts are connected to, for any request and any DNS response', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-capture-'));
  try {
    const ca = makeTestCa(folder);
    const leaf = ca.issue(['good.example', 'rebind.example', '*.example', GOOD_V4, '127.0.0.1']);
    await using namespace = await startNamespace({ everywhere: true });
    const capture = await namespace.capture();
    const goodUrls = [
      'https://good.example/',
      'https://good.example/moved',
      'https://rebind.example/first',
      'https://rebind.example/second',
      'http://desk.example/',
    ];
    const options: VectorOptions = {
      key: leaf.key,
      certificate: leaf.certificate,
      allow: [
        'good.example:443',
        'rebind.example:443',
        'imap.example:993',
        'desk.example:80',
        // Listed, but refused.
        '93.184.215.14:443',
        '127.0.0.1:443',
        '127.1:443',
        'good.example.:443',
        ...bad.map((host) => `${host}:443`),
      ],
      private: ['desk.example:80'],
      zone,
      urls: [...goodUrls, ...refusedUrls, ...bad.map((host) => `https://${host}/`)],
      places: [['imap.example', 993], ['IMAP.example', 993], ...refusedPlaces],
    };
    const { code, stdout, stderr } = await namespace.program(vectors, [JSON.stringify(options)], {
      env: { NODE_EXTRA_CA_CERTS: ca.certificate },
      timeoutMs: patientMs(120_000),
    });
    const sent = await capture.stop();
    assert.is(code, 0, stderr);
    const report = JSON.parse(stdout) as VectorReport;
    const [page, moved, first, second, own, ...refused] = report.urls;
    // The name whose address changes is refused when it is resolved again.
    assert.equal([page, moved, first, second, own], ['200', '302', '200', 'private-address', '200']);
    for (const [index, answer] of refused.entries())
      assert.match(
        answer,
        index < refusedUrls.length
          ? /^(?:ip-literal|trailing-dot|user-info|not-listed|port-not-listed)$/
          : /^(?:private|reserved)-address$/,
        options.urls[index + 5],
      );
    assert.is(refused.length, refusedUrls.length + bad.length);
    const [imap, imapAgain, ...refusedConnections] = report.places;
    assert.equal([imap, imapAgain], ['93.184.215.20', '93.184.215.20']);
    for (const answer of refusedConnections)
      assert.match(answer, /^(?:ip-literal|trailing-dot|user-info|wildcard|port-not-listed)$/);
    assert.equal(report.served, [
      'good.example /',
      'good.example /moved',
      'rebind.example /first',
      'desk.example /',
    ]);

    const places = connectedTo(sent);
    // Which of a name's addresses comes first is the resolver's choice (RFC 6724).
    const good = places.filter((place) => place === `${GOOD_V4}:443` || place === `[${GOOD_V6}]:443`);
    assert.is(good.length, 1);
    assert.equal(places, [...good, '127.0.0.8:80', '93.184.215.20:993', '93.184.215.30:443'].sort());
    assert.equal(
      namesAsked(sent),
      ['good.example', 'rebind.example', 'desk.example', 'imap.example', ...bad].sort(),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
