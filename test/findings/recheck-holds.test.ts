/** A judgement that holds is the one that judging again comes to: random histories of machines, judged both ways. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedVerdicts } from '../../src/checks/cached-verdicts.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { NO_RESIDUE } from '../../src/checks/residue.ts';
import { configSchema } from '../../src/config/schema.ts';
import { EVERY_MS } from '../../src/engine/bounds.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { Judgement } from '../../src/findings/finding.ts';
import { isHeld } from '../../src/findings/recheck.ts';
import { hashText } from '../support/judge.ts';
import { recheckFrom } from '../support/recheck.ts';
import { QUIET_HOST, SMALL_MACHINE, snapshotFrom } from '../support/snapshot.ts';
import type { ProcessRow } from '../support/table.ts';

const law = lawOf(configSchema.parse({}));

/** One learned identity: what else runs fails, and what it is about changes from step to step. */
const LEARNED = {
  known: {
    identities: new Set(['/usr/bin/node', '/usr/bin/bash'].map(hashText)),
    listeners: new Set<string>(),
    classes: new Set<string>(),
  },
};

const process = fc.record(
  {
    pid: fc.integer({ min: 1000, max: 1012 }),
    start: fc.constantFrom(10n, 20n),
    ppid: fc.constantFrom(1, 800, 1003, 7777),
    uid: fc.constantFrom(0, 1000),
    comm: fc.constantFrom('bash', 'kworker/0:1', 'x'),
    exe: fc.constantFrom('/usr/bin/bash', '/tmp/x', '/usr/bin/x (deleted)', '/memfd:x (deleted)'),
    tracer: fc.constantFrom(0, 800),
  },
  { requiredKeys: ['pid', 'start'] },
);

const step = fc.record({
  came: fc.array(process, { maxLength: 3 }),
  left: fc.array(fc.integer({ min: 1000, max: 1012 }), { maxLength: 3 }),
  host: fc.constantFrom(0, 0, 0, 1),
  listeners: fc.constantFrom(0, 0, 0, 1),
  blind: fc.boolean(),
  laterMs: fc.constantFrom(1, 1, 1, 1, EVERY_MS.all),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const HOSTS = [QUIET_HOST, { ...QUIET_HOST, preload: { bytes: 9, libraries: ['/tmp/x.so'] } }];

/** Snapshots that follow each other, as the engine makes them: what did not change is the same object. */
function history(steps: readonly Step[]): readonly Snapshot[] {
  const rows = new Map<number, ProcessRow & { readonly pid: number }>();
  const first = snapshotFrom();
  const listeners = [
    first.listeners,
    snapshotFrom({ listeners: [{}, { address: '0.0.0.0', port: 23 }] }).listeners,
  ];
  let before = new Map<number, string>();
  let monotonicMs = first.at.monotonicMs;
  return steps.map((one, at) => {
    for (const pid of one.left) rows.delete(pid);
    for (const row of one.came) rows.set(row.pid, row);
    const processes = [...SMALL_MACHINE, ...[...rows.values()].sort((a, b) => a.pid - b.pid)];
    const made = snapshotFrom({
      processes,
      listeners: listeners[one.listeners]?.map((listener) => ({ ...listener })) ?? [],
    });
    const now = new Map(processes.map((row) => [row.pid as number, String(Object.entries(row))]));
    const differ = [...new Set([...before.keys(), ...now.keys()])].filter(
      (pid) => before.get(pid) !== now.get(pid),
    );
    before = now;
    monotonicMs += one.laterMs;
    return {
      ...made,
      generation: at + 1,
      delta: at === 0 ? null : { pids: Int32Array.from(differ).sort() },
      at: { ...made.at, monotonicMs },
      listeners: listeners[one.listeners] ?? [],
      connections: first.connections,
      programs: first.programs,
      engine: first.engine,
      probes: first.probes,
      host: HOSTS[one.host] ?? QUIET_HOST,
    };
  });
}

/** What a state shows of a judgement. When a finding was last seen is known to the second, and shown at most 5 s late. */
const shown = ({ findings, unconfirmed, suppressed, notes, ...counts }: Judgement) => {
  const { scars: _, avenues, checks: __, ...numbers } = counts;
  const plain = (list: Judgement['findings']) => list.map(({ lastSeen: ___, ...finding }) => finding);
  return {
    findings: plain(findings),
    unconfirmed: plain(unconfirmed),
    suppressed,
    notes,
    avenues,
    ...numbers,
  };
};

test('what holds equals what is judged again, for any history', async () => {
  let held = 0;
  let partly = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const snapshots = history(steps);
      let at = 0;
      const options = {
        checks: CHECKS,
        law: () => law,
        baseline: () => LEARNED,
        residue: () => NO_RESIDUE,
        // A second sample finds what the first one found.
        sweep: async () => snapshots[at] as Snapshot,
      };
      const [holding, judging] = [0, 1].map(() => recheckFrom({ ...options, cached: new CachedVerdicts() }));
      let state: Judgement | null = null;
      for (at = 0; at < snapshots.length; at++) {
        const result = await holding?.run(null, true);
        const whole = await judging?.run(null);
        if (result === undefined || whole === undefined) throw new Error('no recheck');
        if (isHeld(result)) {
          assert.ok(state !== null);
          if (result.counts === null) held++;
          else partly++;
          state = { ...(state as Judgement), ...result.counts, generation: result.snapshot.generation };
          assert.is(result.unlearned, whole.unlearned);
        } else state = result.judgement;
        assert.equal(shown(state as Judgement), shown(whole.judgement));
      }
    }),
    { numRuns: 400 },
  );
  assert.ok(held > 10, `${held} held`);
  assert.ok(partly > 10, `${partly} held but for their counts`);
});

test.run();
