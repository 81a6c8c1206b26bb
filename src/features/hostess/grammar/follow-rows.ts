/** Rows of the question before: how its query is changed, and how others are reached from its answer. Pure. */
import { parse } from '../../../query/parse.ts';
import { conditionText, queryText, valueText } from '../../../query/text.ts';
import type { Query, Condition as Where } from '../../../query/types.ts';
import type { QueryContext } from '../query-context.ts';
import { compared, ROOT } from './conditions.ts';
import type { Plan, Programs, Step } from './plan.ts';
import type { Names, Reading } from './read.ts';
import { type Asked, type Condition, said, TABLES } from './tables.ts';

export const partsOf = (where: Where | null): readonly Where[] =>
  where === null ? [] : where.kind === 'and' ? where.parts : [where];
export const joined = (parts: readonly Where[]): Where | null =>
  parts.length === 0 ? null : parts.length === 1 ? (parts[0] as Where) : { kind: 'and', parts };

/** The value that a column must have. */
export function wanted({ where }: Query, column: string): string | number | null {
  for (const part of partsOf(where))
    if (part.kind === 'compare' && part.operator === '=' && part.column.text === column) {
      const value = part.values[0]?.value;
      if (typeof value === 'number' || typeof value === 'string') return value;
    }
  return null;
}

export const columnsOf = (where: Where): readonly string[] =>
  where.kind === 'compare' || where.kind === 'is'
    ? [where.column.text]
    : where.kind === 'not'
      ? columnsOf(where.part)
      : where.parts.flatMap(columnsOf);

/** The same rows with other columns, without groups. */
export const selecting = (before: Query, select: string): Query => ({
  ...before,
  group: [],
  order: before.group.length > 0 ? [] : before.order,
  limit: before.group.length > 0 ? null : before.limit,
  select: parse(`${before.from.text} select ${select}`).select,
});

export const NAMING: ReadonlySet<string> = new Set([
  'port',
  'pid',
  'comm',
  'executable',
  'name',
  'id',
  'inode',
]);

/** Rows that meet more conditions, which take the place of those about the same columns. */
export function narrowed(before: Query, more: Query, negated: boolean): Query {
  const added = negated && more.where !== null ? { kind: 'not' as const, part: more.where } : more.where;
  const replaced = new Set(added === null ? [] : columnsOf(added));
  // Another name or number takes the place of the one before, whichever column it has.
  const named = [...replaced].some((column) => NAMING.has(column)) && !negated;
  const kept = partsOf(before.where).filter(
    (part) => !columnsOf(part).some((column) => replaced.has(column) || (named && NAMING.has(column))),
  );
  const timed = more.since !== null || more.until !== null || more.at !== null;
  return {
    ...before,
    where: joined([...kept, ...partsOf(added)]),
    ...(timed && { since: more.since, until: more.until, at: more.at, ever: more.ever || before.ever }),
    ever: more.ever || before.ever,
  };
}

export const KEYS: Readonly<Record<string, string>> = {
  processes: 'pid',
  listeners: 'inode',
  findings: 'id',
  accounts: 'name',
  startup: 'path',
  generations: 'number',
  gate_runs: 'at',
  ports: 'port',
};

export const valuesOf = (
  record: Parameters<Step>[0],
  ...columns: readonly string[]
): readonly (string | number)[] => [
  ...new Set(
    record.rows
      .flatMap((row) => columns.map((column) => row[column]))
      .flat()
      .filter((value): value is string | number => typeof value === 'string' || typeof value === 'number')
      .filter((value) => value !== ''),
  ),
];
/** Entries that a list of a query takes. */
export const MOST_LISTED = 30;
export const inList = (column: string, values: readonly (string | number)[]): string | null =>
  values.length === 0 || values.length > MOST_LISTED
    ? null
    : values.length === 1
      ? `${column} = ${valueText(values[0] as string)}`
      : `${column} in (${values.map((value) => valueText(value)).join(', ')})`;
export const query = (table: string, where: string | null, more = ''): string | null =>
  where === null
    ? null
    : `${table} select ${TABLES[table]?.select}${table === 'listeners' ? ', uid' : ''} where ${where}${more}`;

/** Where some have no process, the others would pass for all. */
export const toProcesses: Step = (record) =>
  record.rows.some((row) => typeof row.pid !== 'number' && !Array.isArray(row.pids))
    ? null
    : query('processes', inList('pid', valuesOf(record, 'pid', 'pids')));
export const toListeners: Step = (record) => {
  const pids = valuesOf(record, 'pid', 'pids');
  if (pids.length === 0 || pids.length > MOST_LISTED) return null;
  return query('listeners', pids.map((pid) => `pids contains ${pid}`).join(' or '), ' order by port');
};
export const toOwned: Step = (record) => query('processes', inList('uid', valuesOf(record, 'uid')));
export const toHolders: Step = (record) => query('listeners', inList('port', valuesOf(record, 'port')));
export const toAccounts: Step = (record) => {
  const uids = inList('uid', valuesOf(record, 'uid'));
  return uids === null ? null : `accounts select name, uid where ${uids}`;
};
export const toFindings: Step = (record) => {
  const ids = inList(
    'id',
    valuesOf(record, 'findings', 'finding').filter((one) => typeof one === 'string'),
  );
  // Events of findings are of closed ones too.
  const ever = record.table === 'finding_events' ? ' ever' : '';
  if (ids !== null) return query('findings', ids, ` order by -severity${ever}`);
  const of = [inList('port', valuesOf(record, 'port')), inList('pid', valuesOf(record, 'pid', 'pids'))];
  const all = of.filter((one) => one !== null);
  return all.length === 0 ? null : query('findings', all.join(' or '), ' order by -severity');
};
export const toMissing: Step = (record) => {
  const [name] = valuesOf(record, 'comm');
  return name === undefined ? null : missingQuery(String(name));
};
export const missingQuery = (name: string): string =>
  `baseline_differences where difference = gone and text contains ${valueText(name)}`;
export const toAdded: Step = (record) => {
  const [name] = valuesOf(record, 'executable', 'comm');
  return name === undefined
    ? null
    : `baseline_differences where difference = added and text contains ${valueText(String(name))}`;
};

/** What is known of a row for the steps. */
export const STEPPING: Readonly<Record<string, string>> = {
  processes: 'comm, pid, uid, executable',
  listeners: 'executable, protocol, port, pids, inode, uid, allowed, findings',
  ports: 'name, port, required, up',
  findings: 'id, port, pid, summary, severity',
  startup: 'path, place, name, findings',
  accounts: 'name, uid, findings',
  finding_events: 'at, event, summary, finding',
};

export interface Following {
  readonly message: string;
  readonly plain: string;
  readonly reading: Reading;
  readonly before: Query;
  readonly names: Names & Programs;
  readonly context: QueryContext;
}

export type Base = Omit<Plan, 'kind' | 'query'>;

export const baseOf = (language: Plan['language'], table: string): Base => ({
  ...{ language, table, conditions: [], column: null, limit: null, moment: null, stranger: null, name: null },
  unmeasured: [],
});

export const OTHERS: Condition = {
  query: '',
  words: said('beside those', 'außer diesen', 'además de esos', 'en dehors de ceux-ci'),
  step: null,
};
const same = (text: string): Condition['words'] => said(text, text, text, text);

/** The trait of a table that a condition is; null where it is none. */
function traitOf(table: string, text: string): Condition | null {
  const { traits } = TABLES[table] as Asked;
  const is = (one: Condition): boolean =>
    conditionText(parse(`${table} where ${one.query}`).where as Where) === text;
  return Object.values(traits).find((one) => one !== undefined && is(one)) ?? null;
}

/** How a condition of a query reads. */
export function wordsOf(table: string, part: Where): Condition {
  const text = conditionText(part);
  const pid = part.kind === 'compare' && part.operator === '=' && part.column.text === 'pid';
  if (pid) {
    const { value } = part.values[0] ?? {};
    return { query: text, words: same(`(pid ${value})`), step: null };
  }
  const trait = traitOf(table, text);
  if (trait !== null) return trait;
  if (part.kind === 'not') {
    const { words } = wordsOf(table, part.part);
    return {
      query: text,
      words: said(
        `without those ${words.en}`,
        `ohne die ${words.de}`,
        `sin los ${words.es}`,
        `sans ceux ${words.fr}`,
      ),
      step: null,
    };
  }
  if (text === ROOT.query) return ROOT;
  if (part.kind === 'compare' && part.operator !== 'in') {
    const value = part.values[0]?.value;
    if (typeof value === 'number' && (part.column.text === 'port' || part.column.text === 'threads'))
      return compared(part.column.text, part.operator, value);
    if (part.operator === '=' && ['comm', 'executable', 'name'].includes(part.column.text))
      return {
        query: text,
        words: said(`of ${value}`, `von ${value}`, `de ${value}`, `de ${value}`),
        step: null,
      };
  }
  // No words of a query in an answer.
  return {
    query: text,
    words: said('among those', 'unter diesen', 'entre esos', 'parmi ceux-là'),
    step: null,
  };
}
/** How conditions read: those of a trait of several together. */
export function saidParts(table: string, parts: readonly Where[]): readonly Condition[] {
  const texts = new Set(parts.map(conditionText));
  const found = Object.values(TABLES[table]?.traits ?? {}).flatMap((trait) => {
    const own =
      trait === undefined ? [] : partsOf(parse(`${table} where ${trait.query}`).where).map(conditionText);
    return trait !== undefined && own.length > 1 && own.every((text) => texts.has(text))
      ? [{ trait, own }]
      : [];
  });
  const taken = new Set(found.flatMap(({ own }) => own));
  const others = parts.filter((part) => !taken.has(conditionText(part)));
  return [...found.map(({ trait }) => trait), ...others.map((part) => wordsOf(table, part))];
}
export const allWords = (table: string, { where }: Query): readonly Condition[] =>
  saidParts(table, partsOf(where));

export const counted = (before: Query): string =>
  queryText({ ...selecting(before, 'count()'), order: [], limit: null });
export const orderedBy = ({ order: [first] }: Query): string | null => first?.item.column?.text ?? null;
