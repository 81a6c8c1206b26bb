/** The walk that reads open files from a backend (the task_file iterator), compiled with ASan and UBSan. */
import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitized } from '../support/compile.ts';
import { ProcMachine, socket } from '../support/proc-machine.ts';
import { needs } from '../support/require.ts';

const EPERM = 1;
const test = suite('owners-files');
let program = '';

const SOURCES = [
  ...['core/read', 'core/wrap', 'probe/held_sockets', 'probe/owners', 'probe/owners_walk'],
  ...['probe/proc_attr', 'probe/proc_fd', 'probe/proc_ns', 'probe/proc_pids', 'probe/proc_stat'],
  ...['probe/proc_status', 'probe/proc_threads'],
];

test.before(() => {
  program = sanitized('owner_files_cases.cc', SOURCES);
});

interface Outcome {
  readonly error: number;
  readonly walked: number;
  readonly wanted: number;
  readonly covered: boolean;
  readonly holders: readonly string[];
  readonly seen: readonly number[];
}

const walk = (machine: ProcMachine, inodes: string, line: string): Outcome =>
  JSON.parse(
    execFileSync(program, [machine.path, inodes], { input: `${line}\n`, encoding: 'utf8' }),
  ) as Outcome;

needs('compiler')(test, 'every process counts as seen, and only the requested sockets are kept', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900), '4': socket(77) } });
  machine.set({ pid: 11, comm: 'b', fd: { '5': socket(901) } });
  const found = walk(machine, '900 901 902', '10:1 11:1 12:1|10:3:900 10:4:77 11:5:901 99:3:900');
  assert.equal(found.holders, ['900 10 3', '901 11 5']);
  assert.equal(found.seen, [1, 1, 1]);
  assert.equal([found.walked, found.wanted, found.covered], [3, 0, true], 'no process holds 902');
});

needs('compiler')(test, 'a holder that the source reports but /proc does not confirm is left out', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
  const found = walk(machine, '900 901', '10:1|10:3:901 10:3:900 10:3:900');
  assert.equal(found.holders, ['900 10 3']);
});

needs('compiler')(test, 'a descriptor table of a thread is found through that thread', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 10, comm: 'a', threads: 2, tasks: { '11': {} } });
  machine.open(10, 3, 900);
  machine.open(10, 6, 901, 11);
  const found = walk(machine, '900 901', '10:2|10:3:900 10:6:901 10:7:901');
  assert.equal(found.holders, ['900 10 3', '901 10 6']);
  assert.equal([found.wanted, found.covered], [0, true]);
});

needs('compiler')(test, 'a source that refuses changes nothing', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
  const found = walk(machine, '900', '10:1|10:3:900 refuse');
  assert.equal([found.error, found.covered, found.wanted], [EPERM, false, 1]);
  assert.equal([found.holders, found.seen], [[], [0]]);
});

test.run();
