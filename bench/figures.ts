/** Figures from raw rounds, and whether the goals are reached. Pure. */
import type { Goal, Measured } from './cases/case.ts';
import { median, ratios, type Spread, spread } from './stats.ts';

export interface Figures {
  /** Medians of the rounds, in the comparison's unit. */
  readonly a: Spread;
  readonly b: Spread | null;
  /** A/B of the medians of neighbouring rounds; null where there is no B. */
  readonly ratio: Spread | null;
}

export interface Judged {
  readonly goal: Goal;
  readonly found: number;
  readonly reached: boolean;
}

export function figuresOf({ rawA, rawB }: Measured): Figures {
  const a = rawA.map(median);
  if (rawB === undefined) return { a: spread(a), b: null, ratio: null };
  const b = rawB.map(median);
  return { a: spread(a), b: spread(b), ratio: spread(ratios(a, b)) };
}

/** Each goal with what was found. A goal for a peer that the comparison lacks throws: it could never be missed. */
export function judge(comparison: Measured): Judged[] {
  const { a, ratio } = figuresOf(comparison);
  return comparison.goals.map((goal) => {
    if (goal.of !== 'value' && ratio === null)
      throw new TypeError(`${comparison.name} has no peer for its goal`);
    const value = ratio?.median ?? Number.NaN;
    const found = goal.of === 'value' ? a.median : goal.of === 'ratio' ? value : 1 / value;
    const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = goal;
    return { goal, found, reached: found <= atMost && found >= atLeast };
  });
}

/** The parts of a comparison's name: `FORM against RIVAL`, `against RIVAL`; null when it names no rival. */
export function rivalry(name: string): { readonly form: string; readonly rival: string } | null {
  const found = /^(?:(.*) )?against ([^:,]+)$/.exec(name);
  return found === null ? null : { form: found[1] ?? '', rival: found[2] as string };
}

/** Three significant digits, no exponent. */
export function short(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Number(value.toPrecision(3)).toLocaleString('en', {
    useGrouping: Math.abs(value) >= 10_000,
    maximumFractionDigits: Math.min(digits, 6),
  });
}

/** A goal in words: `≤ 1.15 × B`, `≥ 70 times faster than B`, `≤ 600 µs`. */
export function goalText({ of, atMost, atLeast }: Goal, unit: string): string {
  const tail = of === 'value' ? ` ${unit}`.trimEnd() : of === 'speedup' ? ' times faster than B' : ' × B';
  return [
    ...(atMost === undefined ? [] : [`≤ ${short(atMost)}${tail}`]),
    ...(atLeast === undefined ? [] : [`≥ ${short(atLeast)}${tail}`]),
  ].join(' and ');
}
