/** Private files are written in full or not at all; a file that another user planted is opened safely. */
import { spawnSync } from 'node:child_process';
import { closeSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf } from '../../src/base/error-code.ts';
import { openToRead, readInto, replaceSecret, replaceSecretBy } from '../../src/base/private-file.ts';
import { expect } from '../support/expect.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('desk-private-');
const at = (name: string): string => join(folder, name);

const failure = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    return codeOf(error);
  }
};

test('a FIFO does not block the reader, and a link is followed only on request', () => {
  writeFileSync(at('file'), 'content');
  symlinkSync(at('file'), at('link'));
  spawnSync('mkfifo', [at('fifo')]);
  closeSync(openToRead(at('fifo')));
  assert.is(
    failure(() => openToRead(at('link'))),
    'ELOOP',
  );
  assert.is(
    failure(() => openToRead(at('file'), { folder: true })),
    'ENOTDIR',
  );
  const file = openToRead(at('link'), { follow: true });
  const room = Buffer.alloc(20);
  assert.equal([readInto(room, file), readInto(room.subarray(0, 3), file, 4)], [7, 3]);
  assert.is(room.toString('latin1', 0, 7), 'enttent');
  closeSync(file);
});

test('writing a secret replaces the file, readable by its owner only; a failed write keeps the old file and leaves no temporary file', () => {
  replaceSecret(at('secret'), 'first');
  assert.equal([readFileSync(at('secret'), 'utf8'), statSync(at('secret')).mode & 0o777], ['first', 0o600]);
  const broken = function* () {
    yield 'second';
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  };
  assert.is(
    failure(() => replaceSecretBy(at('secret'), broken())),
    'ENOSPC',
  );
  assert.is(readFileSync(at('secret'), 'utf8'), 'first');
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).equals([]);
});

test.run();
