/** A store whose failures do not spread: each is logged once, reported as `trouble`, and answered by a fallback. */
import type { Logger } from 'pino';
import { DeskError } from '../base/desk-error.ts';
import { codeOf, type DiskTrouble, diskTroubleOf } from '../base/error-code.ts';
import type { Access, Store } from './store.ts';

/** After the store was found locked, the store is not used for this long: each call would wait again. */
const LOCKED_MS = 1_000;
/** The same after SQLITE_PROTOCOL: SQLite waits about 10 s for reader locks (walTryBeginRead in https://sqlite.org/src/file/src/wal.c). */
const PROTOCOL_MS = 60_000;

interface Failure {
  /** The code, or the message where the code does not say enough. */
  readonly text: string;
  /** What may be over later; null for what is wrong with the data itself, which stays wrong. */
  readonly trouble: DiskTrouble | null;
}

function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const trouble = diskTroubleOf(code);
  return { text: code === '' || trouble === 'gone' ? message : code, trouble };
}

export class GuardedStore implements Access {
  readonly store: Store;
  readonly #log: Logger;
  readonly records: boolean;
  /** Failures by operation: a read that works does not make a write that fails well. */
  readonly #failures = new Map<string, Failure>();
  /** The last answers of reads, one per operation. */
  readonly #answers = new Map<string, { readonly cacheKey: string; readonly answer: unknown }>();
  /** Times of the monotonic clock before which the store is not asked. Readers pass a lock that writers do not. */
  readonly #lockedUntilMs = { reads: Number.NEGATIVE_INFINITY, writes: Number.NEGATIVE_INFINITY };

  constructor(store: Store, log: Logger, { records = true } = {}) {
    this.store = store;
    this.#log = log;
    this.records = records;
  }

  /** What fails and what to do, "" when it works. */
  get failure(): string {
    if (this.store.temporary !== '') return this.store.temporary;
    const [failure] = this.#failures.values();
    if (failure === undefined) return '';
    return failure.trouble === 'locked'
      ? `the store is locked by another program (${failure.text}), end that program (fuser desk.db); until then nothing is stored`
      : `the store fails (${failure.text}), check the state folder's disk and the log`;
  }

  /** The same, or what was lost. */
  get trouble(): string {
    if (this.failure !== '') return this.failure;
    const { recovered } = this.store;
    return recovered === null
      ? ''
      : `${recovered.reason.replace(/\.$/, '')}, learn again with desk secure learn once`;
  }

  /**
   * Checks whether the store takes a write; true when `failure` has changed. A probe that succeeds ends failures by a lock or by a
   * file that was gone; failures by a full or failing disk end with the next write, since a probe writes nothing.
   */
  probe(): boolean {
    if (!this.records) return false;
    const before = this.failure;
    if (this.write('probe', () => true, false))
      this.#end((trouble) => trouble === 'locked' || trouble === 'gone');
    return this.failure !== before;
  }

  /** The most that SQLite keeps of the file in memory. */
  get cacheBytes(): number {
    return this.read('cacheSize', () => this.store.cacheBytes, 0);
  }

  get gone(): boolean {
    return [...this.#failures.values()].some(({ trouble }) => trouble === 'gone');
  }

  read<T>(operation: string, work: () => T, otherwise: T, cacheKey?: string): T {
    return this.#guard(operation, () => this.store.read(operation, work), otherwise, false, cacheKey);
  }

  write<T>(operation: string, work: () => T, otherwise: T, ends = operation): T {
    const whole = (): T => {
      const result = this.store.write(operation, work);
      this.#failures.delete(ends);
      return result;
    };
    return this.#guard(operation, whole, otherwise, true);
  }

  record(operation: string, work: () => void): boolean {
    const whole = (): boolean => {
      work();
      return true;
    };
    if (!this.records || this.write(operation, whole, false)) return true;
    // Written, or never to be: only a temporary failure is tried again.
    return (this.#failures.get(operation)?.trouble ?? null) === null;
  }

  #end(which: (trouble: DiskTrouble | null) => boolean): void {
    for (const [operation, { trouble }] of this.#failures)
      if (which(trouble)) this.#failures.delete(operation);
  }

  #guard<T>(operation: string, work: () => T, otherwise: T, writes: boolean, cacheKey?: string): T {
    const nowMs = performance.now();
    const known = this.#answers.get(operation);
    const fallback = cacheKey !== undefined && known?.cacheKey === cacheKey ? (known.answer as T) : otherwise;
    if (nowMs < (writes ? this.#lockedUntilMs.writes : this.#lockedUntilMs.reads)) {
      if (!this.#failures.has(operation))
        this.#failures.set(operation, { text: 'SQLITE_BUSY', trouble: 'locked' });
      return fallback;
    }
    try {
      const result = work();
      this.#failures.delete(operation);
      // What failed for a full disk or the like would succeed now too.
      if (writes && operation !== 'probe') this.#end((trouble) => trouble !== null);
      if (cacheKey !== undefined) this.#answers.set(operation, { cacheKey, answer: result });
      return result;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.trouble === 'locked') {
        const waitMs = failure.text === 'SQLITE_PROTOCOL' ? PROTOCOL_MS : LOCKED_MS;
        this.#lockedUntilMs.writes = performance.now() + waitMs;
        if (!writes) this.#lockedUntilMs.reads = this.#lockedUntilMs.writes;
      }
      if (failure.text !== this.#failures.get(operation)?.text)
        this.#log.error({ err: error, operation }, 'the store fails');
      this.#failures.set(operation, failure);
      return failure.trouble === null ? otherwise : fallback;
    }
  }
}

/** What is answered to a person whose change the store did not take. */
export const storeFails = ({ failure }: Pick<Access, 'failure'>): DeskError =>
  new DeskError(
    'unavailable',
    failure === '' ? 'The store has refused it.' : `It cannot be kept: ${failure}.`,
    'Nothing was changed; try again when the store works.',
  );
