/** Checks periodically whether the store takes a write and the state folder is there: a lock or a loss shows even without writes. */
import type { GuardedStore } from './guarded.ts';

/** A lock or a loss is to show within a second; each probe wakes the process for a transaction and a stat of each file of the folder. */
const EVERY_MS = 800;

interface StoreProbeOptions {
  readonly store: Pick<GuardedStore, 'probe' | 'failure'>;
  /** Checks whether the state folder is there; true when that has changed. */
  readonly surroundings: { glance(): boolean };
  /** The store takes writes again. */
  readonly recovered: () => void;
  /** A failure has begun or ended. */
  readonly changed: () => void;
}

export class StoreProbe {
  readonly #options: StoreProbeOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StoreProbeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.check(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  check(): void {
    const { store, surroundings, recovered, changed } = this.#options;
    const another = store.probe();
    if (another && store.failure === '') recovered();
    if (surroundings.glance() || another) changed();
  }
}
