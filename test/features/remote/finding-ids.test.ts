/** Ids of findings on the remote listener: keyed, kept across restarts, and reported where they cannot be kept. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FILE, FindingIds } from '../../../src/features/remote/finding-ids.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const ID = '00112233445566aa';

function ids(folder = memoryFolder('desk-ids-')) {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  return { folder, file: join(folder, FILE), logged, open: () => new FindingIds(folder, log) };
}

test('an id is the same after a restart, another one of another desk, and never the plain one', () => {
  const { open, file, logged } = ids();
  const before = open();
  assert.throws(() => statSync(file), 'ENOENT', 'made at first use');
  const shown = before.shown(ID);
  assert.match(shown, /^[0-9a-f]{16}$/);
  assert.is.not(shown, ID);
  assert.is(open().shown(ID), shown);
  assert.is.not(before.shown('00112233445566ab'), shown);
  assert.is.not(ids().open().shown(ID), shown);
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is(readFileSync(file).length, 32);
  assert.equal(logged, []);
});

test('a damaged key, or one that others may read, is replaced, and the log says so', () => {
  for (const [content, mode, why] of [
    ['short', 0o600, 'is damaged'],
    [Buffer.alloc(32, 1), 0o644, 'is open to others'],
  ] as const) {
    const { open, file, logged } = ids();
    writeFileSync(file, content, { mode });
    const shown = open().shown(ID);
    assert.match(logged.join(''), why);
    assert.is(open().shown(ID), shown);
    assert.is(statSync(file).mode & 0o777, 0o600);
  }
});

test('a key that cannot be stored is used and reported until it is stored', () => {
  const { open, file } = ids();
  // A folder in the place of the temporary file refuses root too.
  const blocked = `${file}.${process.pid}.tmp`;
  mkdirSync(join(blocked, 'x'), { recursive: true });
  const held = open();
  const shown = held.shown(ID);
  assert.match(held.trouble, 'the ids of findings on the remote listener change with the next start');
  assert.is(held.shown(ID), shown);
  rmSync(blocked, { recursive: true });
  held.refresh();
  assert.is(held.trouble, '');
  assert.is(open().shown(ID), shown);
});

test.run();
