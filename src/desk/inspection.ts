/** What a helper reads of one process, as operations ask for it. */
import type { Snapshot } from '../engine/snapshot.ts';
import type { ProcessAbout } from '../findings/finding.ts';
import { token } from './token.ts';

export interface Inspection {
  /**
   * Reads the process of this pid now; null when it has ended, or could not be read. `found`: an open finding is about it, which decides
   * whether its command line may be read. The columns of `snapshot` are read at once. Null too once `signal` is aborted, if its turn
   * has not come.
   */
  about(snapshot: Snapshot, pid: number, found: boolean, signal: AbortSignal): Promise<ProcessAbout | null>;
}

export const INSPECTION = token<Inspection>('inspection');
