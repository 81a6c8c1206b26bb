/** Every peer. */
import type { Options } from '../cases/case.ts';
import { aide } from './aide.ts';
import { debsums } from './debsums.ts';
import { findProcess } from './find-process.ts';
import { lsof } from './lsof.ts';
import type { Peer, PeerWork, Work } from './peer.ts';
import { ps } from './ps.ts';
import { psList } from './ps-list.ts';
import { psutil } from './psutil.ts';
import { rkhunter } from './rkhunter.ts';
import { ss } from './ss.ts';
import { systeminformation } from './systeminformation.ts';
import { unhide } from './unhide.ts';

const PEERS: readonly Peer[] = [
  psutil,
  systeminformation,
  psList,
  findProcess,
  ps,
  ss,
  lsof,
  unhide,
  debsums,
  aide,
  rkhunter,
];

/** A peer ready for a work, or why it is not. */
export type Ready =
  | ({ readonly peer: string; readonly version: string; readonly slow: Peer['slow'] } & PeerWork)
  | { readonly peer: string; readonly absent: string };

/** The peers that do `work`; slow ones only where that is asked for. */
export function peersFor(work: Work, { full, peers }: Pick<Options, 'full' | 'peers'>): Ready[] {
  return PEERS.filter((peer) => peer.works.includes(work)).map((peer): Ready => {
    if (peer.slow === 'minutes' && !full)
      return { peer: peer.id, absent: 'takes minutes: asked with --full' };
    if (peer.slow !== false && !full && !peers)
      return { peer: peer.id, absent: 'takes long: asked with --peers or --full' };
    const found = peer.find();
    if ('absent' in found) return { peer: peer.id, absent: found.absent };
    const ready = found.works[work];
    if (ready === undefined) return { peer: peer.id, absent: `has no way to list ${work}` };
    return { peer: peer.id, version: found.version, slow: peer.slow, ...ready };
  });
}
