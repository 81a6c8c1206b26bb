/** One line of secret text out of a file that nobody else can read: a password, a key. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const MOST_BYTES = 1024;

export type PrivateLine =
  /** `from`: what it was read from, for people. */
  | { readonly ok: true; readonly secret: string; readonly from: string }
  /** Why there is none and what to do; names the file, never what stands in it. */
  | { readonly ok: false; readonly reason: string };

export interface PrivateLineOptions {
  /** The file must be ours and closed to others. systemd itself guards its credentials: they need not be. */
  readonly ours: boolean;
  /** Uid whose file is ours; default: the effective one of this process. */
  readonly owner?: number | undefined;
  /** What stands in it, e.g. "password". */
  readonly what: string;
}

const refused = (reason: string): PrivateLine => ({ ok: false, reason });

/** Null when nothing stands at `path`. One trailing line end is cut. */
export function readPrivateLine(path: string, { ours, what, owner }: PrivateLineOptions): PrivateLine | null {
  const refusedFile = (why: string) => refused(`the ${what} file ${path} ${why}`);
  let file: number;
  try {
    // A FIFO opened for reading waits for a writer unless it is O_NONBLOCK (fifo(7)).
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'ELOOP')
      return refusedFile('is a symbolic link: name the file itself, links are not followed');
    return refusedFile(`cannot be read (${code}): make it readable for the user that the desk runs as`);
  }
  try {
    const info = fstatSync(file);
    const uid = owner ?? process.geteuid?.() ?? info.uid;
    if (!info.isFile()) return refusedFile('is no regular file: name one');
    if (ours && info.uid !== uid)
      return refusedFile(
        `belongs to uid ${info.uid}, and the desk runs as uid ${uid}: "chown ${uid} ${path}"`,
      );
    if (ours && (info.mode & 0o077) !== 0)
      return refusedFile(
        `is open to others (mode ${(info.mode & 0o777).toString(8).padStart(4, '0')}): "chmod 600 ${path}"`,
      );
    const room = Buffer.alloc(MOST_BYTES + 3);
    try {
      return taken(room.subarray(0, readSync(file, room, 0, room.length, 0)), path, what, refusedFile);
    } finally {
      room.fill(0);
    }
  } finally {
    closeSync(file);
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
