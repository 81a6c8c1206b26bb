/** The program desk-start: what it binds, what it leaves open, and as whom it starts the mail process. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PEEK_PROGRAM, START_PROGRAM } from '../../src/privileges/programs.ts';
import { needs, projectRoot } from '../support/require.ts';

const test = suite('desk-start');
let folder = '';
let program = '';

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-starter-'));
  program = join(folder, 'cases');
  const native = join(projectRoot, 'native');
  execFileSync('g++', [
    ...['-std=c++20', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', `-I${native}`],
    ...[join(projectRoot, 'test/native/starter_cases.cc'), '-o', program],
    ...['privilege/privileges', 'start/protocol'].map((source) => join(native, `${source}.cc`)),
  ]);
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

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
test('who cannot give up privileges does not go on with them', check('refused'));

test.run();
