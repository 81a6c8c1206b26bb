/** What a benchmark case is: one piece of work, measured in fresh processes beside a peer or a floor of the same run. */

/** The load a case runs against. */
export interface Point {
  readonly processes: number;
  readonly listeners: number;
  readonly established: number;
}

export interface Options extends Point {
  /** Times each side runs, each time in a fresh process, in turns. */
  readonly rounds: number;
  /** Calls per round that count; warm-up calls come before them. */
  readonly passes: number;
  /** The long form: slow peers too, long observations. */
  readonly full: boolean;
  /** Only tests that it works: no long observation, no large table. */
  readonly smoke: boolean;
  /** Whether peers that are not installed may be fetched and slow ones asked. */
  readonly peers: boolean;
}

/**
 * A goal. `value` is the median of A in the comparison's unit, `ratio` the median of A/B over the rounds,
 * `speedup` that of B/A.
 */
export interface Goal {
  readonly of: 'value' | 'ratio' | 'speedup';
  readonly atMost?: number;
  readonly atLeast?: number;
}

interface Named {
  readonly name: string;
  /** None: reported for orientation. */
  readonly goals: readonly Goal[];
}

export interface Measured extends Named {
  /** What A does, and the unit of the values. */
  readonly a: string;
  readonly unit: string;
  /** Raw values of every pass of every round: `[round][pass]`. */
  readonly rawA: readonly (readonly number[])[];
  /** The peer or floor; absent if the figure has no comparison. */
  readonly b?: string;
  readonly rawB?: readonly (readonly number[])[];
  /** Name of the comparison of the same case that this is a step of: all steps add up to it. */
  readonly partOf?: string;
  /** Calls of each round that were made before the values above and left out. */
  readonly warmUp: number;
}

export interface NotRun extends Named {
  readonly notRun: string;
  /** Unit of the goals that name a value. */
  readonly unit?: string;
}

export type Comparison = Measured | NotRun;

export interface Outcome {
  /** Context of the figures: backend, ISA level, what was measured. */
  readonly facts: Readonly<Record<string, string | number>>;
  readonly comparisons: readonly Comparison[];
}

export interface Case {
  /** The name of its file. */
  readonly id: string;
  /** Row of the table of targets, e.g. `P2`; S: what must never happen. */
  readonly target: string;
  readonly title: string;
  /** Set: it runs only with `--full` or by its name, and takes about this many minutes. */
  readonly minutes?: number;
  /** `farm`: inside the farm's own network namespace, where there is one; `host`: outside, for what needs the host's. */
  readonly place: 'host' | 'farm';
  /** What the work may grow with: at these loads it is measured with `--full`. */
  readonly grows: readonly ('processes' | 'established')[];
  /** When root's run has a second pass as an ordinary user: always, with `--full`, or never. */
  readonly unprivileged: 'always' | 'full' | 'never';
  run(options: Options): Promise<Outcome>;
}

export const atMost = (of: Goal['of'], limit: number): Goal => ({ of, atMost: limit });
export const atLeast = (of: Goal['of'], limit: number): Goal => ({ of, atLeast: limit });

/** A reason why something cannot be measured here, reported and stored instead of a figure. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
