/** A session with a mail server, step by step: what each step found or why it failed. */
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { Egress, EgressConnection } from './egress.ts';
import { failureCode, wordsOf } from './network-words.ts';
import { type CertificateFacts, certificateFacts, LEAST_TLS } from './tls.ts';

/** Ports of the interface: TLS from the first byte (RFC 8314 section 3). */
export const IMAP_PORT = 993;
export const SMTP_PORT = 465;
const MOST_SERVER_WORDS = 200;
/** For resolving and connecting together, for the handshake, and for the login. */
export const STEP_MS = 15_000;
const MOST_NAMES = 5;

export interface ServerAccount {
  readonly host: string;
  readonly user: string;
  readonly password: string;
  /** Removes the password from a server's reply, before it is cut: half of a cut secret would remain. */
  readonly redact: (text: string) => string;
}

type Trouble = 'login' | 'busy' | 'oversize' | 'silent' | 'ended' | 'addresses' | 'command';

/** Why a server of either protocol gave no session. `said`: its reply; `setting`: the one with the user name. */
export function serverRefusal(
  trouble: Trouble | null,
  code: string,
  { host, user, redact }: ServerAccount,
  said: string,
  setting: string,
): SessionRefusal {
  const words = quoted(said, redact);
  const reasons: Readonly<Record<Trouble, string>> = {
    login: `refused the login of ${user}${words}: check password_file in [mail] and ${setting} in [identity]`,
    busy: `takes no logins now${words}, wait, or check the server`,
    oversize: `sends more than a mail server has to say (${code}), check what runs there`,
    silent: 'does not answer, check it and the network between',
    ended: `ended the connection${words}, check its log if it happens again`,
    addresses: `refused sender or recipient${words}: check address in [identity]`,
    command: `refused a command${words}, check its log`,
  };
  const known = trouble ?? (words === '' ? null : 'command');
  const reason = known === null ? `${host}: ${wordsOf(code)}` : `the server ${host} ${reasons[known]}`;
  return { kind: trouble === 'login' ? 'login' : 'network', code, reason };
}

interface SessionStep {
  readonly step: 'dns' | 'connect' | 'tls' | 'login';
  readonly ok: boolean;
  readonly ms: number;
  /** What was found, or why it failed and what to do. May quote the server. */
  readonly detail: string;
}

/** `login`: the server refused this user, and another attempt soon could lock the account. */
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

/** Codes of a failed lookup; everything else happens after it. */
const LOOKUP = /^(?:ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EAI_\w+)$/;
const AFTER_LOOKUP = new Set(['other-peer']);

export class Steps {
  readonly #steps: SessionStep[] = [];
  readonly #host: string;
  #certificate: CertificateFacts | null = null;

  constructor(host: string) {
    this.#host = host;
  }

  async connect(egress: Egress, port: number): Promise<EgressConnection | SessionRefusal> {
    const started = performance.now();
    const connection = await egress.connect(this.#host, port, STEP_MS);
    if (connection.ok) {
      this.passed('dns', connection.resolveMs, `${this.#host} is ${connection.address}`);
      this.passed('connect', connection.connectMs, `connected to ${connection.address} port ${port}`);
      return connection;
    }
    const { kind, code } = connection;
    const atLookup = (kind === 'rule' && !AFTER_LOOKUP.has(code)) || LOOKUP.test(code);
    const named = connection.reason.includes(this.#host);
    const reason = named ? connection.reason : `${this.#host} port ${port}: ${connection.reason}`;
    const ms = performance.now() - started;
    return this.failed(atLookup ? 'dns' : 'connect', ms, { kind, code, reason });
  }

  /** Waits for the handshake of the socket; null when the peer is verified. */
  async handshake(socket: TLSSocket): Promise<SessionRefusal | null> {
    const started = performance.now();
    const error = await new Promise<unknown>((resolve) => {
      // Before Node verifies the certificate and destroys the socket if it fails.
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
    const issuer = serverWords(this.#certificate?.issuer ?? '') || 'an unnamed authority';
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

/** Connects with TLS and disconnects. Never rejects. */
export async function reach(egress: Egress, host: string, port: number): Promise<Opening<TLSSocket>> {
  const opening = await underTls(egress, new Steps(host), port);
  if (opening.ok) opening.session.destroy();
  return opening;
}

export async function underTls(egress: Egress, steps: Steps, port: number): Promise<Opening<TLSSocket>> {
  const connection = await steps.connect(egress, port);
  if (!('socket' in connection)) return steps.refused(connection);
  const socket = tlsConnect({
    socket: connection.socket,
    servername: connection.host,
    minVersion: LEAST_TLS,
  });
  socket.on('error', () => undefined);
  const late = destroyAfter(socket, STEP_MS);
  const refusal = await steps.handshake(socket);
  clearTimeout(late);
  if (refusal === null) return steps.opened(socket);
  socket.destroy();
  return steps.refused(refusal);
}

/** Destroys a connection (ETIMEDOUT) unless the timer is cleared. */
export const destroyAfter = (socket: TLSSocket, timeoutMs: number): NodeJS.Timeout =>
  setTimeout(() => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), timeoutMs);

function tlsReason(host: string, code: string, certificate: CertificateFacts | null): string {
  if (certificate === null) return `${host}: ${wordsOf(code)}`;
  const issuer = serverWords(certificate.issuer) || 'an unnamed authority';
  const names = certificate.names.slice(0, MOST_NAMES).map(serverWords).join(', ');
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `the certificate of ${host} has expired (it was valid until ${certificate.validTo.slice(0, 10)}): the operator of the server must renew it; check the clock of this machine too`;
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

/** A server's reply as part of a sentence: quoted, short, in one line; "" for none. */
function quoted(text: string, redact: (text: string) => string): string {
  const words = serverWords(redact(text));
  return words === '' ? '' : ` ("${words}")`;
}

export function serverWords(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= MOST_SERVER_WORDS ? line : `${line.slice(0, MOST_SERVER_WORDS)}…`;
}
