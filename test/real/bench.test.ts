/** The benchmarks run: farm, fresh processes, results on disk. No times are checked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isMeasured } from '../../bench/print.ts';
import { readResults } from '../../bench/results.ts';
import { needs, projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';
import { together } from '../support/together.ts';
import { until } from './running.ts';

const test = suite('bench');
const folder = tempFolder('desk-bench-run-');
const connected = join(folder, 'connected');

async function bench(...words: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...words], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patientMs(120_000),
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  return { status: (await closed)[0], stdout, stderr };
}

/** No times are checked. */
const beside = together<object>(2);

needs('compiler')(
  test,
  'a case measures both sides at the requested load',
  beside(async () => {
    const words = 'sweep-procfs listeners --smoke --user both --rounds 2 --processes 40 --out'.split(' ');
    const { status, stdout, stderr } = await bench(...words, folder);
    assert.is(status, 0, stdout + stderr);
    const rows = readResults(folder);
    const users = (id: string) => rows.filter((row) => row.case === id).map(({ machine }) => machine.user);
    const root = process.geteuid?.() === 0;
    // Root's sweep has a second pass as an ordinary user.
    assert.equal(users('sweep-procfs'), root ? ['root', 'ordinary'] : ['ordinary']);
    assert.equal(users('listeners'), [root ? 'root' : 'ordinary']);
    for (const { point } of rows) assert.equal(point, { processes: 40, listeners: 20, established: 0 });
    const sweep = rows.find(({ case: id }) => id === 'sweep-procfs');
    const [first] = sweep?.comparisons ?? [];
    assert.ok(first !== undefined && isMeasured(first));
    assert.equal([first.rawA.length, first.rawB?.length], [2, 2]);
    assert.ok([...first.rawA, ...(first.rawB ?? [])].flat().every((us) => us > 0));
    assert.ok(Number(sweep?.facts.rows) >= 40);
    assert.match((await bench('compare', folder, folder)).stdout, '0 changed');
  }),
);

needs('compiler', 'root')(
  test,
  'connections are made in a separate namespace',
  beside(async () => {
    const words = 'listeners --smoke --processes 30 --established 50 --out'.split(' ');
    const { status, stdout, stderr } = await bench(...words, connected);
    assert.is(status, 0, stdout + stderr);
    const [row] = readResults(connected);
    assert.is(row?.point.established, 50);
    // Exactly those of the farm: the host's own listeners are in another namespace.
    assert.is(row?.facts.listeners, 20);
  }),
);

needs('compiler')(
  test,
  'wrong words are refused',
  beside(async () => {
    for (const words of [['nothing'], ['--rounds', 'x'], ['compare', folder], ['--arch', 'riscv64']])
      assert.is((await bench(...words)).status, 2, words.join(' '));
  }),
);

/** Pids of a process's children (proc_pid_task_children, needs CONFIG_PROC_CHILDREN); none when it has ended. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'latin1').trim().split(' ').filter(Boolean).map(Number) : [];
}

needs('dist')(test, 'a case that is killed leaves no service running', async () => {
  const options = {
    processes: 1,
    listeners: 1,
    established: 0,
    rounds: 1,
    passes: 1,
    full: false,
    peers: false,
  };
  const words = ['--import', 'tsx', 'bench/drive.ts', 'service', JSON.stringify(options)];
  const drive = spawn(process.execPath, words, { cwd: projectRoot, stdio: 'ignore' });
  const boots = () =>
    childrenOf(drive.pid as number).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'latin1').endsWith('\0boot\0'),
    );
  const [service] = await until(async () => boots().length > 0 && boots(), 'the service of the case');
  drive.kill('SIGKILL');
  await once(drive, 'exit');
  await until(async () => !existsSync(`/proc/${service}`), 'the end of the service');
});

test.run();
