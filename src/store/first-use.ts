/**
 * Automatic learning happens once per state folder. A mark file in a folder without files of ours says that it has not happened yet;
 * the first learning removes it. So deleting files later does not bring it back, unless all are deleted.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../base/private-file.ts';
import { isRegularFile } from './regular-file.ts';

const markName = 'desk.first-use';
/** Files of an earlier use of the folder. */
const own =
  /^(?:desk\.(?:db|store|lock|first-use)|first-start$|law\.d$|helper-|control\.token|mail\.token|baseline\.key|quarantine$)/;

/** To be called before anything else is put into the folder. A folder that cannot be written is reported by the next write. */
export function noteNewFolder(folder: string): void {
  try {
    if (readdirSync(folder).some((name) => own.test(name))) return;
    writeFileSync(join(folder, markName), '', { mode: 0o600, flag: 'wx', flush: true });
  } catch {}
}

export const isFirstUse = (folder: string): boolean => isRegularFile(join(folder, markName));

/** Once something was learned, a mark that cannot be removed is ignored; the next call tries again. */
export function endFirstUse(folder: string): void {
  try {
    rmSync(join(folder, markName), { force: true });
    syncFolder(folder);
  } catch {}
}
