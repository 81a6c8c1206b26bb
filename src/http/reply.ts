/**
 * A reply as it goes out: status line and headers written once, in one list, past the setters of Koa and node, which cost
 * more than all rules of the guard together.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asset } from '../desk/context.ts';
import { PAGE_POLICY, RESPONSE_HEADERS, setResponseHeaders } from './headers.ts';

interface Tagged {
  readonly etag?: string;
  /** Seconds for which anyone may keep it; with an `etag`. Absent: it must not be cached. */
  readonly keptSec?: number;
}

/** JSON bytes, a page, what pages load, text of a type of its own, or a function that takes the response over. */
export type Reply =
  | ({ readonly json: Buffer | string; readonly status?: number } & Tagged)
  | ({ readonly page: Buffer | string; readonly status?: number } & Tagged)
  | { readonly asset: Asset }
  | { readonly text: string; readonly type: string }
  | { readonly stream: (response: ServerResponse) => void };

/** Every answer's headers with those of its kind, as names and values in turn. */
const listed = (own: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries({ ...RESPONSE_HEADERS, ...own }).flat();

const JSON_HEADERS = listed({ 'Content-Type': 'application/json; charset=utf-8' });
const BARE_HEADERS = listed({});
const PAGE_HEADERS = listed({
  'Content-Security-Policy': PAGE_POLICY,
  'Content-Type': 'text/html; charset=utf-8',
});

/** Answers a request that has passed every rule; nothing may have been written or set on the response before. */
export function sendReply(req: IncomingMessage, res: ServerResponse, reply: Reply): void {
  if ('json' in reply) sendTagged(req, res, reply, reply.json, reply.status ?? 200, JSON_HEADERS);
  else if ('page' in reply) sendTagged(req, res, reply, reply.page, reply.status ?? 200, PAGE_HEADERS);
  else if ('asset' in reply) sendAsset(req, res, reply.asset);
  else if ('text' in reply) write(req, res, 200, listed({ 'Content-Type': reply.type }), reply.text);
  else {
    setResponseHeaders(res);
    reply.stream(res);
  }
}

/** With an `ETag`, a client that names the same one has the answer already (RFC 9110, 13.1.2). */
function sendTagged(
  req: IncomingMessage,
  res: ServerResponse,
  { etag, keptSec }: Tagged,
  body: Buffer | string,
  status: number,
  headers: readonly string[],
): void {
  if (etag === undefined) {
    write(req, res, status, headers, body);
    return;
  }
  const has = names(req.headers['if-none-match'], etag);
  const tagged = [...kept(has ? BARE_HEADERS : headers, keptSec), 'ETag', etag];
  if (!has) {
    write(req, res, status, tagged, body);
    return;
  }
  res.writeHead(304, tagged);
  res.end();
}

/** Headers of an answer that may be kept for so long. */
function kept(headers: readonly string[], seconds: number | undefined): readonly string[] {
  if (seconds === undefined) return headers;
  const at = headers.indexOf('Cache-Control') + 1;
  return headers.with(at, `public, max-age=${seconds}`);
}

/** Whether an If-None-Match names this tag, in the weak comparison; our tags hold no comma. */
const names = (header = '', etag = ''): boolean =>
  header
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one.replace(/^W\//, '') === etag.replace(/^W\//, ''));

/** Compressed where the client takes that (RFC 9110, 12.5.3): brotli rather than gzip. */
function sendAsset(req: IncomingMessage, res: ServerResponse, { type, raw, gzip, br }: Asset): void {
  const accepted = String(req.headers['accept-encoding'] ?? '');
  const takes = (coding: string) =>
    new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))|,|$)`, 'i').test(accepted);
  const coding = ['br', 'gzip'].find(takes);
  const own = {
    'Content-Type': type,
    Vary: 'Accept-Encoding',
    ...(coding && { 'Content-Encoding': coding }),
  };
  write(req, res, 200, listed(own), coding === 'br' ? br() : coding === 'gzip' ? gzip() : raw);
}

function write(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: readonly string[],
  body: Buffer | string,
): void {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  res.writeHead(status, [...headers, 'Content-Length', String(bytes)]);
  // RFC 9110, 9.3.2: the answer to HEAD has the headers of GET and no content.
  if (req.method === 'HEAD') res.end();
  else res.end(body);
}
