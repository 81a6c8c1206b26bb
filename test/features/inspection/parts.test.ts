/** Parts of the inspector compared to naive implementations. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HUNG } from '../../../src/checks/peek-facts.ts';
import { together } from '../../../src/checks/verdicts.ts';
import { Barriers } from '../../../src/features/inspection/barrier.ts';
import { DelayQueue } from '../../../src/features/inspection/delay-queue.ts';
import { verdictsOf } from '../../../src/features/inspection/judge.ts';
import { ProcessDiff } from '../../../src/features/inspection/process-diff.ts';
import { SubjectVerdicts } from '../../../src/features/inspection/subject-verdicts.ts';
import { factsFrom, law, PEEK_CHECKS, processFrom } from '../../support/peek.ts';
import { snapshotFrom } from '../../support/snapshot.ts';

const rows = fc
  .uniqueArray(
    fc.record({
      pid: fc.integer({ min: 1, max: 9 }),
      start: fc.bigInt({ min: 1n, max: 2n }),
      identity: fc.constantFrom(0n, 1n, 2n, 1n << 40n),
    }),
    { selector: ({ pid }) => pid },
  )
  .map((list) => list.sort((a, b) => a.pid - b.pid));

/** What differs between two tables. */
const deltaOf = (before: ReadonlyMap<number, string>, now: ReadonlyMap<number, string>) => ({
  pids: Int32Array.from([...new Set([...before.keys(), ...now.keys()])].sort()).filter(
    (pid) => before.get(pid) !== now.get(pid),
  ),
});

test('a diff reports new, changed and ended processes for any sequence of tables, with and without deltas', () => {
  const steps = fc.array(fc.record({ table: rows, delta: fc.boolean(), missed: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(steps, (tables) => {
      const diff = new ProcessDiff();
      let before = new Map<number, string>();
      let generation = 0;
      let seen = new Map<number, string>();
      for (const { table, delta: known, missed } of tables) {
        const all = new Map(table.map(({ pid, start, identity }) => [pid, `${start} ${identity}`]));
        const delta = known ? deltaOf(seen, all) : null;
        seen = all;
        generation++;
        // A snapshot that was never compared: the next one is compared as a whole.
        if (missed) continue;
        const now = new Map(
          table
            .filter(({ identity }) => identity !== 0n)
            .map(({ pid, start, identity }) => [pid, `${start} ${identity}`]),
        );
        const [came, left]: [number[], number[]] = [[], []];
        const { processes } = snapshotFrom({ processes: table });
        diff.compare(
          { processes, delta, generation },
          (row) => came.push(processes.columns.pid[row] as number),
          (pid) => left.push(pid),
        );
        assert.equal(
          came.sort(),
          [...now.keys()].filter((pid) => now.get(pid) !== before.get(pid)),
        );
        assert.equal(
          left.sort(),
          [...before.keys()].filter((pid) => !now.has(pid)),
        );
        before = now;
      }
    }),
    { numRuns: 300 },
  );
});

const refused = { errno: 13, code: 'EACCES', source: 'maps' };
const verdictsPool = [
  factsFrom(),
  factsFrom({ environment: { LD_AUDIT: 'x' } }),
  factsFrom({ maps: refused }),
  factsFrom({ emptyCommandLine: true, environment: { ...refused, code: 'EPERM' } }),
  HUNG,
].map(
  (facts) => (pid: number) =>
    verdictsOf(PEEK_CHECKS, [facts, facts], { subject: processFrom({ pid, start: '1' }), law }),
);

test('the incremental sum equals the sum of all verdicts, in whatever order they were set and dropped', () => {
  const step = fc.record({
    pid: fc.integer({ min: 1, max: 4 }),
    which: fc.integer({ min: -1, max: verdictsPool.length - 1 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const sum = new SubjectVerdicts();
      const held = new Map<number, ReturnType<(typeof verdictsPool)[number]>>();
      for (const { pid, which } of steps) {
        const before = together([...held.values()]);
        const verdicts = verdictsPool[which]?.(pid);
        if (verdicts === undefined) held.delete(pid);
        else held.set(pid, verdicts);
        const changed = verdicts === undefined ? sum.drop(`${pid} 1`) : sum.set(`${pid} 1`, verdicts);
        const whole = together([...held.values()]);
        const summed = sum.verdicts(() => false);
        const words = (one: typeof whole) => ({
          counts: [one.pass, one.fail, one.blind],
          fails: one.fails.map(({ check, subject }) => `${check.id} ${JSON.stringify(subject)}`).sort(),
          notes: one.notes.map(({ check, reason, subjects }) => `${check} ${reason} ${subjects}`).sort(),
        });
        assert.equal(words(summed), words(whole));
        for (const check of PEEK_CHECKS)
          for (const one of [1, 2, 3, 4].map((at) => processFrom({ pid: at, start: '1' })))
            assert.is(summed.hidden(check.id, one), whole.hidden(check.id, one));
        const kinds = (one: typeof whole) =>
          JSON.stringify([words(one).fails, one.notes.map((n) => n.check + n.reason).sort()]);
        if (kinds(before) !== kinds(whole)) assert.ok(changed, 'a change that is not reported');
      }
    }),
    { numRuns: 300 },
  );
});

test('queued items are due once, in order, unless deleted', async () => {
  const came: string[] = [];
  let last: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    last = resolve;
  });
  // The queue's timers do not keep the process running: this one does.
  const keep = setInterval(() => undefined, 10);
  const queue = new DelayQueue<string>(5, (item) => {
    came.push(item);
    if (item === 'd') last();
  });
  for (const item of ['a', 'b', 'c', 'a', 'd']) queue.add(item);
  queue.delete('c');
  assert.ok(queue.has('a') && !queue.has('c'));
  await done;
  clearInterval(keep);
  assert.equal(came, ['b', 'a', 'd']);
  queue.add('e');
  queue.clear();
  assert.not.ok(queue.has('e'));
});

test('a barrier resolves only when all of its items have left', async () => {
  const barriers = new Barriers<number>();
  await barriers.begin([]);
  const ended: string[] = [];
  const [one, two] = [
    barriers.begin([1, 2]).then(() => ended.push('one')),
    barriers.begin([2, 3]).then(() => ended.push('two')),
  ];
  barriers.leave(2);
  barriers.leave(9);
  await Promise.resolve();
  assert.equal(ended, []);
  barriers.leave(1);
  await one;
  assert.equal(ended, ['one']);
  barriers.end();
  await two;
  assert.equal(ended, ['one', 'two']);
});

test.run();
