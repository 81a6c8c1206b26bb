/** What operations use of startup places. */
import { token } from '../../desk/token.ts';
import type { StartupScan } from './scan.ts';

export interface Startup {
  /** Reads every place now; callers at the same time share one pass. */
  scan(): Promise<StartupScan>;
}

export const STARTUP = token<Startup>('startup');
