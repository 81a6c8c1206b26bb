/** Composes a query from the parts of a question. It answers null unless every number, name, time and word of the question has its place. Pure. */
import { comparison, share } from './compare.ts';
import { Draft } from './draft.ts';
import { finding, numbers, program, time, traits, users } from './filters.ts';
import { ofOneThing, unknownUser } from './one-thing.ts';
import { outcomeOf } from './outcome.ts';
import { Parts } from './parts.ts';
import type { Plan, Programs } from './plan.ts';
import { type Reading, type Slot, UNKNOWN } from './read.ts';
import { isAboutAccounts, tableOf } from './table-asked.ts';
import { TABLES } from './tables.ts';

const NAMED: ReadonlySet<Slot['part']> = new Set([
  'table',
  'program',
  'stranger',
  'user',
  'deskport',
  'about',
  'check',
]);

const STAGES = [numbers, users, program, finding, time, traits];

/** Of a question whether something runs, the one word that nothing is known of is its name. */
function asStranger(slots: readonly Slot[]): readonly Slot[] {
  const isUnread = ({ part }: Slot) => part === 'unread';
  const isOfAccounts = isAboutAccounts(slots);
  const isAsked = isOfAccounts || slots.some(({ part, value }) => part === 'verb' && value === 'run');
  const [one, ...others] = slots.filter(isUnread);
  const isNamed = slots.some(({ part }) => NAMED.has(part));
  if (!isAsked || isNamed || one?.value !== UNKNOWN || others.length > 0) return slots;
  return slots.map((slot) =>
    slot === one
      ? { ...slot, part: 'stranger', value: slot.text, ...(isOfAccounts && { place: 'user' as const }) }
      : slot,
  );
}

/** "What starts cron" is about the program. */
function asProgram(slots: readonly Slot[]): readonly Slot[] {
  const said = slots.filter(({ part }) => part !== 'filler');
  const at = said.findIndex(({ part, text }) => part === 'trait' && text.toLowerCase() === 'cron');
  const before = said[at - 1];
  if (said.length !== at + 1 || before?.part !== 'column' || before.value !== 'start') return slots;
  return said.map((slot, place) => (place === at ? { ...slot, part: 'stranger', value: 'cron' } : slot));
}

export function compose(reading: Reading, programs: Programs): Plan | null {
  const { slots } = new Parts(asProgram(asStranger(reading.slots)));
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
  const isNow = ({ part, value, text }: Slot): boolean =>
    part === 'table'
      ? !RUNS.test(text)
      : part === 'verb' || (part === 'trait' && (value === 'passed' || value === 'failed'));
  return (asked === 'list' || asked === 'whether') && parts.slots.every(isNow);
}

/** Its kind is said first where the question has one: whether it passes, or whether it fails. */
function gateNow(base: Omit<Plan, 'kind' | 'table' | 'query'>, asksFor: string | null): Plan {
  const query = `gate_runs select ${TABLES.gate_runs?.select} order by -at limit 1`;
  return { ...base, kind: 'gate', table: 'gate_runs', query, column: asksFor };
}

function composeOne(slots: readonly Slot[], { moment, language }: Reading, programs: Programs): Plan | null {
  const parts = new Parts(slots);
  const asked = parts.take('kind')?.value ?? 'list';
  const unmeasured = parts.takeAll('unmeasured').map(({ value }) => value);
  const base = {
    ...{ language, moment, unmeasured, second: null, withUser: false },
    ...{ stranger: null, name: null, limit: null, column: null, conditions: [] },
  };
  parts.takeAll('word', 'still');
  parts.takeAll('word', 'only');
  // A name beside a machine may be that of another one.
  if (parts.takeAll('word', 'machine').length > 0 && parts.has('stranger')) return null;

  const special = ofOneThing(parts, asked, base);
  if (special !== undefined) return special;

  const table = tableOf(parts, asked);
  const about = table === null ? undefined : TABLES[table];
  if (table === null || about === undefined) return null;
  if (table === 'gate_runs' && isGateNow(parts, asked)) {
    const asksFor = parts.take('trait');
    const wanted = asksFor?.negated
      ? asksFor.value === 'passed'
        ? 'failed'
        : 'passed'
      : (asksFor?.value ?? null);
    return gateNow(base, asked === 'whether' ? (wanted ?? 'passed') : null);
  }
  // Before its noun is taken out.
  parts.slots.forEach((one, at) => {
    const before = parts.slots[at - 1];
    if (one.part === 'number' && before !== undefined && isProcessWord(before))
      parts.slots[at] = { ...one, place: 'pid' };
  });
  const wants = table === 'startup' && asked === 'where' ? 'list' : asked;
  const draft = new Draft({ parts, asked: wants, table, about, programs }, base);
  // A number before the noun is how many are wanted.
  parts.slots.forEach((one, at) => {
    if (one.part === 'number' && parts.slots[at + 1]?.part === 'table')
      parts.slots[at] = { ...one, place: 'noun' };
  });
  draft.tables = parts.takeAll('table').map(({ value }) => value);
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
  if (table === 'findings' && !parts.has('time')) parts.takeAll('trait', 'opened');
  if (table === 'findings' && parts.has('check')) parts.takeAll('facet', 'check');
  draft.runs = parts.takeAll('verb', 'run').length > 0;
  parts.takeAll('verb', 'hold');
  if (table === 'accepted') parts.takeAll('trait', 'accepted');
  if (table === 'blind') parts.takeAll('facet', 'check');
  return STAGES.every((stage) => stage(draft)) ? outcomeOf(draft) : null;
}
