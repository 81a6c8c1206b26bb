/** From the batch's answers to verdicts: the same context and answers give the same verdicts. */
import { type BatchAnswer, hasRow, rowsIn } from '../engine/batch.ts';
import type { CheckContext } from './check.ts';
import type { Compiled, CompiledRule } from './compile.ts';
import type { Subject } from './judgement.ts';
import { KeptFails } from './kept-fails.ts';
import { dumpBlindness, hiddenBlindness, processListBlindness, UNREAD } from './looks.ts';
import { listenerRowOf, processSubject } from './subjects.ts';
import { Gathering, type Verdicts } from './verdicts.ts';

/**
 * `answers` are those to `jobsOf(compiled, context.snapshot)`. `keptFails` are those of the judgement before, by the same
 * `compiled`: what they hold is not explained again.
 */
export function judge(
  compiled: Compiled,
  context: CheckContext,
  answers: readonly BatchAnswer[],
  keptFails = new KeptFails(),
): Verdicts {
  const gathering = new Gathering({ confirmed: false });
  for (const one of compiled.checks) {
    if (!('check' in one)) one.judge(context, gathering.report(one));
    else judgeRule(one, context, answers[one.job] as BatchAnswer, gathering, keptFails);
  }
  return gathering.verdicts();
}

/** The tree of processes is no proof, whoever compromised a child of ours is in it too; it saves asking about the others. */
const isOurs = ({ snapshot: { processes }, isOurs: ask }: CheckContext, row: number): boolean =>
  processes.columns.own[row] === 1 && ask?.(processSubject(processes, row)) === true;

/** Touches no row unless it failed; blind rows are looked up only when `hidden` is asked about one. */
function judgeRule(
  one: CompiledRule,
  context: CheckContext,
  answer: BatchAnswer,
  gathering: Gathering,
  keptFails: KeptFails,
): void {
  const { snapshot } = context;
  const { check } = one;
  const processes = answer.table === 'processes';
  const nothing = check.blindness?.(snapshot) ?? (processes ? processListBlindness(snapshot) : null);
  if (nothing !== null) {
    gathering.blind(check, nothing);
    return;
  }
  const count = (output: number): number => answer.counts[output] as number;
  const hides = (output: number): ((subject: Subject) => boolean) => {
    const bits = answer.bitmap(output).slice();
    if (processes)
      return (subject) => subject.kind === 'process' && hasRow(bits, snapshot.processes.rowOf(subject.pid));
    return (subject) =>
      subject.kind === 'listener' &&
      subject.namespace === undefined &&
      hasRow(bits, listenerRowOf(snapshot, subject.inode));
  };
  for (const { rule, output } of one.blind) {
    if (count(output) === 0) continue;
    gathering.blind(check, {
      reason: rule.reason,
      cure: typeof rule.cure === 'string' ? rule.cure : rule.cure(snapshot),
      subjects: count(output),
      ...(rule.hides ? { hides: hides(output) } : {}),
    });
  }
  if (count(one.unread) > 0)
    gathering.blind(check, { ...UNREAD, subjects: count(one.unread), hides: hides(one.unread) });
  const failed = count(one.fails);
  const blind = one.blind.reduce((sum, { output }) => sum + count(output), count(one.unread));
  const rows = failed === 0 ? [] : rowsIn(answer.bitmap(one.fails));
  const judged = check.sparesOurs ? rows.filter((row) => !isOurs(context, row)) : rows;
  const ours = rows.length - judged.length;
  gathering.count(count(one.applies) - blind - failed + ours, failed - ours);
  gathering.add(keptFails.of(check, context, processes, judged));
  const unseen = processes ? [hiddenBlindness(snapshot)] : dumpBlindness(snapshot);
  for (const blindness of unseen) if (blindness !== null) gathering.blind(check, blindness);
}
