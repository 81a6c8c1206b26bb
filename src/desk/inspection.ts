/** What a helper reads of one process, as operations ask for it. */
import type { Snapshot } from '../engine/snapshot.ts';
import type { ProcessAbout } from '../findings/finding.ts';
import { token } from './token.ts';

/** A process that was seen with this pid and start (clock ticks after boot). */
export interface ProgramAsked {
  readonly pid: number;
  readonly start: string;
  /** An open finding is about it. */
  readonly found: boolean;
}

export interface Inspection {
  /**
   * Reads the process of this pid now; null when it has ended, or could not be read. `found`: an open finding is about it, which decides
   * whether its command line may be read. The columns of `snapshot` are read at once. Null too once `signal` is aborted, if its turn
   * has not come.
   */
  about(snapshot: Snapshot, pid: number, found: boolean, signal: AbortSignal): Promise<ProcessAbout | null>;
  /**
   * Short names of what these run, by pid: of an interpreter with its script or module, nothing else of the command line. Left
   * out: those whose command line may not or could not be read. Empty while too many callers wait. As above for the columns and `signal`.
   */
  programs(
    snapshot: Snapshot,
    asked: readonly ProgramAsked[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>>;
}

export const INSPECTION = token<Inspection>('inspection');
