/** Addresses, groups and tokens, apart from any connection. */
import { isIPv4, isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addressBytes, isLoopback, Readers } from '../../src/http/peer.ts';
import { CODE_LIFE_MS, Tokens } from '../../src/http/tokens.ts';

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
    ['1.2.3', null],
    ['1.2.3.256', null],
    ['1:2:3', null],
    ['1::2::3', null],
    ['1:2:3:4:5:6:7:8:9', null],
    ['g::1', null],
  ];
  for (const [text, bytes] of known)
    assert.equal(bytes === null ? addressBytes(text) : [...(addressBytes(text) ?? [])], bytes, text);
});

test('every address that node knows has bytes', () => {
  fc.assert(fc.property(fc.ipV4(), (text) => isIPv4(text) && addressBytes(text)?.join('.') === text));
  fc.assert(fc.property(fc.ipV6(), (text) => !isIPv6(text) || addressBytes(text)?.length === 16));
});

test('loopback is 127/8, ::1 and 127/8 mapped', () => {
  for (const text of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])
    assert.ok(isLoopback(addressBytes(text) as Uint8Array), text);
  for (const text of ['128.0.0.1', '10.0.0.1', '::2', '::', '::ffff:10.0.0.1', '7f00::1'])
    assert.not(isLoopback(addressBytes(text) as Uint8Array), text);
});

test('readers are the service, root and the members of the group, named or primary', () => {
  const files: Record<string, string> = {
    '/etc/group': 'root:x:0:\ndesk:x:500:ada,bob,\nother:x:501:eve\n',
    '/etc/passwd':
      'root:x:0:0::/:/bin/sh\nada:x:1001:100::/:\nbob:x:1002:100::/:\neve:x:1003:501::/:\nkim:x:1004:500::/:\nbad line\n',
  };
  let now = 0;
  let reads = 0;
  const read = (path: string): string => {
    reads += 1;
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  };
  const allowed = (readers: Readers) =>
    [0, 42, 1001, 1002, 1003, 1004, 9999].filter((uid) => readers.includes(uid));
  const readers = new Readers(42, 'desk', read, () => now);
  assert.equal(allowed(readers), [0, 42, 1001, 1002, 1004]);
  assert.is(reads, 2);
  files['/etc/group'] = 'desk:x:500:eve\n';
  assert.equal(allowed(readers), [0, 42, 1001, 1002, 1004]);
  now = 10_000;
  assert.equal(allowed(readers), [0, 42, 1003, 1004]);
  delete files['/etc/group'];
  now = 20_000;
  assert.equal(allowed(readers), [0, 42]);
  assert.equal(allowed(new Readers(42, '', read, () => now)), [0, 42]);
  assert.equal(allowed(new Readers(42, 'missing', read, () => now)), [0, 42]);
});

test('tokens grant what they are for, and an empty one nothing', () => {
  const tokens = new Tokens({ control: 'one', mail: 'two' });
  assert.equal(
    ['Bearer one', 'bearer two', 'Bearer three', 'Bearer', 'Bearer ', 'Basic one', 'one', '', undefined].map(
      (header) => tokens.granted(header),
    ),
    ['control', 'people', null, null, null, null, null, null, null],
  );
  assert.is(new Tokens({ control: '', mail: '' }).granted('Bearer '), null);
});

test('a code is good once and for 60 s', () => {
  let now = 0;
  const tokens = new Tokens({ control: 'one', mail: '' }, () => now);
  const [first, second] = [tokens.issueCode(), tokens.issueCode()];
  const token = tokens.redeem(first);
  assert.is(tokens.granted(`Bearer ${token}`), 'control');
  assert.is(tokens.redeem(first), null);
  now = CODE_LIFE_MS + 1;
  assert.is(tokens.redeem(second), null);
  assert.is(tokens.redeem(''), null);
});

test('codes and sessions are bounded; the oldest give way', () => {
  const tokens = new Tokens({ control: 'one', mail: '' });
  const codes = Array.from({ length: 40 }, () => tokens.issueCode());
  assert.is(tokens.redeem(codes[0] as string), null);
  const opened = Array.from({ length: 100 }, () => tokens.redeem(tokens.issueCode()) as string);
  assert.is(tokens.granted(`Bearer ${opened[0]}`), null);
  assert.is(tokens.granted(`Bearer ${opened[99]}`), 'control');
});

test.run();
