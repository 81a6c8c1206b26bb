/** Short-lived programs are counted, long-lived ones are reported, and severe findings never wait. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fail, failOf } from '../../src/checks/check.ts';
import { oddExecutablePath } from '../../src/checks/odd-executable-path.ts';
import { processSubject } from '../../src/checks/subjects.ts';
import { unlearnedProcess } from '../../src/checks/unlearned-process.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { keysOf } from '../../src/findings/finding-id.ts';
import { RunningTime, Settling } from '../../src/findings/short-lived.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const UPTIME = 1000;
const HZ = 100;
const EPOCH_MS = 1_000_000;

/** Programs started this many seconds before 1000 s of uptime, read this many seconds later. */
function snapshotWith(ages: Readonly<Record<number, number>>, laterSec = 0): Snapshot {
  const snapshot = snapshotFrom({
    processes: Object.entries(ages).map(([pid, age]) => ({
      pid: Number(pid),
      start: BigInt((UPTIME - age) * HZ),
      comm: 'head',
      exe: '/usr/bin/head',
      uid: 0,
    })),
    at: { epochMs: EPOCH_MS + laterSec * 1000, offsetMin: 0 },
  });
  const machine = { ...snapshot.machine, uptimeSec: UPTIME + laterSec, clockTicksPerSecond: HZ };
  return { ...snapshot, machine };
}

const failsIn = ({ processes }: Snapshot, check = unlearnedProcess, severity = check.severity): Fail[] =>
  Array.from({ length: processes.count }, (_, row) =>
    failOf(
      check,
      { subject: processSubject(processes, row), summary: 's', evidence: {}, severity },
      { confirmed: false },
    ),
  );

test('an unlearned program that ends early is counted by name', () => {
  const settling = new Settling();
  const first = snapshotWith({ 7: 1, 8: 60 });
  assert.is(settling.among(failsIn(first), new Map(), first).size, 1, 'the old one does not wait');
  assert.is(settling.dueMs, 4000);
  const second = snapshotWith({}, 2);
  settling.among([], new Map(), second);
  assert.is(settling.dueMs, null);
  const counted = settling.counted(second.at.monotonicMs);
  assert.equal(counted, { total: 1, lastHour: 1, programs: [{ program: '/usr/bin/head', count: 1 }] });
  assert.equal(settling.counted(second.at.monotonicMs + 3_700_000), { total: 1, lastHour: 0, programs: [] });
});

test('a program that is old enough is reported, one learned meanwhile is not counted', () => {
  const settling = new Settling();
  const first = snapshotWith({ 7: 1 });
  settling.among(failsIn(first), new Map(), first);
  const later = snapshotWith({ 7: 1 }, 4);
  assert.is(settling.among(failsIn(later), new Map(), later).size, 0);
  const again = new Settling();
  again.among(failsIn(first), new Map(), first);
  again.among([], new Map(), first);
  assert.is(again.counted(first.at.monotonicMs).total, 0);
});

test('a fail of medium severity or above is reported at once', () => {
  const young = snapshotWith({ 7: 1 });
  for (const severity of ['medium', 'high', 'critical'] as const)
    assert.is(new Settling().among(failsIn(young, oddExecutablePath, severity), new Map(), young).size, 0);
  assert.is(new Settling().among(failsIn(young, oddExecutablePath, 'low'), new Map(), young).size, 1);
});

/** A sample of processes of one program, with these ages, this many seconds after the first one. */
const judged = (settling: Settling, ages: Readonly<Record<number, number>>, laterSec: number) => {
  const snapshot = snapshotWith(
    Object.fromEntries(Object.entries(ages).map(([pid, age]) => [pid, age - laterSec])),
    laterSec,
  );
  return settling.among(failsIn(snapshot), new Map(), snapshot).size;
};

test('a program that is restarted before it is old enough is reported after a minute', () => {
  const settling = new Settling();
  let reportedSec = 0;
  // A scan at each start, and one a second; each process runs for four seconds.
  for (let sec = 0; reportedSec === 0 && sec < 600; sec++)
    if (judged(settling, { [10 + Math.floor(sec / 4)]: sec % 4 }, sec) === 0) reportedSec = sec;
  assert.ok(reportedSec >= 60 && reportedSec < 70, `${reportedSec} s`);
  const [fail] = failsIn(snapshotWith({ 7: 1 }));
  const key = keysOf(fail as Fail).finding;
  const { monotonicMs } = snapshotWith({}, reportedSec).at;
  assert.ok(settling.ran.isLong(key, monotonicMs + 240_000), 'between two of its processes too');
  assert.not.ok(settling.ran.isLong(key, monotonicMs + 360_000));
});

test('a program that runs briefly now and then is only counted, however long this continues', () => {
  const settling = new Settling();
  for (let sec = 0; sec < 7200; sec += 2) {
    // Seen at its start, and gone at the next scan.
    assert.is(judged(settling, { [10 + sec]: 0 }, sec), 1);
    judged(settling, {}, sec + 0.03);
  }
  assert.is(settling.counted(snapshotWith({}, 7200).at.monotonicMs).total, 3600);
});

test('many programs do not evict one that keeps coming back', () => {
  const ran = new RunningTime();
  for (let sec = 0; sec < 100; sec++) {
    const others = Array.from({ length: 100 }, (_, at) => `other ${sec} ${at}`);
    ran.take(['one', ...others], sec * 1000);
  }
  assert.ok(ran.isLong('one', 100_000));
  ran.forget();
  assert.not.ok(ran.isLong('one', 100_000));
});

test.run();
