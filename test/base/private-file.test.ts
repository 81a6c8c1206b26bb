/** Private files are written whole or not at all; what others may have put in a place is opened without harm. */
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

test('a FIFO does not hold the reader up, and a link is followed only when that is meant', () => {
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

test('a secret replaces the file for its owner alone; a failed one leaves it and no temporary file', () => {
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
