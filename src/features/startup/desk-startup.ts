/** The startup places of one desk: read in full by the scheduled scans, and in part when something changes there. */
import { setTimeout as delay } from 'node:timers/promises';
import { DeadlineError, withDeadline } from '../../base/promises.ts';
import type { FeatureHost, Running } from '../../desk/feature.ts';
import { PACKAGES } from '../../desk/packages.ts';
import { type AccountScan, STARTUP, type Startup, type StartupScan } from '../../desk/startup.ts';
import { scanAccounts } from './account-scan.ts';
import { linksOf } from './links.ts';
import { PatternWatch } from './pattern-watch.ts';
import { Pauses } from './pauses.ts';
import type { Place } from './place.ts';
import { PLACES } from './places/index.ts';
import { type FilePattern, patternKey } from './reader.ts';
import { type Changed, StartupScanner } from './scan.ts';
import { VouchedStarts } from './vouched.ts';

/** The checks that judge by it. */
const CHECKS = ['startup-entry', 'packaged-file'];
/** While packages are installed, their files and what the database says of them differ. */
const BUSY_EVERY_MS = 2_000;
/** A lock that is held for longer does not keep places from being judged. */
const MOST_BUSY_MS = 600_000;
/** Changes that follow each other are read together. */
const TOGETHER_MS = 150;
/** Reading some places this long needs no pause yet. */
const FREE_MS = 2_000;
/** A pass that no check has judged yet is used instead of a new one for this time. */
const RECENT_MS = 60_000;
/** An idle helper is ended: it keeps the packages in memory. */
const IDLE_MS = 60_000;
/** What is asked of one file waits for a pass that is being made, no longer than this. */
const OWNER_MS = 8_000;
const BUSY = 'startup places are being read: ask again';
/** Files that change with the packages of a machine: where native/files/databases.cc reads them. */
const PACKAGE_FILES = [
  '/var/lib/dpkg/status',
  '/usr/lib/sysimage/rpm/rpmdb.sqlite',
  '/var/lib/rpm/rpmdb.sqlite',
  '/usr/share/rpm/rpmdb.sqlite',
  '/var/lib/pacman/local/*',
];
/** The list of homes. */
const ACCOUNT_FILES = ['/etc/passwd'];

/** `target`: what a link of a place leads to; `program`: what a walk over a file system has found. */
interface Watched extends FilePattern {
  readonly kind: 'place' | 'packages' | 'accounts' | 'target' | 'program';
}

type Owner = Awaited<ReturnType<Startup['ownerOf']>>;

/** Which package has a file. */
interface Question {
  readonly path: string;
  answer(owner: Owner): void;
}

const watchedOf = (kind: Watched['kind'], paths: readonly string[]): Watched[] =>
  paths.map((pattern) => ({ kind, depth: 'facts', viewer: 0, pattern }));

const keysOf = ({ entries }: StartupScan): string[] =>
  entries.map(({ path, key, voucher }) => [path, key, voucher.kind].join('\0')).sort();

function isSame(one: StartupScan, other: StartupScan): boolean {
  const [before, now] = [keysOf(one), keysOf(other)];
  return before.length === now.length && before.every((key, at) => key === now[at]);
}

type Host = Pick<FeatureHost, 'store' | 'provide' | 'find' | 'role' | 'rescan'>;

/** `places`: for tests, here and below. */
export class DeskStartup implements Running {
  readonly #host: Host;
  readonly #places: readonly Place[];
  readonly #vouched: VouchedStarts;
  readonly #watch: PatternWatch<Watched>;
  readonly #stop = new AbortController();
  #scanner: StartupScanner | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** Reading, one pass after another. */
  #reading: Promise<unknown> = Promise.resolve();
  /** Files whose packages are asked for and that are not being looked up yet, the next one first. */
  readonly #questions = new Set<Question>();
  /** One of them is being looked up, or waits behind passes. */
  #answering = false;
  /** Passes that have not ended. */
  #passes = 0;
  #scanning: Promise<AccountScan> | null = null;
  /** The full pass that has not begun yet. */
  #next: { readonly scan: Promise<StartupScan>; readonly walks: boolean } | null = null;
  /** The last pass, and the checks that have judged it. */
  #last: StartupScan | null = null;
  #lastMs = 0;
  readonly #judged = new Set<string>();
  /** Patterns of places that have changed, by their keys. */
  readonly #changed = new Map<string, FilePattern>();
  #targets = new Set<string>();
  #accountsChanged = false;
  /** Any may have changed. */
  #anyChanged = false;
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  /** A full pass costs much more than some patterns, as a rule: they have pauses of their own. */
  readonly #pauses = new Pauses(FREE_MS);
  readonly #fullPauses = new Pauses(0);
  /** What a walk over a file system has found is among what changed. */
  #walks = false;
  /** Packages were installed or removed. */
  #packages = false;

  constructor(host: Host, places: readonly Place[] = PLACES) {
    this.#host = host;
    this.#places = places;
    this.#vouched = new VouchedStarts(host.store);
    this.#watch = new PatternWatch({ changed: (patterns, isNew) => this.#noticed(patterns, isNew) });
    host.provide(STARTUP, {
      scan: () => this.#asked(this.#all()),
      latest: () => this.#last,
      recent: () => this.#asked(this.#recent()),
      settledFor: (check) => this.#settledFor(check),
      linksOf: (finding, processes) => linksOf(finding, this.#last, processes),
      ownerOf: (path, signal) => this.#ownerOf(path, signal),
      accounts: () => this.#accounts(),
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    for (const timer of [this.#timer, this.#idle]) clearTimeout(timer);
    this.#watch.close();
    // Pending questions end at once, without an answer.
    await this.#scanner?.close();
    await this.#reading.catch(() => undefined);
  }

  /** Without `walks`, file systems are not walked again. */
  #all(walks = true): Promise<StartupScan> {
    if (this.#next !== null && (this.#next.walks || !walks)) return this.#next.scan;
    const scan = this.#pass((scanner) => {
      // A pass that has begun may miss what changes from now on.
      if (this.#next === next) this.#next = null;
      return scanner.all({ walks });
    });
    const next = { scan, walks };
    this.#next = next;
    return scan;
  }

  /** What a person is shown is judged too: some changes are found by reading alone. */
  async #asked(asked: Promise<StartupScan>): Promise<StartupScan> {
    const known = this.#last;
    const scan = await asked;
    const isNew = known !== null && scan !== known && !isSame(known, scan);
    if (isNew && this.#host.role === 'service' && !this.#stop.signal.aborted)
      void this.#host.rescan(CHECKS).catch(() => undefined);
    return scan;
  }

  /** Nothing has changed since the last pass, and none is being made. */
  get #isCurrent(): boolean {
    return this.#passes === 0 && !this.#someChanged;
  }

  get #someChanged(): boolean {
    return this.#changed.size > 0 || this.#targets.size > 0 || this.#accountsChanged;
  }

  #recent(): Promise<StartupScan> {
    const last = this.#last;
    const isCurrent =
      last !== null &&
      !last.busy &&
      Date.now() - last.readMs < RECENT_MS &&
      this.#isCurrent &&
      !this.#anyChanged;
    return isCurrent ? Promise.resolve(last) : this.#all();
  }

  #accounts(): Promise<AccountScan> {
    this.#scanning ??= scanAccounts().finally(() => {
      this.#scanning = null;
    });
    return this.#scanning;
  }

  /** Behind the pass that is being made, as the helper answers one question at a time. One that is given up before its turn is not asked. */
  async #ownerOf(path: string, signal: AbortSignal): Promise<Owner> {
    const asked: Question = { path, answer: () => undefined };
    const answer = new Promise<Owner>((resolve) => {
      asked.answer = resolve;
    });
    const leave = () => asked.answer('the caller has left');
    if (signal.aborted) leave();
    else this.#questions.add(asked);
    signal.addEventListener('abort', leave);
    this.#answerNext();
    try {
      return await withDeadline(answer, OWNER_MS, 'the owner of a file');
    } catch (error) {
      if (error instanceof DeadlineError) return BUSY;
      throw error;
    } finally {
      this.#questions.delete(asked);
      signal.removeEventListener('abort', leave);
    }
  }

  /** The next question only when the one before is answered: so a pass waits for one of them at most. */
  #answerNext(): void {
    if (this.#answering || this.#questions.size === 0) return;
    this.#answering = true;
    this.#reading = this.#reading.then(async () => {
      const [question] = this.#questions;
      if (question !== undefined) {
        this.#questions.delete(question);
        question.answer(await this.#owner(question.path).catch(() => 'its packages could not be read'));
      }
      this.#answering = false;
      this.#answerNext();
    });
  }

  async #owner(path: string): Promise<Owner> {
    if (this.#stop.signal.aborted) throw new Error('the desk is closing');
    this.#restLater();
    return this.#scan().ownerOf(path);
  }

  #scan(): StartupScanner {
    this.#scanner ??= new StartupScanner({ places: this.#places });
    return this.#scanner;
  }

  #restLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#rest(), IDLE_MS).unref();
  }

  #pass(read: (scanner: StartupScanner) => Promise<StartupScan>): Promise<StartupScan> {
    this.#passes++;
    const pass = this.#reading
      .then(() => this.#made(read))
      .finally(() => {
        this.#passes--;
      });
    this.#reading = pass.catch(() => undefined);
    return pass;
  }

  async #made(read: (scanner: StartupScanner) => Promise<StartupScan>): Promise<StartupScan> {
    if (this.#stop.signal.aborted) throw new Error('the desk is closing');
    clearTimeout(this.#idle);
    const scanner = this.#scan();
    const found = await read(scanner);
    const scan = { ...found, entries: this.#vouched.take(found.entries), unwatched: this.#unwatched() };
    this.#last = scan;
    this.#lastMs = performance.now();
    this.#judged.clear();
    this.#restLater();
    this.#watchAlso(scanner);
    return scan;
  }

  /** Ends the helper; what it has read stays. */
  #rest(): Promise<void> {
    return this.#scanner?.rest() ?? Promise.resolve();
  }

  #unwatched(): string {
    return this.#host.role === 'service' ? this.#watch.trouble : 'a command reads once';
  }

  /** Watches what a pass reads. */
  #watchAlso({ patterns, targets, programs }: StartupScanner): void {
    if (this.#host.role !== 'service' || this.#stop.signal.aborted) return;
    this.#watch.watch([
      ...patterns.map((pattern): Watched => ({ ...pattern, kind: 'place' })),
      ...watchedOf('packages', PACKAGE_FILES),
      ...watchedOf('accounts', ACCOUNT_FILES),
      ...watchedOf('target', targets),
      ...watchedOf('program', programs),
    ]);
  }

  #noticed(changed: readonly Watched[] | null, isNew: boolean): void {
    if (this.#stop.signal.aborted) return;
    // When the watcher restarts, anything may have changed, but comparing packages costs much: the next period does it.
    this.#anyChanged ||= changed === null;
    // What a walk has just found is not a reason to walk again.
    for (const one of changed ?? []) if (!isNew || one.kind !== 'program') this.#note(one);
    this.#arm();
  }

  #note(one: Watched): void {
    if (one.kind === 'accounts') this.#accountsChanged = true;
    else if (one.kind === 'place') this.#changed.set(patternKey(one), one);
    else if (one.kind === 'target') this.#targets.add(one.pattern);
    else {
      this.#anyChanged = true;
      this.#walks ||= one.kind === 'program';
      this.#packages ||= one.kind === 'packages';
    }
  }

  /** The next reading: the earlier one of the two kinds. */
  #arm(): void {
    const nowMs = performance.now();
    const dueOf = (isChanged: boolean, pauses: Pauses) =>
      isChanged ? Math.max(nowMs + TOGETHER_MS, pauses.untilMs(nowMs)) : Number.POSITIVE_INFINITY;
    const dueMs = Math.min(dueOf(this.#someChanged, this.#pauses), dueOf(this.#anyChanged, this.#fullPauses));
    if (dueMs >= this.#dueMs || this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(
      () => void this.#readChanged().catch(() => undefined),
      dueMs - performance.now(),
    );
    this.#timer.unref();
  }

  async #readChanged(): Promise<void> {
    // A timer may be a little early.
    const nowMs = performance.now();
    const isFull = this.#anyChanged && nowMs + TOGETHER_MS >= this.#fullPauses.untilMs(nowMs);
    const [walks, packages] = [this.#walks, this.#packages];
    const patterns = [...this.#changed.values()];
    const changed: Changed = { patterns, targets: this.#targets, accounts: this.#accountsChanged };
    this.#changed.clear();
    this.#targets = new Set();
    this.#accountsChanged = false;
    if (isFull) {
      this.#anyChanged = false;
      this.#walks = false;
      this.#packages = false;
    }
    let tookMs = 0;
    try {
      const scan = await (isFull ? this.#all(walks) : this.#pass((scanner) => scanner.some(changed)));
      ({ tookMs } = scan);
      if (isFull && packages) this.#host.find(PACKAGES)?.soon();
      if (!this.#stop.signal.aborted) await this.#host.rescan(CHECKS);
    } finally {
      (isFull ? this.#fullPauses : this.#pauses).took(tookMs, performance.now());
      this.#timer = undefined;
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.#arm();
    }
  }

  /** The last pass, where this check has not judged it yet and nothing has changed since: so the checks of one pass share it. */
  async #settledFor(check: string): Promise<StartupScan> {
    const { signal } = this.#stop;
    const sinceMs = performance.now();
    const recent = this.#last !== null && sinceMs - this.#lastMs < RECENT_MS;
    const isNew = recent && !this.#judged.has(check) && this.#isCurrent;
    let scan = isNew && this.#last !== null ? this.#last : await this.#all();
    while (scan.busy && performance.now() - sinceMs < MOST_BUSY_MS) {
      await delay(BUSY_EVERY_MS, undefined, { ref: false, signal });
      scan = await this.#all(false);
    }
    if (scan === this.#last) this.#judged.add(check);
    return scan;
  }
}
