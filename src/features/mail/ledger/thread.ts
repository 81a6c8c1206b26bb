/**
 * Questions to the people ledger. A search looks through everybody, which takes a tenth of a second among 60,000: it runs in a
 * thread of its own, made for the first question and ended a minute after the last, beside the thread that reads mail.
 */
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
  // A thread that dies while idle has no question to fail; another takes its place.
  pool.on('error', () => undefined);
  return pool;
}
