/** Automatic learning, learning on demand, learning windows and restoring, over a real store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { spoiltBy } from '../../../src/features/baseline/residue.ts';
import { SHARE } from '../../../src/features/history/finding-shares.ts';
import { MOST_LINES, MOST_WAITING } from '../../../src/features/history/waiting-changes.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { READ_ONLY } from '../../../src/store/database.ts';
import { inDatabase, openTables } from '../../support/baseline.ts';
import { expect } from '../../support/expect.ts';
import { fullWhile, Learner, MINUTE_MS, refusalOf } from '../../support/learner.ts';
import { snapshotFrom } from '../../support/snapshot.ts';
import { findingFrom } from '../../support/state.ts';
import { memoryFolder } from '../../support/temp-folder.ts';
import { listenerKeyOf, plantedCheck, portOf, programOf } from '../../support/world.ts';

interface Context {
  root: string;
  learner: Learner;
}

const test = suite<Context>('learning', { root: '', learner: undefined as never });
test.before.each((context) => {
  context.root = memoryFolder('desk-learn-');
  context.learner = new Learner(context.root);
});
test.after.each(({ learner }) => {
  learner.close();
});

const identity = (index: number): string => `identity ${programOf(index)}`;
const listener = (index: number): string => `listener ${listenerKeyOf(index)}`;

test('the first use waits for a complete pass, then learns everything up to medium once', async ({
  learner,
}) => {
  learner.world = {
    programs: [0, 1, 2],
    listeners: [0, 1],
    planted: [
      { program: 0, severity: 'medium' },
      { program: 2, severity: 'high' },
    ],
  };
  learner.complete = false;
  await learner.turn();
  assert.is(learner.store.baseline.state().baseline.generation, 0);
  learner.complete = true;
  await learner.turn();
  assert.equal(learner.held(), [
    `class ${plantedCheck}, medium: ${programOf(0)} of uid 0`,
    identity(0),
    identity(1),
    listener(0),
    listener(1),
  ]);
  const [, first] = learner.store.baseline.generations();
  assert.equal([first?.how, first?.parent, first?.authoritative], ['first use', 0, true]);
  // A public listener and a class of medium severity.
  assert.is(learner.store.baseline.state().baseline.toReview, 2);
  expect(learner.latest?.judgement.findings.map(({ check, severity }) => [check, severity])).equals([
    ['unlearned-process', 'low'],
    [plantedCheck, 'high'],
  ]);
  learner.world = { ...learner.world, programs: [0, 1, 2, 3] };
  await learner.turn();
  assert.is(learner.store.baseline.state().baseline.generation, 1);
});

test('a critical finding and its program are never learned', async ({ learner }) => {
  learner.world = { programs: [0, 1], listeners: [], planted: [{ program: 1, severity: 'critical' }] };
  await learner.turn();
  assert.equal(learner.held(), [identity(0)]);
  const refusal = await refusalOf(() => learner.learning.learnOnce());
  assert.is(refusal.code, 'refused');
  assert.match(refusal.message, plantedCheck);
  assert.equal(learner.held(), [identity(0)]);
});

test('a command learns nothing unless asked to', async ({ root, learner }) => {
  learner.close();
  using command = new Learner(root, { command: true });
  await command.turn();
  assert.is(command.store.baseline.state().baseline.generation, 0);
  const { generation, added } = await command.learning.learnOnce();
  assert.equal([generation, added], [1, 3]);
});

test('learning on demand is refused while there is a scar, naming it and the remedy, and works afterwards', async ({
  learner,
}) => {
  await learner.turn();
  learner.world = { programs: [0, 2], listeners: [0, 2], planted: [] };
  const refusal = await refusalOf(() => learner.learning.learnOnce());
  assert.is(refusal.code, 'refused');
  assert.match(refusal.message, 'unknown-local-listener');
  assert.match(refusal.remedy, 'desk accept');
  assert.is(learner.store.gate.list(1)[0]?.state, 'fail');
  assert.is(learner.store.baseline.state().baseline.generation, 1);

  learner.world = { programs: [0, 2], listeners: [0], planted: [] };
  const { generation, added } = await learner.learning.learnOnce();
  assert.equal([generation, added], [2, 1]);
  // Learned programs that do not run now are kept.
  assert.equal(learner.held(), [identity(0), identity(1), identity(2), listener(0)]);
  assert.equal(learner.latest?.judgement.findings, []);
  assert.is(learner.store.baseline.generations()[2]?.parent, 1);
});

test('the first use learns what the first minute of its pass showed, except programs with a severe scar', async ({
  learner,
}) => {
  learner.complete = false;
  learner.world = { programs: [0, 1, 2], listeners: [0], planted: [] };
  await learner.turn();
  learner.world = { programs: [0, 2], listeners: [], planted: [{ program: 2, severity: 'critical' }] };
  await learner.turn();
  learner.world = { programs: [0], listeners: [], planted: [] };
  learner.nowMs += MINUTE_MS;
  await learner.turn();
  learner.world = { programs: [0, 3], listeners: [1], planted: [] };
  await learner.turn();
  learner.world = { programs: [0], listeners: [], planted: [] };
  learner.complete = true;
  learner.nowMs += MINUTE_MS;
  await learner.turn();
  assert.equal(learner.held(), [identity(0), identity(1), listener(0)]);
});

test('the difference shows in advance what learning then does', async ({ learner }) => {
  learner.complete = false;
  await learner.turn();
  assert.match((await learner.learning.difference()).refusal, 'first use');
  learner.complete = true;
  await learner.turn();
  learner.world = { programs: [0, 2, 3], listeners: [0, 2], planted: [] };
  const scarred = await learner.learning.difference();
  assert.match(scarred.refusal, 'unknown-local-listener');
  assert.equal(scarred.learns, []);

  learner.world = { programs: [0, 2, 3], listeners: [0], planted: [] };
  const { learns, gone, refusal } = await learner.learning.difference();
  const before = learner.held();
  const { added } = await learner.learning.learnOnce();
  assert.is(refusal, '');
  assert.equal([learns.length, added], [2, 2]);
  expect(
    learner
      .held()
      .filter((row) => !before.includes(row))
      .sort(),
  ).equals([identity(2), identity(3)]);
  assert.ok(gone.length > 0 && before.every((row) => learner.held().includes(row)));
});

test('learning on demand is refused before the first use', async ({ learner }) => {
  learner.complete = false;
  await learner.turn();
  assert.match((await refusalOf(() => learner.learning.learnOnce())).message, 'first use');
});

test('listeners that the law explains are not learned', async ({ learner }) => {
  await learner.turn();
  learner.world = { programs: [0, 1, 3], listeners: [0, 3], planted: [] };
  learner.lawful = new Set(['public-listener high 2003']);
  await learner.learning.learnOnce();
  assert.ok(learner.held().includes(identity(3)));
  assert.not.ok(learner.held().includes(listener(3)));
});

test('a class learned at medium does not suppress higher severities', async ({ learner }) => {
  learner.world = { programs: [0], listeners: [], planted: [{ program: 0, severity: 'medium' }] };
  await learner.turn();
  for (const [severity, findings] of [
    ['low', 0],
    ['medium', 0],
    ['high', 1],
    ['critical', 1],
  ] as const) {
    learner.world = { ...learner.world, planted: [{ program: 0, severity }] };
    assert.is((await learner.look()).judgement.findings.length, findings, severity);
  }
});

test('a learning window learns at its end what clean observations showed, also across a restart', async ({
  learner,
}) => {
  await learner.turn();
  const { windowUntilMs } = await learner.learning.openWindow(30);
  assert.is(windowUntilMs, learner.nowMs + 30 * MINUTE_MS);
  learner.world = { programs: [0, 1, 2], listeners: [0], planted: [] };
  await learner.turn();
  // An observation with scars does not count.
  learner.world = { programs: [0, 1, 3, 4], listeners: [0], planted: [{ program: 4, severity: 'high' }] };
  await learner.turn();
  learner.restart();
  learner.world = { programs: [0, 1], listeners: [0], planted: [] };
  learner.nowMs += 29 * MINUTE_MS;
  await learner.turn();
  assert.is(learner.store.baseline.state().baseline.generation, 1);
  learner.nowMs += MINUTE_MS;
  await learner.turn();
  assert.equal(learner.held(), [identity(0), identity(1), identity(2), listener(0)]);
  assert.is(learner.store.baseline.state().window, null);
  await learner.turn();
  assert.is(learner.store.baseline.state().baseline.generation, 2);
});

test('setting the wall clock back does not keep a learning window open', async ({ root }) => {
  let monotonicMs = 0;
  using learner = new Learner(mkdtempSync(join(root, 'jump-')), { monotonicMs: () => monotonicMs });
  await learner.turn();
  assert.is(learner.store.baseline.state().baseline.generation, 1);
  await learner.learning.openWindow(30);
  await learner.turn();
  learner.nowMs -= 365 * 86_400_000;
  monotonicMs = 29 * MINUTE_MS;
  await learner.turn();
  assert.ok(learner.store.baseline.state().window !== null);
  monotonicMs = 30 * MINUTE_MS;
  await learner.turn();
  assert.is(learner.store.baseline.state().window, null);
});

test('a window that ends with scars learns nothing, and learning on demand ends a window early', async ({
  learner,
}) => {
  await learner.turn();
  await learner.learning.openWindow(5);
  learner.world = { programs: [0, 1, 2], listeners: [0], planted: [] };
  await learner.turn();
  learner.world = { ...learner.world, planted: [{ program: 0, severity: 'high' }] };
  learner.nowMs += 6 * MINUTE_MS;
  await learner.turn();
  assert.is(learner.store.baseline.state().baseline.generation, 1);
  assert.is(learner.store.baseline.state().window, null);
  assert.equal(learner.store.baseline.windowRows(), []);

  await learner.learning.openWindow(5);
  learner.world = { programs: [0, 1, 2], listeners: [0], planted: [] };
  await learner.look();
  learner.world = { programs: [0, 1], listeners: [0], planted: [] };
  await learner.learning.learnOnce();
  assert.is(learner.store.baseline.state().window, null);
  assert.ok(learner.held().includes(identity(2)));
});

test('a program that had a scar during a window is not learned by that window, also across a restart', async ({
  learner,
}) => {
  await learner.turn();
  await learner.learning.openWindow(30);
  const clean = { programs: [0, 1, 2, 3], listeners: [0], planted: [] };
  learner.world = clean;
  await learner.turn();
  learner.world = { ...clean, planted: [{ program: 2, severity: 'high' }] };
  await learner.turn();
  learner.restart();
  // It has no scar any more, and has ended before the window ends.
  learner.world = clean;
  await learner.turn();
  learner.world = { ...clean, programs: [0, 1] };
  learner.nowMs += 30 * MINUTE_MS;
  await learner.turn();
  assert.equal(learner.held(), [identity(0), identity(1), identity(3), listener(0)]);
  // The exclusion applied to that window only.
  await learner.learning.openWindow(30);
  learner.world = clean;
  await learner.turn();
  await learner.learning.learnOnce();
  assert.ok(learner.held().includes(identity(2)));
});

test('when a program is deleted during a window, the name before the deletion is excluded too', () => {
  const identityOf = (text: string) => ({ kind: 'process', pid: 5, start: '1', identity: text }) as const;
  const subject = { ...identityOf('/opt/x (deleted)@container'), comm: 'x', executable: '/opt/x', uid: 0 };
  const rows = spoiltBy([findingFrom({ severity: 'high', subject })], snapshotFrom());
  expect(rows.map(({ kind, key }) => `${kind} ${Buffer.from(key)}`)).equals([
    'identity /opt/x (deleted)@container',
    'identity /opt/x@container',
  ]);
});

for (const way of ['on demand', 'a window', 'the first use'] as const)
  test(`a listener too new to be confirmed is not learned: ${way}`, async ({ learner }) => {
    if (way !== 'the first use') await learner.turn();
    if (way === 'a window') await learner.learning.openWindow(30);
    learner.world = {
      programs: [0, 1, 3],
      listeners: [0, 3],
      planted: [{ program: 3, severity: 'critical' }],
      once: [`public-listener high ${portOf(3)}`, `${plantedCheck} critical 103`],
    };
    if (way === 'on demand') await learner.learning.learnOnce();
    else await learner.turn();
    learner.world = { programs: [0, 1], listeners: [0], planted: [] };
    learner.nowMs += 30 * MINUTE_MS;
    await learner.turn();
    // Before the first use nothing is unlearned: it learns public listeners, but not their programs.
    const listeners = way === 'the first use' ? [listener(0), listener(3)] : [listener(0)];
    assert.equal(learner.held(), [identity(0), identity(1), ...listeners]);
  });

test('no learning window can be opened before the first use', async ({ learner }) => {
  learner.complete = false;
  assert.is((await refusalOf(() => learner.learning.openWindow(5))).code, 'refused');
});

test('restoring creates a new generation with the rows of an old one', async ({ learner }) => {
  await learner.turn();
  learner.world = { programs: [0, 1, 2], listeners: [0], planted: [] };
  await learner.learning.learnOnce();
  const { generation } = await learner.learning.restore(1);
  assert.is(generation, 3);
  assert.equal(learner.held(), [identity(0), identity(1), listener(0)]);
  assert.equal(
    [learner.store.baseline.generations()[3]?.how, learner.store.baseline.generations()[3]?.parent],
    ['restored', 1],
  );
  expect(learner.latest?.judgement.findings.map(({ check }) => check)).equals(['unlearned-process']);
  assert.is((await refusalOf(() => learner.learning.restore(7))).code, 'not-found');
  assert.is((await refusalOf(() => learner.learning.restore(3))).code, 'refused');
});

test('a generation that was changed manually is neither used nor restored', async ({ root, learner }) => {
  await learner.turn();
  learner.world = { programs: [0, 1, 2], listeners: [0], planted: [] };
  await learner.learning.learnOnce();
  inDatabase(root, (database) =>
    database.script(
      `INSERT INTO generation_rows SELECT generation, 'identity', CAST('/tmp/evil' AS BLOB), '/tmp/evil', '', 0, 0, 0
     FROM generation_rows GROUP BY generation`,
    ),
  );
  const { snapshot } = await learner.look();
  const held = () => learner.learning.held(snapshot);
  assert.is(held().known, null);
  assert.equal([held().baseline.integrity, held().baseline.generation], ['tampered', 2]);
  assert.match((await refusalOf(() => learner.learning.restore(1))).message, 'does not verify');
  await learner.learning.restore(0);
  assert.is(held().baseline.integrity, 'sound');
  assert.is(held().known, null);
  // After the restart of the baseline, what runs is learned on demand after a clean gate.
  const { generation } = await learner.learning.learnOnce();
  assert.is(generation, 4);
  assert.equal(learner.held(), [identity(0), identity(1), identity(2), listener(0)]);
});

test('a lost key is reported, and restoring the empty baseline creates another one', async ({
  root,
  learner,
}) => {
  await learner.turn();
  rmSync(join(root, 'baseline.key'));
  learner.restart();
  const { snapshot } = await learner.look();
  const integrity = () => learner.learning.held(snapshot).baseline.integrity;
  assert.is(integrity(), 'key-lost');
  await learner.learning.restore(0);
  await learner.learning.learnOnce();
  assert.is(integrity(), 'sound');
});

test('clean gate runs mark rows as seen again, runs with scars do not', async ({ learner }) => {
  await learner.turn();
  assert.is(learner.store.baseline.state().baseline.seenAgain, 0);
  learner.world = { programs: [0, 1], listeners: [0], planted: [{ program: 0, severity: 'high' }] };
  await learner.learning.gate.run('scar');
  assert.is(learner.store.baseline.state().baseline.seenAgain, 0);
  learner.world = { programs: [0], listeners: [], planted: [] };
  await learner.learning.gate.run('scar');
  assert.is(learner.store.baseline.state().baseline.seenAgain, 1);
  learner.restart();
  learner.world = { programs: [1], listeners: [], planted: [] };
  await learner.learning.gate.run('scar');
  assert.is(learner.store.baseline.state().baseline.seenAgain, 2);
  assert.is(learner.store.baseline.verifyHeld()?.state, 'sound');
});

test('reviewed rows are not listed again', async ({ learner }) => {
  learner.world = { programs: [0, 1], listeners: [1], planted: [] };
  await learner.turn();
  assert.equal(await learner.learning.reviewed(), { generation: 1, rows: 1 });
  assert.is(learner.store.baseline.state().baseline.toReview, 0);
});

test('the difference lists added and missing rows', async ({ learner }) => {
  await learner.turn();
  learner.world = { programs: [1, 2], listeners: [], planted: [{ program: 1, severity: 'low' }] };
  const { added, gone } = await learner.learning.difference();
  const lines = (rows: readonly { kind: string; text: string }[]) =>
    rows.map(({ kind, text }) => `${kind} ${text}`).sort();
  assert.equal(lines(added), [`class ${plantedCheck}, low: ${programOf(1)} of uid 0`, identity(2)]);
  assert.equal(lines(gone), [identity(0), listener(0)]);
});

test('a gate run stores identity, listener and class of each scar as residue', async ({ root, learner }) => {
  await learner.turn();
  learner.world = { programs: [0, 1, 3], listeners: [0, 3], planted: [{ program: 1, severity: 'high' }] };
  await learner.learning.gate.run('scar');
  const residue = inDatabase(root, (database) =>
    database.all<{ kind: string; severity: string }>(
      'SELECT kind, severity FROM residue WHERE run = (SELECT max(number) FROM gate_runs) ORDER BY finding, kind',
    ),
  );
  assert.equal(residue.map(({ kind, severity }) => `${severity} ${kind}`).sort(), [
    'high class',
    'high class',
    'high identity',
    'high identity',
    'high listener',
  ]);
});

test('Known is the same object for the same generation and another one after learning', async ({
  learner,
}) => {
  await learner.turn();
  const { snapshot } = await learner.look();
  const known = learner.learning.held(snapshot).known;
  assert.is(learner.learning.held(snapshot).known, known);
  await learner.learning.gate.run('scar');
  assert.is(learner.learning.held(snapshot).known, known);
  await learner.learning.learnOnce();
  assert.is.not(learner.learning.held(snapshot).known, known);
});

test('findings noted between gate runs are written at once', async ({ learner }) => {
  const { gate } = learner.learning;
  await learner.turn();
  learner.world = { programs: [0, 1], listeners: [0], planted: [{ program: 0, severity: 'high' }] };
  const state = await learner.look();
  const { findings } = state.judgement;
  const change = { opened: findings, closed: [], open: findings, at: 'then' };
  gate.note(change, state.snapshot.generation, false);
  assert.is(learner.store.findings.open()?.length, 1);
  gate.note({ opened: [], closed: findings, open: [], at: 'later' }, state.snapshot.generation, false);
  assert.is(learner.store.findings.open()?.length, 0);
});

test('findings of the loop are written once a second, grave ones at once, and all of them before a read', async ({
  root,
  learner,
}) => {
  learner.close();
  let clockMs = 0;
  using slow = new Learner(root, { clockMs: () => clockMs });
  const { gate } = slow.learning;
  const state = await slow.look();
  const note = (finding: Finding) =>
    gate.note({ opened: [finding], closed: [], open: [finding], at: finding.firstSeen }, 1, true);
  const stored = () =>
    inDatabase(root, (database) => database.all<{ id: string }>('SELECT id FROM findings ORDER BY id'))
      .map(({ id }) => id.slice(-1))
      .join('');
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((number) =>
    findingFrom({ id: `000000000000000${number}`, severity: number === 3 ? 'high' : 'medium' }),
  ) as [Finding, Finding, Finding, Finding, Finding];
  note(one);
  assert.is(await gate.whenDue(state), null);
  assert.is(stored(), '1', 'by the run that was due');
  note(two);
  clockMs += 400;
  assert.is(await gate.whenDue(state), 600);
  assert.is(stored(), '1');
  clockMs += 600;
  assert.is(await gate.whenDue(state), null);
  assert.is(stored(), '12');
  note(three);
  assert.is(stored(), '123');
  note(four);
  assert.is(stored(), '123');
  assert.is(slow.store.findings.open()?.length, 4);
  assert.is(stored(), '1234');
  note(five);
  await gate.close();
  assert.is(stored(), '12345');
});

test('what a remedy did is recorded on a finding that the same gate run opened', async ({ learner }) => {
  const { gate } = learner.learning;
  await learner.turn();
  learner.world = { programs: [0, 1], listeners: [0], planted: [{ program: 0, severity: 'high' }] };
  const first = await learner.look();
  const [scar] = first.judgement.scars;
  assert.ok(scar !== undefined);
  await gate.run('cook', {
    first,
    cookOff: {
      subjects: () => {
        gate.note({ opened: [scar], closed: [], open: [scar], at: 'then' }, first.snapshot.generation, false);
        return [scar];
      },
      apply: async ({ id }) => {
        gate.recordEvent(id, 'now', 'repaired');
        return { finding: id, remedy: 'repair it', result: 'repaired', left: false, done: true };
      },
    },
  });
  expect(learner.store.findings.finding(scar.id)?.history.map(({ event }) => event)).equals([
    'opened',
    'repaired',
  ]);
});

test('findings that a full disk rejected are written once there is space again, and the failure is cleared', async ({
  root,
  learner,
}) => {
  learner.close();
  let full = true;
  let clockMs = 0;
  using slow = new Learner(root, {
    clockMs: () => clockMs,
    dress: fullWhile(() => full),
  });
  const finding = findingFrom();
  const state = await slow.look();
  const { gate } = slow.learning;
  gate.note({ opened: [finding], closed: [], open: [finding], at: finding.firstSeen }, 1, false);
  await gate.whenDue(state);
  assert.is(slow.store.findings.finding(finding.id), undefined);
  full = false;
  clockMs += 1_000;
  await gate.whenDue(state);
  expect(slow.store.findings.finding(finding.id)?.history.map(({ event }) => event)).equals(['opened']);
  assert.is(slow.guarded.failure, '');
});

test('while the store refuses to write, or a run is under way, the gate asks to be called again after a second', async ({
  root,
  learner,
}) => {
  learner.close();
  let full = false;
  let clockMs = 0;
  using slow = new Learner(root, {
    clockMs: () => clockMs,
    dress: fullWhile(() => full),
  });
  const { gate } = slow.learning;
  const state = await slow.look();
  const finding = findingFrom();
  gate.note({ opened: [finding], closed: [], open: [finding], at: finding.firstSeen }, 1, true);
  assert.is(await gate.whenDue(state), null);
  full = true;
  gate.recordEvent(finding.id, finding.firstSeen, 'a line');
  clockMs += 5_000;
  assert.is(await gate.whenDue(state), 1_000);
  full = false;
  assert.is(await gate.whenDue(state), null);
  const run = gate.run('scar');
  clockMs += 5_000;
  gate.note({ opened: [], closed: [finding], open: [], at: finding.firstSeen }, 2, true);
  assert.is(await gate.whenDue(state), 1_000);
  await run;
});

test('history lines beyond the queue limit are counted, and the count is stored', async ({
  root,
  learner,
}) => {
  learner.close();
  let full = false;
  using slow = new Learner(root, {
    dress: fullWhile(() => full),
  });
  const { gate } = slow.learning;
  const finding = findingFrom({ severity: 'critical' });
  gate.note({ opened: [finding], closed: [], open: [finding], at: finding.firstSeen }, 1, false);
  full = true;
  for (let number = 1; number <= MOST_LINES + 3; number += 1)
    gate.recordEvent(finding.id, finding.firstSeen, `line ${number}`);
  full = false;
  await gate.close();
  assert.is(slow.store.findings.finding(finding.id)?.history.at(-1)?.event, `line ${MOST_LINES + 3}`);
  assert.is(slow.tables.findings.dropped().lines, 3);
  const { findings, gateRuns, lastAt } = slow.tables.findings.dropped();
  assert.equal([findings.critical, gateRuns], [0, 0]);
  assert.is.not(lastAt, '');
  const again = openTables(root);
  assert.is(again.findings.dropped().lines, 3);
  again.access.store.close();
});

/** Findings about listeners of this uid and program. */
const listeners = (count: number, uid: number, first: number, check = 'unknown-local-listener'): Finding[] =>
  Array.from({ length: count }, (_, at) =>
    findingFrom({
      id: (first + at).toString(16).padStart(16, '0'),
      check,
      severity: 'high',
      subject: {
        kind: 'listener',
        protocol: 'tcp',
        address: '127.0.0.1',
        port: 1024 + at,
        inode: first + at,
      },
      evidence: { creator_uid: uid, executable: `/usr/bin/of-${uid}` },
    }),
  );

const unwritten = (folder: string): number =>
  inDatabase(
    folder,
    (database) => database.number("SELECT coalesce(sum(count), 0) FROM dropped WHERE reason = 'unwritten'"),
    READ_ONLY,
  );

test("a flood in one scan is stored completely, does not block the event loop and keeps another user's finding", async ({
  root,
  learner,
}) => {
  const { gate } = learner.learning;
  const flood = listeners(2 * MOST_WAITING, 1000, 0);
  const other = listeners(1, 65_534, 1_000_000);
  const open = [...flood, ...other];
  const at = '2026-01-02T03:04:05.000+00:00';
  await learner.turn();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  gate.note({ opened: open, closed: [], open, at }, 1, false);
  gate.note({ opened: [], closed: other, open: flood, at }, 2, false);
  gate.note({ opened: [], closed: flood, open: [], at }, 3, false);
  await gate.close();
  delays.disable();
  assert.is(learner.store.findings.open()?.length, 0);
  assert.is(unwritten(root), 0);
  expect(learner.store.findings.finding(other[0]?.id ?? '')?.history.map(({ event }) => event)).equals([
    'opened',
    'closed',
  ]);
  const { findings } = learner.tables.findings.dropped();
  assert.ok(findings.high >= flood.length - 1.2 * SHARE.high, `${findings.high}`);
  assert.ok(delays.percentile(99) < 500e6, `${delays.percentile(99) / 1e6} ms`);
});

test('a flood while the store fails leaves only open findings open, and counts those never stored', async ({
  root,
  learner,
}) => {
  learner.close();
  let full = false;
  using slow = new Learner(root, {
    dress: fullWhile(() => full),
  });
  const { gate } = slow.learning;
  const at = '2026-01-02T03:04:05.000+00:00';
  const before = listeners(MOST_WAITING + 100, 1000, 0, 'public-listener');
  gate.note({ opened: before, closed: [], open: before, at }, 1, false);
  await gate.close();
  full = true;
  const flood = listeners(MOST_WAITING, 1000, 100_000);
  gate.note({ opened: flood, closed: [], open: [...before, ...flood], at }, 2, false);
  // All earlier findings and half of the flood close; the rest stays open.
  const remaining = flood.slice(0, MOST_WAITING / 2);
  const closed = [...before, ...flood.slice(MOST_WAITING / 2)];
  gate.note({ opened: [], closed, open: remaining, at }, 3, false);
  full = false;
  await gate.close();
  const open = slow.store.findings.open() ?? [];
  assert.equal(
    open.map(({ id }) => id).sort(),
    remaining.map(({ id }) => id),
  );
  assert.is(unwritten(root), flood.length - remaining.length);
});

test('nothing is learned when the store refuses the write, and the refusal says why', async ({
  root,
  learner,
}) => {
  await learner.turn();
  learner.close();
  using full = new Learner(root, {
    dress: fullWhile((operation) => operation === 'recordRun'),
  });
  full.world = { programs: [0, 1, 2], listeners: [0], planted: [] };
  const refusal = await refusalOf(() => full.learning.learnOnce());
  assert.is(refusal.code, 'unavailable');
  assert.match(refusal.message, 'SQLITE_FULL');
  assert.is(full.store.baseline.state().baseline.generation, 1);
});

test.run();
