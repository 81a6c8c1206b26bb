/** The files of the state folder are regular files: opening a FIFO would wait for ever, a directory fails late and oddly. */
import { lstatSync, type Stats } from 'node:fs';
import { DeskError } from '../desk.ts';

function kindOf(info: Stats): string {
  if (info.isFIFO()) return 'a FIFO';
  if (info.isDirectory()) return 'a directory';
  if (info.isSymbolicLink()) return 'a symbolic link';
  if (info.isSocket()) return 'a socket';
  return 'a device';
}

/** Whether a regular file stands there; false when nothing does. Anything else is a `DeskError`. */
export function isRegularFile(path: string): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined || info.isFile()) return info !== undefined;
  throw new DeskError(
    'refused',
    `${path} is ${kindOf(info)}; the desk keeps a regular file of its own there.`,
    `See what put it there, then move it away: mv ${path} ${path}.other`,
  );
}
