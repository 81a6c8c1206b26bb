/** The program desk-start: what it binds, what it leaves open, and as whom it starts the mail process. */
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PEEK_PROGRAM, START_PROGRAM } from '../../src/privileges/programs.ts';
import { sanitized } from '../support/compile.ts';
import { needs } from '../support/require.ts';

const test = suite('desk-start');
let program = '';

test.before(() => {
  program = sanitized('starter_cases.cc', ['privilege/privileges', 'start/protocol']);
});

const check = (word: string) => () => {
  const { status, stdout, stderr } = spawnSync(program, [word, START_PROGRAM, PEEK_PROGRAM], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  assert.equal([status, stdout, stderr], [0, '', '']);
};

needs('root')(
  test,
  'it binds an unbound TCP or UDP socket of the service, which stays that of the service, and nothing else',
  check('binds'),
);
needs('root')(
  test,
  'no descriptor of a shell reaches it or the mail process, and none of another namespace stays open',
  check('descriptors'),
);
needs('root')(test, 'the mail process has the uid it was given, also that of the service', check('uids'));
test('descriptors are closed on kernels before 5.9 too', check('old'));
test('a program that cannot give up privileges ends', check('refused'));

test.run();
