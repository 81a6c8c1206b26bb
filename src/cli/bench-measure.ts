/** The short form of the benchmarks, on this machine as it is: every value in the result is a measurement of this run. */
import { cpus, release } from 'node:os';
import type { Desk } from '../desk/desk.ts';
import { allocate, columnsOver } from '../engine/native/columns.ts';
import { loadNative } from '../engine/native/load.ts';
import { runnableMarks } from '../engine/native/mark.ts';
import type { Mark } from '../engine/native/types.ts';
import { Engine } from '../engine/sweep.ts';
import { offsetTime } from '../engine/time.ts';
import { BATCH_ROWS, type BenchBatch, benchBatch } from './bench-batch.ts';
import { type BenchPeer, benchPeers } from './bench-peers.ts';

/** Made even when the time is over. */
const LEAST_TURNS = 3;
const BUDGET_MS = 12_000;
const SOCKETS = { processes: 1, sockets: 65_536, holders: 1, text: 1 };

export interface Figure {
  readonly work: string;
  readonly does: string;
  readonly median_us: number;
  readonly lowest_us: number;
  readonly highest_us: number;
  /** Raw values of the counted turns, µs. */
  readonly us: readonly number[];
}

export interface Bench {
  readonly ts: string;
  readonly word: 'H7_BENCH';
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly kernel: string;
    readonly node: string;
  };
  readonly engine: { readonly backend: string; readonly mark: string; readonly workers: number };
  readonly seen: {
    readonly processes: number;
    readonly listeners: number;
    readonly pairs: number;
  };
  readonly figures: readonly Figure[];
  /** `times` = median of the peer over the median of our like work. */
  readonly peers: readonly (Figure & { readonly like: string; readonly times: number })[];
  readonly absent: readonly string[];
  readonly marks: readonly (Figure & { readonly mark: Mark })[];
  /** The batch by each build; `pairs` of check and process are judged in each run. */
  readonly batches: readonly (Figure & { readonly mark: Mark; readonly pairs: number })[];
}

interface Work {
  readonly work: string;
  readonly does: string;
  /** µs; null when it could not be done. */
  turn(): Promise<number | null> | number | null;
  /** Compared with its like: every other turn these go in the other order, so that none is always the first. */
  readonly swaps?: true;
}

const clocked = (work: () => Promise<unknown>) => async (): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) * 1000;
};

interface BenchOptions {
  /** All works take turns this often, if the time allows; one more turn warms up and is left out. */
  readonly turns: number;
  /** PATH, where peers are searched; null leaves them out. */
  readonly path: string | null;
}

/** After `BUDGET_MS` no further turn starts. */
export async function measureBench(desk: Desk, { turns, path }: BenchOptions): Promise<Bench> {
  const { addon } = loadNative();
  const layout = addon.layout(SOCKETS);
  const { bytes } = columnsOver(allocate(layout), layout, SOCKETS);
  const { there, absent } = path === null ? { there: [], absent: [] } : benchPeers(path);
  const marks = runnableMarks();
  const engines = marks.map((mark) => ({ mark, engine: new Engine({ mark }) }));
  const batches: { mark: Mark; batch: BenchBatch }[] = [];
  try {
    for (const { mark, engine } of engines) {
      const batch = benchBatch(engine.native, await engine.sweep(), desk.config);
      if (batch !== null) batches.push({ mark, batch });
    }
    const recheck = clocked(() => desk.state({ maxAgeMs: 0 }));
    const works: Work[] = [
      { work: 'recheck', does: 'sweep, judge and publish, as a request for a fresh state', turn: recheck },
      // Both parts of the recheck that was just made.
      {
        work: 'sweep',
        does: 'full sweep: processes, confinement, sockets, owners',
        turn: () => desk.latest()?.snapshot.sweepUs ?? null,
      },
      {
        work: 'judging',
        does: 'all checks over the sweep, and the cook (findings open and close)',
        turn: () => judgedUs(desk),
      },
      {
        work: 'listeners',
        does: 'one dump of the listening sockets',
        turn: () => {
          const started = process.hrtime.bigint();
          const { refusals } = addon.listSockets(bytes, SOCKETS, false);
          return refusals.length > 0 ? null : Number(process.hrtime.bigint() - started) / 1000;
        },
      },
      ...there.map(({ does, run }): Work => ({ work: does, does, turn: run })),
      ...engines.map(
        ({ mark, engine }): Work => ({
          work: mark,
          does: 'full sweep with this build',
          swaps: true,
          turn: clocked(() => engine.sweep()),
        }),
      ),
      ...batches.map(
        ({ mark, batch }): Work => ({
          work: `batch ${mark}`,
          does: `all process checks over ${BATCH_ROWS.toLocaleString('en')} rows with this build`,
          swaps: true,
          turn: () => batch.run(),
        }),
      ),
    ];
    const figures = await inTurns(works, turns);
    const of = (work: string) => figures.find((figure) => figure.work === work);
    const state = await desk.state();
    const { engine, counts, at, listeners } = state.snapshot;
    return {
      ts: offsetTime(at),
      word: 'H7_BENCH',
      machine: {
        cpu: cpus()[0]?.model ?? '',
        cores: cpus().length,
        kernel: release(),
        node: process.version,
      },
      engine: { backend: engine.backend, mark: engine.mark, workers: engine.workers },
      seen: { processes: counts.processes, listeners: listeners.length, pairs: state.judgement.megaN },
      figures: ['recheck', 'sweep', 'judging', 'listeners'].flatMap((work) => of(work) ?? []),
      peers: there.flatMap((peer) => beside(peer, of(peer.does), of(peer.like))),
      absent,
      marks: marks.flatMap((mark) => {
        const figure = of(mark);
        return figure === undefined ? [] : [{ ...figure, mark }];
      }),
      batches: batches.flatMap(({ mark, batch }) => {
        const figure = of(`batch ${mark}`);
        return figure === undefined ? [] : [{ ...figure, mark, pairs: batch.pairs }];
      }),
    };
  } finally {
    for (const { batch } of batches) batch.close();
    await Promise.all(engines.map(({ engine }) => engine.close()));
  }
}

/** What the newest recheck took beyond its sweep; null when it took a second one to confirm. */
function judgedUs(desk: Desk): number | null {
  const state = desk.latest();
  if (state === null) return null;
  const us = state.recheckUs - state.snapshot.sweepUs;
  return us >= 0 && us < state.snapshot.sweepUs ? us : null;
}

function beside(
  { like }: BenchPeer,
  peer: Figure | undefined,
  own: Figure | undefined,
): (Figure & { like: string; times: number })[] {
  if (peer === undefined || own === undefined) return [];
  return [{ ...peer, like, times: Math.round((10 * peer.median_us) / own.median_us) / 10 }];
}

const swapped = (works: readonly Work[]): Work[] => [
  ...works.filter(({ swaps }) => swaps === undefined),
  ...works.filter(({ swaps }) => swaps === true).reverse(),
];

/** Every work once per turn, so that a slow phase of the machine affects all of them. */
async function inTurns(works: readonly Work[], turns: number): Promise<Figure[]> {
  const raw = new Map(works.map(({ work }) => [work, [] as number[]]));
  const until = performance.now() + BUDGET_MS;
  for (let turn = 0; turn <= turns; turn += 1) {
    if (turn > LEAST_TURNS && performance.now() > until) break;
    for (const { work, turn: once } of turn % 2 === 0 ? works : swapped(works)) {
      const us = await once();
      if (turn > 0 && us !== null) raw.get(work)?.push(Math.round(us * 10) / 10);
    }
  }
  return works.flatMap(({ work, does }) => {
    const us = raw.get(work) ?? [];
    if (us.length === 0) return [];
    const sorted = [...us].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    const median =
      sorted.length % 2 === 1
        ? (sorted[middle] as number)
        : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
    const [lowest, highest] = [sorted[0] as number, sorted.at(-1) as number];
    return [{ work, does, median_us: median, lowest_us: lowest, highest_us: highest, us }];
  });
}
