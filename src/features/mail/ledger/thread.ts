/** Queries of the ledger, in a thread: a search among 60,000 people takes 0.1 s. It starts with a query and ends after an idle minute. */
import { Piscina } from 'piscina';
import { DeskError } from '../../../base/desk-error.ts';
import type { LedgerAnswers, LedgerQuestion } from '../../../records/ledger.ts';
import type { Answered, Asked } from './thread-worker.ts';

const IDLE_MS = 60_000;

export class LedgerThread {
  readonly #folder: string;
  #pool: Piscina<Asked, Answered> | null = null;

  /** `folder`: path of the ledger's folder. Nothing is started yet. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As the reader answers it. Rejects with a DeskError as the reader throws one. */
  async ask<W extends LedgerQuestion['what']>(
    question: Extract<LedgerQuestion, { what: W }>,
  ): Promise<LedgerAnswers[W]> {
    this.#pool ??= poolOf();
    const answered = await this.#pool.run({ folder: this.#folder, question });
    if (answered.ok) return answered.value as LedgerAnswers[W];
    throw new DeskError(answered.code, answered.message, answered.remedy);
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}

function poolOf(): Piscina<Asked, Answered> {
  // The sibling has the extension this file runs under: .ts beneath tsx, .js when compiled.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = new Piscina<Asked, Answered>({
    filename: new URL(`./thread-worker.${extension}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    recordTiming: false,
  });
  // A thread that dies while idle has no query to fail; another takes its place.
  pool.on('error', () => undefined);
  return pool;
}
