/** What operations and other features use of the law. */
import { token } from '../../desk/token.ts';
import type { Accepted, Accepting } from '../../findings/finding.ts';
import type { Law } from '../../policy/law.ts';

export interface AcceptedList {
  /** What was accepted and not taken back, the oldest first; what has ended is among it. */
  list(): readonly Accepted[];
  /** Takes an entry of these back; resolves when a recheck has seen that. Unknown ids are `not-found`. */
  undo(id: string): Promise<Accepted>;
}

export interface LawInForce {
  /**
   * Accepts an open finding and others of its class, until `expires` (RFC 3339); resolves when a recheck has seen that. A banned
   * listener is only kept from being shut down. Unknown ids are `not-found`, closed findings, those that cannot be accepted and those
   * that `accepts` (`Acceptance.id`, as it was shown) does not cover any more `refused`, a time that is over `usage`.
   */
  accept(finding: string, accepts: string, why: string, expires?: string): Promise<Accepting>;
  readonly accepted: AcceptedList;
  /** In force now. */
  readonly current: () => Law;
}

export const LAW = token<LawInForce>('law');
