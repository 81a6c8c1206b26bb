/** The parts of the peeker against naive ones. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HUNG } from '../../../src/checks/peek-facts.ts';
import { together } from '../../../src/checks/verdicts.ts';
import { verdictsOf } from '../../../src/features/inspection/judge.ts';
import { Later } from '../../../src/features/inspection/later.ts';
import { Roll } from '../../../src/features/inspection/roll.ts';
import { Rounds } from '../../../src/features/inspection/rounds.ts';
import { Tally } from '../../../src/features/inspection/tally.ts';
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

test('a roll tells what came, changed and left, over any sequence of tables', () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 6 }), (tables) => {
      const roll = new Roll();
      let before = new Map<number, string>();
      for (const table of tables) {
        const now = new Map(
          table
            .filter(({ identity }) => identity !== 0n)
            .map(({ pid, start, identity }) => [pid, `${start} ${identity}`]),
        );
        const [came, left]: [number[], number[]] = [[], []];
        const { processes } = snapshotFrom({ processes: table });
        roll.compare(
          processes,
          (row) => came.push(processes.columns.pid[row] as number),
          (pid) => left.push(pid),
        );
        assert.equal(
          came,
          [...now.keys()].filter((pid) => now.get(pid) !== before.get(pid)),
        );
        assert.equal(
          left,
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

test('a tally is what all verdicts are together, however they came and went', () => {
  const step = fc.record({
    pid: fc.integer({ min: 1, max: 4 }),
    which: fc.integer({ min: -1, max: verdictsPool.length - 1 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const tally = new Tally();
      const held = new Map<number, ReturnType<(typeof verdictsPool)[number]>>();
      for (const { pid, which } of steps) {
        const before = together([...held.values()]);
        const verdicts = verdictsPool[which]?.(pid);
        if (verdicts === undefined) held.delete(pid);
        else held.set(pid, verdicts);
        const told = verdicts === undefined ? tally.drop(`${pid} 1`) : tally.set(`${pid} 1`, verdicts);
        const whole = together([...held.values()]);
        const tallied = tally.verdicts(() => false);
        const words = (one: typeof whole) => ({
          counts: [one.pass, one.fail, one.blind],
          fails: one.fails.map(({ check, subject }) => `${check.id} ${JSON.stringify(subject)}`).sort(),
          notes: one.notes.map(({ check, reason, subjects }) => `${check} ${reason} ${subjects}`).sort(),
        });
        assert.equal(words(tallied), words(whole));
        for (const check of PEEK_CHECKS)
          for (const one of [1, 2, 3, 4].map((at) => processFrom({ pid: at, start: '1' })))
            assert.is(tallied.hidden(check.id, one), whole.hidden(check.id, one));
        const kinds = (one: typeof whole) =>
          JSON.stringify([words(one).fails, one.notes.map((n) => n.check + n.reason).sort()]);
        if (kinds(before) !== kinds(whole)) assert.ok(told, 'a change that is not told');
      }
    }),
    { numRuns: 300 },
  );
});

test('what is put off comes in order, once, and not when it was taken back', async () => {
  const came: string[] = [];
  let last: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    last = resolve;
  });
  // Its timers keep nobody from ending: this one keeps the test.
  const keep = setInterval(() => undefined, 10);
  const later = new Later<string>(5, (item) => {
    came.push(item);
    if (item === 'd') last();
  });
  for (const item of ['a', 'b', 'c', 'a', 'd']) later.add(item);
  later.delete('c');
  assert.ok(later.has('a') && !later.has('c'));
  await done;
  clearInterval(keep);
  assert.equal(came, ['b', 'a', 'd']);
  later.add('e');
  later.clear();
  assert.not.ok(later.has('e'));
});

test('a round ends when all have left, and not before', async () => {
  const rounds = new Rounds<number>();
  await rounds.begin([]);
  const ended: string[] = [];
  const [one, two] = [
    rounds.begin([1, 2]).then(() => ended.push('one')),
    rounds.begin([2, 3]).then(() => ended.push('two')),
  ];
  rounds.leave(2);
  rounds.leave(9);
  await Promise.resolve();
  assert.equal(ended, []);
  rounds.leave(1);
  await one;
  assert.equal(ended, ['one']);
  rounds.end();
  await two;
  assert.equal(ended, ['one', 'two']);
});

test.run();
