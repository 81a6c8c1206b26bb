/** A store whose failures stay its own: each is logged once, told as `trouble`, and answered with what is known without it. */
import type { Logger } from 'pino';
import type { Standing, Store } from './store.ts';

/** Nothing is known: GOD 0 fails the gate. */
const UNKNOWN: Standing = {
  baseline: { generation: 0, learnedAt: '', identities: 0, seenAgain: 0, rows: 0 },
  god: 0,
  lastRun: null,
};

export class GuardedStore {
  readonly #store: Store;
  readonly #log: Logger;
  /** Failures by operation: a read that works does not make a write that fails well. */
  readonly #failures = new Map<string, string>();

  constructor(store: Store, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** What is wrong and what to do, "" when nothing is. */
  get trouble(): string {
    const [failure] = this.#failures.values();
    if (failure !== undefined)
      return `the store fails (${failure}), look at the state folder's disk and the log`;
    const { recovered } = this.#store;
    return recovered === null
      ? ''
      : `${recovered.reason.replace(/\.$/, '')}, learn again with desk secure learn once`;
  }

  /** What every recheck asks for. */
  standing(): Standing {
    return this.#guard('standing', () => this.#store.standing(), UNKNOWN);
  }

  /** GOD; 0 when it cannot be counted, which fails the gate. */
  authoritativeGenerations(): number {
    return this.#guard('authoritativeGenerations', () => this.#store.authoritativeGenerations(), 0);
  }

  openFindings(): ReturnType<Store['openFindings']> {
    return this.#guard('openFindings', () => this.#store.openFindings(), []);
  }

  recordFindings(...args: Parameters<Store['recordFindings']>): void {
    this.#guard('recordFindings', () => this.#store.recordFindings(...args), undefined);
  }

  recordEvent(...args: Parameters<Store['recordEvent']>): void {
    this.#guard('recordEvent', () => this.#store.recordEvent(...args), undefined);
  }

  finding(id: string): ReturnType<Store['finding']> {
    return this.#guard('finding', () => this.#store.finding(id), undefined);
  }

  recordGateRun(run: Parameters<Store['recordGateRun']>[0]): void {
    this.#guard('recordGateRun', () => this.#store.recordGateRun(run), undefined);
  }

  #guard<T>(operation: string, work: () => T, otherwise: T): T {
    try {
      const result = work();
      this.#failures.delete(operation);
      return result;
    } catch (error) {
      const failure =
        (error as { code?: string }).code ?? (error instanceof Error ? error.message : String(error));
      if (failure !== this.#failures.get(operation))
        this.#log.error({ err: error, operation }, 'the store fails');
      this.#failures.set(operation, failure);
      return otherwise;
    }
  }
}
