/** Questions that leave out what the one before named, read with the query of that one. Pure. */
import { parse } from '../../../query/parse.ts';
import { queryText } from '../../../query/text.ts';
import { type Query, QueryError } from '../../../query/types.ts';
import { figuredPlan, figuredThen, groupedPlan, sortedPlan } from './follow-figures.ts';
import {
  allWords,
  type Base,
  baseOf,
  columnsOf,
  counted,
  type Following,
  inList,
  joined,
  KEYS,
  MOST_LISTED,
  missingQuery,
  OTHERS,
  orderedBy,
  partsOf,
  query,
  STEPPING,
  selecting,
  toAccounts,
  toAdded,
  toFindings,
  toHolders,
  toListeners,
  toMissing,
  toOwned,
  toProcesses,
  valuesOf,
  wanted,
} from './follow-rows.ts';
import { bareOf, type Move, moveOf, OF_THEM } from './follow-words.ts';
import { narrowedPlan } from './narrow.ts';
import { lastUp } from './past.ts';
import { asProcesses, chosen } from './pin.ts';
import { type Plan, type PlanKind, rowsWanted, type Step } from './plan.ts';
import { read } from './read.ts';
import { MOST_SHOWN } from './sentences.ts';
import { type Asked, TABLES } from './tables.ts';

/** The query of the last answer; null where it is none of the tables that can be followed up. */
export function previousOf(text: string): Query | null {
  try {
    const query = asProcesses(parse(text), TABLES.processes?.select ?? '*');
    return query !== null && Object.hasOwn(TABLES, query.from.text) ? query : null;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** The column that answers, by table. */
const COLUMNS: Readonly<Partial<Record<Move, Readonly<Record<string, string>>>>> = {
  since: {
    ...{ processes: 'start', findings: 'first_seen', gate_runs: 'at', generations: 'learned' },
    ...{ accepted: 'accepted', startup: 'changed', finding_events: 'at', accounts: 'last_login' },
  },
  times: { startup: 'when' },
  from: { accounts: 'last_from', processes: 'executable', listeners: 'executable', startup: 'path' },
  pid: { processes: 'pid', findings: 'pid', listeners: 'pids' },
  ports: { listeners: 'port', ports: 'port' },
  threads: { processes: 'threads' },
  path: { processes: 'executable', listeners: 'executable', startup: 'path', findings: 'path' },
  parent: { processes: 'ppid' },
  severity: { findings: 'severity', startup: 'severity' },
  check: { findings: 'check', blind: 'check' },
  days: { certificates: 'days' },
  command: { startup: 'runs', processes: 'executable' },
  vouched: { startup: 'vouched' },
  shell: { accounts: 'shell' },
  rights: { accounts: 'rights' },
  login: { accounts: 'login' },
  user: { startup: 'user' },
};

/** Moves from the row that an answer has named to others. */
const TO_OTHERS: ReadonlySet<Move> = new Set([
  ...(['second', 'third', 'first', 'newest', 'oldest', 'worst', 'others'] as const),
]);

/** The plan of a follow-up; null where the question is none, or is not understood. */
export function follow(said: Following): Plan | null {
  const bare = bareOf(said.plain);
  if (bare === '' || bare.split(' ').length > 12) return null;
  const named = chosen(said.before);
  const { move } = moveOf(bare, said.reading.language) ?? {};
  const isOfOthers = move === undefined ? !OF_THEM.test(said.plain) : TO_OTHERS.has(move);
  const whole = named === null ? said.before : { ...named.base, limit: said.before.limit };
  const one = oneOf(said, bare, whole);
  if (one !== null) return follow(one);
  const asked = { ...said, before: named === null ? said.before : isOfOthers ? whole : named.row };
  const figured =
    figuredPlan(asked, bare) ?? sortedPlan(asked, bare) ?? groupedPlan(asked, bare) ?? figuredThen(asked);
  if (figured !== null) return figured;
  // The time of an account is that of its last login.
  const isTimeless = move === 'since' && said.before.from.text === 'accounts' && !saysLogins(said.before);
  const moved = isTimeless ? null : moveOf(bare, asked.reading.language);
  const made = moved === null ? null : movedPlan(asked, moved.move, moved.language, bare);
  return made ?? narrowedPlan(asked, bare);
}

/** "How do I fix the first one": what is asked of one row, and of which. */
const OF_ONE: readonly (readonly [Move, RegExp, it: string])[] = (
  [
    ['first', 'first|top', 'erste[nrs]?', 'primer[oa]?', 'premiere?'],
    [
      'newest',
      'newest|latest|last|most recent',
      'neueste[nrs]?|letzte[nrs]?',
      'ultim[oa]|mas reciente',
      'derniere?|plus recente?',
    ],
    ['oldest', 'oldest', 'alteste[nrs]?', 'mas antigu[oa]', 'plus ancien(?:ne)?'],
    ['worst', 'worst|most severe|most serious', 'schlimmste[nrs]?', 'peor|mas grave', 'pire|plus grave'],
  ] as const
).flatMap(([move, en, de, es, fr]) => [
  [move, new RegExp(`(?<= )the (?:${en})(?: one| finding)?$`), 'it'] as const,
  [move, new RegExp(`(?<= )(?:den|die|das) (?:${de})(?: befund)?$`), 'das'] as const,
  [move, new RegExp(`(?<= )(?:el|la) (?:${es})(?: hallazgo)?$`), 'eso'] as const,
  [move, new RegExp(`(?<= )(?:le|la) (?:${fr})(?: constat)?$`), 'ca'] as const,
]);

/** The same question about one of the rows; null where it names none. */
function oneOf(said: Following, bare: string, whole: Query): Following | null {
  for (const [move, words, it] of OF_ONE) {
    const plain = bare.replace(words, it);
    if (plain === bare || moveOf(plain, said.reading.language) === null) continue;
    const by = move === 'first' ? null : TABLES[whole.from.text]?.orders[move as 'newest'];
    if (by === undefined) return null;
    const order = by === null ? whole.order : parse(`${whole.from.text} order by ${by}`).order;
    return { ...said, plain, before: { ...whole, group: [], order, limit: 1 } };
  }
  return null;
}

const saysLogins = ({ where, order }: Query): boolean =>
  [...(where === null ? [] : columnsOf(where)), ...order.map(({ item }) => item.column?.text)].includes(
    'last_login',
  );

const DOWN = /\b(?:down|unten|caid[oa]s?|arrete|en panne)\b/;

function movedPlan(asked: Following, move: Move, language: Plan['language'], bare: string): Plan | null {
  const { before } = asked;
  const table = before.from.text;
  const about = TABLES[table] as Asked;
  const base = baseOf(language, table);
  const rows = (select = about.select): string => queryText(selecting(before, select));
  const stepping = STEPPING[table];
  /** From the rows of before to those of another table. */
  const via = (to: string, kind: PlanKind, steps: readonly Step[], more: Partial<Plan> = {}): Plan | null =>
    stepping === undefined
      ? null
      : { ...base, table: to, kind, query: rows(stepping), steps, subject: queryText(before), ...more };
  const column = COLUMNS[move]?.[table];
  if (column !== undefined) return cells(asked, base, move, column);
  const port = wanted(before, 'port');
  switch (move) {
    case 'since':
      if (table === 'ports') return { ...base, kind: 'port', name: '', column: 'when', query: rows() };
      if (table !== 'listeners') return null;
      return hasFinding(asked, port)
        ? via('findings', 'cells', [toFindings], { column: 'first_seen' })
        : via('processes', 'cells', [toProcesses], { column: 'start' });
    case 'threads':
    case 'parent': {
      const of = move === 'threads' ? 'threads' : 'ppid';
      if (table === 'ports') return via('processes', 'cells', [toHolders, toProcesses], { column: of });
      const select =
        (step: Step): Step =>
        (record) =>
          step(record)?.replace(TABLES.processes?.select ?? '', `comm, pid, ${of}`) ?? null;
      return via('processes', 'cells', [select(toProcesses)], { column: of, subject: undefined } as never);
    }
    case 'user':
      if (table === 'ports') return via('accounts', 'user', [toHolders, toAccounts]);
      if (table === 'findings') return via('accounts', 'user', [toProcesses, toAccounts]);
      return table === 'processes' || table === 'listeners' ? via('accounts', 'user', [toAccounts]) : null;
    case 'ports':
      if (table === 'findings')
        return { ...base, kind: 'cells', column: 'port', query: rows('id, summary, severity, port') };
      return table === 'processes' ? via('listeners', 'cells', [toListeners], { column: 'port' }) : null;
    case 'pid':
    case 'path':
      return table === 'ports'
        ? via('listeners', 'cells', [toHolders], { column: move === 'pid' ? 'pids' : 'executable' })
        : null;
    case 'explain':
      return table === 'findings' ? { ...base, kind: 'judged', name: 'why', query: rows() } : null;
    case 'why':
    case 'worry':
    case 'fine':
    case 'remedy':
    case 'accept': {
      if (table === 'gate_runs' && move === 'why')
        return { ...base, kind: 'run-last', column: null, name: 'why', query: rows() };
      const kind = move === 'remedy' ? 'cure' : move === 'accept' ? 'accept' : 'judged';
      if (table === 'findings') return { ...base, kind, name: move, query: rows() };
      if (move === 'fine' && table === 'listeners') return { ...base, kind: 'normal', query: rows() };
      if (table === 'ports') return { ...base, kind: 'port', name: '', column: 'up', query: rows() };
      return via('findings', kind, [toFindings], { name: move });
    }
    case 'should': {
      if (table === 'ports') return { ...base, kind: 'needed', query: rows() };
      const name = wanted(before, 'comm') ?? wanted(before, 'executable');
      if (table === 'processes' && name !== null)
        return {
          ...baseOf(language, 'baseline_differences'),
          ...{
            kind: 'needed',
            name: String(name),
            query: missingQuery(String(name)),
            subject: queryText(before),
          },
        };
      return table === 'processes' ? via('baseline_differences', 'needed', [toMissing]) : null;
    }
    case 'learned':
      if (table === 'listeners') return { ...base, kind: 'learned', query: rows() };
      if (table === 'ports') return via('listeners', 'learned', [toHolders]);
      return table === 'processes'
        ? via('baseline_differences', 'known', [toAdded], {
            name: String(wanted(before, 'comm') ?? wanted(before, 'executable') ?? ''),
          })
        : null;
    case 'undo':
      return table === 'accepted' || table === 'findings' || table === 'documentation'
        ? { ...base, kind: 'undo', query: rows(about.select) }
        : null;
    case 'ever':
    case 'last-up':
    case 'went-down': {
      if (table === 'ports') return { ...base, kind: 'port', name: '', column: 'when', query: rows() };
      return typeof port === 'number' ? lastUp(language, port, move === 'ever') : null;
    }
    case 'up':
      if (table === 'ports')
        return { ...base, kind: 'port', name: '', column: DOWN.test(bare) ? 'down' : 'up', query: rows() };
      if (table === 'processes' || table === 'listeners')
        return { ...base, kind: 'whether', query: rows(), conditions: allWords(table, before) };
      return typeof port === 'number'
        ? {
            ...baseOf(language, 'listeners'),
            kind: 'whether',
            query: query('listeners', `port = ${port}`) as string,
          }
        : null;
    case 'second':
    case 'third': {
      const nth = move === 'second' ? 2 : 3;
      // A list of findings has the most severe first.
      const isList =
        table === 'findings' &&
        before.group.length === 0 &&
        before.select.every(({ aggregate }) => aggregate === null) &&
        !partsOf(before.where).flatMap(columnsOf).includes('id');
      const { order } = before.order.length === 0 && isList ? parse('findings order by -severity') : before;
      return order.length === 0
        ? null
        : {
            ...base,
            kind: 'nth',
            limit: nth,
            column: orderedBy({ ...before, order }),
            query: queryText({ ...before, order, limit: nth }),
          };
    }
    case 'first': {
      const number = read(bare, asked.context.state.snapshot.at, asked.names).slots.find(
        ({ part }) => part === 'number',
      );
      return number === undefined
        ? null
        : {
            ...base,
            kind: 'head',
            limit: rowsWanted(Number(number.value)),
            query: queryText({ ...parse(rows()), limit: rowsWanted(Number(number.value)) }),
          };
    }
    case 'newest':
    case 'oldest':
    case 'worst': {
      const by = about.orders[move];
      if (by === undefined) return null;
      const order = parse(`${table} order by ${by}`).order;
      const key = KEYS[table];
      // Of some that were chosen by their order.
      if (before.limit !== null && before.limit > 1 && before.group.length === 0 && key !== undefined)
        return {
          ...base,
          kind: 'nth',
          limit: 1,
          column: by.replace('-', ''),
          query: rows(),
          steps: [
            (record) => {
              const where = inList(key, valuesOf(record, key));
              return query(table, where, ` order by ${by} limit 1`);
            },
          ],
        };
      return {
        ...base,
        ...{ kind: 'nth', limit: 1, column: by.replace('-', '') },
        query: queryText({ ...selecting(before, about.select), order, limit: 1 }),
      };
    }
    case 'others':
      return othersPlan(before, base);
    case 'processes':
      return table === 'accounts' ? via('processes', 'list', [toOwned]) : null;
    case 'count':
      // Of an explanation there is nothing to count.
      if (table === 'documentation') return null;
      return { ...base, kind: 'count', query: counted(before), conditions: allWords(table, before) };
    case 'list':
      return { ...base, kind: 'list', query: rows(), conditions: allWords(table, before) };
    default:
      return null;
  }
}

/** The rows that were not said: beside the first ones of a list, of a few the others; else those that do not meet its last condition. */
function othersPlan(before: Query, base: Base): Plan | null {
  const { table } = base;
  const { select } = TABLES[table] as Asked;
  const key = KEYS[table];
  const whole: Query = { ...selecting(before, select), limit: null };
  const made = { ...base, kind: 'list', conditions: [OTHERS] } as const;
  if (before.limit !== null && before.group.length === 0 && key !== undefined)
    return {
      ...made,
      query: queryText(selecting(before, `${select}${select.split(', ').includes(key) ? '' : `, ${key}`}`)),
      steps: [
        (record) => {
          const those = inList(key, valuesOf(record, key));
          if (those === null) return null;
          const where = partsOf(parse(`${table} where not (${those})`).where);
          return queryText({ ...whole, where: joined([...partsOf(before.where), ...where]) });
        },
      ],
    };
  const parts = partsOf(before.where);
  const last = parts.at(-1);
  const negated =
    last === undefined ? null : last.kind === 'not' ? last.part : { kind: 'not' as const, part: last };
  // What is not open is read from the store.
  const ever =
    before.ever || (table === 'findings' && last !== undefined && columnsOf(last).includes('state'));
  const opposite: Query | null =
    negated === null ? null : { ...whole, where: joined([...parts.slice(0, -1), negated]), ever };
  const isList = before.select.every(({ aggregate }) => aggregate === null) && before.group.length === 0;
  if (isList && key !== undefined)
    return {
      ...made,
      query: queryText({
        ...selecting(before, `${select}${select.split(', ').includes(key) ? '' : `, ${key}`}`),
        limit: MOST_LISTED,
      }),
      steps: [
        (record) => {
          const said = valuesOf({ ...record, rows: record.rows.slice(0, MOST_SHOWN) }, key);
          const those = record.total > MOST_SHOWN && said.length === MOST_SHOWN ? inList(key, said) : null;
          if (those === null) return opposite === null ? null : queryText(opposite);
          const where = partsOf(parse(`${table} where not (${those})`).where);
          return queryText({ ...whole, where: joined([...parts, ...where]) });
        },
      ],
    };
  return opposite === null ? null : { ...made, query: queryText(opposite) };
}

const hasFinding = ({ context }: Following, port: string | number | null): boolean =>
  context.state.judgement.findings.some(
    ({ subject }) => subject.kind === 'listener' && (port === null || subject.port === port),
  );

/** A column of the rows. */
function cells({ before }: Following, base: Base, move: Move, column: string): Plan {
  const { table } = base;
  const { select } = TABLES[table] as Asked;
  const columns = select.split(', ').includes(column) ? select : `${select}, ${column}`;
  return {
    ...base,
    ...{ kind: 'cells', column, name: move, conditions: allWords(table, before) },
    query: queryText(selecting(before, columns)),
  };
}
