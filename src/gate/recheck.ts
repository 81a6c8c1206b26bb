/**
 * One recheck: sweep, judge, and, where a fail is new, sweep and judge once more before it counts. Holds the open findings.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { judgementOf } from '../checks/avenues.ts';
import type { Check, Known } from '../checks/check.ts';
import { judge } from '../checks/judge.ts';
import type { Finding, Judgement } from '../checks/judgement.ts';
import type { Changes } from '../engine/events.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../law/law.ts';
import { offsetTime } from '../records/time.ts';
import { cook, unconfirmed } from './cook.ts';

/** A second sample comes at least this much later. */
const CONFIRM_AFTER_MS = 1;

export interface Rechecked {
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
  /** Sweep, judge and confirm, whole µs. */
  readonly us: number;
}

interface RecheckOptions {
  readonly checks: readonly Check[];
  readonly law: Law;
  /** The held generation, asked at each recheck. */
  readonly known: () => Known | null;
  /** Sweeps what changed, or everything for null. */
  readonly sweep: (changes: Changes | null) => Promise<Snapshot>;
  /** Findings that were open when the service last stopped. */
  readonly open: readonly Finding[];
}

export class Recheck {
  readonly #options: RecheckOptions;
  #open: ReadonlyMap<string, Finding>;

  constructor(options: RecheckOptions) {
    this.#options = options;
    this.#open = new Map(options.open.map((finding) => [finding.id, finding]));
  }

  /** Not to be called while one runs. Rejects when the sweep does; the open findings stay as they were. */
  async run(changes: Changes | null): Promise<Rechecked> {
    const { checks, law, known, sweep } = this.#options;
    const started = performance.now();
    const judgeOf = (snapshot: Snapshot) => judge(checks, { snapshot, law, known: known() });

    let snapshot = await sweep(changes);
    let verdicts = judgeOf(snapshot);
    const awaited = unconfirmed(this.#open, verdicts.fails);
    if (awaited.size > 0) {
      await delay(CONFIRM_AFTER_MS);
      // The second sample is of everything: what failed may lie outside the changes.
      snapshot = await sweep(null);
      verdicts = judgeOf(snapshot);
    }
    const cooked = cook(this.#open, verdicts, awaited, offsetTime(snapshot.at));
    this.#open = new Map(cooked.findings.map((finding) => [finding.id, finding]));
    return {
      snapshot,
      judgement: judgementOf(snapshot.generation, checks, verdicts, cooked.findings),
      opened: cooked.opened,
      closed: cooked.closed,
      us: Math.ceil((performance.now() - started) * 1000),
    };
  }
}
