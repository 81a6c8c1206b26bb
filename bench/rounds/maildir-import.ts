/** `import FOLDER` | `read FOLDER`: a Maildir into a fresh ledger, or its files by plain calls, 16 KiB each; one run, one time reported. */
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../../src/features/mail/ledger/ledger.ts';
import { FINISH_EVERY_MS } from '../../src/features/mail/ledger/types.ts';
import { readFolders } from '../../src/features/mail/read-folders.ts';
import { OWN } from '../../test/support/mail-corpus.ts';
import type { Round } from '../rounds.ts';
import { printRound } from './round.ts';

const FIRST_READ = 16_384;

async function imported(folder: string): Promise<Round> {
  const state = mkdtempSync(join(tmpdir(), 'desk-import-'));
  try {
    const started = performance.now();
    const ledger = openLedger(state, { own: OWN, maxPeople: 100_000 });
    const run = readFolders(`maildir:${folder}`, ledger, '/', Date.now);
    let finishedMs = started;
    for await (const { batch } of run ?? []) {
      ledger.commit(batch);
      if (performance.now() - finishedMs < FINISH_EVERY_MS) continue;
      ledger.finish();
      finishedMs = performance.now();
    }
    ledger.finish();
    const us = (performance.now() - started) * 1000;
    const { messages, people } = ledger.totals();
    ledger.close();
    return { us: [us], facts: { messages, people } };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

function read(folder: string): Round {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\/(?:cur|new)$/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
  const buffer = Buffer.allocUnsafe(FIRST_READ);
  const started = performance.now();
  for (const path of files) {
    const file = openSync(path, 'r');
    readSync(file, buffer, 0, FIRST_READ, null);
    closeSync(file);
  }
  return { us: [(performance.now() - started) * 1000], facts: { files: files.length } };
}

await printRound(() => {
  const [what, folder = ''] = process.argv.slice(2);
  return what === 'import' ? imported(folder) : read(folder);
});
