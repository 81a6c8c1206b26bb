/** From the batch's answers to verdicts: the same context and answers give the same verdicts. */
import { type BatchAnswer, type BatchJob, hasRow, rowsIn } from '../engine/batch.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../policy/law.ts';
import { dumpBlindness, hiddenBlindness, processListBlindness, UNREAD } from './blindness.ts';
import type { Check, CheckContext, Known } from './check.ts';
import { CheckRuns } from './check-runs.ts';
import { type CompiledRule, compileChecks, jobsOf } from './compile.ts';
import { KeptFails } from './kept-fails.ts';
import type { Parameter } from './rule.ts';
import { listenerRowOf, processSubject, type Subject } from './subjects.ts';
import { Gathering, type Verdicts } from './verdicts.ts';

/** Judges snapshots by one law and one generation. */
export class Judge {
  readonly #runs: CheckRuns;
  readonly #compiled: ReturnType<typeof compileChecks>;
  /** Fails of the snapshot before, not to explain them again. */
  readonly #keptFails = new KeptFails();
  /** Parameters that the last snapshot gave no value. */
  readonly #failed = new Map<Parameter, unknown>();

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

  /** `answers` are those to the last `jobs`, which were of the same snapshot. */
  verdicts(context: CheckContext, answers: readonly BatchAnswer[]): Verdicts {
    const gathering = new Gathering({ confirmed: false, runs: this.#runs });
    for (const one of this.#compiled.checks)
      if (!('check' in one)) gathering.run(one, (report) => one.judge(context, report));
      else if ('broken' in one) gathering.blind(one.check, { ...one.broken, hides: () => true });
      else gathering.run(one.check, () => this.#judgeRule(one, context, answers, gathering));
    return gathering.verdicts();
  }

  /**
   * Touches no row unless it failed; blind rows are looked up only when `hidden` is called. Nothing is gathered before everything
   * of the check that may throw was called, except its explanations, of which each makes its own row blind.
   */
  #judgeRule(
    one: CompiledRule,
    context: CheckContext,
    answers: readonly BatchAnswer[],
    gathering: Gathering,
  ): void {
    for (const [parameter, error] of this.#failed) if (one.parameters.has(parameter)) throw error;
    const { snapshot } = context;
    const { check } = one;
    const answer = answers[one.job] as BatchAnswer;
    const processes = answer.table === 'processes';
    const nothing = check.blindness?.(snapshot) ?? (processes ? processListBlindness(snapshot) : null);
    if (nothing !== null) {
      gathering.blind(check, nothing);
      return;
    }
    const count = (output: number): number => answer.counts[output] as number;
    const hides = (output: number) => hiddenRows(answer.bitmap(output).slice(), processes, snapshot);
    const blind = one.blind
      .filter(({ output }) => count(output) > 0)
      .map(({ rule, output }) => ({
        reason: rule.reason,
        cure: typeof rule.cure === 'string' ? rule.cure : rule.cure(snapshot),
        subjects: count(output),
        ...(rule.hides ? { hides: hides(output) } : {}),
      }));
    if (count(one.unread) > 0)
      blind.push({ ...UNREAD, subjects: count(one.unread), hides: hides(one.unread) });
    const failed = count(one.fails);
    const rows = failed === 0 ? [] : rowsIn(answer.bitmap(one.fails));
    const judged = check.exemptsOurs ? rows.filter((row) => !isOurs(context, row)) : rows;
    const ours = rows.length - judged.length;
    const { fails, broken, error } = this.#keptFails.of(check, context, processes, judged);
    for (const blindness of blind) gathering.blind(check, blindness);
    const judgedNot = blind.reduce((sum, { subjects }) => sum + subjects, 0);
    gathering.count(count(one.applies) - judgedNot - failed + ours, fails.length);
    gathering.add(fails);
    if (broken.length > 0) {
      const bits = new Uint8Array(answer.bitmap(one.fails).length);
      for (const row of broken) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
      gathering.blind(check, {
        ...this.#runs.failed(check, error),
        subjects: broken.length,
        hides: hiddenRows(bits, processes, snapshot),
      });
    }
    const unseen = processes ? [hiddenBlindness(snapshot)] : dumpBlindness(snapshot);
    for (const blindness of unseen) if (blindness !== null) gathering.blind(check, blindness);
  }
}

/** Being in our process tree is not proof, an attacker in a child of ours is in it too; it saves checking the others. */
const isOurs = ({ snapshot: { processes }, isOurs: ask }: CheckContext, row: number): boolean =>
  processes.columns.own[row] === 1 && ask?.(processSubject(processes, row)) === true;

function hiddenRows(bits: Uint8Array, processes: boolean, snapshot: Snapshot): (subject: Subject) => boolean {
  if (processes)
    return (subject) => subject.kind === 'process' && hasRow(bits, snapshot.processes.rowOf(subject.pid));
  return (subject) =>
    subject.kind === 'listener' &&
    subject.namespace === undefined &&
    hasRow(bits, listenerRowOf(snapshot, subject.inode));
}
