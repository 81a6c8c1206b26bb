/** The answers of the hostess: `think` (`H7_THINK`) and `consult` (`H7_CONSULT`). */
import { z } from 'zod';
import { atState, field, flag, type RecordOf, stateHead, text, wordsFor } from './define.ts';
import { isDeskOk } from './desk-status.ts';
import type { DeskState } from './state.ts';
import { SHE } from './texts.ts';

const ground = z.strictObject({
  path: text.describe('path into a record'),
  value: z.unknown().describe('the value found there'),
});
/** A question to the hostess. */
export const question = z.string().trim().min(1).max(4096).describe('what to ask');

/** What was asked before. */
export const previous = z
  .string()
  .max(4096)
  .nullable()
  .optional()
  .describe('query of the last answer of the conversation, for questions such as "and for root?"');

/** A value that an answer rests on, and where it was read. */
export type Ground = Readonly<z.output<typeof ground>>;

const understood = z.enum(['full', 'partial', 'none']);

/** An answer of the hostess; every ground is a path into a record and the value found there. */
export interface HostessAnswer {
  readonly answer: string;
  readonly grounds: readonly Ground[];
  readonly suggestions: readonly string[];
  /** `partial`: a number, name, time or comparison of the question was not used, and the answer says which. */
  readonly understood: z.output<typeof understood>;
  /** The query that the question was read as, or of the rows that the answer is about; null where it is none. Send it as `previous` with the next question. */
  readonly query: string | null;
  /**
   * The question as it was read after misspelled words were put right, or questions that name what was missing; empty where neither was
   * needed.
   */
  readonly choices: readonly string[];
}

export interface Thought extends HostessAnswer {
  readonly state: DeskState;
  readonly message: string;
}

const assistant = z.strictObject({
  role: text.describe('what it is to the hostess'),
  model: text.describe('the model that answered'),
  answer: text.describe('what it said, as plain text; it triggers no action'),
  ms: z.number().nonnegative().describe('how long it took'),
  flags: z
    .array(
      z.strictObject({
        text: text.describe('words of its answer'),
        reason: text.describe('why they do not fit the grounds'),
      }),
    )
    .describe('parts of its answer that contradict the grounds, are in none of them, or are commands'),
  truncated: flag.describe('it said more, or did not come to its end'),
});

/** What the assistant said beside an answer of the hostess. It triggers no action. */
export type AssistantAnswer = z.output<typeof assistant>;

const thought = wordsFor<Thought>();

const body = {
  she: thought.prose(SHE, 'who answers'),
  message: thought.field(text, 'what was asked', ({ message }) => message),
  answer: thought.field(text, 'her answer', ({ answer }) => answer),
  grounds: thought.field(
    z.array(ground),
    'the measured values the answer rests on',
    ({ grounds }) => grounds,
  ),
  suggestions: thought.field(z.array(text), 'commands that run as printed', (all) => all.suggestions),
  understood: thought.field(
    understood,
    'partial: a number, name, time or comparison of the question was not used, and the answer says which',
    (all) => all.understood,
  ),
  query: thought.field(
    text.nullable(),
    'the query that the question was read as, or of the rows that the answer is about, for POST /h7/query, and as previous of the next question; null where it is none',
    ({ query }) => query,
  ),
  choices: thought.field(
    z.array(text),
    'the question as it was read after misspelled words were put right, or questions that name what was missing; empty where neither was needed',
    ({ choices }) => choices,
  ),
  ...atState({ ok: field(flag, 'ok of the desk status of this snapshot', isDeskOk) }),
};

export const think = thought.record('Think', 'An answer of the hostess', {
  ...stateHead('H7_THINK'),
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
  ...stateHead('H7_CONSULT'),
  ...body,
  assistant: consulted.field(
    assistant.nullable(),
    'the answer of the assistant; null without one',
    ({ assistant }) => assistant,
  ),
  assistant_note: consulted.field(
    text,
    'why the assistant gave no answer, or not all of it; "" when it did',
    ({ note }) => note,
  ),
});
export type Consult = RecordOf<typeof consult>;
