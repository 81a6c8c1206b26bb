/** What the rules refuse by name, and how addresses are classified. */
import { spawnSync } from 'node:child_process';
import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalAddress, kindOf } from '../../src/base/addresses.ts';
import { EgressRules, hostRefusal } from '../../src/egress/rules.ts';
import { needs } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('egress rules');

/** Rules that list the host exactly as written, so that nothing is refused as unlisted. */
const listing = (host: string, port = 443) => new EgressRules({ allow: [`${host}:${port}`], private: [] });

const HOSTILE: readonly (readonly [host: string, code: string])[] = [
  ['', 'no-host'],
  ['user@example.org', 'user-info'],
  ['user:word@example.org', 'user-info'],
  ['127.0.0.1', 'ip-literal'],
  ['127.1', 'ip-literal'],
  ['127.0.1', 'ip-literal'],
  ['0', 'ip-literal'],
  ['0177.0.0.1', 'ip-literal'],
  ['0x7f.0.0.1', 'ip-literal'],
  ['0x7f.1', 'ip-literal'],
  ['0X7F000001', 'ip-literal'],
  ['0x', 'ip-literal'],
  ['2130706433', 'ip-literal'],
  ['017700000001', 'ip-literal'],
  ['127.0.0.1.', 'ip-literal'],
  ['93.184.215.14', 'ip-literal'],
  ['999.999.999.999', 'ip-literal'],
  ['example.1', 'ip-literal'],
  ['::1', 'ip-literal'],
  ['[::1]', 'ip-literal'],
  ['::ffff:127.0.0.1', 'ip-literal'],
  ['[::ffff:7f00:1]', 'ip-literal'],
  ['64:ff9b::7f00:1', 'ip-literal'],
  ['fe80::1%lo', 'ip-literal'],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'ip-literal'],
  ['example.org:443', 'port-in-host'],
  ['127.0.0.1:443', 'ip-literal'],
  ['2606:2800', 'ip-literal'],
  ['*.example.org', 'wildcard'],
  ['*', 'wildcard'],
  ['example.org.', 'trailing-dot'],
  ['.', 'trailing-dot'],
  ['example..org', 'empty-label'],
  ['.example.org', 'empty-label'],
  ['bücher.example', 'not-ascii'],
  ['example。org', 'not-ascii'],
  ['１２７.０.０.１', 'not-ascii'],
  ['exаmple.org', 'not-ascii'],
  ['example.org\u0000.evil.example', 'bad-host'],
  ['example.org evil.example', 'bad-host'],
  ['example.org/evil', 'bad-host'],
  ['example.org#', 'bad-host'],
  ['example.org\\', 'bad-host'],
  ['-example.org', 'bad-host'],
  [`${'a'.repeat(64)}.example`, 'bad-host'],
  [`${'a.'.repeat(127)}org`, 'bad-host'],
];

test('anything but a plain host name is refused, even if it is listed', () => {
  for (const [host, code] of HOSTILE) {
    const refusal = listing(host).refusalOf(host, 443);
    assert.is(refusal?.code, code, JSON.stringify(host));
    assert.is(refusal?.kind, 'rule');
    assert.match(refusal?.reason ?? '', /, (?:write|leave|correct|use|and only names|and hosts)/);
    assert.not.match(refusal?.reason ?? '', /;|\.$/);
  }
});

test('for a name in another script the refusal shows the form to write', () => {
  assert.match(hostRefusal('bücher.example')?.reason ?? '', 'write it as "xn--bcher-kva.example"');
  assert.not.match(hostRefusal('１２７.０.０.１')?.reason ?? '', 'write it as');
});

test('host and port are compared exactly, ignoring case', () => {
  const rules = new EgressRules({
    allow: ['Example.org:443', 'localhost:8080', 'mail.example.org:993', 'xn--bcher-kva.example:443'],
    private: ['LOCALHOST:8080'],
  });
  for (const [host, port] of [
    ['example.org', 443],
    ['EXAMPLE.ORG', 443],
    ['localhost', 8080],
    ['mail.example.org', 993],
    ['xn--bcher-kva.example', 443],
  ] as const)
    assert.is(rules.refusalOf(host, port), null, host);
  for (const [host, port, code] of [
    ['example.org', 80, 'port-not-listed'],
    ['localhost', 8081, 'port-not-listed'],
    ['www.example.org', 443, 'not-listed'],
    ['org', 443, 'not-listed'],
    ['example.org.evil.example', 443, 'not-listed'],
    ['xample.org', 443, 'not-listed'],
    ['example.org', 0, 'bad-port'],
    ['example.org', 65_536, 'bad-port'],
    ['example.org', Number.NaN, 'bad-port'],
    ['example.org', 443.5, 'bad-port'],
  ] as const)
    assert.is(rules.refusalOf(host, port)?.code, code, `${host} ${port}`);
  assert.match(
    rules.refusalOf('www.example.org', 443)?.reason ?? '',
    'add "www.example.org:443" to [egress] allow',
  );
  assert.match(rules.refusalOf('example.org', 80)?.reason ?? '', 'lists example.org:443 and not port 80');
  assert.equal(
    [rules.mayBePrivate('localhost', 8080), rules.mayBePrivate('example.org', 443)],
    [true, false],
  );
});

const number = fc.oneof(
  fc.nat(0xffffffff),
  fc.nat(255),
  fc.constantFrom(0, 1, 127, 0x7f000001, 0x0a000001, 0xa9fea9fe),
);
const spelled = fc
  .tuple(number, fc.constantFrom('decimal', 'octal', 'hex', 'HEX', 'padded'))
  .map(([value, form]) => {
    if (form === 'decimal') return `${value}`;
    if (form === 'octal') return `0${value.toString(8)}`;
    if (form === 'padded') return `000${value}`;
    return form === 'hex' ? `0x${value.toString(16)}` : `0X${value.toString(16).toUpperCase()}`;
  });
const literal = fc.array(spelled, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));

test('an IPv4 address in any notation is refused: one to four parts, each decimal, octal or hex', () => {
  fc.assert(
    fc.property(literal, fc.constantFrom('', '.'), (host, dot) => {
      assert.is(listing(host + dot).refusalOf(host + dot, 443)?.code, 'ip-literal');
    }),
  );
});

const addressLetters = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefxX.:[]%'.split('')),
  maxLength: 24,
});

test('anything that net or URL accepts as an address is refused', () => {
  fc.assert(
    fc.property(fc.oneof(literal, addressLetters, fc.ipV4Extended(), fc.ipV6()), (host) => {
      const url = `http://${host}/`;
      const name = URL.canParse(url) ? new URL(url).hostname : '';
      const isAddress = isIP(host) !== 0 || isIP(name) !== 0 || name.startsWith('[');
      if (isAddress) assert.is.not(listing(host).refusalOf(host, 443), null, host);
    }),
    { numRuns: 5_000 },
  );
});

needs('python3')(
  test,
  'anything that inet_aton(3) or getaddrinfo(3) accepts as an address is refused',
  () => {
    const texts = fc.sample(fc.oneof(literal, addressLetters, fc.ipV4Extended(), fc.ipV6()), 20_000);
    const program = [
      'import json, socket, sys',
      'def taken(text):',
      '    try:',
      '        socket.inet_aton(text)',
      '        return True',
      '    except (OSError, ValueError): pass',
      '    try:',
      '        socket.getaddrinfo(text, 443, flags=socket.AI_NUMERICHOST)',
      '        return text != ""',
      '    except (OSError, ValueError, UnicodeError): return False',
      'print(json.dumps([text for text in json.load(sys.stdin) if taken(text)]))',
    ].join('\n');
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(texts),
      encoding: 'utf8',
      timeout: patientMs(60_000),
      maxBuffer: 1 << 26,
    });
    const taken = JSON.parse(stdout || `"${stderr}"`) as string[];
    assert.ok(taken.length > 2_000, `${taken.length}`);
    assert.equal(
      taken.filter((host) => hostRefusal(host) === null),
      [],
    );
  },
);

const KINDS: Readonly<Record<string, readonly string[]>> = {
  public: [
    '1.1.1.1',
    '93.184.215.14',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '2001:4860:4860::8888',
    '2000::1',
    '3ffe::1',
  ],
  private: [
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '::1',
    '::ffff:1.1.1.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::1.1.1.1',
    '64:ff9b::1.1.1.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2620:4f:8000::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    '4000::1',
    '2606:2800::1%eth0',
  ],
  reserved: [
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    'ff02::1',
    '',
    'example.org',
    '127.1',
    '[::1]',
  ],
};

test('an address is public, private or not a host address', () => {
  for (const [kind, addresses] of Object.entries(KINDS))
    for (const address of addresses) assert.is(kindOf(address), kind, address);
});

test('an IPv4 address is public exactly if it is not special in an independent table', () => {
  const special = (a: number, b: number, c: number): boolean =>
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 &&
      ((b === 31 && c === 196) ||
        (b === 52 && c === 193) ||
        (b === 88 && c === 99) ||
        (b === 175 && c === 48))) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113);
  const near = fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255);
  const octet = fc.nat(255);
  fc.assert(
    fc.property(
      fc.oneof(near, octet),
      fc.oneof(octet, fc.constantFrom(0, 168, 254, 18, 51)),
      octet,
      octet,
      (a, b, c, d) => {
        assert.is(kindOf(`${a}.${b}.${c}.${d}`) === 'public', !special(a, b, c), `${a}.${b}.${c}.${d}`);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('no IPv6 address is public outside the global unicast block or inside its special blocks', () => {
  const special = new BlockList();
  for (const [network, prefix] of [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['2620:4f:8000::', 48],
    ['3fff::', 20],
  ] as const)
    special.addSubnet(network, prefix, 'ipv6');
  const group = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 1, 0xffff));
  const first = fc.oneof(
    group,
    fc.constantFrom(0x2000, 0x2001, 0x2002, 0x2003, 0x2620, 0x3fff, 0x4000, 0xff02),
  );
  const second = fc.oneof(group, fc.constantFrom(0x1ff, 0x200, 0xdb8, 0x4f, 0xfff, 0x1000));
  const third = fc.oneof(group, fc.constantFrom(0x8000, 0x8001));
  fc.assert(
    fc.property(first, second, third, group, group, (a, b, c, d, e) => {
      const text = [a, b, c, d, 0, 0, 0, e].map((one) => one.toString(16)).join(':');
      const open = a >= 0x2000 && a <= 0x3fff && !special.check(text, 'ipv6');
      assert.is(kindOf(text) === 'public', open, text);
      assert.is.not(kindOf(`${text}%eth0.7`), 'public');
      assert.is(kindOf(text) === 'reserved', a >= 0xff00 || /^[0:]+$/.test(text), text);
    }),
    { numRuns: 5_000 },
  );
});

test('every notation of an address is normalized to the same text', () => {
  assert.is(canonicalAddress('::ffff:192.0.2.1'), '192.0.2.1');
  assert.is(canonicalAddress('::FFFF:c000:201'), '192.0.2.1');
  assert.is(canonicalAddress('2001:DB8:0:0::1'), '2001:db8::1');
  assert.is(canonicalAddress('192.0.2.1'), '192.0.2.1');
  assert.is(canonicalAddress('fe80::1%lo'), 'fe80::1%lo');
});

test.run();
