/** One http or https request through the guard: no redirects, a limited number of bytes, within a time limit. */
import type { Socket } from 'node:net';
import { exchangeHttp } from '../base/http-exchange.ts';
import type { Egress, EgressConnection, EgressRefusal } from './egress.ts';
import { httpRefusal, ruleRefusal } from './network-words.ts';
import { type CertificateFacts, secure } from './tls.ts';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1 << 20;
/** Node reads at most so much of a socket at once (libuv's buffer for streams). */
const MOST_PART = 1 << 16;

export interface WebAnswer {
  readonly ok: true;
  readonly status: number;
  /** Where a redirect points; it is not followed. Null without one. */
  readonly location: string | null;
  /** Bytes of the body that were read, at most 1 MiB. */
  readonly bytes: number;
  readonly complete: boolean;
  /** The wanted text is in these bytes; null when none was wanted. */
  readonly found: boolean | null;
  readonly address: string;
  /** From resolving the name to the last byte. */
  readonly ms: number;
  /** Null for http. */
  readonly certificate: CertificateFacts | null;
}

export type WebRefusal = EgressRefusal & {
  readonly ms: number;
  /** What the server showed, also when it is the reason. */
  readonly certificate: CertificateFacts | null;
};

interface WebPlace {
  readonly ok: true;
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

/** Host, port and path of a web address; a refusal when invalid or with a user name in it. */
export function webPlace(address: string): EgressRefusal | WebPlace {
  if (!URL.canParse(address)) return ruleRefusal('bad-url', 'the address is not a URL, correct it');
  const url = new URL(address);
  const { protocol, hostname: host } = url;
  if (protocol !== 'https:' && protocol !== 'http:')
    return ruleRefusal('bad-url', `${protocol} is not supported, write https`);
  if (url.username !== '' || url.password !== '')
    return ruleRefusal('user-info', 'the address has a user name in it, leave out everything before the "@"');
  return { ok: true, url, host, port: Number(url.port || (protocol === 'https:' ? 443 : 80)) };
}

/** Connected to a place, under TLS for https; without it `certificate` is null. */
type WebConnection =
  | {
      readonly ok: true;
      readonly connection: EgressConnection;
      readonly socket: Socket;
      readonly certificate: CertificateFacts | null;
    }
  | (EgressRefusal & { readonly certificate: CertificateFacts | null });

/** Never rejects. `timeoutMs`: resolving, connecting and TLS. */
export async function openWeb(egress: Egress, place: WebPlace, timeoutMs: number): Promise<WebConnection> {
  const started = performance.now();
  const connection = await egress.connect(place.host, place.port, timeoutMs);
  if (!connection.ok) return { ...connection, certificate: null };
  if (place.url.protocol === 'http:')
    return { ok: true, connection, socket: connection.socket, certificate: null };
  const secured = await secure(connection, Math.max(1, timeoutMs - (performance.now() - started)));
  return secured.ok ? { ...secured, connection } : secured;
}

export const webHeaders = ({ host }: URL, accept: string) => ({
  host,
  'user-agent': 'hostess-desk',
  accept,
  'accept-encoding': 'identity',
  connection: 'close',
});

/** Looks for a text, as UTF-8, in bytes that come in parts. */
function searcher(text: string): (part: Buffer) => boolean {
  const wanted = Buffer.from(text);
  let end: Buffer = Buffer.alloc(0);
  let found = false;
  return (part) => {
    if (found) return true;
    const bytes = Buffer.concat([end, part]);
    found = bytes.includes(wanted);
    // It may begin in this part and end in the next one.
    end = bytes.subarray(Math.max(0, bytes.length - wanted.length + 1));
    return found;
  };
}

/**
 * Never rejects. An unverified certificate is a refusal, and no request is sent. `timeoutMs`: from resolving to the last byte. `text`:
 * looked for in the bytes of the body that are read; "" for none.
 */
export async function askWeb(
  egress: Egress,
  address: string,
  { timeoutMs = TIMEOUT_MS, text = '' } = {},
): Promise<WebAnswer | WebRefusal> {
  const started = performance.now();
  const passed = (): number => performance.now() - started;
  const place = webPlace(address);
  if (!place.ok) return { ...place, ms: passed(), certificate: null };
  const opened = await openWeb(egress, place, timeoutMs);
  if (!opened.ok) return { ...opened, ms: passed() };
  const { connection, socket, certificate } = opened;
  const answer = { status: 0, location: null as string | null, bytes: 0, found: text === '' ? null : false };
  const search = text === '' ? null : searcher(text);
  try {
    const end = await exchangeHttp({
      options: {
        createConnection: () => socket,
        path: `${place.url.pathname}${place.url.search}`,
        headers: webHeaders(place.url, '*/*'),
      },
      timeoutMs: Math.max(1, timeoutMs - passed()),
      // More than one part beyond what is read: the last part is cut here.
      mostBytes: MOST_BYTES + MOST_PART,
      head: ({ statusCode = 0, headers }) => {
        answer.status = statusCode;
        answer.location = headers.location ?? null;
        return true;
      },
      take: (part) => {
        const read = part.subarray(0, MOST_BYTES - answer.bytes);
        answer.bytes += read.length;
        if (search !== null) answer.found = search(read);
        return read.length === part.length;
      },
    });
    const complete = end === 'whole';
    if (end === 'too-large') answer.bytes = MOST_BYTES;
    else if (end !== 'enough' && !complete)
      return { ...httpRefusal(end, timeoutMs, MOST_BYTES), ms: passed(), certificate };
    return { ok: true, ...answer, complete, address: connection.address, ms: passed(), certificate };
  } finally {
    socket.destroy();
    connection.socket.destroy();
  }
}
