/** The service's side of desk-start: which errors end the channel, and which do not. Compiled with ASan and UBSan. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectRoot } from '../support/require.ts';

const test = suite('start');
let folder = '';
let program = '';

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-start-'));
  program = join(folder, 'cases');
  const native = join(projectRoot, 'native');
  execFileSync('g++', [
    ...['-std=c++20', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', `-I${native}`],
    // It opens a file, and one case leaves no descriptor for it.
    '-fno-sanitize=vptr',
    ...[join(projectRoot, 'test/native/start_cases.cc'), '-o', program],
    ...['act/own_child', 'start/client', 'start/protocol'].map((source) => join(native, `${source}.cc`)),
  ]);
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

const cases = {
  refused: 'a refused request is an error of that request alone',
  late: 'no answer in time is an error of that question; the late answer is not taken for the next one',
  descriptors: 'an answer whose descriptors found no place is an error of that question alone',
  ended: 'a channel that ended is closed, whenever that is noticed',
};

for (const [word, name] of Object.entries(cases))
  test(name, () => {
    const { status, stdout, stderr } = spawnSync(program, [word], { encoding: 'utf8', timeout: 30_000 });
    assert.equal([status, stdout, stderr], [0, '', '']);
  });

test.run();
