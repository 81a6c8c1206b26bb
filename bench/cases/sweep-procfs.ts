/** P2: the procfs sweep with parsing, hashing and judging, against its bare system calls without any of that. */
import { compiled } from '../compiled.ts';
import { foreignRound, ownRound } from '../rounds.ts';
import { against, ownSide, type Side } from './against.ts';
import type { Case, Goal } from './case.ts';

const WARM_UP = 5;
/** Nothing is faster than its floor: a ratio well below 1 indicates a disturbed machine, not success. */
const FLOOR: Goal = { of: 'ratio', atMost: 1.15, atLeast: 0.9 };

const bare = (walk: '0' | '1'): Side => ({
  does: 'the same getdents, openat, read, close and readlinkat, no parsing',
  warmUp: WARM_UP,
  round: (passes) => foreignRound(compiled('native/bare_sweep.cc'), [passes, WARM_UP, walk]),
});

const sweepProcfs: Case = {
  id: 'sweep-procfs',
  target: 'P2',
  title: 'Full sweep by /proc against its bare system calls',
  place: 'farm',
  grows: ['processes'],
  unprivileged: 'always',
  async run(options) {
    const facts = ownSide('listProcesses and sweepShard, one shard', WARM_UP, (passes) =>
      ownRound('sweep-procfs', [passes, WARM_UP]),
    );
    const walk = ownSide('the same with every descriptor table', WARM_UP, (passes) =>
      ownRound('sweep-procfs', [passes, WARM_UP, 'walk']),
    );
    const comparisons = [
      await against({ name: 'against bare system calls', goals: [FLOOR] }, facts, bare('0'), options),
    ];
    // The sweep asks for owners only while some are unknown: reported for orientation, in the long form.
    if (options.full)
      comparisons.push(await against({ name: 'with descriptor walk' }, walk, bare('1'), options));
    return { facts: facts.facts, comparisons };
  },
};

export default sweepProcfs;
