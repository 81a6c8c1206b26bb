/** One request of http or https through the guard: nothing is followed, no more is read than was agreed, and it ends in time. */
import type { Socket } from 'node:net';
import { exchangeHttp } from '../base/http-exchange.ts';
import type { Egress, EgressRefusal } from './egress.ts';
import { httpRefusal } from './network-words.ts';
import { type CertificateFacts, secure } from './tls.ts';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1 << 20;

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
  const answer: { status: number; location: string | null; bytes: number } = {
    status: 0,
    location: null,
    bytes: 0,
  };
  try {
    const end = await exchangeHttp({
      options: {
        createConnection: () => socket,
        method,
        path: `${place.url.pathname}${place.url.search}`,
        headers: {
          host: place.url.host,
          'user-agent': 'hostess-desk',
          accept: '*/*',
          'accept-encoding': 'identity',
          connection: 'close',
        },
      },
      timeoutMs: Math.max(1, timeoutMs - passed()),
      mostBytes,
      head: ({ statusCode = 0, headers }) => {
        answer.status = statusCode;
        answer.location = headers.location ?? null;
        return true;
      },
      take: ({ length }) => {
        answer.bytes += length;
        return true;
      },
    });
    const complete = end === 'whole';
    if (end === 'too-large') answer.bytes = mostBytes;
    else if (!complete) return refused(httpRefusal(end, timeoutMs, mostBytes), certificate);
    return { ok: true, ...answer, complete, address: connection.address, ms: passed(), certificate };
  } finally {
    socket.destroy();
    connection.socket.destroy();
  }
}
