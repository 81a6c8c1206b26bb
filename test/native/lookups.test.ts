/** The look-ups of a whole generation, against their definition. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Identities } from '../../src/engine/native/table-types.ts';
import { LOOKUP } from '../../src/engine/native/types.ts';
import { testedMarks } from '../support/marks.ts';
import { columnsFrom } from '../support/table.ts';

const addons = testedMarks().map((mark) => loadNative(mark).addon);
const [addon] = addons;
if (addon === undefined) throw new Error('no mark runs here');

const identity = fc.oneof(
  fc.bigInt({ min: 0n, max: 20n }),
  fc.constantFrom(1n << 63n, (1n << 64n) - 1n, 0x1_0000_0001n),
);
const identities = fc.array(identity, { maxLength: 30 }).map((list) => BigUint64Array.from(list));
// Pids beyond what a kernel has may be in foreign columns.
const pid = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constantFrom(0x7fff_ffff, 1 << 26, (1 << 26) - 1));
const ppid = fc.oneof(pid, fc.constantFrom(0, -1, -0x8000_0000));

test('parents, learned and lost identities, on every CPU build', () => {
  const rows = fc.uniqueArray(fc.record({ pid, ppid, identity, gone: fc.boolean() }), {
    selector: (row) => row.pid,
    maxLength: 80,
    size: 'max',
  });
  fc.assert(
    fc.property(rows, identities, identities, fc.boolean(), (processes, learned, lost, unsorted) => {
      const table = columnsFrom(
        processes.map(({ gone, ...row }) => ({ ...row, ...(gone && { state: '' }) })),
      );
      const { pid: pids, ppid: parents, identity: has, lookups } = table.processes;
      if (unsorted) pids.reverse();
      const expected = Array.from(parents, (parent, row) => {
        const one = has[row] as bigint;
        const missing = parent !== 0 && !pids.includes(parent);
        return (
          (missing ? LOOKUP.parentMissing : 0) |
          (learned.includes(one) ? LOOKUP.learned : 0) |
          (lost.includes(one) ? LOOKUP.lost : 0)
        );
      });
      for (const each of addons) {
        lookups.fill(0xff);
        each.lookUp(table.bytes, table.capacity, processes.length, { learned, lost });
        assert.equal([...lookups], expected, each.mark);
      }
    }),
    { numRuns: 500 },
  );
});

test('bad arguments throw', () => {
  const { bytes, capacity } = columnsFrom([{ pid: 1 }]);
  const none: Identities = { learned: new BigUint64Array(), lost: new BigUint64Array() };
  const table = addon.makeTable({ self: 1, groups: [], programs: [] });
  const wrong = { ...none, lost: new Uint32Array() } as never;
  assert.throws(() => addon.lookUp(bytes, capacity, 2, none), /count must be a whole number from 0 to 1/);
  assert.throws(() => addon.lookUp(bytes, capacity, 1, wrong), /lost must be a BigUint64Array/);
  assert.throws(() => addon.lookUp(new Uint8Array(8), capacity, 1, none), /buffer holds/);
  assert.throws(() => addon.setIdentities(table, undefined as never), /identities must be an object/);
  addon.freeTable(table);
  assert.throws(() => addon.setIdentities(table, none), /table/);
});

test.run();
