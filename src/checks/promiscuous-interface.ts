import { textOf } from '../engine/bytes.ts';
import type { PromiscuousInterface } from '../engine/native/host-types.ts';
import { isRefusal } from '../engine/native/types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { isBlind, ofKind } from './blindness.ts';
import type { Check } from './check.ts';

const ARPWATCH = '/usr/sbin/arpwatch';

/** Executables of the processes that hold a packet socket on the interface, or on all; "" for one that is not known. */
function watchersOf({ host, processes }: Snapshot, { index }: PromiscuousInterface): readonly string[] {
  if (isRefusal(host.packets)) return [];
  const { sockets, holders } = host.packets;
  return sockets
    .filter((socket) => socket.interface === index || socket.interface === 0)
    .map(({ inode }) => {
      const row = processes.rowOf(holders.find((one) => one.inode === inode)?.pid ?? -1);
      return row < 0 ? '' : textOf(processes.exe(row));
    });
}

/** An interface that takes every frame of its network, for any destination (IFF_PROMISC, netdevice(7)). */
export const promiscuousInterface: Check = {
  id: 'promiscuous-interface',
  avenue: 'public_listen',
  severity: 'medium',
  tier: 1,
  techniques: ['T1040'],
  key: ['interface', 'kind', 'watchers'],
  text: {
    about: 'A network interface listens to traffic that is not for this machine.',
    benign: 'Bridges and container links need it; analysers such as tcpdump and arpwatch enable it.',
    remedy:
      'end the program that watches the network, or switch it off with "ip link set INTERFACE promisc off"',
  },
  causes: [
    { name: 'bridges', why: 'a bridge takes the frames of all its ports', evidenceClass: ['bridge', 'port'] },
    { name: 'veth', why: 'a virtual link passes on the frames of others', evidenceClass: ['link'] },
    { name: 'arpwatch', why: 'arpwatch keeps track of addresses', evidenceClass: ['arpwatch'] },
  ],
  judge({ snapshot }, report) {
    const { promiscuous } = snapshot.host;
    if (isBlind(promiscuous, 'the network interfaces', report, ofKind('host'))) return;
    for (const one of promiscuous) {
      const watchers = watchersOf(snapshot, one);
      const arpwatch = watchers.length > 0 && watchers.every((executable) => executable === ARPWATCH);
      report.fail({
        subject: { kind: 'host', name: `interface ${one.name}` },
        summary: `the interface ${one.name} takes frames that are not for this machine`,
        evidence: { interface: one.name, kind: one.kind, watchers: watchers.join(' ') },
        evidenceClass: arpwatch ? 'arpwatch' : one.kind,
        remedy: `end what watches ${one.name}, or switch it off with "ip link set ${one.name} promisc off"`,
      });
    }
    if (promiscuous.length === 0) report.pass();
  },
};
