/** P1: the full sweep by the BPF task iterator against psutil, systeminformation and our own procfs backend. */
import { peersFor } from '../peers/index.ts';
import { ownRound } from '../rounds.ts';
import { against, againstPeers, ownSide } from './against.ts';
import { atLeast, atMost, type Case } from './case.ts';

const WARM_UP = 5;

const sweepBpf: Case = {
  id: 'sweep-bpf',
  target: 'P1',
  title: 'Full sweep with confinement facts by the task iterator',
  place: 'farm',
  grows: ['processes'],
  async run(options) {
    const ours = ownSide('sweepTasks, steady', WARM_UP, (passes) => ownRound('sweep-bpf', [passes, WARM_UP]));
    const procfs = ownSide('our procfs backend, one shard', 2, (passes) =>
      ownRound('sweep-procfs', [passes, 2]),
    );
    // The absolute target belongs to one load.
    const value = options.processes === 1000 ? [atMost('value', 600)] : [];
    const passesB = Math.max(3, Math.ceil(options.passes / 3));
    const alone = await against(
      { name: 'against our procfs backend', goals: [...value, atLeast('speedup', 20)], passesB },
      ours,
      procfs,
      options,
    );
    if ('notRun' in alone) return { facts: procfs.facts, comparisons: [alone] };
    const goals = { psutil: [atLeast('speedup', 70)], systeminformation: [atLeast('speedup', 900)] };
    const peers = peersFor('processes', options.full || options.peers);
    return {
      facts: ours.facts,
      comparisons: [alone, ...(await againstPeers(peers, ours, goals, options))],
    };
  },
};

export default sweepBpf;
