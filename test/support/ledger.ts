/** Ledgers of tests: read whole, as rows that can be compared. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ledger, type LedgerOptions, openLedger } from '../../src/features/mail/ledger/ledger.ts';
import { openLedgerReader } from '../../src/features/mail/ledger/reader.ts';
import type { LedgerBatch } from '../../src/features/mail/ledger/types.ts';
import { readFolders } from '../../src/features/mail/read-folders.ts';
import type { LedgerPerson } from '../../src/records/ledger.ts';
import { OWN } from './mail-corpus.ts';
import { columnsOf, type MessageFacts } from './message-facts.ts';

export const NOW = Date.UTC(2026, 0, 1);

export const optionsOf = (change: Partial<LedgerOptions> = {}): LedgerOptions => ({
  own: [...OWN],
  maxPeople: 100_000,
  now: () => NOW,
  ...change,
});

/** All people, ordered by address. */
export function rowsOf(folder: string): LedgerPerson[] {
  const reader = openLedgerReader(folder);
  try {
    return [...reader.all()].sort((a, b) => (a.address < b.address ? -1 : 1));
  } finally {
    reader.close();
  }
}

export const messagesAlone = (messages: readonly MessageFacts[]): LedgerBatch => ({
  messages: [columnsOf(messages)],
  place: null,
  units: { read: [], gone: [] },
});

export const messagesIn = ({ messages }: LedgerBatch): number =>
  messages.reduce((sum, { times }) => sum + times.length, 0);

/** Closed when `work` is done, or its promise settled. */
export function withLedger<T>(
  folder: string,
  work: (ledger: Ledger) => T,
  change: Partial<LedgerOptions> = {},
): T {
  const ledger = openLedger(folder, optionsOf(change));
  let done: T;
  try {
    done = work(ledger);
  } catch (error) {
    ledger.close();
    throw error;
  }
  if (done instanceof Promise) return done.finally(() => ledger.close()) as T;
  ledger.close();
  return done;
}

/** Reads a source to its end, as the mail process does; how many messages were read and counted. */
export async function readAll(
  ledger: Ledger,
  source: string,
  now: () => number = () => NOW,
): Promise<{ read: number; counted: number; reason: string; folders: number }> {
  const run = readFolders(source, ledger, '/nowhere', now);
  if (run === null) throw new Error(`${source} is no folder source`);
  let [read, counted] = [0, 0];
  for (;;) {
    const step = await run.next();
    if (step.done) {
      ledger.finish();
      return { read, counted, ...step.value };
    }
    read += messagesIn(step.value.batch);
    counted += ledger.commit(step.value.batch);
  }
}

export const freshIn = (root: string): string => mkdtempSync(join(root, 'l-'));

/** Of all files of a folder, a character per byte. */
export const bytesIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
