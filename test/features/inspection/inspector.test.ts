/** Which processes the inspector inspects, when, and how it uses the answers; the test chooses the answers of the helpers. */
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedVerdicts } from '../../../src/checks/cached-verdicts.ts';
import { CHECKS } from '../../../src/checks/index.ts';
import type { PeekFacts } from '../../../src/checks/peek-facts.ts';
import type { Answer } from '../../../src/features/inspection/helper.ts';
import { Inspector } from '../../../src/features/inspection/inspector.ts';
import type { Law } from '../../../src/policy/law.ts';
import { factsFrom, law, mapping, mappings, PEEK_CHECKS, processFrom } from '../../support/peek.ts';
import { snapshotFrom } from '../../support/snapshot.ts';
import type { ProcessRow } from '../../support/table.ts';

const read = (facts: PeekFacts): Answer => ({ kind: 'facts', facts });
const quiet = read(factsFrom());
const loud = read(factsFrom({ environment: { LD_AUDIT: '/x' } }));
const hung: Answer = { kind: 'hung' };
const broken: Answer = { kind: 'broken', reason: 'SIGSEGV' };

/** An inspector whose helpers answer by pid, in order; the last answer repeats. */
function inspectorOver(
  script: Readonly<Record<number, readonly Answer[]>>,
  inForce: () => Law = () => law,
  executed: () => Int32Array | null = () => new Int32Array(),
) {
  const asked: number[] = [];
  const closed: string[] = [];
  const left = new Map(Object.entries(script).map(([pid, answers]) => [Number(pid), [...answers]]));
  let changes = 0;
  let waiting: (() => void)[] = [];
  const cached = new CachedVerdicts();
  const inspector = new Inspector({
    checks: CHECKS,
    law: inForce,
    cached,
    executed,
    changed: () => {
      changes++;
    },
    log: pino({ level: 'silent' }),
    helper: () => ({
      start: () => undefined,
      close: async () => {
        closed.push('helper');
      },
      ask: async (pid) => {
        asked.push(pid);
        const answers = left.get(pid) ?? [quiet];
        for (const resolve of waiting) resolve();
        waiting = [];
        return (answers.length > 1 ? answers.shift() : answers[0]) as Answer;
      },
    }),
  });
  return {
    inspector,
    cached,
    asked,
    closed,
    answerWith: (pid: number, ...answers: Answer[]) => left.set(pid, answers),
    changes: () => changes,
    watch: (...rows: ProcessRow[]) => inspector.watch(snapshotFrom({ processes: rows })),
    /** Resolves when helpers were asked this often. */
    askedOften: async (count: number) => {
      // The queue's timers do not keep the process running: this one does.
      const keep = setInterval(() => undefined, 50);
      while (asked.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      clearInterval(keep);
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    failing: () =>
      cached
        .verdicts()
        .fails.map(({ check, subject }) => `${check.id} ${subject.kind === 'process' ? subject.pid : ''}`),
  };
}

const test = suite('inspector');

test('every process of the first snapshot except kernel threads and zombies is inspected', async () => {
  const one = inspectorOver({});
  assert.not.ok(one.inspector.complete);
  one.watch(
    { pid: 1 },
    { pid: 2, flags: 0x0020_0000 },
    { pid: 3, state: 'Z', identity: 0n },
    { pid: 40 },
    { pid: 41 },
  );
  await one.inspector.firstPass(10_000);
  assert.equal([...one.asked].sort(), [1, 40, 41].sort());
  assert.ok(one.inspector.complete);
  const { pass, fail, blind } = one.cached.verdicts();
  assert.equal([pass, fail, blind], [3 * PEEK_CHECKS.length, 0, 0]);
  assert.is(one.changes(), 0);
  await one.inspector.close();
  assert.is(one.closed.length, 2);
});

test('a fail counts only if a second inspection confirms it', async () => {
  const one = inspectorOver({ 7: [loud], 8: [loud, quiet] });
  one.watch({ pid: 7 }, { pid: 8 });
  await one.inspector.firstPass(10_000);
  assert.equal(one.failing(), ['preload-environment 7']);
  assert.is(one.asked.length, 4);
  assert.is(one.changes(), 1);
  assert.ok(one.cached.verdicts().fails.every(({ confirmed }) => confirmed));
  await one.inspector.close();
});

test('new processes and processes with a new program are inspected, ended ones are dropped', async () => {
  const one = inspectorOver({ 7: [loud] });
  one.watch({ pid: 7, exe: '/a' });
  await one.inspector.firstPass(10_000);
  one.watch({ pid: 7, exe: '/a' }, { pid: 8 });
  await one.askedOften(3);
  one.answerWith(7, quiet);
  one.watch({ pid: 7, exe: '/b' }, { pid: 8 });
  await one.askedOften(4);
  assert.equal(one.asked, [7, 7, 8, 7]);
  assert.equal(one.failing(), []);
  one.answerWith(7, loud);
  one.watch({ pid: 7, exe: '/c' }, { pid: 8 });
  await one.askedOften(6);
  assert.equal(one.failing(), ['preload-environment 7']);
  const before = one.changes();
  one.watch({ pid: 8 });
  assert.equal(one.failing(), []);
  assert.is(one.changes(), before + 1);
  await one.inspector.close();
});

test('a process that keeps executing other programs is still inspected', async () => {
  const one = inspectorOver({});
  one.watch({ pid: 7, exe: '/a' });
  await one.askedOften(1);
  for (let turn = 0; one.asked.length < 2; turn++) {
    one.watch({ pid: 7, exe: turn % 2 === 0 ? '/b' : '/a' });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(one.asked, [7, 7]);
  await one.inspector.close();
});

test('a fail of a newer program is not reported for the one in the snapshot, unless they keep differing', async () => {
  const newProgram = read(factsFrom({ environment: { LD_AUDIT: '/x' }, executable: '/usr/bin/new' }));
  const one = inspectorOver({ 7: [newProgram] });
  one.watch({ pid: 7, exe: '/usr/bin/old' });
  await one.inspector.firstPass(10_000);
  assert.ok(one.inspector.complete);
  assert.equal([one.asked.length, one.failing(), one.changes()], [2, [], 0]);
  one.watch({ pid: 7, exe: '/usr/bin/new' });
  await one.askedOften(4);
  assert.equal(one.failing(), ['preload-environment 7']);
  const [fail] = one.cached.verdicts().fails;
  assert.is(fail?.subject.kind === 'process' && fail.subject.executable, '/usr/bin/new');
  await one.inspector.close();

  const changing = inspectorOver({ 8: [newProgram] });
  for (const [attempt, exe] of ['/a', '/b', '/c'].entries()) {
    assert.equal(changing.failing(), []);
    changing.watch({ pid: 8, exe });
    await changing.askedOften(2 * (attempt + 1));
  }
  assert.equal(changing.failing(), ['preload-environment 8']);
  await changing.inspector.close();
});

test('a reused pid is another process', async () => {
  const one = inspectorOver({ 7: [loud] });
  one.watch({ pid: 7, start: 5n });
  await one.inspector.firstPass(10_000);
  one.answerWith(7, quiet);
  one.watch({ pid: 7, start: 6n });
  assert.equal(one.failing(), []);
  await one.askedOften(3);
  assert.is(one.cached.verdicts().pass, PEEK_CHECKS.length);
  await one.inspector.close();
});

test('an event about a process that was just inspected starts no inspection', async () => {
  const one = inspectorOver({});
  one.watch({ pid: 7 });
  await one.inspector.firstPass(10_000);
  one.inspector.watch(snapshotFrom({ processes: [{ pid: 7 }] }), Int32Array.of(7, -7, 99));
  one.watch({ pid: 7 }, { pid: 8 });
  await one.askedOften(2);
  assert.equal(one.asked, [7, 8]);
  await one.inspector.close();
});

/** The monotonic clock, moved forward. */
async function later(ms: number, act: () => Promise<void>): Promise<void> {
  const { now } = performance;
  performance.now = () => now.call(performance) + ms;
  try {
    await act();
  } finally {
    performance.now = now;
  }
}

test('a process that a pass shows to have executed a program is inspected again', async () => {
  let executed = new Int32Array();
  const one = inspectorOver({}, undefined, () => executed);
  one.watch({ pid: 7 }, { pid: 8 });
  await one.inspector.firstPass(10_000);
  await later(6_000, async () => {
    executed = Int32Array.of(8, 8, 99);
    one.watch({ pid: 7 }, { pid: 8 });
    await one.askedOften(3);
  });
  assert.equal(one.asked.slice(2), [8]);
  await one.inspector.close();
});

test('where it is not known which processes executed a program, all are inspected again, once a minute at most', async () => {
  let executed: Int32Array | null = new Int32Array();
  const one = inspectorOver({}, undefined, () => executed);
  const rows = [{ pid: 7 }, { pid: 8 }];
  const unknown = () => {
    executed = null;
    one.watch(...rows);
    executed = new Int32Array();
  };
  one.watch(...rows);
  await one.inspector.firstPass(10_000);
  await later(6_000, async () => {
    unknown();
    await one.askedOften(4);
  });
  await later(60_000, async () => {
    unknown();
    one.watch(...rows, { pid: 9 });
    await one.askedOften(5);
  });
  assert.equal([...one.asked.slice(2, 4)].sort(), [7, 8]);
  assert.equal(one.asked.slice(4), [9]);
  await later(67_000, async () => {
    one.watch(...rows, { pid: 9 });
    await one.askedOften(8);
  });
  assert.equal([...one.asked.slice(5)].sort(), [7, 8, 9]);
  await one.inspector.close();
});

test('a process that hangs two helpers is a finding and does not delay others', async () => {
  const one = inspectorOver({ 7: [hung], 9: [hung, quiet] });
  one.watch({ pid: 7 }, { pid: 8 }, { pid: 9 });
  await one.inspector.firstPass(10_000);
  assert.equal(one.failing(), ['unreadable-process 7']);
  assert.is(one.asked.indexOf(8) < one.asked.lastIndexOf(7), true);
  assert.equal(one.asked.filter((pid) => pid === 7).length, 2);
  assert.is(one.inspector.totals.killed, 3);
  // It can be read again.
  one.answerWith(7, quiet);
  await one.inspector.inspectAll();
  assert.equal(one.failing(), []);
  await one.inspector.close();
});

test('a process whose inspection ends two helpers is blind, with a note', async () => {
  const one = inspectorOver({ 7: [broken] });
  one.watch({ pid: 7 }, { pid: 8 });
  await one.inspector.firstPass(10_000);
  const { pass, blind, notes } = one.cached.verdicts();
  assert.equal([pass, blind, notes.length], [PEEK_CHECKS.length, PEEK_CHECKS.length, PEEK_CHECKS.length]);
  assert.is(one.inspector.totals.broken, 2);
  await one.inspector.close();
});

test('without a helper every check is blind with a reason, and nothing waits indefinitely', async () => {
  const one = inspectorOver({
    7: [{ kind: 'unavailable', reason: 'ENOENT' }],
    8: [{ kind: 'unavailable', reason: 'ENOENT' }],
  });
  one.watch({ pid: 7 }, { pid: 8 });
  await one.inspector.firstPass(10_000);
  assert.match(one.inspector.trouble, /does not work \(ENOENT\)/);
  const { notes, blind } = one.cached.verdicts();
  assert.equal(notes.map(({ check }) => check).sort(), PEEK_CHECKS.map(({ id }) => id).sort());
  assert.is(blind, 2 * PEEK_CHECKS.length);
  assert.ok(one.cached.verdicts().hidden('writable-code', processFrom({ pid: 7 })));
  await one.inspector.inspectAll();
  await one.inspector.close();
});

test('findings from before the start are kept until their process is inspected or has ended', async () => {
  const one = inspectorOver({});
  const hidden = (pid: number) =>
    one.cached.verdicts().hidden('writable-code', processFrom({ pid, start: String(pid) }));
  assert.ok(hidden(7) && hidden(8));
  assert.not.ok(one.cached.verdicts().hidden('traced', processFrom({ pid: 7 })));
  one.watch({ pid: 7, start: 7n });
  assert.ok(hidden(7));
  assert.not.ok(hidden(8));
  await one.inspector.firstPass(10_000);
  assert.not.ok(hidden(7));
  await one.inspector.close();
});

test('a changed law is applied to facts that were already read', async () => {
  let inForce: Law = law;
  const deletedCode = { ...mappings(mapping('/l.so (deleted)')), replaced: false };
  const young = read(factsFrom({ ageSec: 5, maps: { deletedCode } }));
  const one = inspectorOver({ 7: [young] }, () => inForce);
  one.watch({ pid: 7 });
  await one.inspector.firstPass(10_000);
  assert.equal(one.failing(), []);
  inForce = { ...law, librarySec: 5 };
  one.watch({ pid: 7 });
  // A single inspection is not enough: two more follow.
  await one.askedOften(3);
  assert.equal(one.failing(), ['deleted-library 7']);
  inForce = { ...law, librarySec: 6 };
  one.watch({ pid: 7 });
  assert.equal(one.failing(), []);
  await one.inspector.close();
});

test('a closed inspector asks no helper', async () => {
  const one = inspectorOver({});
  await one.inspector.close();
  one.watch({ pid: 7 });
  await one.inspector.inspectAll();
  assert.equal(one.asked, []);
  assert.not.ok(one.inspector.complete);
});

test.run();
