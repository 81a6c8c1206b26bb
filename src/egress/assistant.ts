/**
 * One chat completion of an OpenAI-compatible endpoint through the guard: `POST {base_url}/chat/completions`. Plain http goes to
 * this machine's own addresses alone; nothing is followed; what comes is handed on as text while it comes, and it ends in time.
 */
import type { Socket } from 'node:net';
import { isLoopback } from '../base/addresses.ts';
import { exchangeHttp } from '../base/http-exchange.ts';
import type { Egress, EgressRefusal } from './egress.ts';
import { webPlace } from './https.ts';
import { httpRefusal, networkRefusal, timeoutRefusal } from './network-words.ts';
import { secure } from './tls.ts';

const MOST_BYTES = 1 << 20;

export interface ChatLimits {
  /** Resolving, connecting and TLS. */
  readonly connectMs: number;
  /** From the beginning until `take` says that there are words. */
  readonly firstMs: number;
  /** All of it. */
  readonly wholeMs: number;
}

export interface ChatRequest {
  /** As configured, e.g. `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Sent as bearer token; "" sends none. */
  readonly key: string;
  /** JSON. */
  readonly body: string;
  readonly limits: ChatLimits;
  /** Whoever asked went away. */
  readonly signal: AbortSignal;
  /**
   * Given text of a 200 answer as it comes, and the answer's Content-Type. `waiting` until there is a word in it; `enough` ends the
   * connection.
   */
  take(text: string, type: string): 'waiting' | 'going' | 'enough';
}

/** Beyond that of the guard: `plain-http`, `left`, `too-large`, `timeout`. */
export type ChatEnd = { readonly ok: true; readonly status: number } | EgressRefusal;

const rule = (code: string, reason: string): EgressRefusal => ({ ok: false, kind: 'rule', code, reason });
const LEFT = rule('left', 'the client disconnected');

/** Rejects with what `take` throws, and never else. Nothing of ours was sent where a rule refuses. */
export async function askChat(egress: Egress, ask: ChatRequest): Promise<ChatEnd> {
  const { baseUrl, limits, signal } = ask;
  const started = performance.now();
  const left = (ms: number): number => Math.max(1, ms - (performance.now() - started));
  const place = webPlace(baseUrl);
  if (!place.ok) return place;
  if (signal.aborted) return LEFT;
  const connectMs = Math.min(limits.connectMs, limits.wholeMs);
  const connection = await egress.connect(place.host, place.port, connectMs);
  if (!connection.ok) return connection;
  let socket: Socket = connection.socket;
  try {
    if (place.url.protocol === 'https:') {
      const secured = await secure(connection, left(connectMs));
      if (!secured.ok) return secured;
      socket = secured.socket;
    } else if (!isLoopback(connection.address))
      return rule(
        'plain-http',
        `${place.host} is at ${connection.address}, not on this machine, and questions and keys go elsewhere by https only, write https in [assistant] base_url`,
      );
    if (signal.aborted) return LEFT;
    return await exchange(socket, place.url, ask, left);
  } finally {
    socket.destroy();
    connection.socket.destroy();
  }
}

async function exchange(
  socket: Socket,
  url: URL,
  { key, body, limits, signal, take }: ChatRequest,
  left: (ms: number) => number,
): Promise<ChatEnd> {
  const stop = new AbortController();
  let stopped: ChatEnd | null = null;
  const stopWith = (end: ChatEnd): void => {
    stopped ??= end;
    stop.abort();
  };
  const leave = (): void => stopWith(LEFT);
  signal.addEventListener('abort', leave);
  const firstMs = Math.min(limits.firstMs, limits.wholeMs);
  const first = setTimeout(() => stopWith(timeoutRefusal('no word came', firstMs)), left(firstMs));
  const payload = Buffer.from(body);
  const decoder = new TextDecoder();
  let status = 0;
  let type = '';
  const hand = (text: string): boolean => {
    const state = take(text, type);
    if (state !== 'waiting') clearTimeout(first);
    return state !== 'enough';
  };
  try {
    const end = await exchangeHttp({
      options: {
        createConnection: () => socket,
        method: 'POST',
        path: `${url.pathname.replace(/\/+$/, '')}/chat/completions${url.search}`,
        headers: {
          host: url.host,
          'user-agent': 'hostess-desk',
          accept: 'text/event-stream, application/json',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          'content-length': payload.length,
          connection: 'close',
          ...(key !== '' && { authorization: `Bearer ${key}` }),
        },
      },
      body: payload,
      timeoutMs: left(limits.wholeMs),
      mostBytes: MOST_BYTES,
      signal: stop.signal,
      head: ({ statusCode = 0, headers }) => {
        status = statusCode;
        type = headers['content-type'] ?? '';
        const encoded =
          status === 200 && (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
        if (encoded) stopped = networkRefusal('encoded', 'the answer is compressed, which was not asked for');
        return status === 200 && !encoded;
      },
      take: (chunk) => hand(decoder.decode(chunk, { stream: true })),
    });
    if (stopped !== null) return stopped;
    if (end !== 'whole' && end !== 'enough') return httpRefusal(end, limits.wholeMs, MOST_BYTES);
    const rest = end === 'whole' ? decoder.decode() : '';
    if (rest !== '') hand(rest);
    return { ok: true, status };
  } finally {
    clearTimeout(first);
    signal.removeEventListener('abort', leave);
  }
}
