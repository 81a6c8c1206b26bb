/** The fails of rows are cached while the rows are unchanged, and never used for another process. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckContext, RuleCheck } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { KeptFails } from '../../src/checks/kept-fails.ts';
import { configSchema } from '../../src/config/schema.ts';
import { FACT } from '../../src/engine/native/types.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { forAllOf } from '../support/for-all.ts';
import { snapshotFrom } from '../support/snapshot.ts';
import type { ProcessRow } from '../support/table.ts';

const law = lawOf(configSchema.parse({}));
const contextOf = (processes: readonly ProcessRow[], sessionUids: readonly number[] = []): CheckContext => ({
  snapshot: snapshotFrom({ processes, host: { sessionUids: new Set(sessionUids) } }),
  law,
  known: { identities: new Set(), listeners: new Set(), classes: new Set() },
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

test('of a thousand rows that fail again, only the new one is evaluated', () => {
  const { check, state } = counted(ruleOf('odd-executable-path'));
  const keptFails = new KeptFails();
  const thousand = Array.from({ length: 1000 }, (_, at) => row(at + 1));
  const first = contextOf(thousand);
  const { fails: before } = keptFails.of(check, first, true, rowsOf(first));
  assert.is(state.calls, 1000);
  // Another process at the front moves every row.
  const second = contextOf([...thousand.slice(1), row(2000)]);
  const { fails: after } = keptFails.of(check, second, true, rowsOf(second));
  assert.is(state.calls, 1001);
  assert.is(after[0], before[1], 'the very same fail');
});

test('a reused pid and changed evidence are evaluated again', () => {
  const changed: readonly Partial<ProcessRow>[] = [
    { start: 9n },
    { comm: 'y' },
    { exe: '/tmp/y' },
    { uid: 0 },
    { euid: 0 },
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

test('a row that differs in what its fail does not show keeps the fail', () => {
  const { check, state } = counted(ruleOf('unlearned-process'));
  const keptFails = new KeptFails();
  const [first, other, last] = [row(5), row(5, { ppid: 77 }), row(5, { ppid: 77, comm: 'y' })].map((one) => {
    const context = contextOf([one]);
    return keptFails.of(check, context, true, rowsOf(context)).fails[0];
  });
  assert.is(state.calls, 3);
  assert.is(other, first, 'the very same fail');
  assert.is.not(last, first);
  assert.is(last?.evidence.comm, 'y');
});

test('traced: a debugger is evaluated again when the session of its user ends, or it leaves its terminal', () => {
  const traced = ruleOf('traced');
  const keptFails = new KeptFails();
  const processes = [row(5, { exe: '/usr/bin/strace', tty: 34_816 }), row(6, { tracer: 5 })];
  const away = [row(5, { exe: '/usr/bin/strace' }), row(6, { tracer: 5 })];
  const classOf = (rows: readonly ProcessRow[], uids: readonly number[]) =>
    keptFails.of(traced, contextOf(rows, uids), true, [1]).fails[0]?.evidenceClass;
  assert.is(classOf(processes, [1000]), 'by its user /usr/bin/strace');
  assert.is(classOf(processes, []), '/usr/bin/strace');
  assert.is(classOf(processes, [1000]), 'by its user /usr/bin/strace');
  assert.is(classOf(away, [1000]), '/usr/bin/strace');
});

test('a listener without a readable holder is evaluated again when some process begins or ends to hide its descriptors', () => {
  for (const [id, address] of [
    ['unknown-local-listener', '127.0.0.1'],
    ['public-listener', '0.0.0.0'],
  ] as const) {
    const keptFails = new KeptFails();
    const waits = (works: boolean) => {
      const probe = { id: 'descriptors', works, reason: '', cure: '' };
      const holders = [{ pid: 15, start: '15', fd: 3 }];
      const snapshot = snapshotFrom({
        listeners: [{ address, port: 2001, owner: 'held', executable: '', holders }],
        probes: [probe],
      });
      const [fail] = keptFails.of(ruleOf(id), { ...contextOf([]), snapshot }, false, [0]).fails;
      return fail?.unattributed;
    };
    assert.equal([waits(false), waits(true), waits(false)], [false, true, false], id);
  }
});

test('over any history the cached fails equal those of a first evaluation', () => {
  const rows = fc.uniqueArray(
    fc.record({
      pid: fc.integer({ min: 1, max: 6 }),
      start: fc.bigInt({ min: 1n, max: 3n }),
      comm: fc.constantFrom('a', 'b'),
      exe: fc.constantFrom('/tmp/a', '/home/u/.x/c', '/memfd:a (deleted)', '/usr/bin/strace', ''),
      uid: fc.constantFrom(0, 1000),
      euid: fc.constantFrom(0, 1000),
      tty: fc.constantFrom(0, 34_816),
      seen: fc.constantFrom(FACT.stat, FACT.stat | FACT.status, FACT.stat | FACT.status | FACT.exe),
      ppid: fc.integer({ min: 0, max: 6 }),
      tracer: fc.integer({ min: 0, max: 6 }),
    }),
    { selector: ({ pid }) => pid, maxLength: 6 },
  );
  const checks = 'odd-executable-path traced name-mismatch unlearned-process memfd-executable'
    .split(' ')
    .map(ruleOf);
  const sessions = fc.subarray([0, 1000]);
  forAllOf(200)(fc.array(fc.tuple(rows, sessions), { maxLength: 8 }), (history) => {
    const keptFails = new KeptFails();
    for (const [processes, uids] of history) {
      const context = contextOf(
        [...processes].sort((a, b) => a.pid - b.pid),
        uids,
      );
      for (const check of checks)
        assert.equal(
          keptFails.of(check, context, true, rowsOf(context)),
          new KeptFails().of(check, context, true, rowsOf(context)),
        );
    }
  });
});

test.run();
