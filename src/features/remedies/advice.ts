/** What you can do about a banned listener that the desk does not shut down. Pure. */
import { bracketed } from '../../base/addresses.ts';
import { programName } from '../../checks/executables.ts';
import { textOf } from '../../engine/bytes.ts';
import type { Listener, Snapshot } from '../../engine/snapshot.ts';

/** Unit names that can be copied into a shell: systemd.unit(5) without characters special to a shell. */
const UNIT = /^[A-Za-z0-9:_.@-]+\.service$/;
const CONTAINER = /(?:^|\/)(?:docker|libpod)[-/]([0-9a-f]{12})[0-9a-f]*(?:\.scope)?(?:\/|$)/;
const MANAGER = /^user@\d+\.service$/;
const WITHIN_MANAGER = /\/user@\d+\.service\//;

/** One phrase with a command; `holders` are pids. */
export function adviceFor(
  snapshot: Snapshot,
  listener: Pick<Listener, 'port'>,
  holders: readonly number[],
): string {
  const contained = containerAdvice(snapshot, holders);
  if (contained !== null) return contained;
  const groups = holders.map((pid) => groupOf(snapshot, pid));
  if (holders.some((pid) => isSystemd(snapshot, pid))) return socketAdvice(groups, listener);
  const others = holders.filter((pid) => pid > 2);
  if (others.length === 0)
    return `find its holder as root with ss -lnp 'sport = :${listener.port}' and end it`;
  const it = others.length === 1 ? 'it' : 'them';
  return `look at ${it} with ps -o pid,ppid,user,cgroup,args -p ${others.join(',')} and end ${it} yourself`;
}

/**
 * How to make a TCP socket stop listening without touching a process: SOCK_DESTROY of sock_diag(7), sent by ss(8). UDP sockets
 * stay bound: `otherwise` alone.
 */
export function closeSocketAdvice(
  { protocol, address, port }: Pick<Listener, 'protocol' | 'address' | 'port'>,
  otherwise: string,
): string {
  if (protocol !== 'tcp') return otherwise;
  const filter = `src ${bracketed(address)} and sport = :${port}`;
  return `close the socket alone as root with ss --kill --tcp --listening '${filter}', or ${otherwise}`;
}

/** How to stop the container of the first of these pids that is in one; null when none is. */
export function containerAdvice(snapshot: Snapshot, pids: readonly number[]): string | null {
  for (const pid of pids) {
    const container = CONTAINER.exec(groupOf(snapshot, pid))?.[1];
    if (container !== undefined)
      return `stop its container with docker stop ${container} or podman stop ${container}`;
  }
  return null;
}

/** The service manager holds the socket of its service, and starts the service again if only that is stopped. */
function socketAdvice(groups: readonly string[], { port }: Pick<Listener, 'port'>): string {
  for (const group of groups) {
    const service = group.split('/').findLast((part) => UNIT.test(part) && !MANAGER.test(part));
    if (service === undefined) continue;
    const systemctl = WITHIN_MANAGER.test(group) ? 'systemctl --user' : 'systemctl';
    // The socket unit of an instance has no instance name (systemd.socket(5), Accept=).
    const socket = `${service.replace(/(@.*)?\.service$/, '')}.socket`;
    return `stop it with ${systemctl} stop ${socket} ${service}`;
  }
  return `find its unit with systemctl list-sockets --all | grep ${port} and stop it with systemctl stop UNIT.socket`;
}

const groupOf = ({ processes: table }: Snapshot, pid: number): string => {
  const row = table.rowOf(pid);
  return row < 0 ? '' : textOf(table.cgroup(row));
};

function isSystemd({ processes: table }: Snapshot, pid: number): boolean {
  const row = table.rowOf(pid);
  return pid === 1 || (row >= 0 && programName(textOf(table.exe(row))) === 'systemd');
}
