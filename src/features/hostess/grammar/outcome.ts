/** What a question wants of the rows that its conditions choose: their number, the first of them, groups, a time, or the rows. */
import type { Draft } from './draft.ts';
import type { Plan } from './plan.ts';
import type { Slot } from './read.ts';
import type { Condition } from './tables.ts';

/** Rows that are read where one is asked for: several may be equally far in front. */
const TIES = 5;

const least = (limit: number): number => (limit > 1 ? limit : TIES);

/** What is left of a question when its conditions are placed. */
interface Wanted {
  readonly order: Slot | null;
  readonly facets: readonly string[];
  readonly per: boolean;
  /** The column of the table that it names. */
  readonly known: string | null;
  readonly aggregate: string | null;
  /** A column that the rows are ordered by. */
  readonly sorted: string | null;
}

/** Columns that a question can name beside another one. */
const BESIDE = new Set(['uid', 'at']);

/** Null where a part of it has no place. */
function wantedOf(draft: Draft): Wanted | null {
  const { parts, about, table, tables } = draft;
  const order = parts.take('order');
  const aggregate = parts.take('aggregate')?.value ?? null;
  const all = parts.takeAll('column').map(({ value }) => value);
  if (all.length > 1 || order !== null) {
    draft.withUser = all.includes('uid');
    if (all.includes('at') && table !== 'gate_runs') return null;
  }
  const columns = all.length > 1 || order !== null ? all.filter((one) => !BESIDE.has(one)) : all;
  const facets = parts.takeAll('facet').map(({ value }) => value);
  const isPer = parts.takeAll('word', 'per').length > 0;
  // "Threads per process": its rows.
  const per = isPer && !(facets.length === 0 && tables.every((one) => one === table));
  const sorted = parts.takeAll('word', 'sorted').length > 0 ? sortedBy(draft, columns, facets) : null;
  if (sorted === undefined) return null;
  if (sorted !== null) parts.takeAll('word', 'name');
  const known = columns.find((one) => about.columns.includes(one)) ?? null;
  const isPlaced = parts.slots.length === 0 && columns.every((one) => one === known);
  if (!isPlaced) return null;
  return {
    order,
    facets: sorted === null ? facets : [],
    per,
    known: sorted === null ? known : null,
    aggregate,
    sorted,
  };
}

/** The column that the question names last, or that a facet goes by; undefined where the table has none of them. */
function sortedBy({ about, parts }: Draft, columns: readonly string[], facets: readonly string[]) {
  const [column = ''] = columns;
  if (columns.length > 1 || facets.length > 1) return undefined;
  if (column !== '') return [...about.columns, ...about.numbers].includes(column) ? column : undefined;
  const [facet] = facets;
  if (facet !== undefined) return about.facets[facet];
  return parts.has('word', 'name') ? about.label : undefined;
}

const onlyPrograms = (facets: readonly string[]): boolean => facets.every((one) => one === 'program');

/** The oldest, newest or worst. */
function byNamedOrder(draft: Draft, order: string, { facets, known }: Wanted): Plan | null {
  const by = draft.about.orders[order] ?? null;
  if (by === null || !onlyPrograms(facets) || (known !== null && by.replace('-', '') !== known)) return null;
  if (draft.table === 'gate_runs' && (draft.asked === 'when' || draft.asked === 'whether')) return null;
  if (draft.asked === 'whether' || draft.asked === 'count') return null;
  draft.column = by.replace('-', '');
  draft.limit ??= 1;
  return draft.plan('first', draft.query('', `order by ${by} limit ${least(draft.limit)}`));
}

/** The most or least of a column, or the group with the most or fewest rows. */
function byNumber(draft: Draft, { order, facets, known }: Wanted): Plan | null {
  const { table, tables, about } = draft;
  const sign = order?.value === 'least' ? '' : '-';
  const by = known ?? (table === 'processes' && tables.includes('findings') ? 'findings' : null);
  draft.limit ??= 1;
  const limit = least(draft.limit);
  if (by !== null && onlyPrograms(facets)) {
    draft.column = by;
    return draft.plan('first', draft.query('', `order by ${sign}${by} limit ${limit}`));
  }
  const group = facets.map((one) => about.facets[one]).find((one) => one !== undefined) ?? null;
  // "Which user has the most threads".
  if (known === 'threads' && group !== null && facets.length === 1) {
    draft.column = group;
    const sum = 'sum(threads)';
    return draft.plan(
      'groups',
      draft.query(`select ${group}, ${sum}`, `group by ${group} order by ${sign}${sum} limit ${limit}`),
    );
  }
  draft.column = group ?? (table === 'listeners' && tables.includes('processes') ? 'executable' : null);
  if (by !== null || draft.column === null || facets.length > 1) return null;
  return draft.plan(
    'groups',
    draft.query('', `group by ${draft.column} order by ${sign}count() limit ${limit}`),
  );
}

function when(draft: Draft, known: string | null): Plan | null {
  const { table, found, program, runs, users } = draft;
  const isOf = { processes: program !== null, findings: found !== null }[table] ?? false;
  const by = known ?? (isOf ? (table === 'processes' ? 'start' : 'first_seen') : null);
  const isNamed = found !== null || program !== null || (table === 'accounts' && users.length > 0);
  if (by === null || !isNamed || (runs && by !== 'start')) return null;
  draft.column = by;
  const order = table === 'accounts' ? `order by -${by}` : `order by ${by}`;
  return draft.plan('when', draft.query('', `${order} limit 1`));
}

/** Sums and means; the sum of a column also where only its number is asked for. */
function aggregated(draft: Draft, { aggregate, known, facets, per }: Wanted): Plan | null {
  const how = aggregate ?? 'sum';
  if (how === 'distinct') return distinct(draft, facets);
  if (aggregate === 'sum' && known === null && facets.length === 0 && draft.limit === null && !per)
    return draft.plan('count', draft.query('select count()'));
  if ((how !== 'sum' && how !== 'avg') || known === null || known === 'port' || per) return null;
  if (!draft.about.numbers.includes(known) || !onlyPrograms(facets) || draft.limit !== null) return null;
  draft.column = `${how}(${known})`;
  return draft.plan('aggregate', draft.query(`select ${draft.column}, count()`));
}

/** How many different programs, users or checks. */
function distinct(draft: Draft, facets: readonly string[]): Plan | null {
  const [facet] = facets;
  const named = facet === undefined ? undefined : draft.about.facets[facet];
  // Kernel threads have names, and run no program.
  const column = named === 'comm' ? 'executable' : named;
  if (column === undefined || facets.length > 1 || draft.limit !== null || draft.asked === 'whether')
    return null;
  draft.column = `distinct(${column})`;
  return draft.plan('distinct', draft.query(`select ${draft.column}, count()`), { name: facet ?? null });
}

const isPort = ({ query }: Condition): boolean => /^\(?port = /.test(query);

/** "Is 4442 allowed." */
const isWhetherAllowed = ({ conditions, clauses, about }: Draft): boolean =>
  clauses.length === 0 &&
  conditions.length === 2 &&
  conditions.some(isPort) &&
  conditions.some((one) => one === about.traits.allowed || one === about.traits.unlearned);

/** The value of a column: "which shell does anna get", "who runs nginx". */
function valued(draft: Draft, wanted: Wanted): Plan | null {
  const { known, facets } = wanted;
  const { asked, conditions, about, table } = draft;
  const isOfOne = conditions.some(({ query }) => query.startsWith('pid = '));
  if (isOfOne && facets.length === 1 && facets[0] === 'user' && known === null)
    return valued(draft, { ...wanted, known: 'uid', facets: [] });
  const isWho = asked === 'who' && draft.runs && draft.program !== null && draft.stranger === null;
  const isOfUser = isWho ? facets.length === 0 : facets.length === 1 && facets[0] === 'user';
  if (isOfUser && known === null && table === 'processes')
    return draft.plan('groups', draft.query('', `group by uid order by -count()`), { column: 'uid' });
  if (facets.length === 1 && facets[0] === 'user' && known === null && table === 'listeners')
    return valued(draft, { ...wanted, known: 'uid', facets: [] });
  if (known === null || !onlyPrograms(facets) || asked === 'whether') return null;
  if (asked === 'count' && !isOfOne) return null;
  // A time that a condition has already.
  if (
    known === 'start' ||
    draft.clauses.length > 0 ||
    conditions.length === 0 ||
    !about.columns.includes(known)
  )
    return null;
  draft.column = known;
  const select = about.select.split(', ').includes(known) ? about.select : `${about.select}, ${known}`;
  return draft.plan('value', draft.query(`select ${select}`));
}

/** Numbers that are names. */
const FROM_LEAST: ReadonlySet<string> = new Set(['port', 'uid', 'pid']);

export function outcomeOf(draft: Draft): Plan | null {
  const wanted = wantedOf(draft);
  if (wanted === null) return null;
  const { asked, about, clauses, table } = draft;
  const { order, facets, per, known, aggregate, sorted } = wanted;
  // What is not measured is not ordered by something else.
  if (draft.unmeasured.length > 0 && known === null && asked !== 'since')
    return draft.plan('unmeasured', draft.query('select count()'));
  if (sorted !== null) {
    if (asked !== 'list' || order !== null || aggregate !== null || per) return null;
    const fromTop = sorted === 'severity' || (about.numbers.includes(sorted) && !FROM_LEAST.has(sorted));
    draft.clauses.push(`order by ${fromTop ? '-' : ''}${sorted}`);
    if (draft.limit !== null) draft.clauses.push(`limit ${draft.limit}`);
    return draft.plan('list', draft.query());
  }
  if (aggregate !== null) return order === null ? aggregated(draft, wanted) : null;
  if (order !== null && order.value !== 'most' && order.value !== 'least')
    return byNamedOrder(draft, order.value, wanted);
  if (order !== null || (draft.limit !== null && (known !== null || draft.tables.includes('findings'))))
    return byNumber(draft, wanted);
  const ofProcesses =
    per && facets.length === 0 && table === 'listeners' && draft.tables.includes('processes');
  const group = ofProcesses
    ? 'executable'
    : (facets.map((one) => about.facets[one]).find((one) => one !== undefined) ?? null);
  if (per && group !== null && known === null && draft.limit === null) {
    draft.column = group;
    return draft.plan('groups', draft.query('', `group by ${group} order by -count()`));
  }
  // "Top 3 users by number of processes".
  if (draft.limit !== null && facets.length === 1 && group !== null && known === null) {
    draft.column = group;
    const more = `group by ${group} order by -count() limit ${draft.limit}`;
    return draft.plan('groups', draft.query('', more));
  }
  if (per || draft.limit !== null) return null;
  // "When did someone last log in."
  const isLastLogin = table === 'accounts' && known === 'last_login' && draft.conditions.length === 0;
  if (isLastLogin && asked === 'when') return byNamedOrder(draft, 'newest', { ...wanted, known: null });
  if (asked === 'when' || asked === 'since') return onlyPrograms(facets) ? when(draft, known) : null;
  if (asked === 'count' && known === 'threads' && draft.program !== null && draft.stranger === null) {
    draft.column = known;
    draft.limit = TIES;
    return draft.plan('first', draft.query('', `order by -threads limit ${TIES}`));
  }
  if (
    table === 'ports' &&
    asked === 'whether' &&
    draft.conditions.length === 1 &&
    about.traits.up === draft.conditions[0]
  )
    return draft.plan('all-up', `ports select ${about.select}`);
  if (table === 'listeners' && asked === 'whether' && isWhetherAllowed(draft)) {
    const isNot = draft.conditions.some((one) => one === about.traits.unlearned);
    draft.conditions.splice(0, 2, ...draft.conditions.filter(isPort));
    return draft.plan('normal', draft.query(), { column: isNot ? 'not-allowed' : 'allowed' });
  }
  // "Who logged in last."
  if (isLastLogin && asked === 'who') return byNamedOrder(draft, 'newest', { ...wanted, known: null });
  const value = valued(draft, wanted);
  if (value !== null) return value;
  if (asked === 'count' && known !== null) return aggregated(draft, wanted);
  if (!onlyPrograms(facets)) return null;
  if (known !== null && !(known === 'start' && clauses.length > 0)) return null;
  if (asked === 'count') return draft.plan('count', draft.query('select count()'));
  if (asked === 'whether') return draft.plan('whether', draft.query());
  return asked === 'list' || asked === 'who' ? draft.plan('list', draft.query()) : null;
}
