/**
 * Tier 2: inspects every new process once, again when it has settled, and now and then, with helpers that can be killed, and lets
 * the checks judge what was read. No recheck waits for it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { atMost } from '../../base/promises.ts';
import type { CachedVerdicts } from '../../checks/cached-verdicts.ts';
import { type Check, isPeek, type PeekCheck } from '../../checks/check.ts';
import type { CheckRuns } from '../../checks/check-runs.ts';
import { BROKEN, HUNG, type PeekFacts } from '../../checks/peek-facts.ts';
import { type ProcessSubject, processSubject, type Subject } from '../../checks/subjects.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Law } from '../../policy/law.ts';
import { Barriers } from './barrier.ts';
import { DelayQueue } from './delay-queue.ts';
import { type Entry, entryOf } from './entry.ts';
import type { Answer, Asked } from './helper.ts';
import { blindVerdicts, failing, verdictsOf } from './judge.ts';
import { ProcessDiff } from './process-diff.ts';
import { SubjectVerdicts } from './subject-verdicts.ts';

/** A new or changed process is inspected after this time: by then the loader is done, and most short-lived ones are gone. */
const ARRIVED_MS = 50;
/** A process that keeps executing other programs is inspected after this time anyway. */
const POSTPONED_MS = 1_000;
/** And inspected again when it has initialised itself. */
const SETTLED_MS = 10_000;
/** An event about a known process (for example, an exec of the same program) causes an inspection at most this often. */
const REST_MS = 5_000;
/** What has no event (code made at run time, libraries unlinked while in use) is seen this late. */
const AGAIN_MS = 15 * 60_000;
/** Where only polling of /proc shows changes, an exec of the same program does not show: all are read again this often. */
const UNKNOWN_AGAIN_MS = 60_000;
/** This many inspections in a row that show another program than the last snapshot are attributed to an exec meanwhile. */
const MOST_OTHER = 2;
/** Retry after an inspection without an answer: the process blocks its readers, or the helper ended. */
const FAILED_AGAIN_MS = 60_000;
const HELPER_AGAIN_MS = 60_000;
/** The second inspection of a fail comes at least this much later. */
const CONFIRM_AFTER_MS = 1;
const CACHE_KEY = 'peek';
/** Key of verdicts about all processes. */
const ALL = '';

/** `suspects`: also asked about processes that hung or broke a helper. */
interface Lane {
  readonly helper: Asked;
  readonly suspects: boolean;
  busy: boolean;
}

export interface PeekTotals {
  readonly inspections: number;
  readonly killed: number;
  readonly broken: number;
}

interface InspectorOptions {
  readonly checks: readonly Check[];
  /** The law in force; the same object while unchanged. */
  readonly law: () => Law;
  readonly cached: CachedVerdicts;
  readonly runs?: CheckRuns | undefined;
  /** A fail or note was added or removed: the next recheck reports it. */
  readonly changed: () => void;
  readonly log: Logger;
  /** Called with every successful inspection, and with null when the process is gone. */
  readonly inspected?: (subject: ProcessSubject, facts: PeekFacts | null) => void;
  readonly helper: () => Asked;
  /** As `Engine.takeExecuted`. */
  readonly executed: () => Int32Array | null;
}

export class Inspector {
  readonly #options: InspectorOptions;
  readonly #checks: readonly PeekCheck[];
  readonly #ids: ReadonlySet<string>;
  readonly #entries = new Map<number, Entry>();
  readonly #diff = new ProcessDiff();
  readonly #verdicts = new SubjectVerdicts();
  /** To be inspected now. Processes that hung or broke a helper wait separately, for one lane only, so that they do not delay the others. */
  readonly #fresh: Entry[] = [];
  readonly #suspects: Entry[] = [];
  readonly #lanes: readonly Lane[];
  readonly #arriving = this.#delayed(ARRIVED_MS);
  readonly #settling = this.#delayed(SETTLED_MS);
  readonly #again = this.#delayed(AGAIN_MS);
  readonly #failed = this.#delayed(FAILED_AGAIN_MS);
  readonly #helperAgain = new DelayQueue<''>(HELPER_AGAIN_MS, () => this.#run());
  readonly #barriers = new Barriers<Entry>();
  readonly #totals = { inspections: 0, killed: 0, broken: 0 };
  /** Every process of the first snapshot was inspected, or cannot be. */
  complete = false;
  /** Why the helpers do not run; "" when they do. */
  trouble = '';
  #first: Promise<void> | null = null;
  /** Some process may have executed a program, and it is not known which. */
  #unknown = false;
  /** When all were last read again for that. */
  #allAgainMs = Number.NEGATIVE_INFINITY;
  #law: Law;
  #closed = false;

  constructor(options: InspectorOptions) {
    const { checks, law, helper } = options;
    this.#options = options;
    this.#checks = checks.filter(isPeek);
    this.#ids = new Set(this.#checks.map(({ id }) => id));
    this.#law = law();
    this.#lanes = [false, true].map((suspects) => ({ helper: helper(), suspects, busy: false }));
    this.#cache();
  }

  start(): void {
    for (const { helper } of this.#lanes) helper.start();
  }

  get totals(): PeekTotals {
    return { ...this.#totals };
  }

  /** To be called while the snapshot's columns are valid. `dirty`: pids with an event since the previous snapshot, null = unknown. */
  watch(snapshot: Snapshot, dirty: Int32Array | null = null): void {
    if (this.#closed) return;
    const { processes } = snapshot;
    let changed = false;
    const left = (pid: number) => {
      if (this.#left(pid)) changed = true;
    };
    this.#diff.compare(snapshot, (row) => this.#came(processSubject(processes, row)), left);
    if (this.#first === null)
      this.#first = this.inspectAll().then(() => {
        this.complete = !this.#closed;
      });
    else this.#touched(dirty);
    this.#judgeByNewLaw();
    if (changed) this.#options.changed();
  }

  /** Inspects every known process; resolves when that is done, or cannot be. */
  inspectAll(): Promise<void> {
    if (this.#closed || this.trouble !== '') return Promise.resolve();
    const done = this.#barriers.begin(this.#entries.values());
    for (const entry of this.#entries.values()) {
      this.#arriving.delete(entry);
      this.#queue(entry);
    }
    return done;
  }

  /** Resolves when every process of the first snapshot was inspected, at the latest after `withinMs`. */
  firstPass(withinMs: number): Promise<void> {
    return atMost(this.#first ?? new Promise(() => undefined), withinMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of [this.#arriving, this.#settling, this.#again, this.#failed, this.#helperAgain])
      queue.clear();
    this.#barriers.end();
    await Promise.all(this.#lanes.map(({ helper }) => helper.close()));
  }

  #came(subject: ProcessSubject): void {
    const { pid, start } = subject;
    const known = this.#entries.get(pid);
    if (known !== undefined && known.start === start) {
      known.subject = subject;
      const nowMs = performance.now();
      if (!this.#arriving.has(known)) known.cameMs = nowMs;
      if (nowMs - known.cameMs < POSTPONED_MS) this.#arriving.add(known);
      return;
    }
    if (known !== undefined) this.#left(pid);
    const entry = entryOf(subject);
    this.#entries.set(pid, entry);
    this.#arriving.add(entry);
  }

  /** Whether a fail or note went with it. */
  #left(pid: number): boolean {
    const entry = this.#entries.get(pid);
    if (entry === undefined) return false;
    this.#entries.delete(pid);
    entry.gone = true;
    this.#options.inspected?.(entry.subject, null);
    for (const queue of [this.#arriving, this.#settling, this.#again, this.#failed]) queue.delete(entry);
    this.#barriers.leave(entry);
    if (!this.#verdicts.has(entry.key)) return false;
    const changed = this.#verdicts.drop(entry.key);
    this.#cache();
    return changed;
  }

  /** Processes that may have executed a program; where neither events nor a pass show which, any may have. */
  #touched(dirty: Int32Array | null): void {
    const executed = this.#options.executed();
    if (dirty === null && executed === null) this.#unknown = true;
    for (const pids of [dirty ?? [], executed ?? []])
      for (const pid of pids) {
        const entry = this.#entries.get(pid);
        if (entry !== undefined) this.#readAgain(entry);
      }
    const nowMs = performance.now();
    if (!this.#unknown || nowMs - this.#allAgainMs < UNKNOWN_AGAIN_MS) return;
    this.#unknown = false;
    this.#allAgainMs = nowMs;
    for (const entry of this.#entries.values()) this.#readAgain(entry);
  }

  #readAgain(entry: Entry): void {
    if (entry.queued || entry.hung > 0 || this.#arriving.has(entry)) return;
    if (performance.now() - entry.readMs > REST_MS) this.#arriving.add(entry);
    else if (!this.#settling.has(entry)) this.#settling.add(entry);
  }

  #queue(entry: Entry): void {
    if (entry.queued || entry.gone || this.#closed) return;
    entry.queued = true;
    (entry.hung + entry.broken > 0 ? this.#suspects : this.#fresh).push(entry);
    // Without a helper it waits until one is tried again.
    if (this.trouble === '') this.#run();
  }

  #delayed(delayMs: number): DelayQueue<Entry> {
    return new DelayQueue(delayMs, (entry) => this.#queue(entry));
  }

  #run(): void {
    for (const lane of this.#lanes) if (!lane.busy) void this.#work(lane);
  }

  async #work(lane: Lane): Promise<void> {
    lane.busy = true;
    try {
      while (!this.#closed) {
        const entry = this.#fresh.shift() ?? (lane.suspects ? this.#suspects.shift() : undefined);
        if (entry === undefined) break;
        entry.queued = false;
        if (!entry.gone && !(await this.#inspect(entry, lane.helper))) break;
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'inspecting processes failed');
    } finally {
      lane.busy = false;
    }
  }

  /** False without a helper: the process waits until there is one. */
  async #inspect(entry: Entry, helper: Asked): Promise<boolean> {
    this.#totals.inspections++;
    const read: PeekFacts[] = [];
    for (;;) {
      const answer = await helper.ask(entry.pid, entry.start);
      if (this.#closed) return false;
      if (answer.kind === 'unavailable') {
        this.#lose(answer.reason, entry);
        return false;
      }
      this.#regain();
      if (entry.gone) return true;
      entry.readMs = performance.now();
      if (answer.kind !== 'facts') this.#unanswered(entry, answer);
      else {
        entry.hung = 0;
        entry.broken = 0;
        read.push(answer.facts);
        if (read.length === 1 && this.#fails(entry, answer.facts)) {
          await delay(CONFIRM_AFTER_MS);
          continue;
        }
        if (read.length === 1) this.#settle(entry, read);
        else this.#settleUnlessOther(entry, read);
      }
      return true;
    }
  }

  #unanswered(entry: Entry, answer: Exclude<Answer, { kind: 'facts' | 'unavailable' }>): void {
    if (answer.kind === 'gone') {
      // The next snapshot drops it; when it does not, it is asked again.
      this.#settling.add(entry);
      this.#barriers.leave(entry);
    } else if (answer.kind === 'hung') {
      this.#totals.killed++;
      entry.hung++;
      if (entry.hung === 1) this.#queue(entry);
      else this.#settle(entry, [HUNG, HUNG]);
    } else {
      this.#totals.broken++;
      entry.broken++;
      if (entry.broken === 1) this.#queue(entry);
      else {
        this.#options.log.warn({ pid: entry.pid, reason: answer.reason }, 'the peek helper ended by itself');
        this.#settle(entry, [BROKEN]);
      }
    }
  }

  /** A fail of one program is not reported for another: the next snapshot shows the other one, which is inspected then. */
  #settleUnlessOther(entry: Entry, read: readonly PeekFacts[]): void {
    const isOther = ({ executable }: PeekFacts) =>
      executable !== '' && executable !== entry.subject.executable;
    if (entry.other === MOST_OTHER || !read.some(isOther)) this.#settle(entry, read);
    else {
      entry.other++;
      this.#settling.add(entry);
      this.#barriers.leave(entry);
    }
  }

  #fails(entry: Entry, facts: PeekFacts): boolean {
    const { runs } = this.#options;
    const found = failing(this.#checks, facts, { subject: entry.subject, law: this.#law }, runs);
    return [...found.values()].includes(null);
  }

  /** These inspections decide until the next ones. */
  #settle(entry: Entry, read: readonly PeekFacts[]): void {
    const last = read.at(-1) as PeekFacts;
    entry.read = read;
    this.#options.inspected?.(entry.subject, last);
    entry.other = 0;
    const young = (last.ageSec ?? 0) * 1000 < SETTLED_MS;
    const failed = entry.hung > 0 || entry.broken > 0;
    for (const queue of [this.#settling, this.#again, this.#failed]) queue.delete(entry);
    (failed ? this.#failed : young ? this.#settling : this.#again).add(entry);
    this.#judge(entry);
    this.#barriers.leave(entry);
  }

  #judge(entry: Entry): void {
    const context = { subject: entry.subject, law: this.#law };
    const verdicts = verdictsOf(this.#checks, entry.read, context, this.#options.runs);
    const changed = this.#verdicts.set(entry.key, verdicts);
    this.#cache();
    if (changed) this.#options.changed();
  }

  #judgeByNewLaw(): void {
    const law = this.#options.law();
    if (law === this.#law) return;
    this.#law = law;
    for (const entry of this.#entries.values()) {
      const last = entry.read.at(-1);
      if (last === undefined) continue;
      // What fails by a single inspection needs another one.
      if (entry.read.length === 1 && this.#fails(entry, last)) this.#queue(entry);
      else this.#judge(entry);
    }
  }

  #cache(): void {
    const waits = (check: string, subject: Subject): boolean => {
      if (subject.kind !== 'process' || !this.#ids.has(check)) return false;
      if (this.#first === null || this.trouble !== '') return true;
      const entry = this.#entries.get(subject.pid);
      return entry?.start === subject.start && entry.read.length === 0;
    };
    this.#options.cached.set(CACHE_KEY, this.#verdicts.verdicts(waits));
  }

  #lose(reason: string, entry: Entry): void {
    const first = this.trouble === '';
    this.trouble = `the peek helper does not work (${reason})`;
    this.#queue(entry);
    this.#helperAgain.add('');
    this.#barriers.end();
    if (!first) return;
    this.#options.log.error({ reason }, 'the peek helper does not work');
    for (const { key } of this.#entries.values()) this.#verdicts.drop(key);
    this.#verdicts.set(ALL, blindVerdicts(this.#checks, this.trouble, this.#entries.size));
    this.#cache();
    this.#options.changed();
  }

  #regain(): void {
    if (this.trouble === '') return;
    this.trouble = '';
    this.#helperAgain.clear();
    this.#verdicts.drop(ALL);
    for (const entry of this.#entries.values()) this.#queue(entry);
    this.#run();
    this.#cache();
    this.#options.changed();
  }
}
