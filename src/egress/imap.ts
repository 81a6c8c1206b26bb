/** An IMAP session (RFC 9051, RFC 3501) over the guard: TLS from the first byte, everything bounded; no STARTTLS, compression or log. */
import type { TLSSocket } from 'node:tls';
import { ImapFlow } from 'imapflow';
import type { Egress } from './egress.ts';
import { failureCode } from './network-words.ts';
import {
  destroyAfter,
  IMAP_PORT,
  type Opening,
  type ServerAccount,
  type SessionRefusal,
  STEP_MS,
  Steps,
  serverRefusal,
} from './session.ts';
import { LEAST_TLS } from './tls.ts';

const LINE_BYTES = 256 << 10;
const LITERAL_BYTES = 1 << 20;
const RESPONSE_BYTES = LITERAL_BYTES + LINE_BYTES;
/** Bytes of one answer, unless changed by `allow`. */
const ANSWER_BYTES = 4 << 20;
/** Silence after which a command fails, or an idle server is pinged. */
const SILENCE_MS = 60_000;
/** Servers end an IDLE of half an hour (RFC 2177). */
const IDLE_MS = 9 * 60_000;

/** Codes of a refused login that say nothing about the user (RFC 5530 section 3). */
const NOT_THE_USER = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG']);
const TOO_MUCH = 'TooMuch';
const SILENT = new Set(['GREETING_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT', 'CONNECT_TIMEOUT']);
/** `Error`: thrown here when a command ended without a response. */
const CLOSED = new Set(['NoConnection', 'EConnectionClosed', 'ECONNRESET', 'EPIPE', 'Error']);
const OVERSIZE = new Set(['LiteralTooLarge', 'ResponseTooLarge', 'LineTooLarge', TOO_MUCH]);

export class ImapSession {
  readonly client: ImapFlow;
  readonly #account: ServerAccount;
  #leftBytes = ANSWER_BYTES;
  #fault: unknown = null;

  constructor(client: ImapFlow, account: ServerAccount) {
    this.client = client;
    this.#account = account;
    client.on('error', (error) => {
      this.#fault ??= error;
    });
  }

  /** Breaks the connection when the server sends more than what `allow` gave. */
  bound(socket: TLSSocket): void {
    socket.on('data', (chunk: Buffer) => {
      this.#leftBytes -= chunk.length;
      if (this.#leftBytes < 0)
        socket.destroy(Object.assign(new Error('the server sends without end'), { code: TOO_MUCH }));
    });
  }

  allow(bytes = ANSWER_BYTES): void {
    this.#leftBytes = bytes;
  }

  get open(): boolean {
    return this.client.usable;
  }

  oversize(error: unknown): boolean {
    return OVERSIZE.has(failureCode(this.#fault ?? error));
  }

  /** Why it ended, of what a command threw. */
  refusal(error: unknown): SessionRefusal {
    return imapRefusal(this.#fault ?? error, this.#account);
  }

  /** Logs out when the connection works, and is closed within a second in any case. */
  async close(): Promise<void> {
    const { client } = this;
    if (client.usable) {
      const timer = setTimeout(() => client.close(), 1000);
      await client.logout().catch(() => undefined);
      clearTimeout(timer);
    }
    client.close();
  }
}

/** Resolves, connects, shakes hands and logs in, within 15 s each. Never rejects. */
export async function openImap(egress: Egress, account: ServerAccount): Promise<Opening<ImapSession>> {
  const { host, user, password } = account;
  const steps = new Steps(host);
  const connection = await steps.connect(egress, IMAP_PORT);
  if (!('socket' in connection)) return steps.refused(connection);
  const client = new ImapFlow({
    host,
    port: IMAP_PORT,
    servername: host,
    secure: true,
    doSTARTTLS: false,
    tls: { socket: connection.socket, minVersion: LEAST_TLS },
    auth: { user, pass: password },
    logger: false,
    disableCompression: true,
    disableAutoIdle: true,
    disableBinary: true,
    clientInfo: { name: 'hostess-desk', version: false, vendor: false, 'support-url': false },
    maxLineLength: LINE_BYTES,
    maxLiteralSize: LITERAL_BYTES,
    maxResponseSize: RESPONSE_BYTES,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: SILENCE_MS,
    maxIdleTime: IDLE_MS,
  });
  const session = new ImapSession(client, account);
  const connecting = client.connect();
  connecting.catch(() => undefined);
  // Created at once, under a name that the client's types lack.
  const tls = (client as unknown as { readonly socket: TLSSocket | false }).socket;
  if (!tls) {
    connection.socket.destroy();
    return steps.refused(steps.failed('tls', 0, imapRefusal(await failureOf(connecting), account)));
  }
  // After the client's own listener: earlier data would be lost.
  tls.once('secureConnect', () => session.bound(tls));
  const refusal = await steps.handshake(tls);
  if (refusal !== null) {
    client.close();
    connection.socket.destroy();
    return steps.refused(refusal);
  }
  const started = performance.now();
  const late = destroyAfter(tls, STEP_MS);
  const failure = await failureOf(connecting);
  clearTimeout(late);
  const ms = performance.now() - started;
  if (failure !== null) {
    client.close();
    return steps.refused(steps.failed('login', ms, imapRefusal(failure, account)));
  }
  steps.passed('login', ms, `${host} knows ${user}`);
  return steps.opened(session);
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

interface ImapError {
  readonly authenticationFailed?: boolean;
  readonly serverResponseCode?: string;
  readonly response?: unknown;
  readonly responseText?: string;
  readonly reason?: unknown;
}

function imapRefusal(error: unknown, account: ServerAccount): SessionRefusal {
  const { authenticationFailed, serverResponseCode = '', ...rest } = (error ?? {}) as ImapError;
  const code = failureCode(error);
  const { response, responseText = '', reason: bye } = rest;
  // Tag and status precede the words of a tagged response (RFC 9051 section 7.1).
  const text = typeof response === 'string' ? response.replace(/^\S+ (?:NO|BAD|BYE) /, '') : responseText;
  const said = typeof bye === 'string' && bye !== '' ? bye : text;
  const refused = (trouble: Parameters<typeof serverRefusal>[0], as = code): SessionRefusal =>
    serverRefusal(trouble, as, account, said, 'imap_user');
  if (authenticationFailed === true)
    return NOT_THE_USER.has(serverResponseCode.toUpperCase())
      ? refused('busy')
      : refused('login', serverResponseCode || 'refused');
  if (OVERSIZE.has(code)) return refused('oversize');
  if (SILENT.has(code)) return refused('silent');
  return refused(CLOSED.has(code) ? 'ended' : null);
}
