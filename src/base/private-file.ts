/** A file of the state folder that nobody else may read, written whole or not at all. */
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Puts a 0600 file in place: temporary file, fsync, rename, fsync of the folder. Throws what the system says; the
 * temporary file is gone then.
 */
export function replaceSecret(
  path: string,
  content: string | Uint8Array,
  temporaryPath = `${path}.${process.pid}.tmp`,
): void {
  replaceSecretBy(path, [content], temporaryPath);
}

/** The same for what is too long to be held at once. */
export function replaceSecretBy(
  path: string,
  parts: Iterable<string | Uint8Array>,
  temporaryPath = `${path}.${process.pid}.tmp`,
): void {
  rmSync(temporaryPath, { force: true });
  try {
    const file = openSync(temporaryPath, 'wx', 0o600);
    try {
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
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
