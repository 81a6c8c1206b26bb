/**
 * A self-signed certificate for a TLS server: X.509 version 3 (RFC 5280), key on P-256, signed with ECDSA and SHA-256 (RFC 5758).
 * Node reads certificates and makes none; what is needed of DER (ITU-T X.690) is written here.
 */
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { addressBytes } from '../../base/addresses.ts';

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
/** Tags of the context: constructed for [0] and [3] of a certificate, primitive for the names of a subject. */
const EXPLICIT = 0xa0;
const IMPLICIT = 0x80;

/** One element: tag, length, content (X.690, 8.1). */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | bytes.length, ...bytes];
  return Buffer.concat([Uint8Array.from(head), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => element(SEQUENCE, ...parts);
const text = (tag: number, value: string): Buffer => element(tag, Buffer.from(value, 'utf8'));

/** Base 128, first two arcs in one number (X.690, 8.19). */
function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const septets = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) septets.unshift((left & 0x7f) | 0x80);
    return septets;
  });
  return element(OBJECT_IDENTIFIER, Uint8Array.from(bytes));
}

/** UTCTime until 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d{3}/g, '');
  return digits < '2050' ? text(UTC_TIME, digits.slice(2)) : text(GENERALIZED_TIME, digits);
}

const commonName = (name: string): Buffer =>
  sequence(element(SET, sequence(identifier('2.5.4.3'), text(UTF8_STRING, name))));

const extension = (id: string, critical: boolean, content: Buffer): Buffer =>
  sequence(
    identifier(id),
    ...(critical ? [element(BOOLEAN, Uint8Array.of(0xff))] : []),
    element(OCTET_STRING, content),
  );

/** dNSName is [2], iPAddress is [7] (RFC 5280, 4.2.1.6). */
function alternativeName(name: string): Buffer {
  const address = addressBytes(name);
  return address === null ? text(IMPLICIT | 2, name) : element(IMPLICIT | 7, address);
}

interface CertificateParts {
  /** Private key on P-256. */
  readonly key: KeyObject;
  /** Host names in ASCII and IP addresses; the first one is the subject too. */
  readonly names: readonly string[];
  /** Milliseconds since the epoch; whole seconds are kept. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The certificate as PEM. Its basic constraints say that it cannot sign other certificates. */
export function selfSigned({ key, names, fromMs, untilMs }: CertificateParts): string {
  const algorithm = sequence(identifier('1.2.840.10045.4.3.2'));
  const name = commonName((names[0] ?? 'desk').slice(0, 64));
  const serial = randomBytes(16);
  // Positive, and without a leading zero byte.
  serial[0] = ((serial[0] as number) & 0x3f) | 0x40;
  const body = sequence(
    element(EXPLICIT | 0, element(INTEGER, Uint8Array.of(2))),
    element(INTEGER, serial),
    algorithm,
    name,
    sequence(time(fromMs), time(untilMs)),
    name,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    element(
      EXPLICIT | 3,
      sequence(
        extension('2.5.29.19', true, sequence()),
        // digitalSignature: the first of the bits, the other seven of the byte are unused.
        extension('2.5.29.15', true, element(BIT_STRING, Uint8Array.of(7, 0x80))),
        extension('2.5.29.37', false, sequence(identifier('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.17', false, sequence(...names.map(alternativeName))),
      ),
    ),
  );
  const signature = element(BIT_STRING, Uint8Array.of(0), sign('sha256', body, key));
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
