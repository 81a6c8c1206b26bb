/** What a question wants of the rows that its conditions choose: their number, the first of them, groups, a time, or the rows. */
import type { Draft } from './draft.ts';
import type { Plan } from './plan.ts';
import type { Slot } from './read.ts';

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
}

/** Null where a part of it has no place. */
function wantedOf({ parts, about }: Draft): Wanted | null {
  const order = parts.take('order');
  const columns = parts.takeAll('column').map(({ value }) => value);
  const facets = parts.takeAll('facet').map(({ value }) => value);
  const per = parts.takeAll('word', 'per').length > 0;
  const known = columns.find((one) => about.columns.includes(one)) ?? null;
  const isPlaced = parts.slots.length === 0 && columns.every((one) => one === known);
  return isPlaced ? { order, facets, per, known } : null;
}

const onlyPrograms = (facets: readonly string[]): boolean => facets.every((one) => one === 'program');

/** The oldest, newest or worst. */
function byNamedOrder(draft: Draft, order: string, facets: readonly string[]): Plan | null {
  const by = draft.about.orders[order] ?? null;
  if (by === null || !onlyPrograms(facets)) return null;
  // The scar has its own record of the last run.
  if (draft.table === 'gate_runs' && draft.asked === 'when') return null;
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
  draft.column = group ?? (table === 'listeners' && tables.includes('processes') ? 'executable' : null);
  if (by !== null || draft.column === null || facets.length > 1) return null;
  return draft.plan(
    'groups',
    draft.query('', `group by ${draft.column} order by ${sign}count() limit ${limit}`),
  );
}

function when(draft: Draft, known: string | null): Plan | null {
  const { table, found, program, runs } = draft;
  const isOf = { processes: program !== null, findings: found !== null }[table] ?? false;
  const by = known ?? (isOf ? (table === 'processes' ? 'start' : 'first_seen') : null);
  if (by === null || (found === null && program === null) || (runs && by !== 'start')) return null;
  draft.column = by;
  return draft.plan('when', draft.query('', `order by ${by} limit 1`));
}

/** Nothing is combined: one table, or one with one condition. */
function isSimple({ conditions, clauses, table, about, asked, program }: Draft): boolean {
  const traits = new Set(Object.values(about.traits));
  return (
    conditions.every(
      (one) => traits.has(one) || /^(?:port|uid|check|comm|executable) (?:=|starts|ends) /.test(one.query),
    ) &&
    conditions.length < (asked === 'count' && program !== null ? 1 : 2) &&
    clauses.length === 0 &&
    table !== 'accepted' &&
    table !== 'blind'
  );
}

export function outcomeOf(draft: Draft): Plan | null {
  const wanted = wantedOf(draft);
  if (wanted === null) return null;
  const { asked, about, clauses } = draft;
  const { order, facets, per, known } = wanted;
  // What is not measured is not ordered by something else.
  if (draft.unmeasured.length > 0 && known === null && asked !== 'since')
    return draft.plan('unmeasured', draft.query('select count()'));
  if (order !== null && order.value !== 'most' && order.value !== 'least')
    return byNamedOrder(draft, order.value, facets);
  if (order !== null || (draft.limit !== null && (known !== null || draft.tables.includes('findings'))))
    return byNumber(draft, wanted);
  const group = facets.map((one) => about.facets[one]).find((one) => one !== undefined) ?? null;
  if (per && group !== null && known === null && draft.limit === null) {
    draft.column = group;
    return draft.plan('groups', draft.query('', `group by ${group} order by -count()`));
  }
  if (!onlyPrograms(facets) || draft.limit !== null) return null;
  if (asked === 'when' || asked === 'since') return when(draft, known);
  if (asked === 'count' && known === 'threads' && draft.program !== null && draft.stranger === null) {
    draft.column = known;
    draft.limit = TIES;
    return draft.plan('first', draft.query('', `order by -threads limit ${TIES}`));
  }
  if (known !== null && !(known === 'start' && clauses.length > 0)) return null;
  const simple = isSimple(draft);
  if (asked === 'count') return draft.plan('count', draft.query('select count()'), { simple });
  if (asked === 'whether') return draft.plan('whether', draft.query(), { simple });
  return asked === 'list' || asked === 'who' ? draft.plan('list', draft.query(), { simple }) : null;
}
