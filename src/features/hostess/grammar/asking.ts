/** A question as a query: planned from its words, run on the tables of the desk, said by `render.ts`. */

import type { Grant } from '../../../desk/context.ts';
import { type QueryDesk, TABLES } from '../../../desk/query.ts';
import { parse } from '../../../query/parse.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import { answer, recordOf } from '../../query/api.ts';
import { isProgramName, otherNamesOf } from '../families.ts';
import type { Library } from '../knowledge.ts';
import { isFrequent, isOrdinary } from '../lexicon.ts';
import { quoted } from '../paths.ts';
import type { QueryContext } from '../query-context.ts';
import { inFull, isJudging } from '../vitals/again.ts';
import { vitalPlan } from '../vitals/plan.ts';
import { aroundTime } from './around.ts';
import { askedOf, twoIn } from './asked-of.ts';
import { canonical } from './canonical.ts';
import { compose } from './compose.ts';
import { follow, previousOf } from './follow.ts';
import { addsTo, bareOf, moveOf, OF_THEM, pointsBack } from './follow-words.ts';
import { hostPlan } from './host-asked.ts';
import { notedOf } from './noted.ts';
import { pastOf, sinceOfPort } from './past.ts';
import type { Plan, Programs } from './plan.ts';
import { allServices } from './program-asked.ts';
import { type Names, plainOf, type Reading, read, type Slot, withoutGreeting } from './read.ts';
import { reworded } from './rewordings.ts';
import { sitePlan } from './site-asked.ts';
import { spansOf } from './spans.ts';
import { corrected, withSpaces } from './spelling.ts';

/** A question that is answered by a query. */
export interface Queried {
  readonly plan: Plan;
  readonly record: QueryAnswer;
  /** What its number is compared with. */
  readonly second: QueryAnswer | null;
  /** The answer of the last query but one, where there were several. */
  readonly first: QueryAnswer | null;
}

/** Shorter words are parts of too many summaries. */
const SHORTEST_ABOUT = 5;

/** Names with a number behind them are versions of one program where they are few. */
const MOST_VERSIONS = 8;

/** "shopapi" is shop-api. */
const unmarkedName = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

function namesOf(context: QueryContext, library: Library): Names & Programs {
  const listed = (context.root('page') as { readonly ports: readonly { readonly name: string }[] }).ports;
  const ports = new Map(
    listed.flatMap(({ name }) => [[name, name] as const, [unmarkedName(name), name] as const]),
  );
  const users = context.users();
  const find: Programs['find'] = (name) => {
    const as = context.processes.named([name]);
    const found = as.length > 0 ? as : context.processes.named([name.toLowerCase()]);
    const paths = found.flatMap(([column, known]) =>
      column === 'comm' ? [context.read(`processes[comm=${quoted(known)}].executable`)] : [],
    );
    return [
      ...found,
      ...paths.flatMap((path) =>
        typeof path === 'string' && path !== '' ? [['executable', path] as const] : [],
      ),
    ];
  };
  const isSpelled = (word: string): boolean => isOrdinary(word) || isFrequent(word) || library.spells(word);
  // What runs decides: a version of the name, else another name of the program.
  const versions: Programs['versions'] = (name) => {
    const { processes } = context;
    const own = [name, name.toLowerCase()].flatMap((one) => processes.versions(one));
    if (own.length > 0 || find(name).length > 0) return own.length > MOST_VERSIONS ? [] : [...new Set(own)];
    return otherNamesOf(name).flatMap((one) => [
      ...(processes.named([one]).length > 0 ? [one] : []),
      ...processes.versions(one),
    ]);
  };
  return {
    find,
    programs: (name) => find(name).length > 0 || versions(name).length > 0,
    versions,
    deskPort: (name) =>
      ports.get(name) ?? (name.length < SHORTEST_ABOUT ? null : (ports.get(unmarkedName(name)) ?? null)),
    isUser: (name) => users.some((one) => one.name === name),
    uid: (name) => users.find((one) => one.name === name)?.uid ?? null,
    usersOf: (uid) => users.filter((one) => one.uid === uid).map(({ name }) => name),
    isCheck: (name) => library.longest([name], ['check'])?.name === name,
    isAbout: (word) =>
      word.length >= SHORTEST_ABOUT &&
      !isSpelled(plainOf(word)) &&
      context.state.judgement.findings.some(({ summary }) => summary.includes(word)),
    isOrdinary: isSpelled,
  };
}

export interface Planned {
  readonly reading: Reading;
  readonly plan: Plan | null;
  /** It follows another question, and what it is about is not known. */
  readonly unclear: boolean;
}

/** With the plan of the question without its unknown words, where there is no other one. */
export interface LoosePlanned extends Planned {
  readonly loose: Plan | null;
  /** The query that the question may follow; null without one. */
  readonly previous: string | null;
  /** The question as it was meant, where `loose` is the plan of that; null where no word was put right. */
  readonly respelled: string | null;
}

/** Of another than what was named. */
const ELSE = /\b(?:else|sonst noch|noch|d autre)\b|(?<=\b(?:quien|alguien|que) )mas\b/;

/** A user name followed by its number, such as "www-data (uid 33)": only the number is kept. */
const NAMED_UID = /[\w.-]+ \(uid (\d+)\)/;

/** `previous`: the query of the last answer of the conversation, as its record has it; null without one. */
export function planFor(
  written: string,
  context: QueryContext,
  library: Library,
  previous: string | null,
): LoosePlanned {
  const names = namesOf(context, library);
  const isName = (word: string): boolean => isProgramName(word) || names.programs(word) || names.isUser(word);
  const asked = canonical(withSpaces(reworded(written), isName));
  const asking = { asked, context, previous, names };
  const planned = notedPlan(asking) ?? vitalPlanOf(asking) ?? strictPlan(asking);
  const isOpen = planned.plan === null && !planned.unclear;
  // "Sudo rihgts" names no account.
  const isOdd = planned.plan !== null && planned.reading.slots.some(isOddName);
  const right = isOpen || isOdd ? correctedPlan(asking, planned.reading) : null;
  if (right !== null) return { ...planned, plan: null, ...right, previous };
  return {
    ...planned,
    respelled: null,
    loose: isOpen ? loosePlan(planned.reading, plainOf(asked), names) : null,
    previous: previous === null || previousOf(previous) === null ? null : previous,
  };
}

/** A name that nothing here has, and that may be a misspelled word. */
const isOddName = ({ part, text }: Slot): boolean =>
  part === 'stranger' && /^\p{L}+$/u.test(text) && !isProgramName(text);

/** About the machine itself, or what processes use. */
function vitalPlanOf({ asked, context, previous, names }: Asking): Planned | null {
  const now = context.state.snapshot.at;
  const said = withoutGreeting(asked);
  const message = inFull(said, previous, now, read(said, now, names).language) ?? said;
  const reading = read(message, now, names);
  const programs: Programs['find'] = (name) => [
    ...names.find(name),
    ...names.versions(name).flatMap((one) => names.find(one)),
  ];
  const pid = context.read('charge.forever.pid');
  const self = typeof pid === 'number' && pid > 0 ? pid : null;
  const known = { programs, uid: names.uid, isUser: names.isUser, self };
  const plan = vitalPlan({ ...{ message, now, known, previous }, language: reading.language });
  if (plan !== null) return { reading: { ...reading, language: plan.language }, plan, unclear: false };
  const isFollowing = message !== said;
  const judged = isFollowing || (previous === null && isJudging(plainOf(said)));
  return judged ? { reading: read(said, now, names), plan: null, unclear: true } : null;
}

/** A value of the machine, or its services, with what of the question is not recorded. */
function notedPlan(asking: Asking): Planned | null {
  const { asked, context, names, previous } = asking;
  const said = withoutGreeting(asked);
  const reading = read(said, context.state.snapshot.at, names, asked);
  const { language } = reading;
  const services = allServices({ plain: plainOf(said), reading, names });
  if (services !== null) return { reading: { ...reading, respelled: null }, plan: services, unclear: false };
  const noted = notedOf(plainOf(said), previous, language);
  if (noted === null) return null;
  const made = vitalPlanOf({ ...asking, asked: noted.asks[language], previous: null });
  return made === null || made.plan === null ? null : { ...made, plan: { ...made.plan, notes: noted.notes } };
}

/** The plan of the question with its misspelled words put right; null without one. */
function correctedPlan(
  asking: Asking,
  { language }: Reading,
): { readonly loose: Plan; readonly respelled: string } | null {
  const { names } = asking;
  const isName = (word: string): boolean =>
    isProgramName(word) || names.programs(word) || names.isUser(word) || names.deskPort(word) !== null;
  const respelled = corrected(asking.asked, language, isName);
  if (respelled === null) return null;
  const { plan } =
    vitalPlanOf({ ...asking, asked: respelled }) ?? strictPlan({ ...asking, asked: respelled });
  return plan === null || plan.stranger !== null ? null : { loose: plan, respelled };
}

const MOST_UNKNOWN = 3;
/** Asks for a reason, a way or a meaning, or under a condition: no rows answer that. */
const NO_ROWS =
  /\b(?:why|how (?!many|much|long|often)|means?|mean|should|if|difference|nobody|no one|none|neither|nor|tomorrow|all|warum|wieso|weshalb|wie (?!viele?\b|lange|oft)|bedeutet|wenn|falls|soll|niemand|keiner|morgen|alle|nadie|ninguno|manana|todos|personne|aucun|demain|tous|por que|como|significa|deberia|si|pourquoi|comment|signifie|faut)\b/;

/** Words that are not known are left out, and said to be; null where that leaves a whole table, or nothing to ask. */
function loosePlan(reading: Reading, plain: string, names: Programs): Plan | null {
  const unread = reading.slots.filter(({ part }) => part === 'unread');
  if (unread.length === 0 || unread.length > MOST_UNKNOWN || NO_ROWS.test(plain)) return null;
  const slots = reading.slots.filter(({ part }) => part !== 'unread');
  const plan = compose({ ...reading, slots }, names);
  if (plan === null || (plan.kind === 'list' && plan.conditions.length === 0)) return null;
  return plan;
}

interface Asking {
  readonly asked: string;
  readonly context: QueryContext;
  readonly previous: string | null;
  readonly names: Names & Programs;
}

function strictPlan({ asked, context, previous, names }: Asking): Planned {
  const now = context.state.snapshot.at;
  const message = withoutGreeting(asked);
  const plain = plainOf(message);
  const reading = aroundTime(read(message.replace(NAMED_UID, 'uid $1'), now, names, asked), plain);
  const before = previous === null ? null : previousOf(previous);
  const sites = context.state.desk.config.sites.map(({ name }) => name);
  const ofHost =
    hostPlan({ plain, reading, names }) ?? sitePlan({ plain, reading, names }, sites, now.epochMs);
  if (ofHost !== null) return { reading: { ...reading, respelled: null }, plan: ofHost, unclear: false };
  const followed =
    before === null || VERSION.test(bareOf(plain))
      ? null
      : follow({ message, plain, reading, before, names, context });
  if (followed !== null) return { reading, plan: followed, unclear: false };
  const bare = bareOf(plain);
  const { move } = moveOf(bare, reading.language) ?? {};
  // What to do, and whether to worry, can be asked of everything.
  const moved = move !== undefined && (before !== null || !GENERAL.has(move));
  // An answer about all rows would be about another matter; the version of a program is not in its rows.
  if (moved || (before !== null && (OF_THEM.test(plain) || VERSION.test(bare))))
    return { reading, plan: null, unclear: true };
  const port = sinceOfPort(reading);
  if (port !== null) {
    const since = follow({
      ...{ message, reading, names, context, before: parse(`listeners where port = ${port}`) },
      plain: 'since when',
    });
    if (since !== null) return { reading, plan: { ...since, language: reading.language }, unclear: false };
  }
  const asking = { asked, context, previous, names };
  const of = planOfAsked(message, asking) ?? planOfTwo(message, asking);
  if (of !== null) return of;
  const portOf = (name: string): number | null => {
    const port = context.read(`page.ports[name=${quoted(name)}].port`);
    return typeof port === 'number' ? port : null;
  };
  const meant = reading.respelled === null ? plain : plainOf(reading.respelled);
  // As it is written too: a word may be right that was put right.
  const spans = spansOf({ reading, plain: meant === plain ? plain : `${plain} ${meant}` });
  const past = spans.plan ?? pastOf({ reading: spans.reading, plain: meant, programs: names, portOf });
  const plan = past ?? compose(spans.reading, names);
  const hasOwn = reading.slots.some(({ part }) => OWN.has(part));
  const isRead = reading.slots.every(({ part }) => part !== 'unread' && part !== 'trait');
  // "Only those of root" is about other rows, although it could be read as a question about processes.
  if (before === null && isRead && addsTo(plain) && !hasOwn && bare.split(' ').length < 5)
    return { reading, plan: null, unclear: true };
  const isBare = reading.slots.every(
    ({ part }) => part === 'trait' || part === 'kind' || part === 'filler' || part === 'word',
  );
  // "Which are confined" is about the rows before, however it was said.
  if (before !== null && plan !== null && isBare) return { reading, plan: null, unclear: true };
  if (plan !== null || before === null) return { reading, plan, unclear: false };
  const other = plain.replace(ELSE, ' ');
  const again = other === plain ? null : read(other, now, names);
  if (again !== null) return { reading: again, plan: compose(again, names), unclear: false };
  return { reading, plan, unclear: !hasOwn && pointsBack(plain) && bare.split(' ').length < 6 };
}

/** What is asked of processes that the question describes: their rows, and the question as one that follows. */
function planOfAsked(message: string, { context, names }: Asking): Planned | null {
  const of = askedOf(message);
  if (of === null) return null;
  const { language } = of;
  const now = context.state.snapshot.at;
  const described = read(of.rest, now, names);
  const rows = of.pid === null ? compose(described, names) : null;
  if (of.pid === null && rows?.table !== 'processes') return null;
  const planned = (plan: Plan): Planned => ({
    reading: { ...described, language },
    plan: { ...plan, language },
    unclear: false,
  });
  if (rows?.stranger) return planned({ ...rows, kind: 'list' });
  const before = parse(rows === null ? `processes where pid = ${of.pid}` : bareQuery(rows.query));
  const reading = read(of.move, now, names);
  const plan = follow({ message: of.move, plain: of.move, reading, names, context, before });
  return plan === null ? null : planned(plan);
}

/** What can be asked of rows together with the question for them. */
const TOGETHER: ReadonlySet<string> = new Set(['since', 'user', 'pid', 'ports', 'threads', 'path', 'parent']);

const NAMES_ROWS = /^\(?(?:comm|executable|port|pid|uid|scope) /;

/** "Is sshd running, and since when": the second question, of the rows of the first. */
function planOfTwo(message: string, { context, names }: Asking): Planned | null {
  const [first, second] = twoIn(message) ?? [];
  if (first === undefined || second === undefined) return null;
  const now = context.state.snapshot.at;
  const described = read(first, now, names);
  const plain = plainOf(second);
  const { move } = moveOf(bareOf(plain), described.language) ?? {};
  if (move === undefined || !TOGETHER.has(move)) return null;
  const rows = compose(described, names);
  const isOfRows = rows !== null && (rows.kind === 'list' || rows.kind === 'whether') && rows.limit === null;
  if (!isOfRows || (rows.table !== 'processes' && rows.table !== 'listeners')) return null;
  // Whether they are confined, for example, is asked too.
  if (rows.kind === 'whether' && !rows.conditions.every(({ query }) => NAMES_ROWS.test(query))) return null;
  if (rows.stranger !== null) return { reading: described, plan: rows, unclear: false };
  const reading = read(second, now, names);
  const before = parse(bareQuery(rows.query));
  const plan = follow({ message: second, plain, reading, names, context, before });
  const { language } = described;
  return plan === null ? null : { reading: described, plan: { ...plan, language }, unclear: false };
}

/** A question for a number asks for these rows too. */
const bareQuery = (query: string): string =>
  query.replace(/ select .*?(?= where | order | limit | since | until |$)/, '');

const VERSION =
  /^(?:in )?(?:which|what(?: is the| s the)?|the|welche|was ist die|quelle(?: est la)?|que|cual es la) version(?:en)?(?: (?:is|of|ist|est|es|of it|is it|is that|hat es|tiene))*$/;

/** Moves that are questions of their own. */
const GENERAL: ReadonlySet<string> = new Set(['remedy', 'worry', 'fine']);

/** Parts that name something of their own. */
const OWN: ReadonlySet<string> = new Set([
  'table',
  'program',
  'stranger',
  'deskport',
  'check',
  'about',
  'number',
]);

/** Runs the queries of a plan; null without one, or where this desk has no tables. */
export async function ask(desk: QueryDesk, plan: Plan | null, grant: Grant | null): Promise<Queried | null> {
  if (plan === null || desk.find(TABLES) === null) return null;
  const run = async (text: string): Promise<QueryAnswer> =>
    recordOf(desk, await answer(desk, parse(text), grant));
  const second = plan.second ? await run(plan.second.query) : null;
  let first: QueryAnswer | null = null;
  let record = await run(plan.query);
  for (const step of plan.steps ?? []) {
    const next = step(record);
    if (next === null) break;
    first = record;
    record = await run(next);
  }
  return { plan, record, first, second };
}
