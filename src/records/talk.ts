/** The answers of the hostess: `think` (`H7_THINK`) and `consult` (`H7_CONSULT`). */
import { z } from 'zod';
import { atState, count, done, field, flag, type RecordOf, stateHead, text, wordsFor } from './define.ts';
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

const asked = z.strictObject({
  number: count.describe('its number in the words of the assistant'),
  query: text.describe('the query as it was run; of one that could not be run, as it was written'),
  answer: text.describe('what the desk answers to it, in one sentence; "" where it could not be run'),
  rows: count.describe('rows, or groups, of the answer'),
  error: text.describe('why it could not be run; "" when it was'),
});

const assistant = z.strictObject({
  role: text.describe('what it is to the hostess'),
  model: text.describe('the model that answered'),
  queries: z
    .array(asked)
    .describe('the queries that it asked for, with what the desk answers: these are measured'),
  answer: text.describe('its opinion as plain text, with the values it refers to; it triggers no action'),
  parts: z
    .array(
      z.strictObject({
        text: text.describe('some of its words, or a value'),
        path: text.nullable().describe('of a value the path of the cell; null: its own words'),
      }),
    )
    .describe('the same in pieces: a piece with a path was read by the desk, every other one is opinion'),
  ms: z.number().nonnegative().describe('how long it took'),
  flags: z
    .array(
      z.strictObject({
        text: text.describe('words of it'),
        reason: text.describe('what was done with them, and why'),
      }),
    )
    .describe('numbers that were removed, references to nothing, and commands'),
  truncated: flag.describe('it said more, or did not come to its end'),
});

/** What the assistant asked for and said beside an answer of the hostess. It triggers no action. */
export type AssistantAnswer = z.output<typeof assistant>;

const message = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']).describe('who says it, as chat completions have it'),
  content: text.describe('what is said'),
});
export type ChatMessage = Readonly<z.output<typeof message>>;

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

export const consultPrompt = done('ConsultPrompt', 'H7_CONSULT_PROMPT', 'What the assistant would be sent', {
  to: text.describe('where it would be sent; "" without an assistant'),
  model: text.describe('the model that would be asked'),
  key: flag.describe('the API key would be sent with it'),
  messages: z.array(message).describe('the messages, whole'),
  characters: count.describe('characters of all messages'),
  later: text.describe('what may be sent after that'),
});
export type ConsultPrompt = RecordOf<typeof consultPrompt>;
