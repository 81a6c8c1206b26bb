/** Distributions of cases whose rounds hold many passes, each an independent change: a median alone hides the slow ones. Pure. */
import type { Measured } from '../cases/case.ts';
import { short } from '../figures.ts';
import { isMeasured } from '../print.ts';
import type { Row } from '../results.ts';
import { quantile } from '../stats.ts';

/** Minimum number of passes of a round to report a tail. */
const MANY = 100;

export const isDistribution = ({ rawA }: Measured): boolean => rawA.every(({ length }) => length >= MANY);

/** Times of all rounds together: a change is independent of its round. */
export const pooled = ({ rawA }: Measured): number[] => rawA.flat();

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Share of the whole's time that a step takes, of the means (those of the steps add up); null if it is not a step. */
export function shareOf(step: Measured, all: readonly Measured[]): number | null {
  const whole = all.find(({ name }) => name === step.partOf);
  return whole === undefined ? null : mean(pooled(step)) / mean(pooled(whole));
}

const QUANTILES = [0.1, 0.5, 0.9, 0.99, 1] as const;

/** A table per case; `line` writes the cells of a row. */
export function distributions(rows: readonly Row[], line: (...cells: readonly string[]) => string): string[] {
  const tables = rows.flatMap((row) => {
    const all = row.comparisons.filter(isMeasured).filter(isDistribution);
    if (all.length === 0) return [];
    return [
      `### ${row.target} ${row.title}: distribution`,
      '',
      line('what', 'changes', '10 %', 'median', '90 %', '99 %', 'longest', 'share', 'is the time'),
      '|---|---|---|---|---|---|---|---|---|',
      ...all.map((one) => {
        const values = pooled(one);
        const share = shareOf(one, all);
        return line(
          share === null ? one.name : `… ${one.name}`,
          String(values.length),
          ...QUANTILES.map((part) => `${short(quantile(values, part))} ${one.unit}`),
          share === null ? '' : `${(100 * share).toFixed(0)} %`,
          one.a,
        );
      }),
      '',
    ];
  });
  if (tables.length === 0) return [];
  return [
    '## Distributions',
    '',
    'So many of a hundred changes took no longer than the figure. A step (…) begins where the one above it ends; its share is',
    'that of the mean times.',
    '',
    ...tables,
  ];
}
