import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatAddress } from '../../src/engine/addresses.ts';

const v6 = (...groups: number[]) => Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));

test('v4 is a dotted quad', () => {
  assert.is(formatAddress(Uint8Array.of(127, 0, 0, 1)), '127.0.0.1');
  assert.is(formatAddress(Uint8Array.of(0, 0, 0, 0)), '0.0.0.0');
  assert.is(formatAddress(Uint8Array.of(255, 254, 0, 9)), '255.254.0.9');
});

// The cases of RFC 5952 section 4.
test('v6 follows RFC 5952', () => {
  assert.is(formatAddress(v6(0, 0, 0, 0, 0, 0, 0, 0)), '::');
  assert.is(formatAddress(v6(0, 0, 0, 0, 0, 0, 0, 1)), '::1');
  assert.is(formatAddress(v6(0x2001, 0xdb8, 0, 1, 1, 1, 1, 1)), '2001:db8:0:1:1:1:1:1');
  assert.is(formatAddress(v6(0x2001, 0, 0, 1, 0, 0, 0, 1)), '2001:0:0:1::1');
  assert.is(formatAddress(v6(0x2001, 0xdb8, 0, 0, 1, 0, 0, 1)), '2001:db8::1:0:0:1');
  assert.is(formatAddress(v6(0xfe80, 0, 0, 0, 0, 0, 0, 0)), 'fe80::');
  assert.is(formatAddress(v6(0, 0, 0, 0, 0, 0xffff, 0x7f00, 1)), '::ffff:127.0.0.1');
});

test('any v6 address reads as the URL standard writes it', () => {
  const group = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 0xffff }));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      fc.pre(!(groups.slice(0, 5).every((part) => part === 0) && groups[5] === 0xffff));
      const plain = groups.map((part) => part.toString(16)).join(':');
      assert.is(`[${formatAddress(v6(...groups))}]`, new URL(`http://[${plain}]/`).hostname);
    }),
  );
});

test('other lengths are a bug', () => {
  assert.throws(() => formatAddress(new Uint8Array(5)), /4 or 16 bytes/);
});

test.run();
