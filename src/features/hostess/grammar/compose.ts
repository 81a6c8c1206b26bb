/** Composes a query from the parts of a question. It answers null unless every number, name, time and word of the question has its place. Pure. */

import { addresses } from './addresses.ts';
import { childrenOf } from './children.ts';
import { comparison, share } from './compare.ts';
import { Draft } from './draft.ts';
import { finding, inPart, numbers, program, time, traits, users } from './filters.ts';
import { havingOf } from './having.ts';
import { ofOneThing, unknownUser } from './one-thing.ts';
import { outcomeOf } from './outcome.ts';
import { Parts } from './parts.ts';
import type { Plan, Programs } from './plan.ts';
import { type Reading, type Slot, UNKNOWN } from './read.ts';
import { isAboutAccounts, tableOf } from './table-asked.ts';
import { said, TABLES } from './tables.ts';

const NAMED: ReadonlySet<Slot['part']> = new Set([
  'table',
  'program',
  'stranger',
  'user',
  'deskport',
  'about',
  'check',
]);

const STAGES = [inPart, addresses, numbers, users, program, finding, time, traits];

const isMachine = (slot: Slot | undefined): boolean => slot?.part === 'word' && slot.value === 'machine';

/** "A mysql server" is a program. */
const withoutServer = (slots: readonly Slot[]): readonly Slot[] =>
  slots.filter((slot, at) => {
    const before = slots[at - 1]?.part;
    return !(
      isMachine(slot) &&
      /^servers?$/.test(slot.text) &&
      (before === 'program' || before === 'stranger')
    );
  });

/** "By someone other than root": of whom, and not for each. */
const withoutBy = (slots: readonly Slot[]): readonly Slot[] => {
  const told = slots.filter(({ part }) => part !== 'filler');
  return told.flatMap((slot, at): readonly Slot[] => {
    const [next, second] = told.slice(at + 1, at + 3);
    const isNot = next?.part === 'word' && next.value === 'not';
    const of = (isNot ? second : next)?.part;
    if (slot.part !== 'word' || slot.value !== 'per') return [slot];
    const before = told[at - 1];
    const isStarted = before?.part === 'column' && before.value === 'start';
    // "Which processes were started by sshd".
    if (isStarted && (next?.part === 'program' || next?.part === 'stranger'))
      return [{ ...slot, value: 'startedby' }];
    return of === 'user' || of === 'program' ? [] : [slot];
  });
};

/** Of what a question about programs, listeners or accounts names, what nothing is known of: at most two names. */
function asStrangers({ slots, language }: Reading): readonly Slot[] {
  const unread = slots.filter(({ part }) => part === 'unread');
  const isOfAccounts = isAboutAccounts(slots);
  const isOfServer = unread.some((one) => isMachine(slots[slots.indexOf(one) + 1]));
  const isRun = slots.some(({ part, value }) => part === 'verb' && value === 'run');
  // Of other languages many words are not known.
  const isSure = language === 'en' && (isOfAccounts || isOfServer || slots.some(isOfPrograms));
  if (!isSure && !(isRun && unread.length === 1)) return slots;
  const isName = (one: Slot): boolean => one.value === UNKNOWN && !isPlace(slots, slots.indexOf(one));
  if (unread.length > 2 || !unread.every(isName)) return slots;
  if (!isOfAccounts && !unread.every((one) => isNamedAt(slots, slots.indexOf(one)))) return slots;
  const place = isOfAccounts ? { place: 'user' as const } : {};
  return slots.map((slot) =>
    unread.includes(slot) ? { ...slot, part: 'stranger', value: slot.text, ...place } : slot,
  );
}

/** "In the firewall", "on web-server-02": a place, and no name of what runs here. */
function isPlace(slots: readonly Slot[], at: number): boolean {
  for (let before = at - 1; slots[before]?.part === 'filler'; before -= 1)
    if (/^(?:in|on|at|auf|im|bei|en|sur|dans|chez)$/i.test(slots[before]?.text ?? '')) return true;
  return false;
}

const isOfPrograms = ({ part, value }: Slot): boolean =>
  (part === 'table' && (value === 'processes' || value === 'listeners' || value === 'startup')) ||
  (part === 'column' && value === 'threads') ||
  (part === 'verb' && value === 'listen') ||
  (part === 'trait' && (value === 'wrapped' || value === 'free'));

/** Whether the other names of the question are those of programs or users. */
const isNamedAt = (slots: readonly Slot[], at: number): boolean =>
  slots.every(
    ({ part }, place) =>
      place === at || part === 'table' || !NAMED.has(part) || part === 'program' || part === 'user',
  );

/** "What starts cron" is about the program. */
function asProgram(slots: readonly Slot[]): readonly Slot[] {
  const said = slots.filter(({ part }) => part !== 'filler');
  const at = said.findIndex(({ part, text }) => part === 'trait' && text.toLowerCase() === 'cron');
  const before = said[at - 1];
  // "Does cron run", "since when is the cron service active".
  const ofRun = ({ part, value }: Slot): boolean =>
    part === 'verb' ||
    (part === 'kind' && /^(?:whether|when|since)$/.test(value)) ||
    (part === 'facet' && value === 'program') ||
    (part === 'trait' && (value === 'up' || value === 'enabled')) ||
    (part === 'column' && value === 'start') ||
    (part === 'order' && value === 'newest') ||
    (part === 'word' && (value === 'still' || value === 'back'));
  const runs = said.every((one, place) => place === at || ofRun(one));
  const kind = said.find(({ part }) => part === 'kind');
  if (at >= 0 && runs && kind !== undefined && said.length < 6) {
    const when = kind.value !== 'whether';
    return [
      kind,
      when ? { part: 'column', value: 'start', text: '' } : { part: 'verb', value: 'run', text: '' },
      { part: 'stranger', value: 'cron', text: said[at]?.text ?? 'cron' },
    ];
  }
  if (said.length !== at + 1 || before?.part !== 'column' || before.value !== 'start') return slots;
  return said.map((slot, place) => (place === at ? { ...slot, part: 'stranger', value: 'cron' } : slot));
}

export function compose(reading: Reading, programs: Programs): Plan | null {
  const { slots } = new Parts(withoutBy(withoutServer(asProgram(asStrangers(reading)))));
  const unknown = unknownUser(slots, reading);
  if (unknown !== null) return unknown;
  if (slots.some(({ part }) => part === 'unread')) return null;
  const one = (some: readonly Slot[]) => composeOne(some, reading, programs);
  const two = comparison(slots, one) ?? share(slots, one);
  return two === undefined ? one(slots) : two;
}

const isProcessWord = ({ part, value }: Slot): boolean =>
  (part === 'table' && value === 'processes') || (part === 'column' && value === 'pid');

const RUNS = /\b(?:runs?|laufe?s?|ejecuci\w+|passages?|checks)\b/i;
/** Whether the question is how the gate is, and not about its runs. */
function isGateNow(parts: Parts, asked: string): boolean {
  const isLast = asked === 'whether' && parts.has('order', 'newest');
  const isNow = ({ part, value, text }: Slot): boolean =>
    (isLast && part === 'order') ||
    (part === 'table'
      ? isLast || !RUNS.test(text)
      : part === 'verb' || (part === 'trait' && (value === 'passed' || value === 'failed')));
  return (asked === 'list' || asked === 'whether') && parts.slots.every(isNow);
}

/** Its kind is said first where the question has one: whether it passes, or whether it fails. */
function gateNow(base: Omit<Plan, 'kind' | 'table' | 'query'>, asksFor: string | null): Plan {
  const query = `gate_runs select ${TABLES.gate_runs?.select} order by -at limit 1`;
  return { ...base, kind: 'gate', table: 'gate_runs', query, column: asksFor };
}

/** What an order is by, as a column: "start time" and "name" begin questions too. */
function sortedKind(parts: Parts, kind: Slot | null): string {
  const { value = 'list', text = '' } = kind ?? {};
  const isName = value === 'list' && /^names?$/.test(text);
  if (isName) parts.slots.push({ part: 'word', value: 'name', text });
  if (value === 'when') parts.slots.push({ part: 'column', value: 'start', text });
  for (const { text: port } of parts.takeAll('word', 'port'))
    parts.slots.push({ part: 'column', value: 'port', text: port });
  return value === 'when' ? 'list' : value;
}

function composeOne(slots: readonly Slot[], { moment, language }: Reading, programs: Programs): Plan | null {
  const parts = new Parts(slots);
  const kind = parts.take('kind');
  // "Processes by start time".
  if (kind?.value === 'when' && /zeit|time|hora|heure/.test(kind.text) && parts.take('word', 'per') !== null)
    parts.slots.push({ part: 'word', value: 'sorted', text: '' });
  const asked = parts.has('word', 'sorted') ? sortedKind(parts, kind) : (kind?.value ?? 'list');
  const unmeasured = parts.takeAll('unmeasured').map(({ value }) => value);
  const base = {
    ...{ language, moment, unmeasured, second: null, withUser: false },
    ...{ stranger: null, name: null, limit: null, column: null, conditions: [] },
  };
  // Who is logged in now is not measured.
  if (parts.has('column', 'last_login') && parts.has('word', 'still')) return null;
  parts.takeAll('word', 'still');
  parts.takeAll('word', 'only');
  // A name beside a machine may be that of another one.
  if (parts.takeAll('word', 'machine').length > 0 && parts.has('stranger')) return null;

  const having = asked === 'list' || asked === 'who' ? havingOf(parts, base) : null;
  if (having !== null) return having;
  const special = ofOneThing(parts, asked, base);
  if (special !== undefined) return special;

  const table = tableOf(parts, asked);
  const about = table === null ? undefined : TABLES[table];
  if (table === null || about === undefined) return null;
  if (table === 'gate_runs' && isGateNow(parts, asked)) {
    const asksFor = parts.take('trait');
    const passes = (asksFor?.value !== 'failed') === (asksFor?.negated !== true);
    const wanted = passes ? 'passed' : 'failed';
    return gateNow(base, asked === 'whether' ? wanted : null);
  }
  // Before its noun is taken out.
  parts.slots.forEach((one, at) => {
    const before = parts.slots[at - 1];
    // "Processes with 24 threads".
    const next = parts.slots[at + 1];
    const isOfColumn = next?.part === 'column' && about.numbers.includes(next.value);
    if (one.part === 'number' && before !== undefined && isProcessWord(before) && !isOfColumn)
      parts.slots[at] = { ...one, place: 'pid' };
  });
  // "Anna est-elle admin."
  const isOfOne = table === 'accounts' && parts.takeAll('word', 'back').length > 0 && asked === 'list';
  const isWhere = asked === 'where' && (table === 'startup' || table === 'accounts');
  // "From outside or only from localhost": what is there, and how it can be reached.
  const isEither = table === 'listeners' && takeEither(parts);
  const wants = isOfOne ? 'whether' : isEither || isWhere ? 'list' : asked;
  const draft = new Draft({ parts, asked: wants, table, about, programs }, base);
  // A number before the noun is how many are wanted.
  parts.slots.forEach((one, at) => {
    if (one.part === 'number' && parts.slots[at + 1]?.part === 'table')
      parts.slots[at] = { ...one, place: 'noun' };
  });
  draft.tables = parts.takeAll('table').map(({ value }) => value);
  const isUsed =
    parts.has('word', 'per') || parts.has('aggregate') || parts.has('order') || parts.has('number');
  if (table === 'accounts' && !isUsed) parts.takeAll('facet', 'user');
  parts.takeAll('verb', 'listen');
  parts.takeAll('verb', 'autostart');
  if (table === 'startup') {
    parts.takeAll('column', 'start');
    parts.takeAll('word', 'back');
  }
  // Said of each listener anyway.
  if (table === 'listeners' && parts.has('number') && parts.take('word', 'back') !== null) {
    parts.takeAll('trait', 'allowed');
    parts.takeAll('word', 'bad');
  }
  if ((table === 'findings' || table === 'listeners') && !parts.has('time')) parts.takeAll('trait', 'opened');
  if (table === 'processes' && draft.tables.includes('findings') && !parts.has('order')) withFindings(draft);
  if (table === 'findings' && parts.has('check')) parts.takeAll('facet', 'check');
  // By another program: its children.
  const isByCron = table === 'processes' && parts.has('trait', 'cron');
  const isByProgram = parts.has('word', 'startedby') && (parts.has('program') || parts.has('stranger'));
  if (isByCron || (table === 'processes' && isByProgram)) {
    parts.takeAll('word', 'startedby');
    parts.takeAll('column', 'start');
    return childrenOf(draft);
  }
  // By a user, and not by another program.
  const isByUser = parts.has('user') || parts.has('facet', 'user');
  if (parts.takeAll('word', 'startedby').length > 0 && (table !== 'processes' || !isByUser)) return null;
  draft.runs = parts.takeAll('verb', 'run').length > 0;
  parts.takeAll('verb', 'hold');
  if (table === 'accepted') parts.takeAll('trait', 'accepted');
  if (table === 'blind') parts.takeAll('facet', 'check');
  if (parts.takeAll('word', 'children').length > 0) return childrenOf(draft);
  const plan = STAGES.every((stage) => stage(draft)) ? outcomeOf(draft) : null;
  return plan !== null && isEither && plan.kind === 'list' ? { ...plan, column: 'scope' } : plan;
}

/** "Which processes have findings", or none. */
function withFindings({ parts, conditions, limit }: Draft): void {
  if (limit !== null || parts.has('number') || parts.has('word', 'top') || parts.has('word', 'per')) return;
  const isNone = parts.take('word', 'not') !== null;
  conditions.push({
    query: isNone ? 'findings = 0' : 'findings > 0',
    words: isNone
      ? said('without findings', 'ohne Befunde', 'sin hallazgos', 'sans constat')
      : said('with findings', 'mit Befunden', 'con hallazgos', 'avec des constats'),
    step: isNone ? '[findings=0]' : '[findings>=1]',
  });
}

/** Whether it asks which of both it is; the words for it are taken out. */
function takeEither(parts: Parts): boolean {
  const [one, other] = ['public', 'loopback'].map((value) =>
    parts.slots.find((slot) => slot.part === 'trait' && slot.value === value && slot.negated !== true),
  );
  if (one === undefined || other === undefined || !parts.has('word', 'or')) return false;
  for (const value of ['public', 'loopback']) parts.takeAll('trait', value);
  parts.takeAll('word', 'or');
  return true;
}
