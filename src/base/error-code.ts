/** Codes of errors of the system and of SQLite, and which of them mean that a disk takes no writes now and may do so later. */

/** `full`: also inodes or quota; `closed`: the folder may not be written; `gone`: the file was removed while it was open. */
export type DiskTrouble = 'full' | 'read-only' | 'closed' | 'locked' | 'failing' | 'gone';

/** The code of the error that an open store throws whose file was removed or exchanged. */
export const FILE_GONE = 'DESK_FILE_GONE';

/** Prefixes of codes; the first that fits counts (https://sqlite.org/rescode.html, errno(3)). */
const TROUBLES: readonly (readonly [trouble: DiskTrouble, ...prefixes: string[]])[] = [
  ['full', 'ENOSPC', 'EDQUOT', 'SQLITE_FULL'],
  ['closed', 'EACCES', 'EPERM', 'SQLITE_READONLY_DIRECTORY'],
  ['read-only', 'EROFS', 'SQLITE_READONLY'],
  ['locked', 'SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL'],
  ['failing', 'EIO', 'SQLITE_IOERR', 'SQLITE_CANTOPEN'],
  ['gone', FILE_GONE],
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

/** The same for messages: of an error without a code its text. */
export const codeText = (error: unknown): string => codeOf(error) || String(error);

/** What a code says is wrong; null unless it may end by itself. */
export const diskTroubleOf = (code: string): DiskTrouble | null =>
  TROUBLES.find(([, ...prefixes]) => prefixes.some((prefix) => code.startsWith(prefix)))?.[0] ?? null;
