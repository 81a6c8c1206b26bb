/** Follow-ups: a question that leaves out what the one before named, read with the query of that one. Pure. */
import { parse } from '../../../query/parse.ts';
import { queryText } from '../../../query/text.ts';
import { type Query, QueryError, type Condition as Where } from '../../../query/types.ts';
import { compose } from './compose.ts';
import type { Plan, Programs } from './plan.ts';
import type { Reading, Slot } from './read.ts';
import { type Asked, type Condition, TABLES } from './tables.ts';

/** The query of the last answer; null where it is none of the tables that can be followed up. */
export function previousOf(text: string): Query | null {
  try {
    const query = parse(text);
    return Object.hasOwn(TABLES, query.from.text) ? query : null;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** Words of a follow-up that name no table of their own. */
const POINTS =
  /\b(?:that|it|them|they|those|these|ones|this|das|es|davon|die|diese|sie|eso|esto|ellos|ellas|esos|ca|cela|eux|elles|ceux|celles)\b|^(?:and|und|y|et|only|just|nur|solo|seulement|what about|why|warum|por que|pourquoi|since when|seit wann|desde cuando|depuis quand|how many|wie viele|cuantos|combien|which|welche)\b/;
const NORMAL =
  /\b(?:normal|ok|okay|fine|bad|dangerous|a problem|allowed|expected|schlimm|gefahrlich|in ordnung|erlaubt|malo|peligroso|grave|permitido|dangereux|autorise|mal)\b/;
const WHY = /^(?:and |und |y |et )?(?:why|how come|warum|wieso|weshalb|por que|pourquoi)\b/;

/** The conditions of a query that must all hold. */
const partsOf = (where: Where | null): readonly Where[] =>
  where === null ? [] : where.kind === 'and' ? where.parts : [where];

/** The value that a column must have. */
function wanted({ where }: Query, column: string): string | number | null {
  for (const part of partsOf(where))
    if (part.kind === 'compare' && part.operator === '=' && part.column.text === column) {
      const value = part.values[0]?.value;
      if (typeof value === 'number' || typeof value === 'string') return value;
    }
  return null;
}

const columnsOf = (where: Where): readonly string[] =>
  where.kind === 'compare' || where.kind === 'is'
    ? [where.column.text]
    : where.kind === 'not'
      ? columnsOf(where.part)
      : where.parts.flatMap(columnsOf);

/** The clauses behind the conditions. */
function withConditions(before: Query, added: readonly Condition[], select: string | null): string {
  const texts = added.map(({ query }) => query).filter((query) => query !== '');
  const where = texts.length === 0 ? null : parse(`${before.from.text} where ${texts.join(' and ')}`).where;
  const replaced = new Set(where === null ? [] : columnsOf(where));
  const kept = partsOf(before.where).filter(
    (part) => !columnsOf(part).some((column) => replaced.has(column)),
  );
  const all = [...kept, ...partsOf(where)];
  return queryText({
    ...before,
    select: select === null ? before.select : parse(`${before.from.text} select ${select}`).select,
    ...(select === 'count()' && { order: [], limit: null, group: [] }),
    where: all.length === 0 ? null : all.length === 1 ? (all[0] as Where) : { kind: 'and', parts: all },
  });
}

const COUNTS = new Set(['count']);

/** The plan of a follow-up; null where the question is none. `plain`: the question without marks and capitals. */
export function follow(reading: Reading, plain: string, before: Query, programs: Programs): Plan | null {
  const bare = plain.replace(/^[¿¡]+/, '').replace(/[\s?!.]+$/g, '');
  if (!POINTS.test(bare) || bare.split(' ').length > 9) return null;
  const table = before.from.text;
  const about = TABLES[table] as Asked;
  const base = {
    language: reading.language,
    ...{ table, conditions: [], column: null, limit: null, moment: null, stranger: null, name: null },
    ...{ unmeasured: [], simple: false },
  } as const;
  const select = about.select;
  const slots = reading.slots.filter(({ part }) => part !== 'filler');
  const only = (...parts: readonly Slot['part'][]) => slots.every(({ part }) => parts.includes(part));
  const port = wanted(before, 'port');
  const findings = `findings select ${TABLES.findings?.select} where port = ${port}`;
  const isWhy = WHY.test(bare);
  const judged =
    NORMAL.test(bare) &&
    slots.every(({ part }) => part === 'kind' || part === 'unread' || part === 'trait' || part === 'word');
  if (judged && bare.split(' ').length < 6) {
    if (table === 'findings')
      return { ...base, kind: 'judge', query: withConditions({ ...before, group: [] }, [], select) };
    if (table === 'listeners' || table === 'processes' || table === 'ports')
      return {
        ...base,
        kind: 'normal',
        query: withConditions({ ...before, group: [], order: [] }, [], select),
      };
    return null;
  }
  if (isWhy && bare.split(' ').length < 5) {
    if (table === 'findings')
      return { ...base, kind: 'why', query: withConditions({ ...before, group: [] }, [], select) };
    return typeof port === 'number' ? { ...base, kind: 'why', table: 'findings', query: findings } : null;
  }
  const [kind] = slots.filter(({ part }) => part === 'kind');
  if ((kind?.value === 'since' || kind?.value === 'when') && only('kind', 'column', 'verb')) {
    if (table === 'findings' || table === 'processes') {
      const column = table === 'findings' ? 'first_seen' : 'start';
      return {
        ...base,
        kind: 'when',
        column,
        query: queryText({
          ...parse(withConditions({ ...before, group: [] }, [], select)),
          order: parse(`${table} order by ${column}`).order,
          limit: 5,
        }),
      };
    }
    return typeof port === 'number'
      ? {
          ...base,
          kind: 'when',
          table: 'findings',
          column: 'first_seen',
          query: `${findings} order by first_seen limit 5`,
        }
      : null;
  }
  // Conditions, alone or counted: composed as a question about the same table.
  const narrowing = slots.filter(
    ({ part, value }) => part !== 'kind' && part !== 'table' && !(part === 'word' && value === 'only'),
  );
  const others = slots.some(({ part, value }) => part === 'table' && value !== table);
  if (others || slots.some(({ part }) => part === 'unread' || part === 'unmeasured' || part === 'time'))
    return null;
  if (narrowing.length === 0 && kind === undefined) return null;
  const tableSlot: Slot = { part: 'table', value: table, text: '' };
  const whole =
    narrowing.length === 0
      ? null
      : compose(
          { ...reading, slots: [{ part: 'kind', value: 'list', text: '' }, ...narrowing, tableSlot] },
          programs,
        );
  if (narrowing.length > 0 && (whole === null || whole.table !== table || whole.kind !== 'list')) return null;
  const counts =
    COUNTS.has(kind?.value ?? '') ||
    (kind === undefined &&
      before.select.some(
        ({ aggregate, column }) => aggregate === 'count' && column === null && before.group.length === 0,
      ));
  const conditions = whole?.conditions ?? [];
  return {
    ...base,
    kind: counts ? 'count' : 'list',
    conditions,
    stranger: whole?.stranger ?? null,
    query: withConditions({ ...before, group: [] }, conditions, counts ? 'count()' : select),
  };
}
