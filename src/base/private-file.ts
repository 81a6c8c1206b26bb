/** Files that others may have put there are opened without harm, and private ones are written whole or not at all. */
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** A descriptor for reading. Never waits (FIFO) and takes no terminal; a link at the end of the path is an error unless `follow`. */
export const openToRead = (path: string, { follow = false, folder = false } = {}): number =>
  openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW) | (folder ? O_DIRECTORY : 0));

/** Fills `room` from `at` on; the number of bytes, fewer than its length at the end of the file. */
export function readInto(room: Uint8Array, file: number, at = 0): number {
  for (let length = 0; ; ) {
    const got = length === room.length ? 0 : readSync(file, room, length, room.length - length, at + length);
    if (got === 0) return length;
    length += got;
  }
}

/** Puts a 0600 file in place: temporary file, fsync, rename, fsync of the folder. Throws the system's error, without a temporary file left. */
export const replaceSecret = (path: string, content: string | Uint8Array, temporaryPath?: string): void =>
  replaceSecretBy(path, [content], temporaryPath);

/** The same for what is too long to be held at once. */
export const replaceSecretBy = (
  path: string,
  parts: Iterable<string | Uint8Array>,
  temporaryPath?: string,
): void => replaceBy(path, parts, 0o600, temporaryPath);

/** The same for a file of this mode, whatever the umask is. */
export const replaceFile = (path: string, content: string | Uint8Array, mode: number): void =>
  replaceBy(path, [content], mode);

function replaceBy(
  path: string,
  parts: Iterable<string | Uint8Array>,
  mode: number,
  temporaryPath = `${path}.${process.pid}.tmp`,
): void {
  rmSync(temporaryPath, { force: true });
  try {
    const file = openSync(temporaryPath, 'wx', 0o600);
    try {
      fchmodSync(file, mode);
      for (const part of parts) writeFileSync(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporaryPath, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw error;
  }
}

/** Names that came into a folder or left it outlive a power cut. */
export function syncFolder(path: string): void {
  const folder = openToRead(path, { follow: true, folder: true });
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
