/** Computing a finding does not search every listener: one user may have ten thousand of them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ListenerSubject, listenerOf } from '../../src/checks/subjects.ts';
import type { Listener } from '../../src/engine/snapshot.ts';
import { observe } from '../../src/features/baseline/observation.ts';
import { residueOf } from '../../src/features/baseline/residue.ts';
import type { Finding, Suppressed } from '../../src/findings/finding.ts';
import { listenerTable } from '../../src/records/tables.ts';
import { snapshotFrom } from '../support/snapshot.ts';
import { findingFrom, stateFrom } from '../support/state.ts';

const MANY = 2_000;
/** Reads of a listener's inode, for each operation over all listeners. */
const MOST_READS = 20;

const subjectAt = (at: number): ListenerSubject => ({
  kind: 'listener',
  protocol: 'tcp',
  address: '127.0.0.1',
  port: 1024 + at,
  inode: 50_000 + at,
});

/** A state with a finding and a suppression for each of many listeners, and how often an inode of a listener was read. */
function crowd() {
  const made = snapshotFrom({
    listeners: Array.from({ length: MANY }, (_, at) => ({
      port: 1024 + at,
      inode: 50_000 + at,
      holders: [{ pid: 500, start: '500', fd: 3 }],
    })),
  });
  let reads = 0;
  const listeners: readonly Listener[] = made.listeners.map((listener) =>
    Object.defineProperty({ ...listener }, 'inode', {
      get: () => {
        reads++;
        return listener.inode;
      },
    }),
  );
  const snapshot = { ...made, listeners };
  const findings: Finding[] = listeners.map((_, at) =>
    findingFrom({ id: `f${at}`, check: 'unknown-local-listener', subject: subjectAt(at) }),
  );
  const suppressed = findings.map(
    ({ check, subject }) =>
      ({ check, subject, source: 'law', name: '', why: 'ours', evidenceClass: '' }) as unknown as Suppressed,
  );
  const state = stateFrom({ findings });
  const judgement = { ...state.judgement, findings, scars: findings, suppressed };
  reads = 0;
  return { state: { ...state, snapshot, judgement }, reads: () => reads };
}

test('a listener is found by its inode, in our own network namespace only', () => {
  const { state } = crowd();
  assert.is(listenerOf(subjectAt(7), state.snapshot)?.port, 1031);
  assert.is(listenerOf({ ...subjectAt(7), namespace: 4026532000 }, state.snapshot), undefined);
  assert.is(listenerOf({ ...subjectAt(7), inode: 1 }, state.snapshot), undefined);
});

const uses: Readonly<Record<string, (state: ReturnType<typeof crowd>['state']) => void>> = {
  'listenerOf for each': ({ snapshot }) => {
    for (let at = 0; at < MANY; at++) listenerOf(subjectAt(at), snapshot);
  },
  observe: (state) => void observe(state, { identityOf: () => new Uint8Array([1]) }, new Set([8766])),
  residueOf: ({ snapshot, judgement }) => void residueOf(judgement.scars, snapshot),
  'the listener table': (state) => {
    const table = listenerTable.assemble({ state, allowSources: [] });
    assert.equal(table.findings[3], ['f3']);
    assert.is(table.allowed[3], 'law');
  },
};
for (const [name, use] of Object.entries(uses))
  test(`${name}: the work grows linearly with the listeners`, () => {
    const { state, reads } = crowd();
    use(state);
    assert.ok(reads() <= MANY * MOST_READS, `${reads()} reads of ${MANY} listeners`);
  });

test.run();
