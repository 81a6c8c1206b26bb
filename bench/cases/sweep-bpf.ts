/**
 * P1: the full sweep by the BPF task iterator, in its native forms and as the engine's whole way to a snapshot, against
 * psutil, systeminformation and our own procfs backend. An ordinary user has the engine's sweep by /proc alone.
 */
import { peersFor } from '../peers/index.ts';
import { ownRound } from '../rounds.ts';
import { type Form, grid, ownSide, type Rival, rivals } from './against.ts';
import { atLeast, atMost, type Case, type Goal } from './case.ts';

const WARM_UP = 5;
const PEERS = { psutil: [atLeast('speedup', 70)], systeminformation: [atLeast('speedup', 900)] };
const PROCFS = 'our procfs backend';
const ENGINE_PROCFS = 'our engine by procfs';

const sweepBpf: Case = {
  id: 'sweep-bpf',
  target: 'P1',
  title: 'Full sweep with confinement facts by the task iterator',
  place: 'farm',
  grows: ['processes'],
  unprivileged: 'always',
  async run(options) {
    const native = (does: string, ...words: string[]) =>
      ownSide(does, WARM_UP, (passes) => ownRound('sweep-bpf', [passes, WARM_UP, ...words]));
    const steady = native('sweepTasks, steady');
    const engine = ownSide('engine.sweep() of everything, sockets and owners too', WARM_UP, (passes) =>
      ownRound('sweep-engine', [passes, WARM_UP]),
    );
    // The absolute target belongs to one load, and the targets to root.
    const root = process.geteuid?.() === 0;
    const goals = (value: readonly Goal[]) => (root ? value : []);
    const value = goals(options.processes === 1000 ? [atMost('value', 600)] : []);
    const peers = root ? PEERS : {};
    const twenty = goals([atLeast('speedup', 20)]);
    const iterator: Form[] = [
      { name: 'iterator', side: steady, goals: value, against: { ...peers, [PROCFS]: twenty } },
      {
        name: 'iterator and list',
        side: native('sweepTasks, beside the list of /proc each time', 'listed'),
        goals: value,
        against: { ...peers, [PROCFS]: twenty },
      },
    ];
    const whole = {
      name: 'engine',
      side: engine,
      goals: value,
      against: { ...peers, [ENGINE_PROCFS]: twenty },
    };
    const passes = Math.max(3, Math.ceil(options.passes / 3));
    const procfs: Rival[] = [
      {
        name: PROCFS,
        side: ownSide('our procfs backend, one shard', 2, (count) => ownRound('sweep-procfs', [count, 2])),
        passes,
      },
      {
        name: ENGINE_PROCFS,
        side: ownSide('engine.sweep() by procfs', 2, (count) =>
          ownRound('sweep-engine', [count, 2], { DESK_BACKEND: 'procfs' }),
        ),
        passes,
      },
    ];
    const beside = [...(root ? procfs : []), ...rivals(peersFor('processes', options), options)];
    const comparisons = await grid(root ? [...iterator, whole] : [whole], beside, options);
    return { facts: { ...steady.facts, ...engine.facts }, comparisons };
  },
};

export default sweepBpf;
