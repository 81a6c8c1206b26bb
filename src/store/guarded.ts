/** A store whose failures stay its own: each is logged once, reported as `trouble`, and answered with what is known without it. */
import type { Logger } from 'pino';
import { codeOf, type DiskTrouble, diskTroubleOf } from '../base/error-code.ts';
import { type Dropped, NOTHING_DROPPED } from '../records/moment.ts';
import type { Integrity } from './baseline.ts';
import type { Standing, Store } from './store.ts';

/** Nothing is known: GOD 0 fails the gate. */
const UNKNOWN: Standing = {
  baseline: { generation: 0, learnedAt: '', identities: 0, seenAgain: 0, rows: 0, toReview: 0 },
  privilege: '',
  revision: -1,
  firstUse: false,
  window: null,
  god: 0,
  lastRun: null,
};

/** After the store was found locked, nothing is asked of the store for this long: each call would wait for it again. */
const LOCKED_MS = 1_000;
/**
 * The same after SQLITE_PROTOCOL: another process holds the reader locks, and SQLite itself waits about 10 s for these, whatever its busy
 * time-out (walTryBeginRead in https://sqlite.org/src/file/src/wal.c).
 */
const PROTOCOL_MS = 60_000;

/** `cacheKey`: the same call again is answered with the last answer while the store is locked, full or fails to read. */
interface GuardOptions {
  readonly cacheKey?: string;
  readonly writes?: boolean;
}

interface Failure {
  /** The code where it says all, else the message. */
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

export class GuardedStore {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #records: boolean;
  /** Failures by operation: a read that works does not make a write that fails well. */
  readonly #failures = new Map<string, Failure>();
  /** The last answers of reads, one per operation. */
  readonly #answers = new Map<string, { readonly cacheKey: string; readonly answer: unknown }>();
  /** Times of the monotonic clock before which the store is not asked. Readers pass a lock that writers do not. */
  readonly #lockedUntilMs = { reads: Number.NEGATIVE_INFINITY, writes: Number.NEGATIVE_INFINITY };

  /** `records` false: everything is read, and what is seen stays out of the store, because another process keeps it. */
  constructor(store: Store, log: Logger, { records = true } = {}) {
    this.#store = store;
    this.#log = log;
    this.#records = records;
  }

  /** What fails and what to do, "" when nothing does. */
  get failure(): string {
    if (this.#store.temporary !== '') return this.#store.temporary;
    const [failure] = this.#failures.values();
    return failure === undefined
      ? ''
      : failure.trouble === 'locked'
        ? `the store is locked by another program (${failure.text}), end that program (fuser desk.db); until then nothing is stored`
        : `the store fails (${failure.text}), look at the state folder's disk and the log`;
  }

  /** The same, or what was lost. */
  get trouble(): string {
    if (this.failure !== '') return this.failure;
    const { recovered } = this.#store;
    return recovered === null
      ? ''
      : `${recovered.reason.replace(/\.$/, '')}, learn again with desk secure learn once`;
  }

  /**
   * Looks whether the store takes a write; true when `failure` is another one since. A probe that succeeds ends failures by a
   * lock; failures by a full or failing disk end with the next write, since a probe writes nothing.
   */
  probe(): boolean {
    if (!this.#records) return false;
    const before = this.failure;
    if (this.#done('probe', () => this.#store.probe()))
      for (const [operation, { trouble }] of this.#failures)
        if (trouble === 'locked') this.#failures.delete(operation);
    return this.failure !== before;
  }

  /** What every recheck asks for. */
  standing(): Standing {
    const standing = this.#guard('standing', () => this.#store.standing(), UNKNOWN, { cacheKey: '' });
    return this.#gone ? { ...standing, god: 0 } : standing;
  }

  /** The file was removed while it was open: what SQLite still reads of it stands nowhere. */
  get #gone(): boolean {
    return [...this.#failures.values()].some(({ trouble }) => trouble === 'gone');
  }

  /** GOD; 0 when it cannot be counted, which fails the gate. */
  authoritativeGenerations(): number {
    const counted = this.#guard('authoritativeGenerations', () => this.#store.authoritativeGenerations(), 0, {
      cacheKey: '',
    });
    return this.#gone ? 0 : counted;
  }

  /** Null when they could not be read. */
  openFindings(): ReturnType<Store['openFindings']> | null {
    return this.#guard<ReturnType<Store['openFindings']> | null>(
      'openFindings',
      () => this.#store.openFindings(),
      null,
    );
  }

  /** False when it may be written later: the disk is full, or fails. Here and below. */
  recordHistory(steps: Parameters<Store['recordHistory']>[0]): boolean {
    return this.#later('recordHistory', () => this.#store.recordHistory(steps));
  }

  /** Takes the command lines out of what is kept. */
  forgetCommandLines(): void {
    if (this.#records) this.#done('forgetCommandLines', () => this.#store.forgetCommandLines());
  }

  /** Newest first. */
  shutdowns(limit: number): ReturnType<Store['shutdowns']> {
    return this.#guard('shutdowns', () => this.#store.shutdowns(limit), [], { cacheKey: String(limit) });
  }

  recordShutdown(shutdown: Parameters<Store['recordShutdown']>[0]): boolean {
    return this.#later('recordShutdown', () => this.#store.recordShutdown(shutdown));
  }

  recordUnwritten(...args: Parameters<Store['recordUnwritten']>): boolean {
    return this.#later('recordUnwritten', () => this.#store.recordUnwritten(...args));
  }

  /** Null when it could not be read. */
  finding(id: string): ReturnType<Store['finding']> | null {
    return this.#guard<ReturnType<Store['finding']> | null>('finding', () => this.#store.finding(id), null);
  }

  /** Newest first, here and below. */
  gateRuns(limit: number): ReturnType<Store['gateRuns']> {
    return this.#guard('gateRuns', () => this.#store.gateRuns(limit), [], { cacheKey: String(limit) });
  }

  events(limit: number): ReturnType<Store['events']> {
    return this.#guard('events', () => this.#store.events(limit), [], { cacheKey: String(limit) });
  }

  /** False when it could not be recorded. */
  recordRun(record: Parameters<Store['recordRun']>[0]): { readonly generation: number | null } | false {
    if (!this.#records) return { generation: null };
    return this.#guard<{ readonly generation: number | null } | false>(
      'recordRun',
      () => {
        const generation = this.#store.recordRun(record);
        // A run writes findings and their history too.
        this.#failures.delete('recordHistory');
        return { generation };
      },
      false,
      { writes: true },
    );
  }

  dropped(): Dropped {
    return this.#guard('dropped', () => this.#store.dropped(), NOTHING_DROPPED, { cacheKey: '' });
  }

  rows(generation: number): ReturnType<Store['rows']> {
    return this.#guard('rows', () => this.#store.rows(generation), []);
  }

  verify(generation: number): Integrity | null {
    return this.#guard('verify', () => this.#store.verify(generation), null);
  }

  /** Null when it could not be asked. */
  verifyHeld(): Integrity | null {
    return this.#guard('verifyHeld', () => this.#store.verifyHeld(), null);
  }

  generations(): ReturnType<Store['generations']> {
    return this.#guard('generations', () => this.#store.generations(), [], { cacheKey: '' });
  }

  /** Null when it could not be made. */
  addGeneration(generation: Parameters<Store['addGeneration']>[0]): number | null {
    return this.#guard('addGeneration', () => this.#store.addGeneration(generation), null, { writes: true });
  }

  /** False when it could not be marked, here and below: not done. */
  markReviewed(): boolean {
    return this.#done('markReviewed', () => this.#store.markReviewed());
  }

  openWindow(openedMs: number, untilMs: number): boolean {
    return this.#done('openWindow', () => this.#store.openWindow(openedMs, untilMs));
  }

  windowRows(): ReturnType<Store['windowRows']> {
    return this.#guard('windowRows', () => this.#store.windowRows(), []);
  }

  keepWindowRows(rows: Parameters<Store['keepWindowRows']>[0]): boolean {
    return !this.#records || this.#done('keepWindowRows', () => this.#store.keepWindowRows(rows));
  }

  spoilWindowRows(rows: Parameters<Store['spoilWindowRows']>[0]): boolean {
    return !this.#records || this.#done('spoilWindowRows', () => this.#store.spoilWindowRows(rows));
  }

  siteLines(limit: number): ReturnType<Store['site']['list']> {
    return this.#guard('siteLines', () => this.#store.site.list(limit), [], { cacheKey: String(limit) });
  }

  recordSiteLine(line: Parameters<Store['site']['record']>[0]): void {
    if (this.#records) this.#done('recordSiteLine', () => this.#store.site.record(line));
  }

  /** None when they could not be read. */
  samples(...span: Parameters<Store['samples']['list']>): ReturnType<Store['samples']['list']> {
    return this.#guard('samples', () => this.#store.samples.list(...span), []);
  }

  /** False when it may be written later. */
  recordSample(sample: Parameters<Store['samples']['record']>[0]): boolean {
    return this.#later('recordSample', () => this.#store.samples.record(sample));
  }

  /** Written, or never to be: only a temporary failure is tried again. */
  #later(operation: string, work: () => void): boolean {
    if (!this.#records || this.#done(operation, work)) return true;
    return (this.#failures.get(operation)?.trouble ?? null) === null;
  }

  #done(operation: string, work: () => void): boolean {
    const whole = (): boolean => {
      work();
      return true;
    };
    return this.#guard(operation, whole, false, { writes: true });
  }

  /** A write succeeded: what failed for a full disk or the like would succeed now too. */
  #endTemporary(): void {
    for (const [operation, { trouble }] of this.#failures)
      if (trouble !== null) this.#failures.delete(operation);
  }

  #guard<T>(
    operation: string,
    work: () => T,
    otherwise: T,
    { cacheKey, writes = false }: GuardOptions = {},
  ): T {
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
      if (writes && operation !== 'probe') this.#endTemporary();
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
