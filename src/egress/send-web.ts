/** One request with a body through the guard, for what the desk sends. Plain http only to this machine and to private networks. */
import { kindOf } from '../base/addresses.ts';
import { exchangeHttp } from '../base/http-exchange.ts';
import type { Egress, EgressRefusal } from './egress.ts';
import { openWeb, webHeaders, webPlace } from './https.ts';
import { httpRefusal, ruleRefusal } from './network-words.ts';

const TIMEOUT_MS = 15_000;
/** Of an answer. */
const MOST_BYTES = 1 << 20;
/** Characters that are kept of an answer, where all of it is not wanted. */
const MOST_TEXT = 300;

export interface WebRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Keep the whole answer, up to 1 MiB. */
  readonly whole?: true;
  readonly signal?: AbortSignal;
}

export type WebResponse =
  | {
      readonly ok: true;
      readonly status: number;
      readonly text: string;
      readonly retryAfter: string;
      readonly location: string;
    }
  /** `sent`: the request left, so that it may have had its effect. */
  | (EgressRefusal & { readonly sent: boolean });

/** Never rejects. Redirects are answers. */
export async function sendWeb(
  egress: Egress,
  request: WebRequest,
  timeoutMs = TIMEOUT_MS,
): Promise<WebResponse> {
  const started = performance.now();
  const left = (): number => Math.max(1, timeoutMs - (performance.now() - started));
  const place = webPlace(request.url);
  if (!place.ok) return { ...place, sent: false };
  const opened = await openWeb(egress, place, timeoutMs);
  if (!opened.ok) return { ...opened, sent: false };
  const { connection, socket } = opened;
  try {
    if (place.url.protocol === 'http:' && kindOf(connection.address) === 'public')
      return {
        ...ruleRefusal(
          'plain-http',
          `${place.host} is at ${connection.address}, which is not a private address, and findings leave private networks by https only, write https`,
        ),
        sent: false,
      };
    const payload = Buffer.from(request.body ?? '');
    const most = request.whole ? MOST_BYTES : MOST_TEXT;
    const answer = { status: 0, text: '', retryAfter: '', location: '' };
    const decoder = new TextDecoder();
    const end = await exchangeHttp({
      options: {
        createConnection: () => socket,
        method: request.method,
        path: `${place.url.pathname}${place.url.search}`,
        headers: {
          ...webHeaders(place.url, '*/*'),
          ...(request.body !== undefined && { 'content-length': payload.length }),
          ...request.headers,
        },
      },
      ...(request.body !== undefined && { body: payload }),
      ...(request.signal !== undefined && { signal: request.signal }),
      timeoutMs: left(),
      mostBytes: MOST_BYTES,
      head: ({ statusCode = 0, headers }) => {
        answer.status = statusCode;
        answer.retryAfter = headers['retry-after'] ?? '';
        answer.location = headers.location ?? '';
        return true;
      },
      take: (chunk) => {
        answer.text += decoder.decode(chunk, { stream: true });
        return answer.text.length < most;
      },
    });
    // What the status says counts, also where the rest of the answer does not come.
    if (answer.status === 0) return { ...httpRefusal(end, timeoutMs, MOST_BYTES), sent: true };
    return { ok: true, ...answer, text: answer.text.slice(0, most) };
  } finally {
    socket.destroy();
    connection.socket.destroy();
  }
}
