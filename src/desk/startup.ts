/** What the machine starts by itself, as the service and operations ask for it. */
import type { StartupFact, StartupFacts, StartupPlace } from '../checks/startup.ts';
import { token } from './token.ts';

export interface StartupScan extends StartupFacts {
  readonly entries: readonly StartupFact[];
  readonly unread: readonly {
    readonly place: StartupPlace;
    readonly path: string;
    readonly reason: string;
  }[];
  /** Why changes are found by the scheduled scans alone, or not all of them earlier; "" where they are seen as they happen. */
  readonly unwatched: string;
  readonly files: number;
  readonly tookMs: number;
}

export interface Startup {
  /** Reads every place now; callers at the same time share one pass. */
  scan(): Promise<StartupScan>;
  /** The same for a check: once packages are no longer being installed, and not the one that it judged last. */
  settledFor(check: string): Promise<StartupScan>;
}

export const STARTUP = token<Startup>('startup');
