/** Security rule 6: the headers of every response, errors included. No CORS header exists anywhere. */

/** What a JSON answer may load: nothing. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': CLOSED_POLICY,
};

/** What a 401 asks for (RFC 6750, section 3). */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="desk"' } as const;

/** Anything that takes headers one by one: a Koa context, a node response. */
interface HeaderSink {
  setHeader(name: string, value: string): unknown;
}

export function setResponseHeaders(response: HeaderSink): void {
  for (const name in RESPONSE_HEADERS) response.setHeader(name, RESPONSE_HEADERS[name] as string);
}

/** What a page may load: styles, scripts and answers of its own listener, and nothing else. No inline script, no inline style. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
