/** From the batch's answers to verdicts: the same context and answers give the same verdicts. */
import { type BatchAnswer, type BatchJob, hasRow, rowsIn } from '../engine/batch.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../policy/law.ts';
import { dumpBlindness, hiddenBlindness, processListBlindness, UNREAD } from './blindness.ts';
import {
  type Blindness,
  type Check,
  type CheckContext,
  type Fail,
  type FailParts,
  failOf,
  type Known,
  type PlainCheck,
  saysTheSame,
} from './check.ts';
import { CheckRuns } from './check-runs.ts';
import { type CompiledRule, compileChecks, jobsOf } from './compile.ts';
import { KeptFails } from './kept-fails.ts';
import type { Parameter } from './rule.ts';
import { listenerRowOf, processSubject, type Subject } from './subjects.ts';
import { Gathering, type Verdicts } from './verdicts.ts';

/** What one check came to. */
interface Outcome {
  readonly pass: number;
  /** The same objects while no fail and no reason of blindness has changed. */
  readonly fails: readonly Fail[];
  readonly blind: readonly Blindness[];
  /** Of a rule: rows of each of its outputs, in the order of `outputsOf`. */
  readonly counts?: readonly number[];
  /** It may be another one though rows and counts are the same. */
  readonly fleeting?: boolean;
  /** Explaining some row failed: what is blind for it is about this snapshot alone. */
  readonly broken?: boolean;
}

/** The batch's answers of one snapshot. */
interface Judged {
  readonly snapshot: Snapshot;
  readonly answers: readonly BatchAnswer[];
}

/** Rows that differ from the snapshot that was judged before. */
interface News {
  readonly pids: ReadonlySet<number>;
  /** Those that are in the table now. */
  readonly rows: readonly number[];
}

/** Judges snapshots by one law and one generation. What did not change since the last one is not judged again. */
export class Judge {
  readonly #runs: CheckRuns;
  readonly #compiled: ReturnType<typeof compileChecks>;
  /** Fails of the snapshot before, not to explain them again. */
  readonly #keptFails = new KeptFails();
  /** Parameters that the last snapshot gave no value. */
  readonly #failed = new Map<Parameter, unknown>();
  #judged: Judged | null = null;
  #outcomes: readonly Outcome[] = [];
  #verdicts: Verdicts | null = null;

  /** `hash` is that of the `identity` and `key` columns. */
  constructor(
    checks: readonly Check[],
    law: Law,
    known: Known | null,
    hash: (text: string) => bigint,
    runs = new CheckRuns(),
  ) {
    this.#runs = runs;
    this.#compiled = compileChecks(checks, law, known, hash, runs);
  }

  jobs(snapshot: Snapshot): readonly BatchJob[] {
    this.#failed.clear();
    return jobsOf(this.#compiled, snapshot, this.#failed);
  }

  /** The judgement of the last snapshot holds for this one: its rows are the same. */
  holds(snapshot: Snapshot): void {
    if (this.#judged !== null) this.#judged = { ...this.#judged, snapshot };
  }

  /** `answers` are those to the last `jobs`, which were of the same snapshot. The same fails and notes while these do not change. */
  verdicts(context: CheckContext, answers: readonly BatchAnswer[]): Verdicts {
    const { snapshot } = context;
    const last = this.#judged?.snapshot;
    const news = last === undefined ? null : newsOf(last, snapshot);
    const sameListeners = last?.listeners === snapshot.listeners;
    this.#judged = { snapshot, answers };
    const outcomes = this.#compiled.checks.map((one, at) => {
      const known = this.#outcomes[at];
      if (!('check' in one)) return this.#plain(one, context, known);
      if ('broken' in one)
        return known ?? { pass: 0, fails: [], blind: [{ ...one.broken, hides: () => true }] };
      const again = known !== undefined && news !== null && this.#again(one, known, news, sameListeners);
      return again || this.#rule(one, context, known);
    });
    const before = this.#outcomes;
    this.#outcomes = outcomes;
    const same = outcomes.every(
      ({ fails, blind }, at) => fails === before[at]?.fails && blind === before[at]?.blind,
    );
    if (this.#verdicts === null || !same) this.#verdicts = this.#gathered(outcomes);
    else {
      const pass = outcomes.reduce((sum, one) => sum + one.pass, 0);
      if (pass !== this.#verdicts.pass) this.#verdicts = { ...this.#verdicts, pass };
    }
    return this.#verdicts;
  }

  #gathered(outcomes: readonly Outcome[]): Verdicts {
    const gathering = new Gathering({ confirmed: false, runs: this.#runs });
    outcomes.forEach(({ pass, fails, blind }, at) => {
      const one = this.#compiled.checks[at] as Compiled;
      const check = 'check' in one ? one.check : one;
      gathering.count(pass, fails.length);
      gathering.add(fails);
      for (const blindness of blind) gathering.blind(check, blindness);
    });
    return gathering.verdicts();
  }

  #count({ job }: CompiledRule, output: number): number {
    return this.#judged?.answers[job]?.counts[output] ?? 0;
  }

  /** The same outcome, where the same rows fail and are blind for the same reasons; else null. */
  #again(rule: CompiledRule, known: Outcome, news: News, sameListeners: boolean): Outcome | null {
    const { counts, fleeting } = known;
    if (this.#failed.size > 0 || fleeting === true || counts === undefined) return null;
    const answer = this.#judged?.answers[rule.job] as BatchAnswer;
    const now = outputsOf(rule).map((output) => this.#count(rule, output));
    if (now.some((count, at) => at !== APPLIES && count !== counts[at])) return null;
    if (answer.table === 'listeners' && !sameListeners) return null;
    if (answer.table === 'processes' && now[FAILS] !== 0) {
      const bits = answer.bitmap(rule.fails);
      if (news.rows.some((row) => hasRow(bits, row))) return null;
      if (this.#keptFails.hasAny(rule.check, news.pids)) return null;
    }
    const more = (now[APPLIES] ?? 0) - (counts[APPLIES] ?? 0);
    return more === 0 ? known : { ...known, pass: known.pass + more, counts: now };
  }

  #plain(check: PlainCheck, context: CheckContext, known: Outcome | undefined): Outcome {
    let pass = 0;
    const parts: FailParts[] = [];
    const blind: Blindness[] = [];
    const failed = this.#runs.run(check, () =>
      check.judge(context, {
        pass: () => {
          pass++;
        },
        fail: (one) => void parts.push(one),
        blind: (one) => void blind.push(one),
      }),
    );
    if (failed !== null) blind.push({ ...failed, hides: () => true });
    const fails = parts.map((one) => failOf(check, one, { confirmed: false }));
    if (known === undefined) return { pass, fails, blind };
    return {
      pass,
      fails: sameFails(known.fails, fails) ? known.fails : fails,
      blind: sameBlind(known.blind, blind) ? known.blind : blind,
    };
  }

  #rule(one: CompiledRule, context: CheckContext, known: Outcome | undefined): Outcome {
    let outcome: Outcome = { pass: 0, fails: [], blind: [], fleeting: true };
    const failed = this.#runs.run(one.check, () => {
      outcome = this.#judgeRule(one, context);
    });
    if (failed !== null) return { ...outcome, blind: [{ ...failed, hides: () => true }] };
    if (known === undefined) return outcome;
    const { fails, blind } = known;
    return {
      ...outcome,
      fails: isList(fails, outcome.fails) ? fails : outcome.fails,
      blind: outcome.broken !== true && sameBlind(blind, outcome.blind) ? blind : outcome.blind,
    };
  }

  /** Touches no row unless it failed; blind rows are looked up only when `hidden` is called. */
  #judgeRule(one: CompiledRule, context: CheckContext): Outcome {
    for (const [parameter, error] of this.#failed) if (one.parameters.has(parameter)) throw error;
    const { snapshot } = context;
    const { check } = one;
    const answer = this.#judged?.answers[one.job] as BatchAnswer;
    const processes = answer.table === 'processes';
    const nothing = check.blindness?.(snapshot) ?? (processes ? processListBlindness(snapshot) : null);
    if (nothing !== null) return { pass: 0, fails: [], blind: [nothing], fleeting: true };
    const count = (output: number): number => this.#count(one, output);
    const blind: Blindness[] = one.blind
      .filter(({ output }) => count(output) > 0)
      .map(({ rule, output }) => ({
        reason: rule.reason,
        cure: typeof rule.cure === 'string' ? rule.cure : rule.cure(snapshot),
        subjects: count(output),
        ...(rule.hides ? { hides: this.#hides(one, output) } : {}),
      }));
    if (count(one.unread) > 0)
      blind.push({ ...UNREAD, subjects: count(one.unread), hides: this.#hides(one, one.unread) });
    const judgedNot = blind.reduce((sum, { subjects = 1 }) => sum + subjects, 0);
    const failed = count(one.fails);
    const rows = failed === 0 ? [] : rowsIn(answer.bitmap(one.fails));
    const judged = check.exemptsOurs ? rows.filter((row) => !isOurs(context, row)) : rows;
    const ours = rows.length - judged.length;
    const { fails, broken, error } = this.#keptFails.of(check, context, processes, judged);
    if (broken.length > 0) {
      const bits = new Uint8Array(answer.bitmap(one.fails).length);
      for (const row of broken) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
      blind.push({
        ...this.#runs.failed(check, error),
        subjects: broken.length,
        hides: hiddenRows(
          () => bits,
          () => snapshot,
          processes,
        ),
      });
    }
    const unseen = processes ? [hiddenBlindness(snapshot)] : dumpBlindness(snapshot);
    for (const blindness of unseen) if (blindness !== null) blind.push(blindness);
    return {
      pass: count(one.applies) - judgedNot - failed + ours,
      fails,
      blind,
      counts: outputsOf(one).map(count),
      broken: broken.length > 0,
      fleeting:
        broken.length > 0 ||
        (failed > 0 && (check.given !== undefined || check.exemptsOurs === true)) ||
        fails.some(({ early, unattributed }) => early || unattributed),
    };
  }

  /** The rows of an output in the last snapshot that was judged. */
  #hides({ job }: CompiledRule, output: number): (subject: Subject) => boolean {
    const judged = (): Judged => this.#judged as Judged;
    const answer = (): BatchAnswer => judged().answers[job] as BatchAnswer;
    return hiddenRows(
      () => answer().bitmap(output),
      () => judged().snapshot,
      answer().table === 'processes',
    );
  }
}

type Compiled = ReturnType<typeof compileChecks>['checks'][number];

const FAILS = 0;
const APPLIES = 1;
/** Every output that the outcome of a rule depends on. */
const outputsOf = ({ fails, applies, unread, blind }: CompiledRule): readonly number[] => [
  fails,
  applies,
  unread,
  ...blind.map(({ output }) => output),
];

/** Null where they do not follow each other, or where sources have come or gone: everything is judged then. */
function newsOf(before: Snapshot, { delta, generation, probes, processes }: Snapshot): News | null {
  if (delta === null || generation !== before.generation + 1 || probes !== before.probes) return null;
  const pids = new Set(delta.pids);
  return { pids, rows: [...pids].map((pid) => processes.rowOf(pid)).filter((row) => row >= 0) };
}

const sameBlind = (some: readonly Blindness[], others: readonly Blindness[]): boolean =>
  some.length === others.length &&
  some.every(({ reason, cure, subjects, hides }, at) => {
    const other = others[at] as Blindness;
    return (
      reason === other.reason &&
      cure === other.cure &&
      subjects === other.subjects &&
      (hides === undefined) === (other.hides === undefined)
    );
  });

const isList = <T>(some: readonly T[], others: readonly T[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

const sameFails = (some: readonly Fail[], others: readonly Fail[]): boolean =>
  some.length === others.length && some.every((one, at) => saysTheSame(one, others[at] as Fail));

/** Being in our process tree is not proof: an attacker in a child of ours is in it too. */
const isOurs = ({ snapshot: { processes }, isOurs: ask }: CheckContext, row: number): boolean =>
  ask?.(processSubject(processes, row), processes.columns.own[row] === 1) === true;

function hiddenRows(
  bits: () => Uint8Array,
  snapshot: () => Snapshot,
  processes: boolean,
): (subject: Subject) => boolean {
  if (processes)
    return (subject) => subject.kind === 'process' && hasRow(bits(), snapshot().processes.rowOf(subject.pid));
  return (subject) =>
    subject.kind === 'listener' &&
    subject.namespace === undefined &&
    hasRow(bits(), listenerRowOf(snapshot(), subject.inode));
}
