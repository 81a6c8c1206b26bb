/**
 * What was reported to one target, what is new for it, and the message to deliver. There is at most one such message: what happens until it
 * is delivered goes into the next one, so an outage leaves one message behind and not a queue. Pure: times are given.
 */
import { randomBytes } from 'node:crypto';
import { mostSevereFirst, type Severity, severityRank } from '../../policy/severity.ts';
import { type DigestSaved, type DigestSpan, NO_DIGEST, withDay } from './digest.ts';
import {
  type AlertItem,
  type AlertKind,
  type AlertMessage,
  messageOf,
  type Reported,
  shortened,
} from './message.ts';

/** What outlives the process. */
export interface TargetSaved {
  /** Reported as open and not yet as resolved, by id. */
  readonly reported: Readonly<Record<string, Reported>>;
  /** New, and in no message yet. */
  readonly pending: readonly AlertItem[];
  readonly message: AlertMessage | null;
  /** Attempts to deliver it that failed. */
  readonly tries: number;
  /** An attempt may have arrived although that was not seen. */
  readonly unsure: boolean;
  /** When everything that is open was last reported, ms since the epoch: by a reminder, or by the first message. */
  readonly lastMs: number | null;
  /** Quiet time whose end was not reported to it yet. */
  readonly quiet: { readonly why: string; readonly sinceMs: number } | null;
  /** Null of a target that never had one. */
  readonly digest: DigestSaved | null;
}

export const NOTHING_SAVED: TargetSaved = {
  reported: {},
  pending: [],
  message: null,
  tries: 0,
  unsure: false,
  lastMs: null,
  quiet: null,
  digest: null,
};

export interface TargetRules {
  readonly host: string;
  /** New items within this time are one message. */
  readonly groupMs: number;
  /** Between two reminders of what is open; 0 = none. */
  readonly remindMs: number;
  /** The least severity that is reported. Raising it does not resolve what was reported before. */
  readonly least: Severity;
}

/** `monoMs` of a monotonic clock, `wallMs` since the epoch. */
export interface Times {
  readonly monoMs: number;
  readonly wallMs: number;
}

/** Where some but not all of what was reported has ended, more often does soon. */
const PARTLY_MS = 30_000;
const LONGEST_PARTLY_MS = 5 * 60_000;
/** Without a critical item: at most so many messages in this time. */
const MOST_MESSAGES = 10;
const MESSAGES_WITHIN_MS = 10 * 60_000;
/** Items that wait for a message; more are taken when these are sent. Critical ones find room where others do not. */
const MOST_PENDING = 500;
const MOST_CRITICAL = 2 * MOST_PENDING;

export class TargetState {
  readonly #rules: TargetRules;
  #saved: TargetSaved;
  /** By id, when it was first seen to be gone, and by what it was accepted. */
  readonly #gone = new Map<string, { readonly atMs: number; readonly accepted: string }>();
  #newMs: number | null = null;
  #goneMs = 0;
  #made: readonly number[] = [];
  /** Null before the first observation: no message is made then, because nothing is known to have changed. */
  #open: ReadonlyMap<string, AlertItem> | null = null;

  constructor(rules: TargetRules, saved: TargetSaved = NOTHING_SAVED) {
    this.#rules = rules;
    this.#saved = saved;
  }

  get saved(): TargetSaved {
    return this.#saved;
  }

  /**
   * Everything that is open now. `acceptedBy`: by what a finding that is gone was accepted, "" where it has ended. True when what is saved
   * has changed.
   */
  observe(
    open: ReadonlyMap<string, AlertItem>,
    { monoMs }: Times,
    acceptedBy: (finding: string) => string = () => '',
  ): boolean {
    const before = this.#saved;
    const reported = withFindings(before.reported, open);
    this.#open = open;
    let changed = reported !== before.reported;
    const pending: AlertItem[] = [];
    const waiting = new Set<string>();
    for (const item of before.pending) {
      const now = open.get(item.id);
      // It was reported before it became more severe: its end is reported as resolved.
      if (now === undefined && reported[item.id] !== undefined) {
        changed = true;
        continue;
      }
      waiting.add(item.id);
      // Who it is about is known a little later than that it is there.
      const fresh = now ?? (item.over ? item : overBy(item, acceptedBy(item.finding ?? item.id)));
      changed ||=
        fresh.over !== item.over || fresh.severity !== item.severity || fresh.program !== item.program;
      pending.push(fresh);
    }
    for (const item of open.values())
      if (!waiting.has(item.id) && this.#isNew(item) && pending.length < roomFor(item)) {
        pending.push(item);
        changed = true;
      }
    if (changed) this.#saved = { ...before, reported, pending };
    if (pending.length === 0) this.#newMs = null;
    else this.#newMs ??= monoMs;
    for (const id of this.#gone.keys()) if (open.has(id) || reported[id] === undefined) this.#gone.delete(id);
    for (const [id, { finding = id }] of Object.entries(reported))
      if (!open.has(id) && !this.#gone.has(id)) {
        this.#gone.set(id, { atMs: monoMs, accepted: acceptedBy(finding) });
        this.#goneMs = monoMs;
      }
    return changed;
  }

  /** Quiet time has begun. True when what is saved has changed. */
  quieten(why: string, sinceMs: number): boolean {
    if (this.#saved.quiet !== null) return false;
    this.#saved = { ...this.#saved, quiet: { why, sinceMs } };
    return true;
  }

  /** The digest of a local day is made, and waits for its turn; without a message there is nothing to send. */
  digest(day: string, message: AlertMessage | null, { sinceMs, untilMs }: DigestSpan): void {
    const { days, coveredMs, waiting } = this.#saved.digest ?? NO_DIGEST;
    const next = message === null ? waiting : { message, untilMs };
    const digest = { days: withDay(days, day), coveredMs: coveredMs ?? sinceMs, waiting: next };
    this.#saved = { ...this.#saved, digest };
  }

  /** Milliseconds until `make` would make a message; infinite when there is nothing to report, or a message is being delivered. */
  dueMs(times: Times, quiet: boolean, stored = true): number {
    return !quiet && stored && this.#digestWaits ? 0 : this.#changeDueMs(times, quiet);
  }

  get #digestWaits(): boolean {
    return this.#saved.message === null && (this.#saved.digest?.waiting ?? null) !== null;
  }

  #changeDueMs({ monoMs, wallMs }: Times, quiet: boolean): number {
    if (this.#saved.message !== null || this.#open === null) return Number.POSITIVE_INFINITY;
    const items = this.#eligible(quiet);
    const critical = items.some(({ severity }) => severity === 'critical');
    const due = Math.min(
      items.length === 0 ? Number.POSITIVE_INFINITY : (this.#newMs ?? monoMs) + this.#rules.groupMs - monoMs,
      quiet ? Number.POSITIVE_INFINITY : Math.min(this.#resolvedDue(monoMs), this.#reminderDue(wallMs)),
    );
    const [oldest] = this.#made;
    const full = this.#made.length >= MOST_MESSAGES && oldest !== undefined && !critical;
    return Math.max(due, full ? oldest + MESSAGES_WITHIN_MS - monoMs : 0);
  }

  /** The message that is due, which is on its way from now on; null when there is none. A digest goes only from a state that is `stored`. */
  make(times: Times, quiet: boolean, stored = true): AlertMessage | null {
    if (this.#changeDueMs(times, quiet) > 0)
      return this.#endQuiet(quiet) ?? (!quiet && stored && this.#digestWaits ? this.#sendDigest() : null);
    const { reported, pending, lastMs, quiet: wasQuiet, digest } = this.#saved;
    const opened = this.#eligible(quiet);
    const resolved = quiet
      ? []
      : [...this.#gone].flatMap(([id, { accepted }]) => {
          const one = reported[id];
          return one === undefined ? [] : [{ id, ...one, ...(accepted !== '' && { accepted }) }];
        });
    const next: Record<string, Reported> = { ...reported };
    for (const { id } of resolved) delete next[id];
    for (const { id, severity, check, title, since, over, finding } of opened)
      if (!over) next[id] = { severity, check, title, since, ...(finding !== undefined && { finding }) };
    const open = Object.keys(next).length;
    const kind = this.#kindOf(opened.length, resolved.length, open, quiet);
    const [worst] = mostSevereFirst(Object.values(next));
    const message = messageOf({
      id: randomBytes(8).toString('hex'),
      ...{ kind, atMs: times.wallMs, host: this.#rules.host, resolved, open },
      opened: kind === 'reminder' ? this.#stillOpen(next) : opened,
      worstOpen: worst?.severity ?? null,
      ...(kind === 'quiet-over' && wasQuiet !== null && { opening: quietText(wasQuiet) }),
    });
    const reportedNow = new Set(opened.map(({ id }) => id));
    this.#saved = {
      reported: next,
      pending: pending.filter(({ id }) => !reportedNow.has(id)),
      ...{ message, tries: 0, unsure: false },
      lastMs: kind === 'reminder' || Object.keys(reported).length === 0 ? times.wallMs : lastMs,
      ...{ quiet: quiet ? wasQuiet : null, digest },
    };
    for (const { id } of resolved) this.#gone.delete(id);
    this.#newMs = this.#saved.pending.length === 0 ? null : times.monoMs;
    this.#made = [...this.#made, times.monoMs].slice(-MOST_MESSAGES);
    return message;
  }

  /** An attempt begins: if the process ends in it, the message may have arrived. */
  attempt(): void {
    this.#saved = { ...this.#saved, unsure: true };
  }

  /** A digest that is on its way waits again, as it did before. */
  takeBack(before: TargetSaved): void {
    this.#saved = before;
  }

  /** The target refuses what it says as a whole: a short form goes in its place. */
  shorten(): void {
    const { message } = this.#saved;
    if (message !== null) this.#saved = { ...this.#saved, message: shortened(message) };
  }

  delivered(): void {
    this.#saved = { ...this.#saved, message: null, tries: 0, unsure: false };
  }

  failed(unsure: boolean): void {
    this.#saved = { ...this.#saved, tries: this.#saved.tries + 1, unsure };
  }

  #sendDigest(): AlertMessage | null {
    const { digest } = this.#saved;
    if (!digest?.waiting) return null;
    const { message, untilMs } = digest.waiting;
    this.#saved = {
      ...this.#saved,
      ...{ message, tries: 0, unsure: false },
      digest: { ...digest, coveredMs: untilMs, waiting: null },
    };
    return message;
  }

  /** Not reported yet, or more severe than when it was reported. */
  #isNew({ id, severity, tentative }: AlertItem): boolean {
    if (tentative) return false;
    const before = this.#saved.reported[id];
    const from = before === undefined ? severityRank(this.#rules.least) : severityRank(before.severity) + 1;
    return severityRank(severity) >= from;
  }

  #eligible(quiet: boolean): readonly AlertItem[] {
    const { pending } = this.#saved;
    return quiet ? pending.filter(({ severity }) => severity === 'critical') : pending;
  }

  #resolvedDue(monoMs: number): number {
    if (this.#gone.size === 0) return Number.POSITIVE_INFINITY;
    const all =
      this.#gone.size === Object.keys(this.#saved.reported).length && this.#saved.pending.length === 0;
    if (all) return this.#goneMs + this.#rules.groupMs - monoMs;
    const [{ atMs } = { atMs: monoMs }] = this.#gone.values();
    return Math.min(this.#goneMs + PARTLY_MS, atMs + LONGEST_PARTLY_MS) - monoMs;
  }

  /** Also when the clock was set back. */
  #reminderDue(wallMs: number): number {
    const { reported, lastMs } = this.#saved;
    if (this.#rules.remindMs === 0 || lastMs === null || Object.keys(reported).length === 0)
      return Number.POSITIVE_INFINITY;
    return this.#rules.remindMs - Math.abs(wallMs - lastMs);
  }

  #kindOf(opened: number, resolved: number, open: number, quiet: boolean): AlertKind {
    if (!quiet && this.#saved.quiet !== null) return 'quiet-over';
    if (opened > 0) return resolved > 0 ? 'changed' : 'opened';
    if (resolved > 0) return open === 0 ? 'resolved' : 'changed';
    return 'reminder';
  }

  /** Quiet time in which nothing happened ends without a word. */
  #endQuiet(quiet: boolean): null {
    if (quiet || this.#saved.quiet === null || this.#open === null) return null;
    if (this.#saved.pending.length === 0 && this.#gone.size === 0)
      this.#saved = { ...this.#saved, quiet: null };
    return null;
  }

  #stillOpen(reported: TargetSaved['reported']): readonly AlertItem[] {
    return Object.keys(reported).flatMap((id) => this.#open?.get(id) ?? []);
  }
}

/** A program that starts again is another finding of the same alert: that one is accepted, or ends. */
function withFindings(
  reported: TargetSaved['reported'],
  open: ReadonlyMap<string, AlertItem>,
): TargetSaved['reported'] {
  const others = Object.entries(reported).flatMap(([id, one]) => {
    const { finding } = open.get(id) ?? one;
    return finding === undefined || finding === one.finding ? [] : [[id, { ...one, finding }] as const];
  });
  return others.length === 0 ? reported : { ...reported, ...Object.fromEntries(others) };
}

const overBy = (item: AlertItem, accepted: string): AlertItem => ({
  ...item,
  over: true,
  ...(accepted !== '' && { accepted }),
});

const roomFor = ({ severity }: AlertItem): number => (severity === 'critical' ? MOST_CRITICAL : MOST_PENDING);

const quietText = ({ why, sinceMs }: NonNullable<TargetSaved['quiet']>): string =>
  `Quiet time since ${new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' ')} UTC is over${why === '' ? '' : ` (${why})`}. What happened meanwhile:`;
