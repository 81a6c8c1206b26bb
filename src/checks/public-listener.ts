import { SCOPE } from '../engine/native/batch-types.ts';
import { explainUnlearned, seesHolders, unlearnedRule } from './allowed-listeners.ts';
import type { Check } from './check.ts';
import { BROWSERS } from './executables.ts';
import { otherNamespace, scanElsewhere, whereText } from './other-namespaces.ts';
import { all, equals } from './rule.ts';
import { endpointText, LISTENER_KEY } from './subjects.ts';

/**
 * TCP LISTEN, or unconnected UDP below the ephemeral range, bound beyond loopback and neither learned, allowed by the law nor our own. Those
 * of other network namespaces are scanned periodically, and explained by where they are.
 */
export const publicListener: Check = {
  id: 'public-listener',
  avenue: 'public_listen',
  severity: 'high',
  tier: 1,
  techniques: ['T1133', 'T1571'],
  key: LISTENER_KEY,
  text: {
    about: 'A listener beyond loopback is not in the baseline or the law.',
    benign: 'A service you installed since the baseline was learned, or a container that publishes a port.',
    remedy: 'stop the service, bind it to loopback, accept it with desk accept, or allow it in law.toml',
  },
  causes: [
    {
      name: 'browser-udp',
      why: 'browsers search for devices (mDNS), resolve names and make calls (WebRTC) over UDP, from random ports',
      executable: BROWSERS,
      protocol: 'udp',
    },
    otherNamespace,
  ],
  rule: (law, known, hash) =>
    unlearnedRule(all(equals('scope', BigInt(SCOPE.public)), equals('service', 1n)), law, known, hash),
  given: seesHolders,
  explain: explainUnlearned,
  scan: (context, report, signal) =>
    scanElsewhere(
      context,
      report,
      signal,
      ({ scope, service, port }) => scope === 'public' && service && !context.law.bannedPorts.has(port),
      (listener) => ({ summary: `${endpointText(listener)} is ${whereText(listener)}` }),
    ),
};
