/** A secret in a file of one line: the mail password (read by the mail process alone) and the key of the assistant. */
import { faultText, readTrusted } from './trusted-file.ts';

const MOST_BYTES = 1024;

export type PrivateLine =
  /** `from`: what it was read from, for people. */
  | { readonly ok: true; readonly secret: string; readonly from: string }
  /** Why it cannot be used and what to do; names the file, never its contents. */
  | { readonly ok: false; readonly reason: string };

interface PrivateLineOptions {
  /** No permission for others. Not required of credentials: systemd guards them, and an ACL may make them appear open. */
  readonly ours: boolean;
  /** The user who must own the file; default: the effective user. */
  readonly owner?: number | undefined;
  /** What the file holds, e.g. "password". */
  readonly what: string;
}

const refused = (reason: string): PrivateLine => ({ ok: false, reason });

/** A line of secret text from a private file; null without a file at `path`. One trailing line end is cut. */
export function readPrivateLine(path: string, { ours, what, owner }: PrivateLineOptions): PrivateLine | null {
  const refusedFile = (why: string) => refused(`the ${what} file ${path} ${why}`);
  // Two bytes for a line end.
  const read = readTrusted(path, MOST_BYTES + 2, {
    secret: ours,
    ...(owner !== undefined && { uid: owner }),
  });
  if (!read.ok) return read.fault.kind === 'absent' ? null : refusedFile(faultText(read.fault));
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes);
  } catch {
    return refusedFile(`holds bytes that are not UTF-8 text: write the ${what} as UTF-8`);
  } finally {
    read.bytes.fill(0);
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') return refusedFile(`is empty: write the ${what} into it`);
  if (Buffer.byteLength(secret) > MOST_BYTES)
    return refusedFile(`is longer than ${MOST_BYTES} bytes: it must hold the ${what} alone`);
  // IMAP (RFC 9051 section 4.3) and SASL PLAIN (RFC 4616) do not allow NUL; a line end would be a second line.
  if (/[\0\r\n]/.test(secret))
    return refusedFile(`has several lines: it must hold the ${what} alone, in one line`);
  return { ok: true, secret, from: path };
}
