/** Access of other machines, as the remote listener uses it: read-only tokens, and the certificate that it shows. */
import { token } from './token.ts';

/** What a TLS server shows. The same object while nothing changes. */
export interface RemoteIdentity {
  /** PEM: the certificate, and those that vouch for it. */
  readonly certificate: string;
  /** PEM of its private key. */
  readonly key: string;
  /** SHA-256 of the certificate in DER, as `AB:CD:…`. */
  readonly fingerprint: string;
  /** RFC 3339. */
  readonly ends: string;
  /** Made by the desk, not given by the configuration. */
  readonly own: boolean;
}

export interface RemoteAccess {
  /** Id of the token that this text is, when it is valid now; null for every other text. Compared in constant time. */
  idOf(text: string): string | null;
  /** Calls `end` as soon as the token is revoked or expires; the returned function forgets it. */
  hold(id: string, end: () => void): () => void;
  /** What a finding is called on the remote listener, by its id: the same for as long as the state folder keeps the key. */
  shownId(id: string): string;
  /** Null where there is none to show: `trouble` has the reason. */
  identity(): RemoteIdentity | null;
  /** Why there is none, or why a former one is shown, as what happened and what to do; null when all is well. */
  trouble(): { readonly what: string; readonly remedy: string } | null;
}

export const REMOTE = token<RemoteAccess>('remote');
