import type { Check } from './check.ts';
import {
  endpointText,
  holderText,
  isOwnListener,
  isPublicListener,
  listenerKey,
  listenerSubject,
} from './subjects.ts';

/** TCP LISTEN, or unconnected UDP below the ephemeral range, bound beyond loopback and neither learned nor our own. */
export const publicListener: Check = {
  id: 'public-listener',
  avenue: 'public_listen',
  severity: 'high',
  tier: 1,
  text: {
    about: 'Something listens beyond loopback that the baseline does not know.',
    benign: 'A service you installed since the baseline was learned, or a container that publishes a port.',
    remedy: 'stop the service, bind it to loopback, or learn it',
  },
  judge({ snapshot, law, known }, report) {
    let unlearned = 0;
    for (const listener of snapshot.listeners) {
      if (!isPublicListener(snapshot, listener) || law.bannedPorts.has(listener.port)) continue;
      if (isOwnListener(snapshot, listener) || known?.listeners.has(listenerKey(snapshot, listener)))
        report.pass();
      else if (known === null) unlearned++;
      else
        report.fail({
          subject: listenerSubject(listener),
          summary: `${endpointText(listener)} is open beyond loopback, held by ${holderText(listener)}, and was never learned`,
          evidence: {
            endpoint: endpointText(listener),
            inode: listener.inode,
            creator_uid: listener.creatorUid,
            executable: listener.executable,
          },
        });
    }
    if (unlearned > 0)
      report.blind(
        'nothing has been learned yet, so no public listener is known good',
        'desk secure learn once',
        unlearned,
      );
  },
};
