/** Temporary folders, removed when the test process ends. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder below `parent`, mode 0700; its name begins with `prefix`. */
export function tempFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix));
  made.push(folder);
  return folder;
}

/** The same in memory where there is some: for databases whose logic is tested, not the disk, which each commit would wait for. */
export const memoryFolder = (prefix: string): string =>
  tempFolder(prefix, existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
