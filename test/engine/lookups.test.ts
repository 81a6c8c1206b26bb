/** Look-ups of the engine's generations: right for the sets of the moment, whichever of the last two generations is judged. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookup } from '../../src/checks/conditions.ts';
import { ProgramBuilder } from '../../src/checks/program.ts';
import type { Changes } from '../../src/engine/events.ts';
import type { Identities } from '../../src/engine/native/table-types.ts';
import { LOOKUP } from '../../src/engine/native/types.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { ProcMachine } from '../support/proc-machine.ts';

const test = suite('look-ups');

const builder = new ProgramBuilder('processes');
const nodes = [LOOKUP.parentMissing, LOOKUP.learned, LOOKUP.lost].map((bit) => builder.node(lookup(bit)));
const program = builder.build(nodes, 0);

/** How many rows have a missing parent, a learned identity, a lost one: by definition. */
function counted({ processes: { columns, count } }: Snapshot, { learned, lost }: Identities): number[] {
  const pids = columns.pid.subarray(0, count);
  const counts = [0, 0, 0] as [number, number, number];
  for (let row = 0; row < count; row++) {
    const parent = columns.ppid[row] as number;
    if (parent !== 0 && !pids.includes(parent)) counts[0]++;
    if (learned.includes(columns.identity[row] as bigint)) counts[1]++;
    if (lost.includes(columns.identity[row] as bigint)) counts[2]++;
  }
  return counts;
}

const changesOf = (dirty: readonly number[], all: boolean): Changes => ({
  ...{ resync: false, all, listeners: false, connections: false, broken: false, oldestUs: 0 },
  dirty: Int32Array.from(dirty),
});

const pid = fc.integer({ min: 10, max: 20 });
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('set', 'set', 'remove'), pid, parent: pid, number: fc.nat(3) }),
  fc.record({ kind: fc.constantFrom('sweep', 'sweep', 'pass', 'whole') }),
  fc.record({ kind: fc.constantFrom('judge', 'judge', 'learn'), back: fc.nat(1), number: fc.nat(3) }),
);

test('random histories of changes, sweeps, sets and judgements', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
      using machine = new ProcMachine();
      machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
      const capacity = { processes: 16, sockets: 4, holders: 4, text: 4096 };
      const engine = new Engine({ root: machine.path, workers: 1, capacity, deadlineMs: 60_000 });
      try {
        const snapshots = [await engine.sweep()];
        let identities: Identities = { learned: new BigUint64Array(), lost: new BigUint64Array() };
        let dirty: number[] = [];
        let born = 0n;
        const judge = async (back: number) => {
          const snapshot = snapshots.at(-1 - back) ?? (snapshots.at(-1) as Snapshot);
          const job = { program, parameters: new BigUint64Array(), identities };
          const { answers } = await engine.judge([job], snapshot);
          assert.equal([...(answers[0]?.counts ?? [])], counted(snapshot, identities));
        };
        for (const one of steps) {
          if ('parent' in one) {
            if (one.kind === 'remove') machine.remove(one.pid);
            else
              machine.set({
                ...{ pid: one.pid, comm: 'x', ppid: one.number === 0 ? 0 : one.parent, start: ++born },
                exe: `/opt/app-${one.number}`,
              });
            dirty.push(one.kind === 'remove' ? -one.pid : one.pid);
          } else if ('back' in one) {
            if (one.kind === 'learn') {
              const { columns, count } = (snapshots.at(-1) as Snapshot).processes;
              const some = (part: number) =>
                columns.identity.slice(0, count).filter((_, at) => (at + one.number) % 3 >= part);
              identities = { learned: some(1), lost: some(2) };
            }
            await judge(one.back);
          } else {
            const changes = one.kind === 'whole' ? null : changesOf(dirty, one.kind === 'pass');
            snapshots.push(await engine.sweep(changes));
            dirty = [];
          }
        }
        await judge(0);
      } finally {
        await engine.close();
      }
    }),
    { numRuns: 8 },
  );
});

test('sets that change while a sweep runs', async () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  machine.set({ pid: 10, comm: 'x', ppid: 9, exe: '/opt/x' });
  const engine = new Engine({ root: machine.path, workers: 1, deadlineMs: 60_000 });
  try {
    const first = await engine.sweep();
    const { columns, count } = first.processes;
    const learned = columns.identity.slice(0, count);
    const identities = { learned, lost: learned.subarray(1) };
    const job = { program, parameters: new BigUint64Array(), identities };
    machine.set({ pid: 10, comm: 'x', ppid: 9, exe: '/opt/y' });
    const sweep = engine.sweep();
    const { answers } = await engine.judge([job], first);
    assert.is(engine.generation, first.generation, 'the sweep still runs');
    assert.equal([...(answers[0]?.counts ?? [])], counted(first, identities));
    const next = await sweep;
    const judged = await engine.judge([job], next);
    assert.equal([...(judged.answers[0]?.counts ?? [])], counted(next, identities));
  } finally {
    await engine.close();
  }
});

test.run();
