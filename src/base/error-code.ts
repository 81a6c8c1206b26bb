/** Codes of errors of the system and of SQLite, and which of them mean that a disk takes nothing now and may do so later. */

/**
 * `full`, also of inodes or quota; `read-only`: file system or file; `closed`: the folder may not be written; `locked` by another
 * program; `failing`; `gone`: the file was removed while it was open.
 */
export type DiskTrouble = 'full' | 'read-only' | 'closed' | 'locked' | 'failing' | 'gone';

/** The code of the error that an open store throws whose file was removed or exchanged. */
export const FILE_GONE = 'DESK_FILE_GONE';

/** The first prefix that fits counts (https://sqlite.org/rescode.html, errno(3)). */
const TROUBLES: readonly (readonly [prefix: string, trouble: DiskTrouble])[] = [
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['SQLITE_FULL', 'full'],
  ['EACCES', 'closed'],
  ['EPERM', 'closed'],
  ['SQLITE_READONLY_DIRECTORY', 'closed'],
  ['EROFS', 'read-only'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_PROTOCOL', 'locked'],
  ['EIO', 'failing'],
  ['SQLITE_IOERR', 'failing'],
  ['SQLITE_CANTOPEN', 'failing'],
  [FILE_GONE, 'gone'],
];

/** Extended result codes that libsql has no name for: `UNKNOWN_SQLITE_ERROR_` and the number. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [26, 'SQLITE_NOTADB'],
  [1544, 'SQLITE_READONLY_DIRECTORY'],
]);

/** The code of an error, by name; "" for one without. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code !== 'string') return '';
  const [, digits] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? [];
  if (digits === undefined) return code;
  const number = Number(digits);
  // The low byte of an extended code is the code that it extends.
  return NAMES.get(number) ?? NAMES.get(number & 0xff) ?? code;
}

/** The same for messages: of an error without a code what it says. */
export const codeText = (error: unknown): string => codeOf(error) || String(error);

/** What a code says is wrong; null when it is nothing that may be over later. */
export const diskTroubleOf = (code: string): DiskTrouble | null =>
  TROUBLES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
