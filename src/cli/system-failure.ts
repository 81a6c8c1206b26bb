/** What the system refuses, by errno and by SQLite result code: what happened, why, and what to do about it. */
import { codeOf } from '../base/error-code.ts';

export interface Refused {
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

const space = 'Free space (and inodes) on that disk, or set DESK_STATE to a folder on another one.';
const permission = 'Run as the user it belongs to, or give that user the right to write there.';
const files =
  'Raise the limit of open files (ulimit -n, LimitNOFILE= of systemd), or end what holds so many.';

type Reason = readonly [why: string, remedy: string];

/** Refusals that an honest program meets. Others, such as ENOENT where a file must be, are bugs. */
const errnos: Readonly<Record<string, Reason>> = {
  ENOSPC: ['The disk is full.', space],
  EDQUOT: ['The disk quota is used up.', space],
  EFBIG: ['A limit on the size of files is reached.', 'Raise it (ulimit -f).'],
  EROFS: [
    'That file system is read-only.',
    'Mount it writable, or set DESK_STATE to a folder on a writable one.',
  ],
  EIO: ['The disk reports an error.', 'Look at the kernel log (dmesg) and check that disk.'],
  EACCES: ['Permission is denied.', permission],
  EPERM: ['Permission is denied.', permission],
  EMFILE: ['This process has as many open files as it may have.', files],
  ENFILE: ['This machine has as many open files as it may have.', files],
  ENOMEM: [
    'There is not enough memory.',
    'Free memory, or raise the limit (ulimit -v, MemoryMax= of systemd).',
  ],
  EISDIR: ['A directory is where a file belongs.', 'See what put it there, then move it away.'],
  ENOTDIR: ['A file is where a directory belongs.', 'See what put it there, then move it away.'],
  ELOOP: ['A symbolic link is where a file belongs.', 'See what put it there, then move it away.'],
  EPIPE: ['The reader of the output has ended.', ''],
};

/** By the longest prefix of the code: SQLITE_IOERR_SHMSIZE is an SQLITE_IOERR (https://sqlite.org/rescode.html). */
const sqlite: readonly (readonly [prefix: string, ...Reason])[] = [
  ['SQLITE_FULL', 'The disk is full.', space],
  // Its shared index cannot grow: in practice a full disk or a quota.
  ['SQLITE_IOERR_SHM', 'Its index cannot be written; most often the disk is full.', space],
  [
    'SQLITE_IOERR',
    'Reading or writing failed.',
    `${space} If there is space, look at the kernel log (dmesg).`,
  ],
  ['SQLITE_READONLY_DIRECTORY', 'Its folder may not be written.', 'Make it writable (chmod u+w).'],
  ['SQLITE_READONLY', 'The database may not be written.', permission],
  ['SQLITE_PERM', 'Permission is denied.', permission],
  [
    'SQLITE_CANTOPEN',
    'The file cannot be opened.',
    `${permission} With many open files, raise their limit (ulimit -n).`,
  ],
  ['SQLITE_BUSY', 'Another program holds it.', 'See what holds the file (fuser), then try again.'],
  ['SQLITE_LOCKED', 'Another program holds it.', 'See what holds the file (fuser), then try again.'],
  ['SQLITE_NOMEM', 'There is not enough memory.', 'Free memory, then try again.'],
  ['SQLITE_CORRUPT', 'The database is damaged.', 'Start the service (desk boot): it sets the file aside.'],
  ['SQLITE_NOTADB', 'The file is not a database.', 'Start the service (desk boot): it sets the file aside.'],
];

/** The refusal a system error stands for; undefined for any other value, which is a bug. */
export function systemRefusal(error: unknown): Refused | undefined {
  if (!(error instanceof Error)) return undefined;
  const { syscall, path } = error as NodeJS.ErrnoException;
  const code = codeOf(error);
  if (code === '') return undefined;
  const database = sqlite.find(([prefix]) => code.startsWith(prefix));
  if (database !== undefined) {
    const [, why, remedy] = database;
    return { what: `The database of the state folder failed (${code}).`, why, remedy };
  }
  // Only what the kernel said: a code without a system call was made up by a library.
  const reason = syscall === undefined || !Object.hasOwn(errnos, code) ? undefined : errnos[code];
  if (reason === undefined) return undefined;
  const [why, remedy] = reason;
  const where = path === undefined ? '' : ` on ${path}`;
  return { what: `The system refused ${syscall}${where} (${code}).`, why, remedy };
}
