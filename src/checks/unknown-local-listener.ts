import type { Check } from './check.ts';
import { endpointText, holderText, isOwnListener, listenerKey, listenerSubject } from './subjects.ts';

/** A loopback listener that is neither learned nor our own. */
export const unknownLocalListener: Check = {
  id: 'unknown-local-listener',
  avenue: 'unknown_local',
  severity: 'medium',
  tier: 1,
  text: {
    about: 'Something listens on loopback that the baseline does not know.',
    benign: 'A development server, a browser helper or a test run.',
    remedy: 'stop it or learn it',
  },
  judge({ snapshot, law, known }, report) {
    let unlearned = 0;
    for (const listener of snapshot.listeners) {
      if (listener.scope !== 'loopback' || law.bannedPorts.has(listener.port)) continue;
      if (isOwnListener(snapshot, listener) || known?.listeners.has(listenerKey(snapshot, listener)))
        report.pass();
      else if (known === null) unlearned++;
      else
        report.fail({
          subject: listenerSubject(listener),
          summary: `${endpointText(listener)} is held by ${holderText(listener)} and was never learned`,
          evidence: {
            endpoint: endpointText(listener),
            inode: listener.inode,
            executable: listener.executable,
          },
        });
    }
    if (unlearned > 0)
      report.blind(
        'nothing has been learned yet, so no local listener is known good',
        'desk secure learn once',
        unlearned,
      );
  },
};
