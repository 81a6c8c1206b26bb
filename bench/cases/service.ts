/** P9: start, memory and the loop's processor time of the service itself. */
import { cpuPercent, startBuilt } from '../service.ts';
import { atMost, CannotRun, type Case, type Comparison, type Goal } from './case.ts';

const FAST = '[loop]\nmode = "event"\nperiod_ms = 10\n';

const service: Case = {
  id: 'service',
  target: 'P9',
  title: 'The service: start, memory, processor time of the loop at 10 ms',
  place: 'host',
  grows: ['processes'],
  unprivileged: 'full',
  async run({ rounds, full }) {
    const figures: { ready: number[]; rss: number[]; cpu: number[] } = { ready: [], rss: [], cpu: [] };
    const seconds = full ? 30 : 10;
    const figure = (name: string, a: string, unit: string, goals: readonly Goal[], values: number[]) =>
      values.length === 0
        ? { name, goals, notRun: 'no start succeeded' }
        : { name, goals, a, unit, rawA: values.map((value) => [value]), warmUp: 0 };
    try {
      for (let round = 0; round < rounds; round += 1) {
        await using run = await startBuilt(FAST);
        figures.ready.push(run.readyMs);
        // The long observation is made in the first rounds only.
        if (round >= (full ? 3 : 1)) continue;
        figures.cpu.push(await cpuPercent(run, seconds));
        figures.rss.push(run.rssMb());
      }
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      return {
        facts: {},
        comparisons: [{ name: 'service', goals: [atMost('value', 1000)], notRun: error.message }],
      };
    }
    const comparisons: Comparison[] = [
      figure(
        'ready',
        'from the start of the process to 200 of /readyz',
        'ms',
        [atMost('value', 1000)],
        figures.ready,
      ),
      figure('memory', `resident after ${seconds} s`, 'MB', [atMost('value', 150)], figures.rss),
      figure(
        'loop at 10 ms',
        `processor time of all threads over ${seconds} s, idle machine`,
        '% of a core',
        [atMost('value', 5)],
        figures.cpu,
      ),
    ];
    return { facts: { entry: 'dist', observedSec: seconds }, comparisons };
  },
};

export default service;
