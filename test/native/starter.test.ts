/** The program desk-start: which sockets it binds, which descriptors stay open, and the uid of the mail process. */
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PEEK_PROGRAM, START_PROGRAM } from '../../src/privileges/programs.ts';
import { sanitized } from '../support/compile.ts';
import { needs } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('desk-start');
let program = '';

test.before(() => {
  program = sanitized('starter_cases.cc', ['privilege/privileges', 'start/protocol']);
});

const check = (word: string) => () => {
  const { status, stdout, stderr } = spawnSync(program, [word, START_PROGRAM, PEEK_PROGRAM], {
    encoding: 'utf8',
    timeout: patientMs(30_000),
  });
  assert.equal([status, stdout, stderr], [0, '', '']);
};

needs('root')(
  test,
  'it binds only an unbound TCP or UDP socket of the service, which still belongs to the service',
  check('binds'),
);
needs('root')(
  test,
  'no descriptor of a shell is inherited by it or the mail process, and none of another namespace stays open',
  check('descriptors'),
);
needs('root')(
  test,
  'the mail process has the requested uid, which may be that of the service',
  check('uids'),
);
test('descriptors are also closed on kernels before 5.9', check('old'));
test('a program that cannot give up its privileges ends', check('refused'));

test.run();
