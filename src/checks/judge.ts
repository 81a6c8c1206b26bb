/** From the batch's answers to verdicts. Pure: the same context and answers give the same verdicts. */
import { type BatchAnswer, eachRow, hasRow } from '../engine/batch.ts';
import type { Blindness, Check, CheckContext, Fail, FailParts, Report } from './check.ts';
import type { Compiled, CompiledRule } from './compile.ts';
import type { Note, Subject } from './judgement.ts';
import { dumpBlindness, processListBlindness, UNREAD } from './looks.ts';

export interface Verdicts {
  /** pass + fail + blind = all (check, applicable subject) pairs. */
  readonly pass: number;
  readonly fail: number;
  readonly blind: number;
  /** One per failed pair, or per key of its check (`once`). */
  readonly fails: readonly Fail[];
  /** One per check and reason. */
  readonly notes: readonly Note[];
  /** Whether a check could not look at a subject this time. */
  hidden(check: string, subject: Subject): boolean;
}

/** `answers` are those to `jobsOf(compiled, context.snapshot)`. */
export function judge(compiled: Compiled, context: CheckContext, answers: readonly BatchAnswer[]): Verdicts {
  const bench = new Bench();
  for (const one of compiled.checks) {
    if (!('check' in one)) one.judge(context, bench.report(one));
    else judgeRule(one, context, answers[one.job] as BatchAnswer, bench);
  }
  return bench.verdicts();
}

/** Touches no row unless it failed; blind rows are looked up only when `hidden` is asked about one. */
function judgeRule(one: CompiledRule, context: CheckContext, answer: BatchAnswer, bench: Bench): void {
  const { snapshot } = context;
  const { check } = one;
  const processes = answer.table === 'processes';
  const nothing = check.blindness?.(snapshot) ?? (processes ? processListBlindness(snapshot) : null);
  if (nothing !== null) {
    bench.blind(check, nothing);
    return;
  }
  const count = (output: number): number => answer.counts[output] as number;
  const hides = (output: number): ((subject: Subject) => boolean) => {
    const bits = answer.bitmap(output).slice();
    if (processes)
      return (subject) => subject.kind === 'process' && hasRow(bits, snapshot.processes.rowOf(subject.pid));
    return (subject) =>
      subject.kind === 'listener' &&
      hasRow(
        bits,
        snapshot.listeners.findIndex(({ inode }) => inode === subject.inode),
      );
  };
  for (const { rule, output } of one.blind) {
    if (count(output) === 0) continue;
    bench.blind(check, {
      reason: rule.reason,
      cure: typeof rule.cure === 'string' ? rule.cure : rule.cure(snapshot),
      subjects: count(output),
      ...(rule.hides ? { hides: hides(output) } : {}),
    });
  }
  if (count(one.unread) > 0)
    bench.blind(check, { ...UNREAD, subjects: count(one.unread), hides: hides(one.unread) });
  const failed = count(one.fails);
  const blind = one.blind.reduce((sum, { output }) => sum + count(output), count(one.unread));
  bench.count(count(one.applies) - blind - failed, failed);
  if (failed > 0) {
    const explained = new Set<bigint>();
    eachRow(answer.bitmap(one.fails), (row) => {
      const key = check.once?.(snapshot, row);
      if (key !== undefined && explained.has(key)) return;
      if (key !== undefined) explained.add(key);
      bench.fail(check, check.explain(context, row));
    });
  }
  if (!processes) for (const blindness of dumpBlindness(snapshot)) bench.blind(check, blindness);
}

/** Where verdicts are gathered. */
class Bench {
  #pass = 0;
  #fail = 0;
  #blind = 0;
  readonly #fails: Fail[] = [];
  readonly #notes = new Map<string, Note>();
  readonly #hiding: { readonly check: string; readonly hides: NonNullable<Blindness['hides']> }[] = [];

  count(pass: number, fail: number): void {
    this.#pass += pass;
    this.#fail += fail;
  }

  fail(check: Check, parts: FailParts): void {
    const { avenue = check.avenue, severity = check.severity, remedy = check.text.remedy } = parts;
    this.#fails.push({ ...parts, check, avenue, severity, remedy });
  }

  blind(check: Check, { reason, cure, subjects = 1, hides }: Blindness): void {
    this.#blind += subjects;
    const key = `${check.id} ${reason}`;
    const seen = this.#notes.get(key)?.subjects ?? 0;
    const { id, avenue } = check;
    this.#notes.set(key, { check: id, avenue, reason, cure, subjects: seen + subjects });
    if (hides !== undefined) this.#hiding.push({ check: id, hides });
  }

  /** What a check that judges by itself reports to. */
  report(check: Check): Report {
    return {
      pass: () => this.count(1, 0),
      fail: (parts) => {
        this.count(0, 1);
        this.fail(check, parts);
      },
      blind: (blindness) => this.blind(check, blindness),
    };
  }

  verdicts(): Verdicts {
    const hiding = this.#hiding;
    return {
      pass: this.#pass,
      fail: this.#fail,
      blind: this.#blind,
      fails: this.#fails,
      notes: [...this.#notes.values()],
      hidden: (check, subject) => hiding.some((one) => one.check === check && one.hides(subject)),
    };
  }
}
