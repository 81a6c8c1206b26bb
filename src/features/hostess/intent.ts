/** An intent: a kind of question, how well a question fits it, and the answer. */
import type { Installed } from '../../desk/packages.ts';
import type { PackagesAnswer } from '../../records/packages.ts';
import type { AnswerBuilder } from './answer-builder.ts';
import type { Queried } from './grammar/asking.ts';
import type { Plan } from './grammar/plan.ts';
import type { Reading } from './grammar/read.ts';
import type { Library } from './knowledge.ts';
import type { LedgerAnswer } from './people.ts';
import type { QueryContext } from './query-context.ts';
import type { Question } from './understand.ts';

/** A question with everything its answer is made from. */
export interface Query {
  readonly question: Question;
  readonly context: QueryContext;
  readonly library: Library;
  /** The caller has shown the token that opens the ledger. */
  readonly mayKnowPeople: boolean;
  /** The ledger's answer; null when it was not asked. */
  readonly ledger: LedgerAnswer | null;
  /** The comparison of packages; null where it was not asked, or is not available. */
  readonly found: PackagesAnswer | null;
  /** What is installed; null or undefined where that was not asked, or could not be. */
  readonly installed?: Installed | null;
  /** Its words as parts of a query. */
  readonly reading: Reading;
  /** The query that it is; null where it is none. */
  readonly plan: Plan | null;
  /** It follows another question, and what it is about is not known. */
  readonly unclear: boolean;
  /** The same with its answer; null where it was not asked. */
  readonly queried: Queried | null;
  /** The query that it may follow; null without one. */
  readonly previous: string | null;
  /** The query of the question without its unknown words, with its answer; null where that was not asked. */
  readonly loose: Queried | null;
  /** The question as it was meant, where `loose` answers that; null or undefined where it is without its unknown words. */
  readonly respelled?: string | null;
}

export interface Intent {
  readonly id: string;
  /** Upper limit of its score: it is not asked where another intent scores as high. */
  readonly most?: number;
  /**
   * How well the question fits; the highest score answers. 0: not at all. 84 to 100: it must be refused before anything else, or an
   * id, address, pid or port identifies it. 58 to 83: it is asked for explicitly. 45 to 57: only a word of its subject occurs. 2 to 44:
   * only words that other intents have too. 1: `lost`, when nothing else fits.
   */
  score(asked: Query): number;
  /** False: the question could not, or must not, be answered. */
  answer(out: AnswerBuilder, asked: Query): boolean;
}
