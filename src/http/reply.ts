/**
 * A reply as it goes out: status line and headers written once, in one list, past the setters of Koa and node, which cost
 * more than all rules of the guard together.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_POLICY } from '../pages/design.ts';
import type { Reply } from './endpoint.ts';
import { RESPONSE_HEADERS, setResponseHeaders } from './headers.ts';

/** Every answer's headers with those of its kind, as names and values in turn. */
const listed = (own: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries({ ...RESPONSE_HEADERS, ...own }).flat();

const JSON_HEADERS = listed({ 'Content-Type': 'application/json; charset=utf-8' });
const PAGE_HEADERS = listed({
  'Content-Security-Policy': PAGE_POLICY,
  'Content-Type': 'text/html; charset=utf-8',
});

/** Answers a request that has passed every rule; nothing may have been written or set on the response before. */
export function sendReply(req: IncomingMessage, res: ServerResponse, reply: Reply): void {
  if ('json' in reply) write(req, res, reply.status ?? 200, JSON_HEADERS, reply.json);
  else if ('page' in reply)
    write(req, res, 200, PAGE_HEADERS, Buffer.isBuffer(reply.page) ? reply.page : reply.page.markup);
  else if ('text' in reply) write(req, res, 200, listed({ 'Content-Type': reply.type }), reply.text);
  else {
    setResponseHeaders(res);
    reply.stream(res);
  }
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
