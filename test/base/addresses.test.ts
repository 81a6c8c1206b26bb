/** IP addresses: text and bytes, ranges, networks, and text before a port. */
import { isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  addressBytes,
  addressText,
  canonicalAddress,
  hostPort,
  isLoopback,
  isLoopbackHost,
  networkOf,
  rangeOf,
  reachedAt,
  splitAuthority,
  unmappedBytes,
  webAuthority,
} from '../../src/base/addresses.ts';
import { forAll, forAllOf } from '../support/for-all.ts';

const v6 = (...groups: number[]) => Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));

test('v4 is a dotted quad', () => {
  assert.is(addressText(Uint8Array.of(127, 0, 0, 1)), '127.0.0.1');
  assert.is(addressText(Uint8Array.of(0, 0, 0, 0)), '0.0.0.0');
  assert.is(addressText(Uint8Array.of(255, 254, 0, 9)), '255.254.0.9');
});

// The cases of RFC 5952 section 4.
test('v6 follows RFC 5952', () => {
  assert.is(addressText(v6(0, 0, 0, 0, 0, 0, 0, 0)), '::');
  assert.is(addressText(v6(0, 0, 0, 0, 0, 0, 0, 1)), '::1');
  assert.is(addressText(v6(0x2001, 0xdb8, 0, 1, 1, 1, 1, 1)), '2001:db8:0:1:1:1:1:1');
  assert.is(addressText(v6(0x2001, 0, 0, 1, 0, 0, 0, 1)), '2001:0:0:1::1');
  assert.is(addressText(v6(0x2001, 0xdb8, 0, 0, 1, 0, 0, 1)), '2001:db8::1:0:0:1');
  assert.is(addressText(v6(0xfe80, 0, 0, 0, 0, 0, 0, 0)), 'fe80::');
  assert.is(addressText(v6(0, 0, 0, 0, 0, 0xffff, 0x7f00, 1)), '::ffff:127.0.0.1');
});

test('a v6 address has the text form of the URL standard', () => {
  const group = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 0xffff }));
  forAll(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
    fc.pre(!(groups.slice(0, 5).every((part) => part === 0) && groups[5] === 0xffff));
    const plain = groups.map((part) => part.toString(16)).join(':');
    assert.is(`[${addressText(v6(...groups))}]`, new URL(`http://[${plain}]/`).hostname);
  });
});

test('an address of any other length throws', () => {
  assert.throws(() => addressText(new Uint8Array(5)));
});

test('addresses become bytes in network order', () => {
  const v6 = (head: readonly number[], tail: readonly number[]) => [
    ...head,
    ...Array(16 - head.length - tail.length).fill(0),
    ...tail,
  ];
  const known: readonly (readonly [string, readonly number[] | null])[] = [
    ['127.0.0.1', [127, 0, 0, 1]],
    ['::1', v6([], [1])],
    ['::', v6([], [])],
    ['::ffff:127.0.0.1', v6([], [255, 255, 127, 0, 0, 1])],
    ['::ffff:7f00:1', v6([], [255, 255, 127, 0, 0, 1])],
    ['2001:db8::7', v6([0x20, 0x01, 0x0d, 0xb8], [7])],
    ['fe80::1%eth0', v6([0xfe, 0x80], [1])],
    ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ['', null],
    ['localhost', null],
    ['::127.0.0.1', v6([], [127, 0, 0, 1])],
    ['64:ff9b::127.0.0.1', v6([0x00, 0x64, 0xff, 0x9b], [127, 0, 0, 1])],
    ['fe80::1%br-lan.7', v6([0xfe, 0x80], [1])],
    ['1:2:3:4:5:6:7::', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
    ['1.2.3', null],
    ['127.1', null],
    ['0177.0.0.1', null],
    ['0x7f.0.0.1', null],
    ['2130706433', null],
    ['::ffff:0177.0.0.1', null],
    ['[::1]', null],
    ['1.2.3.4%lo', null],
    ['1.2.3.256', null],
    ['1:2:3', null],
    ['1::2::3', null],
    ['1:2:3:4:5:6:7:8:9', null],
    ['g::1', null],
  ];
  for (const [text, bytes] of known)
    assert.equal(bytes === null ? addressBytes(text) : [...(addressBytes(text) ?? [])], bytes, text);
});

test('every address that Node accepts converts to bytes', () => {
  fc.assert(fc.property(fc.ipV4(), (text) => isIPv4(text) && addressBytes(text)?.join('.') === text));
  fc.assert(fc.property(fc.ipV6(), (text) => !isIPv6(text) || addressBytes(text)?.length === 16));
  const letters = fc.string({ unit: fc.constantFrom(...'0123456789abcxX.:[]%'.split('')), maxLength: 24 });
  forAllOf(5_000)(fc.oneof(letters, fc.ipV4Extended()), (text) => {
    assert.is(addressBytes(text) === null, isIP(text) === 0, text);
  });
});

test('loopback is 127/8, ::1 and 127/8 mapped', () => {
  for (const text of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])
    assert.ok(isLoopback(addressBytes(text) as Uint8Array), text);
  for (const text of ['128.0.0.1', '10.0.0.1', '::2', '::', '::ffff:10.0.0.1', '7f00::1', '::127.0.0.1'])
    assert.not(isLoopback(addressBytes(text) as Uint8Array), text);
  for (const host of ['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'])
    assert.ok(isLoopbackHost(host), host);
  for (const host of [
    '',
    '127.1',
    'LOCALHOST',
    'localhost.example',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '[::1]',
  ])
    assert.not(isLoopbackHost(host), host);
});

test('text and bytes convert back to each other, and agree with Node', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
  const mapped = fc
    .uint8Array({ minLength: 4, maxLength: 4 })
    .map((quad) => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...quad));
  forAll(fc.oneof(bytes, mapped), (address) => {
    const text = addressText(address);
    assert.equal(addressBytes(text), address);
    assert.is(new SocketAddress({ address: text, family: 'ipv6' }).address, text);
    assert.is(addressText(unmappedBytes(address) as Uint8Array), canonicalAddress(text));
  });
});

test('a mapped address has the range and network of its IPv4 address', () => {
  const ranges = ['10.1.2.3', '100.64.0.1', 'fd00::1', 'fe80::1', '203.0.113.7', '93.184.215.14'].map(
    rangeOf,
  );
  assert.equal(ranges, ['private', 'carrierGradeNat', 'uniqueLocal', 'linkLocal', 'reserved', 'unicast']);
  assert.equal([rangeOf('::ffff:10.0.0.1'), rangeOf('example.org')], ['private', undefined]);
  const networks = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '1:2:3:4:5:6:7:8', 'x'].map(networkOf);
  assert.equal(networks, ['192.0.2.0/24', '192.0.2.0/24', '2001:db8:0:0::/64', '1:2:3:4::/64', undefined]);
});

test('a host before its port: IPv6 in brackets, wildcards at loopback', () => {
  assert.equal([hostPort('::1', 80), hostPort('a.example', 80)], ['[::1]:80', 'a.example:80']);
  assert.equal([webAuthority('::1', 80), webAuthority('127.0.0.1', 81)], ['[::1]', '127.0.0.1:81']);
  assert.equal(['0.0.0.0', '::', '192.0.2.1'].map(reachedAt), ['127.0.0.1', '::1', '192.0.2.1']);
});

// RFC 3986 section 3.2, and a zone as RFC 6874 and as it is typed.
test('an authority is a host, and a port or none', () => {
  for (const [text, host, port] of [
    ['desk', 'desk', null],
    ['Desk.example:8443', 'Desk.example', 8443],
    ['192.0.2.1', '192.0.2.1', null],
    ['192.0.2.1:080', '192.0.2.1', 80],
    ['[2001:db8::1]', '2001:db8::1', null],
    ['[2001:DB8::1]:443', '2001:DB8::1', 443],
    ['[::ffff:192.0.2.1]:1', '::ffff:192.0.2.1', 1],
    ['[fe80::1%25eth0]:80', 'fe80::1%25eth0', 80],
    ['[fe80::1%eth0]', 'fe80::1%eth0', null],
    ['desk:', 'desk', null],
    ['[::1]:', '::1', null],
    ['desk:99999', 'desk', 99_999],
    ['', '', null],
    [':80', '', 80],
  ] as const)
    assert.equal(splitAuthority(text), { host, port }, text);
});

test('a text that is not an authority has no parts', () => {
  for (const text of [
    ...[
      '2001:db8::1',
      '::1',
      'a:b:1',
      'desk:80x',
      'desk:-1',
      'desk: 80',
      '[::1',
      '::1]:80',
      '[::1]80',
      '[desk]:80',
      '[]',
    ],
    ...[
      'user@desk',
      'user:word@desk:80',
      'desk/',
      'desk?a',
      'desk#a',
      'http://desk',
      'a b',
      '[::1%]',
      '[::1]:80:81',
    ],
  ])
    assert.is(splitAuthority(text), null, text);
});

test('host and port come back from their text', () => {
  const name = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,30}$/);
  const host = fc.oneof(name, fc.ipV4(), fc.ipV6());
  forAll(fc.tuple(host, fc.integer({ min: 0, max: 65_535 })), ([host, port]) =>
    assert.equal(splitAuthority(hostPort(host, port)), { host, port }),
  );
});

test.run();
