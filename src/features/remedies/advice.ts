/** What a person can do about a banned listener that the desk does not shut down. Pure. */
import { programName } from '../../checks/executables.ts';
import { textOf } from '../../engine/bytes.ts';
import type { Listener, Snapshot } from '../../engine/snapshot.ts';

/** Unit names as they may stand in a command line that a person copies (systemd.unit(5), less what a shell would read). */
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
 * A TCP socket stops listening without touching any process: SOCK_DESTROY of sock_diag(7), as ss(8) asks for it. UDP: `look` alone,
 * because the socket stays bound. The filter names
 * one address, IPv6 in brackets.
 */
export function closeSocketAdvice(
  { protocol, family, address, port }: Pick<Listener, 'protocol' | 'family' | 'address' | 'port'>,
  look: string,
): string {
  if (protocol !== 'tcp') return look;
  const filter = `src ${family === 6 ? `[${address}]` : address} and sport = :${port}`;
  return `close the socket alone as root with ss --kill --tcp --listening '${filter}', or ${look}`;
}

/** How to stop the container that the first of these pids is in; null when none is in one. */
export function containerAdvice(snapshot: Snapshot, pids: readonly number[]): string | null {
  for (const pid of pids) {
    const container = CONTAINER.exec(groupOf(snapshot, pid))?.[1];
    if (container !== undefined)
      return `stop its container with docker stop ${container} or podman stop ${container}`;
  }
  return null;
}

/** A service manager listens in the place of its service: stopping the service alone would only start it again. */
function socketAdvice(groups: readonly string[], { port }: Pick<Listener, 'port'>): string {
  for (const group of groups) {
    const service = group.split('/').findLast((part) => UNIT.test(part) && !MANAGER.test(part));
    if (service === undefined) continue;
    const systemctl = WITHIN_MANAGER.test(group) ? 'systemctl --user' : 'systemctl';
    // Of an instance, the unit without it (systemd.socket(5), Accept=).
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
