/** Questions that leave out what the one before named, read with the query of that one. Pure. */

import { utcTime } from '../../../engine/time.ts';
import { parse } from '../../../query/parse.ts';
import { conditionText, queryText, valueText } from '../../../query/text.ts';
import { type Query, QueryError, type Condition as Where } from '../../../query/types.ts';
import type { QueryContext } from '../query-context.ts';
import { type Moment, momentIn } from '../times.ts';
import { compose } from './compose.ts';
import { compared, ROOT } from './conditions.ts';
import { bareOf, type Move, moveOf, pointsBack, saysNothing } from './follow-words.ts';
import { lastUp, timeWords } from './past.ts';
import type { Plan, PlanKind, Programs, Step } from './plan.ts';
import { type Names, type Reading, read, type Slot } from './read.ts';
import { type Asked, type Condition, said, TABLES } from './tables.ts';

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

const partsOf = (where: Where | null): readonly Where[] =>
  where === null ? [] : where.kind === 'and' ? where.parts : [where];
const joined = (parts: readonly Where[]): Where | null =>
  parts.length === 0 ? null : parts.length === 1 ? (parts[0] as Where) : { kind: 'and', parts };

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

/** The same rows with other columns, without groups. */
const selecting = (before: Query, select: string): Query => ({
  ...before,
  group: [],
  order: before.group.length > 0 ? [] : before.order,
  limit: before.group.length > 0 ? null : before.limit,
  select: parse(`${before.from.text} select ${select}`).select,
});

const NAMING: ReadonlySet<string> = new Set(['port', 'pid', 'comm', 'executable', 'name', 'id', 'inode']);

/** Rows that meet more conditions, which take the place of those about the same columns. */
function narrowed(before: Query, more: Query, negated: boolean): Query {
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

const KEYS: Readonly<Record<string, string>> = {
  processes: 'pid',
  listeners: 'inode',
  findings: 'id',
  accounts: 'name',
  startup: 'path',
  generations: 'number',
  gate_runs: 'at',
  ports: 'port',
};

/** The column that answers, by table. */
const COLUMNS: Readonly<Partial<Record<Move, Readonly<Record<string, string>>>>> = {
  since: {
    ...{ processes: 'start', findings: 'first_seen', gate_runs: 'at', generations: 'learned' },
    ...{ accepted: 'accepted', startup: 'changed', finding_events: 'at', accounts: 'last_login' },
  },
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

const valuesOf = (
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
const MOST_LISTED = 30;
const inList = (column: string, values: readonly (string | number)[]): string | null =>
  values.length === 0 || values.length > MOST_LISTED
    ? null
    : values.length === 1
      ? `${column} = ${valueText(values[0] as string)}`
      : `${column} in (${values.map((value) => valueText(value)).join(', ')})`;
const query = (table: string, where: string | null, more = ''): string | null =>
  where === null
    ? null
    : `${table} select ${TABLES[table]?.select}${table === 'listeners' ? ', uid' : ''} where ${where}${more}`;

/** Where some have no process, the others would pass for all. */
const toProcesses: Step = (record) =>
  record.rows.some((row) => typeof row.pid !== 'number' && !Array.isArray(row.pids))
    ? null
    : query('processes', inList('pid', valuesOf(record, 'pid', 'pids')));
const toListeners: Step = (record) => {
  const pids = valuesOf(record, 'pid', 'pids');
  if (pids.length === 0 || pids.length > MOST_LISTED) return null;
  return query('listeners', pids.map((pid) => `pids contains ${pid}`).join(' or '), ' order by port');
};
const toHolders: Step = (record) => query('listeners', inList('port', valuesOf(record, 'port')));
const toAccounts: Step = (record) => {
  const uids = inList('uid', valuesOf(record, 'uid'));
  return uids === null ? null : `accounts select name, uid where ${uids}`;
};
const toFindings: Step = (record) => {
  const ids = inList(
    'id',
    valuesOf(record, 'findings').filter((one) => typeof one === 'string'),
  );
  if (ids !== null) return query('findings', ids, ' order by -severity');
  const of = [inList('port', valuesOf(record, 'port')), inList('pid', valuesOf(record, 'pid', 'pids'))];
  const all = of.filter((one) => one !== null);
  return all.length === 0 ? null : query('findings', all.join(' or '), ' order by -severity');
};
const toMissing: Step = (record) => {
  const [name] = valuesOf(record, 'comm');
  return name === undefined ? null : missingQuery(String(name));
};
const missingQuery = (name: string): string =>
  `baseline_differences where difference = gone and text contains ${valueText(name)}`;
const toAdded: Step = (record) => {
  const [name] = valuesOf(record, 'executable', 'comm');
  return name === undefined
    ? null
    : `baseline_differences where difference = added and text contains ${valueText(String(name))}`;
};

/** What is known of a row for the steps. */
const STEPPING: Readonly<Record<string, string>> = {
  processes: 'comm, pid, uid, executable',
  listeners: 'executable, protocol, port, pids, inode, uid, allowed, findings',
  ports: 'name, port, required, up',
  findings: 'id, port, pid, summary, severity',
  startup: 'path, place, name, findings',
  accounts: 'name, uid, findings',
};

export interface Following {
  readonly message: string;
  readonly plain: string;
  readonly reading: Reading;
  readonly before: Query;
  readonly names: Names & Programs & { user(name: string): number | null };
  readonly context: QueryContext;
}

type Base = Omit<Plan, 'kind' | 'query'>;

const baseOf = (language: Plan['language'], table: string): Base => ({
  ...{ language, table, conditions: [], column: null, limit: null, moment: null, stranger: null, name: null },
  ...{ unmeasured: [], simple: false },
});

/** The plan of a follow-up; null where the question is none, or is not understood. */
export function follow(asked: Following): Plan | null {
  const bare = bareOf(asked.plain);
  if (bare === '' || bare.split(' ').length > 12) return null;
  const moved = moveOf(bare, asked.reading.language);
  const made = moved === null ? null : movedPlan(asked, moved.move, moved.language, bare);
  return made ?? narrowedPlan(asked, bare);
}

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
      if (table === 'processes' || table === 'listeners') return { ...base, kind: 'whether', query: rows() };
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
      return before.order.length === 0
        ? null
        : {
            ...base,
            kind: 'nth',
            limit: nth,
            column: orderedBy(before),
            query: queryText({ ...before, limit: nth }),
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
            limit: Number(number.value),
            query: queryText({ ...parse(rows()), limit: Number(number.value) }),
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
    case 'count':
      return { ...base, kind: 'count', query: counted(before), conditions: allWords(table, before) };
    case 'list':
      return { ...base, kind: 'list', query: rows(), conditions: allWords(table, before) };
    default:
      return null;
  }
}

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
  if (last === undefined) return null;
  const opposite: Where = last.kind === 'not' ? last.part : { kind: 'not', part: last };
  // What is not open is read from the store.
  const ever = before.ever || (table === 'findings' && columnsOf(last).includes('state'));
  return {
    ...made,
    query: queryText({ ...whole, where: joined([...parts.slice(0, -1), opposite]), ever }),
  };
}

const OTHERS: Condition = {
  query: '',
  words: said('beside those', 'außer diesen', 'además de esos', 'en dehors de ceux-ci'),
  step: null,
};
/** How a condition of a query reads. */
function wordsOf(table: string, part: Where): Condition {
  const text = conditionText(part);
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
  const { traits } = TABLES[table] as Asked;
  const trait = Object.values(traits).find(
    (one) => one !== undefined && conditionText(parse(`${table} where ${one.query}`).where as Where) === text,
  );
  if (trait !== undefined) return trait;
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
  return { query: text, words: said(`(${text})`, `(${text})`, `(${text})`, `(${text})`), step: null };
}
const allWords = (table: string, { where }: Query): readonly Condition[] =>
  partsOf(where).map((part) => wordsOf(table, part));

const counted = (before: Query): string =>
  queryText({ ...selecting(before, 'count()'), order: [], limit: null });
const orderedBy = ({ order: [first] }: Query): string | null => first?.item.column?.text ?? null;
const hasFinding = ({ context }: Following, port: string | number | null): boolean =>
  context.state.judgement.findings.some(
    ({ subject }) => subject.kind === 'listener' && (port === null || subject.port === port),
  );

/** A column of the rows. */
function cells({ before }: Following, base: Base, move: Move, column: string): Plan {
  const { table } = base;
  const { select } = TABLES[table] as Asked;
  const columns = select.split(', ').includes(column) ? select : `${select}, ${column}`;
  return { ...base, kind: 'cells', column, name: move, query: queryText(selecting(before, columns)) };
}

const NOT =
  /\b(?:without|except(?: for)?|excluding|but not|not|ohne|ausser|nicht|sin|excepto|menos|no|sauf|sans|pas|hormis)\b/;
/** Conditions that the grammar does not have as words of a table. */
const SPECIAL: readonly (readonly [table: string, words: RegExp, condition: Condition])[] = [
  [
    'listeners',
    /\b(?:(?:have|has|were|was|are) )?(?:(?:never|not) (?:yet )?(?:been )?(?:learned|learnt|known)|unlearned|unlearnt)\b|\b(?:nie|nicht|niemals) gelernt(?: wurden?| worden)?\b|\b(?:no|nunca) (?:se )?(?:han? )?(?:sido )?(?:aprendid[oa]s?)\b|\bn (?:ont|a|est|sont) (?:jamais|pas) (?:ete )?appris(?:es?)?\b|\b(?:jamais|non|pas) appris(?:es?)?\b/,
    (TABLES.listeners as Asked).traits.unlearned as Condition,
  ],
];
const LISTENING =
  /\b(?:(?:have|has|with|hold|holds|own) (?:an |any )?(?:open )?ports?|(?:haben|hat|mit|halten) (?:einen? )?(?:offenen? )?ports?|(?:tienen?|con) (?:un |algun )?puertos?(?: abiertos?)?|(?:ont|a|avec) (?:un |des )?ports?(?: ouverts?)?|listen(?:s|ing)?|lauschen|escuchan?|ecoutent)\b/;

const ACCEPTED = /\b(?:accept(?:ed)?|approved|akzeptiert\w*|angenommen\w*|aceptad[oa]s?|acceptee?s?)\b/;

/** The processes that hold a port. */
function listening({ context }: Following): Condition | null {
  const pids = inList('pid', [
    ...new Set(context.listeners.flatMap(({ pids: all }) => all as readonly number[])),
  ]);
  return pids === null
    ? null
    : {
        query: pids,
        words: said('with an open port', 'mit offenem Port', 'con un puerto abierto', 'avec un port ouvert'),
        step: null,
      };
}

const USER_COLUMN: Readonly<Record<string, string>> = {
  processes: 'uid',
  listeners: 'uid',
  findings: 'user',
  startup: 'user',
  accounts: 'name',
};

/** The same rows with more conditions, counted where they were counted or that is asked. */
function narrowedPlan(asked: Following, bare: string): Plan | null {
  const { before, reading, names, plain } = asked;
  const table = before.from.text;
  const { language } = reading;
  const points = pointsBack(plain);
  const holds = table === 'processes' && points && LISTENING.test(` ${bare} `);
  const own = reading.slots.filter(
    ({ part, value }) => part === 'table' && !(holds && value === 'listeners'),
  );
  if (own.some(({ value }) => value !== table) || (!points && own.length > 0)) return null;
  const kind = reading.slots.find(({ part }) => part === 'kind')?.value;
  const isShort =
    !reading.slots.some(({ part }) => part === 'verb' || part === 'unmeasured') && bare.split(' ').length < 6;
  if (!points && !(isShort && (kind === undefined || kind === 'list'))) return null;
  if (kind !== undefined && !['count', 'list', 'who', 'whether'].includes(kind)) return null;
  if (table === 'findings' && points && ACCEPTED.test(bare) && !NOT.test(bare) && !before.ever)
    return {
      ...baseOf(language, 'accepted'),
      ...{
        kind: 'accepted-of',
        query: `accepted select ${TABLES.accepted?.select}`,
        subject: queryText(before),
      },
    };
  const conditions: Condition[] = [];
  const pids: string[] = [];
  const { moment, rest: untimed } = momentIn(bare, asked.context.state.snapshot.at);
  const timed = moment === null ? before : atTime(before, moment);
  if (timed === null) return null;
  if (moment !== null) conditions.push(timeWords(moment));
  let text = ` ${untimed} `;
  const negated = NOT.test(text);
  for (const [of, words, condition] of SPECIAL)
    if (of === table && words.test(text)) {
      text = text.replace(words, ' ');
      conditions.push(condition);
    }
  const negates = conditions.length === 0 && negated;
  if (negates) text = text.replace(NOT, ' ');
  if (table === 'processes' && LISTENING.test(text)) {
    const condition = listening(asked);
    if (condition === null) return null;
    text = text.replace(LISTENING, ' ');
    pids.push(condition.query);
    conditions.push({ ...condition, query: 'listening' });
  }
  const userColumn = USER_COLUMN[table];
  for (const word of text.split(' ')) {
    const uid = word.length < 2 || word === 'root' ? null : names.user(word);
    if (uid === null || userColumn === undefined || names.programs(word)) continue;
    text = text.replace(` ${word} `, ' ');
    conditions.push({
      query: `${userColumn} = ${userColumn === 'uid' ? uid : valueText(word)}`,
      words: said(`of ${word}`, `von ${word}`, `de ${word}`, `de ${word}`),
      step: userColumn === 'uid' ? `[uid=${uid}]` : null,
    });
  }
  const counts = /\b(?:how many|wie ?viele|cuant[oa]s|combien)\b/;
  const asksCount = counts.test(text);
  const left = text
    .replace(counts, ' ')
    .split(' ')
    .filter((word) => word !== '' && !saysNothing(word, language));
  const rest = left.length === 0 ? null : read(left.join(' '), asked.context.state.snapshot.at, names);
  const slots = (rest?.slots ?? []).filter(
    ({ part, value }) =>
      part !== 'filler' &&
      part !== 'kind' &&
      !(part === 'table' && value === table) &&
      !(part === 'word' && value === 'only'),
  );
  let more: Query | null = null;
  let stranger: string | null = null;
  if (slots.length > 0) {
    const swapped = swappedValue(table, slots, before);
    if (swapped !== null) {
      more = parse(`${table} where ${swapped.query}`);
      conditions.push(swapped.condition);
      stranger = swapped.stranger;
    } else {
      // "More than 20" is of what was compared before.
      const [column] = partsOf(before.where)
        .flatMap(columnsOf)
        .filter((one) => one === 'threads');
      if (
        column !== undefined &&
        slots.some(({ part }) => part === 'operator') &&
        !slots.some(({ part }) => part === 'column')
      )
        slots.push({ part: 'column', value: column, text: '' });
      const tableSlot: Slot = { part: 'table', value: table, text: '' };
      const whole = compose(
        { language, moment: null, slots: [{ part: 'kind', value: 'list', text: '' }, ...slots, tableSlot] },
        names,
      );
      if (whole === null || whole.table !== table || whole.kind !== 'list') return null;
      more = parse(whole.query);
      conditions.push(...whole.conditions);
      stranger = whole.stranger;
    }
  }
  if (conditions.length === 0) return null;
  const special = [
    ...conditions.map(({ query: one }) => one).filter((one) => one !== '' && one !== 'listening'),
    ...pids,
  ];
  const all = parse(`${table}${special.length === 0 ? '' : ` where ${[...new Set(special)].join(' and ')}`}`);
  const merged: Query = more === null ? all : { ...more, where: all.where };
  const wasCount =
    kind !== 'list' &&
    before.select.some(({ aggregate, column }) => aggregate === 'count' && column === null);
  const counting = asksCount || kind === 'count' || (wasCount && kind !== 'who');
  const result = narrowed(timed, merged, negates);
  const ordered = !counting && result.order.length > 0 && result.limit !== null && result.group.length === 0;
  const held = conditions.filter(({ query: one }) => one === 'listening');
  const shown = [
    ...partsOf(result.where)
      .filter(
        (part) =>
          !columnsOf(part).includes('closed') && (held.length === 0 || !columnsOf(part).includes('pid')),
      )
      .map((part) => wordsOf(table, part)),
    ...held,
    ...(moment === null ? [] : [timeWords(moment)]),
  ];
  const base = baseOf(language, table);
  if (table === 'finding_events')
    return { ...base, kind: 'happened', moment, conditions: shown, query: queryText(result) };
  if (table === 'samples') {
    const column = before.select
      .flatMap(({ column: one }) => one?.text ?? [])
      .filter((one) => one !== 'at')
      .join(', ');
    const name = column === 'pids' ? 'processes' : 'listeners';
    return { ...base, kind: 'sample', moment, name, column, query: queryText(result) };
  }
  if (table === 'ports' && wanted(before, 'name') !== null && slots[0]?.part === 'deskport')
    return { ...base, kind: 'port', name: slots[0].value, column: 'up', query: queryText(result) };
  return {
    ...base,
    kind: ordered ? 'head' : counting ? 'count' : kind === 'whether' ? 'whether' : 'list',
    conditions: shown,
    stranger,
    moment,
    column: ordered ? orderedBy(before) : null,
    limit: ordered ? result.limit : null,
    query: counting ? counted(result) : queryText(selecting(result, (TABLES[table] as Asked).select)),
  };
}

/** Tables whose rows have a time. */
const TIMED: ReadonlySet<string> = new Set([
  ...[
    'processes',
    'findings',
    'accepted',
    'generations',
    'gate_runs',
    'finding_events',
    'samples',
    'startup',
  ],
  'packages',
]);
const nameOf = (ms: number) => ({ text: utcTime(ms) ?? '', at: -1 });

/** The same question about another time; null where its table has none. */
function atTime(before: Query, { how, ms, untilMs }: Moment): Query | null {
  const table = before.from.text;
  if (!TIMED.has(table)) return null;
  const none = { since: null, until: null, at: null };
  if (how === 'ago')
    return table === 'findings' || table === 'samples' ? { ...before, ...none, at: nameOf(ms) } : null;
  if (table === 'samples' && before.at !== null) return null;
  const parts = partsOf(before.where);
  const others = parts.filter((part) => !columnsOf(part).includes('closed'));
  if (others.length < parts.length) {
    const begin =
      how === 'until'
        ? `closed < ${valueText(utcTime(ms) ?? '')}`
        : `closed >= ${valueText(utcTime(ms) ?? '')}`;
    const end = untilMs === null ? '' : ` and closed < ${valueText(utcTime(untilMs) ?? '')}`;
    return {
      ...before,
      where: joined([...others, ...partsOf(parse(`findings where ${begin}${end}`).where)]),
    };
  }
  const ever = before.ever || table === 'findings';
  return how === 'until'
    ? { ...before, ...none, until: nameOf(ms), ever }
    : { ...before, ...none, since: nameOf(ms), until: untilMs === null ? null : nameOf(untilMs), ever };
}

/** A value alone takes the place of the one that the question before had. */
function swappedValue(
  table: string,
  slots: readonly Slot[],
  before: Query,
): { readonly query: string; readonly condition: Condition; readonly stranger: string | null } | null {
  const named = slots.filter(({ part, value }) => !(part === 'word' && value === 'port'));
  const [one] = named;
  if (named.length !== 1 || one === undefined) return null;
  const make = (column: string, value: string | number, stranger: string | null = null) => ({
    query: `${column} = ${valueText(value)}`,
    condition: {
      query: `${column} = ${valueText(value)}`,
      words: said(
        `with ${column} ${value}`,
        `mit ${column} ${value}`,
        `con ${column} ${value}`,
        `avec ${column} ${value}`,
      ),
      step: typeof value === 'number' ? `[${column}=${value}]` : null,
    },
    stranger,
  });
  if (one.part === 'number') {
    const column = ['port', 'pid', 'uid', 'number'].find((name) => wanted(before, name) !== null);
    const usual = slots.length > 1 && (table === 'listeners' || table === 'ports') ? 'port' : null;
    const by = usual ?? column ?? null;
    return by === null ? null : make(by, Number(one.value));
  }
  if (one.part === 'deskport' && table === 'ports') return make('name', one.value);
  if (one.part === 'stranger' && table === 'processes' && !one.value.startsWith('/'))
    return make('comm', one.value, one.value);
  if (
    (one.part === 'stranger' || (one.part === 'unread' && one.value !== '')) &&
    table === 'processes' &&
    wanted(before, 'comm') !== null
  )
    return make('comm', one.text, one.text);
  if ((one.part === 'stranger' || one.part === 'unread') && table === 'accounts')
    return make('name', one.text);
  return null;
}
