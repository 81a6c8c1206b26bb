/**
 * One recheck: sweep, judge, and, where a fail is new, sweep and judge once more before it counts. Holds the open findings.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { judgementOf } from '../checks/avenues.ts';
import type { Check, CheckContext, Fail, Known } from '../checks/check.ts';
import { type Compiled, compileChecks, jobsOf } from '../checks/compile.ts';
import { explanationOfFinding } from '../checks/excuse.ts';
import { findingKey } from '../checks/finding-id.ts';
import { judge } from '../checks/judge.ts';
import type { Excused, Finding, Judgement } from '../checks/judgement.ts';
import type { Residue } from '../checks/residue.ts';
import type { Standing } from '../checks/standing.ts';
import { unlearnedProcess } from '../checks/unlearned-process.ts';
import { type Explained, explained, together, type Verdicts } from '../checks/verdicts.ts';
import type { BatchJob, BatchOutcome } from '../engine/batch.ts';
import { cureFor } from '../engine/cures.ts';
import type { Changes } from '../engine/events.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../law/law.ts';
import { offsetTime } from '../records/time.ts';
import { byKey, cook, type Findings, unconfirmed } from './cook.ts';
import { DeadSince } from './dead-since.ts';
import { Doubts } from './doubts.ts';

/** A second sample comes at least this much later. */
const CONFIRM_AFTER_MS = 1;

export interface Rechecked {
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
  /** Distinct running identities that the held generation does not have, excused ones included. */
  readonly unlearned: number;
  /** Worker shards of the last batch, 1 when it was judged inline. */
  readonly shards: number;
  /** Sweep, judge and confirm, whole µs. */
  readonly us: number;
}

interface RecheckOptions {
  readonly checks: readonly Check[];
  /** The law in force; the same object while it is the same. */
  readonly law: () => Law;
  /** The held generation, asked once a sample; `known` is the same object while it is the same generation. */
  readonly baseline: (snapshot: Snapshot) => Pick<CheckContext, 'known' | 'baseline'>;
  /** Sweeps what changed, or everything for null. */
  readonly sweep: (changes: Changes | null, options?: { readonly hostAgain: boolean }) => Promise<Snapshot>;
  readonly batch: (jobs: readonly BatchJob[], snapshot: Snapshot) => Promise<BatchOutcome>;
  /** Hash of the `identity` and `key` columns. */
  readonly hash: (text: string) => bigint;
  /** What tiers 2 and 3 have said. */
  readonly standing: Standing;
  /** What ended runs of the desk left behind, as it was last looked for. */
  readonly residue: () => Residue;
  /** Findings that were open when the service last stopped. */
  readonly open: readonly Finding[];
}

/** One sweep, judged. */
interface Sample {
  /** Verdicts of tier 1. */
  readonly quick: Verdicts;
  /** Those of all tiers. */
  readonly all: Verdicts;
  readonly excused: readonly Excused[];
  readonly unlearned: number;
  readonly shards: number;
  /** Whether law or baseline explain a finding now. */
  explains(finding: Finding): boolean;
}

/** What was made of the standing verdicts, and for how long that holds: until an exception ends. */
interface Stood {
  readonly verdicts: Verdicts;
  readonly law: Law;
  readonly known: Known | null;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly explained: Explained;
}

export class Recheck {
  readonly #doubts = new Doubts();
  readonly #dead = new DeadSince();
  readonly #options: RecheckOptions;
  #open: Findings;
  #compiled: { readonly law: Law; readonly known: Known | null; readonly checks: Compiled } | null = null;
  #stood: Stood | null = null;

  constructor(options: RecheckOptions) {
    this.#options = options;
    this.#open = byKey(options.open);
  }

  /** Not to be called while one runs. Rejects when the sweep does; the open findings stay as they were. */
  async run(changes: Changes | null): Promise<Rechecked> {
    const { checks, sweep } = this.#options;
    const started = performance.now();
    let snapshot = await sweep(changes);
    let sample = await this.#judge(snapshot);
    const awaited = unconfirmed(this.#open, sample.all.fails);
    if (awaited.size > 0) {
      await delay(CONFIRM_AFTER_MS);
      // What is not about rows is judged by facts that are not read at every sweep.
      const hostAgain = [...awaited.values()].some(({ check }) => 'judge' in check);
      snapshot = await sweep(changes && withSubjects(changes, awaited), { hostAgain });
      sample = await this.#judge(snapshot);
    }
    const { fails } = sample.all;
    const { euid } = snapshot.engine;
    const cooked = cook(
      this.#open,
      { fails, hidden: this.#hidden(sample), doubted: this.#doubts.among(fails, snapshot.at.monotonicMs) },
      awaited,
      offsetTime(snapshot.at),
    );
    this.#open = cooked.open;
    return {
      snapshot,
      judgement: judgementOf({
        generation: snapshot.generation,
        checks,
        quick: sample.quick,
        everyTier: sample.all,
        notes: sample.all.notes.map((note) => ({ ...note, cure: cureFor(euid, note.cure) })),
        excused: sample.excused,
        findings: cooked.findings,
        unconfirmed: cooked.unconfirmed,
      }),
      opened: cooked.opened,
      closed: cooked.closed,
      unlearned: sample.unlearned,
      shards: sample.shards,
      us: Math.ceil((performance.now() - started) * 1000),
    };
  }

  /** Judges one sweep, all of it by one law and one generation, whatever comes meanwhile. */
  async #judge(snapshot: Snapshot): Promise<Sample> {
    const { batch, residue, baseline } = this.#options;
    this.#dead.look(snapshot);
    const law = this.#options.law();
    const { known, ...held } = baseline(snapshot);
    const compiled = this.#compile(law, known);
    const { answers, shards } = await batch(jobsOf(compiled, snapshot), snapshot);
    const judged = judge(
      compiled,
      { snapshot, law, known, ...held, residue: residue(), dead: this.#dead },
      answers,
    );
    const nowMs = snapshot.at.epochMs;
    const quick = explained(judged, law, known, nowMs);
    const stood = this.#explainStanding(law, known, nowMs);
    return {
      quick: quick.verdicts,
      all: together([quick.verdicts, stood.verdicts]),
      excused: [...quick.excused, ...stood.excused],
      unlearned:
        known === null
          ? snapshot.counts.identities
          : judged.fails.filter(({ check }) => check.id === unlearnedProcess.id).length,
      shards,
      explains: (finding) => explanationOfFinding(finding, law, known, nowMs) !== null,
    };
  }

  /** Tiers 2 and 3 speak seldom, and much of what they say is explained: asked again when anything of it has changed. */
  #explainStanding(law: Law, known: Known | null, nowMs: number): Explained {
    const verdicts = this.#options.standing.verdicts();
    const kept = this.#stood;
    const same = kept?.verdicts === verdicts && kept.law === law && kept.known === known;
    if (same && kept.fromMs <= nowMs && nowMs < kept.untilMs) return kept.explained;
    const ends = law.excuses.map(({ expiresMs }) => expiresMs ?? Number.POSITIVE_INFINITY);
    this.#stood = {
      ...{ verdicts, law, known, fromMs: nowMs },
      untilMs: Math.min(Number.POSITIVE_INFINITY, ...ends.filter((endMs) => endMs > nowMs)),
      explained: explained(verdicts, law, known, nowMs),
    };
    return this.#stood.explained;
  }

  /** A finding that its check cannot look at now stays open, unless law or baseline explain it since. */
  #hidden({ all, explains }: Sample): Verdicts['hidden'] {
    return (check, subject) => {
      if (!all.hidden(check, subject)) return false;
      const held = this.#open.get(findingKey(check, subject));
      return held === undefined || !explains(held);
    };
  }

  #compile(law: Law, known: Known | null): Compiled {
    const { checks, hash } = this.#options;
    if (this.#compiled === null || this.#compiled.known !== known || this.#compiled.law !== law)
      this.#compiled = { law, known, checks: compileChecks(checks, law, known, hash) };
    return this.#compiled.checks;
  }
}

/** The same changes, with the processes that failed among those that are read again. */
function withSubjects(changes: Changes, fails: ReadonlyMap<string, Fail>): Changes {
  const pids = [...fails.values()].flatMap(({ subject }) =>
    subject.kind === 'process' ? [subject.pid] : [],
  );
  return { ...changes, dirty: Int32Array.from(new Set([...changes.dirty, ...pids])) };
}
