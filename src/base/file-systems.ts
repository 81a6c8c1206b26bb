/** Which file system a path is on, without asking any that may not answer: proc_pid_mountinfo(5), path_resolution(7). */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** On a disk or in memory of this machine: they answer, and their users are those of this machine. */
export const LOCAL: ReadonlySet<string> = new Set(
  'ext2 ext3 ext4 xfs btrfs f2fs zfs bcachefs jfs reiserfs overlay tmpfs ramfs devtmpfs squashfs erofs'.split(
    ' ',
  ),
);

/** As many links as the kernel follows. */
const MOST_LINKS = 40;

export interface Mount {
  /** `major:minor`. */
  readonly device: string;
  /** The part of the file system that is mounted. */
  readonly root: string;
  readonly point: string;
  readonly options: readonly string[];
  readonly type: string;
  /** The device or server, as it was given. */
  readonly source: string;
  /** Of the file system, whatever the mount adds. */
  readonly superOptions: readonly string[];
}

/** Octal escapes of blanks and the like. */
const unescaped = (text: string): string =>
  Buffer.from(
    text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    'latin1',
  ).toString();

/** `text` is read as latin1. A later mount at the same point covers an earlier one. */
export const mountsIn = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , device = '', root = '', point = '', options = ''] = before.split(' ');
    const [type = '', source = '', superOptions = ''] = after.split(' ');
    return point.startsWith('/')
      ? [
          {
            ...{ device, root, point: unescaped(point), options: options.split(','), type },
            ...{ source: unescaped(source), superOptions: superOptions.split(',') },
          },
        ]
      : [];
  });

/** Whether a path is another one or below it. */
export const within = (path: string, point: string): boolean =>
  point === '/' || path === point || path.startsWith(`${point}/`);

function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts)
    if (within(path, mount.point) && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  return found;
}

const mountsNow = (): readonly Mount[] => mountsIn(readFileSync('/proc/self/mountinfo', 'latin1'));

/**
 * The first file system on the way to `path`, over links, that is not of this machine: a network, FUSE, an automounter. Reading there may wait
 * for ever. Null where there is none, or no such file.
 */
export const waitingMount = (path: string, mounts = mountsNow()): Mount | null =>
  follow(path, mounts, ({ type }) => !LOCAL.has(type)).mount;

/** Gives paths without the links on the file system of `/`: others are not read, since they may hang. Each path is looked at once. */
export function linkResolver(mounts = mountsNow()): (path: string) => string {
  const known = new Map<string, string>();
  const top = mountOf('/', mounts);
  return (path) => {
    const real = known.get(path) ?? follow(path, mounts, ({ device }) => device !== top?.device).path;
    known.set(path, real);
    return real;
  };
}

/** Up to a mount where it `ends`, or to what is not there; the rest of the path is as it was. */
function follow(
  path: string,
  mounts: readonly Mount[],
  ends: (mount: Mount) => boolean,
): { readonly path: string; readonly mount: Mount | null } {
  let ahead = resolve(path).split('/').filter(Boolean);
  let at = '/';
  let links = 0;
  try {
    for (let [name, ...rest] = ahead; name !== undefined; [name, ...rest] = ahead) {
      const next = name === '..' ? dirname(at) : join(at, name);
      const mount = mountOf(next, mounts);
      if (mount !== undefined && ends(mount)) return { path: join(at, ...ahead), mount };
      const isLink = lstatSync(next).isSymbolicLink();
      if (isLink && ++links > MOST_LINKS) break;
      const target = isLink ? readlinkSync(next) : '';
      ahead = rest;
      if (!isLink) at = next;
      else {
        ahead = [...target.split('/').filter((part) => part !== '' && part !== '.'), ...rest];
        if (isAbsolute(target)) at = '/';
      }
    }
  } catch {
    // Not there, or not readable: reading it says which.
  }
  return { path: join(at, ...ahead), mount: null };
}
