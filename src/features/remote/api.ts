/** What operations use of the access of other machines. */
import type { RemoteAccess } from '../../desk/remote.ts';
import { token } from '../../desk/token.ts';

/** A token as it is shown; times in milliseconds since the epoch. */
export interface TokenEntry {
  readonly id: string;
  readonly name: string;
  readonly madeMs: number;
  readonly expiresMs: number;
  /** To the minute; null when it was never used. */
  readonly usedMs: number | null;
  readonly expired: boolean;
}

export interface RemoteTokenKeeper {
  list(): readonly TokenEntry[];
  /** @throws DeskError when it cannot be stored, or its name is in use. */
  make(name: string, forMs: number): { readonly token: string; readonly entry: TokenEntry };
  /** @throws DeskError when there is none, or it is still in the file. */
  revoke(which: string): TokenEntry;
  /** What is shown beside a token: where the listener is, and its certificate. */
  readonly access: RemoteAccess;
}

export const REMOTE_TOKENS = token<RemoteTokenKeeper>('remote tokens');
