/** P9: the service with fifty processes that block every reader of their memory: rechecks, event loop, shutdown. */
import { ownRound } from '../rounds.ts';
import { quantile } from '../stats.ts';
import { atLeast, atMost, CannotRun, type Case, type Comparison, type Goal } from './case.ts';

const HUNG = 50;
const PASSES = 300;
const MOST_ROUNDS = 3;

const hung: Case = {
  id: 'wedged',
  target: 'P9',
  title: `The service among ${HUNG} processes that block their readers`,
  // Not by default: while they exist, `ps` and every other reader of their files hangs on this machine.
  minutes: 4,
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds }) {
    const goals = [atMost('value', 1000)];
    const figures: Record<'held' | 'free' | 'loop' | 'close' | 'found' | 'foundMs', number[]> = {
      held: [],
      free: [],
      loop: [],
      close: [],
      found: [],
      foundMs: [],
    };
    try {
      for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round += 1) {
        const among = ownRound('wedged', [HUNG, PASSES]);
        const alone = ownRound('wedged', [0, PASSES]);
        figures.held.push(quantile(among.us, 0.99) / 1000);
        figures.free.push(quantile(alone.us, 0.99) / 1000);
        figures.loop.push(Number(among.facts.loopDelayP99Ms));
        figures.close.push(Number(among.facts.closeMs));
        figures.found.push(Number(among.facts.found));
        figures.foundMs.push(Number(among.facts.foundMs));
      }
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      return { facts: {}, comparisons: [{ name: 'recheck p99', goals, notRun: error.message }] };
    }
    const each = (values: readonly number[]) => values.map((value) => [value]);
    const alone = (
      name: string,
      a: string,
      goal: readonly Goal[],
      values: readonly number[],
      unit = 'ms',
    ): Comparison => ({
      ...{ name, goals: goal, a, unit, rawA: each(values), warmUp: 0 },
    });
    return {
      facts: { wedged: HUNG },
      comparisons: [
        {
          ...{ name: 'recheck p99', goals, unit: 'ms', warmUp: 0 },
          ...{ a: 'rechecks of everything among them, until each is found', rawA: each(figures.held) },
          ...{ b: `${PASSES} of them without`, rawB: each(figures.free) },
        },
        alone('findings', 'each of them, with its pid', [atLeast('value', HUNG)], figures.found, ''),
        alone('all found', 'from when they stand to the last finding', [], figures.foundMs),
        alone('event loop delay p99', 'of the service meanwhile', [atMost('value', 50)], figures.loop),
        alone('end', 'the desk closes among them', [atMost('value', 5000)], figures.close),
      ],
    };
  },
};

export default hung;
