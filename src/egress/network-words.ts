/** Errors of the kernel, the resolver and TLS as refusals with a readable reason. */
import { codeOf } from '../base/error-code.ts';
import { type HttpEnd, MOST_INTERIM } from '../base/http-exchange.ts';
import type { EgressRefusal } from './egress.ts';

const check = 'check the network of this machine';
const renew = 'renew it on the server';

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not resolve, correct it or its DNS records',
  ENODATA: 'the name has no address, correct its DNS records',
  EAI_AGAIN: `no name server answers, ${check}`,
  ECONNREFUSED: 'nothing listens there, start the server',
  ECONNRESET: 'the server closed the connection, check its log',
  EPIPE: 'the server closed the connection, check its log',
  EHOSTUNREACH: `the host cannot be reached, ${check}`,
  ENETUNREACH: `there is no route to it, ${check}`,
  EACCES: 'a packet filter of this machine refuses the connection, allow it there',
  EPERM: 'a packet filter of this machine refuses the connection, allow it there',
  CERT_HAS_EXPIRED: `the certificate has expired, ${renew}`,
  CERT_NOT_YET_VALID: 'the certificate is not valid yet, check the clocks of both machines',
  ERR_TLS_CERT_ALTNAME_INVALID: `the certificate is for other names, ${renew} for this one`,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed, get one from an authority',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate is of an authority that this machine does not trust, get another',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate is of an authority that this machine does not trust, or the server leaves out intermediate certificates, send the full chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate is of an authority that this machine does not trust, or the server leaves out intermediate certificates, send the full chain',
  CERT_REVOKED: `the certificate was revoked, ${renew}`,
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server does not support TLS 1.2 or later, update it',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server does not support TLS 1.2 or later, update it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port, check its configuration',
};

/** The guard refuses, not the network. */
export const ruleRefusal = (code: string, reason: string): EgressRefusal => ({
  ok: false,
  kind: 'rule',
  code,
  reason,
});

/** `text` overrides the words for the code. */
export const networkRefusal = (code: string, text?: string): EgressRefusal => ({
  ok: false,
  kind: 'network',
  code,
  reason: text ?? wordsOf(code),
});

export function wordsOf(code: string): string {
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_'))
    return `TLS failed (${code}), check the server's configuration`;
  if (code.startsWith('HPE_')) return `the response is not HTTP (${code}), check what serves there`;
  return `the connection failed (${code}), ${check}`;
}

/** The code of what was thrown; its name when it has none. */
export const failureCode = (error: unknown): string =>
  typeof error === 'string' ? error : codeOf(error) || (error instanceof Error ? error.name : 'failed');

export const networkFailure = (error: unknown): EgressRefusal => networkRefusal(failureCode(error));

/** Why an exchange returned no complete response. */
export function httpRefusal(end: HttpEnd, timeoutMs: number, mostBytes: number): EgressRefusal {
  if (typeof end === 'object') return networkFailure(end.error);
  if (end === 'timeout') return timeoutRefusal('the answer did not end', timeoutMs);
  if (end === 'too-large') return networkRefusal(end, `the answer is longer than ${mostBytes} bytes`);
  return networkRefusal(end, HTTP_WORDS[end] ?? 'the answer was not read to its end');
}

const HTTP_WORDS: Readonly<Record<string, string>> = {
  interim: `the server sends more than ${MOST_INTERIM} interim responses before its answer`,
  upgrade: 'the server wants to speak another protocol',
};

export const timeoutRefusal = (what: string, timeoutMs: number): EgressRefusal =>
  networkRefusal(
    'timeout',
    `${what} within ${Number((timeoutMs / 1000).toPrecision(3))} s, check the server and the network between`,
  );
