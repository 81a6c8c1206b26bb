/** A session with a mail server, step by step: what each step found or why it failed, for the check and for whoever reconnects. */
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { Egress, EgressConnection, EgressRefusal } from './egress.ts';
import { failureCode, wordsOf } from './network-words.ts';
import { type CertificateFacts, certificateFacts, LEAST_TLS } from './tls.ts';

/** Ports of the interface: TLS from the first byte (RFC 8314 section 3). */
export const IMAP_PORT = 993;
export const SMTP_PORT = 465;
const MOST_SERVER_WORDS = 200;
const REACH_MS = 15_000;
const MOST_NAMES = 5;

export interface ServerAccount {
  readonly host: string;
  readonly user: string;
  readonly password: string;
  /** Takes the password out of what a server says, before that is cut: of a secret cut in two, half would stay. */
  readonly redact: (text: string) => string;
}

interface SessionStep {
  readonly step: 'dns' | 'connect' | 'tls' | 'login';
  readonly ok: boolean;
  readonly ms: number;
  /** What was found, or why it failed and what to do. May quote the server. */
  readonly detail: string;
}

/** Why there is no session. `login`: the server refused this user, and trying again soon would lock somebody out. */
export interface SessionRefusal {
  readonly kind: 'rule' | 'network' | 'tls' | 'login';
  readonly code: string;
  readonly reason: string;
}

export type Opening<Session> = {
  readonly steps: readonly SessionStep[];
  /** Whole days the certificate lasts, also where it does not verify; null when none was seen. */
  readonly certificateDays: number | null;
} & (
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly refusal: SessionRefusal }
);

/** Codes of a failed look-up; everything else happens after it. */
const LOOKUP = /^(?:ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EAI_\w+)$/;
const AFTER_LOOKUP = new Set(['other-peer']);

/** The steps of one opening, timed. */
export class Steps {
  readonly #steps: SessionStep[] = [];
  readonly #host: string;
  #certificate: CertificateFacts | null = null;

  constructor(host: string) {
    this.#host = host;
  }

  /** Resolves and connects. */
  async connect(egress: Egress, port: number, timeoutMs: number): Promise<EgressConnection | SessionRefusal> {
    const started = performance.now();
    const connection = await egress.connect(this.#host, port, timeoutMs);
    if (connection.ok) {
      this.passed('dns', connection.resolveMs, `${this.#host} is ${connection.address}`);
      this.passed('connect', connection.connectMs, `connected to ${connection.address} port ${port}`);
      return connection;
    }
    const atLookup =
      (connection.kind === 'rule' && !AFTER_LOOKUP.has(connection.code)) || LOOKUP.test(connection.code);
    return this.failed(
      atLookup ? 'dns' : 'connect',
      performance.now() - started,
      refusalOf(connection, this.#host, port),
    );
  }

  /** Waits for the handshake that was begun on the socket; null when the peer is who it should be. */
  async handshake(socket: TLSSocket): Promise<SessionRefusal | null> {
    const started = performance.now();
    const error = await new Promise<unknown>((resolve) => {
      // Before Node judges the certificate and destroys the socket over it.
      socket.prependOnceListener('secure', () => {
        this.#certificate = certificateFacts(socket.getPeerCertificate(true), '', Date.now());
      });
      socket.once('secureConnect', () => resolve(null));
      socket.once('error', resolve);
      socket.once('close', () => resolve(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
    const ms = performance.now() - started;
    if (error !== null) {
      const reason = tlsReason(this.#host, failureCode(error), this.#certificate);
      return this.failed('tls', ms, { kind: 'tls', code: failureCode(error), reason });
    }
    const issuer = serverWords(this.#certificate?.issuer ?? '') || 'nobody';
    const about = `certificate for ${this.#host} issued by ${issuer}, ${this.certificateDays} days left`;
    this.passed('tls', ms, `${socket.getProtocol()}, ${about}`);
    return null;
  }

  passed(step: SessionStep['step'], ms: number, detail: string): void {
    this.#steps.push({ step, ok: true, ms: tenths(ms), detail });
  }

  failed(step: SessionStep['step'], ms: number, refusal: SessionRefusal): SessionRefusal {
    this.#steps.push({ step, ok: false, ms: tenths(ms), detail: refusal.reason });
    return refusal;
  }

  get certificateDays(): number | null {
    return this.#certificate?.daysLeft ?? null;
  }

  opened<Session>(session: Session): Opening<Session> {
    return { ok: true, session, steps: this.#steps, certificateDays: this.certificateDays };
  }

  refused(refusal: SessionRefusal): Opening<never> {
    return { ok: false, refusal, steps: this.#steps, certificateDays: this.certificateDays };
  }
}

/** Resolves, connects, shakes hands and leaves without a word of the protocol. Never rejects. */
export async function reach(
  egress: Egress,
  host: string,
  port: number,
  timeoutMs = REACH_MS,
): Promise<Opening<TLSSocket>> {
  const steps = new Steps(host);
  const opening = await underTls(egress, steps, port, timeoutMs);
  if (opening.ok) opening.session.destroy();
  return opening;
}

/** The same, and stays. */
export async function underTls(
  egress: Egress,
  steps: Steps,
  port: number,
  timeoutMs: number,
): Promise<Opening<TLSSocket>> {
  const connection = await steps.connect(egress, port, timeoutMs);
  if (!('socket' in connection)) return steps.refused(connection);
  const socket = overTls(connection);
  socket.on('error', () => undefined);
  const late = destroyAfter(socket, timeoutMs);
  const refusal = await steps.handshake(socket);
  clearTimeout(late);
  if (refusal === null) return steps.opened(socket);
  socket.destroy();
  return steps.refused(refusal);
}

/** Breaks a connection off (ETIMEDOUT) unless the timer is cleared before. */
export const destroyAfter = (socket: TLSSocket, timeoutMs: number): NodeJS.Timeout =>
  setTimeout(() => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), timeoutMs);

/** TLS over a checked connection, for the name that was asked for. */
const overTls = (connection: EgressConnection): TLSSocket =>
  tlsConnect({ socket: connection.socket, servername: connection.host, minVersion: LEAST_TLS });

function refusalOf({ kind, code, reason }: EgressRefusal, host: string, port: number): SessionRefusal {
  return { kind, code, reason: reason.includes(host) ? reason : `${host} port ${port}: ${reason}` };
}

function tlsReason(host: string, code: string, certificate: CertificateFacts | null): string {
  if (certificate === null) return `${host}: ${wordsOf(code)}`;
  const issuer = serverWords(certificate.issuer) || 'nobody';
  const names = certificate.names.slice(0, MOST_NAMES).map(serverWords).join(', ');
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `the certificate of ${host} has expired (it was valid until ${certificate.validTo.slice(0, 10)}): the operator of the server must renew it; look at the clock of this machine too`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate that ${host} shows is for ${names || 'no name'}, not for ${host}: configure the name that is on it, or have the server show the right one`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `the certificate of ${host} is issued by ${issuer}, which this machine does not trust: have the server send the full chain of a public authority, or start the desk with NODE_EXTRA_CA_CERTS naming the certificate of your own`;
    default:
      return `${host}: ${wordsOf(code)}`;
  }
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** What a server said, as a piece of a sentence: quoted, short and in one line; "" for nothing. */
export function quoted(text: string, redact: (text: string) => string): string {
  const words = serverWords(redact(text));
  return words === '' ? '' : ` ("${words}")`;
}

/** Short and in one line. */
export function serverWords(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= MOST_SERVER_WORDS ? line : `${line.slice(0, MOST_SERVER_WORDS)}…`;
}
