/** Looks at what is there every 30 s, and keeps what has changed. What costs much to read is read when it may have changed. */
import { plural } from '../../base/plural.ts';
import type { Unread } from '../../checks/unread.ts';
import { DIFF } from '../../desk/diff.ts';
import type { FeatureHost, Running } from '../../desk/feature.ts';
import { PACKAGES, type PackageScan } from '../../desk/packages.ts';
import { type AccountScan, STARTUP, type StartupScan } from '../../desk/startup.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import { blindClasses } from '../../records/coverage.ts';
import type { DeskState } from '../../records/state.ts';
import { BASELINE } from '../baseline/api.ts';
import { answerFacts } from './answer.ts';
import { changesBetween, knownAfter, TwiceSeen } from './compare.ts';
import {
  accountFacts,
  blindFacts,
  type Facts,
  groupFacts,
  type Kind,
  listenerFacts,
  listenerKey,
  packageFacts,
  placeOfKey,
  programFacts,
  severityFacts,
  startupFacts,
} from './facts.ts';
import { lastingPrograms, withContents } from './programs.ts';
import { MOST_FACTS, SavedDiff } from './saved.ts';

/** A program that has run this long is not a short-lived command. */
const LASTING_MS = 300_000;
/** Between two looks at programs. */
const PROGRAMS_MS = 300_000;
/** Looks without a change are noted this often. */
const TOUCH_MS = 300_000;
/** Not everything may be looked at after a start; it does not wait longer. */
const UNSETTLED_MS = 600_000;
/** Listeners that came and went between two looks, at most. */
const MOST_PASSING = 10_000;
/** Packages that are being installed are waited for no longer. */
const MOST_BUSY_MS = 600_000;
/** Files without which it is not known who is there. */
const ACCOUNT_FILES = new Set(['/etc/passwd', '/etc/group']);
/** What is read beside accounts and their rights, and not compared. */
const BESIDE = new Set(['/etc/doas.conf', '/var/log/lastlog']);

type Host = Pick<FeatureHost, 'provide' | 'find' | 'use' | 'latest' | 'state' | 'role' | 'store'>;

/** How facts are compared. */
interface Looked {
  /** What of it could not be seen; the rest is compared all the same. */
  readonly trouble?: string;
  readonly mayBeThere?: (key: string) => boolean;
  /** These stay known when they are not seen, and that is no change. */
  readonly remembered?: boolean;
  readonly fromMs?: number;
  readonly shortLived?: number;
}

interface Clocks {
  /** Since the epoch. */
  readonly nowMs: () => number;
  /** Never set. */
  readonly monotonicMs: () => number;
}

export class DeskDiff implements Running {
  readonly #host: Host;
  readonly #clocks: Clocks;
  readonly #saved: SavedDiff;
  readonly #twice: Readonly<Record<'listener' | 'blind', TwiceSeen>> = {
    listener: new TwiceSeen(),
    blind: new TwiceSeen(),
  };
  readonly #known = new Map<Kind, Facts>();
  /** When each kind was last looked at, and why that does not work, by kind. */
  readonly #lastMs = new Map<Kind, number>();
  readonly #troubles = new Map<Kind, string>();
  readonly #passing = new Set<string>();
  #listeners: Snapshot['listeners'] | null = null;
  #startup: StartupScan | null = null;
  /** The pass whose accounts were compared. */
  #accounts: StartupScan | null = null;
  #busySinceMs: number | null = null;
  #packages: PackageScan | null | undefined;
  #programsMs = Number.NEGATIVE_INFINITY;
  #touchedMs: number;
  readonly #startedMs: number;
  #looking: Promise<void> | null = null;
  #isBound = false;
  #stopped = false;

  constructor(host: Host, clocks: Clocks = { nowMs: Date.now, monotonicMs: () => performance.now() }) {
    this.#host = host;
    this.#clocks = clocks;
    this.#saved = new SavedDiff(host.store);
    this.#touchedMs = clocks.nowMs();
    this.#startedMs = clocks.monotonicMs();
    host.provide(DIFF, {
      between: (sinceMs, untilMs) =>
        answerFacts(
          { host, saved: this.#saved, troubles: this.#troubles, looked: new Set(this.#lastMs.keys()) },
          { sinceMs, untilMs, nowMs: this.#clocks.nowMs() },
        ),
      settled: () => this.#isSettled,
    });
  }

  get #isSettled(): boolean {
    return this.#startup !== null && this.#packages !== undefined && this.#lastMs.has('listener');
  }

  /** What opens and closes between two looks is counted. */
  observe({ snapshot: { listeners, machine } }: DeskState): void {
    if (listeners === this.#listeners) return;
    this.#listeners = listeners;
    if (this.#passing.size < MOST_PASSING)
      for (const one of listeners) this.#passing.add(listenerKey(one, machine.ephemeral));
  }

  /** The listeners of the desk itself are bound. */
  async settle(): Promise<void> {
    this.#isBound = true;
  }

  refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking?.catch(() => undefined);
    if (this.#host.role === 'service') this.#touch();
  }

  async #look(): Promise<void> {
    const state = this.#host.latest();
    if (this.#host.role !== 'service' || state === null || this.#stopped || !this.#isBound) return;
    this.#lookAtState(state);
    await this.#lookAtStartup();
    await this.#lookAtPackages();
    if (this.#clocks.nowMs() - this.#touchedMs >= TOUCH_MS) this.#touch();
  }

  #touch(): void {
    this.#touchedMs = this.#clocks.nowMs();
    if (this.#lastMs.size > 0) this.#saved.touch(this.#lastMs);
  }

  /** What the newest state has: its columns are read at once. */
  #lookAtState(state: DeskState): void {
    const { snapshot, judgement } = state;
    const unseen = new Map<string, string>(blindClasses(state).map(({ id, reason }) => [id, reason]));
    const nowMs = this.#clocks.monotonicMs();
    if (nowMs - this.#programsMs >= PROGRAMS_MS) this.#lookAtPrograms(state, unseen.get('processes') ?? '');
    this.#lookAtListeners(snapshot, unseen.get('sockets') ?? '');
    this.#take('severity', severityFacts(judgement.findings), { remembered: true });
    // After a start, checks that scan have not judged yet.
    if (this.#isSettled || nowMs - this.#startedMs > UNSETTLED_MS)
      this.#lookTwice('blind', blindFacts(judgement.notes, this.#troubles));
  }

  #lookAtListeners(snapshot: Snapshot, trouble: string): void {
    if (this.#setTrouble('listener', trouble)) return;
    const seen = listenerFacts(snapshot);
    const known = this.#facts('listener');
    const passed = [...this.#passing].filter((key) => !seen.has(key) && known?.has(key) === false);
    this.#passing.clear();
    const nameless = [...seen.values()].filter(({ detail }) => detail === '').length;
    const isHidden = nameless > 0 && snapshot.counts.descriptorsBlind > 0;
    this.#lookTwice('listener', seen, {
      shortLived: passed.length,
      trouble: isHidden ? `which program has ${nameless} of the listeners could not be read` : '',
    });
  }

  #lookAtPrograms(state: DeskState, trouble: string): void {
    if (this.#setTrouble('program', trouble)) return;
    this.#programsMs = this.#clocks.monotonicMs();
    // At the first look, what has just begun is as old as what the desk knows.
    const first = !this.#lastMs.has('program') && this.#saved.looks()?.has('program') === false;
    const { paths, hidden } = lastingPrograms(state, first ? 0 : LASTING_MS);
    const contents = this.#host.find(BASELINE)?.contents() ?? new Map();
    this.#take('program', programFacts(withContents(paths, contents)), {
      remembered: true,
      trouble: hidden > 0 ? `the program of ${plural(hidden, 'process', 'processes')} could not be read` : '',
    });
  }

  /** One look shows that something is there, the next one that it lasts. */
  #lookTwice(kind: 'listener' | 'blind', seen: Facts, more: Looked = {}): void {
    const known = this.#facts(kind);
    const looked = this.#saved.looks();
    if (known === null || looked === null) return;
    const fromMs = this.#lastMs.get(kind) ?? looked.get(kind)?.lastMs;
    const settled =
      fromMs === undefined ? { seen, passed: 0, fromMs } : this.#twice[kind].settle(known, seen, fromMs);
    const shortLived = Math.max(more.shortLived ?? 0, settled.passed);
    this.#take(kind, settled.seen, {
      ...more,
      shortLived,
      ...(settled.fromMs && { fromMs: settled.fromMs }),
    });
  }

  /** After each pass over the startup places: a change of an account is a change there. */
  async #lookAtStartup(): Promise<void> {
    const api = this.#host.find(STARTUP);
    const scan = api?.latest() ?? null;
    if (api === null || scan === null) return;
    if (scan !== this.#accounts && this.#areTaken(await api.accounts())) this.#accounts = scan;
    if (scan === this.#startup) return;
    // While packages are installed, files and databases differ.
    const nowMs = this.#clocks.monotonicMs();
    this.#busySinceMs = scan.busy ? (this.#busySinceMs ?? nowMs) : null;
    if (this.#busySinceMs !== null && nowMs - this.#busySinceMs < MOST_BUSY_MS) {
      this.#setTrouble('startup', 'packages are being installed');
      return;
    }
    const [first] = scan.unread;
    const unread = new Set(scan.unread.map(({ place }) => place.id));
    const missed = first === undefined ? '' : unreadText(first);
    const looked = {
      trouble: scan.container || missed,
      mayBeThere: (key: string) => unread.has(placeOfKey(key)),
    };
    if (this.#take('startup', startupFacts(scan), looked)) this.#startup = scan;
  }

  /** False: to be compared again. */
  #areTaken(found: AccountScan): boolean {
    const missing = found.unread.find(({ path }) => ACCOUNT_FILES.has(path));
    const other = found.unread.find(({ path }) => !BESIDE.has(path));
    const trouble = other === undefined ? '' : unreadText(other);
    return (['account', 'group'] as const)
      .map((kind) => {
        if (this.#setTrouble(kind, missing === undefined ? '' : unreadText(missing))) return true;
        if (kind === 'group') return this.#take(kind, groupFacts(found.groups));
        return this.#take(kind, accountFacts(found), { trouble });
      })
      .every(Boolean);
  }

  /** At the start, and after each comparison: the service compares when packages have changed. */
  async #lookAtPackages(): Promise<void> {
    const api = this.#host.find(PACKAGES);
    const scan = api?.latest() ?? null;
    if (api === null || scan === this.#packages) return;
    const { packages, unread, trouble } = await api.installed();
    const missing = new Map(unread.map(({ database, reason }) => [database, reason]));
    const looked = {
      trouble: [...missing].map(([database, reason]) => `packages of ${database}: ${reason}`).join(', '),
      mayBeThere: (key: string) => missing.has(placeOfKey(key)),
    };
    if (this.#setTrouble('package', trouble) || this.#take('package', packageFacts(packages), looked))
      this.#packages = scan;
  }

  /** Keeps why a kind cannot be compared, or not as a whole, "" where it can; true where there is a reason. */
  #setTrouble(kind: Kind, trouble: string): boolean {
    if (trouble === '') this.#troubles.delete(kind);
    else this.#troubles.set(kind, trouble);
    return trouble !== '';
  }

  /** Null when the store could not be read: the next look tries again. */
  #facts(kind: Kind): Facts | null {
    const known = this.#known.get(kind) ?? this.#saved.facts(kind);
    if (known !== null) this.#known.set(kind, known);
    return known;
  }

  /** False: it could not be kept, and is to be compared again. */
  #take(kind: Kind, all: Facts, looked: Looked = {}): boolean {
    if (this.#stopped) return false;
    const known = this.#facts(kind);
    const looks = this.#saved.looks();
    if (known === null || looks === null) return false;
    const isCut = all.size > MOST_FACTS;
    const seen = isCut ? new Map([...all].slice(0, MOST_FACTS)) : all;
    this.#setTrouble(kind, isCut ? `only the first ${MOST_FACTS} are compared` : (looked.trouble ?? ''));
    const atMs = this.#clocks.nowMs();
    const before = looks.get(kind);
    const { mayBeThere, remembered = false, shortLived = 0 } = looked;
    const fromMs = looked.fromMs ?? this.#lastMs.get(kind) ?? before?.lastMs ?? atMs;
    // Of the first look everything is known, and nothing has changed.
    const changes =
      before === undefined
        ? []
        : changesBetween(
            kind,
            { known, seen, mayBeThere: ({ key }) => remembered || isCut || mayBeThere?.(key) === true },
            { fromMs: Math.min(fromMs, atMs), atMs },
          );
    const listed = kind === 'severity' ? changes.filter((one) => one.before !== null) : changes;
    const next = this.#bounded(kind, knownAfter(known, seen, changes), seen);
    const isSame = before !== undefined && listed.length === 0 && shortLived === 0 && sameFacts(known, next);
    if (!isSame && !this.#saved.save({ kind, before: known, now: next, changes: listed, shortLived, atMs }))
      return false;
    this.#known.set(kind, next);
    this.#lastMs.set(kind, atMs);
    return true;
  }

  /** Of what is remembered, what was not seen now goes first; of findings, those that are closed. */
  #bounded(kind: Kind, facts: Facts, seen: Facts): Facts {
    if (kind === 'severity') return new Map([...facts].filter(([key]) => seen.has(key)));
    if (facts.size <= MOST_FACTS) return facts;
    const rest = [...facts].filter(([key]) => !seen.has(key));
    return new Map([...rest, ...seen].slice(-MOST_FACTS));
  }
}

const unreadText = ({ path, reason }: Unread): string => `${path} could not be read (${reason})`;

const sameFacts = (known: Facts, next: Facts): boolean =>
  known.size === next.size &&
  [...next].every(([key, { name, detail, packaged }]) => {
    const one = known.get(key);
    return one?.detail === detail && one.name === name && one.packaged === packaged;
  });
