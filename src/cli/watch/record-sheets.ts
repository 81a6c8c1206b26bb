/** The tables of records in columns: processes, listeners, and ports made from listeners. Pure. */
import { strong } from '../../base/terminal.ts';
import type { AnyTable, Column } from '../../records/columns.ts';
import type { Detection } from '../../records/detection.ts';
import { LISTENERS } from '../../records/listener-columns.ts';
import type { Page } from '../../records/page.ts';
import { PROCESSES } from '../../records/process-columns.ts';
import { identityOf, itemOf, type Lists, sortValues, wordsOf } from '../../records/table-cells.ts';
import type { ListenerTable, ProcessTable } from '../../records/tables.ts';
import { type RowDetail, Sheet, type SheetColumn } from './sheet.ts';
import { fieldLines, shortTime } from './sheets.ts';

/** How a column of a record's table is shown here: those with the lowest weight give way on a narrow terminal. */
type Look = Pick<SheetColumn, 'weight'> & Partial<Pick<SheetColumn, 'shrink' | 'least' | 'head' | 'style'>>;

function recordSheet(
  table: AnyTable,
  lists: Lists,
  looks: Readonly<Record<string, Look>>,
  detail: RowDetail,
): Sheet {
  const described = table.columns as Readonly<Record<string, Column<unknown>>>;
  const columns = Object.entries(looks).map(([key, look]): SheetColumn => {
    const column = described[key] as Column<unknown>;
    const { head, as, tones, or } = column.shown ?? { head: key };
    const values = sortValues(table, lists, key);
    const number = as === 'number' || as === 'findings';
    return {
      key,
      head,
      ...(number && { align: 'right' as const }),
      ...look,
      value: (row) => values[row] ?? null,
      text(row) {
        const value = itemOf(lists, key, row);
        if (as === 'findings') return String(typeof value === 'object' ? (value?.length ?? 0) : value);
        const text = wordsOf(column, value);
        if (as === 'time') return text === '' ? '?' : shortTime(text);
        // What could not be read is not an empty cell.
        if (value === null) return '?';
        return text === '' && or !== undefined ? String(itemOf(lists, or, row)) : text;
      },
      style(row) {
        const value = itemOf(lists, key, row);
        if (as === 'findings')
          return (typeof value === 'object' ? (value?.length ?? 0) : Number(value)) > 0 ? 'bad' : 'dim';
        const tone = tones?.[String(value)];
        return look.style?.(row) ?? (tone === undefined || tone === 'calm' ? 'plain' : tone);
      },
    };
  });
  return new Sheet({
    noun: table.noun,
    count: lists.total,
    columns,
    order: table.sort,
    identity: (row) => identityOf(table, lists, row),
    detail,
  });
}

/** Everything that the record has about a row. */
const cellRows = (table: AnyTable, lists: Lists, row: number): (readonly [string, string])[] =>
  Object.entries(table.columns as Readonly<Record<string, Column<unknown>>>).flatMap(([key, column]) => {
    if (column.shown === undefined) return [];
    const { head, and, absent = 'unknown' } = column.shown;
    const words = wordsOf(column, itemOf(lists, key, row), absent);
    const more = and === undefined ? '' : String(itemOf(lists, and, row));
    return [[head.toLowerCase(), more === '' ? words : `${words}: ${more}`] as const];
  });

const MOST_PARENTS = 8;

/** `sh (12) ‹ sshd (9)`. */
function parentsOf({ pid, ppid, comm }: ProcessTable, row: number): string {
  const parents: string[] = [];
  let at = ppid[row] ?? 0;
  while (at !== 0 && parents.length < MOST_PARENTS) {
    const index = pid.indexOf(at);
    if (index < 0) break;
    parents.push(`${comm[index]} (${at})`);
    at = ppid[index] ?? 0;
  }
  return parents.join(' ‹ ');
}

const aboutProcess = (all: Detection | null, pid: number): Detection['findings'] =>
  all?.findings.filter(
    ({ subject, members }) =>
      subject.kind === 'process' && (subject.pid === pid || members.pids.includes(pid)),
  ) ?? [];

const findingRows = (found: Detection['findings']): (readonly [string, string])[] =>
  found.flatMap(({ id, severity, check, title }) => [
    ['finding', `${severity} ${check}: ${title}`] as const,
    ['next', `desk findings ${id}`] as const,
  ]);

export const processSheet = (table: ProcessTable): Sheet =>
  recordSheet(
    PROCESSES,
    table as unknown as Lists,
    {
      pid: { weight: 9 },
      comm: { weight: 9, head: 'Name', shrink: 'start', least: 15 },
      findings: { weight: 8 },
      wrap: { weight: 7 },
      uid: { weight: 6 },
      state: { weight: 3 },
      ppid: { weight: 2 },
      threads: { weight: 1 },
      start: { weight: 4 },
      executable: { weight: 5, shrink: 'end', least: 24 },
    },
    (row, width, detection) => {
      const pid = table.pid[row] ?? 0;
      return [
        [strong(`${table.comm[row]}`), `  pid ${pid}`],
        [],
        ...fieldLines(
          [
            ...cellRows(PROCESSES, table as unknown as Lists, row),
            ['parents', parentsOf(table, row)],
            ...findingRows(aboutProcess(detection, pid)),
          ],
          width,
        ),
      ];
    },
  );

export const listenerSheet = (table: ListenerTable): Sheet =>
  recordSheet(
    LISTENERS,
    table as unknown as Lists,
    {
      port: { weight: 9 },
      protocol: { weight: 9, head: 'Proto' },
      address: { weight: 6, shrink: 'start', least: 10 },
      scope: { weight: 5 },
      allowed: {
        weight: 8,
        style: (row) => (table.allowed[row] === '' ? 'warn' : 'plain'),
      },
      findings: { weight: 7 },
      uid: { weight: 3 },
      pids: { weight: 2, shrink: 'start' },
      executable: { weight: 4, shrink: 'end', least: 14 },
    },
    (row, width, detection) => [
      [strong(`${table.protocol[row]} port ${table.port[row]}`), `  ${table.address[row]}`],
      [],
      ...fieldLines(
        [
          ...cellRows(LISTENERS, table as unknown as Lists, row),
          ...findingRows(
            detection?.findings.filter(({ id }) => (table.findings[row] ?? []).includes(id)) ?? [],
          ),
        ],
        width,
      ),
    ],
  );

/** One port: that of the desk, or of a listener. */
interface Port {
  readonly port: number;
  readonly name: string;
  readonly state: string;
  readonly rows: readonly number[];
}

/** Every port that is watched or listened on, with who holds it and what allows that. */
export function portSheet({ ports, ports_known, banned }: Page, table: ListenerTable): Sheet {
  const rowsOf = new Map<number, number[]>();
  table.port.forEach((port, row) => {
    rowsOf.set(port, [...(rowsOf.get(port) ?? []), row]);
  });
  const own = new Map(ports.map((one) => [one.port, one]));
  const forbidden = new Set([banned.port, ...banned.also.map(({ port }) => port)]);
  const all = [...new Set([...own.keys(), ...rowsOf.keys()])]
    .sort((a, b) => a - b)
    .map((port): Port => {
      const desk = own.get(port);
      const rows = rowsOf.get(port) ?? [];
      const down = desk?.required ? 'DOWN' : 'down';
      const up = forbidden.has(port) ? 'up (banned)' : 'up';
      const state = desk === undefined || desk.up ? up : desk.known ? down : 'unknown';
      return { port, name: desk?.name ?? '', state, rows };
    });
  const of = (row: number) => all[row] as Port;
  const listed = (row: number, text: (listener: number) => string): string =>
    [...new Set(of(row).rows.map(text))].filter((part) => part !== '').join(', ');
  const words = (key: 'allowed' | 'scope') => (listener: number) =>
    wordsOf(LISTENERS.columns[key] as Column<unknown>, table[key][listener] ?? null);
  const owner = (row: number): string =>
    listed(row, (listener) => {
      const pids = (table.pids[listener] ?? []).join(' ');
      const path = table.executable[listener] || table.owner[listener] || '';
      return pids === '' ? path : `${path} (${pids})`;
    });
  const unallowed = (row: number): boolean => of(row).rows.some((listener) => table.allowed[listener] === '');
  const columns: readonly SheetColumn[] = [
    {
      key: 'port',
      head: 'Port',
      align: 'right',
      weight: 9,
      text: (row) => String(of(row).port),
      value: (row) => of(row).port,
    },
    {
      key: 'state',
      head: 'State',
      weight: 8,
      text: (row) => of(row).state,
      style: (row) =>
        (({ up: 'good', 'up (banned)': 'bad', DOWN: 'bad', unknown: 'warn' }) as const)[of(row).state] ??
        'dim',
    },
    { key: 'name', head: 'Of the desk', weight: 4, shrink: 'start', text: (row) => of(row).name },
    {
      key: 'protocol',
      head: 'Proto',
      weight: 3,
      text: (row) => listed(row, (at) => table.protocol[at] ?? ''),
    },
    { key: 'scope', head: 'Reach', weight: 5, text: (row) => listed(row, words('scope')) },
    {
      key: 'allowed',
      head: 'Allowed',
      weight: 7,
      shrink: 'start',
      least: 10,
      text: (row) => listed(row, words('allowed')),
      style: (row) => (unallowed(row) ? 'warn' : 'plain'),
    },
    { key: 'owner', head: 'Owner', weight: 6, shrink: 'end', least: 20, text: owner },
  ];
  return new Sheet({
    noun: ['port', 'ports'],
    count: all.length,
    columns,
    order: { key: 'port', descending: false },
    identity: (row) => String(of(row).port),
    detail: (row, width) => {
      const desk = own.get(of(row).port);
      const problems = [desk?.reason ?? '', desk?.issue ?? ''].filter((text) => text !== '');
      return [
        [strong(`port ${of(row).port}`), `  ${of(row).state}`],
        [],
        ...fieldLines(
          [
            ['of the desk', desk === undefined ? 'no' : `${desk.name}${desk.required ? ', required' : ''}`],
            ...problems.map((text) => ['problem', text] as const),
            ...of(row).rows.flatMap((listener) => [
              ['listener', `${table.protocol[listener]} ${table.address[listener]}`] as const,
              ...cellRows(LISTENERS, table as unknown as Lists, listener).filter(
                ([name]) => !['protocol', 'address', 'port'].includes(name),
              ),
            ]),
          ],
          width,
        ),
      ];
    },
    remarks: ports_known ? [] : ['not all listeners could be read: a port without one is unknown'],
  });
}
