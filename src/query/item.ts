/** What a row of an answer is called, and where its cells come from. */
import type { Bound } from './bind.ts';
import type { Row } from './groups.ts';
import { conditionText, valueText } from './text.ts';
import type { Cell, Column, Condition, Name, Value } from './types.ts';

/** `when`: a time in ms as text. */
export function cellText(cell: Cell, column: Column | null, when: (ms: number) => string): string {
  if (cell === null) return 'unknown';
  if (cell === undefined) return 'none';
  if (Array.isArray(cell)) return cell.join(', ') || 'none';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (column?.type === 'time' && typeof cell === 'number') return when(cell);
  if (typeof cell === 'number') return String(Number.isInteger(cell) ? cell : Number(cell.toPrecision(6)));
  return cell === '' ? '""' : String(cell);
}

const columnOf = ({ table }: Bound, name: string): Column | null =>
  table.columns.find((one) => one.name === name) ?? null;

/** In an expression of a path or a condition. */
const literal = (cell: Cell, column: Column | null): Value =>
  column?.type === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : (cell as Value);

/** `tcp 22`: its key. */
export function keyText(bound: Bound, { key }: Row, when: (ms: number) => string): string {
  const names = bound.table.key;
  if (
    names.length === 1 &&
    typeof key[0] === 'number' &&
    columnOf(bound, names[0] as string)?.type === 'number'
  )
    return `${names[0]} ${key[0]}`;
  return key.map((cell, at) => cellText(cell, columnOf(bound, names[at] as string), when)).join(' ');
}

const name = (text: string): Name => ({ text, at: -1 });

/** The condition that is true of the rows of a group, and of no others. */
function groupCondition({ query, group }: Bound, { key }: Row): Condition | null {
  const own = group.map((column, at): Condition => {
    const cell = key[at];
    if (cell === null || cell === undefined)
      return { kind: 'is', column: name(column.name), what: cell === null ? 'unknown' : 'none', not: false };
    const values = [{ value: literal(cell, column), at: -1 }];
    return { kind: 'compare', column: name(column.name), operator: '=', values };
  });
  const parts = [...(query.where === null ? [] : [query.where]), ...own];
  if (parts.length < 2) return parts[0] ?? null;
  return { kind: 'and', parts: parts.flatMap((part) => (part.kind === 'and' ? part.parts : [part])) };
}

/**
 * Where a row comes from. The path of a cell is this with `.COLUMN`: `processes[pid=812]`. Of a group it is the query for its
 * rows: `processes where uid = 0`.
 */
export function pathOf(bound: Bound, row: Row): string {
  const { table, grouped } = bound;
  if (!grouped)
    return `${table.name}${table.key
      .map((one, at) => {
        const cell = row.key[at];
        const known = cell === null ? 'unknown' : cell === undefined ? 'none' : null;
        return `[${one}=${known ?? valueText(literal(cell, columnOf(bound, one)))}]`;
      })
      .join('')}`;
  const condition = groupCondition(bound, row);
  return condition === null ? table.name : `${table.name} where ${conditionText(condition)}`;
}
