/** A store whose failures stay its own: each is logged once, told as `trouble`, and answered with what is known without it. */
import type { Logger } from 'pino';
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

/** What may be over later (https://sqlite.org/rescode.html); what is wrong with the data itself stays wrong. */
const PASSING = /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN)/;

export class GuardedStore {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #records: boolean;
  /** Failures by operation: a read that works does not make a write that fails well. */
  readonly #failures = new Map<string, string>();

  /** `records` false: everything is read, and what is seen stays out of the store, because another process keeps it. */
  constructor(store: Store, log: Logger, { records = true } = {}) {
    this.#store = store;
    this.#log = log;
    this.#records = records;
  }

  /** What fails and what to do, "" when nothing does. */
  get failure(): string {
    const [failure] = this.#failures.values();
    return failure === undefined
      ? ''
      : `the store fails (${failure}), look at the state folder's disk and the log`;
  }

  /** The same, or what was lost. */
  get trouble(): string {
    if (this.failure !== '') return this.failure;
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

  /** False when it may be written later: the disk is full, or fails. */
  recordFindings(...args: Parameters<Store['recordFindings']>): boolean {
    if (!this.#records) return true;
    const done = this.#done('recordFindings', () => this.#store.recordFindings(...args));
    return done || !PASSING.test(this.#failures.get('recordFindings') ?? '');
  }

  recordEvent(...args: Parameters<Store['recordEvent']>): void {
    if (this.#records) this.#guard('recordEvent', () => this.#store.recordEvent(...args), undefined);
  }

  finding(id: string): ReturnType<Store['finding']> {
    return this.#guard('finding', () => this.#store.finding(id), undefined);
  }

  /** Newest first, here and below. */
  gateRuns(limit: number): ReturnType<Store['gateRuns']> {
    return this.#guard('gateRuns', () => this.#store.gateRuns(limit), []);
  }

  events(limit: number): ReturnType<Store['events']> {
    return this.#guard('events', () => this.#store.events(limit), []);
  }

  /** False when it could not be recorded. */
  recordRun(record: Parameters<Store['recordRun']>[0]): { readonly generation: number | null } | false {
    if (!this.#records) return { generation: null };
    return this.#guard<{ readonly generation: number | null } | false>(
      'recordRun',
      () => {
        const generation = this.#store.recordRun(record);
        // A run writes findings and their history too.
        for (const operation of ['recordFindings', 'recordEvent']) this.#failures.delete(operation);
        return { generation };
      },
      false,
    );
  }

  dropped(): Dropped {
    return this.#guard('dropped', () => this.#store.dropped(), NOTHING_DROPPED);
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
    return this.#guard('generations', () => this.#store.generations(), []);
  }

  /** Null when it could not be made. */
  addGeneration(generation: Parameters<Store['addGeneration']>[0]): number | null {
    return this.#guard('addGeneration', () => this.#store.addGeneration(generation), null);
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
    return this.#guard('siteLines', () => this.#store.site.list(limit), []);
  }

  recordSiteLine(line: Parameters<Store['site']['record']>[0]): void {
    if (this.#records) this.#guard('recordSiteLine', () => this.#store.site.record(line), undefined);
  }

  /** None when they could not be read. */
  samples(...span: Parameters<Store['samples']['list']>): ReturnType<Store['samples']['list']> {
    return this.#guard('samples', () => this.#store.samples.list(...span), []);
  }

  recordSample(sample: Parameters<Store['samples']['record']>[0]): void {
    if (this.#records) this.#guard('recordSample', () => this.#store.samples.record(sample), undefined);
  }

  #done(operation: string, work: () => void): boolean {
    const whole = (): boolean => {
      work();
      return true;
    };
    return this.#guard(operation, whole, false);
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
