/**
 * The files of the state folder are regular files that only the desk may write: opening a FIFO would wait for ever, a directory
 * fails late and oddly.
 */
import { DeskError } from '../desk.ts';
import { distrust, type TrustOptions } from '../trusted-file.ts';

/** Whether a trusted file is at `path`; false when nothing is. Anything else is a `DeskError`. */
export function isRegularFile(path: string, options: TrustOptions = {}): boolean {
  const fault = distrust(path, { ...options, link: false });
  if (fault === null) return true;
  if (fault.kind === 'absent') return false;
  throw new DeskError(
    'refused',
    `${path} ${fault.what}; the desk keeps a regular file of its own there.`,
    `${fault.remedy.charAt(0).toUpperCase()}${fault.remedy.slice(1)}, or move it away: mv ${path} ${path}.other`,
  );
}
