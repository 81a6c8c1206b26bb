/** What others use of the assistant. */
import { token } from '../../desk/token.ts';
import type { Table } from '../../query/types.ts';
import type { QueryAnswer } from '../../records/query.ts';
import type { AssistantAnswer, ConsultPrompt, HostessAnswer } from '../../records/talk.ts';

export interface AskedAssistant {
  readonly question: string;
  /** Of the hostess: of it only names of people are used, which are taken out of the question. */
  readonly answer: HostessAnswer;
  readonly tables: readonly Table[];
}

export interface Assistant {
  /** One is configured. */
  readonly configured: boolean;
  /** How long an answer may take, milliseconds. */
  readonly withinMs: number;
  /**
   * Asks for queries and words, and runs the queries here. Never rejects: `note` is a sentence that says why the answer is missing or
   * incomplete, else "". `query` runs one for the caller, and throws a DeskError where it cannot; `signal` ends it.
   */
  ask(
    asked: AskedAssistant,
    run: { readonly signal: AbortSignal; query(text: string): Promise<QueryAnswer> },
  ): Promise<{ readonly assistant: AssistantAnswer | null; readonly note: string }>;
  /** What `ask` would send first, and where to; nothing is sent. */
  prompt(asked: AskedAssistant): ConsultPrompt;
}

export const ASSISTANT = token<Assistant>('assistant');
