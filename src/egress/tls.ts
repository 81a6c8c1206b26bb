/** TLS over a connection of the guard, and what its certificate says. */
import { type DetailedPeerCertificate, type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { EgressConnection, EgressRefusal } from './egress.ts';
import { networkFailure, networkRefusal, timeoutRefusal } from './network-words.ts';

export const LEAST_TLS = 'TLSv1.2';
const DAY_MS = 86_400_000;
/** The server chooses what it sends: this much is kept. */
const MOST_NAMES = 100;
const MOST_CHAIN = 10;
const MOST_CHARACTERS = 255;

export interface CertificateFacts {
  /** The chain leads to a trusted authority, is valid now and is for the requested name. */
  readonly verified: boolean;
  readonly problem: string;
  readonly subject: string;
  /** Organisation of who signed it, else its common name. */
  readonly issuer: string;
  readonly names: readonly string[];
  /** When the first of the chain ends, RFC 3339 in UTC. */
  readonly validTo: string;
  /** Whole days until then; negative when it has ended. */
  readonly daysLeft: number;
  /** Certificates from the server's to the authority's, as far as known. */
  readonly chain: number;
}

type Secured =
  | { readonly ok: true; readonly socket: TLSSocket; readonly certificate: CertificateFacts }
  | (EgressRefusal & { readonly certificate: CertificateFacts | null });

const cut = (text: unknown): string => {
  const first = Array.isArray(text) ? text[0] : text;
  return typeof first === 'string' ? first.slice(0, MOST_CHARACTERS) : '';
};

function chainOf(certificate: DetailedPeerCertificate): readonly DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  // The last one is its own issuer.
  for (let at = certificate; at !== undefined && !chain.includes(at); at = at.issuerCertificate) {
    chain.push(at);
    if (chain.length === MOST_CHAIN) break;
  }
  return chain;
}

/** Null when the server sent none. `nowMs` since the epoch. */
export function certificateFacts(
  certificate: DetailedPeerCertificate,
  problem: string,
  nowMs: number,
): CertificateFacts | null {
  if (certificate.valid_to === undefined) return null;
  const chain = chainOf(certificate);
  const ends = Math.min(...chain.map(({ valid_to }) => Date.parse(valid_to)));
  return {
    verified: problem === '',
    problem,
    subject: cut(certificate.subject?.CN),
    issuer: cut(certificate.issuer?.O) || cut(certificate.issuer?.CN),
    names: (certificate.subjectaltname ?? '')
      .split(', ')
      .filter((name) => name !== '')
      .slice(0, MOST_NAMES)
      .map((name) => cut(name.replace(/^(?:DNS|IP Address):/, ''))),
    validTo: new Date(ends).toISOString(),
    daysLeft: Math.floor((ends - nowMs) / DAY_MS),
    chain: chain.length,
  };
}

/**
 * TLS 1.2 or later for the name of the connection. Never rejects. Nothing is sent before the certificate is verified: the handshake
 * completes in any case, so that a bad certificate can be reported; on failure the connection is closed.
 */
export function secure(connection: EgressConnection, timeoutMs: number): Promise<Secured> {
  const { host, socket: plain } = connection;
  return new Promise((resolve) => {
    const socket = tlsConnect({
      socket: plain,
      servername: host,
      host,
      minVersion: LEAST_TLS,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: false,
    });
    const fail = (refusal: EgressRefusal, certificate: CertificateFacts | null = null): void => {
      clearTimeout(timer);
      socket.destroy();
      plain.destroy();
      resolve({ ...refusal, certificate });
    };
    const late = timeoutRefusal('the server did not agree on TLS', timeoutMs);
    const timer = setTimeout(() => fail(late), timeoutMs);
    // Both stay: later errors are reported by the user of the socket.
    socket.on('error', (error) => fail(networkFailure(error)));
    socket.on('close', () => fail(networkRefusal('ECONNRESET')));
    socket.once('secureConnect', () => {
      const problem = socket.authorized ? null : networkFailure(socket.authorizationError);
      const peer = socket.getPeerCertificate(true);
      const certificate = certificateFacts(peer, problem?.reason ?? '', Date.now());
      if (problem !== null) fail(problem, certificate);
      else if (certificate === null) fail(networkRefusal('no-certificate', 'the server has no certificate'));
      else {
        clearTimeout(timer);
        resolve({ ok: true, socket, certificate });
      }
    });
  });
}
