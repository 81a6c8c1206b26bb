/** The common body of public-listener and unknown-local-listener: a listener that is neither learned nor our own. */
import type { Listener, Snapshot } from '../engine/snapshot.ts';
import type { CheckContext, Report } from './check.ts';
import { eachListener } from './looks.ts';
import { endpointText, holderText, isOwnListener, listenerKey, listenerSubject } from './subjects.ts';

export function judgeUnlearned(
  { snapshot, law, known }: CheckContext,
  report: Report,
  applies: (snapshot: Snapshot, listener: Listener) => boolean,
): void {
  let unlearned = 0;
  eachListener(snapshot, report, (listener) => {
    if (!applies(snapshot, listener) || law.bannedPorts.has(listener.port)) return;
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
          creator_uid: listener.creatorUid,
          executable: listener.executable,
        },
      });
  });
  if (unlearned > 0)
    report.blind({
      reason:
        'nothing has been learned yet (learning comes in a later version), so no such listener is known good',
      cure: '',
      subjects: unlearned,
    });
}
