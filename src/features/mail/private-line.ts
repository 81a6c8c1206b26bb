/** One line of secret text out of a file that nobody else can read: a password, a key. */
import { faultText, readTrusted } from '../../base/trusted-file.ts';

const MOST_BYTES = 1024;

export type PrivateLine =
  /** `from`: what it was read from, for people. */
  | { readonly ok: true; readonly secret: string; readonly from: string }
  /** Why there is none and what to do; names the file, never what stands in it. */
  | { readonly ok: false; readonly reason: string };

interface PrivateLineOptions {
  /** The file must be closed to others. systemd itself guards its credentials: an ACL may make them look open. */
  readonly ours: boolean;
  /** The user of the desk, whose file it may be; default: the effective user. */
  readonly owner?: number | undefined;
  /** What stands in it, e.g. "password". */
  readonly what: string;
}

const refused = (reason: string): PrivateLine => ({ ok: false, reason });

/** Null when nothing stands at `path`. One trailing line end is cut. */
export function readPrivateLine(path: string, { ours, what, owner }: PrivateLineOptions): PrivateLine | null {
  const refusedFile = (why: string) => refused(`the ${what} file ${path} ${why}`);
  // Two bytes for a line end.
  const trust = { secret: ours, ...(owner !== undefined && { uid: owner }) };
  const read = readTrusted(path, MOST_BYTES + 2, trust);
  if (!read.ok) return read.fault.kind === 'absent' ? null : refusedFile(faultText(read.fault));
  try {
    return taken(read.bytes, path, what, refusedFile);
  } finally {
    read.bytes.fill(0);
  }
}

function taken(
  bytes: Buffer,
  from: string,
  what: string,
  refusedFile: (why: string) => PrivateLine,
): PrivateLine {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refusedFile(`holds bytes that are no UTF-8 text: write the ${what} as UTF-8`);
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') return refusedFile(`is empty: write the ${what} into it`);
  if (Buffer.byteLength(secret) > MOST_BYTES)
    return refusedFile(`is longer than ${MOST_BYTES} bytes: it must hold the ${what} alone`);
  // IMAP (RFC 9051 section 4.3) and SASL PLAIN (RFC 4616) know no NUL; a line end would be a second line.
  if (/[\0\r\n]/.test(secret))
    return refusedFile(`has several lines: it must hold the ${what} alone, in one line`);
  return { ok: true, secret, from };
}
