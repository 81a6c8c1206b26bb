import { hostPort, networkOf, rangeOf } from '../base/addresses.ts';
import type { PeekCheck } from './check.ts';
import { names } from './executables.ts';
import { type SocketDescriptor, UNKNOWN } from './peek-facts.ts';
import { partOf, programOf } from './peeked.ts';

const SHELLS =
  /^(?:(?:ba|da|a|z|k|mk|pdk|c|tc|fi|r?)sh|busybox|pwsh|python[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*)$/;
/** What systemd names an instance that it starts for one connection, with the other end last (systemd.socket(5), Accept=). */
const CONNECTION_UNIT = /@\d+-.*-(?<address>[\da-f:.]+):(?<port>\d+)\.service$/;

/** Whether a unit was started for the connection that these sockets all are: what else a program of it connects to is its own. */
function isConnectionOf(unit: string, sockets: readonly SocketDescriptor[]): boolean {
  const remote = CONNECTION_UNIT.exec(unit)?.groups;
  return (
    remote !== undefined &&
    sockets.every(({ peer }) => peer?.address === remote.address && String(peer?.port) === remote.port)
  );
}

/** Ports that a program asks for; those above are given to the connecting side (net.ipv4.ip_local_port_range). */
const FIRST_GIVEN_PORT = 32_768;

/**
 * The network of the other end and, where that one was chosen, its port: `203.0.113.0/24 port 4444`, `2001:db8:0:0::/64`. The next
 * connection of the same service comes from there again; one to elsewhere is another finding.
 */
function peerNetwork(peer: SocketDescriptor['peer']): string {
  if (peer == null) return UNKNOWN;
  const { address, port } = peer;
  const network = networkOf(address) ?? UNKNOWN;
  return port < FIRST_GIVEN_PORT ? `${network} port ${port}` : network;
}

/** Standard input, output or error is a socket of the internet families; AF_UNIX never counts. */
export const shellOnSocket: PeekCheck = {
  id: 'shell-on-socket',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 2,
  techniques: ['T1059.004', 'T1095'],
  key: ['peer_network'],
  text: {
    about:
      'The input or output of the process is a network connection: the other end of it controls the process.',
    benign: 'A service that inetd or a systemd socket unit starts for each connection.',
    remedy: 'end the process if no service of yours is started for each connection',
  },
  causes: [
    {
      name: 'inetd-units',
      evidenceClass: ['socket-unit'],
      why: 'systemd started it for one connection of a socket unit',
    },
    {
      name: 'inetd-units',
      // Whole paths, where only root puts a program: a copy of a shell can have any name.
      executable: names(`/usr/sbin/in.* /sbin/in.* /usr/sbin/tcpd /usr/sbin/vsftpd /usr/sbin/proftpd
        /usr/bin/rsync /usr/bin/cvs /usr/sbin/sshd /usr/lib/openssh/sshd-session
        /usr/libexec/openssh/sshd-session /usr/lib/git-core/git-daemon /usr/libexec/git-core/git-daemon`),
      evidenceClass: ['program'],
      why: 'it is started by inetd for each connection',
    },
  ],
  peek(context, report) {
    const descriptors = partOf(context, 'descriptors', report);
    if (descriptors === null) return;
    const { standardSockets } = descriptors;
    if (standardSockets.length === 0) return report.pass();
    const { subject, facts } = context;
    const shell = SHELLS.test(programOf(context));
    const unit = isConnectionOf(facts.unit, standardSockets);
    const networks = [...new Set(standardSockets.map(({ peer }) => peerNetwork(peer)))].sort();
    const place = placesOf(standardSockets);
    const { pid, comm } = subject;
    report.fail({
      subject,
      severity: shell && !unit ? 'critical' : 'high',
      evidenceClass: unit ? 'socket-unit' : shell ? 'shell' : 'program',
      summary: `${comm} (pid ${pid}) has its ${streamsText(standardSockets)} connected to ${place.text}`,
      evidence: {
        descriptors: place.descriptors,
        peer: place.peers,
        peer_is: place.kind,
        peer_network: networks.includes(UNKNOWN) ? UNKNOWN : networks.join(', '),
        sockets: standardSockets.map(({ fd, target, protocol }) => `${fd} ${target} ${protocol}`).join(', '),
        ...(facts.unit === '' ? {} : { unit: facts.unit }),
      },
    });
  },
};

const STREAMS = ['input', 'output', 'error output'];

/** `input and output`, of the descriptors that are sockets. */
function streamsText(sockets: readonly SocketDescriptor[]): string {
  const streams = sockets.map(({ fd }) => STREAMS[fd] ?? `descriptor ${fd}`);
  const last = streams.pop() ?? '';
  return streams.length === 0 ? last : `${streams.join(', ')} and ${last}`;
}

const peerText = ({ peer }: SocketDescriptor): string =>
  peer === null ? 'unknown' : hostPort(peer.address, peer.port);

/** RFC 1918, RFC 6598, RFC 4193 and link-local addresses. */
const PRIVATE = ['private', 'carrierGradeNat', 'uniqueLocal', 'linkLocal'];

function whereIs(address: string): string {
  const range = rangeOf(address) ?? '';
  if (range === 'loopback') return 'this machine';
  return PRIVATE.includes(range) ? 'a private network' : 'the internet';
}

/** Where the sockets lead: one place where it is the same for all, as it is as a rule. */
function placesOf(sockets: readonly SocketDescriptor[]) {
  const byPeer = new Map<string, SocketDescriptor[]>();
  for (const socket of sockets)
    byPeer.set(peerText(socket), [...(byPeer.get(peerText(socket)) ?? []), socket]);
  const known = [...byPeer.keys()].filter((peer) => peer !== 'unknown');
  const protocols = [...new Set(sockets.map(({ protocol }) => protocol))].join(', ');
  const kinds = new Set(sockets.flatMap(({ peer }) => (peer === null ? [] : [whereIs(peer.address)])));
  return {
    text: known.length === 0 ? `a ${protocols} socket whose other end is not known` : known.join(' and '),
    peers: known.join(', '),
    kind: [...kinds].join(', '),
    descriptors: [...byPeer]
      .map(([peer, same]) => `fd ${same.map(({ fd }) => fd).join(',')} → ${peer}`)
      .join(', '),
  };
}
