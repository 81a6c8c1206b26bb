import type { Check } from './check.ts';
import { scanElsewhere, whereText } from './other-namespaces.ts';
import { always, port } from './rule.ts';
import {
  endpointText,
  holderText,
  LISTENER_KEY,
  listenerAt,
  listenerAvenue,
  listenerEvidence,
  listenerSubject,
} from './subjects.ts';

/**
 * A listener on a banned port, any address, any protocol of the sweep. Other network namespaces are scanned periodically: a
 * listener there is reported, and its process never signalled.
 */
export const bannedListener: Check = {
  id: 'banned-listener',
  avenue: 'unknown_local',
  severity: 'critical',
  tier: 1,
  techniques: ['T1571'],
  key: LISTENER_KEY,
  text: {
    about: 'Something listens on a port that must stay down.',
    benign: 'None: the law classes every listener on this port as a virus.',
    remedy: 'stop the program that holds the port',
  },
  rule: ({ bannedPorts }) => ({ subjects: 'listeners', applies: always, fails: port('port', bannedPorts) }),
  explain({ snapshot }, row) {
    const listener = listenerAt(snapshot, row);
    return {
      subject: listenerSubject(listener),
      avenue: listenerAvenue(listener),
      summary: `${endpointText(listener)} is a banned port and it is up, held by ${holderText(listener)}`,
      evidence: listenerEvidence(listener),
      remedy: `stop ${holderText(listener)} so that port ${listener.port} is down`,
    };
  },
  scan: (context, report, signal) =>
    scanElsewhere(
      context,
      report,
      signal,
      ({ port: number }) => context.law.bannedPorts.has(number),
      (listener) => ({
        summary: `${endpointText(listener)} is a banned port and it is up, ${whereText(listener)}`,
        remedy: `stop the container, or the program, of pid ${(listener.holders[0] ?? listener.within).pid} so that port ${listener.port} is down there too`,
      }),
    ),
};
