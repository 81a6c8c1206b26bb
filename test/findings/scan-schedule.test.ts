/** The schedule of scans: one at a time, on demand, repeated while something is found, and stopped on request. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedVerdicts } from '../../src/checks/cached-verdicts.ts';
import type { CheckContext, ScanCheck, ScanContext } from '../../src/checks/check.ts';
import { CheckRuns } from '../../src/checks/check-runs.ts';
import type { Subject } from '../../src/checks/subjects.ts';
import { configSchema } from '../../src/config/schema.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { ScanSchedule } from '../../src/findings/scan-schedule.ts';
import { looksThat } from '../support/looks.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const context: CheckContext = { snapshot: snapshotFrom(), law: lawOf(configSchema.parse({})), known: null };

const HOUR = 3_600_000;

interface Parts {
  readonly isOpen?: (check: ScanCheck) => boolean;
  readonly everyMs?: number;
  readonly firstAfterMs?: number;
  readonly foundAgainMs?: number;
  readonly context?: () => CheckContext | null;
}

/** Checks by id with their scans, and cached verdicts; `changed` counts the passes that changed a verdict. */
function scheduleOf(
  scans: Readonly<Record<string, ScanCheck['scan']>>,
  parts: Parts = {},
  demand: readonly string[] = [],
  quick: readonly string[] = [],
) {
  const cached = new CachedVerdicts();
  const order: string[] = [];
  const errors: string[] = [];
  const news = { passes: 0 };
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const runs = new CheckRuns(() => performance.now(), log);
  const checks = Object.entries(scans).map(
    ([id, scan]): ScanCheck => ({
      id,
      avenue: 'scar',
      severity: 'medium',
      tier: 3,
      techniques: [],
      text: { about: 'x', benign: 'x', remedy: 'x' },
      ...(demand.includes(id) ? ({ onDemand: true } as const) : {}),
      ...(quick.includes(id) ? { judge: () => undefined } : {}),
      scan: (...args) => {
        order.push(id);
        return scan(...args);
      },
    }),
  );
  const schedule = new ScanSchedule({
    checks,
    scans: looksThat({}),
    context: () => context,
    cached,
    runs,
    isOpen: () => true,
    changed: () => {
      news.passes += 1;
    },
    everyMs: HOUR,
    firstAfterMs: 0,
    ...parts,
  });
  /** Resolves when this many scans have started. The timer of the schedule does not keep the process alive. */
  const scansStarted = async (count: number) => {
    while (order.length < count) await delay(1);
  };
  return { schedule, cached, order, errors, news, scansStarted };
}

const passes: ScanCheck['scan'] = async (_, report) => report.pass();
const fails: ScanCheck['scan'] = async (_, report) =>
  report.fail({ subject: { kind: 'host', name: 'x' }, summary: 'x', evidence: {} });

test('the first pass completes the verdicts; on-demand scans run only on request', async () => {
  const { schedule, cached, order, news } = scheduleOf({ a: passes, b: passes, c: fails }, {}, ['c']);
  assert.is(schedule.completeMs, Number.POSITIVE_INFINITY);
  schedule.start();
  while (schedule.completeMs > performance.now()) await delay(1);
  assert.equal(order, ['a', 'b']);
  assert.equal([cached.verdicts().pass, cached.verdicts().fail], [2, 0]);
  await schedule.runAll();
  assert.equal([order, news.passes], [['a', 'b', 'a', 'b', 'c'], 2]);
  await schedule.runAll();
  assert.is(news.passes, 2, 'the same again is no news');
  const { fails: found } = cached.verdicts();
  assert.equal([found.length, found[0]?.confirmed], [1, true]);
  await schedule.stop();
});

test('what was found before the start stays open until its own check has scanned', async () => {
  const { schedule, cached } = scheduleOf({ one: async () => undefined, two: async () => undefined }, {}, [
    'two',
  ]);
  const host = { kind: 'host', name: 'here' } as const;
  const hidden = () => ['one', 'two', 'three'].filter((id) => cached.verdicts().hidden(id, host));
  assert.equal(hidden(), ['one', 'two']);
  await schedule.runSome(['one']);
  assert.equal(hidden(), ['two']);
  await schedule.runAll();
  assert.equal(hidden(), []);
  await schedule.stop();
});

test('of a check that is quick too, only listeners of this network namespace may close before its scan', async () => {
  const { schedule, cached } = scheduleOf({ one: async () => undefined }, {}, [], ['one']);
  const here = { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 80 } as const;
  const elsewhere = { ...here, namespace: '4026532000' };
  const unlisted = { kind: 'process', pid: 7, comm: 'x', executable: '/x', start: '9' } as const;
  const hidden = () =>
    [here, elsewhere, unlisted].map((one) => cached.verdicts().hidden('one', one as Subject));
  assert.equal(hidden(), [false, true, true]);
  await schedule.runAll();
  assert.equal(hidden(), [false, false, false]);
  await schedule.stop();
});

test('scans never overlap, and waiting callers share a pass', async () => {
  let [running, most] = [0, 0];
  const slow: ScanCheck['scan'] = async (_, report) => {
    running += 1;
    most = Math.max(most, running);
    await delay(5);
    running -= 1;
    report.pass();
  };
  const { schedule, order } = scheduleOf({ a: slow, b: slow });
  schedule.start();
  await delay(2);
  await Promise.all([schedule.runAll(), schedule.runAll(), schedule.runAll()]);
  // The pass of the start, unless its timer fired too late, and one for all callers.
  assert.ok(order.length === 4 || order.length === 2, order.join(' '));
  await schedule.runAll();
  assert.equal([order.slice(-2), most], [['a', 'b'], 1]);
  await schedule.stop();
});

test('a check that found something scans again soon, by itself, until it finds nothing', async () => {
  let left = 2;
  const heals: ScanCheck['scan'] = async (...args) => {
    left -= 1;
    return left >= 0 ? fails(...args) : passes(...args);
  };
  const { schedule, cached, order, news, scansStarted } = scheduleOf(
    { a: passes, heals },
    { foundAgainMs: 1 },
  );
  schedule.start();
  await scansStarted(4);
  await delay(20);
  assert.equal(order, ['a', 'heals', 'heals', 'heals']);
  assert.equal([cached.verdicts().fails.length, news.passes], [0, 2]);
  await schedule.stop();
});

test('scans that are asked for all the time do not put that off', async () => {
  const { schedule, order } = scheduleOf({ asked: passes, found: fails }, { foundAgainMs: 100 });
  await schedule.runAll();
  const again = () => order.filter((id) => id === 'found').length > 1;
  for (let turns = 0; turns < 500 && !again(); turns += 1) {
    await schedule.runSome(['asked']);
    await delay(10);
  }
  assert.ok(again(), order.join(' '));
  await schedule.stop();
});

test('a check whose findings are all suppressed waits for its period', async () => {
  const { schedule, order, scansStarted } = scheduleOf(
    { suppressed: fails, open: fails },
    { foundAgainMs: 1, isOpen: ({ id }) => id === 'open' },
  );
  schedule.start();
  await scansStarted(5);
  assert.equal(order.slice(0, 5), ['suppressed', 'open', 'open', 'open', 'open']);
  await schedule.stop();
});

test('a scan that throws is logged and blind, and the others continue', async () => {
  const broken: ScanCheck['scan'] = async () => {
    throw new TypeError('a mistake');
  };
  const { schedule, cached, errors } = scheduleOf({ broken, b: passes });
  await schedule.runAll();
  const { pass, blind, notes, hidden } = cached.verdicts();
  assert.equal([pass, blind, notes[0]?.check], [1, 1, 'broken']);
  assert.ok(hidden('broken', { kind: 'host', name: 'x' }));
  assert.match(errors.join(''), /a mistake/);
  await schedule.stop();
});

test('each request for all checks has a pass of its own, also after one for some', async () => {
  const { schedule, order } = scheduleOf({ a: passes, b: passes });
  await schedule.runAll();
  await schedule.runAll();
  assert.equal(order, ['a', 'b', 'a', 'b']);
  await Promise.all([schedule.runSome(['a']), schedule.runAll()]);
  assert.equal(order.slice(4).sort(), ['a', 'a', 'b']);
  await schedule.stop();
});

test('before the first snapshot nothing is scanned and the verdicts are incomplete', async () => {
  const { schedule, order } = scheduleOf({ a: passes }, { context: () => null });
  await schedule.runAll();
  assert.equal([order, schedule.completeMs], [[], Number.POSITIVE_INFINITY]);
  await schedule.stop();
});

test('stop aborts the running scan, drops its verdicts, and starts nothing more', async () => {
  let seen: AbortSignal | undefined;
  const waits = async (_: ScanContext, __: unknown, signal: AbortSignal) => {
    seen = signal;
    if (!signal.aborted) await once(signal, 'abort');
    signal.throwIfAborted();
  };
  const { schedule, cached, order, errors } = scheduleOf({ waits, b: passes });
  const asked = schedule.runAll();
  while (seen === undefined) await delay(1);
  await schedule.stop();
  await asked;
  assert.equal([order, errors, cached.verdicts().blind], [['waits'], [], 0]);
  await schedule.runAll();
  assert.equal(order, ['waits']);
});

test('checks that are asked for run alone, once for those who ask at the same time, and after a running pass', async () => {
  const { schedule, order } = scheduleOf({ a: passes, b: passes, c: passes });
  await schedule.runSome(['b']);
  assert.equal(order, ['b']);
  await Promise.all([schedule.runSome(['a']), schedule.runSome(['a', 'c'])]);
  assert.equal(order.toSorted(), ['a', 'a', 'b', 'c'].slice(order.length === 3 ? 1 : 0));
  await schedule.runSome(['none']);
  await schedule.stop();
  const { length } = order;
  await schedule.runSome(['a']);
  assert.is(order.length, length);
});

test.run();
