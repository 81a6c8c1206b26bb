/** `npm run bench -- compare BEFORE AFTER`: what changed beyond noise. Pure. */
import type { Comparison } from './cases/case.ts';
import { short } from './figures.ts';
import { isMeasured } from './print.ts';
import type { Row } from './results.ts';
import { mannWhitney, median, ratioInterval, ratios } from './stats.ts';

/** A change is reported if chance produces such ranks in fewer cases than this … */
const CHANCE = 0.01;
/** … the interval of the change leaves 1 out, and the change is at least this large. */
const LEAST_CHANGE = 0.02;

export interface Change {
  readonly name: string;
  /** What was compared: values of A, or A/B where both runs have the same peer. */
  readonly of: string;
  /** Median after over median before. */
  readonly change: number;
  readonly interval: readonly [low: number, high: number];
  readonly chance: number;
  readonly verdict: 'changed' | 'within noise' | 'too few rounds to tell';
}

const keyOf = (row: Row, { name }: Comparison): string =>
  `${row.target} ${row.case} ${name} as ${row.machine.user} @ ${row.point.processes}/${row.point.listeners}/${row.point.established}`;

const measured = (rows: readonly Row[]) =>
  new Map(
    rows.flatMap((row) =>
      row.comparisons.filter(isMeasured).map((one) => [keyOf(row, one), { row, one }] as const),
    ),
  );

/**
 * Compares every figure that both runs have. Where both were measured beside the same peer, A/B is compared: what changed
 * the machine between the runs falls out of it.
 */
export function changesBetween(before: readonly Row[], after: readonly Row[]): Change[] {
  const later = measured(after);
  return [...measured(before)].flatMap(([name, { one: old }]): Change[] => {
    const fresh = later.get(name)?.one;
    if (fresh === undefined || fresh.unit !== old.unit) return [];
    const paired = old.rawB !== undefined && fresh.rawB !== undefined && old.b === fresh.b;
    const values = ({ rawA, rawB }: typeof old) => {
      const a = rawA.map(median);
      return paired ? ratios(a, (rawB ?? []).map(median)) : a;
    };
    const [x, y] = [values(old), values(fresh)];
    const change = median(y) / median(x);
    const interval = ratioInterval(x, y);
    const chance = mannWhitney(x, y);
    // With so few rounds even complete separation may be chance.
    const least = mannWhitney(
      x.map((_, index) => index),
      y.map((_, index) => index + x.length),
    );
    const clear = chance < CHANCE && (interval[0] > 1 || interval[1] < 1);
    const verdict =
      least >= CHANCE
        ? 'too few rounds to tell'
        : clear && Math.abs(change - 1) >= LEAST_CHANGE
          ? 'changed'
          : 'within noise';
    return [{ name, of: paired ? 'A/B' : `A in ${old.unit}`, change, interval, chance, verdict }];
  });
}

/** What differs between two machines or builds, in words; "" when nothing does. */
function settingsDiffer([a]: readonly Row[], [b]: readonly Row[]): string {
  if (a === undefined || b === undefined) return '';
  const differing = Object.entries(a.machine).filter(
    ([key, value]) => b.machine[key as keyof Row['machine']] !== value,
  );
  return differing.map(([key]) => key).join(', ');
}

export function compareFolders(before: readonly Row[], after: readonly Row[]): string[] {
  const changes = changesBetween(before, after);
  const withVerdict = (verdict: Change['verdict']) => changes.filter((one) => one.verdict === verdict);
  const line = ({ name, of, change, interval, chance }: Change): string =>
    `  ${name}: ${of} ${change >= 1 ? '+' : '−'}${short(Math.abs(change - 1) * 100)} % ` +
    `(95 % between ×${short(interval[0])} and ×${short(interval[1])}, p ${chance.toExponential(1)})`;
  const differ = settingsDiffer(before, after);
  const [changed, noise, few] = [
    withVerdict('changed'),
    withVerdict('within noise'),
    withVerdict('too few rounds to tell'),
  ];
  const gone = measured(before).size - changes.length;
  return [
    `before ${before[0]?.commit ?? '?'} ${before[0]?.at ?? ''}, after ${after[0]?.commit ?? '?'} ${after[0]?.at ?? ''}`,
    ...(differ === '' ? [] : [`the runs differ in ${differ}: only A/B means anything`]),
    `${changed.length} changed, ${noise.length} within noise, ${few.length} with too few rounds to tell, ${gone} without counterpart`,
    ...(changed.length === 0 ? [] : ['changed:', ...changed.map(line)]),
    ...(few.length === 0 ? [] : ['too few rounds to tell (take --rounds 5 or more):', ...few.map(line)]),
  ];
}
