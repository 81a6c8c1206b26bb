import { CURES } from '../engine/cures.ts';
import type { PacketSocket } from '../engine/native/host-types.ts';
import type { ProcessTable } from '../engine/snapshot.ts';
import { isBlind, ofKind } from './blindness.ts';
import type { Check, FailParts } from './check.ts';
import { processSubject, processText } from './subjects.ts';

/** ETH_P_ALL (packet(7)). */
const EVERYTHING = 3;

const hides = ofKind('process', 'host');

const protocolsOf = (sockets: readonly PacketSocket[]): string =>
  [...new Set(sockets.map(({ protocol }) => protocol))]
    .sort((a, b) => a - b)
    .map((protocol) => (protocol === EVERYTHING ? 'all' : `0x${protocol.toString(16).padStart(4, '0')}`))
    .join(' ');

const evidenceOf = (sockets: readonly PacketSocket[]) => ({
  protocols: protocolsOf(sockets),
  inodes: sockets.map(({ inode }) => inode).join(' '),
  creator_uid: sockets[0]?.uid ?? 0,
});

function explainHeld(table: ProcessTable, row: number, sockets: readonly PacketSocket[]): FailParts {
  const subject = processSubject(table, row);
  return {
    subject,
    summary: `${processText(subject)} reads frames off the network past the protocols of the kernel`,
    evidence: evidenceOf(sockets),
    evidenceClass: protocolsOf(sockets),
  };
}

/** Packet sockets (packet(7)): the holder of one sees every frame that comes by, and can send what it likes. */
export const packetSocket: Check = {
  id: 'packet-socket',
  avenue: 'public_listen',
  severity: 'medium',
  tier: 1,
  techniques: ['T1040', 'T1205.002'],
  key: ['protocols'],
  text: {
    about: 'A program reads raw frames off the network.',
    benign: 'DHCP clients, network managers, container engines and analysers such as tcpdump do.',
    remedy: 'stop the program if you did not start it to watch the network',
  },
  causes: [
    {
      name: 'dhclient',
      why: 'a DHCP client must speak before it has an address',
      executable: ['/sbin/dhclient', '/usr/sbin/dhclient', '/sbin/dhcpcd', '/usr/sbin/dhcpcd'],
      uid: 0,
    },
    {
      name: 'network-manager',
      why: 'NetworkManager speaks DHCP itself',
      executable: ['/usr/sbin/NetworkManager', '/usr/bin/NetworkManager'],
      uid: 0,
    },
    {
      name: 'networkd',
      why: 'systemd-networkd speaks DHCP and LLDP itself',
      executable: ['/usr/lib/systemd/systemd-networkd', '/lib/systemd/systemd-networkd'],
    },
    {
      name: 'wpa-supplicant',
      why: 'wpa_supplicant exchanges the keys of a wireless network',
      executable: ['/sbin/wpa_supplicant', '/usr/sbin/wpa_supplicant', '/usr/bin/wpa_supplicant'],
      uid: 0,
    },
    {
      name: 'dockerd',
      why: 'dockerd watches the addresses of its containers',
      executable: ['/usr/bin/dockerd', '/usr/sbin/dockerd'],
      uid: 0,
    },
  ],
  judge({ snapshot }, report) {
    const { packets } = snapshot.host;
    if (isBlind(packets, 'the table of packet sockets', report, hides)) return;
    const table = snapshot.processes;
    const byRow = new Map<number, PacketSocket[]>();
    const unheld: PacketSocket[] = [];
    for (const socket of packets.sockets) {
      const rows = packets.holders
        .filter(({ inode }) => inode === socket.inode)
        .map(({ pid, start }) => ({ row: table.rowOf(pid), start }))
        .filter(({ row, start }) => row >= 0 && String(table.columns.start[row]) === start);
      if (rows.length === 0) unheld.push(socket);
      for (const { row } of rows) byRow.set(row, [...(byRow.get(row) ?? []), socket]);
    }
    for (const [row, sockets] of byRow) report.fail(explainHeld(table, row, sockets));
    if (unheld.length > 0 && packets.complete)
      report.fail({
        subject: { kind: 'host', name: 'packet sockets without a holder' },
        summary: `${unheld.length === 1 ? 'a packet socket is' : `${unheld.length} packet sockets are`} open and no visible process holds ${unheld.length === 1 ? 'it' : 'them'}`,
        evidence: evidenceOf(unheld),
        evidenceClass: protocolsOf(unheld),
        remedy: 'search for a hidden process with desk hidden pid',
      });
    else if (unheld.length > 0)
      report.blind({
        reason:
          'the descriptors of some processes could not be read, so the holder of a packet socket is unknown',
        cure: CURES.ptrace,
        subjects: unheld.length,
        hides,
      });
    if (packets.sockets.length === 0) report.pass();
  },
};
