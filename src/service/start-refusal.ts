/** Why a desk could not be started, as a person meets it. */

import { DeskError } from '../base/desk-error.ts';
import { DeadlineError } from '../base/promises.ts';
import { BackendError } from '../engine/native/backend.ts';

/** What was thrown while a desk started, as a refusal where it is one; else as it is. */
export function startRefusal(error: unknown): unknown {
  if (error instanceof BackendError) return new DeskError('unavailable', error.message, error.remedy);
  if (error instanceof DeadlineError)
    return new DeskError(
      'unavailable',
      `The first scan of this machine failed: ${error.message}.`,
      'Start the desk again when the machine is less busy (see "uptime").',
    );
  return error;
}
