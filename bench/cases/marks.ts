/** The CPU builds compared on the common work: full sweeps. Runs with `--mark` or by name. */
import { runnableMarks } from '../../src/engine/native/mark.ts';
import { ownRound } from '../rounds.ts';
import { against, ownSide } from './against.ts';
import type { Case, Comparison } from './case.ts';

const WARM_UP = 5;
const WORKS = [
  { round: 'sweep-procfs', name: 'sweep by /proc' },
  { round: 'sweep-bpf', name: 'sweep by the task iterator' },
] as const;

const marks: Case = {
  id: 'marks',
  target: 'P6',
  title: 'The marks beside each other',
  minutes: 2,
  place: 'farm',
  grows: [],
  unprivileged: 'never',
  async run(options) {
    const [best, ...lesser] = runnableMarks();
    const comparisons: Comparison[] = [];
    for (const { round, name } of WORKS) {
      const side = (mark: string) =>
        ownSide(mark, WARM_UP, (passes) => ownRound(round, [passes, WARM_UP], { DESK_MARK: mark }));
      for (const other of lesser) {
        comparisons.push(
          await against({ name: `${name}: ${best} over ${other}` }, side(String(best)), side(other), options),
        );
      }
      if (lesser.length === 0) comparisons.push({ name, goals: [], notRun: `this CPU runs ${best} alone` });
    }
    return { facts: { marks: [best, ...lesser].join(' ') }, comparisons };
  },
};

export default marks;
