/** Exit codes, and a refusal as the command line prints it: what happened, why, what to do. */
import { DeskError, type Place, PlacedError } from '../base/desk-error.ts';
import { codeOf } from '../base/error-code.ts';

export const exit = { ok: 0, findings: 1, usage: 2, unreachable: 3, refused: 4 } as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  readonly why: string;
  readonly remedy: string;
  /** Where in a text that was sent it is wrong. */
  readonly place: Place | undefined;

  /** `message` says what happened; `why` and `remedy` may be "". */
  constructor(exitCode: ExitCode, message: string, why = '', remedy = '', place?: Place) {
    super(message);
    this.exitCode = exitCode;
    this.why = why;
    this.remedy = remedy;
    this.place = place;
  }
}

/** A command line that makes no sense. */
export const usage = (message: string, remedy = '', why = ''): Failure =>
  new Failure(exit.usage, message, why, remedy);

/** A word or option that has no effect with the rest of the command line. */
export const superfluous = (what: string, where: string): Failure =>
  usage(`${what} has no meaning for "desk ${where}".`, 'Leave it out.');

/** The value of an option that takes a whole number. @throws Failure `usage` */
export function wholeNumber(flag: string, text: unknown, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw usage(`${flag} ${text} is not a whole number from ${least} to ${most}.`);
}

/** The names of fields alone, without the slash of a JSON pointer. */
export const withoutPointers = (text: string): string =>
  text.replace(/(^Invalid fields: |; )\/(?=[\w-]+:)/g, '$1');

/** The failure that a thrown value is printed as; undefined for a bug, which keeps its stack. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (!(error instanceof DeskError)) return error instanceof Error ? systemFailure(error) : undefined;
  const code = error.code === 'unavailable' || error.code === 'refused' ? exit.refused : exit.usage;
  const place = error instanceof PlacedError ? error.place : undefined;
  return new Failure(code, withoutPointers(error.message), error.why, error.remedy, place);
}

const space = 'Free space (and inodes) on that disk, or set DESK_STATE to a folder on another one.';
const permission = 'Run as the user it belongs to, or give that user the right to write there.';
const files =
  'Raise the limit of open files (ulimit -n, LimitNOFILE= of systemd), or end what holds so many.';
const misplaced = 'See what put it there, then move it away.';
const held = 'See what holds the file (fuser), then try again.';
const damaged = 'Start the service (desk boot): it sets the file aside.';

type Reason = readonly [why: string, remedy: string];

/** Errors of the system that a correct program meets. Others, such as ENOENT where a file must be, are bugs. */
const errnos: Readonly<Record<string, Reason>> = {
  ENOSPC: ['The disk is full.', space],
  EDQUOT: ['The disk quota is used up.', space],
  EFBIG: ['A limit on the size of files is reached.', 'Raise it (ulimit -f).'],
  EROFS: [
    'That file system is read-only.',
    'Mount it writable, or set DESK_STATE to a folder on a writable one.',
  ],
  EIO: ['The disk reports an error.', 'Read the kernel log (dmesg) and check that disk.'],
  EACCES: ['Permission is denied.', permission],
  EPERM: ['Permission is denied.', permission],
  EMFILE: ['This process has as many open files as it may have.', files],
  ENFILE: ['This machine has as many open files as it may have.', files],
  ENOMEM: [
    'There is not enough memory.',
    'Free memory, or raise the limit (ulimit -v, MemoryMax= of systemd).',
  ],
  EISDIR: ['A directory is where a file belongs.', misplaced],
  ENOTDIR: ['A file is where a directory belongs.', misplaced],
  ELOOP: ['A symbolic link is where a file belongs.', misplaced],
  EPIPE: ['The reader of the output has ended.', ''],
};

/** The first prefix of the code counts: SQLITE_IOERR_SHMSIZE is an SQLITE_IOERR (https://sqlite.org/rescode.html). */
const sqlite: readonly (readonly [prefix: string, ...Reason])[] = [
  ['SQLITE_FULL', 'The disk is full.', space],
  // Its shared index cannot grow: in practice a full disk or a quota.
  ['SQLITE_IOERR_SHM', 'Its index cannot be written; most often the disk is full.', space],
  ['SQLITE_IOERR', 'Reading or writing failed.', `${space} If there is space, read the kernel log (dmesg).`],
  ['SQLITE_READONLY_DIRECTORY', 'Its folder may not be written.', 'Make it writable (chmod u+w).'],
  ['SQLITE_READONLY', 'The database may not be written.', permission],
  ['SQLITE_PERM', 'Permission is denied.', permission],
  [
    'SQLITE_CANTOPEN',
    'The file cannot be opened.',
    `${permission} With many open files, raise their limit (ulimit -n).`,
  ],
  ['SQLITE_BUSY', 'Another program holds it.', held],
  ['SQLITE_LOCKED', 'Another program holds it.', held],
  ['SQLITE_NOMEM', 'There is not enough memory.', 'Free memory, then try again.'],
  ['SQLITE_CORRUPT', 'The database is damaged.', damaged],
  ['SQLITE_NOTADB', 'The file is not a database.', damaged],
];

function systemFailure(error: Error): Failure | undefined {
  const { syscall, path } = error as NodeJS.ErrnoException;
  const code = codeOf(error);
  const database = sqlite.find(([prefix]) => code.startsWith(prefix));
  if (database !== undefined) {
    const [, ...reason] = database;
    return new Failure(exit.refused, `The database of the state folder failed (${code}).`, ...reason);
  }
  // Only what the kernel said: a library made up a code that comes without a system call.
  const reason = syscall === undefined || !Object.hasOwn(errnos, code) ? undefined : errnos[code];
  const where = path === undefined ? '' : ` on ${path}`;
  return reason && new Failure(exit.refused, `The system refused ${syscall}${where} (${code}).`, ...reason);
}
