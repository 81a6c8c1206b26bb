/** Statistics of benchmark rounds. Pure: the only randomness is a generator with a fixed seed. */
import { randomFrom } from '../test/support/random.ts';

/** Middle value; of an even count the mean of the two in the middle. Throws on an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Quantile by linear interpolation between the two nearest values (Hyndman and Fan, type 7). Throws on an empty list. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('a quantile of nothing');
  const sorted = [...values].sort((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(at)] as number;
  const upper = sorted[Math.ceil(at)] as number;
  return lower + (upper - lower) * (at - Math.floor(at));
}

export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

/** The ratio A/B of each pair of neighbouring rounds: changes of the whole machine cancel out. */
export function ratios(a: readonly number[], b: readonly number[]): number[] {
  if (a.length !== b.length || a.length === 0) throw new RangeError('rounds come in pairs');
  return a.map((value, index) => value / (b[index] as number));
}

const RESAMPLES = 2000;

/**
 * Percentile bootstrap (Efron) of the ratio of the medians of two samples, `after` over `before`: the interval that
 * holds it with the given confidence.
 */
export function ratioInterval(
  before: readonly number[],
  after: readonly number[],
  confidence = 0.95,
): readonly [low: number, high: number] {
  // From a seed, so that the same rounds give the same interval.
  const random = randomFrom(before.length * 1009 + after.length);
  const resampled = (values: readonly number[]) =>
    median(values.map(() => values[Math.floor(random() * values.length)] as number));
  const found = Array.from({ length: RESAMPLES }, () => {
    const base = resampled(before);
    return resampled(after) / base;
  });
  const tail = (1 - confidence) / 2;
  return [quantile(found, tail), quantile(found, 1 - tail)];
}

/** More subsets than this are not counted exactly. */
const MOST_SUBSETS = 200_000;

/** Ranks from 1 on, doubled so that the mean rank of tied values stays whole. */
function doubledRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((one, other) => at(values, one) - at(values, other));
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && at(values, at(order, to + 1)) === at(values, at(order, from))) to += 1;
    for (let index = from; index <= to; index += 1) ranks[at(order, index)] = from + to + 2;
    from = to + 1;
  }
  return ranks;
}

const at = (values: ArrayLike<number>, index: number): number => values[index] as number;

function subsets(of: number, taken: number): number {
  let count = 1;
  for (let i = 1; i <= taken; i += 1) count = (count * (of - taken + i)) / i;
  return Math.round(count);
}

/**
 * Two-sided Mann–Whitney test: how probable a difference of ranks at least this large is when both samples come from the
 * same distribution. Exact for small samples, ties included (all subsets are counted); else the normal approximation
 * with tie correction. 1 for an empty sample.
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const [n, m] = [a.length, b.length];
  if (n === 0 || m === 0) return 1;
  const ranks = doubledRanks([...a, ...b]);
  const sum = ranks.slice(0, n).reduce((total, rank) => total + rank, 0);
  // Doubled, so that it is whole: the mean of the rank sum is n(n + m + 1) / 2.
  const middle = n * (n + m + 1);
  const distance = Math.abs(sum - middle);
  if (subsets(n + m, n) <= MOST_SUBSETS) return exactTail(ranks, n, middle, distance);
  const ties = new Map<number, number>();
  for (const rank of ranks) ties.set(rank, (ties.get(rank) ?? 0) + 1);
  const all = n + m;
  const tied = [...ties.values()].reduce((total, count) => total + count ** 3 - count, 0);
  const variance = ((n * m) / 12) * (all + 1 - tied / (all * (all - 1)));
  if (variance <= 0) return 1;
  const z = Math.max(0, distance / 2 - 0.5) / Math.sqrt(variance);
  return Math.min(1, 2 * upperTail(z));
}

/** Share of the subsets of `n` ranks whose sum is at least `distance` away from the middle. */
function exactTail(ranks: readonly number[], n: number, middle: number, distance: number): number {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const ways = Array.from({ length: n + 1 }, () => new Float64Array(total + 1));
  (ways[0] as Float64Array)[0] = 1;
  for (const rank of ranks) {
    for (let taken = n; taken >= 1; taken -= 1) {
      const [into, from] = [ways[taken] as Float64Array, ways[taken - 1] as Float64Array];
      for (let sum = total; sum >= rank; sum -= 1) into[sum] = at(into, sum) + at(from, sum - rank);
    }
  }
  const counted = ways[n] as Float64Array;
  let far = 0;
  let all = 0;
  counted.forEach((count, sum) => {
    all += count;
    if (Math.abs(sum - middle) >= distance) far += count;
  });
  return far / all;
}

/** P(Z > z) of the normal distribution for z ≥ 0 (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

/** Least-squares slope of y over x. Needs two points with different x. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return over / under;
}

/** Slope of log y over log x: 1 = linear growth, 0 = flat. Needs two points with different x. */
export function growthExponent(points: readonly (readonly [x: number, y: number])[]): number {
  return slope(points.map(([x, y]) => [Math.log(x), Math.log(y)] as const));
}
