/** Orientation beside P1: the procfs backend, which everybody has, against the peers. No target. */
import { peersFor } from '../peers/index.ts';
import { ownRound } from '../rounds.ts';
import { againstPeers, ownSide } from './against.ts';
import type { Case } from './case.ts';

const WARM_UP = 2;

const sweepPeers: Case = {
  id: 'sweep-peers',
  target: 'P1',
  title: 'Full sweep by /proc against the peers',
  place: 'farm',
  grows: [],
  async run(options) {
    const ours = ownSide('listProcesses and sweepShard, one shard', WARM_UP, (passes) =>
      ownRound('sweep-procfs', [passes, WARM_UP]),
    );
    const peers = peersFor('processes', options.full || options.peers);
    const comparisons = await againstPeers(
      peers,
      ours,
      {},
      {
        ...options,
        passes: 5,
        rounds: options.full ? options.rounds : Math.min(options.rounds, 3),
      },
    );
    return { facts: ours.facts, comparisons };
  },
};

export default sweepPeers;
