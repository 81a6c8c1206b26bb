/** The folder sources of the configuration: `maildir:PATH`, `mh:PATH`, `mbox:PATH`. */

import { expandHome, type FolderRun } from './folder-source.ts';
import type { Ledger } from './ledger/ledger.ts';
import { readMaildir } from './maildir.ts';
import { readMbox } from './mbox.ts';
import { readMh } from './mh.ts';

const READERS = { maildir: readMaildir, mh: readMh, mbox: readMbox } as const;

/**
 * Reads what is new in a source, as configured: the caller commits the batch of each step before it asks for the next, and calls
 * `finish` of the ledger now and then. Null for what is no folder source.
 */
export function readFolders(
  source: string,
  ledger: Ledger,
  home: string,
  now: () => number,
): FolderRun | null {
  const [, kind, path] = /^(maildir|mh|mbox):(.+)$/.exec(source) ?? [];
  if (kind === undefined || path === undefined) return null;
  return READERS[kind as keyof typeof READERS]({ source, path: expandHome(path, home), ledger, now });
}
