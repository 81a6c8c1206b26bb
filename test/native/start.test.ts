/** The service's side of desk-start: which errors end the channel, and which do not. Compiled with ASan and UBSan. */
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitized } from '../support/compile.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('start');
let program = '';

test.before(() => {
  program = sanitized('start_cases.cc', ['act/own_child', 'start/client', 'start/protocol'], {
    // It opens a file, and one case leaves no descriptor for it.
    flags: ['-fno-sanitize=vptr'],
  });
});

const cases = {
  refused: 'a refused request is an error of that request alone',
  late: 'no answer in time is an error of that question; the late answer is not taken for the next one',
  descriptors: 'an answer whose descriptors found no place is an error of that question alone',
  ended: 'a channel that ended is closed, whenever that is noticed',
};

for (const [word, name] of Object.entries(cases))
  test(name, () => {
    const { status, stdout, stderr } = spawnSync(program, [word], {
      encoding: 'utf8',
      timeout: patientMs(30_000),
    });
    assert.equal([status, stdout, stderr], [0, '', '']);
  });

test.run();
