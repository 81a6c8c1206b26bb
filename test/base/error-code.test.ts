/** The table of error codes after which nothing can be stored. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf, diskTroubleOf, FILE_GONE } from '../../src/base/error-code.ts';

const test = suite('disk codes');

const troubles = {
  full: ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'],
  'read-only': ['EROFS', 'SQLITE_READONLY', 'SQLITE_READONLY_DBMOVED'],
  closed: ['EACCES', 'EPERM', 'SQLITE_READONLY_DIRECTORY'],
  locked: ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL'],
  failing: ['EIO', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_CANTOPEN'],
  gone: [FILE_GONE],
};

test('every code of the table and its extended SQLite codes count as a storage failure, other codes do not', () => {
  for (const [trouble, codes] of Object.entries(troubles))
    for (const code of codes) assert.is(diskTroubleOf(code), trouble, code);
  for (const code of ['', 'SQLITE_CORRUPT', 'SQLITE_CONSTRAINT', 'ENOENT'])
    assert.is(diskTroubleOf(code), null);
});

test('a code that libsql has no name for gets the name of the code that it extends', () => {
  const named = (number: number): string => codeOf({ code: `UNKNOWN_SQLITE_ERROR_${number}` });
  assert.is(named(1544), 'SQLITE_READONLY_DIRECTORY');
  assert.is(named(10 | (99 << 8)), 'SQLITE_IOERR');
  assert.is(named(255), 'UNKNOWN_SQLITE_ERROR_255');
  assert.is(codeOf(new Error('none')), '');
  assert.is(codeOf(null), '');
});

test.run();
