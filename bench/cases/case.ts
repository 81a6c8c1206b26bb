/** What a benchmark case is: one piece of work against a peer that does the same, in the same run. */

export interface Options {
  /** Processes of the farm. */
  readonly processes: number;
  /** Times each side runs, each time in a fresh process, in turns. */
  readonly rounds: number;
}

export interface Comparison {
  readonly name: string;
  /** What A and B do, and the unit of their values. */
  readonly a: string;
  readonly b: string;
  readonly unit: string;
  /** Raw values of every pass of every round: `[round][pass]`. */
  readonly rawA: readonly (readonly number[])[];
  readonly rawB: readonly (readonly number[])[];
  /** A is to be at most this many times B. */
  readonly target: number;
}

export interface Case {
  readonly id: string;
  /** Facts the figures belong to: backend, mark, processes seen. */
  run(options: Options): Promise<{ facts: Record<string, string | number>; comparisons: Comparison[] }>;
}

/** Middle value; of an even count the mean of the two in the middle. Throws on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half];
  const lower = sorted[sorted.length % 2 === 0 ? half - 1 : half];
  if (upper === undefined || lower === undefined) throw new RangeError('the median of nothing');
  return (upper + lower) / 2;
}
