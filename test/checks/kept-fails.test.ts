/** What rows that failed were explained by is kept while they say the same, and never told of another process. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckContext, RuleCheck } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { KeptFails } from '../../src/checks/kept-fails.ts';
import { configSchema } from '../../src/config-schema.ts';
import { lawOf } from '../../src/law/law.ts';
import { snapshotFrom } from '../support/snapshot.ts';
import type { ProcessRow } from '../support/table.ts';

const law = lawOf(configSchema.parse({}));
const contextOf = (processes: readonly ProcessRow[]): CheckContext => ({
  snapshot: snapshotFrom({ processes }),
  law,
  known: { identities: new Set(), listeners: new Set(), excused: new Set() },
});
const ruleOf = (id: string): RuleCheck => CHECKS.find((check) => check.id === id) as RuleCheck;
const rowsOf = ({ snapshot }: CheckContext): readonly number[] =>
  Array.from({ length: snapshot.processes.count }, (_, row) => row);

/** A check that counts how often it explains. */
function counted(check: RuleCheck) {
  const state = { calls: 0 };
  const explain: RuleCheck['explain'] = (context, row) => {
    state.calls++;
    return check.explain(context, row);
  };
  return { check: { ...check, explain }, state };
}

const row = (pid: number, parts: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  start: BigInt(pid),
  comm: 'x',
  exe: '/tmp/x',
  uid: 1000,
  ...parts,
});

test('of a thousand rows that stand only the new one is explained', () => {
  const { check, state } = counted(ruleOf('odd-executable-path'));
  const keptFails = new KeptFails();
  const thousand = Array.from({ length: 1000 }, (_, at) => row(at + 1));
  const first = contextOf(thousand);
  const before = keptFails.of(check, first, true, rowsOf(first));
  assert.is(state.calls, 1000);
  // Another process in front: every row moves.
  const second = contextOf([...thousand.slice(1), row(2000)]);
  const after = keptFails.of(check, second, true, rowsOf(second));
  assert.is(state.calls, 1001);
  assert.is(after[0], before[1], 'the very same fail');
});

test('a pid that another process has taken, and evidence that changed, are explained again', () => {
  const changed: readonly Partial<ProcessRow>[] = [
    { start: 9n },
    { comm: 'y' },
    { exe: '/tmp/y' },
    { uid: 0 },
    { ppid: 77 },
  ];
  for (const parts of changed) {
    const { check, state } = counted(ruleOf('odd-executable-path'));
    const keptFails = new KeptFails();
    for (const processes of [[row(5)], [row(5)], [row(5, parts)], [row(5, parts)]]) {
      const context = contextOf(processes);
      keptFails.of(check, context, true, rowsOf(context));
    }
    assert.is(state.calls, 2, JSON.stringify(Object.keys(parts)));
  }
});

test('over any history it says what a first look would say', () => {
  const rows = fc.uniqueArray(
    fc.record({
      pid: fc.integer({ min: 1, max: 6 }),
      start: fc.bigInt({ min: 1n, max: 3n }),
      comm: fc.constantFrom('a', 'b'),
      exe: fc.constantFrom('/tmp/a', '/tmp/b', '/home/u/.x/c'),
      uid: fc.constantFrom(0, 1000),
      ppid: fc.integer({ min: 0, max: 6 }),
      tracer: fc.integer({ min: 0, max: 6 }),
    }),
    { selector: ({ pid }) => pid, maxLength: 6 },
  );
  const checks = ['odd-executable-path', 'traced', 'name-mismatch', 'unlearned-process'].map(ruleOf);
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 8 }), (history) => {
      const keptFails = new KeptFails();
      for (const processes of history) {
        const context = contextOf([...processes].sort((a, b) => a.pid - b.pid));
        for (const check of checks)
          assert.equal(
            keptFails.of(check, context, true, rowsOf(context)),
            new KeptFails().of(check, context, true, rowsOf(context)),
          );
      }
    }),
    { numRuns: 50 },
  );
});

test.run();
