/** Groups and tokens, without connections. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Readers } from '../../src/http/peer.ts';
import { CODE_LIFE_MS, Tokens } from '../../src/http/tokens.ts';

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

test('a token grants its own rights, and an empty one none', () => {
  const tokens = new Tokens({ control: 'one', mail: 'two' });
  assert.equal(
    ['Bearer one', 'bearer two', 'Bearer three', 'Bearer', 'Bearer ', 'Basic one', 'one', '', undefined].map(
      (header) => tokens.granted(header),
    ),
    ['control', 'people', null, null, null, null, null, null, null],
  );
  assert.is(new Tokens({ control: '', mail: '' }).granted('Bearer '), null);
});

test('a code is valid once and for 60 s', () => {
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

test('codes and sessions are limited; the oldest are removed', () => {
  const tokens = new Tokens({ control: 'one', mail: '' });
  const codes = Array.from({ length: 40 }, () => tokens.issueCode());
  assert.is(tokens.redeem(codes[0] as string), null);
  const opened = Array.from({ length: 100 }, () => tokens.redeem(tokens.issueCode()) as string);
  assert.is(tokens.granted(`Bearer ${opened[0]}`), null);
  assert.is(tokens.granted(`Bearer ${opened[99]}`), 'control');
});

test.run();
