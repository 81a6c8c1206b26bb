/** The interface of the guard, for IMAP, SMTP, HTTPS and the assistant. */
import type { Socket } from 'node:net';

/** Why there is no connection: `rule` by the guard itself, `network` by kernel, resolver or peer. */
export interface EgressRefusal {
  readonly ok: false;
  readonly kind: 'rule' | 'network';
  /** Short and stable, e.g. `not-listed`, `private-address`, `ENOTFOUND`, `ECONNREFUSED`, `timeout`. */
  readonly code: string;
  /** One phrase: what happened, and what to do if possible. */
  readonly reason: string;
}

export interface EgressName {
  readonly ok: true;
  readonly host: string;
  /** In the resolver's order, each once. */
  readonly addresses: readonly string[];
  readonly ms: number;
}

/** A resolved place, all of whose addresses passed the rules. */
export interface EgressPlace extends EgressName {
  readonly port: number;
}

/** A plain TCP connection whose peer address was checked again. Its user puts TLS on it, for `host`. */
export interface EgressConnection {
  readonly ok: true;
  readonly host: string;
  readonly port: number;
  readonly address: string;
  readonly socket: Socket;
  readonly resolveMs: number;
  readonly connectMs: number;
}

export interface Egress {
  /** Null when the rules list it. Nothing is resolved. */
  refusalOf(host: string, port: number): EgressRefusal | null;
  /** Never rejects. */
  resolve(host: string, port: number): Promise<EgressPlace | EgressRefusal>;
  /** What a name resolves to, listed or not: nothing connects to it. Never rejects. */
  lookUp(host: string): Promise<EgressName | EgressRefusal>;
  /** Never rejects. `timeoutMs` covers resolving and connecting. */
  connect(host: string, port: number, timeoutMs?: number): Promise<EgressConnection | EgressRefusal>;
}
