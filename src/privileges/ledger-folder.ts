/**
 * The folder of the people ledger, within the state folder: it belongs to the mail process, whose uid may be its own. The
 * service reads the ledger as a member of the mail process's group.
 */
import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the folder, beneath that of the state folder. */
export const ledgerFolder = (state: string): string => join(state, 'people');

const LEDGER_FILE = /^people\.(?:db(?:-wal|-shm|\.damaged-.*)?|json|vcf)$/;

/** Owner of a folder; null where none is. */
export function ownerOf(folder: string): number | null {
  return lstatSync(folder, { throwIfNoEntry: false })?.uid ?? null;
}

/** Makes the folder when it is missing, and moves a ledger of an earlier version into it. The state folder must exist. */
export function makeLedgerFolder(state: string): string {
  const folder = ledgerFolder(state);
  if (ownerOf(folder) !== null) return folder;
  mkdirSync(folder, { mode: 0o700 });
  for (const name of readdirSync(state))
    if (LEDGER_FILE.test(name)) renameSync(join(state, name), join(folder, name));
  return folder;
}

/** Gives a ledger's folder to a uid and its group, when it is not theirs already. Needs CAP_CHOWN. */
export function giveFolder(folder: string, uid: number): void {
  if (ownerOf(folder) === uid) return;
  // Before the folder: in a folder of another uid a name can lead anywhere by the time it is given away.
  for (const name of readdirSync(folder)) {
    if (!LEDGER_FILE.test(name)) continue;
    const path = join(folder, name);
    if (!lstatSync(path).isFile()) continue;
    lchownSync(path, uid, uid);
    chmodSync(path, name.startsWith('people.db') ? 0o660 : 0o600);
  }
  lchownSync(folder, uid, uid);
  // What the service makes there, as SQLite does, belongs to the group all the same.
  chmodSync(folder, 0o2770);
}
