/**
 * What runs against what was learned, program by program: by the file's numbers that every look brings, and by a digest where
 * these are others than the learned ones. Digests are read one at a time by a helper of their own, which ends when it is idle.
 * What is certain without a digest does not wait for it longer than a moment, and what is not certain by then is blind.
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
import type { Note } from '../../privileges/child.ts';
import { DigestQueue, ownerOf } from './digest-queue.ts';
import { type DigestHelper, digestHelper, readDigest } from './digest-reader.ts';
import { Files } from './files.ts';
import { Later } from './later.ts';
import { Rounds } from './rounds.ts';
import { Tally } from './tally.ts';

/** Most digests are read within it: until then what was said of a program before holds. */
const AWAIT_MS = 1_000;
/** A changed program is reported for so long after its process has ended: one that runs for a moment each hour is seen too. */
const ENDED_MS = 60_000;
const MOST_ENDED = 256;
/** A program with more processes than `MOST_AT_ONCE` is judged after so long, once for all that came or went. */
const TOGETHER_MS = 50;
const MOST_AT_ONCE = 64;
/** What the queue did not take is wanted again after so long at the latest. */
const REFILL_MS = 1_000;
/** What the first pass has not read by then is learned by its numbers alone. */
const FIRST_MS = 30_000;
/** Key under which the verdicts stand. */
const STANDING = 'contents';

interface Running {
  readonly subject: ProcessSubject;
  /** Null when it could not be read. */
  readonly image: Image | null;
  /** `imageKey` of it; "" without one. */
  readonly key: string;
  /** It is not there any more. */
  readonly ended?: true;
}

interface ContentsOptions {
  readonly checks: readonly Check[];
  /** The held generation; the same object while it is the same. */
  readonly known: () => Known | null;
  /** Everything that runs is about to be learned: digests of it are needed too. */
  readonly learns: () => boolean;
  readonly cached: CachedVerdicts;
  readonly runs?: CheckRuns;
  /** A fail or note has come or gone: the next recheck will tell. */
  readonly changed: () => void;
  readonly log: Logger;
  readonly note?: Note;
  /** How long what has ended is reported. */
  readonly endedMs?: number;
  /** Makes a helper; default: one that runs the program built with the addon. */
  readonly helper?: () => DigestHelper;
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
  /** By image. */
  readonly #files = new Files(() => this.#processes.size);
  /** Digests that are wanted, by image, and a process that runs it. */
  readonly #wanted = new DigestQueue<Running>();
  /** By image whose digest is wanted, the programs that it decides on. */
  readonly #decides = new Map<string, Set<string>>();
  readonly #rounds = new Rounds<string>();
  readonly #tally = new Tally();
  /** Programs that await a digest, and since when (monotonic). */
  readonly #since = new Map<string, number>();
  /** Those of them without a verdict that is up to date. */
  readonly #undecided: Later<string>;
  /** Programs with many processes, of which some have come or gone. */
  readonly #touched: Later<string>;
  /** Keys of processes that have ended. */
  readonly #ended: Later<string>;
  #known: Known | null = null;
  #learns = false;
  #complete = false;
  #firstMs: number | null = null;
  /** Digests of all that runs are wanted, until all were read. */
  #all = false;
  /** There were more than the queue takes. */
  #overflows = false;
  /** When these were last wanted again; monotonic. */
  #refilledMs = 0;
  #helper: DigestHelper | null = null;
  #working: Promise<void> | null = null;
  #closed = false;

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#checks = options.checks.filter(isContent);
    this.#ids = new Set(this.#checks.map(({ id }) => id));
    this.#undecided = new Later(AWAIT_MS, (program) => this.#judge(program));
    this.#touched = new Later(TOGETHER_MS, (program) => this.#judge(program));
    this.#ended = new Later(options.endedMs ?? ENDED_MS, (key) => this.#remove(key));
    this.#publish();
  }

  /** Takes what was read of a process; null when it is gone. */
  saw(subject: ProcessSubject, facts: PeekFacts | null): void {
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
    // It runs another program by now: the next snapshot says which, and it is looked at again.
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

  /** To be called at every moment: judges all of them by another generation, when there is one. */
  compareAgain(): void {
    const known = this.#options.known();
    this.#learns = this.#options.learns();
    if (known === this.#known || this.#closed) return;
    this.#known = known;
    for (const program of this.#programs.keys()) this.#judge(program);
  }

  /** What runs, by identity: every content once. */
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

  /** Reads the digests of all that runs and is not known by its numbers; resolves when that is done, at the latest after `withinMs`. */
  read(withinMs: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#all = true;
    this.#wantAll();
    return this.settled(withinMs);
  }

  /** Resolves when every digest that is wanted now was read, or cannot be, at the latest after `withinMs`. */
  async settled(withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs;
    for (let again = true; again && performance.now() < untilMs; ) {
      this.#touched.flush();
      again = this.#overflows;
      await atMost(this.#rounds.begin(this.#wanted.keys()), untilMs - performance.now());
    }
    this.#touched.flush();
  }

  /** Every process was looked at, and what digests that took was read. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Every process of the first moment was looked at, or cannot be. Digests are waited for, but not for ever. */
  allSeen(): void {
    if (this.#complete) return;
    this.#touched.flush();
    this.#firstMs ??= performance.now();
    if (this.#wanted.size > 0 && performance.now() - this.#firstMs < FIRST_MS) return;
    this.#complete = true;
    this.#publish();
    this.#options.changed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#overflows = false;
    this.#wanted.clear();
    for (const later of [this.#undecided, this.#touched, this.#ended]) later.clear();
    this.#rounds.end();
    // It ends what is being read.
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

  /** What it ran is not what was learned, and no other process shows it. */
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

  /** Judges it at once, or together with what else comes and goes: of many processes every judgement goes through all. */
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
      changed = this.#tally.drop(program);
    } else if (!this.#awaits(program, running, learned)) {
      const gathering = new Gathering({ confirmed: true, runs: this.#options.runs });
      const context = { program, learned, running: running.map((one) => this.#compared(one, learned)) };
      const hides = (one: Subject) => one.kind === 'file' && one.path === program;
      for (const check of this.#checks)
        gathering.run(check, (report) => check.content(context, report), hides);
      changed = this.#tally.set(program, gathering.verdicts());
    }
    this.#publish();
    if (changed) this.#options.changed();
  }

  /** Wants the digests that decide on a program. Whether what was said of it before still holds, since they are about to come. */
  #awaits(program: string, running: readonly Running[], learned: readonly Content[]): boolean {
    let open = false;
    for (const one of running) {
      const { key } = one;
      if (one.image === null || learned.length === 0) continue;
      if (learned.some((content) => imageKey(content) === key)) continue;
      this.#want(one);
      if (this.#files.digestOf(key) !== undefined) continue;
      if (this.#wanted.has(key)) this.#decides.set(key, (this.#decides.get(key) ?? new Set()).add(program));
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
    // Counted from the first of them: a program that brings new content all the time is reported too.
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

  /** A digest is read, unless it is known, or was learned together with these numbers. */
  #want(running: Running): void {
    const { subject, key } = running;
    if (key === '' || this.#closed) return;
    const learned = this.#known?.contents?.get(programKey(subject)) ?? [];
    const known = learned.some((one) => one.sha256 !== '' && imageKey(one) === key);
    if (known || this.#files.digestOf(key) !== undefined) return;
    if (this.#wanted.add(key, running, ownerOf(subject))) this.#run();
    else this.#overflows = true;
  }

  /** What the queue did not take before, and what is read for learning. */
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
      // Wanted while the helper was being ended.
      if (this.#wanted.size > 0) this.#run();
    });
  }

  async #work(): Promise<void> {
    const { log, note } = this.#options;
    try {
      const helper = this.#options.helper?.() ?? digestHelper(note);
      this.#helper = helper;
      while (!this.#closed) {
        // Not only when the queue is empty: one user may keep it from that.
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
        for (const program of this.#decides.get(key) ?? []) this.#touch(program);
        this.#decides.delete(key);
        this.#rounds.leave(key);
      }
      // The first pass is over with it.
      if (!this.#complete && !this.#closed) this.#options.changed();
    } catch (error) {
      log.error({ err: error }, 'reading the content of programs failed');
      this.#wanted.clear();
      this.#decides.clear();
      this.#overflows = false;
      this.#all = false;
      this.#rounds.end();
    } finally {
      const helper = this.#helper;
      this.#helper = null;
      await helper?.close();
    }
  }

  /** Notes that it has ended; a process that still runs its file. */
  #gone({ subject, key }: Running): Running | undefined {
    this.saw(subject, null);
    return this.#runningOf(programKey(subject)).find((one) => !one.ended && one.key === key);
  }

  /** Until every process was looked at once, and while a digest is awaited, what was found before stays as it is. */
  #publish(): void {
    const waits = (check: string, subject: Subject): boolean =>
      this.#ids.has(check) &&
      subject.kind === 'file' &&
      (!this.#complete || this.#undecided.has(subject.path));
    this.#options.cached.set(STANDING, this.#tally.verdicts(waits));
  }
}
