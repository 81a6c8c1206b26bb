/**
 * The state folder: where it is, that it is ours alone, the tokens and the lock in it, and the residue of dead runs.
 * Whatever makes it unusable is told as a `DeskError` with the command that mends it.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { closedFolder, isWritable } from '../base/closed-folder.ts';
import { DeskError } from '../base/desk-error.ts';
import { codeText, diskTroubleOf } from '../base/error-code.ts';
import { replaceSecret } from '../base/private-file.ts';
import { distrust, distrustWay, openTrusted } from '../base/trusted-file.ts';
import type { StaleFile } from '../checks/residue.ts';
import { loadNative } from '../engine/native/load.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import { noteNewFolder } from '../store/first-use.ts';
import { isRegularFile, refusedPath, sentence } from '../store/regular-file.ts';
import { firstOf, lockName, lockPid, readToken, type TokenName } from './files.ts';
import { KeptFiles } from './kept-files.ts';

export { folderOwner, lockPid, readToken } from './files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StateDir {
  readonly path: string;
  readonly databasePath: string;
  readonly lockPath: string;
  /** Why something cannot be kept in it now, "" when it can: it is `lost`, reported, or may not be written. */
  trouble(): string;
  /** What of it is gone or replaced: the folder itself, or a file that `keeps` named; "" when nothing is. */
  lost(): string;
  /** These files in it are expected from now on: one that is deleted or replaced is lost. */
  keeps(names: readonly string[]): void;
  /** Something cannot be kept in it: `trouble` has the reason until "" is reported. */
  report(reason: string): void;
  /** Temporary files of runs that ended before the rename, by name. */
  residue(): readonly StaleFile[];
  /** When a service first used this folder, milliseconds since the epoch; the first to ask writes it down. */
  firstStart(): number;
  /** Makes a new token, or takes the given one, replaces the old one, returns the new. */
  renewToken(name: TokenName, token?: string): string;
  /** The token that stands, made when there is none or when it is damaged. */
  keepToken(name: TokenName): string;
  removeToken(name: TokenName): void;
  /**
   * Takes the lock that one service holds on this folder and writes our pid into `desk.lock`. Another holder is a `DeskError`
   * naming its pid. The lock is on the folder itself, because a lock file can be deleted while it is locked, and on `desk.lock`,
   * because earlier versions lock only that file. The kernel releases both when the process ends.
   */
  lock(): ServiceLock;
  /** Services that hold the lock, counted in /proc/locks; 0 when that cannot be read. */
  lockHolders(): number;
  /**
   * Whether a mail password stands ready: systemd's credential `mail.password`, else the given file when it is a trusted secret
   * and not empty. The password itself is not read.
   */
  passwordSet(file: string): boolean;
}

interface ServiceLock {
  release(): void;
}

export type LockCalls = Pick<NativeAddon, 'takeLock' | 'releaseLock' | 'lockHolders'>;

/** The folder's path by the environment: DESK_STATE, XDG_STATE_HOME/desk, ~/.local/state/desk. Nothing is touched. */
export function stateDirPath(env: Environment = process.env): string {
  const path =
    env.DESK_STATE || join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state'), 'desk');
  if (!isAbsolute(path))
    throw new DeskError(
      'usage',
      `The state folder "${path}" is not an absolute path.`,
      'Set DESK_STATE to an absolute path.',
    );
  return path;
}

const refused = (what: string, remedy: string, errno = ''): DeskError =>
  new DeskError('refused', what, remedy, '', errno);
const ownFolder = 'set DESK_STATE to a folder of your own';
const elsewhere = `or ${ownFolder}`;

/** What mends a refused write; `otherwise` is for those that are a matter of permission. */
function remedyFor(code: string, otherwise: string): string {
  if (code === 'EROFS') return `Mount that file system writable, ${elsewhere}.`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return `Free space (and inodes) on that disk, ${elsewhere}.`;
  if (code === 'EMFILE' || code === 'ENFILE') return 'Raise the limit of open files (ulimit -n).';
  return otherwise;
}

/**
 * Parents first, each by a plain mkdir: the recursive form of Node never returns where a file system answers ENOENT beneath
 * an existing folder, as /proc does.
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = codeText(error);
    if (code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    makeFolder(parent);
    mkdirSync(path, { mode: 0o700 });
  }
}

/**
 * Creates the folder (0700) when missing and checks that it is ours, closed to others and writable. The addon is loaded
 * only when the lock is asked for.
 */
export function openStateDir(
  path: string = stateDirPath(),
  native: () => LockCalls = () => loadNative().addon,
): StateDir {
  try {
    makeFolder(path);
  } catch (error) {
    const code = codeText(error);
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw refused(
        `The state folder ${path} is not a directory, or lies beneath a file.`,
        `Move that file away, ${elsewhere}.`,
      );
    throw refused(
      `The state folder ${path} cannot be created (${code}).`,
      remedyFor(code, `Make its parent writable for you, ${elsewhere}.`),
      // A folder that was never ours is a mistake in the setting; one that is ours is a matter of the disk.
      diskTroubleOf(code) === 'closed' ? '' : code,
    );
  }
  const way = distrustWay(path);
  if (way !== null) throw refusedPath(`The state folder ${path}`, way, ownFolder);
  const info = statSync(path);
  const uid = process.geteuid?.() ?? info.uid;
  if (info.uid !== uid)
    throw refused(
      `The state folder ${path} belongs to uid ${info.uid}, and this runs as uid ${uid}.`,
      `Run as its owner, ${elsewhere}.`,
    );
  if ((info.mode & 0o022) !== 0)
    throw refused(
      `The state folder ${path} is writable for others (mode ${modeText(info)}).`,
      closingRemedy(path, info),
    );
  if ((info.mode & 0o077) !== 0) closeToOthers(path, info);
  if ((info.mode & 0o500) !== 0o500)
    throw refused(
      `The state folder ${path} is closed to its own owner (mode ${modeText(info)}).`,
      `Open it with "chmod 700 ${path}", ${elsewhere}.`,
    );
  for (const name of [lockName, 'control.token', 'mail.token']) isRegularFile(join(path, name));
  noteNewFolder(path);
  // Trying is the only sure answer (read-only mounts, quotas); the lock file has to stand there anyway.
  try {
    const flags = constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    closeSync(openSync(join(path, lockName), flags, 0o600));
  } catch (error) {
    const code = codeText(error);
    if (diskTroubleOf(code) === 'closed' && !isWritable(path)) throw closedToUs(path, code);
    throw refused(
      `The state folder ${path} is not writable (${code}).`,
      remedyFor(code, closingRemedy(path, info)),
      diskTroubleOf(code) === 'closed' ? '' : code,
    );
  }
  // The lock file stood there, and nothing else could be made.
  if (!isWritable(path)) throw closedToUs(path, 'EACCES');
  return new Folder(path, native);
}

function closedToUs(path: string, code: string): DeskError {
  const { why, cure } = closedFolder(path);
  return refused(
    `The state folder ${path} is not writable (${code}): ${why}.`,
    sentence(`${cure}, ${elsewhere}`),
    code,
  );
}

/** The same for a folder that cannot be made or written now: nothing is checked, since nothing of it is trusted. */
export const stateDirAt = (path: string, native: () => LockCalls = () => loadNative().addon): StateDir =>
  new Folder(path, native);

const modeText = (info: Stats): string => (info.mode & 0o7777).toString(8).padStart(4, '0');

/** Empty, or with a lock file of our own in it: nobody else lives there. A sticky folder is shared whatever it holds. */
function isOurs(path: string, info: Stats): boolean {
  if ((info.mode & 0o1000) !== 0) return false;
  let names: readonly string[];
  try {
    names = readdirSync(path);
  } catch {
    return false;
  }
  if (names.length === 0) return true;
  const lock = lstatSync(join(path, lockName), { throwIfNoEntry: false });
  return lock?.isFile() === true && lock.uid === process.geteuid?.();
}

/** A `chmod 700` of somebody's /tmp would lock everybody out, so it is named for a folder of ours only. */
const closingRemedy = (path: string, info: Stats): string =>
  isOurs(path, info) ? `chmod 700 ${path}, ${elsewhere}.` : sentence(ownFolder);

/** Only a folder that is evidently the desk's is changed: a mistaken DESK_STATE must not lock others out of theirs. */
function closeToOthers(path: string, info: Stats): void {
  if (!isOurs(path, info))
    throw refused(
      `The state folder ${path} is readable for others (mode ${modeText(info)}) and is not the desk's alone.`,
      closingRemedy(path, info),
    );
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    const code = codeText(error);
    throw refused(
      `The state folder ${path} is readable for others and cannot be closed (${code}).`,
      remedyFor(code, sentence(ownFolder)),
    );
  }
}

export const newToken = (): string => randomBytes(32).toString('base64url');

const firstStartName = 'first-start';
const temporary = /^(?:control\.token|mail\.token|accepted\.toml|baseline\.key)\.(\d+)\.tmp$/;
/** A write takes milliseconds; a temporary file this old belongs to a run that died. */
const staleAfterMs = 10_000;

class Folder implements StateDir {
  readonly path: string;
  readonly #native: () => LockCalls;
  readonly #kept: KeptFiles;
  #reported = '';

  constructor(path: string, native: () => LockCalls) {
    this.path = path;
    this.#kept = new KeptFiles(path);
    this.#native = native;
  }

  report(reason: string): void {
    this.#reported = reason;
    if (reason === '') this.#kept.take();
  }

  keeps(names: readonly string[]): void {
    this.#kept.keep(names);
  }

  lost(): string {
    return this.#kept.lost();
  }

  trouble(): string {
    if (this.#reported !== '') return this.#reported;
    const lost = this.lost();
    if (lost !== '' || isWritable(this.path)) return lost;
    const { why, cure } = closedFolder(this.path);
    return `the state folder ${this.path} cannot be written: ${why}, ${cure}`;
  }

  get databasePath(): string {
    return join(this.path, 'desk.db');
  }

  get lockPath(): string {
    return join(this.path, lockName);
  }

  residue(): readonly StaleFile[] {
    const now = Date.now();
    return readdirSync(this.path)
      .sort()
      .flatMap((name) => {
        const owner = Number(temporary.exec(name)?.[1] ?? process.pid);
        const path = join(this.path, name);
        const info = owner === process.pid ? undefined : lstatSync(path, { throwIfNoEntry: false });
        if (info === undefined || now - info.mtimeMs <= staleAfterMs) return [];
        return [{ name, path, what: 'temporary file', owner }];
      });
  }

  firstStart(): number {
    const path = join(this.path, firstStartName);
    try {
      writeFileSync(path, `${Date.now()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      // Where it cannot be written down, nothing is taken for new.
      if (diskTroubleOf(codeText(error)) !== null) return 0;
      if (codeText(error) !== 'EEXIST') throw error;
    }
    const written = Number(firstOf(path, 32)?.trimEnd() || Number.NaN);
    // What is damaged was written long ago.
    return Number.isSafeInteger(written) ? written : 0;
  }

  renewToken(name: TokenName, token = newToken()): string {
    replaceFile(join(this.path, name), `${token}\n`);
    return token;
  }

  keepToken(name: TokenName): string {
    const path = join(this.path, name);
    const fault = distrust(path, { secret: true });
    return (fault === null ? readToken(this.path, name) : undefined) ?? this.renewToken(name);
  }

  removeToken(name: TokenName): void {
    rmSync(join(this.path, name), { force: true });
  }

  lock(): ServiceLock {
    const native = this.#native();
    const locks: number[] = [];
    const release = (): void => {
      for (const lock of locks.splice(0).reverse()) native.releaseLock(lock);
    };
    const take = (path: string, what: string, holder: string): void => {
      const lock = native.takeLock(path);
      if (typeof lock === 'number') return void locks.push(lock);
      release();
      if (lock.code !== 'EWOULDBLOCK' && lock.code !== 'EAGAIN')
        throw refused(
          `The lock on ${what} cannot be taken (${lock.code}).`,
          remedyFor(lock.code, `Make it writable for you, ${elsewhere}.`),
          diskTroubleOf(lock.code) === 'closed' && isWritable(this.path) ? '' : lock.code,
        );
      const pid = lockPid(this.path);
      throw refused(
        `${holder}${pid === null ? '' : ` (pid ${pid})`} runs on the state folder ${this.path}.`,
        `Ask it (desk status), stop it${pid === null ? '' : ` (kill ${pid})`}, ${elsewhere}.`,
      );
    };
    take(this.path, `the state folder ${this.path}`, 'Another desk service');
    const write = (text: string, flag: 'a' | 'w'): void => {
      try {
        writeFileSync(this.lockPath, text, { flag });
      } catch (error) {
        release();
        const code = codeText(error);
        const remedy = remedyFor(code, `Make it writable for you, ${elsewhere}.`);
        throw refused(`The file ${this.lockPath} cannot be written (${code}).`, remedy, code);
      }
    };
    // Earlier versions lock this file and not the folder.
    write('', 'a');
    take(this.lockPath, `the file ${this.lockPath}`, 'A desk service of an earlier version');
    write(`${process.pid}\n`, 'w');
    return { release };
  }

  lockHolders(): number {
    const holders = this.#native().lockHolders(this.path);
    return typeof holders === 'number' ? holders : 0;
  }

  passwordSet(file: string): boolean {
    const credentials = process.env.CREDENTIALS_DIRECTORY;
    if (credentials && statSync(join(credentials, 'mail.password'), { throwIfNoEntry: false })?.isFile())
      return true;
    if (file === '') return false;
    const opened = openTrusted(file, { secret: true });
    if (opened.ok) closeSync(opened.file);
    return opened.ok && opened.info.size > 0;
  }
}

/** Puts a 0600 file in place, as `replaceSecret` does. @throws DeskError with what mends it. */
export function replaceFile(path: string, text: string, temporaryPath?: string): void {
  try {
    replaceSecret(path, text, temporaryPath);
  } catch (error) {
    const code = codeText(error);
    throw refused(
      `The file ${path} cannot be written (${code}).`,
      remedyFor(code, `Make that folder writable for you, ${elsewhere}.`),
      code,
    );
  }
}
