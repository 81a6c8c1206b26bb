/** What a process costs with all its descendants, measured from the outside: see native/group.cc. */
import { setTimeout as delay } from 'node:timers/promises';
import { compiled } from './compiled.ts';
import { startLines } from './lines.ts';

/** CPU time of a group since it started, and when that was read. */
interface Cpu {
  readonly us: number;
  readonly atNs: number;
}

export interface Groups extends AsyncDisposable {
  cpu(pid: number): Promise<Cpu>;
  /** MB of 10^6 bytes. */
  pssMb(pid: number): Promise<number>;
  /** Percent of a core that the group of `pid` uses over `seconds`. */
  percent(pid: number, seconds: number): Promise<number>;
}

/** Percent of a core between two readings. */
export const percentBetween = (from: Cpu, to: Cpu): number =>
  (100_000 * (to.us - from.us)) / (to.atNs - from.atNs);

export function startGroups(): Groups {
  const program = startLines(compiled('native/group.cc'));
  const ask = async (what: 'cpu' | 'pss', pid: number) => {
    const answer = JSON.parse(await program.ask(`${what} ${pid}`)) as Cpu & { kb: number; error?: string };
    if (answer.error !== undefined) throw new Error(`the group of process ${pid}: ${answer.error}`);
    return answer;
  };
  const cpu = (pid: number): Promise<Cpu> => ask('cpu', pid);
  return {
    cpu,
    pssMb: async (pid) => ((await ask('pss', pid)).kb * 1024) / 1e6,
    percent: async (pid, seconds) => {
      const from = await cpu(pid);
      await delay(seconds * 1000);
      return percentBetween(from, await cpu(pid));
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

const WINDOW_SEC = 5;
/** Two windows are compared with the two before them. */
const LEAST_WINDOWS = 4;

export interface Settled {
  readonly seconds: number;
  /** Of the last two windows. */
  readonly percent: number;
  /** False: it was still falling when there was no more time. */
  readonly done: boolean;
}

/** Whether the CPU of the last two windows is no longer a fifth below that of the two before. Pure. */
export function hasSettled(windows: readonly number[]): boolean {
  if (windows.length < LEAST_WINDOWS) return false;
  const [a = 0, b = 0, c = 0, d = 0] = windows.slice(-LEAST_WINDOWS);
  return c + d >= 0.8 * (a + b);
}

/** Waits until the scans and the learning after a start are over: until its CPU no longer falls, for at most `mostSec`. */
export async function settled(groups: Groups, pid: number, mostSec: number): Promise<Settled> {
  const windows: number[] = [];
  const sec = Math.min(WINDOW_SEC, mostSec);
  do windows.push(await groups.percent(pid, sec));
  while (!hasSettled(windows) && (windows.length + 1) * sec <= mostSec);
  const last = windows.slice(-2);
  const percent = last.reduce((sum, one) => sum + one, 0) / last.length;
  return { seconds: windows.length * sec, percent, done: hasSettled(windows) };
}
