/**
 * What changes beside the machine without an event: the store, the state folder, the files of the law. Checked every 5 s, since each
 * round wakes an idle process; within a second while somebody watches, and where somebody asks.
 */
import type { GuardedStore } from '../store/guarded.ts';

const IDLE_MS = 5_000;
const WATCHED_MS = 800;

interface RoundsOptions {
  readonly store: Pick<GuardedStore, 'probe' | 'failure'>;
  /** Checks whether the state folder is there; true when that has changed. */
  readonly surroundings: { glance(): boolean };
  /** True: a file of the law has just changed, to be polled again soon. */
  readonly book: { poll(): boolean };
  /** The store takes writes again. */
  readonly recovered: () => void;
  /** A failure of store or folder has begun or ended. */
  readonly changed: () => void;
  /** `watched` has another answer. */
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

  /** Somebody watches until the result is called, once. */
  attend(): () => void {
    this.#add(1);
    return () => this.#add(-1);
  }

  /** Somebody asks: checks now what was not checked for a while. */
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
