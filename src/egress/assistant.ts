/**
 * One chat completion of an OpenAI-compatible endpoint through the guard: `POST {base_url}/chat/completions`. Plain http only to
 * loopback; redirects are not followed; text is passed on as it arrives, within a time limit.
 */
import type { Socket } from 'node:net';
import { isLoopback } from '../base/addresses.ts';
import { exchangeHttp } from '../base/http-exchange.ts';
import type { Egress, EgressRefusal } from './egress.ts';
import { openWeb, webHeaders, webPlace } from './https.ts';
import { httpRefusal, networkRefusal, ruleRefusal, timeoutRefusal } from './network-words.ts';

const MOST_BYTES = 1 << 20;

interface ChatLimits {
  readonly connectMs: number;
  /** From the start until `take` has words. */
  readonly firstMs: number;
  readonly wholeMs: number;
}

interface ChatRequest {
  /** As configured, e.g. `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Sent as bearer token; "" sends none. */
  readonly key: string;
  readonly body: string;
  readonly limits: ChatLimits;
  /** The client disconnected. */
  readonly signal: AbortSignal;
  /** Gets text of a 200 answer as it arrives, and its Content-Type. `waiting` until there is a word; `enough` ends the connection. */
  take(text: string, type: string): 'waiting' | 'going' | 'enough';
}

/** Codes in addition to the guard's: `plain-http`, `left`, `too-large`, `timeout`. */
export type ChatEnd = { readonly ok: true; readonly status: number } | EgressRefusal;

const LEFT = ruleRefusal('left', 'the client disconnected');

/** Rejects only with what `take` throws. Nothing was sent when a rule refuses. */
export async function askChat(egress: Egress, ask: ChatRequest): Promise<ChatEnd> {
  const { baseUrl, limits, signal } = ask;
  const started = performance.now();
  const left = (ms: number): number => Math.max(1, ms - (performance.now() - started));
  const place = webPlace(baseUrl);
  if (!place.ok) return place;
  if (signal.aborted) return LEFT;
  const opened = await openWeb(egress, place, Math.min(limits.connectMs, limits.wholeMs));
  if (!opened.ok) return opened;
  const { connection, socket } = opened;
  try {
    if (place.url.protocol === 'http:' && !isLoopback(connection.address))
      return ruleRefusal(
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
          ...webHeaders(url, 'text/event-stream, application/json'),
          'content-type': 'application/json',
          'content-length': payload.length,
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
