/** The files of the state folder are regular files that only the desk may write: opening a FIFO would block forever. */
import { DeskError } from '../base/desk-error.ts';
import { asSentence } from '../base/sentence.ts';
import { distrust, type Fault, type TrustOptions } from '../base/trusted-file.ts';

/** Whether a trusted file is at `path`; false when the path is free. Anything else is a `DeskError`. */
export function isRegularFile(path: string, options: TrustOptions = {}): boolean {
  const fault = distrust(path, { ...options, link: false });
  if (fault === null) return true;
  if (fault.kind === 'absent') return false;
  throw refusedPath(path, fault, `move it away with "mv ${path} ${path}.other"`);
}

export function refusedPath(name: string, { what, remedy }: Fault, otherwise: string): DeskError {
  return new DeskError('refused', `${name} ${what}.`, asSentence(`${remedy}, or ${otherwise}`));
}
