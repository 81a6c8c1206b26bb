/** What kernel, resolver and TLS say, as a refusal with words for a person. */
import { codeOf } from '../base/error-code.ts';
import { type HttpEnd, MOST_INTERIM } from '../base/http-exchange.ts';
import type { EgressRefusal } from './egress.ts';

const look = 'look at the network of this machine';
const renew = 'renew it on the server';

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not resolve, correct it or its DNS records',
  ENODATA: 'the name has no address, correct its DNS records',
  EAI_AGAIN: `no name server answers, ${look}`,
  ECONNREFUSED: 'nothing listens there, start the server',
  ECONNRESET: 'the server broke the connection off, look at its log',
  EPIPE: 'the server broke the connection off, look at its log',
  EHOSTUNREACH: `the host cannot be reached, ${look}`,
  ENETUNREACH: `there is no route to it, ${look}`,
  EACCES: 'a packet filter of this machine refuses the connection, let it pass there',
  EPERM: 'a packet filter of this machine refuses the connection, let it pass there',
  CERT_HAS_EXPIRED: `the certificate has expired, ${renew}`,
  CERT_NOT_YET_VALID: 'the certificate does not hold yet, look at the clocks of both machines',
  ERR_TLS_CERT_ALTNAME_INVALID: `the certificate is for other names, ${renew} for this one`,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself alone, get one of an authority',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate is of an authority that this machine does not trust, get another',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate is of an authority that this machine does not trust, or the server leaves out what lies between, send the full chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate is of an authority that this machine does not trust, or the server leaves out what lies between, send the full chain',
  CERT_REVOKED: `the certificate was revoked, ${renew}`,
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server speaks no TLS of version 1.2 or later, update it',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server speaks no TLS of version 1.2 or later, update it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port, look at its configuration',
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
    return `TLS failed (${code}), look at the server's configuration`;
  if (code.startsWith('HPE_')) return `the answer is no HTTP (${code}), look at what serves there`;
  return `the connection failed (${code}), ${look}`;
}

/** The code of what was thrown; its name when it has none. */
export const failureCode = (error: unknown): string =>
  typeof error === 'string' ? error : codeOf(error) || (error instanceof Error ? error.name : 'failed');

export const networkFailure = (error: unknown): EgressRefusal => networkRefusal(failureCode(error));

/** Why an exchange brought no whole answer. */
export function httpRefusal(end: HttpEnd, timeoutMs: number, mostBytes: number): EgressRefusal {
  if (typeof end === 'object') return networkFailure(end.error);
  if (end === 'timeout') return timeoutRefusal('the answer did not end', timeoutMs);
  if (end === 'too-large') return networkRefusal(end, `the answer is longer than ${mostBytes} bytes`);
  return networkRefusal(end, HTTP_WORDS[end] ?? 'the answer was not read to its end');
}

const HTTP_WORDS: Readonly<Record<string, string>> = {
  interim: `the server sends more than ${MOST_INTERIM} heads before its answer`,
  upgrade: 'the server wants to speak another protocol',
};

export const timeoutRefusal = (what: string, timeoutMs: number): EgressRefusal =>
  networkRefusal(
    'timeout',
    `${what} within ${Number((timeoutMs / 1000).toPrecision(3))} s, look at the server and the network between`,
  );
