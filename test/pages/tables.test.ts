/** The process and the listener table, without a browser: order, filter, visible rows, and server rendering. */
import fc from 'fast-check';
import { type ComponentChildren, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FACT, WRAP_STATE } from '../../src/engine/native/column-types.ts';
import { BigTable } from '../../src/pages/big-table.tsx';
import { DeskContext } from '../../src/pages/desk-context.ts';
import { Rows, stepped, stretch } from '../../src/pages/rows.ts';
import { cellOf, detailOf } from '../../src/pages/tables.tsx';
import type { AnyTable } from '../../src/records/columns.ts';
import { LISTENERS } from '../../src/records/listener-columns.ts';
import { page } from '../../src/records/page.ts';
import { PROCESSES } from '../../src/records/process-columns.ts';
import { type CellValue, type Lists, sortValues } from '../../src/records/table-cells.ts';
import { listenerTable, processTable } from '../../src/records/tables.ts';
import { forAll } from '../support/for-all.ts';
import { stateFrom } from '../support/state.ts';

const test = suite('tables');

const rendered = (table: AnyTable): string =>
  renderToString(
    h(
      DeskContext.Provider,
      {
        value: {
          page: page.assemble(stateFrom()),
          live: null,
          link: 'rendered',
          trouble: '',
          actions: null,
        },
      },
      h(BigTable, { table }),
    ),
  );

const cells = fc.oneof(
  fc.array(fc.option(fc.oneof(fc.nat(), fc.double({ noNaN: true })), { nil: null }), { maxLength: 60 }),
  fc.array(
    fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', 'B', 'b', '')), { nil: null }),
    {
      maxLength: 60,
    },
  ),
);

/** The expected order: by value, ignoring case, stable, unknown values last. */
function plainOrder(values: readonly CellValue[], descending: boolean): number[] {
  const folded = values.map((value) => (typeof value === 'string' ? value.toLowerCase() : value));
  return folded
    .map((_, row) => row)
    .sort((a, b) => {
      const [one, other] = [folded[a] ?? null, folded[b] ?? null];
      if (one === other) return a - b;
      if (one === null || other === null) return one === null ? 1 : -1;
      return (one < other ? -1 : 1) * (descending ? -1 : 1);
    });
}

test('rows are in the order of a plain sort, unknown values last in both directions', () => {
  forAll(cells, fc.boolean(), (values, descending) => {
    // -0 and 0 are one value.
    const column = values.map((value) => (value === 0 ? 0 : value));
    const rows = new Rows(
      column.length,
      () => column,
      () => [],
    );
    assert.equal([...rows.order('key', descending)], plainOrder(column, descending));
  });
});

test('every search word must match, ignoring case, and the order is kept', () => {
  const names = ['sshd', 'SSH-agent', 'bash', 'node'];
  const rows = new Rows(
    4,
    () => names,
    (row) => [row + 100, names[row] ?? null, row % 2 === 0 ? 'free' : 'wrapped'],
  );
  const order = rows.order('name', true);
  assert.equal([...rows.matching(order, '', null)], [...order]);
  assert.equal([...rows.matching(order, ' ssh ', null)], [0, 1]);
  assert.equal([...rows.matching(order, 'ssh FREE', null)], [0]);
  assert.equal([...rows.matching(order, '103', null)], [3]);
  assert.equal([...rows.matching(order, 'free', (row) => row > 1)], [2]);
  assert.equal([...rows.matching(order, 'null', null)], []);
});

test('the rendered rows contain every visible row, and their number does not depend on the position', () => {
  forAll(
    fc.nat(6000),
    fc.integer({ min: 10, max: 80 }),
    fc.integer({ min: 0, max: 500_000 }),
    fc.integer({ min: 0, max: 2000 }),
    fc.integer({ min: 0, max: 20 }),
    (count, rowPx, wanted, height, spare) => {
      const top = Math.min(wanted, Math.max(0, count * rowPx - height));
      const [from, to] = stretch(count, rowPx, { from: top, height }, spare);
      assert.ok(from >= 0 && to <= count && from <= to);
      const [first, last] = [Math.floor(top / rowPx), Math.min(count, Math.ceil((top + height) / rowPx))];
      assert.ok(from <= Math.min(first, count) && to >= last);
      assert.is(to - from, Math.min(count, Math.ceil(height / rowPx) + 2 * spare + 1));
    },
  );
});

test('keys move the current row within the table', () => {
  assert.is(stepped('ArrowDown', null, 5, 3), 0);
  assert.is(stepped('ArrowUp', null, 5, 3), 0);
  assert.is(stepped('ArrowDown', 4, 5, 3), 4);
  assert.is(stepped('PageDown', 0, 5, 3), 2);
  assert.is(stepped('PageUp', 4, 5, 3), 2);
  assert.is(stepped('Home', 3, 5, 3), 0);
  assert.is(stepped('End', null, 5, 3), 4);
  assert.is(stepped('End', null, 0, 3), null);
  assert.is(stepped('x', 1, 5, 3), null);
});

test('cells and details have the texts of their columns, and unknown values are labelled', () => {
  const state = stateFrom({
    snapshot: {
      processes: [
        { pid: 5, comm: 'web', exe: '/usr/bin/web', wrap: 1 },
        {
          pid: 6,
          comm: 'shy',
          exe: '',
          state: '?',
          refused: FACT.stat | FACT.status,
          wrapState: WRAP_STATE.blind,
        },
      ],
      listeners: [
        { port: 22, holders: [{ pid: 5, start: '5', fd: 3 }] },
        { port: 23, holders: [] },
      ],
    },
  });
  const processes = processTable.assemble(state);
  const listeners = listenerTable.assemble({ state, allowSources: ['law', ''] });
  const text = (cell: ComponentChildren) => renderToString(h('p', null, cell)).replace(/<[^>]*>/g, '');
  const line = (table: AnyTable, lists: object, row: number) =>
    table.order.map((key: string) => text(cellOf(table, lists as Lists, key, row)));
  const detail = (table: AnyTable, lists: object, row: number) =>
    Object.fromEntries(detailOf(table, lists as Lists, row).map(([head, value]) => [head, text(value)]));
  assert.equal(line(PROCESSES, processes, 1), [
    '6',
    'shy',
    'blind refused: stat, status',
    '',
    '',
    '',
    'unknown',
    '',
    '',
    '0',
  ]);
  assert.equal(sortValues(PROCESSES, processes, 'wrap'), ['wrapped seccomp', 'blind refused: stat, status']);
  assert.equal(sortValues(PROCESSES, processes, 'state'), ['sleeping', 'unknown']);
  const { Executable, Confinement, User, Started, Kind } = detail(PROCESSES, processes, 1);
  assert.equal(
    [Executable, Confinement, User, Started, Kind],
    ['none, or unread', 'blind: refused: stat, status', 'unknown', 'unknown', 'process'],
  );
  assert.is(
    line(LISTENERS, listeners, 0).join(' '),
    '22 tcp 127.0.0.1 loopback /usr/bin/node 5 1000 by law 0',
  );
  assert.is(
    line(LISTENERS, listeners, 1).join(' '),
    '23 tcp 127.0.0.1 loopback ownerless  1000 by nothing 0',
  );
  assert.equal(sortValues(LISTENERS, listeners, 'pids'), [5, null]);
  assert.equal(sortValues(LISTENERS, listeners, 'findings'), [0, 0]);
  const { 'Held by': heldBy, Allowed, Findings } = detail(LISTENERS, listeners, 1);
  assert.equal([heldBy, Allowed, Findings], ['none known', 'by nothing', 'none']);
});

test('without scripts a table says where its data is, and its controls are disabled', () => {
  for (const [table, path, command] of [
    [PROCESSES, '/h7/processes', 'desk spv antivirus once'],
    [LISTENERS, '/h7/listeners', 'The same as a record'],
  ] as const) {
    const markup = rendered(table);
    assert.match(markup, `href="${path}"`);
    assert.match(markup, command);
    assert.match(markup, 'role="grid"');
    assert.match(markup, 'aria-sort="descending"');
    const works = /<button(?![^>]*(?:disabled|popovertarget))[^>]*>/;
    assert.not.match(markup, works);
    assert.not.match(markup, 'style=');
  }
});

test.run();
