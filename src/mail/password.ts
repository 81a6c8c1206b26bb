/** The mail password: systemd's credential, else a file that nobody else can read. Read by the mail process alone. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Name of the systemd credential (systemd.exec(5), LoadCredential=). */
export const CREDENTIAL = 'mail.password';
const MOST_BYTES = 1024;

export type PasswordResult =
  /** `from`: what it was read from, for people. */
  | { readonly ok: true; readonly secret: string; readonly from: string }
  /** Why there is none and what to do; names the file, never what stands in it. */
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): PasswordResult => ({ ok: false, reason });

/**
 * Reads the password: `mail.password` in `$CREDENTIALS_DIRECTORY` when there is such a credential, else `file`, which must
 * be a regular file of ours with no permission for anybody else. One trailing line end is cut.
 */
export function readPassword(file: string, credentials: string | undefined): PasswordResult {
  if (credentials) {
    const credential = join(credentials, CREDENTIAL);
    const read = readFrom(credential, false);
    if (read !== null) return read;
  }
  if (file === '')
    return refused(
      `there is no mail password: put it into a file of mode 0600 and name that as password_file in [mail], or give the service the systemd credential ${CREDENTIAL}`,
    );
  if (!isAbsolute(file))
    return refused(`password_file "${file}" is no absolute path: write it in full, from / on`);
  return (
    readFrom(file, true) ??
    refused(`the password file ${file} does not exist: write the password into it, then "chmod 600 ${file}"`)
  );
}

/** Null when nothing stands there. systemd itself guards its credentials: they need not be ours. */
function readFrom(path: string, ours: boolean): PasswordResult | null {
  const refusedFile = (what: string) => refused(`the password file ${path} ${what}`);
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
    const uid = process.geteuid?.() ?? info.uid;
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
      return taken(room.subarray(0, readSync(file, room, 0, room.length, 0)), path, refusedFile);
    } finally {
      room.fill(0);
    }
  } finally {
    closeSync(file);
  }
}

function taken(bytes: Buffer, from: string, refusedFile: (what: string) => PasswordResult): PasswordResult {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refusedFile('holds bytes that are no UTF-8 text: write the password as UTF-8');
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') return refusedFile('is empty: write the password into it');
  if (Buffer.byteLength(secret) > MOST_BYTES)
    return refusedFile(`is longer than ${MOST_BYTES} bytes: it must hold the password alone`);
  // IMAP (RFC 9051 section 4.3) and SASL PLAIN (RFC 4616) know no NUL; a line end would be a second line.
  if (/[\0\r\n]/.test(secret))
    return refusedFile('has several lines: it must hold the password alone, in one line');
  return { ok: true, secret, from };
}
