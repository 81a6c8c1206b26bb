/** System errors become failures with a message; a bug keeps its stack. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf } from '../../src/desk/failure.ts';
import { openStore } from '../../src/service/tables.ts';

const test = suite('failures');

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not throw');
}

test('a system error is printed with what failed, why, and what to do', () => {
  const cases: readonly [unknown, RegExp, RegExp][] = [
    [thrownBy(() => writeFileSync('/dev/full', 'x')), /write.*ENOSPC/, /Free space/],
    [thrownBy(() => readFileSync(tmpdir())), /EISDIR/, /move it away/],
    [
      Object.assign(new Error(''), { code: 'EMFILE', syscall: 'open', path: '/x' }),
      /open on \/x/,
      /ulimit -n/,
    ],
    [Object.assign(new Error(''), { code: 'ENFILE', syscall: 'socket' }), /socket/, /open files/],
    [Object.assign(new Error(''), { code: 'SQLITE_FULL' }), /SQLITE_FULL/, /Free space/],
    [Object.assign(new Error(''), { code: 'SQLITE_IOERR_SHMSIZE' }), /SHMSIZE/, /Free space/],
    [Object.assign(new Error(''), { code: 'SQLITE_IOERR_FSYNC' }), /FSYNC/, /dmesg/],
  ];
  for (const [error, what, remedy] of cases) {
    const failure = failureOf(error);
    assert.is(failure?.exitCode, 4);
    assert.match(failure?.message ?? '', what);
    assert.ok((failure?.why ?? '').length > 0);
    assert.match(failure?.remedy ?? '', remedy);
  }
});

test('a bug is not printed as a system failure', () => {
  for (const error of [
    new TypeError('x is undefined'),
    thrownBy(() => readFileSync('/nonexistent')),
    Object.assign(new Error('made up'), { code: 'ENOSPC' }),
    Object.assign(new Error(''), { code: 'toString', syscall: 'open' }),
    Object.assign(new Error(''), { code: 'ERR_INVALID_ARG_TYPE' }),
    'text',
    undefined,
  ])
    assert.is(failureOf(error), undefined, String(error));
});

test('a directory in place of a store file is named', () => {
  for (const name of ['desk.store', 'desk.db']) {
    const folder = mkdtempSync(join(tmpdir(), 'desk-failure-'));
    try {
      mkdirSync(join(folder, name));
      const failure = failureOf(thrownBy(() => openStore(folder)));
      assert.is(failure?.exitCode, 4);
      assert.match(failure?.message ?? '', `${name} is a directory`);
      assert.match(failure?.remedy ?? '', 'mv ');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
});

test.run();
