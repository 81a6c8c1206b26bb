import { CURES } from '../engine/cures.ts';
import { OWNER } from '../engine/native/batch-types.ts';
import type { Check } from './check.ts';
import { all, always, equals, member, not } from './rule.ts';
import { LISTENER_KEY, listenerAt, listenerAvenue, listenerEvidence, listenerSubject } from './subjects.ts';

/** A listening inode that no process holds, unless it was so when it was learned. Blind, not ownerless, while any process' descriptors could not be read. */
export const ownerlessSocket: Check = {
  id: 'ownerless-socket',
  avenue: 'public_listen',
  severity: 'high',
  tier: 1,
  techniques: ['T1014', 'T1205'],
  key: LISTENER_KEY,
  text: {
    about: 'A socket listens and no visible process holds it.',
    benign: 'Kernel listeners (NFS, WireGuard), or a descriptor in flight between two processes.',
    remedy: 'find out which kernel service or hidden process listens there',
  },
  causes: [
    { name: 'kernel-nfs', why: 'the NFS server of the kernel listens there', protocol: 'tcp', port: 2049 },
    { name: 'kernel-wireguard', why: 'WireGuard of the kernel listens there', protocol: 'udp', port: 51820 },
  ],
  rule: (_law, known, hash) => ({
    subjects: 'listeners',
    applies: always,
    blind: [
      {
        when: equals('owner', BigInt(OWNER.blind)),
        reason: 'the descriptors of some processes could not be read, so the holder of a socket is unknown',
        cure: ({ probes }) => probes.find(({ id }) => id === 'descriptors')?.cure || CURES.holders,
        hides: true,
      },
    ],
    fails: all(
      equals('owner', BigInt(OWNER.ownerless)),
      not(member('key', [...(known?.listeners ?? [])].map(hash))),
    ),
  }),
  explain({ snapshot }, row) {
    const listener = listenerAt(snapshot, row);
    const { endpoint, inode, creator_uid } = listenerEvidence(listener);
    return {
      subject: listenerSubject(listener),
      avenue: listenerAvenue(listener),
      summary: `${endpoint} listens and no process holds it`,
      evidence: { endpoint, inode, creator_uid },
    };
  },
};
