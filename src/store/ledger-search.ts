/**
 * Searches of the people ledger. One looks through everybody, which takes a tenth of a second among 60,000: it runs in a thread of
 * its own, made for the first and ended a minute after the last, so that the thread that watches does not wait for it.
 */
import { Piscina } from 'piscina';
import { DeskError } from '../desk.ts';
import type { PeoplePage, PeopleQuery } from '../records/ledger.ts';
import type { Search, Searched } from './ledger-search-worker.ts';

const IDLE_MS = 60_000;
/** Searches that wait for the one that runs. */
const MOST_WAITING = 32;

export class LedgerSearch {
  readonly #folder: string;
  #pool: Piscina<Search, Searched> | null = null;

  /** `folder`: path of the state folder. Nothing is started yet. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As `page` of the reader. Rejects with a DeskError as it throws one, and when too many search. */
  async page(query: PeopleQuery): Promise<PeoplePage | null> {
    this.#pool ??= poolOf();
    if (this.#pool.queueSize >= MOST_WAITING)
      throw new DeskError(
        'unavailable',
        'Too many search the ledger just now.',
        'Search again in a few seconds.',
      );
    const found = await this.#pool.run({ folder: this.#folder, query });
    if (found.ok) return found.page;
    throw new DeskError(found.code, found.message, found.remedy);
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}

function poolOf(): Piscina<Search, Searched> {
  // The sibling has the extension this file runs under: .ts beneath tsx, .js when compiled.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = new Piscina<Search, Searched>({
    filename: new URL(`./ledger-search-worker.${extension}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    recordTiming: false,
  });
  // A thread that dies while idle has no search to fail; another takes its place.
  pool.on('error', () => undefined);
  return pool;
}
