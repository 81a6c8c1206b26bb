import type { Check } from './check.ts';
import { eachListener } from './looks.ts';
import { endpointText, holderText, listenerAvenue, listenerSubject } from './subjects.ts';

/** A listener on a banned port, any address, any protocol of the sweep. */
export const bannedListener: Check = {
  id: 'banned-listener',
  avenue: 'unknown_local',
  severity: 'critical',
  tier: 1,
  text: {
    about: 'Something listens on a port that must stay down.',
    benign: 'None: the law classes every listener on this port as a virus.',
    remedy: 'stop the program that holds the port',
  },
  judge({ snapshot, law }, report) {
    eachListener(snapshot, report, (listener) => {
      if (!law.bannedPorts.has(listener.port)) return report.pass();
      report.fail({
        subject: listenerSubject(listener),
        avenue: listenerAvenue(listener),
        summary: `${endpointText(listener)} is a banned port and it is up, held by ${holderText(listener)}`,
        evidence: {
          endpoint: endpointText(listener),
          inode: listener.inode,
          creator_uid: listener.creatorUid,
          holders: listener.holders.map((holder) => holder.pid).join(' '),
          executable: listener.executable,
        },
        remedy: `stop ${holderText(listener)} so that port ${listener.port} is down`,
      });
    });
  },
};
