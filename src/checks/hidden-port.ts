import type { HiddenPort } from '../engine/hidden-ports.ts';
import type { Blindness, Check, FailParts } from './check.ts';
import { blindnessOf } from './hidden-process.ts';

const hidesHosts: NonNullable<Blindness['hides']> = ({ kind }) => kind === 'host';

function explainPort({ protocol, port, addresses, scope }: HiddenPort): FailParts {
  return {
    subject: { kind: 'host', name: `${protocol} port ${port}` },
    avenue: scope === 'public' ? 'public_listen' : 'unknown_local',
    summary: `${protocol} port ${port} is taken (${addresses.join(', ')}) and no socket table shows it`,
    evidence: { protocol, port, addresses: addresses.join(' '), scope },
    evidenceClass: scope,
  };
}

/**
 * A port that the kernel will not give because it is taken, and that stands in no table of sockets. Every free port is bound for
 * a moment, so that a program that starts just then may fail: on demand only.
 */
export const hiddenPort: Check = {
  id: 'hidden-port',
  avenue: 'public_listen',
  severity: 'critical',
  tier: 3,
  key: ['addresses'],
  onDemand: true,
  text: {
    about: 'A port is taken and the machine does not show by whom.',
    benign:
      'Ports that the kernel keeps for itself; closed connections that linger are in the tables and do not count.',
    remedy: 'take the machine off the network and look at it from a system that you trust',
  },
  async scan({ scans }, report, signal) {
    const { found, judged, blind } = await scans.hiddenPorts({ signal });
    for (const reason of blind) report.blind({ ...blindnessOf(reason), hides: hidesHosts });
    for (const one of found) report.fail(explainPort(one));
    if (judged && found.length === 0) report.pass();
  },
};
