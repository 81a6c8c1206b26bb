/** One recheck: sweep, judge, and, where a fail is new, sweep and judge once more before it counts. Holds the open findings. */
import { setTimeout as delay } from 'node:timers/promises';
import type { CachedVerdicts } from '../checks/cached-verdicts.ts';
import { changedProgram } from '../checks/changed-program.ts';
import type { Check, CheckContext, Fail, Known } from '../checks/check.ts';
import { type CheckRuns, SHARED } from '../checks/check-runs.ts';
import { Judge } from '../checks/judge.ts';
import type { Residue } from '../checks/residue.ts';
import type { Subject } from '../checks/subjects.ts';
import { unlearnedProcess } from '../checks/unlearned-process.ts';
import { together, type Verdicts } from '../checks/verdicts.ts';
import { showsTheSame } from '../engine/assemble.ts';
import type { BatchJob, BatchOutcome } from '../engine/batch.ts';
import { EVERY_MS } from '../engine/bounds.ts';
import { cureFor } from '../engine/cures.ts';
import type { Changes } from '../engine/events.ts';
import { LOOKUP } from '../engine/native/batch-types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { offsetTime } from '../engine/time.ts';
import type { Law } from '../policy/law.ts';
import { addTo, type Cooked, cook, type Findings, type Keys, restored, unconfirmed } from './cook.ts';
import type { Finding, Judgement, Suppressed } from './finding.ts';
import { keysOf } from './finding-id.ts';
import { AttributionFilter, FlapFilter } from './flap-filter.ts';
import { judgementOf } from './judgement.ts';
import { Settling, type ShortLived } from './short-lived.ts';
import { Explainer, explanationOfFinding } from './suppression.ts';
import { ZombieAge } from './zombie-age.ts';

/** A second sample comes at least this much later. */
const CONFIRM_AFTER_MS = 1;

/** No fail and no note has changed: the last judgement is valid for this snapshot, except for its counts. */
export interface Held {
  readonly held: true;
  readonly snapshot: Snapshot;
  /** Null where nothing in the snapshot has changed either. */
  readonly counts: Pick<Judgement, 'megaN' | 'pass' | 'fail' | 'blind' | 'everyTier'> | null;
  readonly unlearned: number;
  /** Whole µs. */
  readonly us: number;
}

export const isHeld = (result: Rechecked | Held): result is Held => 'held' in result;

export interface Rechecked {
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
  /** Open findings whose process is known since the last recheck. */
  readonly described: readonly Finding[];
  /** Distinct running identities that the held generation does not have, suppressed ones included. */
  readonly unlearned: number;
  readonly shortLived: ShortLived;
  /** Milliseconds after which a note that waits is old enough to count; null when none wait. */
  readonly settlesMs: number | null;
  /** Worker shards of the last batch, 1 when it was judged inline. */
  readonly shards: number;
  /** Sweep, judge and confirm, whole µs. */
  readonly us: number;
}

interface RecheckOptions {
  readonly checks: readonly Check[];
  /** The law in force; the same object while it is the same. */
  readonly law: () => Law;
  /** The held generation, read once a sample; `known` is the same object while it is the same generation. */
  readonly baseline: (snapshot: Snapshot) => Pick<CheckContext, 'known' | 'baseline'>;
  /** Sweeps what changed, or everything for null. */
  readonly sweep: (changes: Changes | null, options?: { readonly hostAgain: boolean }) => Promise<Snapshot>;
  readonly batch: (jobs: readonly BatchJob[], snapshot: Snapshot) => Promise<BatchOutcome>;
  /** Hash of the `identity` and `key` columns. */
  readonly hash: (text: string) => bigint;
  /** Verdicts of tiers 2 and 3. */
  readonly cached: CachedVerdicts;
  readonly runs?: CheckRuns | undefined;
  /** What ended runs of the desk left behind, as last found. */
  readonly residue: () => Residue;
  /** Which processes the desk started itself (`CheckContext.isOurs`). */
  readonly isOurs?: CheckContext['isOurs'];
  /** Findings that were open when the service last stopped. */
  readonly open: readonly Finding[];
  /** Adds the processes that the findings are about, as far as these are known; default: none. */
  readonly attach?: (
    cooked: Cooked,
    snapshot: Snapshot,
  ) => Cooked & { readonly described: readonly Finding[] };
}

/** What a sample was judged by, as the same objects while these are the same. */
interface JudgedBy {
  readonly snapshot: Snapshot;
  readonly atMs: number;
  readonly law: Law;
  readonly baseline: Pick<CheckContext, 'known' | 'baseline'>;
  readonly cached: Verdicts;
  readonly residue: Residue;
}

/** Which fails and notes a sample has, as the same objects while these are the same. */
interface Parts {
  readonly fails: readonly Fail[];
  readonly notes: Verdicts['notes'];
  readonly cached: Verdicts;
  readonly all: Pick<Verdicts, 'fails' | 'notes'>;
  readonly suppressed: readonly Suppressed[];
  readonly unlearned: number;
}

/** One sweep, judged. */
interface Sample {
  readonly by: JudgedBy;
  /** Verdicts of tier 1. */
  readonly quick: Verdicts;
  /** Those of all tiers. */
  readonly all: Verdicts;
  readonly suppressed: readonly Suppressed[];
  readonly unlearned: number;
  readonly shards: number;
  /** Whether law or baseline explain a finding now. */
  explains(finding: Finding): boolean;
}

/** The judge of the law in force and the held generation. */
interface Judging {
  readonly law: Law;
  readonly known: Known | null;
  readonly judge: Judge;
}

export class Recheck {
  readonly #options: RecheckOptions;
  readonly #attribution = new AttributionFilter();
  readonly #zombies = new ZombieAge();
  readonly #settling = new Settling();
  readonly #flapping: FlapFilter;
  readonly #explainer = new Explainer();
  #open: Findings;
  /** Stored as open, and part of another finding since. */
  #superseded: readonly Finding[];
  #judging: Judging | null = null;
  /**
   * What the last sample that was cooked was judged by, with the newest snapshot for which it holds; null where a judgement would
   * differ by time alone.
   */
  #held: (JudgedBy & Pick<Parts, 'all' | 'unlearned'>) | null = null;
  #parts: Parts | null = null;
  /** Some open finding of which no member fails stays open for a time. */
  #lingers = false;

  constructor(options: RecheckOptions) {
    this.#options = options;
    ({ open: this.#open, superseded: this.#superseded } = restored(options.open));
    const comeAndGo = [...this.#open].filter(([, { finding }]) => finding.members.comeAndGo);
    this.#flapping = new FlapFilter(comeAndGo.map(([key]) => key));
  }

  /** The judgement may become another one by time alone. */
  get waits(): boolean {
    const law = this.#judging?.law.suppressions ?? [];
    return (
      this.#held === null ||
      this.#lingers ||
      dependsOnAge(this.#held.snapshot) ||
      (this.#held.baseline.baseline?.window ?? null) !== null ||
      law.some(({ expiresMs }) => expiresMs !== null)
    );
  }

  /**
   * Not to be called while one runs. Rejects when the sweep does; the open findings stay as they were. `mayHold`: the judgement of the
   * last one may hold, for as long as `EVERY_MS.all`; what depends on time alone is that late.
   */
  async run(changes: Changes | null): Promise<Rechecked>;
  async run(changes: Changes | null, mayHold: boolean): Promise<Rechecked | Held>;
  async run(changes: Changes | null, mayHold = false): Promise<Rechecked | Held> {
    const { checks, sweep, attach = unattached } = this.#options;
    const started = performance.now();
    let snapshot = await sweep(changes);
    const us = () => Math.ceil((performance.now() - started) * 1000);
    const held = mayHold ? this.#held : null;
    this.#held = null;
    const young = held !== null && snapshot.at.monotonicMs - held.atMs < EVERY_MS.all;
    if (young && this.#showsTheSame(held, snapshot)) {
      this.#judging?.judge.holds(snapshot);
      this.#held = { ...held, snapshot };
      return { held: true, snapshot, counts: null, unlearned: held.unlearned, us: us() };
    }
    let sample = await this.#judge(snapshot);
    if (young && sample.all.fails === held.all.fails && sample.all.notes === held.all.notes) {
      const { unlearned, by } = sample;
      this.#held = { ...by, atMs: held.atMs, all: held.all, unlearned };
      return { held: true, snapshot, counts: countsOf(sample.quick, sample.all), unlearned, us: us() };
    }
    let waiting = this.#waiting(sample, snapshot);
    const earlier = this.#flapping.seenBefore(snapshot.at.monotonicMs);
    const awaited = unconfirmed(this.#open, sample.all.fails, waiting, earlier);
    let again: readonly Fail[] = [];
    if (awaited.size > 0) {
      // An earlier recheck has shown an equal fail, which is not an open finding.
      again = sample.all.fails.filter((fail) => {
        const { finding, member } = keysOf(fail);
        return !fail.early && earlier.has(finding) && !waiting.has(member);
      });
      await delay(CONFIRM_AFTER_MS);
      // What is not about rows is judged by facts that are not read at every sweep.
      const hostAgain = [...awaited.values()].some(({ check }) => 'judge' in check);
      snapshot = await sweep(changes && withSubjects(changes, awaited), { hostAgain });
      sample = await this.#judge(snapshot);
      waiting = this.#waiting(sample, snapshot);
    }
    const { euid } = snapshot.engine;
    const { explains } = sample;
    const nowMs = snapshot.at.monotonicMs;
    this.#lingers = false;
    const lingers = (key: string, finding: Finding): boolean => {
      const comesAndGoes = this.#flapping.lingers(key, nowMs) || this.#settling.ran.isLong(key, nowMs);
      this.#lingers ||= comesAndGoes;
      return comesAndGoes && !explains(finding);
    };
    const cooked = cook(
      this.#open,
      {
        fails: withThose(again, sample.all.fails),
        hidden: hiddenIn(sample),
        ...{ waiting, lingers },
        returns: (key, members) =>
          this.#flapping.returns(key, members) || this.#settling.ran.isLong(key, nowMs),
      },
      { has: (key) => awaited.has(key) || earlier.has(key) },
      offsetTime(snapshot.at),
    );
    this.#open = cooked.open;
    this.#flapping.take({ ...cooked.keys, once: seenOnce(cooked, awaited.values()) }, nowMs);
    const superseded = this.#superseded;
    this.#superseded = [];
    const { findings, unconfirmed: once, opened, closed, described } = attach(cooked, snapshot);
    const { by, all, unlearned } = sample;
    this.#held = this.#attribution.waits ? null : { ...by, all, unlearned };
    return {
      snapshot,
      judgement: judgementOf({
        generation: snapshot.generation,
        checks,
        quick: sample.quick,
        everyTier: sample.all,
        notes: sample.all.notes.map((note) => ({ ...note, cure: cureFor(euid, note.cure) })),
        suppressed: sample.suppressed,
        findings,
        members: new Map([...cooked.open.values()].map(({ finding, members }) => [finding.id, members])),
        unconfirmed: once,
      }),
      opened,
      closed: [...superseded, ...closed],
      described,
      unlearned,
      shortLived: this.#settling.counted(snapshot.at.monotonicMs),
      settlesMs: this.#settling.dueMs,
      shards: sample.shards,
      us: us(),
    };
  }

  #showsTheSame(by: JudgedBy, snapshot: Snapshot): boolean {
    const { law, baseline, cached, residue } = this.#options;
    return (
      showsTheSame(by.snapshot, snapshot) &&
      by.law === law() &&
      by.cached === cached.verdicts() &&
      by.residue === residue() &&
      by.baseline === baseline(snapshot)
    );
  }

  /** Judges one sweep, by one law and one generation, even if they change meanwhile. */
  async #judge(snapshot: Snapshot): Promise<Sample> {
    const { batch, isOurs, runs } = this.#options;
    this.#zombies.take(snapshot);
    const law = this.#options.law();
    const residue = this.#options.residue();
    const baseline = this.#options.baseline(snapshot);
    const { known, ...held } = baseline;
    const judge = this.#judgeBy(law, known);
    const startedMs = performance.now();
    const { answers, shards } = await batch(judge.jobs(snapshot), snapshot);
    runs?.add({ id: SHARED }, performance.now() - startedMs);
    const own = { residue, dead: this.#zombies, ...(isOurs && { isOurs }) };
    const judged = judge.verdicts({ snapshot, law, known, ...held, ...own }, answers);
    const nowMs = snapshot.at.epochMs;
    const quick = this.#explainer.explained(judged, law, known, nowMs);
    const kept = this.#options.cached.verdicts();
    const cached = this.#explainer.explained(kept, law, known, nowMs);
    const before = this.#parts;
    const { fails, notes } = quick.verdicts;
    const same = before?.fails === fails && before.notes === notes && before.cached === kept;
    const all = together([quick.verdicts, cached.verdicts], same ? before.all : null);
    if (!same)
      this.#parts = {
        ...{ fails, notes, cached: kept, all },
        suppressed: [...quick.suppressed, ...cached.suppressed],
        unlearned: unlearnedIn([...judged.fails, ...kept.fails]),
      };
    const { suppressed = [], unlearned = 0 } = this.#parts ?? {};
    return {
      by: { snapshot, atMs: snapshot.at.monotonicMs, law, baseline, cached: kept, residue },
      quick: quick.verdicts,
      all,
      suppressed,
      unlearned: known === null ? snapshot.counts.identities : unlearned,
      shards,
      explains: (finding) => explanationOfFinding(finding, law, known, nowMs) !== null,
    };
  }

  /** Member keys of the fails that wait: unattributed or young. */
  #waiting({ all: { fails } }: Sample, snapshot: Snapshot): ReadonlySet<string> {
    const unattributed = this.#attribution.among(fails, snapshot.at.monotonicMs);
    const young = this.#settling.among(fails, this.#open, snapshot);
    return unattributed.size === 0 ? young : new Set([...unattributed, ...young]);
  }

  #judgeBy(law: Law, known: Known | null): Judge {
    const { checks, hash, runs } = this.#options;
    if (this.#judging === null || this.#judging.known !== known || this.#judging.law !== law) {
      const learned = this.#judging !== null && this.#judging.known !== known;
      this.#flapping.forget(learned);
      if (learned) this.#settling.ran.forget();
      this.#judging = { law, known, judge: new Judge(checks, law, known, hash, runs) };
    }
    return this.#judging.judge;
  }
}

/** Checks that have age limits are about zombies and orphans. */
function dependsOnAge({ counts, processes }: Snapshot): boolean {
  const lookups = processes.columns.lookups.subarray(0, processes.count);
  return counts.fried > 0 || lookups.some((bits) => (bits & LOOKUP.parentMissing) !== 0);
}

const countsOf = (quick: Verdicts, { pass, fail, blind }: Verdicts): NonNullable<Held['counts']> => ({
  megaN: quick.pass + quick.fail + quick.blind,
  ...{ pass: quick.pass, fail: quick.fail, blind: quick.blind },
  everyTier: { pass, fail, blind },
});

/** A finding whose check is blind for it now stays open, unless law or baseline explain it since. */
function hiddenIn({ all, explains }: Sample) {
  const explained = new Map<Finding, boolean>();
  return (check: string, subject: Subject, finding: Finding): boolean => {
    if (!all.hidden(check, subject)) return false;
    const known = explained.get(finding) ?? explains(finding);
    explained.set(finding, known);
    return !known;
  };
}

/** Programs that were not learned, by their path or by their content. */
function unlearnedIn(fails: readonly Fail[]): number {
  const identities = new Set<string>();
  for (const { check, subject } of fails)
    if (check.id === unlearnedProcess.id && subject.kind === 'process') identities.add(subject.identity);
    else if (check.id === changedProgram.id && subject.kind === 'file') identities.add(subject.path);
  return identities.size;
}

/** The fails of the newest sample, and those of the first one that reappeared and are gone again. */
function withThose(again: readonly Fail[], newest: readonly Fail[]): readonly Fail[] {
  if (again.length === 0) return newest;
  const members = new Set(newest.map((fail) => keysOf(fail).member));
  return [...newest, ...again.filter((fail) => !members.has(keysOf(fail).member))];
}

/** What either sample showed about processes, less the open findings. */
function seenOnce({ open, keys }: Cooked, first: Iterable<Fail>): Keys['once'] {
  const once = new Map([...keys.once].map(([key, members]) => [key, new Set(members)]));
  for (const fail of first) {
    const { finding, member } = keysOf(fail);
    if (fail.subject.kind === 'process') addTo(once, finding, member);
  }
  for (const key of once.keys()) if (open.has(key)) once.delete(key);
  return once;
}

const unattached = (cooked: Cooked) => ({ ...cooked, described: [] });

/** The same changes, with the processes that failed among those that are read again. */
function withSubjects(changes: Changes, fails: ReadonlyMap<string, Fail>): Changes {
  const pids = [...fails.values()].flatMap(({ subject }) =>
    subject.kind === 'process' ? [subject.pid] : [],
  );
  return { ...changes, dirty: Int32Array.from(new Set([...changes.dirty, ...pids])) };
}
