/** What the service says about other network namespaces, for root and for a user without rights. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { programWords } from '../support/entry.ts';
import { needs, ordinaryUser, projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('sight of other namespaces');

/** `namespacesTrouble` of a process of an ordinary user. */
function troubleFor(socket: string): string {
  const [program = '', ...words] = [
    process.execPath,
    ...programWords('namespaces-report.ts', import.meta.url),
    socket,
  ];
  const { stdout, stderr } = spawnSync(program, words, {
    ...(process.geteuid?.() === 0 && ordinaryUser),
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    encoding: 'utf8',
    timeout: patientMs(120_000),
  });
  assert.is(stderr, '');
  return stdout;
}

// An ordinary user who runs the tests can read the tree.
(process.geteuid?.() === 0 ? needs('tree readable by others') : needs())(
  test,
  'without rights it needs the socket of desk-namespaces, and says how to get it',
  () => {
    const folder = tempFolder('desk-sight-');
    chmodSync(folder, 0o755);
    const socket = join(folder, 'socket');
    assert.match(
      troubleFor(socket),
      /socket cannot be used \(ENOENT\).*sudo desk install --yes.*desk-namespaces\.socket/,
    );
    writeFileSync(socket, '');
    chmodSync(socket, 0o600);
    if (process.geteuid?.() === 0) assert.match(troubleFor(socket), /EACCES/);
    chmodSync(socket, 0o666);
    assert.is(troubleFor(socket), '');
  },
);

needs('root')(test, 'root needs none', async () => {
  const { namespacesTrouble } = await import('../../src/privileges/namespaces.ts');
  assert.is(namespacesTrouble('/nonexistent'), '');
});

test.run();
