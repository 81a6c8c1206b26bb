/**
 * One chat completion of an OpenAI-compatible endpoint through the guard: `POST {base_url}/chat/completions`. Plain http goes to
 * this machine's own addresses alone; nothing is followed; what comes is handed on as text while it comes, and it ends in time.
 */
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../base/addresses.ts';
import type { Egress, EgressRefusal } from './egress.ts';
import { webPlace } from './https.ts';
import { networkFailure, networkRefusal, timeoutRefusal } from './network-words.ts';
import { secure } from './tls.ts';

const MOST_BYTES = 1 << 20;
const MOST_HEADER_BYTES = 16_384;
/** With what HTTP and TLS put around the answer: chunks may say more than they hold. */
const MOST_SOCKET_BYTES = 4 * MOST_BYTES;
/** Interim answers (RFC 9110 section 15.2), each of which may be as large as a head. */
const MOST_INTERIM = 8;

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

function exchange(
  socket: Socket,
  url: URL,
  { key, body, limits, signal, take }: ChatRequest,
  left: (ms: number) => number,
): Promise<ChatEnd> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      clearTimeout(first);
      clearTimeout(whole);
      signal.removeEventListener('abort', leave);
      sent.destroy();
    };
    const end = (result: ChatEnd): void => {
      resolve(result);
      over();
    };
    const fail = (error: unknown): void => {
      reject(error);
      over();
    };
    const leave = (): void => end(LEFT);
    const late = (what: string, ms: number) => setTimeout(() => end(timeoutRefusal(what, ms)), left(ms));
    const first = late('no word came', Math.min(limits.firstMs, limits.wholeMs));
    const whole = late('the answer did not end', limits.wholeMs);
    signal.addEventListener('abort', leave);
    const payload = Buffer.from(body);
    const sent = request({
      createConnection: () => socket,
      method: 'POST',
      path: `${url.pathname.replace(/\/+$/, '')}/chat/completions${url.search}`,
      maxHeaderSize: MOST_HEADER_BYTES,
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
    });
    sent.on('error', (error) => end(networkFailure(error)));
    sent.on('close', () => end(networkRefusal('ECONNRESET')));
    let interim = 0;
    sent.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM)
        end(networkRefusal('interim', `the server sends more than ${MOST_INTERIM} heads before its answer`));
    });
    sent.on('upgrade', () => end(networkRefusal('upgrade', 'the server wants to speak another protocol')));
    sent.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status === 200) read(response, take, () => clearTimeout(first), end, fail);
      else end({ ok: true, status });
    });
    sent.end(payload);
  });
}

function read(
  response: IncomingMessage,
  take: ChatRequest['take'],
  spoke: () => void,
  end: (result: ChatEnd) => void,
  fail: (error: unknown) => void,
): void {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = response.headers;
  if (coding.toLowerCase() !== 'identity') {
    end(networkRefusal('encoded', 'the answer is compressed, which was not asked for'));
    return;
  }
  const decoder = new TextDecoder();
  let bytes = 0;
  const hand = (text: string): void => {
    let state: ReturnType<ChatRequest['take']>;
    try {
      state = take(text, type);
    } catch (error) {
      // Thrown from an event it would end the service.
      fail(error);
      return;
    }
    if (state !== 'waiting') spoke();
    if (state === 'enough') end({ ok: true, status: 200 });
  };
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES || response.socket.bytesRead > MOST_SOCKET_BYTES)
      end(networkRefusal('too-large', `the answer is longer than ${MOST_BYTES} bytes`));
    else hand(decoder.decode(chunk, { stream: true }));
  });
  response.on('end', () => {
    const rest = decoder.decode();
    if (rest !== '') hand(rest);
    end({ ok: true, status: 200 });
  });
  response.on('error', (error) => end(networkFailure(error)));
}
