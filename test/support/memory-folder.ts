/** Folders for databases whose logic is tried, not the disk: each commit would wait for it. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, in memory where there is some; its name begins with `prefix`. */
export const memoryFolder = (prefix: string): string =>
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), prefix));
