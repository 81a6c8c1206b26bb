/**
 * Checks store, state folder and law files, whose changes have no event: every 5 s, because each round wakes an idle process, and
 * within a second while a client follows the event stream or sends requests.
 */
import type { GuardedStore } from '../store/guarded.ts';

const IDLE_MS = 5_000;
const WATCHED_MS = 800;

interface RoundsOptions {
  readonly store: Pick<GuardedStore, 'probe' | 'failure'>;
  /** Checks whether the state folder is there; true when that has changed. */
  readonly surroundings: { glance(): boolean };
  /** True: a law file has just changed, poll again soon. */
  readonly book: { poll(): boolean };
  /** The store takes writes again. */
  readonly recovered: () => void;
  /** A failure of store or folder has begun or ended. */
  readonly changed: () => void;
  /** Called when `watched` changes. */
  readonly paced: () => void;
}

export class Rounds {
  readonly #options: RoundsOptions;
  #timer: NodeJS.Timeout | undefined;
  #madeMs = Number.NEGATIVE_INFINITY;
  #soon = false;
  #watchers = 0;
  #on = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  get watched(): boolean {
    return this.#watchers > 0;
  }

  start(): void {
    this.#on = true;
    this.#schedule();
  }

  stop(): void {
    this.#on = false;
    clearTimeout(this.#timer);
  }

  /** Rounds come within a second until the result is called. Call it once. */
  attend(): () => void {
    this.#add(1);
    return () => this.#add(-1);
  }

  /** For a request: makes a round now, unless the last one was less than a second ago. */
  ask(): void {
    if (this.#on && performance.now() - this.#madeMs >= WATCHED_MS) this.#make();
  }

  #add(count: 1 | -1): void {
    const before = this.watched;
    this.#watchers += count;
    if (this.watched === before) return;
    this.#schedule();
    this.#options.paced();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#on) return;
    this.#timer = setTimeout(() => this.#make(), this.#soon || this.watched ? WATCHED_MS : IDLE_MS).unref();
  }

  #make(): void {
    this.#madeMs = performance.now();
    this.#checkStore();
    this.#soon = this.#options.book.poll();
    this.#schedule();
  }

  /** A lock or a loss shows even without writes: a transaction, and a stat of each file of the folder. */
  #checkStore(): void {
    const { store, surroundings, recovered, changed } = this.#options;
    const another = store.probe();
    if (another && store.failure === '') recovered();
    if (surroundings.glance() || another) changed();
  }
}
