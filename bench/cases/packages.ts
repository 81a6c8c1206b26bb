/** F1: the files of all packages against what dpkg recorded, beside programs that check files. */
import { peersFor } from '../peers/index.ts';
import { ownRound } from '../rounds.ts';
import { against, grid, ownSide, rivals } from './against.ts';
import { atLeast, type Case } from './case.ts';

/** The first one reads every file. */
const WARM_UP = 1;
/** A peer takes up to minutes. */
const MOST_ROUNDS = 2;

const packages: Case = {
  id: 'packages',
  target: 'F1',
  title: 'Files of all packages against the digests of dpkg',
  place: 'host',
  grows: [],
  minutes: 12,
  unprivileged: 'never',
  async run(options) {
    const few = { ...options, rounds: Math.min(options.rounds, MOST_ROUNDS), passes: options.smoke ? 1 : 3 };
    const warm = ownSide('a comparison by a new helper, seals known', WARM_UP, (passes) =>
      ownRound('packages', [passes, WARM_UP, 0]),
    );
    const first = ownSide('the same, nothing known: every file is read', 0, (passes) =>
      ownRound('packages', [passes, 0, 1]),
    );
    const speedup = [atLeast('speedup', 5)];
    const form = {
      ...{ name: 'files of packages', side: warm, goals: [] },
      against: { debsums: speedup, aide: speedup, rkhunter: speedup },
    };
    const one = await against({ name: 'files of packages', unit: 'ms' }, warm, null, few);
    if ('notRun' in one || options.smoke) return { facts: warm.facts, comparisons: [one] };
    const peers = rivals(peersFor('package files', options), few);
    return {
      facts: warm.facts,
      comparisons: [
        one,
        await against({ name: 'the first comparison', unit: 'ms' }, first, null, { ...few, passes: 1 }),
        ...(await grid([form], peers, few, 'ms')),
      ],
    };
  },
};

export default packages;
