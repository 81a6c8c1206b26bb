/** The service desk-namespaces: whom it answers, with what, and that no request stops it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NAMESPACES_SOCKET } from '../../src/engine/native/foreign-types.ts';
import { START_PROGRAM } from '../../src/privileges/programs.ts';
import { sanitized } from '../support/compile.ts';
import { needs, projectRoot, testsNeeding } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('desk-namespaces');
const it = testsNeeding(test, 'compiler', 'root', 'namespaces');
let program = '';

const check = (word: string) => () => {
  program ||= sanitized('namespaces_cases.cc', [
    'act/own_child',
    'core/errno_name',
    'privilege/privileges',
    'probe/sock_diag',
    'start/client',
    'start/protocol',
    'watch/connector',
    'watch/connector_decode',
    'watch/connector_socket',
  ]);
  const { status, stdout, stderr } = spawnSync(program, [word, START_PROGRAM], {
    encoding: 'utf8',
    timeout: patientMs(120_000),
  });
  assert.equal([status, stdout, stderr], [0, '', '']);
};

it('the owner of its socket gets sockets of the namespace, which destroy none there', check('answers'));
needs(
  'compiler',
  'root',
  'namespaces',
  'proc connector',
)(
  test,
  'the account gets process events with a large buffer, whatever the kernel gives to it alone',
  check('events'),
);
it('strangers, garbage, other descriptors and silence are refused, and it serves on', check('hostile'));
it('without a socket of systemd, or with another kind of it, it ends', check('refused'));

test('the program and the units name the same socket', () => {
  assert.match(
    readFileSync(join(projectRoot, 'native/start/namespaces.h'), 'utf8'),
    `kNamespacesSocket = "${NAMESPACES_SOCKET}"`,
  );
});

test.run();
