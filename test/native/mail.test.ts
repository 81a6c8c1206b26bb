/** Fields of message headers as the native reader returns them. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import type { ReadMessages } from '../../src/engine/native/mail-types.ts';
import { isRefusal } from '../../src/engine/native/types.ts';
import { FIELDS } from '../../src/features/mail/message-reader.ts';
import { naiveParts } from '../support/naive-header.ts';

const { addon } = loadNative();

const NOW = Date.UTC(2026, 0, 1);
const KEY = new Uint8Array(16);

/** Texts of the address fields of each message: from, to, copied. */
function peopleIn({ named, ends, firstText, texts, times, keys, flags }: ReadMessages): string[][][] {
  assert.is(firstText, 0, 'of a reader from which nothing was taken before');
  assert.is(keys.length, 16 * times.length);
  assert.is(flags.length, times.length);
  assert.is(ends.length, 3 * times.length);
  const lines = texts.split('\n');
  assert.is(lines.pop(), '');
  const list = (at: number): string[] =>
    [...named.subarray(at === 0 ? 0 : ends[at - 1], ends[at])].map((number) => lines[number] as string);
  return Array.from(times, (_, row) => [0, 1, 2].map((at) => list(3 * row + at)));
}
function read(text: string): string[][] {
  const reader = new addon.MessageReader(KEY);
  reader.add(Buffer.from(text, 'latin1'), NOW);
  return peopleIn(reader.take())[0] as string[][];
}

test('the fields are those that a server is asked for, in the same order', () => {
  assert.equal([...addon.messageFieldNames], [...FIELDS]);
});

test('fields are unfolded, the first of a name counts, recipients are joined, and the header ends at the empty line', () => {
  assert.equal(read('From: a@b\r\nTo: c@d,\r\n\te@f\r\nFROM: x@y\r\nto : g@h\r\nX: 1\r\n\r\nCc: no\r\n'), [
    ['a@b'],
    ['c@d', 'e@f', 'g@h'],
    [],
  ]);
  assert.equal(read('From:\nCc: "x"   ,\n\ty\r\nBcc: z\r'), [[], [], ['"x"', 'y', 'z']]);
  assert.equal(read(' From: folded into nothing\nFromm: a\nFrom a\n:\n'), [[], [], []]);
});

test('simple lists are split, and each text is returned once', () => {
  const reader = new addon.MessageReader(KEY);
  for (const header of ['From: a@b\nTo: c@d , a@b,,\n', 'From: a@b\nTo: "c@d, a@b"\n', 'To: c@d\n'])
    reader.add(Buffer.from(header), NOW);
  assert.equal(peopleIn(reader.take()), [
    [['a@b'], ['c@d', 'a@b'], []],
    [['a@b'], ['"c@d, a@b"'], []],
    [[], ['c@d'], []],
  ]);
  reader.add(Buffer.from('From: e@f\nTo: c@d\n'), NOW);
  const { texts, firstText, named } = reader.take();
  assert.equal([texts, firstText, [...named]], ['e@f\n', 3, [3, 1]]);
});

test('lists are split as the naive implementation splits them', () => {
  const pieces = [
    ...['a', ',', ', ', ' ', '"', '"b, c"', '(', ')', '(d, e)', '\\', ':', ';', '<', '>', '@', '?', '='],
    ...['=?utf-8?q?f,_g?=', '=?utf-8?B?aA==?=', '=?x?q?', '?=', '=?', '=?x y?q?z?=', '=?x?q?"?=', '\xa0'],
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (some) => {
      const list = some.join('').replaceAll(/ +/g, ' ').trim();
      assert.equal(read(`To: ${list}\n`)[1], naiveParts(list), list);
    }),
    { numRuns: 20_000 },
  );
  assert.equal(read('To: "Doe, Jane" <j@x>, k@x (a, b), =?x?q?l,?= <l@x>\n')[1], [
    ...['"Doe, Jane" <j@x>', 'k@x (a, b)', '=?x?q?l,?= <l@x>'],
  ]);
  assert.equal(read('To: a@b, G: c@d;\n')[1], ['a@b, G: c@d;']);
});

test('any bytes give one row, and only the first 64 KiB count', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const reader = new addon.MessageReader(KEY);
      reader.add(bytes, NOW);
      assert.is(peopleIn(reader.take()).length, 1);
    }),
  );
  const long = `X: ${'x'.repeat(65_535 - 10)}\nFrom: a@b\n`;
  assert.equal(read(long)[0], ['a']);
  assert.equal(read(`From:${'\n '.repeat(100_000)}`)[0], []);
  assert.is(read(`To: ${'a,'.repeat(10_000)}`)[1]?.length, 1000);
});

test('files are reported one by one, and nothing blocks the reader', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-messages-'));
  try {
    const path = (name: string): string => join(folder, name);
    writeFileSync(path('one'), 'From: a@b\n\nbody');
    writeFileSync(path('long'), `X: ${'x'.repeat(40_000)}\nFrom: c@d\n\nbody`);
    writeFileSync(path('empty'), '');
    writeFileSync(path('closed'), 'From: e@f\n\n');
    chmodSync(path('closed'), 0);
    mkdirSync(path('folder'));
    symlinkSync(path('one'), path('link'));
    execFileSync('mkfifo', [path('fifo')]);
    const names = ['one', 'empty', 'folder', 'link', 'fifo', 'gone', 'long', 'closed'];
    const reader = new addon.MessageReader(KEY);
    const read = await reader.read(folder, names.map((name) => `${name}\0`).join(''), NOW, 60_000);
    const closed = process.geteuid?.() === 0 ? 0 : constants.errno.EACCES;
    assert.equal([...read.states], [0, -1, -1, -1, -1, -1, 0, closed]);
    assert.equal(
      peopleIn(read).map(([from]) => from?.[0]),
      ['a@b', 'c@d', ...(closed === 0 ? ['e@f'] : [])],
    );
    assert.equal([...(await reader.read(folder, '', NOW, 60_000)).states], []);
    assert.is((await reader.read(folder, 'one\0long\0', NOW, 0)).states.length, 1, 'one at least');
    assert.equal([...(await reader.read(path('absent'), 'one\0long\0', NOW, 0)).states], [-1, -1]);
    const { ENOTDIR } = constants.errno;
    assert.equal([...(await reader.read(path('one'), 'one\0', NOW, 0)).states], [ENOTDIR]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Names and numbers of a folder listing. */
function listed(directory: string, kind: 'maildir' | 'mh'): Map<string, number> {
  const folder = addon.listMessages(directory, kind);
  if (isRefusal(folder)) throw new Error(folder.code);
  const { names, begins, units } = folder;
  assert.is(begins.length, units.length + 1);
  assert.is(begins.at(-1), names.length);
  return new Map(
    [...units].map((unit, at) => {
      const name = names.slice(begins[at], begins[at + 1]);
      assert.ok(name.endsWith('\0') && Number.isSafeInteger(unit) && unit >= 0);
      return [name.slice(0, -1), unit];
    }),
  );
}

test('Maildir: a file is identified by its name before the flags, hidden files are skipped, and names are bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-maildir-'));
  try {
    const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x41])]);
    for (const name of ['1.a:2,S', '2.b', '.hidden']) writeFileSync(join(folder, name), '');
    writeFileSync(odd, '');
    const before = listed(folder, 'maildir');
    assert.equal([...before.keys()].sort(), ['1.a:2,S', '2.b', '\xffA']);
    assert.is(new Set(before.values()).size, 3);
    renameSync(join(folder, '1.a:2,S'), join(folder, '1.a:2,RS'));
    assert.is(listed(folder, 'maildir').get('1.a:2,RS'), before.get('1.a:2,S'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('MH: files with numeric names are identified by inode and times, and anything but a folder gives its errno', () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-mh-'));
  try {
    for (const name of ['1', '20', '03', '4x', '.mh_sequences', '0']) writeFileSync(join(folder, name), name);
    mkdirSync(join(folder, '5'));
    symlinkSync(join(folder, '1'), join(folder, '6'));
    const before = listed(folder, 'mh');
    assert.equal([...before.keys()].sort(), ['1', '20']);
    renameSync(join(folder, '20'), join(folder, '2'));
    assert.is(listed(folder, 'mh').get('2'), before.get('20'));
    writeFileSync(join(folder, '2'), 'more');
    assert.is.not(listed(folder, 'mh').get('2'), before.get('20'));
    assert.throws(() => listed(join(folder, 'absent'), 'mh'), /ENOENT/);
    assert.throws(() => listed(join(folder, '1'), 'maildir'), /ENOTDIR/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('invalid arguments throw', () => {
  const reader = new addon.MessageReader(KEY);
  assert.throws(() => new addon.MessageReader(new Uint8Array(15)), /key must have 16 bytes/);
  assert.throws(() => new addon.MessageReader('key' as never), /key must be a Uint8Array/);
  assert.throws(() => reader.add('text' as never, NOW), /header must be a Uint8Array/);
  assert.throws(() => reader.add(new Uint8Array(1), -1), /nowMs must be a whole number/);
  assert.throws(() => reader.read(1 as never, '', NOW, 1), /directory must be a string/);
  assert.throws(() => reader.read('/', '', NOW, 1e9), /forMs must be a whole number/);
  assert.throws(() => reader.read('/', 1 as never, NOW, 1), /names must be a string/);
  assert.throws(() => reader.take.call({} as never));
  assert.throws(() => addon.listMessages('', 'mh'), /directory must be a non-empty string/);
  assert.throws(() => addon.listMessages('/', 'mbox' as never), /kind must be maildir or mh/);
});

test.run();
