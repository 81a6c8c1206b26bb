/** Alerts and heartbeats of one desk. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { DeskError } from '../../base/desk-error.ts';
import { ALERT_MAIL } from '../../desk/alert-mail.ts';
import { DIFF } from '../../desk/diff.ts';
import type { FeatureHost, Running } from '../../desk/feature.ts';
import { isStuck } from '../../engine/loop.ts';
import type { Finding } from '../../findings/finding.ts';
import { reasonsOf } from '../../records/problems.ts';
import type { DeskState, LoopFacts } from '../../records/state.ts';
import { storeFails } from '../../store/guarded.ts';
import { acceptedBy } from './accepted.ts';
import { ALERTS, type TestResult } from './api.ts';
import { TargetDelivery } from './delivery.ts';
import { Digests } from './digests.ts';
import { Heartbeat } from './heartbeat.ts';
import { itemsOf, itemsOfStart, stuckItem, undecidedSites } from './items.ts';
import { type AlertItem, messageOf } from './message.ts';
import { QuietClock } from './quiet-clock.ts';
import { type QuietTime, SavedAlerts } from './saved.ts';
import { senderOf } from './senders.ts';
import { shownQuiet } from './shown.ts';
import { NOTHING_SAVED, type TargetSaved } from './target-state.ts';
import { type AlertTurn, joined } from './turn.ts';

const HOUR_MS = 3_600_000;
/** The first learning waits until every check has scanned; where it does not come, alerts do not wait longer. */
const FIRST_USE_MS = 5 * 60_000;
/** A loop that is stuck produces no states, so it is polled this often. The watchdog of systemd ends such a desk after 50 s. */
const LOOK_EVERY_MS = 5_000;
/** A store that could not be read is asked again after this long. */
const READ_AGAIN_MS = 5_000;
/** Without a state folder alerts wait this long for one: a repetition is better than an alert that never comes. */
const MOST_WAIT_MS = 5 * 60_000;

const waitsText = (isTemporary: boolean): string =>
  `alerts wait until the store can be read${isTemporary ? ', at most five minutes' : ''}, because what was reported before is not known`;

export class DeskAlerts implements Running {
  readonly #host: FeatureHost;
  readonly #turn: AlertTurn | undefined;
  readonly #saved: SavedAlerts;
  readonly #heartbeats: readonly Heartbeat[];
  readonly #digests: Digests;
  #targets: readonly TargetDelivery[] = [];
  #quiet: QuietClock;
  #end: (() => void) | null = null;
  /** What was reported before could not be read yet. */
  #waits = false;
  #stopped = false;
  readonly #startedMs = performance.now();
  #findings: readonly Finding[] | null = null;
  /** Null before the first state. */
  #open: number | null = null;
  #learned = false;
  #reasons = '';
  /** Of the last state that was observed; null before the first one. */
  #items: ReadonlyMap<string, AlertItem> | null = null;
  /** The loop was stuck when targets were last shown what is open. */
  #stuck = false;
  #looks: NodeJS.Timeout | undefined;
  readonly #since = new Map<string, string>();
  readonly #mostWaitMs: number;

  /** `mostWaitMs`: for tests. */
  constructor(host: FeatureHost, turn: AlertTurn | undefined, { mostWaitMs = MOST_WAIT_MS } = {}) {
    this.#host = host;
    this.#mostWaitMs = mostWaitMs;
    this.#turn = turn;
    this.#saved = new SavedAlerts(host.store);
    this.#quiet = new QuietClock(this.#saved);
    this.#heartbeats = host.config.heartbeat.map((one) => new Heartbeat(one, host.egress));
    const { at, to, even_when_quiet: evenWhenQuiet } = host.config.alerts.digest;
    this.#digests = new Digests({
      ...{ at, to, evenWhenQuiet, host: hostname(), diff: () => host.find(DIFF), nowMs: Date.now },
      open: () => this.#open,
      ranMs: () => performance.now() - this.#startedMs,
    });
    host.provide(ALERTS, {
      targets: () => this.#shown().targets,
      heartbeats: () => this.#shown().heartbeats,
      deliveries: (limit) => this.#saved.deliveries(limit),
      test: (name) => this.#test(name),
      quiet: () => this.#quiet.now,
      setQuiet: (quiet) => this.#setQuiet(quiet),
    });
  }

  async settle(): Promise<void> {
    // The former desk stops beside this start, which does not wait for it.
    void this.#begin();
  }

  observe(state: DeskState): void {
    const now = performance.now();
    for (const heartbeat of this.#heartbeats) heartbeat.beat(now);
    if (this.#targets.length === 0) return;
    const { findings } = state.judgement;
    // A second failed probe decides about a site and may leave its text as it was.
    const reasons = [...reasonsOf(state).map(({ text }) => text), ...undecidedSites(state)].join('\n');
    const learned = state.desk.baseline.generation > 0 || now - this.#startedMs > FIRST_USE_MS;
    const isSame = findings === this.#findings && reasons === this.#reasons && learned === this.#learned;
    this.#learned = learned;
    this.#findings = findings;
    this.#reasons = reasons;
    if (!isSame) this.#items = itemsOf(state, this.#since, learned);
    this.#show(state.desk.loop, !isSame);
  }

  /** Shows the targets what is open, where that is something else. */
  #show(loop: LoopFacts, isNew: boolean): void {
    const stuck = isStuck(loop);
    if (this.#items === null || !(isNew || stuck || this.#stuck)) return;
    this.#stuck = stuck;
    const item = stuckItem(loop);
    const open = stuck ? new Map([...this.#items, [item.id, item]]) : this.#items;
    this.#open = open.size;
    for (const target of this.#targets) target.observe(open, (id) => acceptedBy(id, this.#host));
  }

  facts() {
    return { alerts: { ...this.#shown(), quiet: shownQuiet(this.#quiet.now) } };
  }

  #shown() {
    return {
      targets: this.#targets.map(({ shown }) => shown),
      heartbeats: this.#heartbeats.map(({ shown }) => shown),
    };
  }

  async refresh(): Promise<void> {
    for (const target of this.#targets) target.step();
    await this.#digests.make(this.#targets);
  }

  trouble(): string {
    const waits = this.#waits ? [{ trouble: waitsText(this.#saved.isTemporary) }] : [];
    return [...waits, ...this.#targets, ...this.#heartbeats]
      .map(({ trouble }) => trouble)
      .filter((one) => one !== '')
      .join('; ');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#looks);
    for (const heartbeat of this.#heartbeats) heartbeat.stop();
    for (const target of this.#targets) {
      const left = await target.stop();
      if (left !== null)
        this.#turn?.kept.set(target.name, { state: left, isTemporary: this.#saved.isTemporary });
    }
    this.#end?.();
  }

  async #begin(): Promise<void> {
    if (this.#turn === undefined) return;
    const end = await this.#turn.begin();
    if (this.#stopped) return end();
    this.#end = end;
    const { config, egress, find, log } = this.#host;
    const { to, least, group_sec, remind_hours: remindHours } = config.alerts;
    const rules = { host: hostname(), groupMs: 1000 * group_sec, remindMs: HOUR_MS * remindHours };
    const states = await this.#states(
      to.map(({ name }) => name),
      this.#turn,
    );
    if (this.#stopped) return;
    this.#quiet = new QuietClock(this.#saved);
    this.#targets = to.map(
      (target) =>
        new TargetDelivery({
          ...{ target, log, saved: this.#saved, before: states.get(target.name) ?? NOTHING_SAVED },
          rules: { ...rules, least: target.least ?? least },
          sender: senderOf(target, { egress, remindHours, mail: () => find(ALERT_MAIL) }),
          quiet: () => this.#quiet.now,
        }),
    );
    // What was on its way goes on before the first change.
    for (const target of this.#targets) target.step();
    if (this.#targets.length > 0) this.#looks = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  #look(): void {
    const { loop } = this.#host.facts();
    // Where it is stuck before the first state is observed, the one of the start shows what is open.
    const start = this.#items === null && isStuck(loop) ? this.#host.latest() : null;
    if (start !== null) this.#items = itemsOfStart(start, this.#since);
    this.#show(loop, false);
  }

  /**
   * Waits for a store that cannot be read, so that what it has is neither reported again nor overwritten; a store in memory is waited for
   * at most MOST_WAIT_MS.
   */
  async #states(
    names: readonly string[],
    { kept, startedMs }: AlertTurn,
  ): Promise<ReadonlyMap<string, TargetSaved>> {
    const states = new Map<string, TargetSaved>();
    for (const name of names) {
      const stateNow = (): TargetSaved | null => {
        const left = kept.get(name);
        if (left !== undefined && (!left.isTemporary || this.#saved.isTemporary)) return left.state;
        const stored = this.#saved.target(name);
        return stored !== null && left !== undefined ? joined(stored, left.state) : stored;
      };
      let state = stateNow();
      while (state === null && !this.#stopped) {
        if (this.#saved.isTemporary && performance.now() - startedMs > this.#mostWaitMs) break;
        this.#waits = true;
        await delay(READ_AGAIN_MS, undefined, { ref: false });
        state = stateNow();
      }
      kept.delete(name);
      if (state !== null) states.set(name, state);
    }
    this.#waits = false;
    return states;
  }

  async #test(name: string | undefined): Promise<readonly TestResult[]> {
    if (this.#waits)
      throw new DeskError(
        'unavailable',
        `Nothing is sent now: ${waitsText(this.#saved.isTemporary)}.`,
        'See desk doctor for the store.',
      );
    const targets = this.#targets.filter((target) => name === undefined || target.name === name);
    if (targets.length === 0) {
      const names = this.#targets.map((target) => target.name);
      throw name === undefined || names.length === 0
        ? new DeskError(
            'refused',
            'No target for alerts is configured.',
            'Add one with [[alerts.to]] (docs/alerts.md).',
          )
        : new DeskError(
            'not-found',
            `"${name}" is not a target of alerts.`,
            `Name one of ${names.join(', ')}.`,
          );
    }
    const message = messageOf({
      ...{ id: randomBytes(8).toString('hex'), kind: 'test', atMs: Date.now(), host: hostname() },
      ...{ opened: [], resolved: [], open: 0, worstOpen: null },
      opening: 'This message was sent by "desk alert test". Alerts of this machine arrive here.',
    });
    return Promise.all(
      targets.map(async (target) => {
        const started = performance.now();
        const sent = await target.test(message);
        const ms = performance.now() - started;
        return { target: target.name, ok: sent.ok, detail: sent.ok ? sent.detail : sent.reason, ms };
      }),
    );
  }

  #setQuiet(quiet: QuietTime | null): void {
    if (!this.#quiet.set(quiet)) throw storeFails(this.#host.store);
    for (const target of this.#targets) target.step();
  }
}
