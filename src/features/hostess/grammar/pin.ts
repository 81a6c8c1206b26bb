/**
 * Which row an answer has named. Its query chose the row by an order, and when it is asked again another row may be in front, so the
 * query of the answer keeps to the row by its key: `slow where pid = 811 order by -resident_bytes limit 1`. Pure.
 */
import { parse } from '../../../query/parse.ts';
import { conditionText, queryText } from '../../../query/text.ts';
import type { Query, Condition as Where } from '../../../query/types.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import { columnsOf, inList, joined, KEYS, partsOf } from './follow-rows.ts';

/** Keys of tables that follow-ups know, and of those that are only asked of the machine. */
const keyOf = (table: string): string | undefined => (table === 'slow' ? 'pid' : KEYS[table]);

/** How grounds name a row: by its place in the answer, or in the record that has it. */
const ROW = /^query\.rows\[\d+\]/;
const KEYED = /^[\w.]+\[(?:pid|inode|id|port)=[^\]]*\]/;
const ROOTS: Readonly<Record<string, string>> = {
  processes: 'processes',
  listeners: 'listeners',
  'detection.findings': 'findings',
  'page.ports': 'ports',
};

/** The query of an answer, which keeps to the rows that it names; as it is where no order chose them. */
export function pinned(record: QueryAnswer, grounds: readonly { readonly path: string }[]): string | null {
  const query = parse(record.query);
  const key = keyOf(query.from.text);
  if (key === undefined || query.order.length === 0 || query.group.length > 0) return null;
  const named = new Set(grounds.flatMap(({ path }) => ROW.exec(path)?.[0] ?? KEYED.exec(path)?.[0] ?? []));
  const keyed = Object.keys(ROOTS).find((one) => ROOTS[one] === query.from.text);
  const values = record.rows.flatMap((row, at) =>
    named.has(`query.rows[${at}]`) || named.has(`${keyed}[${key}=${row[key]}]`) ? [row[key]] : [],
  );
  const isOne = query.from.text === 'slow' || (values.length === 1 && query.limit !== null);
  if (query.limit === null && record.total > values.length) return null;
  if (
    !isOne ||
    values.length === 0 ||
    values.some((value) => typeof value !== 'string' && typeof value !== 'number')
  )
    return null;
  const rows = inList(key, values as readonly (string | number)[]);
  if (rows === null) return null;
  const { where } = parse(`${query.from.text} where ${rows}`);
  const { base } = chosen(query) ?? { base: query };
  return queryText({
    ...base,
    where: joined([...partsOf(base.where), ...partsOf(where)]),
    limit: values.length,
  });
}

interface Chosen {
  /** The query that had chosen, without a limit. */
  readonly base: Query;
  /** The rows that were named. */
  readonly row: Query;
}

/** A query that keeps to rows, taken apart; null for another one. */
export function chosen(query: Query): Chosen | null {
  const parts = partsOf(query.where);
  const pin = parts.at(-1);
  const isPin =
    pin?.kind === 'compare' &&
    (pin.operator === '=' || pin.operator === 'in') &&
    pin.column.text === keyOf(query.from.text);
  if (!isPin || query.order.length === 0 || query.limit === null) return null;
  return {
    base: { ...query, where: joined(parts.slice(0, -1)), limit: null },
    row: { ...query, where: pin as Where, order: [], limit: null },
  };
}

/** Rows of what processes use as rows of processes; null where they were chosen by what only that table has. */
export function asProcesses(query: Query, select: string): Query | null {
  if (query.from.text !== 'slow') return query;
  const { where } = chosen(query)?.row ?? query;
  if (where === null || columnsOf(where).some((column) => !COMMON.has(column))) return null;
  const text = conditionText(where).replace(/\bname (?==|!=|in |contains|starts|ends|like)/g, 'comm ');
  return parse(`processes select ${select} where ${text}`);
}

const COMMON: ReadonlySet<string> = new Set(['pid', 'uid', 'executable', 'name']);
