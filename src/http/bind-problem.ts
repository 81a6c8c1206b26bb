import type { DeskState, ListenerRole } from '../records/state.ts';

/** Who holds a TCP port, in words, by the newest snapshot. */
function holderOf(port: number, state: DeskState | null): string {
  const holder = state?.snapshot.listeners.find(
    (listener) => listener.protocol === 'tcp' && listener.port === port,
  );
  const pid = holder?.holders[0]?.pid;
  if (pid === undefined) return 'another program';
  return holder?.executable ? `${holder.executable} (pid ${pid})` : `pid ${pid}`;
}

/** Why a listener cannot bind, in one phrase, and what to do about it, in another. */
export function bindProblem(
  code: string,
  role: ListenerRole,
  host: string,
  port: number,
  state: DeskState | null,
) {
  const place = `the ${role} listener cannot bind ${host}:${port}`;
  const elsewhere = `set [listen.${role}] port to a free one`;
  const enabled = role === 'control' ? elsewhere : `${elsewhere}, or enabled = false`;
  switch (code) {
    case 'EADDRINUSE':
      return {
        what: `${place}: ${holderOf(port, state)} holds it`,
        remedy: `stop what holds it ("ss -Hlntp sport = :${port}" names it), or ${enabled}`,
      };
    case 'EACCES':
    case 'EPERM':
      return {
        what: `${place}: a port below 1024 is forbidden to this user`,
        remedy: `it needs root or CAP_NET_BIND_SERVICE, or ${enabled}`,
      };
    case 'ENOTCONN':
    case 'ETIMEDOUT':
      return {
        what: `${place}: desk-start, which binds ports below 1024, does not answer (${code})`,
        remedy: `restart the service, or ${enabled}`,
      };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAFNOSUPPORT':
      return {
        what: `${place}: this machine has no such address (${code})`,
        remedy: `set [listen.${role}] host to an address of this machine, e.g. 127.0.0.1`,
      };
    default:
      return { what: `${place} (${code})`, remedy: `see the log of the service, or ${enabled}` };
  }
}
