/**
 * Compares what runs with what was learned, program by program: by the file's numbers, which every inspection reads, and by a digest
 * where these differ from the learned ones. Digests are read one at a time by a separate helper, which ends when it is idle. A result
 * that is certain without a digest waits for it one second at most, and one that is uncertain by then is blind.
 */
import type { Logger } from 'pino';
import { atMost } from '../../base/promises.ts';
import type { CachedVerdicts } from '../../checks/cached-verdicts.ts';
import {
  type Check,
  type ContentCheck,
  type ContentContext,
  isContent,
  type Known,
} from '../../checks/check.ts';
import type { CheckRuns } from '../../checks/check-runs.ts';
import { type Content, compare, type Image, imageKey, programKey } from '../../checks/content.ts';
import type { PeekFacts } from '../../checks/peek-facts.ts';
import type { ProcessSubject, Subject } from '../../checks/subjects.ts';
import { Gathering } from '../../checks/verdicts.ts';
import { isRefusal } from '../../engine/native/types.ts';
import { Barriers } from './barrier.ts';
import { DelayQueue } from './delay-queue.ts';
import { type DigestHelper, DigestQueue, Files, ownerOf, readDigest } from './digests.ts';
import { SubjectVerdicts } from './subject-verdicts.ts';

/** Most digests are read within this time; until then the previous verdict about a program is kept. */
const AWAIT_MS = 1_000;
/** A changed program is reported for this long after its process has ended, so that one that runs briefly is reported too. */
const ENDED_MS = 60_000;
const MOST_ENDED = 256;
/** A program with more processes than `MOST_AT_ONCE` is judged after this time, once for all that started or ended. */
const TOGETHER_MS = 50;
const MOST_AT_ONCE = 64;
/** What the queue did not accept is queued again after this time at the latest. */
const REFILL_MS = 1_000;
/** What the first pass has not read by then is learned by its numbers only. */
const FIRST_MS = 30_000;
const CACHE_KEY = 'contents';

interface Running {
  readonly subject: ProcessSubject;
  /** Null when it could not be read. */
  readonly image: Image | null;
  /** `imageKey` of it; "" without one. */
  readonly key: string;
  readonly ended?: true;
}

interface ContentsOptions {
  readonly checks: readonly Check[];
  /** The held generation; the same object while unchanged. */
  readonly known: () => Known | null;
  /** Everything that runs is about to be learned, with digests. */
  readonly learns: () => boolean;
  readonly cached: CachedVerdicts;
  readonly runs?: CheckRuns;
  /** A fail or note was added or removed: the next recheck reports it. */
  readonly changed: () => void;
  readonly log: Logger;
  readonly endedMs?: number;
  readonly helper: () => DigestHelper;
}

const keyOf = ({ pid, start }: Pick<ProcessSubject, 'pid' | 'start'>): string => `${pid} ${start}`;

export class Contents {
  readonly #options: ContentsOptions;
  readonly #checks: readonly ContentCheck[];
  readonly #ids: ReadonlySet<string>;
  /** By pid and start. */
  readonly #processes = new Map<string, Running>();
  /** Keys of processes by program. */
  readonly #programs = new Map<string, Set<string>>();
  readonly #files = new Files(() => this.#processes.size);
  /** Digests to read, by image, each with a process that runs it. */
  readonly #wanted = new DigestQueue<Running>();
  readonly #barriers = new Barriers<string>();
  readonly #verdicts = new SubjectVerdicts();
  /** Programs that wait for a digest, and since when (monotonic). */
  readonly #since = new Map<string, number>();
  /** Those of them without a verdict that is up to date. */
  readonly #undecided = new DelayQueue<string>(AWAIT_MS, (program) => this.#judge(program));
  /** Programs with many processes, of which some have started or ended. */
  readonly #touched = new DelayQueue<string>(TOGETHER_MS, (program) => this.#judge(program));
  readonly #ended: DelayQueue<string>;
  /** Every process was inspected, and the digests that this needed were read. */
  complete = false;
  #known: Known | null = null;
  #learns = false;
  #firstMs: number | null = null;
  /** All digests are to be read; reset when they were. */
  #all = false;
  /** The queue did not accept all. */
  #overflows = false;
  /** When these were last queued again; monotonic. */
  #refilledMs = 0;
  #helper: DigestHelper | null = null;
  #working: Promise<void> | null = null;
  #closed = false;

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#checks = options.checks.filter(isContent);
    this.#ids = new Set(this.#checks.map(({ id }) => id));
    this.#ended = new DelayQueue(options.endedMs ?? ENDED_MS, (key) => this.#remove(key));
    this.#publish();
  }

  /** What was read of a process; null when it is gone. */
  inspected(subject: ProcessSubject, facts: PeekFacts | null): void {
    if (this.#closed) return;
    const key = keyOf(subject);
    const before = this.#processes.get(key);
    if (facts === null) {
      if (before === undefined || before.ended) return;
      if (this.#outlives(before)) {
        this.#processes.set(key, { ...before, ended: true });
        this.#ended.add(key);
      } else this.#remove(key);
      return;
    }
    // It runs another program now: it is inspected again after the next snapshot.
    if (facts.executable !== '' && facts.executable !== subject.executable) return;
    const image = isRefusal(facts.image) ? null : facts.image;
    const now = { subject, image, key: image === null ? '' : imageKey(image) };
    this.#processes.set(key, now);
    this.#ended.delete(key);
    const program = programKey(subject);
    if (before !== undefined && programKey(before.subject) !== program) this.#leave(before, key);
    const keys = this.#programs.get(program) ?? new Set();
    this.#programs.set(program, keys.add(key));
    this.#files.forgive(now.key);
    if (this.#learns) this.#want(now);
    this.#touch(program);
  }

  /** To be called with every state: judges everything again when the generation has changed. */
  compareAgain(): void {
    const known = this.#options.known();
    this.#learns = this.#options.learns();
    if (known === this.#known || this.#closed) return;
    this.#known = known;
    for (const program of this.#programs.keys()) this.#judge(program);
  }

  /** What runs, by identity: each content once. */
  running(): ReadonlyMap<string, readonly Content[]> {
    const found = new Map<string, Map<string, Content>>();
    for (const { subject, image, key, ended } of this.#processes.values()) {
      if (ended || image === null || programKey(subject) === '') continue;
      const { identity } = subject;
      const contents = found.get(identity) ?? new Map<string, Content>();
      const sha256 = this.#files.digestOf(key) ?? '';
      found.set(identity, contents.set(key, { ...image, sha256 }));
    }
    return new Map([...found].map(([identity, contents]) => [identity, [...contents.values()]]));
  }

  /** Reads all digests that the numbers do not give; resolves when that is done, at the latest after `withinMs`. */
  read(withinMs: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#all = true;
    this.#wantAll();
    return this.settled(withinMs);
  }

  /** Resolves when every queued digest was read, or cannot be, at the latest after `withinMs`. */
  async settled(withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs;
    for (let again = true; again && performance.now() < untilMs; ) {
      this.#touched.flush();
      again = this.#overflows;
      await atMost(this.#barriers.begin(this.#wanted.keys()), untilMs - performance.now());
    }
    this.#touched.flush();
  }

  /** Every process of the first state was inspected, or cannot be. Waits for digests, at most `FIRST_MS`. */
  allSeen(): void {
    if (this.complete) return;
    this.#touched.flush();
    this.#firstMs ??= performance.now();
    if (this.#wanted.size > 0 && performance.now() - this.#firstMs < FIRST_MS) return;
    this.complete = true;
    this.#publish();
    this.#options.changed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#overflows = false;
    this.#wanted.clear();
    for (const queue of [this.#undecided, this.#touched, this.#ended]) queue.clear();
    this.#barriers.end();
    await this.#helper?.close();
    await this.#working;
  }

  #remove(key: string): void {
    const before = this.#processes.get(key);
    this.#processes.delete(key);
    if (before !== undefined) this.#leave(before, key);
  }

  #leave({ subject }: Running, key: string): void {
    const program = programKey(subject);
    const keys = this.#programs.get(program);
    if (keys?.delete(key) !== true) return;
    if (keys.size === 0) this.#programs.delete(program);
    this.#touch(program);
  }

  /** Its program is not what was learned, and no other process shows it. */
  #outlives(one: Running): boolean {
    const { subject, image, key } = one;
    const program = programKey(subject);
    const learned = this.#known?.contents?.get(program) ?? [];
    if (image === null || learned.length === 0 || this.#ended.size >= MOST_ENDED) return false;
    if (compare(image, this.#files.digestOf(key), learned) === 'same') return false;
    for (const other of this.#programs.get(program) ?? []) {
      const shows = this.#processes.get(other);
      if (shows !== one && shows?.key === key) return false;
    }
    return true;
  }

  #runningOf(program: string): readonly Running[] {
    return [...(this.#programs.get(program) ?? [])].flatMap((key) => this.#processes.get(key) ?? []);
  }

  /** Judges a program at once; one with many processes later, since each judgement reads all of them. */
  #touch(program: string): void {
    if ((this.#programs.get(program)?.size ?? 0) <= MOST_AT_ONCE) this.#judge(program);
    else if (!this.#touched.has(program)) this.#touched.add(program);
  }

  #judge(program: string): void {
    this.#touched.delete(program);
    const learned = program === '' && this.#known !== null ? [] : this.#known?.contents?.get(program);
    const running = this.#runningOf(program);
    let changed = false;
    if (learned === undefined || running.length === 0) {
      this.#decided(program);
      changed = this.#verdicts.drop(program);
    } else if (!this.#awaits(program, running, learned)) {
      const gathering = new Gathering({ confirmed: true, runs: this.#options.runs });
      const context = { program, learned, running: running.map((one) => this.#compared(one, learned)) };
      const hides = (one: Subject) => one.kind === 'file' && one.path === program;
      for (const check of this.#checks)
        gathering.run(check, (report) => check.content(context, report), hides);
      changed = this.#verdicts.set(program, gathering.verdicts());
    }
    this.#publish();
    if (changed) this.#options.changed();
  }

  /** Queues the digests that decide on a program. True while the previous verdict is kept until they are read. */
  #awaits(program: string, running: readonly Running[], learned: readonly Content[]): boolean {
    let open = false;
    for (const one of running) {
      const { key } = one;
      if (one.image === null || learned.length === 0) continue;
      if (learned.some((content) => imageKey(content) === key)) continue;
      this.#want(one);
      if (this.#files.digestOf(key) !== undefined) continue;
      open = true;
    }
    if (!open) {
      this.#decided(program);
      return false;
    }
    let sinceMs = this.#since.get(program);
    if (sinceMs === undefined) {
      sinceMs = performance.now();
      this.#since.set(program, sinceMs);
      this.#undecided.add(program);
    }
    // From the first of them, so that a program with ever new content is reported too.
    if (performance.now() - sinceMs < AWAIT_MS) return true;
    this.#undecided.delete(program);
    return false;
  }

  #decided(program: string): void {
    this.#since.delete(program);
    this.#undecided.delete(program);
  }

  #compared(one: Running, learned: readonly Content[]): ContentContext['running'][number] {
    const { image, key } = one;
    if (image === null || learned.length === 0) return { ...one, sha256: undefined, name: '' };
    const sha256 = this.#files.digestOf(key);
    const changed = compare(image, sha256, learned) === 'changed';
    return { ...one, sha256, name: changed ? this.#files.nameOf(key) : '' };
  }

  /** Queues a digest, unless it is known or was learned with these numbers. */
  #want(running: Running): void {
    const { subject, key } = running;
    if (key === '' || this.#closed) return;
    const learned = this.#known?.contents?.get(programKey(subject)) ?? [];
    const known = learned.some((one) => one.sha256 !== '' && imageKey(one) === key);
    if (known || this.#files.digestOf(key) !== undefined) return;
    if (this.#wanted.add(key, running, ownerOf(subject))) this.#run();
    else this.#overflows = true;
  }

  /** Queues what was not accepted before, and what is read for learning. */
  #wantAll(): void {
    this.#refilledMs = performance.now();
    this.#overflows = false;
    if (this.#all || this.#learns)
      for (const one of this.#processes.values()) if (!one.ended) this.#want(one);
    for (const program of this.#since.keys()) this.#judge(program);
    if (!this.#overflows) this.#all = false;
  }

  #run(): void {
    if (this.#closed) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      if (this.#wanted.size > 0) this.#run();
    });
  }

  async #work(): Promise<void> {
    const { log } = this.#options;
    try {
      const helper = this.#options.helper();
      this.#helper = helper;
      while (!this.#closed) {
        // Not only when the queue is empty: one user could keep it full.
        const due = this.#wanted.size === 0 || performance.now() - this.#refilledMs >= REFILL_MS;
        if (this.#overflows && due) this.#wantAll();
        const next = this.#wanted.next();
        if (next === undefined) break;
        const [key, one] = next;
        const found = await readDigest(one, helper, log, () => this.#gone(one));
        if (this.#closed) break;
        this.#wanted.delete(key);
        if (typeof found === 'string') this.#files.keep(key, found);
        else this.#want(found);
        if (this.#wanted.has(key)) continue;
        const users = [...this.#processes.values()].filter((running) => running.key === key);
        for (const program of new Set(users.map(({ subject }) => programKey(subject)))) this.#touch(program);
        this.#barriers.leave(key);
      }
      if (!this.complete && !this.#closed) this.#options.changed();
    } catch (error) {
      log.error({ err: error }, 'reading the content of programs failed');
      this.#wanted.clear();
      this.#overflows = false;
      this.#all = false;
      this.#barriers.end();
    } finally {
      const helper = this.#helper;
      this.#helper = null;
      await helper?.close();
    }
  }

  /** Notes that it has ended; a process that still runs its file. */
  #gone({ subject, key }: Running): Running | undefined {
    this.inspected(subject, null);
    return this.#runningOf(programKey(subject)).find((one) => !one.ended && one.key === key);
  }

  /** Until every process was inspected, and while a digest is awaited, earlier findings are kept. */
  #publish(): void {
    const waits = (check: string, subject: Subject): boolean =>
      this.#ids.has(check) &&
      subject.kind === 'file' &&
      (!this.complete || this.#undecided.has(subject.path));
    this.#options.cached.set(CACHE_KEY, this.#verdicts.verdicts(waits));
  }
}
