import type { Check } from './check.ts';
import { eachListener } from './looks.ts';
import { endpointText, listenerAvenue, listenerSubject } from './subjects.ts';

/** A listening inode that no process holds. Blind, not ownerless, while any process' descriptors could not be read. */
export const ownerlessSocket: Check = {
  id: 'ownerless-socket',
  avenue: 'public_listen',
  severity: 'high',
  tier: 1,
  text: {
    about: 'A socket listens and no visible process holds it.',
    benign: 'Kernel listeners (NFS, WireGuard), or a descriptor in flight between two processes.',
    remedy: 'find out which kernel service or hidden process listens there',
  },
  judge({ snapshot }, report) {
    const unseen = new Set<number>();
    eachListener(snapshot, report, (listener) => {
      if (listener.owner === 'held') report.pass();
      else if (listener.owner === 'blind') unseen.add(listener.inode);
      else
        report.fail({
          subject: listenerSubject(listener),
          avenue: listenerAvenue(listener),
          summary: `${endpointText(listener)} listens and no process holds it`,
          evidence: {
            endpoint: endpointText(listener),
            inode: listener.inode,
            creator_uid: listener.creatorUid,
          },
        });
    });
    const descriptors = snapshot.probes.find(({ id }) => id === 'descriptors');
    if (unseen.size > 0)
      report.blind({
        reason: 'the descriptors of some processes could not be read, so the holder of a socket is unknown',
        cure: descriptors?.cure || 'run as root on the host',
        subjects: unseen.size,
        hides: (subject) => subject.kind === 'listener' && unseen.has(subject.inode),
      });
  },
};
