/** One target at work: makes messages when they are due, and delivers them, with pauses between attempts, until they have arrived. */
import type { Logger } from 'pino';
import { Backoff } from '../../base/retry.ts';
import type { AlertTarget } from '../../records/alerts.ts';
import type { DigestSpan } from './digest.ts';
import type { AlertItem, AlertMessage } from './message.ts';
import type { Delivery, SavedAlerts } from './saved.ts';
import type { Sender, Target } from './senders.ts';
import { type TargetRules, type TargetSaved, TargetState, type Times } from './target-state.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** The store takes nothing: it is asked again after this long. */
const SAVE_AGAIN_MS = 5_000;
/** Longest wait of a timer; times are looked at again then, also after the clock was set. */
const LONGEST_WAIT_MS = 30_000;
/** Attempts that the target refuses for what they say, before a short form goes in their place. */
const REFUSED = 2;
/** Attempts that fail before it is a trouble of the service. */
const FAILING = 3;

interface DeliveryParts {
  readonly target: Target;
  readonly rules: TargetRules;
  /** Where the former desk or the store left it. */
  readonly before: TargetSaved;
  readonly saved: SavedAlerts;
  readonly sender: Sender;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Whether it is quiet time now, and since when. */
  readonly quiet: () => { readonly why: string; readonly sinceMs: number } | null;
}

const timesNow = (): Times => ({ monoMs: performance.now(), wallMs: Date.now() });

export class TargetDelivery {
  readonly #parts: DeliveryParts;
  readonly #backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  readonly #abort = new AbortController();
  #state: TargetState;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  /** Monotonic ms before which it is not tried again. */
  #retryMs = 0;
  #reason = '';
  #sentMs: number | null = null;
  /** Delivered, and not in the store yet. */
  #deliveries: Delivery[] = [];
  /** What a former desk could not store is in memory only. */
  #unsaved = true;
  #stopped = false;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    const { rules, saved, target, before } = parts;
    this.#state = new TargetState(rules, before);
    this.#sentMs = saved.deliveries(1_000).find((one) => one.target === target.name)?.atMs ?? null;
  }

  get name(): string {
    return this.#parts.target.name;
  }

  /** Why messages do not arrive, "" while they do. */
  get trouble(): string {
    const { tries } = this.#state.saved;
    return tries < FAILING ? '' : `alerts to "${this.name}" are not delivered: ${this.#reason}`;
  }

  get shown(): AlertTarget {
    const { target, rules } = this.#parts;
    const { message, tries, reported, pending } = this.#state.saved;
    return {
      ...{ name: target.name, kind: target.kind, least: rules.least, tries, reason: this.#reason },
      sent: this.#sentMs === null ? null : new Date(this.#sentMs).toISOString(),
      waiting: message?.title ?? '',
      reported: Object.keys(reported).length,
      pending: pending.length,
    };
  }

  get digestState(): TargetSaved['digest'] {
    return this.#state.saved.digest;
  }

  /** The digest of a local day; null: there is nothing to send. */
  digest(day: string, message: AlertMessage | null, span: DigestSpan): void {
    if (this.#stopped) return;
    this.#state.digest(day, message, span);
    this.#save();
    this.step();
  }

  observe(open: ReadonlyMap<string, AlertItem>, acceptedBy?: (finding: string) => string): void {
    const mine = new Map<string, AlertItem>();
    for (const [id, item] of open)
      mine.set(id, this.#parts.target.command_lines ? item : { ...item, command: '' });
    if (this.#state.observe(mine, timesNow(), acceptedBy)) this.#save();
    this.step();
  }

  /** Does what is due, and looks again when something else will be. */
  step(): void {
    if (this.#stopped || this.#running !== null) return;
    const times = timesNow();
    const quiet = this.#parts.quiet();
    if (quiet !== null && this.#state.quieten(quiet.why, quiet.sinceMs)) this.#save();
    if (this.#unsaved) this.#save();
    const before = this.#state.saved;
    if (before.message === null && this.#state.make(times, quiet !== null, !this.#unsaved) !== null)
      this.#retryMs = 0;
    const { message, unsure } = this.#state.saved;
    const goes = message !== null && times.monoMs >= this.#retryMs;
    if (goes) this.#state.attempt();
    if (this.#state.saved !== before) this.#save();
    // A digest that is not stored would be made again after a restart. It does not keep alerts waiting.
    const isHeld = goes && message.kind === 'digest' && before.message === null && this.#unsaved;
    if (isHeld) this.#state.takeBack(before);
    else if (goes) {
      this.#running = this.#deliver(message, unsure).finally(() => {
        this.#running = null;
        this.step();
      });
      return;
    }
    const waitMs =
      this.#state.saved.message === null
        ? this.#state.dueMs(times, quiet !== null, !this.#unsaved)
        : this.#retryMs - times.monoMs;
    const most = this.#unsaved ? SAVE_AGAIN_MS : LONGEST_WAIT_MS;
    clearTimeout(this.#timer);
    if (Number.isFinite(waitMs) || this.#unsaved || quiet !== null)
      this.#timer = setTimeout(() => this.step(), Math.max(10, Math.min(waitMs, most))).unref();
  }

  async test(message: AlertMessage): ReturnType<Sender> {
    return this.#parts.sender({ message, again: false, signal: this.#abort.signal });
  }

  /** An attempt that runs is ended; whether it arrived is asked at the next start. What is not on disk is the answer. */
  async stop(): Promise<TargetSaved | null> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#abort.abort();
    await this.#running;
    if (this.#unsaved) this.#save();
    return this.#unsaved || this.#parts.saved.isTemporary ? this.#state.saved : null;
  }

  async #deliver(message: AlertMessage, again: boolean): Promise<void> {
    const { sender, log } = this.#parts;
    const sent = await sender({ message, again, signal: this.#abort.signal });
    if (sent.ok) {
      const { kind, title, severity } = message;
      const failed = this.#state.saved.tries;
      this.#sentMs = Date.now();
      this.#deliveries.push({
        ...{ atMs: this.#sentMs, target: this.name, message: message.id, kind, title, failed },
        severity: severity ?? 'none',
      });
      this.#state.delivered();
      this.#reason = '';
      this.#backoff.reset();
      this.#retryMs = 0;
      log.info({ target: this.name, kind, failed }, 'an alert was delivered');
    } else {
      // What may have arrived once, may have arrived whatever comes after it.
      this.#state.failed(sent.unsure || again);
      if (sent.content && this.#state.saved.tries >= REFUSED) this.#state.shorten();
      const first = this.#reason !== sent.reason;
      this.#reason = sent.reason;
      this.#retryMs = performance.now() + Math.max(this.#backoff.next(), sent.waitMs ?? 0);
      if (first && !this.#stopped)
        log.warn({ target: this.name, reason: sent.reason }, 'an alert was not delivered, it is tried again');
    }
    this.#save();
  }

  #save(): void {
    const saved = this.#parts.saved.save(this.name, this.#state.saved, this.#deliveries);
    this.#unsaved = !saved;
    if (saved) this.#deliveries = [];
  }
}
