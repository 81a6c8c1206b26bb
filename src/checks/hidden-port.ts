import { ofKind } from './blindness.ts';
import type { Check } from './check.ts';
import { blindnessOf } from './hidden-process.ts';
import { listenerAvenue } from './subjects.ts';

/**
 * A port that the kernel will not give because it is taken, and that is in no table of sockets. Every free port is bound for some
 * microseconds, so that a program that starts just then may fail: on demand only.
 */
export const hiddenPort: Check = {
  id: 'hidden-port',
  avenue: 'public_listen',
  severity: 'critical',
  tier: 3,
  techniques: ['T1014'],
  key: ['addresses'],
  onDemand: true,
  text: {
    about: 'A port is in use, but no socket table shows it.',
    benign:
      'Ports that the kernel keeps for itself; closed connections that linger are in the tables and do not count.',
    remedy: 'disconnect the machine from the network and examine it from a system that you trust',
  },
  async scan({ scans }, report, signal) {
    const { found, judged, blind } = await scans.hiddenPorts({ signal });
    for (const reason of blind) report.blind({ ...blindnessOf(reason), hides: ofKind('host') });
    for (const { protocol, port, addresses, scope } of found)
      report.fail({
        subject: { kind: 'host', name: `${protocol} port ${port}` },
        avenue: listenerAvenue({ scope }),
        summary: `${protocol} port ${port} is taken (${addresses.join(', ')}) and no socket table shows it`,
        evidence: { protocol, port, addresses: addresses.join(' '), scope },
        evidenceClass: scope,
      });
    if (judged && found.length === 0) report.pass();
  },
};
