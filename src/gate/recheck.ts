/**
 * One recheck: sweep, judge, and, where a fail is new, sweep and judge once more before it counts. Holds the open findings.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { judgementOf } from '../checks/avenues.ts';
import type { BaselineState, Check, Fail, Known } from '../checks/check.ts';
import { type Compiled, compileChecks, jobsOf } from '../checks/compile.ts';
import { explanationOfFinding } from '../checks/excuse.ts';
import { findingKey } from '../checks/finding-id.ts';
import { judge } from '../checks/judge.ts';
import type { Finding, Judgement } from '../checks/judgement.ts';
import type { Residue } from '../checks/residue.ts';
import type { Standing } from '../checks/standing.ts';
import { unlearnedProcess } from '../checks/unlearned-process.ts';
import { explained, together, type Verdicts } from '../checks/verdicts.ts';
import type { BatchJob, BatchOutcome } from '../engine/batch.ts';
import type { Changes } from '../engine/events.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../law/law.ts';
import { offsetTime } from '../records/time.ts';
import { byKey, cook, type Findings, unconfirmed } from './cook.ts';
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
  /** The held generation, asked at each recheck; the same object while it is the same generation. */
  readonly known: (snapshot: Snapshot) => Known | null;
  /** What is to be said of the baseline itself; left out where there is no store. */
  readonly baseline?: () => BaselineState | null;
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

export class Recheck {
  readonly #doubts = new Doubts();
  readonly #options: RecheckOptions;
  #open: Findings;
  #compiled: { readonly law: Law; readonly known: Known | null; readonly checks: Compiled } | null = null;

  constructor(options: RecheckOptions) {
    this.#options = options;
    this.#open = byKey(options.open);
  }

  /** Not to be called while one runs. Rejects when the sweep does; the open findings stay as they were. */
  async run(changes: Changes | null): Promise<Rechecked> {
    const { checks, law, known, baseline, sweep, batch, standing, residue } = this.#options;
    const started = performance.now();
    let shards = 1;
    const judgeOf = async (snapshot: Snapshot) => {
      const held = known(snapshot);
      const compiled = this.#compile(held);
      const outcome = await batch(jobsOf(compiled, snapshot), snapshot);
      shards = outcome.shards;
      const context = {
        snapshot,
        law: law(),
        known: held,
        baseline: baseline?.() ?? null,
        residue: residue(),
      };
      const quick = judge(compiled, context, outcome.answers);
      const nowMs = snapshot.at.epochMs;
      const judged = explained(quick, law(), held, nowMs);
      const stood = explained(standing.verdicts(), law(), held, nowMs);
      return {
        quick: judged.verdicts,
        all: together([judged.verdicts, stood.verdicts]),
        excused: [...judged.excused, ...stood.excused],
        unlearned:
          held === null
            ? snapshot.counts.identities
            : quick.fails.filter(({ check }) => check.id === unlearnedProcess.id).length,
      };
    };

    let snapshot = await sweep(changes);
    let verdicts = await judgeOf(snapshot);
    const awaited = unconfirmed(this.#open, verdicts.all.fails);
    if (awaited.size > 0) {
      await delay(CONFIRM_AFTER_MS);
      // What is not about rows is judged by facts that are not read at every sweep.
      const hostAgain = [...awaited.values()].some(({ check }) => 'judge' in check);
      snapshot = await sweep(changes && withSubjects(changes, awaited), { hostAgain });
      verdicts = await judgeOf(snapshot);
    }
    const { fails } = verdicts.all;
    const doubted = this.#doubts.among(fails, snapshot.at.epochMs);
    const hidden = this.#hidden(verdicts.all, snapshot);
    const cooked = cook(
      this.#open,
      {
        fails: fails.filter((fail) => !doubted.has(findingKey(fail.check.id, fail.subject))),
        hidden: (check, subject) => doubted.has(findingKey(check, subject)) || hidden(check, subject),
      },
      awaited,
      offsetTime(snapshot.at),
    );
    this.#open = cooked.open;
    return {
      snapshot,
      judgement: judgementOf({
        generation: snapshot.generation,
        checks,
        quick: verdicts.quick,
        everyTier: verdicts.all,
        notes: verdicts.all.notes,
        excused: verdicts.excused,
        findings: cooked.findings,
      }),
      opened: cooked.opened,
      closed: cooked.closed,
      unlearned: verdicts.unlearned,
      shards,
      us: Math.ceil((performance.now() - started) * 1000),
    };
  }

  /** A finding that its check cannot look at now stays open, unless law or baseline explain it since. */
  #hidden(verdicts: Verdicts, snapshot: Snapshot): Verdicts['hidden'] {
    const { law, known } = this.#options;
    const nowMs = snapshot.at.epochMs;
    return (check, subject) => {
      if (!verdicts.hidden(check, subject)) return false;
      const held = this.#open.get(findingKey(check, subject));
      return held === undefined || explanationOfFinding(held, law(), known(snapshot), nowMs) === null;
    };
  }

  #compile(known: Known | null): Compiled {
    const { checks, hash } = this.#options;
    const law = this.#options.law();
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
