/** One request of http or https through the guard: nothing is followed, no more is read than was agreed, and it ends in time. */
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Egress, EgressRefusal } from './egress.ts';
import { networkFailure, networkRefusal, timeoutRefusal } from './network-words.ts';
import { type CertificateFacts, secure } from './tls.ts';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1 << 20;
const MOST_HEADER_BYTES = 16_384;

export interface WebAnswer {
  readonly ok: true;
  readonly status: number;
  /** Where a redirect points; nobody goes there. Null without one. */
  readonly location: string | null;
  /** Bytes of the body that were read, at most 1 MiB. */
  readonly bytes: number;
  /** The body ended within that. */
  readonly complete: boolean;
  /** Address that answered. */
  readonly address: string;
  /** From the first look at the name to the last byte. */
  readonly ms: number;
  /** Null for http. */
  readonly certificate: CertificateFacts | null;
}

export type WebRefusal = EgressRefusal & {
  readonly ms: number;
  /** What the server showed, also when it is the reason. */
  readonly certificate: CertificateFacts | null;
};

interface WebOptions {
  readonly method?: 'GET' | 'HEAD';
  /** All of it: resolving, connecting, TLS, the answer to its last byte. */
  readonly timeoutMs?: number;
  readonly mostBytes?: number;
}

/** Host, port and path of a web address; a refusal for what is none or has a user name in it. */
export function webPlace(
  address: string,
): EgressRefusal | { readonly ok: true; readonly url: URL; readonly host: string; readonly port: number } {
  const refuse = (code: string, reason: string): EgressRefusal => ({ ok: false, kind: 'rule', code, reason });
  if (!URL.canParse(address)) return refuse('bad-url', 'the address is no URL, correct it');
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('bad-url', `${url.protocol} is not asked, write https`);
  if (url.username !== '' || url.password !== '')
    return refuse('user-info', 'the address has a user name in it, leave out everything before the "@"');
  return {
    ok: true,
    url,
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
}

/** Never rejects. A certificate that does not verify is a refusal, and no request was sent then. */
export async function askWeb(
  egress: Egress,
  address: string,
  { method = 'GET', timeoutMs = TIMEOUT_MS, mostBytes = MOST_BYTES }: WebOptions = {},
): Promise<WebAnswer | WebRefusal> {
  const started = performance.now();
  const passed = (): number => performance.now() - started;
  const refused = (refusal: EgressRefusal, certificate: CertificateFacts | null = null): WebRefusal => ({
    ...refusal,
    ms: passed(),
    certificate,
  });
  const place = webPlace(address);
  if (!place.ok) return refused(place);
  const connection = await egress.connect(place.host, place.port, timeoutMs);
  if (!connection.ok) return refused(connection);
  let socket: Socket = connection.socket;
  let certificate: CertificateFacts | null = null;
  if (place.url.protocol === 'https:') {
    const secured = await secure(connection, Math.max(1, timeoutMs - passed()));
    if (!secured.ok) return refused(secured, secured.certificate);
    ({ socket, certificate } = secured);
  }
  try {
    const answer = await exchange(socket, place.url, method, Math.max(1, timeoutMs - passed()), mostBytes);
    if (answer === null) return refused(timeoutRefusal('the answer did not end', timeoutMs), certificate);
    if ('code' in answer) return refused(answer, certificate);
    return { ok: true, ...answer, address: connection.address, ms: passed(), certificate };
  } finally {
    socket.destroy();
    connection.socket.destroy();
  }
}

type Exchanged = Pick<WebAnswer, 'status' | 'location' | 'bytes' | 'complete'>;

/** Null when it took too long. */
function exchange(
  socket: Socket,
  url: URL,
  method: 'GET' | 'HEAD',
  timeoutMs: number,
  mostBytes: number,
): Promise<Exchanged | EgressRefusal | null> {
  return new Promise((resolve) => {
    const end = (result: Exchanged | EgressRefusal | null): void => {
      clearTimeout(timer);
      resolve(result);
      sent.destroy();
    };
    const timer = setTimeout(end, timeoutMs, null);
    const sent = request({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      maxHeaderSize: MOST_HEADER_BYTES,
      headers: {
        host: url.host,
        'user-agent': 'hostess-desk',
        accept: '*/*',
        'accept-encoding': 'identity',
        connection: 'close',
      },
    });
    sent.on('error', (error) => end(networkFailure(error)));
    sent.on('close', () => end(networkRefusal('ECONNRESET')));
    sent.on('upgrade', () => end(networkRefusal('upgrade', 'the server wants to speak another protocol')));
    sent.on('response', (response) => readBody(response, mostBytes, end));
    sent.end();
  });
}

function readBody(
  response: IncomingMessage,
  mostBytes: number,
  end: (result: Exchanged | EgressRefusal) => void,
): void {
  const { statusCode: status = 0, headers } = response;
  const location = headers.location ?? null;
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes = Math.min(mostBytes + 1, bytes + chunk.length);
    if (bytes > mostBytes) end({ status, location, bytes: mostBytes, complete: false });
  });
  response.on('end', () => end({ status, location, bytes, complete: true }));
  response.on('error', (error) => end(networkFailure(error)));
}
