/** One HTTP request and its answer, bounded in time and size. Follows no redirect and keeps no connection. */
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';

const MOST_HEADER_BYTES = 16_384;
/** Interim answers (RFC 9110 section 15.2), each of which may be as large as a head. */
export const MOST_INTERIM = 8;

interface HttpExchange {
  readonly options: RequestOptions;
  readonly body?: Uint8Array | undefined;
  /** Sends the request; default: at once. What it throws is what the exchange rejects with. */
  readonly send?: (call: ClientRequest) => Promise<void>;
  /** For everything, to the last byte. */
  readonly timeoutMs: number;
  /** Of the body. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
  /** False ends the exchange, as `take` does. */
  readonly head?: (response: IncomingMessage) => boolean;
  readonly take?: (chunk: Buffer, response: IncomingMessage) => boolean;
}

/** `whole`: the answer ended; `enough`: `head` or `take` wanted no more; or what ended it before. */
export type HttpEnd =
  | 'whole'
  | 'enough'
  | 'too-large'
  | 'timeout'
  | 'aborted'
  | 'upgrade'
  | 'interim'
  | { readonly error: Error };

/** Rejects only with what `send`, `head` or `take` throws. */
export function exchangeHttp(exchange: HttpExchange): Promise<HttpEnd> {
  const { options, body, send, timeoutMs, mostBytes, signal } = exchange;
  const { head = () => true, take = () => true } = exchange;
  // The bytes of chunk headers count as well: chunks may say more than they hold.
  const mostSocketBytes = 4 * mostBytes + (MOST_INTERIM + 1) * MOST_HEADER_BYTES;
  return new Promise((resolve, reject) => {
    let open = true;
    const over = (settle: () => void): void => {
      if (!open) return;
      open = false;
      settle();
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      call.destroy();
    };
    const end = (how: HttpEnd): void => over(() => resolve(how));
    const fail = (error: unknown): void => over(() => reject(error));
    const ask = (wantsMore: () => boolean): void => {
      try {
        if (open && !wantsMore()) end('enough');
      } catch (error) {
        fail(error);
      }
    };
    const abort = (): void => end('aborted');
    const call = request({ maxHeaderSize: MOST_HEADER_BYTES, ...options });
    const timer = setTimeout(end, timeoutMs, 'timeout');
    signal?.addEventListener('abort', abort);
    call.on('error', (error) => end({ error }));
    call.on('close', () => end({ error: Object.assign(new Error('closed'), { code: 'ECONNRESET' }) }));
    call.on('upgrade', () => end('upgrade'));
    let interim = 0;
    call.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) end('interim');
    });
    call.on('response', (response) => {
      let bytes = 0;
      response.on('error', (error) => end({ error }));
      response.on('end', () => end('whole'));
      ask(() => head(response));
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes || response.socket.bytesRead > mostSocketBytes) end('too-large');
        else ask(() => take(chunk, response));
      });
    });
    if (signal?.aborted) abort();
    else if (send === undefined) call.end(body);
    else send(call).catch(fail);
  });
}
