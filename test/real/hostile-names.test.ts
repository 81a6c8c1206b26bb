/** A process whose name has bidi, zero-width, C1 and invalid bytes, seen over real HTTP and in the output of commands. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calm, makeHome, runDesk, startService, until } from './running.ts';

const test = suite('hostile names');

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

test('no answer or output contains hostile characters unescaped', async () => {
  using home = await makeHome(calm, { used: true });
  const folder = join(home.folder, '.\u202eexe\u200b');
  mkdirSync(folder);
  // The kernel keeps 15 bytes of a name: U+202E, U+009B, U+200B, and one byte that is not UTF-8.
  const path = Buffer.concat([Buffer.from(`${folder}/\u202ea\u009b1m\u200b`), Buffer.of(0xff)]);
  copyFileSync('/bin/sleep', path);
  // spawn cannot pass a name of raw bytes; the shell finds it by a pattern.
  const sleeper = spawn('/bin/sh', ['-c', 'exec "$0"/*m* 60', folder], { stdio: 'ignore' });
  const desk = await startService(home);
  const table = async () => (await desk.get('/h7/processes')).json as { pid: number[]; comm: string[] };
  try {
    await until(async () => {
      const { pid, comm } = await table();
      return comm[pid.indexOf(sleeper.pid ?? -1)]?.startsWith('\u202e');
    }, 'the process in the table');
    for (const path of ['/h7/processes', '/detection', '/h7/page', '/status']) {
      const { text } = await desk.get(path);
      assert.not.match(text, HIDDEN, path);
    }
    const processes = await table();
    const comm = processes.comm[processes.pid.indexOf(sleeper.pid ?? -1)] ?? '';
    assert.match(comm, /\u202ea\u009b1m\u200b/);
    for (const command of [['findings', '--json'], ['findings'], ['status', '--json']]) {
      const { stdout: out } = await runDesk(home, command);
      assert.ok(out.length > 0);
      assert.not.match(out, HIDDEN, command.join(' '));
    }
  } finally {
    sleeper.kill('SIGKILL');
    await desk.stop();
  }
});

test.run();
