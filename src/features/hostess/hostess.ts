/** The hostess: answers a question from the records, with every value the answer uses as a ground. Pure. */

import { nearest } from '../../base/nearest.ts';
import { mostSevereFirst } from '../../policy/severity.ts';
import { parse } from '../../query/parse.ts';
import { queryText } from '../../query/text.ts';
import type { HostessAnswer } from '../../records/talk.ts';
import { type Answer, AnswerBuilder, ours, type Plain, plain as plainText } from './answer-builder.ts';
import { adviceOf, sayAdvice } from './grammar/advice.ts';
import type { Queried } from './grammar/asking.ts';
import { planFor } from './grammar/asking.ts';
import { asksForAttack, asksForBreach, asksForMiner, sayBreach, sayMiner } from './grammar/breach.ts';
import { asksStrictly, goalOf, isEarly, isSpent, sayGoal } from './grammar/goals.ts';
import { matterOf, sayMatter } from './grammar/matter.ts';
import { pinned } from './grammar/pin.ts';
import { withoutPoliteness } from './grammar/polite.ts';
import { plainOf, type Reading, type SlotPart, UNKNOWN } from './grammar/read.ts';
import { OF_NOW, saySection, sectionFor } from './grammar/section.ts';
import { SiteTelling } from './grammar/site-said.ts';
import { misspelledTalkOf, talkOf } from './grammar/small-talk.ts';
import { sayTalk } from './grammar/small-talk-answer.ts';

import { corrected } from './grammar/spelling.ts';
import { subjectOf } from './grammar/subject.ts';
import { sayUnclear } from './grammar/unclear.ts';
import { sayWhy, whyOf } from './grammar/why.ts';
import { honest } from './honest.ts';
import type { Intent, Query } from './intent.ts';
import { beyond, isTold } from './intents/beyond.ts';
import { byMeaning, sayBeside } from './intents/by-meaning.ts';
import { facts } from './intents/facts.ts';
import { INTENTS } from './intents/index.ts';
import { installed, processesOf } from './intents/installed.ts';
import { lost, mustRefuse, nearestTo, order, REFUSALS } from './intents/refusals.ts';
import { folded, writtenIn } from './knowledge.ts';
import { conceptsOf, isOrdinary, isStopWord } from './lexicon.ts';
import { peopleWanted } from './people.ts';
import { ASKS_MEANING } from './term-words.ts';
import { type Question, understand } from './understand.ts';
import { vitalAnswer } from './vitals/answer.ts';

/** Scores from here on mean a recognised name or refusal: nothing is added to the answer. */
const ASKED_FOR = 76;
/** Scores from here on mean that a word of the intent's subject occurs. */
const OF_SUBJECT = 44;

interface Taken {
  readonly asked: Query;
  readonly intent: Intent;
  readonly score: number;
}

const ASKED_NOUN = /^(?:which|what|welche[rsnm]?|quel(?:le)?s?|que|cual(?:es)?) (\p{L}+)/u;
/** "Which country is the attacker in": it asks for a thing that no document explains. */
function asksForUnknown({ question, library }: Query): boolean {
  const noun = ASKED_NOUN.exec(question.words.join(' '))?.[1] ?? '';
  return noun !== '' && !isStopWord(noun) && !library.spells(noun) && conceptsOf(noun).length === 0;
}

/** The intent with the highest score; of equal ones the first. */
function takenFor(asked: Query): Taken {
  let [intent, most]: [Intent, number] = [lost, 0];
  for (const one of INTENTS) {
    if (one.most !== undefined && one.most <= most) continue;
    const score = one.score(asked);
    if (score > most) [intent, most] = [one, score];
  }
  return most < OF_SUBJECT && asksForUnknown(asked)
    ? { asked, intent: lost, score: 1 }
    : { asked, intent, score: most };
}

const JOINT = /\s*(?:[?;,]|(?<!\p{L})(?:and|und|et|y)(?!\p{L}))\s+/iu;
/** A part that refers to the other is not a question of its own. */
const POINTS_BACK =
  /(?<!\p{L})(?:it|its|that|this|they|them|those|he|she|er|sie|es|das|diese[rsn]?|il|elle|ils|ca|eso|esto|ello|if|wenn|si)(?!\p{L})/iu;
const LONGEST_SPLIT = 160;

/** The halves of a message with two questions; otherwise none. */
function halvesOf({ text, other }: Question): readonly string[] {
  if (text.length > LONGEST_SPLIT || other !== null) return [];
  const parts = text.replace(/[?!.]+$/, '').split(JOINT);
  const [first = '', second = ''] = parts;
  return parts.length === 2 && first.includes(' ') && second.includes(' ') && !POINTS_BACK.test(second)
    ? [first, second]
    : [];
}

/** The halves, when both are understood and have different intents; else the whole. */
function taken(asked: Query): readonly Taken[] {
  const whole = takenFor(asked);
  if (REFUSALS.has(whole.intent) || peopleWanted(asked.question) !== null) return [whole];
  const { context, library } = asked;
  const halves = halvesOf(asked.question).map((half) =>
    takenFor({ ...asked, question: understand(half, context.state.snapshot.at, library) }),
  );
  const [one, two] = halves;
  if (one === undefined || two === undefined || one.intent === two.intent) return [whole];
  const sure = halves.every(
    ({ intent, score, asked: { question } }) =>
      score > OF_SUBJECT && !REFUSALS.has(intent) && peopleWanted(question) === null,
  );
  return sure ? halves : [whole];
}

/** Names that are suggested: others could pass for words of the question. */
const PLAIN_NAME = /^[\w.@+-]+$/;

/** The nearest name that there is for one that nothing has; null without one. */
function nearName({ context }: Query, stranger: string | null): string | null {
  if (stranger === null) return null;
  const users = context.users().map(({ name }) => name);
  const near = context.processes.nearly(stranger) ?? nearest(users, stranger, 1)[0] ?? null;
  return near !== null && PLAIN_NAME.test(near) ? near : null;
}

/** The question as it was read, or with the nearest name that there is for one that nothing has. */
function choicesFor(
  { reading, question }: Query,
  stranger: string | null,
  near: string | null,
): readonly string[] {
  const text = reading.respelled ?? question.text;
  if (stranger !== null && near !== null) return [text.replace(stranger, () => near)];
  return reading.respelled === null ? [] : [text];
}

/** Goals that a time in the question belongs to. */
const TIMED = /^(?:quiet|changes|history|findings-time|findings-history)$/;

/** Tables that are read of the machine for a question; a desk may not have them. */
const READ_WHEN_ASKED: ReadonlySet<string> = new Set([
  ...['startup', 'accounts'],
  ...['vitals', 'disks', 'interfaces', 'failed_units', 'slow'],
]);

const ACCOUNTS =
  /\b(?:accounts?|users?|konto|konten|benutzer|nutzer|cuentas?|usuarios?|comptes?|utilisateurs?)\b/;

export function answerTo(asked: Query): HostessWords {
  const said = answered(asked);
  const words = honest(asked, said.answer === '' ? sayUnclear(asked) : said);
  return { ...words, choices: words.choices.filter((choice) => isUnderstood(choice, asked)) };
}

/** Whether a question that is offered would be answered. */
function isUnderstood(choice: string, { context, library, previous, ...asked }: Query): boolean {
  const { reading, plan, unclear } = planFor(choice, context, library, null);
  if (plan !== null) return true;
  const question = understand(choice, context.state.snapshot.at, library);
  const other = { ...asked, context, library, previous, question, reading, plan, unclear };
  const alone = { ...other, queried: null, loose: null };
  return honest(alone, answered(alone)).understood !== 'none';
}

function answered(asked: Query): HostessWords {
  const { queried, reading } = asked;
  const refused = mustRefuse(asked);
  if (refused !== null) {
    const out = new AnswerBuilder(asked.context, reading.language);
    const answered = refused.answer(out, asked);
    return { ...out.end(refused.id, !answered), understood: 'none', query: null, choices: [] };
  }
  const plain = plainOf(asked.question.text);
  const goal = goalOf(reading, plain);
  // "Accounts without sudo" are no way to run the desk.
  const isOfAccounts = goal?.id === 'rootless' && queried?.plan.table === 'accounts' && ACCOUNTS.test(plain);
  const goesFirst = goal !== null && isEarly(goal, plain) && !isOfAccounts;
  // Before any table: a word of these would be one of a row.
  const isFact = facts.score(asked) > 0 || isTold(asked.question.text);
  const vital = queried === null || goesFirst || isFact ? null : vitalAnswer(queried, asked.context);
  if (vital !== null) return vital;
  const first = [facts, installed, beyond].find((one) => one.score(asked) > 0);
  if (first !== undefined) {
    const out = new AnswerBuilder(asked.context, reading.language);
    const known = first.answer(out, asked);
    const query = first === installed ? processesOf(asked) : null;
    return { ...out.end(first.id, !known), understood: 'full', query, choices: [] };
  }
  const talk = talkOf(plainOf(withoutPoliteness(asked.question.whole)), reading.language);
  if (talk !== null)
    return talk.id === 'well' ? withSubject(asked, sayTalk(asked, talk)) : sayTalk(asked, talk);
  const isMeant = asked.question.term?.kind === 'word' && asked.question.meaning;
  const advice = isMeant ? null : adviceOf(plain);
  if (advice !== null) {
    const out = new AnswerBuilder(asked.context, reading.language);
    const known = sayAdvice(out, advice);
    return { ...out.end('advice', !known), understood: known ? 'full' : 'none', query: null, choices: [] };
  }
  if (queried === null && asksForMiner(plain)) {
    const out = new AnswerBuilder(asked.context, reading.language);
    sayMiner(out, reading.language);
    return { ...out.end('miner', true), understood: 'full', query: null, choices: [] };
  }
  const why = whyOf(asked, plain);
  if (why !== null) {
    const out = new AnswerBuilder(asked.context, reading.language);
    const known = sayWhy(out, why);
    return withSubject(asked, { ...out.end('why', !known), understood: 'full', query: null, choices: [] });
  }
  const matter = matterOf(asked, plain);
  if (matter !== null) {
    const out = new AnswerBuilder(asked.context, reading.language);
    const [worst] = mostSevereFirst(asked.context.state.judgement.findings);
    const known = sayMatter(out, matter, worst?.id);
    return withSubject(asked, { ...out.end('matter', !known), understood: 'full', query: null, choices: [] });
  }
  const { question } = asked;
  const isWord = question.term?.kind === 'word' && question.meaning && ASKS_MEANING.test(question.plain);
  const isNamed = queried?.plan.kind === 'purpose';
  if (queried !== null && (!isWord || isNamed) && !goesFirst) {
    const out = new AnswerBuilder(asked.context, reading.language);
    const { stranger } = queried.plan;
    const near = nearName(asked, stranger);
    const choices = choicesFor(asked, stranger, near);
    const known = new SiteTelling(out, queried, asked.context.state.snapshot.at).say(near);
    const words = out.end('query', !known);
    const query = queried.plan.subject ?? pinned(queried.record, words.grounds) ?? aboutOf(queried);
    return { ...words, understood: 'full', query, choices };
  }
  if (asked.plan !== null && queried === null && READ_WHEN_ASKED.has(asked.plan.table)) {
    const out = new AnswerBuilder(asked.context, reading.language);
    out.say`I do not know: that was not read.`;
    return { ...out.end('query', true), understood: 'full', query: null, choices: [] };
  }
  if (asked.unclear) return sayUnclear(asked);
  if (goal !== null) {
    const out = new AnswerBuilder(asked.context, reading.language);
    const named = reading.slots.filter(
      ({ part, value, text }) =>
        (part === 'program' || part === 'stranger' || (part === 'unread' && value === UNKNOWN)) &&
        !isSpent(plain, plainOf(text)) &&
        !isOrdinary(plainOf(text)),
    );
    const names = named.map(({ text }) => text);
    const known = sayGoal(out, goal, reading.language, plain, names);
    const said = out.end(goal.id, !known);
    // What names the goal is used, and a number of it is no condition.
    const slots = reading.slots.filter(
      ({ part, text }) =>
        !isSpent(plain, plainOf(text)) &&
        part !== 'operator' &&
        !(part !== 'stranger' && TIMED.test(goal.id)) &&
        (part === 'number' ? /\d/.test(text) : part === 'time' || /[\d_/.-]|^\p{Lu}/u.test(text)),
    );
    const words = { ...said, ...usedOf({ ...asked, reading: { ...reading, slots } }, said), query: null };
    return withSubject(asked, words);
  }
  if (asksForBreach(reading) || asksForAttack(plain)) {
    const out = new AnswerBuilder(asked.context, reading.language);
    sayBreach(out, reading.language);
    const said = out.end('breach', false);
    const { answer, understood } = usedOf(asked, said);
    return withSubject(asked, { ...said, answer, understood, query: null, choices: [] });
  }
  return withSubject(asked, answerByIntent(asked));
}

/** A query that the next question can go on with: where the question was none, of what the answer has rows of. */
function withSubject({ context, reading }: Query, words: HostessWords): HostessWords {
  if (words.intent === order.id) return { ...words, query: null };
  if (words.query !== null || words.understood === 'none') return words;
  return { ...words, query: subjectOf(reading, words.grounds, (path) => context.read(path)) };
}

/** Of rows that were read to see whether several are equally far in front, the first. */
function aboutOf({ plan, record }: Queried): string {
  return plan.kind === 'first' && plan.limit === 1
    ? queryText({ ...parse(record.query), limit: 1 })
    : record.query;
}

function answerByIntent(asked: Query): HostessWords {
  const { plan, reading } = asked;
  const query = plan === null ? null : queryText(parse(plan.query));
  const first = byIntent(asked);
  const talk =
    first.intent === lost.id
      ? misspelledTalkOf(plainOf(withoutPoliteness(asked.question.whole)), reading.language)
      : null;
  if (talk !== null) return sayTalk(asked, talk);
  const isOfNow = OF_NOW.has(first.intent) && asksStrictly(plainOf(asked.question.text));
  const section = first.intent === lost.id || isOfNow ? sectionFor(asked) : null;
  if (section !== null) return saySection(asked, section);
  if (isOfNow) return { ...byLost(asked), query: null };
  if (asked.loose !== null && (first.intent === lost.id || WHOLE.has(first.intent)))
    return loosely(asked, asked.loose);
  const right =
    first.intent === lost.id ? corrected(asked.question.text, reading.language, isNameIn(asked)) : null;
  const fixed = right === null ? null : understand(right, asked.context.state.snapshot.at, asked.library);
  // Nothing was looked up of people that only a corrected question names.
  if (fixed === null || peopleWanted(fixed) !== null) return { ...first, ...usedOf(asked, first), query };
  const again = byIntent({ ...asked, question: fixed });
  return {
    ...again,
    ...usedOf({ ...asked, question: fixed, reading: spelled(reading) }, again),
    choices: [fixed.text],
    query,
  };
}

/** Says that it is not understood. */
function byLost({ context, reading, ...asked }: Query): HostessWords {
  const out = new AnswerBuilder(context, reading.language);
  const known = lost.answer(out, { ...asked, context, reading });
  return { ...out.end(lost.id, !known), understood: 'none', query: null, choices: [] };
}

/** Intents that tell a record as a whole, whatever of it was asked for. */
const WHOLE: ReadonlySet<string> = new Set(['listeners', 'processes', 'findings']);

/** The answer of the query, and which words it leaves out. */
function loosely({ context, question, reading, respelled = null }: Query, loose: Queried): HostessWords {
  if (respelled !== null) {
    const vital = vitalAnswer(loose, context);
    if (vital !== null) return { ...vital, choices: [respelled] };
  }
  const out = new AnswerBuilder(context, reading.language);
  const known = new SiteTelling(out, loose, context.state.snapshot.at).say(null);
  if (respelled !== null) {
    const words = out.end('query', !known);
    const query = pinned(loose.record, words.grounds) ?? aboutOf(loose);
    return { ...words, understood: 'full', query, choices: [respelled] };
  }
  const unused = reading.slots.filter(({ part }) => part === 'unread');
  out.say`I did not use ${out.join(unused.map(({ text }) => asWritten(question.text, text)))}.`;
  return { ...out.end('query', !known), understood: 'partial', query: aboutOf(loose), choices: [] };
}

/** Without the words that were put right. */
const spelled = (reading: Reading): Reading => ({
  ...reading,
  slots: reading.slots.filter(({ part }) => part !== 'stranger'),
});

const isNameIn =
  ({ context }: Query) =>
  (word: string): boolean =>
    context.processes.named([word]).length > 0;

export type HostessWords = Answer & Pick<HostessAnswer, 'understood' | 'query' | 'choices'>;

/** Intents that say all rows of a record, and words that would choose some of them. */
const ABOUT_ROWS: ReadonlySet<string> = new Set(['listeners', 'processes', 'findings', 'port', 'named']);
const COMBINING: ReadonlySet<string> = new Set(['not', 'or', 'between']);

/** Parts that are names of what there is. */
const KNOWN_NAMES: ReadonlySet<SlotPart> = new Set(['user', 'program', 'deskport', 'about']);

/** A word as the question has it; it was compared without capitals and marks. */
function asWritten(question: string, word: string): Plain {
  const written = writtenIn(question, word);
  return written === null ? ours('a word of the question') : plainText(`"${written}"`);
}

/** Which numbers, names and times of the question an answer does not use: it says so, and is partial. */
function usedOf(
  asked: Query,
  { answer, grounds, intent, refused }: Answer,
): Pick<HostessWords, 'answer' | 'understood' | 'choices'> {
  const { question, context } = asked;
  const { slots, moment, language } = asked.reading;
  if (intent === lost.id) return { answer, understood: 'none', choices: nearestTo(asked) };
  if (refused) return { answer, understood: 'full', choices: [] };
  const held =
    `${answer}\n${grounds.map(({ path, value }) => `${path} ${JSON.stringify(value)}`).join('\n')}`.toLowerCase();
  const isOfRows = ABOUT_ROWS.has(intent);
  const unused = slots.filter(({ part, value, text }) => {
    if (part === 'number') return !held.includes(value);
    if (part === 'time') return moment !== null && !grounds.some(({ path }) => path.startsWith('asked.'));
    // Records answer no comparison, and no condition that the question combines.
    if (part === 'operator') return true;
    if (isOfRows && (part === 'aggregate' || (part === 'word' && COMBINING.has(value)))) return true;
    const isKnown = KNOWN_NAMES.has(part);
    const mayName =
      isKnown || part === 'stranger' || (part === 'unread' && value === UNKNOWN && language === 'en');
    const isHeld = held.includes(text.toLowerCase()) || (isKnown && held.includes(value.toLowerCase()));
    return mayName && conceptsOf(folded(text)).length === 0 && !isHeld;
  });
  if (unused.length === 0 || question.term !== null) return { answer, understood: 'full', choices: [] };
  const out = new AnswerBuilder(context, language);
  out.say`I did not use ${out.join(unused.map(({ text }) => asWritten(question.text, text)))}.`;
  return { answer: `${answer} ${out.end('', false).answer}`, understood: 'partial', choices: [] };
}

function byIntent(asked: Query): Answer {
  const out = new AnswerBuilder(asked.context, asked.reading.language);
  const all = taken(asked);
  const answered = all.map(({ intent, score, asked: part }) => {
    const known = intent.answer(out, part);
    if (known && score < ASKED_FOR && intent !== byMeaning) sayBeside(out, part);
    return known;
  });
  return out.end(all[0]?.intent.id ?? '', !answered.includes(true));
}
