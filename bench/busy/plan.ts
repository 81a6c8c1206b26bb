/** What the parts of the case `busy` share: how long each observes, and the sheet that collects their values. */
import type { Comparison, Goal, Options } from '../cases/case.ts';
import type { Groups } from '../group.ts';
import { BASE } from '../options.ts';

/** Seconds, and how many. */
interface Spans {
  /** Between the start of a load and its span: the service reads what is new again after 1 s at the latest. */
  readonly begin: number;
  /** Waiting for the end of the start-up scans, at most. */
  readonly settle: number;
  readonly quiet: number;
  readonly change: number;
  readonly load: number;
  readonly storm: number;
  /** After a storm. */
  readonly calm: number;
  /** After the end of a mark, until it counts as missed: longer than any pause of the loop. */
  readonly seen: number;
  /** Processes that fail a check. */
  readonly failing: number;
  /** Processes with threads. */
  readonly threaded: number;
  /** Share of the forks and listeners of a storm. */
  readonly stormScale: number;
}

const SHORT: Spans = {
  begin: 1.5,
  settle: 120,
  quiet: 60,
  change: 20,
  load: 20,
  storm: 10,
  calm: 10,
  seen: 10,
  failing: 5000,
  threaded: 200,
  stormScale: 1,
};
const FULL: Spans = { ...SHORT, change: 60, load: 60 };
const SMOKE: Spans = {
  begin: 0.1,
  settle: 1,
  quiet: 1,
  change: 1,
  load: 1,
  storm: 1,
  calm: 1,
  seen: 1,
  failing: 50,
  threaded: 5,
  stormScale: 0.02,
};

/** Rounds that are made even when more are asked for: each takes minutes. */
const MOST_ROUNDS = 3;

export interface Bench {
  readonly options: Options;
  readonly groups: Groups;
  readonly spans: Spans;
  readonly rounds: number;
  readonly sheet: Sheet;
  /** Context of the figures, by name. */
  readonly facts: Record<string, string | number>;
}

export const benchOf = (options: Options, groups: Groups): Bench => ({
  options,
  groups,
  spans: options.smoke ? SMOKE : options.full ? FULL : SHORT,
  rounds: Math.min(options.rounds, MOST_ROUNDS),
  sheet: new Sheet(),
  facts: {},
});

/** The goal of this load; none where there is no target for it. */
export const goalAt = (processes: number, limits: Readonly<Record<number, number>>): Goal[] => {
  const limit = limits[processes];
  return limit === undefined ? [] : [{ of: 'value', atMost: limit }];
};

/** Parts that choose their own load, or have targets for one load only, are measured once. */
export const isOnce = ({ processes, full }: Options): boolean =>
  full ? processes === BASE.processes : processes <= BASE.processes;

export interface About {
  readonly name: string;
  readonly a: string;
  readonly unit: string;
  readonly goals?: readonly Goal[];
  /** The peer measured in the same round. */
  readonly b?: string;
}

interface Kept {
  readonly about: About;
  readonly rawA: number[][];
  readonly rawB: number[][];
  notRun: string;
}

/** One value per round and side of each comparison. */
export class Sheet {
  readonly #kept = new Map<string, Kept>();

  #of(about: About): Kept {
    const kept = this.#kept.get(about.name) ?? { about, rawA: [], rawB: [], notRun: '' };
    this.#kept.set(about.name, kept);
    return kept;
  }

  put(about: About, a: number, b?: number): void {
    const kept = this.#of(about);
    kept.rawA.push([a]);
    if (b !== undefined) kept.rawB.push([b]);
  }

  /** A reason instead of a value; it is shown when no round has one. */
  absent(about: About, reason: string): void {
    this.#of(about).notRun = reason;
  }

  comparisons(): Comparison[] {
    return [...this.#kept.values()].map(({ about, rawA, rawB, notRun }): Comparison => {
      const { name, a, unit, goals = [], b } = about;
      if (rawA.length === 0) return { name, goals, unit, notRun };
      const measured = { name, goals, a, unit, rawA, warmUp: 0 };
      return b === undefined ? measured : { ...measured, b, rawB };
    });
  }
}

/**
 * Does something whose failure must not lose what was measured before: the reason is reported, in place of its values. In the smoke
 * form a failure is one.
 */
export async function attempt<T>(
  { sheet, facts, options }: Bench,
  of: readonly About[],
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (options.smoke) throw error;
    const reason = `failed: ${(error as Error).message.trim()}`;
    for (const about of of) {
      facts[about.name] = reason;
      sheet.absent(about, reason);
    }
    return null;
  }
}
