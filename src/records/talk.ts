/** The answers of the hostess: `think` (`H7_THINK`) and `consult` (`H7_CONSULT`). */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import { type RecordOf, wordsFor } from './define.ts';
import { isDeskOk } from './desk-status.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { SHE } from './texts.ts';

const text = z.string();

/** A value that an answer stands on, and where it was read. */
export interface Ground {
  readonly path: string;
  readonly value: unknown;
}

export interface Thought {
  readonly moment: Moment;
  readonly message: string;
  readonly answer: string;
  readonly grounds: readonly Ground[];
  readonly suggestions: readonly string[];
}

const ground = z.strictObject({
  path: text.describe('path into a record'),
  value: z.unknown().describe('the value found there'),
});
const assistant = z.strictObject({
  role: text.describe('what it is to the hostess'),
  model: text.describe('the model that answered'),
  answer: text.describe('what it said, as plain text; nothing acts on it'),
  ms: z.number().nonnegative().describe('how long it took'),
  flags: z
    .array(
      z.strictObject({
        text: text.describe('words of its answer'),
        reason: text.describe('why they do not fit the grounds'),
      }),
    )
    .describe('what in its answer contradicts the grounds, is in none of them, or is a command'),
  truncated: z.boolean().describe('it said more, or did not come to its end'),
});

/** What the assistant said beside an answer of the hostess. Nothing acts on it. */
export type AssistantAnswer = z.output<typeof assistant>;

const thought = wordsFor<Thought>();
const groundsOf = ({ grounds }: Thought) => grounds.map(({ path, value }) => ({ path, value }));

const body = {
  she: thought.prose(SHE, 'who answers'),
  message: thought.field(text, 'what was asked', ({ message }) => message),
  answer: thought.field(text, 'her answer', ({ answer }) => answer),
  grounds: thought.field(z.array(ground), 'the measured values the answer rests on', groundsOf),
  suggestions: thought.field(z.array(text), 'commands that run as printed', ({ suggestions }) => [
    ...suggestions,
  ]),
  ok: thought.field(z.boolean(), 'ok of the desk status of this moment', ({ moment }) => isDeskOk(moment)),
} as const;

export const think = thought.record('Think', 'An answer of the hostess', {
  ts: thought.field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: thought.constant('H7_THINK', 'name of this answer'),
  ...body,
});
export type Think = RecordOf<typeof think>;

interface Consulted extends Thought {
  readonly assistant: AssistantAnswer | null;
  /** Why the assistant did not answer, or not to the end; "" when it did. */
  readonly note: string;
}

const consulted = wordsFor<Consulted>();

export const consult = consulted.record('Consult', 'An answer of the hostess, with the assistant beside it', {
  ts: consulted.field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: consulted.constant('H7_CONSULT', 'name of this answer'),
  ...body,
  assistant: consulted.field(
    assistant.nullable(),
    'the answer of the assistant; null when it gave none',
    ({ assistant }) => assistant,
  ),
  assistant_note: consulted.field(
    text,
    'why the assistant gave no answer, or not all of it; "" when it did',
    ({ note }) => note,
  ),
});
export type Consult = RecordOf<typeof consult>;

/** An answer of the hostess; every ground is a path into a record and the value found there. */
export interface HostessAnswer {
  readonly answer: string;
  readonly grounds: readonly Ground[];
  readonly suggestions: readonly string[];
}
