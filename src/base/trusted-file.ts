/**
 * The one rule for every file the desk trusts: configuration, law, passwords, keys, tokens, databases, their folders and the
 * targets of links. Only root and the desk's user may change it.
 *
 * - The file is a regular file of root or of the effective user, with one name (no other hard link), and neither its group nor
 *   others may write it. A secret is closed to them for reading too, and is not reached by a link.
 * - Every folder from / on belongs to root or the effective user, and neither group nor others may write it, unless it has the
 *   sticky bit: there no other user can rename or replace what is ours (inode(7)).
 * - Every symbolic link on the way belongs to root or the effective user; folders and file behind it obey the same rule.
 *
 * A POSIX ACL needs no check of its own: of a file with named entries the group bits are the mask (acl(5)), so that an entry that may
 * write shows as writable by the group.
 *
 * The path is walked from / by name. Each step is in a folder that others cannot change, so that what was judged is what is opened;
 * the opened descriptor is compared with it nevertheless.
 */
import { closeSync, fstatSync, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { octal } from './closed-folder.ts';
import { codeText } from './error-code.ts';
import { openToRead, readInto } from './private-file.ts';
import { shellWord } from './shell-word.ts';

/** As many links as the kernel follows (path_resolution(7)). */
const MOST_LINKS = 40;

export interface Fault {
  /** `absent`: nothing of this name. `unreadable`: the system refuses, `what` says with which errno. */
  readonly kind: 'absent' | 'unreadable' | 'untrusted';
  /** A phrase after the name of the file; names no path. */
  readonly what: string;
  /** What to do, with paths; "" when absent. */
  readonly remedy: string;
}

export interface TrustOptions {
  /** Closed to everyone else for reading as well. */
  readonly secret?: boolean;
  /** Whether `path` may be a symbolic link; default: unless it is a secret. */
  readonly link?: boolean;
  /** Default: the effective user. */
  readonly uid?: number;
}

interface Refused {
  readonly ok: false;
  readonly fault: Fault;
}
type Trusted<T> = ({ readonly ok: true; readonly info: Stats } & Readonly<T>) | Refused;
type Judged = Trusted<{ path: string }>;

const refuse = (what: string, remedy: string, kind: Fault['kind'] = 'untrusted'): Refused => ({
  ok: false,
  fault: { kind, what, remedy },
});

const ownUid = (): number => process.geteuid?.() ?? 0;

const trustedOwner = (info: Stats, uid: number): boolean => info.uid === 0 || info.uid === uid;

/** Who may write besides the owner; "" when no one else may. */
function writers({ mode }: Stats): string {
  if ((mode & 0o002) !== 0) return 'every user';
  return (mode & 0o020) !== 0 ? 'its group' : '';
}

const ownerText = (uid: number): string => (uid === 0 ? 'root' : `root or uid ${uid}, the user of the desk`);

function kindOf(info: Stats): string {
  if (info.isFIFO()) return 'a FIFO';
  if (info.isDirectory()) return 'a directory';
  if (info.isSymbolicLink()) return 'a symbolic link';
  if (info.isSocket()) return 'a socket';
  return 'a device';
}

function failure(error: unknown, path: string): Refused {
  const code = codeText(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return refuse('does not exist', '', 'absent');
  return refuse(
    `cannot be read (${code})`,
    `make it readable for uid ${ownUid()}: "ls -ld ${shellWord(path)}" shows its owner and mode`,
    'unreadable',
  );
}

function folderFault(path: string, info: Stats, uid: number): Refused | null {
  if (!trustedOwner(info, uid))
    return refuse(
      `is in a folder of uid ${info.uid}; the owner must be ${ownerText(uid)}`,
      `run "chown root ${shellWord(path)}", or move the file to a folder of root such as /etc/desk`,
    );
  const who = writers(info);
  if (who !== '' && (info.mode & 0o1000) === 0)
    return refuse(
      `is in a folder that ${who} may write (mode ${octal(info.mode)})`,
      `run "chmod go-w ${shellWord(path)}", or move the file to a folder of root such as /etc/desk`,
    );
  return null;
}

function linkFault(path: string, info: Stats, uid: number): Refused | null {
  if (trustedOwner(info, uid)) return null;
  return refuse(
    `is reached by a symbolic link of uid ${info.uid}; its owner must be ${ownerText(uid)}`,
    `remove the link ${shellWord(path)} and name the file itself`,
  );
}

/** Walks to what `path` names, and judges folders and links on the way. The first fault is the answer, unless there is no such file. */
function walk(path: string, uid: number, follow: boolean): Judged {
  let ahead = resolve(path).split('/').filter(Boolean);
  let at = '/';
  let links = 0;
  /** The link whose target is being resolved, "" when none is; names that follow after it. */
  let named = '';
  let after = 0;
  let first: Refused | null = null;
  try {
    for (let [name, ...rest] = ahead; name !== undefined; [name, ...rest] = ahead) {
      if (rest.length < after) named = '';
      first ??= folderFault(at, lstatSync(at), uid);
      const next = name === '..' ? dirname(at) : join(at, name);
      const info = lstatSync(next);
      if (info.isSymbolicLink() && (follow || rest.length > 0)) {
        first ??= linkFault(next, info, uid);
        if (++links > MOST_LINKS)
          return refuse(
            'is reached by too many symbolic links',
            `name the file itself instead of ${shellWord(path)}`,
          );
        if (named === '') [named, after] = [next, rest.length];
        const target = readlinkSync(next);
        ahead = [...target.split('/').filter((part) => part !== '' && part !== '.'), ...rest];
        if (isAbsolute(target)) at = '/';
      } else {
        at = next;
        ahead = rest;
      }
    }
    return first ?? { ok: true, path: at, info: lstatSync(at) };
  } catch (error) {
    const failed = failure(error, path);
    if (failed.fault.kind === 'absent' && named === '') return failed;
    if (failed.fault.kind === 'unreadable') return first ?? failed;
    return (
      first ??
      refuse(
        'is reached by a symbolic link whose target does not exist',
        `create or mount the target, or remove the link ${shellWord(named)}`,
      )
    );
  }
}

function fileFault(path: string, info: Stats, { secret = false }: TrustOptions, uid: number): Refused | null {
  const file = shellWord(path);
  const mode = secret ? '600' : '644';
  if (info.isSymbolicLink())
    return refuse('is a symbolic link', 'name the file itself, links are not followed');
  if (!info.isFile())
    return refuse(`is ${kindOf(info)}, not a regular file`, `see what created it: "ls -ld ${file}"`);
  if (!trustedOwner(info, uid))
    return refuse(
      `belongs to uid ${info.uid}; the owner must be ${ownerText(uid)}`,
      `check what it says, then run "chown ${uid === 0 ? 'root:root' : uid} ${file}" and "chmod ${mode} ${file}"`,
    );
  const who = writers(info);
  if (secret && (info.mode & 0o077) !== 0)
    return refuse(`is open to others (mode ${octal(info.mode)})`, `run "chmod 600 ${file}"`);
  if (who !== '')
    return refuse(
      `may be written by ${who} (mode ${octal(info.mode)})`,
      `check what it says, then run "chmod ${mode} ${file}"`,
    );
  if (info.nlink > 1)
    return refuse(
      `has ${info.nlink} names (hard links)`,
      `replace it by a copy: "cp -p ${file} ${file}.new && mv ${file}.new ${file}"`,
    );
  return null;
}

function judge(path: string, options: TrustOptions): Judged {
  const { uid = ownUid(), secret = false, link = !secret } = options;
  const found = walk(path, uid, link);
  return found.ok ? (fileFault(found.path, found.info, options, uid) ?? found) : found;
}

/** Why the file is not to be trusted; null when it is. Nothing is opened. */
export function distrust(path: string, options: TrustOptions = {}): Fault | null {
  const judged = judge(path, options);
  return judged.ok ? null : judged.fault;
}

/** Opens a file that is to be trusted; never blocks. The caller closes `file`. */
export function openTrusted(path: string, options: TrustOptions = {}): Trusted<{ file: number }> {
  const judged = judge(path, options);
  if (!judged.ok) return judged;
  try {
    const file = openToRead(judged.path);
    const info = fstatSync(file);
    const fault =
      info.dev !== judged.info.dev || info.ino !== judged.info.ino
        ? refuse('was replaced while it was opened', 'try again')
        : fileFault(judged.path, info, options, options.uid ?? ownUid());
    if (fault === null) return { ok: true, file, info };
    closeSync(file);
    return fault;
  } catch (error) {
    return failure(error, path);
  }
}

/** Reads a file that is to be trusted: at most `most` bytes, and one more when it is longer. */
export function readTrusted(
  path: string,
  most: number,
  options: TrustOptions = {},
): Trusted<{ bytes: Buffer }> {
  const opened = openTrusted(path, options);
  if (!opened.ok) return opened;
  try {
    const room = Buffer.alloc(most + 1);
    return { ok: true, bytes: room.subarray(0, readInto(room, opened.file)), info: opened.info };
  } catch (error) {
    return failure(error, path);
  } finally {
    closeSync(opened.file);
  }
}

/** Why the folders above `path`, or links on the way, are not to be trusted; null when they are. */
export function distrustWay(path: string): Fault | null {
  const found = walk(path, ownUid(), true);
  return found.ok ? null : found.fault;
}

/** In one line, for messages that may name paths. */
export const faultText = ({ what, remedy }: Pick<Fault, 'what' | 'remedy'>): string =>
  remedy === '' ? what : `${what}; ${remedy}`;
