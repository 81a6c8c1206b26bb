/**
 * Learning by itself happens once per state folder. A mark says that it is still to come: it is made in a folder that holds
 * nothing of ours, and taken away by the first learning. So no file that is deleted later brings it back, short of all.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../base/private-file.ts';
import { isRegularFile } from './regular-file.ts';

const markName = 'desk.first-use';
/** What an earlier life of the folder leaves behind. */
const own =
  /^(?:desk\.(?:db|store|lock|first-use)|first-start$|law\.d$|helper-|control\.token|mail\.token|baseline\.key|quarantine$)/;

/** To be called before anything else is put into the folder. What cannot be written is told by whoever writes next. */
export function noteNewFolder(folder: string): void {
  try {
    if (readdirSync(folder).some((name) => own.test(name))) return;
    writeFileSync(join(folder, markName), '', { mode: 0o600, flag: 'wx', flush: true });
  } catch {}
}

export const firstUseStands = (folder: string): boolean => isRegularFile(join(folder, markName));

/** A mark that cannot be removed now means nothing once something was learned: the next call tries again. */
export function endFirstUse(folder: string): void {
  try {
    rmSync(join(folder, markName), { force: true });
    syncFolder(folder);
  } catch {}
}
