/**
 * Given files on a file system that may not answer: a network, FUSE. The main thread must not wait for one, so desk-peek reads them first, with a
 * deadline. What has not changed since is not read again; what has, is read right after desk-peek has read it whole.
 */
import { type Mount, waitingMount } from '../../base/file-systems.ts';
import type { FileReader } from '../startup/index.ts';

export type ReadFirst = Pick<FileReader, 'read' | 'rest' | 'close'>;

/** desk-peek reads the databases of packages when it starts, some tenths of a second, so this is not done with every refresh. */
export const EVERY_MS = 300_000;

export type Answered =
  /** Content, owner and rights, as one text. */
  | { readonly kind: 'answered'; readonly state: string }
  /** Why they cannot be read, and what to do. */
  | { readonly kind: 'silent'; readonly what: string; readonly remedy: string };

/** The first file system on the way to these files that may not answer; null where all are on this machine. */
export function mountOfAny(paths: readonly string[]): Mount | null {
  for (const path of paths) {
    const mount = waitingMount(path);
    if (mount !== null) return mount;
  }
  return null;
}

/** Reads them by a helper that can be killed. Never rejects, and takes some seconds at most, longer where the machine is busy. */
export async function readFirst(
  paths: readonly string[],
  { point, type }: Mount,
  reader: ReadFirst,
): Promise<Answered> {
  const states: unknown[] = [];
  for (const path of paths) {
    // A path with one would be a pattern.
    const read = path.includes('*')
      ? 'its path has a "*"'
      : await reader.read({ depth: 'digest', viewer: 0, pattern: path });
    if (typeof read === 'string')
      return {
        kind: 'silent',
        what: `${path} cannot be read: ${read}`,
        remedy: `see whether the file system of type ${type} at ${point} answers, or put the file on a disk of this machine`,
      };
    states.push([
      read.unread,
      read.files.map(({ real, mode, uid, changedNs, sha256, error }) => [
        ...[real, mode, uid, changedNs, sha256, error],
      ]),
    ]);
  }
  return { kind: 'answered', state: JSON.stringify(states) };
}
