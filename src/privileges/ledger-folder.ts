/** The folder of the people ledger in the state folder: owned by the mail process, which may have a uid of its own. */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { openToRead } from '../base/private-file.ts';

export const ledgerFolder = (state: string): string => join(state, 'people');

const LEDGER_FILE = /^people\.(?:db(?:-wal|-shm|\.damaged-.*)?|json|vcf)$/;

export function ownerOf(folder: string): number | null {
  return lstatSync(folder, { throwIfNoEntry: false })?.uid ?? null;
}

/** Creates the folder in the state folder, with an earlier version's ledger. Named last, so that the next call completes a move. */
export function makeLedgerFolder(state: string): string {
  const folder = ledgerFolder(state);
  if (ownerOf(folder) !== null) return folder;
  const unfinished = `${folder}.moving`;
  if (ownerOf(unfinished) === null) mkdirSync(unfinished, { mode: 0o700 });
  for (const name of readdirSync(state))
    if (LEDGER_FILE.test(name)) renameSync(join(state, name), join(unfinished, name));
  renameSync(unfinished, folder);
  return folder;
}

/** Changes owner and group of a ledger's folder, unless they are right. Needs CAP_CHOWN. Links, and files with a second name, keep theirs. */
export function giveFolder(folder: string, uid: number): void {
  const owner = ownerOf(folder);
  if (owner === uid) return;
  const at = openToRead(folder, { folder: true });
  try {
    // First closed to its previous owner, who could replace files meanwhile.
    const own = process.geteuid?.() ?? 0;
    if (owner !== own) fchownSync(at, own, own);
    fchmodSync(at, 0o700);
    for (const name of readdirSync(folder)) if (LEDGER_FILE.test(name)) giveFile(join(folder, name), uid);
    // Last: the owner of the folder marks completion.
    fchownSync(at, uid, uid);
  } finally {
    closeSync(at);
  }
}

function giveFile(path: string, uid: number): void {
  if (!lstatSync(path).isFile()) return;
  const file = openToRead(path);
  try {
    const info = fstatSync(file);
    if (!info.isFile() || info.nlink !== 1) return;
    fchownSync(file, uid, uid);
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}
