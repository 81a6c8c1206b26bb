import { hostPort } from '../base/addresses.ts';
import type { EgressCheck } from './check.ts';
import { listed } from './peeked.ts';

/** Where the desk's own processes connect to by HTTPS. */
export const offListEgress: EgressCheck = {
  id: 'off-list-egress',
  avenue: 'public_listen',
  severity: 'high',
  tier: 2,
  techniques: ['T1041', 'T1071.001'],
  key: ['places'],
  text: {
    about: 'A process of the desk has a connection to port 443 of an address outside the allowlist.',
    benign: 'The address of an allowed name has changed since it was last resolved.',
    remedy: 'add the host to [egress] allow if you trust it, else end the process',
  },
  egress({ subject, connections }, report) {
    const outside = connections.filter(({ allowed }) => !allowed);
    if (outside.length === 0) return report.pass();
    const places: readonly string[] = [
      ...new Set(outside.map(({ address, port }) => hostPort(address, port))),
    ].sort();
    report.fail({
      subject,
      summary: `process ${subject.pid} (${subject.comm}) of the desk is connected to ${places[0]}, which the allowlist does not name`,
      evidence: { places: listed(places, 8), connections: outside.length },
    });
  },
};
