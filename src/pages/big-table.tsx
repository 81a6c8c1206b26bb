/** A table of thousands of rows, elements only for those in sight, of one height: a grid with aria-rowcount (WAI-ARIA 1.2). */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AnyTable } from '../records/columns.ts';
import { identityOf, type Lists, searchedValues, sortValues } from '../records/table-cells.ts';
import { useDesk } from './desk-context.ts';
import { Choice, number, Section, Time } from './parts.tsx';
import { useRecord } from './record-reader.ts';
import { Rows, stepped, stretch } from './rows.ts';
import { Search } from './table-tools.tsx';
import { cellOf, detailOf } from './tables.tsx';

/** Elements of rows beyond each end of what is in sight. */
const SPARE = 8;

/** CSS grid layout removes table semantics from the accessibility tree, so roles are explicit. */
const as = (role: 'rowgroup' | 'row' | 'columnheader') => ({ role });

const classOf = ({ columns }: AnyTable, key: string): string =>
  ['number', 'findings'].includes(columns[key].shown.as) ? `c-${key} number` : `c-${key}`;

/** `row` of the record, at `place` of what is shown. */
const Line = (props: {
  table: AnyTable;
  record: Lists;
  row: number;
  place: number;
  rowPx: number;
  current: boolean;
}) => (
  <tr
    id={`${props.table.id}-row-${props.place}`}
    {...as('row')}
    class={props.current ? 'line current' : props.place % 2 === 0 ? 'line' : 'line odd'}
    aria-rowindex={props.place + 2}
    aria-selected={props.current}
    style={{ top: `${props.place * props.rowPx}px` }}
  >
    {props.table.order.map((key, index) => (
      <td key={key} role={index === 0 ? 'rowheader' : 'gridcell'} class={classOf(props.table, key)}>
        {cellOf(props.table, props.record, key, props.row)}
      </td>
    ))}
  </tr>
);

/** The table of a record (`records/columns.ts`). */
export function BigTable({ table }: { table: AnyTable }) {
  const { id, order: columns, noun } = table;
  const { actions } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const ruler = useRef<HTMLDivElement>(null);
  // Records do not import operations: a test compares the path with theirs.
  const { record, trouble } = useRecord<Lists>(table.path as never, box);
  const [query, search] = useState('');
  const [pick, choose] = useState(table.picks[0]?.[0] ?? '');
  const [sort, sortBy] = useState(table.sort);
  const [rowPx, measure] = useState(36);
  const [sight, setSight] = useState({ from: 0, height: 600 });
  /** Identity of the current row: it stays the same process while others come and go. */
  const [current, setCurrent] = useState<string | null>(null);
  const was = useRef(-1);

  const rows = useMemo(
    () =>
      record === null
        ? null
        : new Rows(
            record.total,
            (key) => sortValues(table, record, key),
            (row) => searchedValues(table, record, row),
          ),
    [record, table],
  );
  const order = useMemo(() => rows?.order(sort.key, sort.descending) ?? new Uint32Array(), [rows, sort]);
  const shown = useMemo(() => {
    const chosen = table.picks.find(([key]) => key === pick)?.[2] ?? null;
    if (rows === null || record === null) return order;
    return rows.matching(order, query, chosen === null ? null : (row) => chosen(record as never, row));
  }, [rows, order, query, pick, record, table]);
  const at = useMemo(() => {
    if (record === null || current === null) return -1;
    return shown.findIndex((row) => identityOf(table, record, row) === current);
  }, [shown, current, record, table]);

  const seen = () => {
    if (box.current === null || body.current === null) return;
    const from = box.current.scrollTop - body.current.offsetTop;
    const height = box.current.clientHeight;
    setSight((before) =>
      Math.floor(before.from / rowPx) === Math.floor(from / rowPx) && before.height === height
        ? before
        : { from, height },
    );
  };
  useLayoutEffect(() => {
    if (box.current === null) return;
    const sized = new ResizeObserver(() => {
      measure(ruler.current?.offsetHeight || 36);
      seen();
    });
    sized.observe(box.current);
    return () => sized.disconnect();
  }, []);
  useEffect(seen, [shown, rowPx]);

  const [from, to] = stretch(shown.length, rowPx, sight, SPARE);
  /** Brings a place into sight: under the head, which stays, and above the end. */
  const reveal = (place: number) => {
    if (box.current === null || body.current === null) return;
    const { scrollTop, clientHeight } = box.current;
    const head = body.current.offsetTop;
    const sticks = getComputedStyle(body.current.previousElementSibling as Element).position === 'sticky';
    const top = head + place * rowPx;
    if (top < scrollTop + (sticks ? head : 0)) box.current.scrollTop = top - (sticks ? head : 0);
    else if (top + rowPx > scrollTop + clientHeight) box.current.scrollTop = top + rowPx - clientHeight;
    seen();
  };
  const keys = (event: KeyboardEvent) => {
    if (record === null || event.target !== event.currentTarget || event.altKey || event.metaKey) return;
    const inSight = Math.floor((box.current?.clientHeight ?? 0) / rowPx) - 1;
    const place = stepped(event.key, at < 0 ? null : at, shown.length, inSight);
    if (place === null) return;
    event.preventDefault();
    setCurrent(identityOf(table, record, shown[place] as number));
    reveal(place);
  };
  const clicked = (event: MouseEvent) => {
    const line = (event.target as Element).closest('tbody [role=row]');
    const row = shown[Number(line?.getAttribute('aria-rowindex')) - 2];
    if (record !== null && row !== undefined) setCurrent(identityOf(table, record, row));
  };
  const sorted = (key: string) => {
    sortBy({ key, descending: sort.key === key && !sort.descending });
    if (box.current !== null) box.current.scrollTop = 0;
  };

  // Elements that left sight are reused for rows that came; those that stay are not compared again while the rows, their height
  // and how many are drawn are the same.
  const drawn = useMemo(() => ({ lines: new Map<number, VNode>() }), [shown, rowPx, to - from]);
  const lines = new Map<number, VNode>();
  if (record !== null)
    for (let place = from; place < to; place += 1) {
      const same = place === at || place === was.current ? undefined : drawn.lines.get(place);
      const row = shown[place] as number;
      const line = { table, record, row, place, rowPx, current: place === at };
      lines.set(place, same ?? <Line key={place % (to - from)} {...line} />);
    }
  drawn.lines = lines;
  was.current = at;
  const [one, many] = noun;
  const off = actions === null;
  const detail = record === null || at < 0 ? [] : detailOf(table, record, shown[at] as number);
  const hint = (): ComponentChildren => {
    if (off)
      return (
        <>
          The table needs scripts. The same as a record: <a href={table.path}>{table.path}</a>
          {table.command !== undefined && ['; in a terminal: ', <code key="command">{table.command}</code>]}.
        </>
      );
    if (trouble !== '') return trouble;
    if (record === null) return `Reading the ${many}.`;
    if (record.total === 0) return `There are no ${many}.`;
    return shown.length === 0
      ? `No ${one} matches the filter.`
      : `Choose a ${one} to read everything about it here.`;
  };
  return (
    <Section
      id={id}
      title={table.title}
      class="big-table"
      {...(table.id === 'processes' && { term: 'processes' as const })}
      aside={
        <p class="soft small said table-said">
          <span role="status">
            {record !== null &&
              `${number(shown.length)} of ${number(record.total)} ${record.total === 1 ? one : many}`}
          </span>
          {record !== null && [', as of ', <Time key="ts" at={record.ts} part="clock" />]}
        </p>
      }
    >
      <div class="table-tools">
        <Search
          label={`Filter ${many}`}
          hint={table.searchHint}
          value={query}
          disabled={off}
          search={search}
        />
        <Choice
          legend={`Which ${many}`}
          name={`${id}-pick`}
          options={table.picks}
          value={pick}
          disabled={off}
          choose={choose}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: rows that are not there are no rows of a table element */}
      <div
        ref={box}
        class={`window ${id}`}
        role="grid"
        tabIndex={0}
        aria-labelledby={id}
        aria-rowcount={shown.length + 1}
        aria-colcount={columns.length}
        aria-busy={!off && record === null && trouble === ''}
        aria-activedescendant={at >= from && at < to ? `${id}-row-${at}` : undefined}
        onScroll={seen}
        onKeyDown={keys}
        onClick={clicked}
      >
        <div class="ruler" ref={ruler} aria-hidden="true" />
        <table role="none">
          <thead {...as('rowgroup')}>
            <tr {...as('row')} class="line" aria-rowindex={1}>
              {columns.map((key) => (
                <th
                  key={key}
                  {...as('columnheader')}
                  class={classOf(table, key)}
                  aria-sort={sort.key !== key ? 'none' : sort.descending ? 'descending' : 'ascending'}
                >
                  <button type="button" disabled={off} onClick={() => sorted(key)}>
                    {table.columns[key].shown.head}
                    <svg viewBox="0 0 8 10" width="8" height="10" aria-hidden="true">
                      <path d={sort.key === key && sort.descending ? 'M1 3l3 4 3-4z' : 'M1 7l3-4 3 4z'} />
                    </svg>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody
            {...as('rowgroup')}
            ref={body}
            {...(record !== null && { style: { height: `${shown.length * rowPx}px` } })}
          >
            {[...lines.values()]}
          </tbody>
        </table>
      </div>
      <div class={detail.length > 0 ? 'row-detail chosen' : 'row-detail'}>
        {detail.length > 0 ? (
          <dl>
            {detail.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p class="soft">{hint()}</p>
        )}
      </div>
    </Section>
  );
}
