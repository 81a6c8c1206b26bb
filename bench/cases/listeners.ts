/** P4: listeners with owners in the steady state, against ss and lsof; P3's cost of a dump, the maximum cost of a listener poll. */
import { peersFor } from '../peers/index.ts';
import { ownRound } from '../rounds.ts';
import { against, grid, ownSide, rivals } from './against.ts';
import { atLeast, atMost, type Case } from './case.ts';

const WARM_UP = 20;
/** At the default listen_poll_ms of 10, this many µs are 0.6 % of a core. */
const POLL_BUDGET_US = 60;

const listeners: Case = {
  id: 'listeners',
  target: 'P4',
  title: 'Listeners with owners, steady',
  place: 'farm',
  grows: ['processes', 'established'],
  // The farm's sockets are root's: no tool shows their owners to an ordinary user.
  unprivileged: 'never',
  async run(asked) {
    // Calls of microseconds: more of them cost nothing.
    const options = { ...asked, passes: Math.max(asked.passes, 100) };
    const side = (does: string, work: string) =>
      ownSide(does, WARM_UP, (passes) => ownRound('listeners', [passes, WARM_UP, work]));
    const dump = side('one LISTEN dump, TCP and UDP, IPv4 and IPv6', 'dump');
    const poll = await against(
      { name: 'one listener poll (P3)', goals: [atMost('value', POLL_BUDGET_US)] },
      dump,
      null,
      options,
    );
    const owners = {
      name: 'listeners with owners',
      side: side('listSockets and ownersCollect', 'owners'),
      goals: [atMost('value', 200)],
      against: { ss: [atLeast('speedup', 150)], lsof: [atLeast('speedup', 300)] },
    };
    const steady = await grid([owners], rivals(peersFor('listeners', asked), asked), options);
    // An unknown owner: every descriptor table of the machine is searched.
    const again = await against(
      { name: 'owners searched again', passesB: 3 },
      side('the iterator over open files, and the owners', 'files'),
      side('our walk of descriptor tables, one shard, and the owners', 'walk'),
      { ...asked, rounds: asked.full ? asked.rounds : 1 },
    );
    return { facts: dump.facts, comparisons: [poll, ...steady, again] };
  },
};

export default listeners;
