/** Programs that come and go are counted; what stays is reported; what is grave never waits. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fail, failOf } from '../../src/checks/check.ts';
import { oddExecutablePath } from '../../src/checks/odd-executable-path.ts';
import { processSubject } from '../../src/checks/subjects.ts';
import { unlearnedProcess } from '../../src/checks/unlearned-process.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { Settling } from '../../src/gate/short-lived.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const UPTIME = 1000;
const HZ = 100;
const EPOCH_MS = 1_000_000;

/** Programs that were started so many seconds before the machine had been up for 1000 s, looked at so many seconds later. */
function look(ages: Readonly<Record<number, number>>, laterSec = 0): Snapshot {
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

test('an unlearned program that ends young is counted, with its name', () => {
  const settling = new Settling();
  const first = look({ 7: 1, 8: 60 });
  assert.is(settling.among(failsIn(first), new Map(), first).size, 1, 'the old one does not wait');
  assert.is(settling.dueMs, 4000);
  const second = look({}, 2);
  settling.among([], new Map(), second);
  assert.is(settling.dueMs, null);
  const counted = settling.counted(second.at.monotonicMs);
  assert.equal(counted, { total: 1, lastHour: 1, programs: [{ program: '/usr/bin/head', count: 1 }] });
  assert.equal(settling.counted(second.at.monotonicMs + 3_700_000), { total: 1, lastHour: 0, programs: [] });
});

test('what is old enough is reported, what is learned meanwhile is not counted', () => {
  const settling = new Settling();
  const first = look({ 7: 1 });
  settling.among(failsIn(first), new Map(), first);
  const later = look({ 7: 1 }, 4);
  assert.is(settling.among(failsIn(later), new Map(), later).size, 0);
  const again = new Settling();
  again.among(failsIn(first), new Map(), first);
  again.among([], new Map(), first);
  assert.is(again.counted(first.at.monotonicMs).total, 0);
});

test('medium and above never wait', () => {
  const young = look({ 7: 1 });
  for (const severity of ['medium', 'high', 'critical'] as const)
    assert.is(new Settling().among(failsIn(young, oddExecutablePath, severity), new Map(), young).size, 0);
  assert.is(new Settling().among(failsIn(young, oddExecutablePath, 'low'), new Map(), young).size, 1);
});

test.run();
