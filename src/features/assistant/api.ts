/** What others use of the assistant. */
import { token } from '../../desk/token.ts';
import type { AssistantAnswer, HostessAnswer } from '../../records/talk.ts';

export interface Assistant {
  /** One is configured. */
  readonly configured: boolean;
  /** How long an answer may take, milliseconds. */
  readonly withinMs: number;
  /**
   * Asks it about an answer of the hostess. Never rejects: `note` is a sentence that says why the answer is missing or incomplete,
   * else "". `words` receives the answer piece by piece; `signal` ends it.
   */
  ask(
    question: string,
    answer: HostessAnswer,
    stream: { readonly signal: AbortSignal; words?(text: string): void },
  ): Promise<{ readonly assistant: AssistantAnswer | null; readonly note: string }>;
}

export const ASSISTANT = token<Assistant>('assistant');
