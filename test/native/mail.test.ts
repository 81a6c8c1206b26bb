/** Fields of message headers as the native reader tells them. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FIELDS } from '../../src/mail/header.ts';
import { loadNative } from '../../src/native/load.ts';

const { addon } = loadNative();

const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    addon
      .messageFields(Buffer.from(text, 'latin1'))
      .split('\n')
      .flatMap((line, at) => (line === '' ? [] : [[addon.messageFieldNames[at], line.slice(1)]])),
  );

test('the fields are those that a server is asked for, in one order', () => {
  assert.equal([...addon.messageFieldNames], [...FIELDS]);
});

test('fields are unfolded; the first counts, recipients are joined; the header ends at its empty line', () => {
  assert.equal(
    fieldsOf('From: a@b\r\nTo: c@d,\r\n\te@f\r\nFROM: x@y\r\nto : g@h\r\nX: 1\r\n\r\nDate: no\r\n'),
    {
      from: ' a@b',
      to: ' c@d,\te@f, g@h',
    },
  );
  assert.equal(fieldsOf('Subject:\nList-Id: <x>\r'), { subject: '', 'list-id': ' <x>' });
  assert.equal(fieldsOf(' From: folded into nothing\nFromm: a\nFrom a\n:\n'), {});
});

test('any bytes are twelve lines, and only what stands within 64 KiB counts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
      assert.is(addon.messageFields(bytes).split('\n').length, FIELDS.length + 1),
    ),
  );
  const long = `X: ${'x'.repeat(65_535 - 10)}\nFrom: a@b\n`;
  assert.equal(fieldsOf(long), { from: ' a' });
  assert.equal(fieldsOf(`From:${'\n '.repeat(100_000)}`).from?.length, 32_765);
});

test('files are told one by one; nothing holds the reader up', () => {
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
    const { lines, states } = addon.readMessageFields(names.map((name) => `${path(name)}\0`).join(''));
    const closed = process.geteuid?.() === 0 ? 0 : constants.errno.EACCES;
    assert.equal([...states], [0, -1, -1, -1, -1, -1, 0, closed]);
    assert.equal(
      lines.split('\n').filter((line) => line !== ''),
      [': a@b', ': c@d', ...(closed === 0 ? [': e@f'] : [])],
    );
    assert.equal([...addon.readMessageFields('').states], []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('bad arguments are told', () => {
  assert.throws(() => addon.messageFields('text' as never), /header must be a Uint8Array/);
  assert.throws(() => addon.readMessageFields(1 as never), /paths must be a string/);
});

test.run();
