/** What changed between two times, as operations and the daily digest ask for it. */
import type { DiffFacts } from '../records/diff.ts';
import { token } from './token.ts';

export interface Between extends DiffFacts {
  /** Everything that the store has of it could be read; what could not is among the gaps. */
  readonly readable: boolean;
}

export interface DiffApi {
  /** Milliseconds since the epoch. */
  between(sinceMs: number, untilMs: number): Promise<Between>;
  /** Everything was looked at once since the start: what happened while the desk did not run is known. */
  settled(): boolean;
}

export const DIFF = token<DiffApi>('diff');
