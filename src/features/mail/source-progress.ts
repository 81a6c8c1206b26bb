/** How far one source of people is: what it has read, how fast, and how long it will still take. */
import type { MailSource } from '../../records/mail.ts';

/** The rate is measured over this time. */
const RATE_OVER_MS = 5000;
const MARK_EVERY_MS = 250;

export class SourceProgress {
  readonly #source: string;
  readonly #changed: () => void;
  readonly #nowMs: () => number;
  #state: MailSource['state'] = 'waiting';
  #reason = '';
  #folders = 0;
  #read = 0;
  #done = 0;
  #total = 0;
  #completeMs: number | null = null;
  /** Times and what was done by then, over the last seconds. */
  #marks: { readonly atMs: number; readonly done: number }[] = [];

  /** `changed` is called after each change. */
  constructor(source: string, changed: () => void, nowMs = () => performance.now()) {
    this.#source = source;
    this.#changed = changed;
    this.#nowMs = nowMs;
  }

  /** So many folders, and about so many messages that are to be read. */
  begin(folders: number, total: number): void {
    this.#folders = folders;
    this.#done = 0;
    this.#total = total;
    this.#reason = '';
    this.#marks = [{ atMs: this.#nowMs(), done: 0 }];
    // What was complete and has nothing new stays so.
    if (total > 0 || this.#state !== 'watching') this.#state = 'importing';
    this.#changed();
  }

  /** So many messages were read and are in the ledger. `total`: what is to be read in all, where that is known better by now. */
  advance(read: number, total = this.#total): void {
    this.#done += read;
    this.#read += read;
    this.#total = total;
    const atMs = this.#nowMs();
    if (atMs - (this.#marks.at(-1)?.atMs ?? 0) >= MARK_EVERY_MS) this.#marks.push({ atMs, done: this.#done });
    while (this.#marks.length > 1 && atMs - (this.#marks[0]?.atMs ?? 0) > RATE_OVER_MS) this.#marks.shift();
    this.#changed();
  }

  /** So many fewer are to be read than was thought. */
  miss(messages: number): void {
    this.#total -= Math.max(0, messages);
    this.#changed();
  }

  complete(folders = this.#folders): void {
    this.#folders = folders;
    this.#state = 'watching';
    this.#reason = '';
    this.#completeMs = Date.now();
    this.#changed();
  }

  failed(reason: string): void {
    this.#state = 'failed';
    this.#reason = reason;
    this.#changed();
  }

  get facts(): MailSource {
    return {
      source: this.#source,
      state: this.#state,
      reason: this.#reason,
      folders: this.#folders,
      read: this.#read,
      progress: this.#progress(),
      completeMs: this.#completeMs,
    };
  }

  #progress(): MailSource['progress'] {
    if (this.#state !== 'importing') return null;
    const first = this.#marks[0];
    const passedMs = first === undefined ? 0 : this.#nowMs() - first.atMs;
    const perSec = first === undefined || passedMs <= 0 ? 0 : ((this.#done - first.done) * 1000) / passedMs;
    const left = Math.max(0, this.#total - this.#done);
    return {
      done: this.#done,
      total: Math.max(this.#total, this.#done),
      perSec: Math.round(perSec),
      leftSec: perSec > 0 ? Math.ceil(left / perSec) : null,
    };
  }
}
