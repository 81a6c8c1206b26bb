/** What operations use of the quarantine. */
import { token } from '../../desk/token.ts';
import type { Quarantined } from '../../records/quarantine.ts';

export interface QuarantineFolder {
  readonly folder: string;
  list(): readonly Quarantined[];
  /** Gives a file back under its old name. */
  restore(id: string): Quarantined;
  /** Deletes one entry, or those set aside at least so long ago; what was deleted. */
  purge(choice: { readonly id: string } | { readonly olderThanSec: number }): readonly Quarantined[];
}

export const QUARANTINE = token<QuarantineFolder>('quarantine');
