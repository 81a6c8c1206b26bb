/** Loads that change the machine: native/churn.cc and native/renamer.cc. */
import { compiled } from './compiled.ts';
import { startLines } from './lines.ts';

/** Per second; 0 where not named. */
export interface Rates {
  readonly forks?: number;
  readonly starts?: number;
  readonly connections?: number;
  readonly listeners?: number;
}

/** What a load really made, per second. */
export type Made = Readonly<Record<string, number>>;

export interface Load extends AsyncDisposable {
  /** Ends it. */
  end(): Promise<Made>;
}

async function start(program: string, words: readonly (string | number)[]): Promise<Load> {
  const lines = startLines(program, words);
  const first = await lines.next();
  if (first !== 'ready') throw new Error(`${program}: ${first}`);
  return {
    end: async () => {
      const { seconds = 1, ...counts } = JSON.parse(await lines.end()) as Record<string, number>;
      return Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, count / seconds]));
    },
    [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose](),
  };
}

export const startChurn = ({ forks = 0, starts = 0, connections = 0, listeners = 0 }: Rates): Promise<Load> =>
  start(compiled('native/churn.cc'), [forks, starts, connections, listeners]);

/** One process with so many threads that changes its name every `everyMs`. */
export const startRenamer = (everyMs: number, threads = 1): Promise<Load> =>
  start(compiled('native/renamer.cc'), [everyMs, threads]);
