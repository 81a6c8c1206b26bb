/**
 * Tier 2: looks once into every new process, once more when it has settled, and now and then, by helpers that can be killed,
 * and lets the checks judge what they told. Nothing here makes a recheck wait.
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
import type { Note } from '../../privileges/child.ts';
import { type Entry, entryOf, showsOther } from './entry.ts';
import { type Answer, type Asked, Helper } from './helper.ts';
import { blindVerdicts, failing, verdictsOf } from './judge.ts';
import { Later } from './later.ts';
import { ProvenHelper } from './proven-helper.ts';
import { Roll } from './roll.ts';
import { Rounds } from './rounds.ts';
import { Tally } from './tally.ts';

/** A process born or changed is left alone this long: the loader is done then, and most short-lived ones are gone. */
const ARRIVED_MS = 50;
/** Who runs one program after another without end is looked at all the same. */
const POSTPONED_MS = 1_000;
/** And looked at again when it has done what it came for. */
const SETTLED_MS = 10_000;
/** An event about a known process (an exec of the same program, say) is no reason to look at it more often than this. */
const REST_MS = 5_000;
/** What has no event (code made while it runs, libraries unlinked under it) is seen this late. */
const AGAIN_MS = 15 * 60_000;
/** So many looks in a row that show another program than the last snapshot are put down to an exec meanwhile. */
const MOST_OTHER = 2;
/** Who was not told of: it blocks its readers, or the helper ended over it, as when somebody keeps killing helpers. */
const FAILED_AGAIN_MS = 60_000;
const HELPER_AGAIN_MS = 60_000;
/** The second look at a fail comes at least this much later. */
const CONFIRM_AFTER_MS = 1;
const HELPERS = 2;
/** Key under which the verdicts stand. */
const STANDING = 'peek';
/** Key in the tally of what holds for all processes. */
const EVERYBODY = '';

/** A helper at work; `suspects`: also over what has wedged one. */
interface Lane {
  readonly helper: Asked;
  readonly suspects: boolean;
  busy: boolean;
}

export interface PeekTotals {
  readonly looks: number;
  /** Helpers killed at their deadline. */
  readonly killed: number;
  /** Helpers that ended by themselves. */
  readonly broken: number;
}

interface PeekerOptions {
  readonly checks: readonly Check[];
  /** The law in force; the same object while it is the same. */
  readonly law: () => Law;
  readonly cached: CachedVerdicts;
  readonly runs?: CheckRuns | undefined;
  /** A fail or note has come or gone: the next recheck will tell. */
  readonly changed: () => void;
  readonly log: Logger;
  /** Told of every helper that is started. */
  readonly note?: Note;
  /** Told of every look that succeeded, and of who is gone (null). */
  readonly saw?: (subject: ProcessSubject, facts: PeekFacts | null) => void;
  /** Makes a helper; default: one that runs the program built with the addon. */
  readonly helper?: () => Asked;
}

export class Peeker {
  readonly #options: PeekerOptions;
  readonly #checks: readonly PeekCheck[];
  readonly #ids: ReadonlySet<string>;
  readonly #entries = new Map<number, Entry>();
  readonly #roll = new Roll();
  readonly #tally = new Tally();
  /** To be looked at now. What has wedged a helper before waits apart, for one lane only: it must not hold up the others. */
  readonly #fresh: Entry[] = [];
  readonly #suspects: Entry[] = [];
  readonly #lanes: readonly Lane[];
  readonly #arriving: Later<Entry>;
  readonly #settling: Later<Entry>;
  readonly #again: Later<Entry>;
  readonly #failed: Later<Entry>;
  readonly #helperAgain: Later<''>;
  readonly #rounds = new Rounds<Entry>();
  readonly #totals = { looks: 0, killed: 0, broken: 0 };
  #first: Promise<void> | null = null;
  #complete = false;
  #law: Law;
  #trouble = '';
  #closed = false;

  constructor(options: PeekerOptions) {
    const { checks, law, note, helper = () => new ProvenHelper(new Helper({ note })) } = options;
    this.#options = options;
    this.#checks = checks.filter(isPeek);
    this.#ids = new Set(this.#checks.map(({ id }) => id));
    this.#law = law();
    this.#lanes = Array.from({ length: HELPERS }, (_, at) => ({
      helper: helper(),
      suspects: at === HELPERS - 1,
      busy: false,
    }));
    const look = (entry: Entry) => this.#queueAgain(entry);
    this.#arriving = new Later(ARRIVED_MS, look);
    this.#settling = new Later(SETTLED_MS, look);
    this.#again = new Later(AGAIN_MS, look);
    this.#failed = new Later(FAILED_AGAIN_MS, look);
    this.#helperAgain = new Later(HELPER_AGAIN_MS, () => this.#run());
    this.#stand();
  }

  /** Starts the helpers ahead. */
  start(): void {
    for (const { helper } of this.#lanes) helper.start();
  }

  /** Every process of the first snapshot was looked at, or cannot be. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Why the helpers do not run; "" when they do. */
  get trouble(): string {
    return this.#trouble;
  }

  get totals(): PeekTotals {
    return { ...this.#totals };
  }

  /**
   * Takes what a snapshot says; to be called while its columns hold. `dirty` are the pids that an event told of since the
   * snapshot before, null when none was asked.
   */
  watch({ processes }: Snapshot, dirty: Int32Array | null = null): void {
    if (this.#closed) return;
    let told = false;
    const left = (pid: number) => {
      if (this.#left(pid)) told = true;
    };
    this.#roll.compare(processes, (row) => this.#came(processSubject(processes, row)), left);
    if (this.#first === null)
      this.#first = this.lookAtAll().then(() => {
        this.#complete = !this.#closed;
      });
    else for (const pid of dirty ?? []) this.#touched(pid);
    this.#judgeByNewLaw();
    if (told) this.#options.changed();
  }

  /** Looks into every process that is known now; resolves when that is done, or cannot be. */
  lookAtAll(): Promise<void> {
    if (this.#closed || this.#trouble !== '') return Promise.resolve();
    const round = this.#rounds.begin(this.#entries.values());
    for (const entry of this.#entries.values()) {
      this.#arriving.delete(entry);
      this.#queueAgain(entry);
    }
    return round;
  }

  /** Resolves when the first round is done, at the latest after `withinMs`. */
  firstRound(withinMs: number): Promise<void> {
    return atMost(this.#first ?? new Promise(() => undefined), withinMs);
  }

  /** Kills the helpers; resolves within a second. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const later of [this.#arriving, this.#settling, this.#again, this.#failed, this.#helperAgain])
      later.clear();
    this.#rounds.end();
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
    this.#options.saw?.(entry.subject, null);
    for (const later of [this.#arriving, this.#settling, this.#again, this.#failed]) later.delete(entry);
    this.#rounds.leave(entry);
    if (!this.#tally.has(entry.key)) return false;
    const told = this.#tally.drop(entry.key);
    this.#stand();
    return told;
  }

  #touched(pid: number): void {
    const entry = this.#entries.get(pid);
    if (entry === undefined || entry.queued || entry.wedged > 0 || this.#arriving.has(entry)) return;
    if (performance.now() - entry.lookedMs > REST_MS) this.#arriving.add(entry);
    else if (!this.#settling.has(entry)) this.#settling.add(entry);
  }

  #queue(entry: Entry, queue: Entry[]): void {
    if (entry.queued || entry.gone || this.#closed) return;
    entry.queued = true;
    queue.push(entry);
    // Without a helper it waits until one is tried again.
    if (this.#trouble === '') this.#run();
  }

  #queueAgain(entry: Entry): void {
    this.#queue(entry, entry.wedged > 0 ? this.#suspects : this.#fresh);
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
        if (!entry.gone && !(await this.#look(entry, lane.helper))) break;
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'peeking failed');
    } finally {
      lane.busy = false;
    }
  }

  /** False when there is no helper to look with: the process waits until there is one. */
  async #look(entry: Entry, helper: Asked): Promise<boolean> {
    this.#totals.looks++;
    const answer = await helper.ask(entry.pid, entry.start);
    if (this.#closed) return false;
    if (answer.kind === 'unavailable') {
      this.#lose(answer.reason, entry);
      return false;
    }
    this.#regain();
    if (entry.gone) return true;
    entry.lookedMs = performance.now();
    if (answer.kind !== 'facts') {
      this.#unanswered(entry, answer);
      return true;
    }
    entry.wedged = 0;
    entry.broken = 0;
    if (!this.#fails(entry, answer.facts)) {
      this.#settle(entry, [answer.facts]);
      return true;
    }
    await delay(CONFIRM_AFTER_MS);
    const second = await helper.ask(entry.pid, entry.start);
    if (this.#closed) return false;
    if (second.kind === 'unavailable') {
      this.#lose(second.reason, entry);
      return false;
    }
    if (entry.gone) return true;
    if (second.kind === 'facts') this.#settleUnlessOther(entry, [answer.facts, second.facts]);
    else this.#unanswered(entry, second);
    return true;
  }

  #unanswered(entry: Entry, answer: Exclude<Answer, { kind: 'facts' | 'unavailable' }>): void {
    if (answer.kind === 'gone') {
      // The next snapshot drops it; when it does not, it is asked again.
      this.#settling.add(entry);
      this.#rounds.leave(entry);
    } else if (answer.kind === 'wedged') {
      this.#totals.killed++;
      entry.wedged++;
      if (entry.wedged === 1) this.#queue(entry, this.#suspects);
      else this.#settle(entry, [HUNG, HUNG]);
    } else {
      this.#totals.broken++;
      entry.broken++;
      if (entry.broken === 1) this.#queue(entry, this.#suspects);
      else {
        this.#options.log.warn({ pid: entry.pid, reason: answer.reason }, 'the peek helper ended by itself');
        this.#settle(entry, [BROKEN]);
      }
    }
  }

  /** A fail of one program is not told of another: a snapshot will say who it is, and brings it back. */
  #settleUnlessOther(entry: Entry, looks: readonly PeekFacts[]): void {
    if (entry.other === MOST_OTHER || !showsOther(entry, looks)) this.#settle(entry, looks);
    else {
      entry.other++;
      this.#settling.add(entry);
      this.#rounds.leave(entry);
    }
  }

  #fails(entry: Entry, facts: PeekFacts): boolean {
    const { runs } = this.#options;
    const found = failing(this.#checks, facts, { subject: entry.subject, law: this.#law }, runs);
    return [...found.values()].includes(null);
  }

  /** What these looks say is the verdict, until the next ones. */
  #settle(entry: Entry, looks: readonly PeekFacts[]): void {
    entry.looks = looks;
    this.#options.saw?.(entry.subject, looks.at(-1) as PeekFacts);
    entry.other = 0;
    const young = (looks.at(-1)?.ageSec ?? 0) * 1000 < SETTLED_MS;
    const failed = entry.wedged > 0 || entry.broken > 0;
    for (const later of [this.#settling, this.#again, this.#failed]) later.delete(entry);
    (failed ? this.#failed : young ? this.#settling : this.#again).add(entry);
    this.#judge(entry);
    this.#rounds.leave(entry);
  }

  #judge(entry: Entry): void {
    const looked = { subject: entry.subject, law: this.#law };
    const verdicts = verdictsOf(this.#checks, entry.looks, looked, this.#options.runs);
    const told = this.#tally.set(entry.key, verdicts);
    this.#stand();
    if (told) this.#options.changed();
  }

  #judgeByNewLaw(): void {
    const law = this.#options.law();
    if (law === this.#law) return;
    this.#law = law;
    for (const entry of this.#entries.values()) {
      const last = entry.looks.at(-1);
      if (last === undefined) continue;
      // What fails by one look only needs another one.
      if (entry.looks.length === 1 && this.#fails(entry, last)) this.#queue(entry, this.#fresh);
      else this.#judge(entry);
    }
  }

  #stand(): void {
    const waits = (check: string, subject: Subject): boolean => {
      if (subject.kind !== 'process' || !this.#ids.has(check)) return false;
      if (this.#first === null || this.#trouble !== '') return true;
      const entry = this.#entries.get(subject.pid);
      return entry?.start === subject.start && entry.looks.length === 0;
    };
    this.#options.cached.set(STANDING, this.#tally.verdicts(waits));
  }

  #lose(reason: string, entry: Entry): void {
    const first = this.#trouble === '';
    this.#trouble = `the peek helper does not work (${reason})`;
    this.#queueAgain(entry);
    this.#helperAgain.add('');
    this.#rounds.end();
    if (!first) return;
    this.#options.log.error({ reason }, 'the peek helper does not work');
    for (const { key } of this.#entries.values()) this.#tally.drop(key);
    this.#tally.set(EVERYBODY, blindVerdicts(this.#checks, this.#trouble, this.#entries.size));
    this.#stand();
    this.#options.changed();
  }

  #regain(): void {
    if (this.#trouble === '') return;
    this.#trouble = '';
    this.#helperAgain.clear();
    this.#tally.drop(EVERYBODY);
    for (const entry of this.#entries.values()) this.#queueAgain(entry);
    this.#run();
    this.#stand();
    this.#options.changed();
  }
}
