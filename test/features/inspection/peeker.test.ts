/** When the peeker looks at whom, and what it makes of the answers: with helpers that say what the test wants. */
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedVerdicts } from '../../../src/checks/cached-verdicts.ts';
import { CHECKS } from '../../../src/checks/index.ts';
import type { PeekFacts } from '../../../src/checks/peek-facts.ts';
import type { Answer } from '../../../src/features/inspection/helper.ts';
import { Peeker } from '../../../src/features/inspection/peeker.ts';
import type { Law } from '../../../src/policy/law.ts';
import { factsFrom, law, mapping, mappings, PEEK_CHECKS, processFrom } from '../../support/peek.ts';
import { snapshotFrom } from '../../support/snapshot.ts';
import type { ProcessRow } from '../../support/table.ts';

const told = (facts: PeekFacts): Answer => ({ kind: 'facts', facts });
const quiet = told(factsFrom());
const loud = told(factsFrom({ environment: { LD_AUDIT: '/x' } }));
const wedged: Answer = { kind: 'wedged' };
const broken: Answer = { kind: 'broken', reason: 'SIGSEGV' };

/** A peeker whose helpers answer by pid, in order; the last answer again and again. */
function peekerOver(script: Readonly<Record<number, readonly Answer[]>>, inForce: () => Law = () => law) {
  const asked: number[] = [];
  const closed: string[] = [];
  const left = new Map(Object.entries(script).map(([pid, answers]) => [Number(pid), [...answers]]));
  let changes = 0;
  let waiting: (() => void)[] = [];
  const cached = new CachedVerdicts();
  const peeker = new Peeker({
    checks: CHECKS,
    law: inForce,
    cached,
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
    peeker,
    cached,
    asked,
    closed,
    answerWith: (pid: number, ...answers: Answer[]) => left.set(pid, answers),
    changes: () => changes,
    watch: (...rows: ProcessRow[]) => peeker.watch(snapshotFrom({ processes: rows })),
    /** Resolves when a helper was asked so often. */
    askedOften: async (count: number) => {
      // What is put off keeps nobody from ending: this keeps the test.
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

const test = suite('peeker');

test('the first snapshot is a round over everybody, kernel threads and zombies left out', async () => {
  const one = peekerOver({});
  assert.not.ok(one.peeker.complete);
  one.watch(
    { pid: 1 },
    { pid: 2, flags: 0x0020_0000 },
    { pid: 3, state: 'Z', identity: 0n },
    { pid: 40 },
    { pid: 41 },
  );
  await one.peeker.firstRound(10_000);
  assert.equal([...one.asked].sort(), [1, 40, 41].sort());
  assert.ok(one.peeker.complete);
  const { pass, fail, blind } = one.cached.verdicts();
  assert.equal([pass, fail, blind], [3 * PEEK_CHECKS.length, 0, 0]);
  assert.is(one.changes(), 0);
  await one.peeker.close();
  assert.is(one.closed.length, 2);
});

test('a fail counts when the second look shows it too, and is told', async () => {
  const one = peekerOver({ 7: [loud], 8: [loud, quiet] });
  one.watch({ pid: 7 }, { pid: 8 });
  await one.peeker.firstRound(10_000);
  assert.equal(one.failing(), ['preload-environment 7']);
  assert.is(one.asked.length, 4);
  assert.is(one.changes(), 1);
  assert.ok(one.cached.verdicts().fails.every(({ confirmed }) => confirmed));
  await one.peeker.close();
});

test('who is new is looked at, who runs another program is looked at again, who is gone is dropped', async () => {
  const one = peekerOver({ 7: [loud] });
  one.watch({ pid: 7, exe: '/a' });
  await one.peeker.firstRound(10_000);
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
  await one.peeker.close();
});

test('who runs one program after another without end is looked at all the same', async () => {
  const one = peekerOver({});
  one.watch({ pid: 7, exe: '/a' });
  await one.askedOften(1);
  for (let turn = 0; one.asked.length < 2; turn++) {
    one.watch({ pid: 7, exe: turn % 2 === 0 ? '/b' : '/a' });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(one.asked, [7, 7]);
  await one.peeker.close();
});

test('what a look shows of another program is not told of the one a snapshot saw; who never agrees is told', async () => {
  const meanwhile = told(factsFrom({ environment: { LD_AUDIT: '/x' }, executable: '/usr/bin/new' }));
  const one = peekerOver({ 7: [meanwhile] });
  one.watch({ pid: 7, exe: '/usr/bin/old' });
  await one.peeker.firstRound(10_000);
  assert.ok(one.peeker.complete);
  assert.equal([one.asked.length, one.failing(), one.changes()], [2, [], 0]);
  one.watch({ pid: 7, exe: '/usr/bin/new' });
  await one.askedOften(4);
  assert.equal(one.failing(), ['preload-environment 7']);
  const [fail] = one.cached.verdicts().fails;
  assert.is(fail?.subject.kind === 'process' && fail.subject.executable, '/usr/bin/new');
  await one.peeker.close();

  const shifty = peekerOver({ 8: [meanwhile] });
  for (const [round, exe] of ['/a', '/b', '/c'].entries()) {
    assert.equal(shifty.failing(), []);
    shifty.watch({ pid: 8, exe });
    await shifty.askedOften(2 * (round + 1));
  }
  assert.equal(shifty.failing(), ['preload-environment 8']);
  await shifty.peeker.close();
});

test('a pid used again is another process', async () => {
  const one = peekerOver({ 7: [loud] });
  one.watch({ pid: 7, start: 5n });
  await one.peeker.firstRound(10_000);
  one.answerWith(7, quiet);
  one.watch({ pid: 7, start: 6n });
  assert.equal(one.failing(), []);
  await one.askedOften(3);
  assert.is(one.cached.verdicts().pass, PEEK_CHECKS.length);
  await one.peeker.close();
});

test('an event about a process that was just looked at starts no look', async () => {
  const one = peekerOver({});
  one.watch({ pid: 7 });
  await one.peeker.firstRound(10_000);
  one.peeker.watch(snapshotFrom({ processes: [{ pid: 7 }] }), Int32Array.of(7, -7, 99));
  one.watch({ pid: 7 }, { pid: 8 });
  await one.askedOften(2);
  assert.equal(one.asked, [7, 8]);
  await one.peeker.close();
});

test('a wedge is a finding once it wedged two helpers, and holds up nobody', async () => {
  const one = peekerOver({ 7: [wedged], 9: [wedged, quiet] });
  one.watch({ pid: 7 }, { pid: 8 }, { pid: 9 });
  await one.peeker.firstRound(10_000);
  assert.equal(one.failing(), ['unreadable-process 7']);
  assert.is(one.asked.indexOf(8) < one.asked.lastIndexOf(7), true);
  assert.equal(one.asked.filter((pid) => pid === 7).length, 2);
  assert.is(one.peeker.totals.killed, 3);
  // It answers again.
  one.answerWith(7, quiet);
  await one.peeker.lookAtAll();
  assert.equal(one.failing(), []);
  await one.peeker.close();
});

test('a helper that ends twice over one process leaves it blind, with a note', async () => {
  const one = peekerOver({ 7: [broken] });
  one.watch({ pid: 7 }, { pid: 8 });
  await one.peeker.firstRound(10_000);
  const { pass, blind, notes } = one.cached.verdicts();
  assert.equal([pass, blind, notes.length], [PEEK_CHECKS.length, PEEK_CHECKS.length, PEEK_CHECKS.length]);
  assert.is(one.peeker.totals.broken, 2);
  await one.peeker.close();
});

test('without a helper every check is blind with the reason, and nothing waits for ever', async () => {
  const one = peekerOver({
    7: [{ kind: 'unavailable', reason: 'ENOENT' }],
    8: [{ kind: 'unavailable', reason: 'ENOENT' }],
  });
  one.watch({ pid: 7 }, { pid: 8 });
  await one.peeker.firstRound(10_000);
  assert.match(one.peeker.trouble, /does not work \(ENOENT\)/);
  const { notes, blind } = one.cached.verdicts();
  assert.equal(notes.map(({ check }) => check).sort(), PEEK_CHECKS.map(({ id }) => id).sort());
  assert.is(blind, 2 * PEEK_CHECKS.length);
  assert.ok(one.cached.verdicts().hidden('writable-code', processFrom({ pid: 7 })));
  await one.peeker.lookAtAll();
  await one.peeker.close();
});

test('what was found before the start holds until its process was looked at, or is gone', async () => {
  const one = peekerOver({});
  const hidden = (pid: number) =>
    one.cached.verdicts().hidden('writable-code', processFrom({ pid, start: String(pid) }));
  assert.ok(hidden(7) && hidden(8));
  assert.not.ok(one.cached.verdicts().hidden('traced', processFrom({ pid: 7 })));
  one.watch({ pid: 7, start: 7n });
  assert.ok(hidden(7));
  assert.not.ok(hidden(8));
  await one.peeker.firstRound(10_000);
  assert.not.ok(hidden(7));
  await one.peeker.close();
});

test('another law judges what was told already', async () => {
  let inForce: Law = law;
  const deletedCode = { ...mappings(mapping('/l.so (deleted)')), replaced: false };
  const young = told(factsFrom({ ageSec: 5, maps: { deletedCode } }));
  const one = peekerOver({ 7: [young] }, () => inForce);
  one.watch({ pid: 7 });
  await one.peeker.firstRound(10_000);
  assert.equal(one.failing(), []);
  inForce = { ...law, librarySec: 5 };
  one.watch({ pid: 7 });
  // By one look alone nothing is found: it takes another two.
  await one.askedOften(3);
  assert.equal(one.failing(), ['deleted-library 7']);
  inForce = { ...law, librarySec: 6 };
  one.watch({ pid: 7 });
  assert.equal(one.failing(), []);
  await one.peeker.close();
});

test('closed, it asks nobody', async () => {
  const one = peekerOver({});
  await one.peeker.close();
  one.watch({ pid: 7 });
  await one.peeker.lookAtAll();
  assert.equal(one.asked, []);
  assert.not.ok(one.peeker.complete);
});

test.run();
