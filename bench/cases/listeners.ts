/** P4: listeners with owners in the steady state, against ss and lsof; P3's price of one listener poll. */
import { peersFor } from '../peers/index.ts';
import { ownRound } from '../rounds.ts';
import { against, againstPeers, ownSide } from './against.ts';
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
  async run(asked) {
    // Calls of microseconds: more of them cost nothing.
    const options = { ...asked, passes: Math.max(asked.passes, 100) };
    const dump = ownSide('one LISTEN dump, TCP and UDP, IPv4 and IPv6', WARM_UP, (passes) =>
      ownRound('listeners', [passes, WARM_UP, 'dump']),
    );
    const owners = ownSide('listSockets and ownersCollect', WARM_UP, (passes) =>
      ownRound('listeners', [passes, WARM_UP, 'owners']),
    );
    const poll = await against(
      { name: 'one listener poll (P3)', goals: [atMost('value', POLL_BUDGET_US)] },
      dump,
      null,
      options,
    );
    const steady = await against(
      { name: 'listeners with owners', goals: [atMost('value', 200)] },
      owners,
      null,
      options,
    );
    const goals = { ss: [atLeast('speedup', 150)], lsof: [atLeast('speedup', 300)] };
    const peers = peersFor('listeners', asked.full || asked.peers);
    // The peers name owners: without ours there is nothing to set beside them.
    const compared = 'notRun' in steady ? [] : await againstPeers(peers, owners, goals, asked);
    return { facts: dump.facts, comparisons: [poll, steady, ...compared] };
  },
};

export default listeners;
