/** A row as lines of text. Pure. */
import type { Comparison, Measured } from './cases/case.ts';
import { figuresOf, goalText, judge, short } from './figures.ts';
import type { Row } from './results.ts';

export const isMeasured = (one: Comparison): one is Measured => !('notRun' in one);

/** A warning if other programs ran during the measurement, because times are then unreliable; else "". */
export const busyText = ({ load, machine }: Row): string =>
  load > 2 * machine.cores ? `busy machine: load ${load} on ${machine.cores} cores` : '';

export function linesOf(row: Row, seconds?: string): string[] {
  const facts = Object.entries(row.facts).map(([name, value]) => `${name} ${value}`);
  const busy = busyText(row);
  if (busy !== '') facts.push(busy);
  const head = `${row.target} ${row.case} as ${row.machine.user === 'root' ? 'root' : 'an ordinary user'}: ${row.title}${seconds === undefined ? '' : ` (${seconds} s)`}`;
  return [head, `   ${facts.join(', ') || 'nothing was seen'}`, ...row.comparisons.flatMap(comparisonLines)];
}

function comparisonLines(one: Comparison): string[] {
  if (!isMeasured(one)) return [`   ${one.name}: not run: ${one.notRun}`];
  const { a, b, ratio } = figuresOf(one);
  const alone = `A ${short(a.median)} ${one.unit} (${short(a.lowest)} to ${short(a.highest)})`;
  const beside =
    b === null || ratio === null
      ? ''
      : `, B ${short(b.median)} ${one.unit}; A/B ${short(ratio.median)} ` +
        `(${short(ratio.lowest)} to ${short(ratio.highest)}), B/A ${short(1 / ratio.median)}`;
  const goals = judge(one).map(
    ({ goal, reached }) => `; target ${goalText(goal, one.unit)}: ${reached ? 'reached' : 'MISSED'}`,
  );
  return [`   ${one.name}: ${alone}${beside}${goals.join('')}`];
}
