/** What a desk is made of. */
import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import type { Finding } from '../findings/finding.ts';
import type { StateDir } from '../state-folder/state-folder.ts';
import type { Store } from '../store/store.ts';
import type { ResidentParts } from './features.ts';

export interface DeskOptions {
  readonly config: Config;
  /** Why the office is not on port 80, an error code; "" where it is, or where the configuration names another; default: "". */
  readonly officeRefusal?: string;
  /** Local date of the configuration file, "" without one. */
  readonly configDate: string;
  /** Where `law.toml` may be, the first that exists; default: nowhere. */
  readonly lawPlaces?: readonly string[];
  readonly state: StateDir;
  readonly store: Store;
  readonly log: Logger;
  /** Called when a finding is opened or closed. */
  readonly noted?: (finding: Finding, what: 'open' | 'closed') => void;
  /** Whether the recheck loop runs (unless the configuration turns it off). */
  readonly loop: boolean;
  /** `local`: inside a command, without listeners and timers. */
  readonly role: 'service' | 'local';
  /**
   * Pid of the service that runs on the same folder. What a command sees beside it stays out of the store, whose findings are
   * the service's, and the service's processes and listeners are the desk's own.
   */
  readonly beside?: number | null;
  /** What features keep across reloads. */
  readonly residents: ResidentParts;
  /** Status of the embedded public page, asked in process; 0 = no answer. Absent where there is none. */
  readonly probeSite?: () => Promise<number>;
}
