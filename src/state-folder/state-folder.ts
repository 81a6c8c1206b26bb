/** The state folder: its path, rights, tokens, lock, and the residue of dead runs. What makes it unusable is a `DeskError` with a remedy. */
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
import { closedFolder, isWritable, octal } from '../base/closed-folder.ts';
import { DeskError } from '../base/desk-error.ts';
import { codeText, diskTroubleOf } from '../base/error-code.ts';
import { replaceSecret } from '../base/private-file.ts';
import { asSentence } from '../base/sentence.ts';
import { distrust, distrustWay, openTrusted } from '../base/trusted-file.ts';
import type { StaleFile } from '../checks/residue.ts';
import { loadNative } from '../engine/native/load.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import { noteNewFolder } from '../store/first-use.ts';
import { isRegularFile, refusedPath } from '../store/regular-file.ts';
import { firstOf, lockName, lockPid, readToken, type TokenName } from './files.ts';

export { folderOwner, lockPid, readToken } from './files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type StateDir = Pick<Folder, keyof Folder>;

export type LockCalls = Pick<NativeAddon, 'takeLock' | 'releaseLock' | 'lockHolders'>;

/** The folder's path by the environment: DESK_STATE, XDG_STATE_HOME/desk, ~/.local/state/desk. Nothing is touched. */
export function stateDirPath(env: Environment = process.env): string {
  const path =
    env.DESK_STATE || join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state'), 'desk');
  if (isAbsolute(path)) return path;
  const what = `The state folder "${path}" is not an absolute path.`;
  throw new DeskError('usage', what, 'Set DESK_STATE to an absolute path.');
}

const refused = (what: string, remedy: string, errno = ''): DeskError =>
  new DeskError('refused', what, remedy, '', errno);
const refusedFolder = (path: string, what: string, remedy: string, errno = ''): DeskError =>
  refused(`The state folder ${path} ${what}.`, remedy, errno);
const ownFolder = 'set DESK_STATE to a folder of your own';
const elsewhere = `or ${ownFolder}`;

/** What to do about a refused write; `otherwise` where it is a matter of permission. */
function remedyFor(code: string, otherwise: string): string {
  if (code === 'EROFS') return `Mount that file system writable, ${elsewhere}.`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return `Free space (and inodes) on that disk, ${elsewhere}.`;
  if (code === 'EMFILE' || code === 'ENFILE') return 'Raise the limit of open files (ulimit -n).';
  return otherwise;
}

/** Parents first, each by a plain mkdir: Node's recursive form never returns where a file system answers ENOENT beneath a folder (/proc). */
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

/** Creates the folder (0700) when missing, and checks that it is ours, closed to others and writable. Loads the addon only for the lock. */
export function openStateDir(
  path: string = stateDirPath(),
  native: () => LockCalls = () => loadNative().addon,
): StateDir {
  const refuse = (what: string, remedy: string, errno?: string) => refusedFolder(path, what, remedy, errno);
  // A folder that was never ours is a mistake in the setting; one that is ours is a matter of the disk.
  const ofDisk = (code: string): string => (diskTroubleOf(code) === 'closed' ? '' : code);
  try {
    makeFolder(path);
  } catch (error) {
    const code = codeText(error);
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw refuse('is not a directory, or lies beneath a file', `Move that file away, ${elsewhere}.`);
    const remedy = remedyFor(code, `Make its parent writable for you, ${elsewhere}.`);
    throw refuse(`cannot be created (${code})`, remedy, ofDisk(code));
  }
  const way = distrustWay(path);
  if (way !== null) throw refusedPath(`The state folder ${path}`, way, ownFolder);
  const info = statSync(path);
  const uid = process.geteuid?.() ?? info.uid;
  if (info.uid !== uid)
    throw refuse(
      `belongs to uid ${info.uid}, and this runs as uid ${uid}`,
      `Run as its owner, ${elsewhere}.`,
    );
  const mode = octal(info.mode);
  if ((info.mode & 0o022) !== 0)
    throw refuse(`is writable for others (mode ${mode})`, closingRemedy(path, info));
  if ((info.mode & 0o077) !== 0) closeToOthers(path, info);
  if ((info.mode & 0o500) !== 0o500)
    throw refuse(
      `is closed to its own owner (mode ${mode})`,
      `Open it with "chmod 700 ${path}", ${elsewhere}.`,
    );
  for (const name of [lockName, 'control.token', 'mail.token']) isRegularFile(join(path, name));
  noteNewFolder(path);
  // Trying is the only sure answer (read-only mounts, quotas), and the lock file is needed anyway.
  try {
    const flags = constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    closeSync(openSync(join(path, lockName), flags, 0o600));
  } catch (error) {
    const code = codeText(error);
    if (diskTroubleOf(code) === 'closed' && !isWritable(path)) throw closedToUs(path, code);
    throw refuse(`is not writable (${code})`, remedyFor(code, closingRemedy(path, info)), ofDisk(code));
  }
  // The lock file existed, and no other file can be created.
  if (!isWritable(path)) throw closedToUs(path, 'EACCES');
  return new Folder(path, native);
}

function closedToUs(path: string, code: string): DeskError {
  const { why, cure } = closedFolder(path);
  return refusedFolder(path, `is not writable (${code}): ${why}`, asSentence(`${cure}, ${elsewhere}`), code);
}

/** The same for a folder that cannot be created or written now: not checked, since nothing of it is trusted. */
export const stateDirAt = (path: string, native: () => LockCalls = () => loadNative().addon): StateDir =>
  new Folder(path, native);

/** Empty, or with a lock file of our own in it. A sticky folder is shared whatever it holds. */
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

/** A `chmod 700` of /tmp would lock others out, so it is suggested for a folder of ours only. */
const closingRemedy = (path: string, info: Stats): string =>
  isOurs(path, info) ? `chmod 700 ${path}, ${elsewhere}.` : asSentence(ownFolder);

/** Only a folder that is evidently the desk's is changed: a mistaken DESK_STATE must not lock others out of theirs. */
function closeToOthers(path: string, info: Stats): void {
  if (!isOurs(path, info)) {
    const what = `is readable for others (mode ${octal(info.mode)}) and is not the desk's alone`;
    throw refusedFolder(path, what, closingRemedy(path, info));
  }
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    const code = codeText(error);
    const remedy = remedyFor(code, asSentence(ownFolder));
    throw refusedFolder(path, `is readable for others and cannot be closed (${code})`, remedy);
  }
}

export const newToken = (): string => randomBytes(32).toString('base64url');

const firstStartName = 'first-start';
const temporary =
  /^(?:control\.token|mail\.token|remote\.(?:tokens|key|crt|ids)|accepted\.toml|baseline\.key)\.(\d+)\.tmp$/;
/** A write takes milliseconds; a temporary file this old belongs to a run that died. */
const staleAfterMs = 10_000;

/** Device and inode of a file or folder, through no further link than at the start; "" when there is none. */
function identityOf(path: string): string {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev} ${ino}`;
  } catch {
    return '';
  }
}

function changeOf(path: string, identity: string): string {
  const now = identityOf(path);
  if (now === identity) return '';
  return now === '' ? 'is gone' : 'was replaced while the desk ran';
}

class Folder {
  readonly path: string;
  readonly #native: () => LockCalls;
  #identity: string;
  #files: readonly (readonly [name: string, identity: string])[] = [];
  #reported = '';

  constructor(path: string, native: () => LockCalls) {
    this.path = path;
    this.#identity = identityOf(path);
    this.#native = native;
  }

  /** Something cannot be kept in it: `trouble` has the reason until "" is reported. */
  report(reason: string): void {
    this.#reported = reason;
    if (reason === '') this.#identity = identityOf(this.path);
  }

  /** These files in it are expected from now on: one that is deleted or replaced is lost. */
  keeps(names: readonly string[]): void {
    this.#files = names.map((name) => [name, identityOf(join(this.path, name))]);
  }

  /** What of it is gone or replaced: the folder itself, or a file that `keeps` named; "" when nothing is. */
  lost(): string {
    const folder = changeOf(this.path, this.#identity);
    if (folder !== '')
      return `the state folder ${this.path} ${folder}, put it back or start the desk again; until then nothing is stored`;
    for (const [name, identity] of this.#files) {
      const file = changeOf(join(this.path, name), identity);
      if (file !== '')
        return `${name} of the state folder ${this.path} ${file}, put it back or start the desk again`;
    }
    return '';
  }

  /** Why something cannot be kept in it now, "" when it can: it is `lost`, reported, or may not be written. */
  trouble(): string {
    if (this.#reported !== '') return this.#reported;
    const lost = this.lost();
    if (lost !== '' || isWritable(this.path)) return lost;
    const { why, cure } = closedFolder(this.path);
    return `the state folder ${this.path} cannot be written: ${why}, ${cure}`;
  }

  /** Temporary files of runs that ended before the rename, by name. */
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

  /** When a service first used this folder, milliseconds since the epoch; the first call writes it down. */
  firstStart(): number {
    const path = join(this.path, firstStartName);
    try {
      writeFileSync(path, `${Date.now()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      // Where it cannot be written, nothing counts as new.
      if (diskTroubleOf(codeText(error)) !== null) return 0;
      if (codeText(error) !== 'EEXIST') throw error;
    }
    const written = Number(firstOf(path, 32)?.trimEnd() || Number.NaN);
    // What is damaged was written long ago.
    return Number.isSafeInteger(written) ? written : 0;
  }

  /** Replaces a token by the given or a new one, and returns it. */
  renewToken(name: TokenName, token = newToken()): string {
    replaceFile(join(this.path, name), `${token}\n`);
    return token;
  }

  /** The present token; a new one when there is none or it is damaged. */
  keepToken(name: TokenName): string {
    const path = join(this.path, name);
    const fault = distrust(path, { secret: true });
    return (fault === null ? readToken(this.path, name) : undefined) ?? this.renewToken(name);
  }

  removeToken(name: TokenName): void {
    rmSync(join(this.path, name), { force: true });
  }

  /**
   * Takes the lock of a service and writes our pid into `desk.lock`; another holder is a `DeskError` with its pid. The lock is on the
   * folder, because a lock file can be deleted while locked, and on `desk.lock`, which is all that earlier versions lock. The kernel
   * releases both when the process ends.
   */
  lock(): { release(): void } {
    const native = this.#native();
    const lockPath = join(this.path, lockName);
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
      const [who, kill] = pid === null ? ['', ''] : [` (pid ${pid})`, ` (kill ${pid})`];
      const why = `${holder}${who} runs on the state folder ${this.path}.`;
      throw refused(why, `Ask it (desk status), stop it${kill}, ${elsewhere}.`);
    };
    take(this.path, `the state folder ${this.path}`, 'Another desk service');
    const write = (text: string, flag: 'a' | 'w'): void => {
      try {
        writeFileSync(lockPath, text, { flag });
      } catch (error) {
        release();
        const code = codeText(error);
        const remedy = remedyFor(code, `Make it writable for you, ${elsewhere}.`);
        throw refused(`The file ${lockPath} cannot be written (${code}).`, remedy, code);
      }
    };
    write('', 'a');
    take(lockPath, `the file ${lockPath}`, 'A desk service of an earlier version');
    write(`${process.pid}\n`, 'w');
    return { release };
  }

  /** Services that hold the lock, counted in /proc/locks; 0 when that cannot be read. */
  lockHolders(): number {
    const holders = this.#native().lockHolders(this.path);
    return typeof holders === 'number' ? holders : 0;
  }

  /** There is a mail password: the credential `mail.password`, else `file` when it is a trusted secret and not empty. Not read. */
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

/** Puts a 0600 file in place, as `replaceSecret` does. @throws DeskError with what to do. */
export function replaceFile(path: string, text: string, temporaryPath?: string): void {
  try {
    replaceSecret(path, text, temporaryPath);
  } catch (error) {
    const code = codeText(error);
    const remedy = remedyFor(code, `Make that folder writable for you, ${elsewhere}.`);
    throw refused(`The file ${path} cannot be written (${code}).`, remedy, code);
  }
}
