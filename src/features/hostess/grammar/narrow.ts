/** Follow-ups that keep the rows of the question before and add, replace or deny conditions. Pure. */
import { utcTime } from '../../../engine/time.ts';
import { parse } from '../../../query/parse.ts';
import { queryText, valueText } from '../../../query/text.ts';
import type { Query } from '../../../query/types.ts';
import { type Moment, momentIn } from '../times.ts';
import { compose } from './compose.ts';
import { loggedIn } from './conditions.ts';
import {
  baseOf,
  columnsOf,
  counted,
  type Following,
  inList,
  joined,
  narrowed,
  orderedBy,
  partsOf,
  saidParts,
  selecting,
  wanted,
} from './follow-rows.ts';
import { pointsBack, saysNothing } from './follow-words.ts';
import { newestEntries } from './host-asked.ts';
import { timeWords } from './past.ts';
import type { Plan } from './plan.ts';
import { read, type Slot, UNKNOWN } from './read.ts';
import { type Asked, type Condition, said, TABLES } from './tables.ts';

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
export function narrowedPlan(asked: Following, bare: string): Plan | null {
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
  const arrived = arrivedPlan(asked, untimed, moment);
  if (arrived !== null) return arrived;
  const timed = moment === null ? before : atTime(before, moment);
  if (timed === null) return null;
  const ofTime = moment === null ? [] : [table === 'accounts' ? loggedIn(moment) : timeWords(moment)];
  conditions.push(...ofTime);
  let text = ` ${table === 'accounts' && moment !== null ? untimed.replace(LOGGED_IN, ' ') : untimed} `;
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
    const uid = word.length < 2 || word === 'root' ? null : names.uid(word);
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
  // "Can log in" is a phrase: its words alone would be something else.
  const isWhole =
    table === 'accounts' &&
    moment === null &&
    !negated &&
    reading.slots.some(({ part }) => part === 'trait') &&
    reading.slots.every(({ part }) => part !== 'unread' && part !== 'stranger' && part !== 'user');
  const rest = isWhole
    ? reading
    : left.length === 0
      ? null
      : read(left.join(' '), asked.context.state.snapshot.at, names);
  const slots = (rest?.slots ?? []).filter(
    ({ part, value }) =>
      part !== 'filler' &&
      part !== 'kind' &&
      !(part === 'table' && value === table) &&
      !(part === 'word' && (value === 'only' || (isWhole && value === 'back'))),
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
        {
          language,
          moment: null,
          respelled: null,
          slots: [{ part: 'kind', value: 'list', text: '' }, ...slots, tableSlot],
        },
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
    ...saidParts(
      table,
      partsOf(result.where).filter(
        (part) =>
          !columnsOf(part).some((one) => one === 'closed' || (one === 'last_login' && moment !== null)) &&
          (held.length === 0 || !columnsOf(part).includes('pid')),
      ),
    ),
    ...held,
    ...ofTime,
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

/** Beside a time, of accounts: their last login. */
const LOGGED_IN =
  /\b(?:(?:have |has |had |did |were |was )?(?:logged|signed|log|sign)(?: ?(?:in|on))?|(?:hat |haben |waren |war )?(?:sich )?.{0,12}(?:angemeldet|eingeloggt|da)(?: (?:hat|haben|war|waren))?|(?:se )?(?:han? )?(?:conectad[oa]s?|conecto|conectaron|entrado|entraron|entro|iniciado sesion|iniciaron sesion)|(?:se sont |s est |sont |est )?connectee?s?)\b/;
/** What is new at startup: when the file changed. */
const ARRIVED =
  /\b(?:(?:were|was|are|is|weren|wasn)(?: t| not)? (?:yet )?(?:there|here|present)|(?:have been |has been |were |was |got )?(?:newly )?(?:added|new|changed|created|modified)|recent(?:ly)?|(?:noch )?nicht da(?: waren?)?|neu(?:e|en|er|es)?|(?:neu )?(?:hinzugekommen|dazugekommen|hinzugefugt)|geandert|(?:no )?estaban?|nuev[oa]s?|(?:se )?(?:han? )?(?:anadid[oa]s?|anadieron|agregad[oa]s?|agregaron|cambiad[oa]s?|cambiaron)|recientes?|(?:n )?etaient (?:pas )?(?:la|presentes?)|nouve(?:aux?|lles?)|(?:ont ete |ete )?(?:ajoutee?s?|changee?s?|modifiee?s?)|recentes?)(?: (?:since|worden|seit))?\b/;

/** Entries of startup that are new: of the span, or those whose files changed last; null where that is not asked. */
function arrivedPlan({ before, reading }: Following, bare: string, moment: Moment | null): Plan | null {
  if (before.from.text !== 'startup' || !ARRIVED.test(bare) || before.group.length > 0) return null;
  const left = bare
    .replace(ARRIVED, ' ')
    .split(' ')
    .filter((word) => word !== '' && !saysNothing(word, reading.language));
  if (moment === null && left.length > 0) return null;
  const { notes = {}, column = null } = newestEntries([]);
  const whole = selecting({ ...before, limit: null }, (TABLES.startup as Asked).select);
  const of = parse(moment === null ? 'startup order by -changed limit 3' : 'startup order by -changed');
  const since = moment === null ? null : moment.how === 'until' ? null : nameOf(moment.ms);
  return {
    ...baseOf(reading.language, 'startup'),
    ...{ kind: 'cells', column, moment, notes, limit: moment === null ? 3 : null },
    conditions: moment === null ? [] : [timeWords(moment)],
    query: queryText({ ...whole, order: of.order, limit: of.limit, since, until: null }),
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
    'alerts',
  ],
  'packages',
]);
const nameOf = (ms: number) => ({ text: utcTime(ms) ?? '', at: -1 });

/** The same question about another time; null where its table has none. */
function atTime(before: Query, moment: Moment): Query | null {
  const { how, ms, untilMs } = moment;
  const table = before.from.text;
  if (table === 'accounts') return loggedInAt(before, moment);
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

/** Accounts whose last login was then, in place of another time of it. */
function loggedInAt(before: Query, moment: Moment): Query | null {
  if (moment.how === 'ago') return null;
  const others = partsOf(before.where).filter((part) => !columnsOf(part).includes('last_login'));
  const { where } = parse(`accounts where ${loggedIn(moment).query}`);
  return { ...before, where: joined([...others, ...partsOf(where)]) };
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
  if ((one.part === 'stranger' || (one.part === 'unread' && one.value === UNKNOWN)) && table === 'accounts')
    return make('name', one.text);
  return null;
}
