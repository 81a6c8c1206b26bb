/** P5: the sweep for hidden processes, two probes over the pid space and every suspect confirmed twice, against unhide. */
import { compiled } from '../../test/support/compile.ts';
import { startFarm } from '../../test/support/farm.ts';
import { BASE } from '../options.ts';
import { peersFor } from '../peers/index.ts';
import { ownRound } from '../rounds.ts';
import { against, grid, ownSide, rivals } from './against.ts';
import { atLeast, atMost, type Case, type Comparison, type Options } from './case.ts';

const WARM_UP = 3;
/** Linux's default number of pids, for which the target is stated. */
const NUMBERS = 32_768;
const MOST_ROUNDS = 3;
/** unhide is slow, and needs root. */
const PEER_ROUNDS = { base: 2, elsewhere: 1 } as const;

/** Processes that a library hides from the measured one, so that the confirmation has work. */
const HIDDEN = 50;

async function withHidden(options: Options): Promise<Comparison> {
  const asked = {
    name: `${HIDDEN} hidden and confirmed twice`,
    goals: [atMost('value', 15)],
    unit: 'ms',
  } as const;
  await using hidden = await startFarm(HIDDEN);
  const env = {
    LD_PRELOAD: compiled('rootkit.cc', '-shared', '-fPIC', '-ldl'),
    HIDE_PIDS: hidden.pids.flat().join(','),
  };
  const sweep = ownSide(`the same with ${HIDDEN} processes hidden by a library`, WARM_UP, (passes) =>
    ownRound('hidden-pids', [passes, WARM_UP, NUMBERS, HIDDEN], env),
  );
  return against(asked, sweep, null, options);
}

const hiddenPids: Case = {
  id: 'hidden-pids',
  target: 'P5',
  title: 'Hidden processes: the whole pid space by two probes',
  place: 'farm',
  grows: ['processes'],
  unprivileged: 'full',
  async run(options) {
    const ours = ownSide(
      `one sweep of ${NUMBERS.toLocaleString('en')} numbers, workers running`,
      WARM_UP,
      (passes) => ownRound('hidden-pids', [passes, WARM_UP, NUMBERS, 0]),
    );
    const all = ownSide('one sweep of every number a kernel can give', 1, (passes) =>
      ownRound('hidden-pids', [passes, 1, 0, 0]),
    );
    const one = await against(
      { name: 'default pid space', goals: [atMost('value', 15)], unit: 'ms' },
      ours,
      null,
      options,
    );
    if ('notRun' in one) return { facts: {}, comparisons: [one] };
    const { full, rounds } = options;
    const few = { ...options, rounds: Math.min(rounds, MOST_ROUNDS) };
    const hidden = await withHidden(few);
    const whole = { ...few, rounds: full ? few.rounds : 1, passes: full ? 3 : 2 };
    const space = await against({ name: 'all numbers', unit: 'ms' }, all, null, whole);
    const form = {
      name: 'default pid space',
      side: ours,
      goals: [],
      against: { unhide: [atLeast('speedup', 1000)] },
    };
    const root = process.geteuid?.() === 0;
    const peers = root ? rivals(peersFor('hidden pids', options), few) : [];
    const slow = options.processes === BASE.processes ? PEER_ROUNDS.base : PEER_ROUNDS.elsewhere;
    return {
      facts: ours.facts,
      comparisons: [
        one,
        hidden,
        space,
        ...(await grid([form], peers, { ...few, rounds: Math.min(rounds, slow) }, 'ms')),
      ],
    };
  },
};

export default hiddenPids;
