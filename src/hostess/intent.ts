/** What an intent is: a kind of question, how sure she is that this is one, and what she says to it. */

import type { Library } from './knowledge.ts';
import type { Person } from './people.ts';
import type { Speech } from './speech.ts';
import type { Understood } from './understand.ts';
import type { World } from './world.ts';

/** A question at a moment. */
export interface Asked {
  readonly question: Understood;
  readonly world: World;
  readonly library: Library;
  /** The caller has shown the token that opens the ledger. */
  readonly mayKnowPeople: boolean;
  /** What the ledger says, where it was asked; null otherwise. */
  readonly ledger: Person | null;
}

export interface Intent {
  readonly id: string;
  /** 0 = it is none of these; the highest answers. */
  score(asked: Asked): number;
  /** True: told, false: it could not be told, or must not be. */
  answer(speech: Speech, asked: Asked): boolean;
}
