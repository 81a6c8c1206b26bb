/** What an intent is: a kind of question, how sure she is that this is one, and what she says to it. */

import type { AnswerBuilder } from './answer-builder.ts';
import type { Library } from './knowledge.ts';
import type { LedgerAnswer } from './people.ts';
import type { QueryContext } from './query-context.ts';
import type { Question } from './understand.ts';

/** A question at a moment. */
export interface Query {
  readonly question: Question;
  readonly context: QueryContext;
  readonly library: Library;
  /** The caller has shown the token that opens the ledger. */
  readonly mayKnowPeople: boolean;
  /** What the ledger says, where it was asked; null otherwise. */
  readonly ledger: LedgerAnswer | null;
}

export interface Intent {
  readonly id: string;
  /** It never is surer than this: it need not be asked where another is. */
  readonly most?: number;
  /**
   * How sure she is that this is one; the highest answers. 0: it is none. 84 to 100: it must be refused before anything else of it is
   * understood, or an id, address, pid or port tells it. 58 to 83: it is asked for in so many words. 45 to 57: a word of its subject
   * alone is there. 2 to 44: words that other kinds have too. 1: `lost`, when nothing else fits.
   */
  score(asked: Query): number;
  /** True: told, false: it could not be told, or must not be. */
  answer(out: AnswerBuilder, asked: Query): boolean;
}
