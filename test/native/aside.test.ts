/** Calls that run in separate threads, when the environment that made them ends: nothing aborts, whatever the calls still do. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import { needs, projectRoot } from '../support/require.ts';
import { silentFile } from '../support/wedge.ts';

const test = suite('aside');
const file = join(projectRoot, 'build/Release', loadNative().build);
const folder = mkdtempSync(join(tmpdir(), 'desk-aside-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Calls whose threads have ended while JavaScript was busy: their results wait for the event loop. */
const FINISHED = `
  const { readdirSync } = require('node:fs');
  const addon = require(${JSON.stringify(file)});
  const threads = () => readdirSync('/proc/self/task').length;
  const root = addon.openRoot('/proc');
  const before = threads();
  let settled = 0;
  for (let call = 0; call < 50; call++) addon.captureDevices(root, ${JSON.stringify(folder)}).finally(() => settled++);
  while (threads() > before);
`;

/** How a child process ended. */
function run(script: string) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
  });
  return { status, signal, stdout, stderr };
}
const ended = (stdout: string) => ({ status: 0, signal: null, stdout, stderr: '' });

test('a process may exit, or run out of work, with pending results', () => {
  for (const last of ['process.exit();', ''])
    assert.equal(
      run(`${FINISHED} process.on('exit', () => console.log(settled)); ${last}`),
      ended('0\n'),
      last,
    );
});

test('a worker may exit, or be terminated, with pending results', () => {
  for (const last of [
    'process.exit();',
    `require('node:worker_threads').parentPort.postMessage(''); for (;;);`,
  ]) {
    const script = `
      const { Worker } = require('node:worker_threads');
      const worker = new Worker(${JSON.stringify(FINISHED + last)}, { eval: true });
      worker.on('message', () => worker.terminate());
      worker.on('exit', () => console.log('over'));
    `;
    assert.equal(run(script), ended('over\n'), last);
  }
});

test('the event loop waits for a pending action', () => {
  const state = join(folder, 'state');
  mkdirSync(state);
  writeFileSync(join(state, 'old.tmp'), 'old', { mode: 0o600 });
  const act = `
    require(${JSON.stringify(file)})
      .quarantineMove(${JSON.stringify(state)}, 'old.tmp', 'no entry', Buffer.from('{}'))
      .then((refusal) => console.log(refusal === null || 'code' in refusal));
  `;
  assert.equal(run(act), ended('true\n'));
});

needs('FUSE', 'compiler', 'namespaces')(
  test,
  'a worker may end while its call hangs; the call returns later',
  async () => {
    const sys = join(folder, 'sys');
    const zone = join(sys, 'class/thermal/thermal_zone0');
    mkdirSync(zone, { recursive: true });
    const threads = () => readdirSync('/proc/self/task').length;
    const ask = () =>
      once(
        new Worker(`require(${JSON.stringify(file)}).sensors(${JSON.stringify(sys)})`, { eval: true }),
        'exit',
      );
    await using silent = await silentFile();
    // Threads that the first worker starts are running from here on.
    await ask();
    const before = threads();
    symlinkSync(silent.file, join(zone, 'temp'));
    await ask();
    assert.is(threads(), before + 1, 'it hangs');
    await silent.free();
    while (threads() > before) await new Promise((resolve) => setImmediate(resolve));
  },
);

test.run();
