/** What operations use of the access of other machines. */
import type { RemoteAccess } from '../../desk/remote.ts';
import { token } from '../../desk/token.ts';
import type { RemoteTokens } from './remote-tokens.ts';

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

interface RemoteTokensApi {
  readonly tokens: Pick<RemoteTokens, 'list' | 'make' | 'revoke'>;
  /** What is shown beside a token: where the listener is, and its certificate. */
  readonly access: RemoteAccess;
}

export const REMOTE_TOKENS = token<RemoteTokensApi>('remote tokens');
