/** What operations use of the remedies. */
import { token } from '../../desk/token.ts';
import type { CookRun } from '../gate/api.ts';

interface RemedyRuns {
  /**
   * A full antivirus pass: every tier looks once, what is gone closes, a dirty banned listener is shut down. `check` looks as
   * much, and says what cook-off would do then.
   */
  avClose(mode: 'check' | 'cook'): Promise<CookRun>;
  /** Sets stale files of our own aside; `resolute` also shuts banned listeners down. */
  fieldClear(mode: 'soft' | 'resolute'): Promise<CookRun>;
}

export const REMEDIES = token<RemedyRuns>('remedies');
