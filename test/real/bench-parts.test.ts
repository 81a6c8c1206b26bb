/** The small programs that the case `busy` measures with: what they count is compared with the kernel's own figures. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startChurn, startRenamer } from '../../bench/churn.ts';
import { compiled } from '../../bench/compiled.ts';
import { startFarm } from '../../bench/farm/farm.ts';
import { startGroups } from '../../bench/group.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('bench parts');
const it = testsNeeding(test, 'compiler');

/** utime, stime, cutime, cstime (proc_pid_stat(5)) in µs; ticks of 10 ms. */
function ticksUs(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map((ticks) => Number(ticks) * 10_000);
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

it('the CPU of a group has that of its ended children and of those that live', async () => {
  const loop = 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done';
  // One child works and ends, another works and stays.
  const script = `(${loop}); sh -c '${loop}; echo $$; read x' ; :`;
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = child.pid as number;
  try {
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    await using groups = startGroups();
    const { us } = await groups.cpu(pid);
    const [own, living] = [ticksUs(pid), ticksUs(Number(line))];
    const [, , ended = 0, endedSystem = 0] = own;
    assert.ok(ended + endedSystem > 0, 'the ended child has used less than a tick');
    assert.ok(sum(living) > 0, 'the living child has used less than a tick');
    // Each of eight figures is cut off to a tick.
    const all = sum(own) + sum(living);
    assert.ok(Math.abs(us - all) <= 8 * 10_000, `${us} µs, the kernel has ${all}`);
    assert.ok((await groups.pssMb(pid)) > 0);
  } finally {
    child.stdin.end();
    await once(child, 'close');
  }
});

it('a group that has ended is an error', async () => {
  const child = spawn('true');
  await once(child, 'close');
  await using groups = startGroups();
  const error = await groups.cpu(child.pid as number).then(
    () => null,
    (reason: Error) => reason,
  );
  assert.match(error?.message ?? '', 'the process has ended');
});

it('loads make what they are asked for, and report it', async () => {
  const churn = await startChurn({ listeners: 200, forks: 50 });
  const renamer = await startRenamer(5, 3);
  await delay(300);
  const [made, renamed] = [await churn.end(), await renamer.end()];
  assert.ok((made.listeners ?? 0) > 0 && (made.forks ?? 0) > 0, JSON.stringify(made));
  assert.equal([made.starts, made.connections], [0, 0]);
  assert.ok((renamed.changes ?? 0) > 0);
});

it('a mark says how long it lived, at least what it was asked', async () => {
  const child = spawn(compiled('native/mark.cc'), ['20'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await Promise.all([readText(child.stdout), once(child, 'close')]);
  assert.ok(Number(said) >= 20, said);
});

it('the processes of a farm have the threads that were asked for', async () => {
  await using farm = await startFarm({ processes: 2, listeners: 0, established: 0 }, { threads: 7 });
  assert.is(farm.point.processes, 2);
  const children = readFileSync(`/proc/${farm.pid}/task/${farm.pid}/children`, 'latin1');
  const threads = children
    .trim()
    .split(' ')
    .map((pid) => Number(/^Threads:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]));
  assert.equal(threads, [7, 7]);
});

test.run();
