/** The way out, as its users see it: one guard for IMAP, SMTP, HTTPS and the assistant. */
import type { Socket } from 'node:net';

/** Why nobody was connected to. A refusal is a value: `rule` those of the guard itself, `network` what kernel, resolver or peer said. */
export interface EgressRefusal {
  readonly ok: false;
  readonly kind: 'rule' | 'network';
  /** Short and stable, e.g. `not-listed`, `private-address`, `ENOTFOUND`, `ECONNREFUSED`, `timeout`. */
  readonly code: string;
  /** One phrase for a person: what happened, and what to do where something can be done. */
  readonly reason: string;
}

/** What a name resolved to. */
export interface EgressName {
  readonly ok: true;
  readonly host: string;
  /** All addresses of the one resolution, in the resolver's order, each once. */
  readonly addresses: readonly string[];
  readonly ms: number;
}

/** A resolved place that passed every rule: each address was checked, and the first that answers is connected to. */
export interface EgressPlace extends EgressName {
  readonly port: number;
}

/** A plain TCP connection whose peer address was checked again. TLS is put on it by whoever speaks the protocol, for `host`. */
export interface EgressConnection {
  readonly ok: true;
  readonly host: string;
  readonly port: number;
  readonly address: string;
  readonly socket: Socket;
  /** Milliseconds that resolving and connecting took. */
  readonly resolveMs: number;
  readonly connectMs: number;
}

export interface Egress {
  /** Null when the rules name it, else why not and what to do. Nothing is resolved. */
  refusalOf(host: string, port: number): EgressRefusal | null;
  /** Never rejects. */
  resolve(host: string, port: number): Promise<EgressPlace | EgressRefusal>;
  /** What a name resolves to that need not be listed: nobody connects to what is found. Never rejects. */
  lookUp(host: string): Promise<EgressName | EgressRefusal>;
  /** Never rejects. `timeoutMs` covers resolving and connecting. */
  connect(host: string, port: number, timeoutMs?: number): Promise<EgressConnection | EgressRefusal>;
}
