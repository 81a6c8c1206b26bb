/** Which kernel sources answered a sweep, and what would cure those that did not. */
import { CURES, cureFor } from './cures.ts';
import { FACT, type Refusal } from './native/types.ts';
import type { ProbeState, ProcessTable } from './snapshot.ts';

/** Bit of the capability that lets a process look into others (capabilities(7)). */
const CAP_SYS_PTRACE = 1n << 19n;

/** Facts per process: probe id, bits that feed it, what is hidden without them. */
const PROCESS_PROBES = [
  { id: 'stat', bits: FACT.stat, hides: 'their state and parent' },
  { id: 'status', bits: FACT.status, hides: 'their users, capabilities and seccomp mode' },
  { id: 'executables', bits: FACT.exe, hides: 'their executable' },
  { id: 'namespaces', bits: FACT.nsUser | FACT.nsPid | FACT.nsMnt | FACT.nsNet, hides: 'their namespaces' },
  { id: 'cgroup', bits: FACT.cgroup, hides: 'their control group' },
  { id: 'lsm', bits: FACT.label, hides: 'their security label' },
  { id: 'descriptors', bits: FACT.descriptors, hides: 'their open files, so the owners of sockets' },
  { id: 'threads', bits: FACT.threads, hides: 'their threads' },
] as const;

/** What the process table (native/table) is to count for these probes, in their order. */
export const PROBE_GROUPS: readonly number[] = PROCESS_PROBES.map(({ bits }) => bits);

const SOCKET_PROBES = ['tcp4', 'tcp6', 'udp4', 'udp6', 'https4', 'https6'].map((kind) => `sock_diag ${kind}`);
const MACHINE_PROBES = ['snmp', 'port range', 'thermal', 'cameras', 'sound', 'boot clock'];

export interface Sight {
  readonly table: ProcessTable;
  /** Processes that refused each of `PROBE_GROUPS`. */
  readonly hiding: readonly number[];
  /** Why the process list could not be read; null when it was. */
  readonly processes: Refusal | null;
  readonly self: number;
  readonly euid: number;
  readonly root: string;
  /** Refused dumps; null when sockets were not asked at all (fixture root). */
  readonly sockets: readonly Refusal[] | null;
  /** Refused machine facts; null when they were not asked, the proc root being closed to us. */
  readonly machine: readonly Refusal[] | null;
}

/** Every probe of a sweep, always the same ids in the same order. A source without hardware behind it works. */
export function probesOf(sight: Sight): readonly ProbeState[] {
  const states = [
    procProbe(sight),
    ...processProbes(sight),
    ...SOCKET_PROBES.map((id) => socketProbe(id, sight)),
    ...MACHINE_PROBES.map((id) => machineProbe(id, sight)),
  ];
  return Object.freeze(states.map((state) => Object.freeze(state)));
}

const working = (id: string): ProbeState => ({ id, works: true, reason: '', cure: '' });
const failing = (id: string, what: string, cure: string): ProbeState => ({
  id,
  works: false,
  reason: `${what}: ${cure}`,
  cure,
});

function procProbe({ table, processes, root, euid }: Sight): ProbeState {
  const fails = (what: string, cure: string): ProbeState => failing('proc', `${root} ${what}`, cure);
  if (processes !== null)
    return fails(`cannot be listed (${processes.code})`, 'mount proc there, readable for the desk');
  if (table.count === 0) return fails('shows no process at all', 'mount proc there');
  if (hidesProcesses(table))
    return fails('hides processes of other users (pid 1 is not there)', cureFor(euid, CURES.hidepid));
  return working('proc');
}

/** A pid namespace always has its pid 1: a list without it is cut by the mount option hidepid (proc(5)). */
export const hidesProcesses = (table: ProcessTable): boolean => table.rowOf(1) < 0;

function sightCure(table: ProcessTable, self: number, euid: number): string {
  const row = table.rowOf(self);
  const capable = row >= 0 && ((table.columns.capEff[row] as bigint) & CAP_SYS_PTRACE) !== 0n;
  // With the capability in hand, an ordinary user is refused by the same as root.
  return cureFor(capable ? 0 : euid, CURES.ptrace);
}

function processProbes({ table, hiding, processes, self, euid }: Sight): ProbeState[] {
  if (processes !== null || table.count === 0)
    return PROCESS_PROBES.map(({ id }) => failing(id, 'no process can be seen', 'see probe proc'));
  const cure = sightCure(table, self, euid);
  return PROCESS_PROBES.map(({ id, hides }, at) => {
    const count = hiding[at] ?? 0;
    if (count === 0)
      return hidesProcesses(table)
        ? failing(id, `the processes that are left out hide ${hides}`, 'see probe proc')
        : working(id);
    const text =
      count === 1 ? `1 process hides ${hides.replace('their', 'its')}` : `${count} processes hide ${hides}`;
    return failing(id, text, cure);
  });
}

function socketProbe(id: string, { sockets: refusals, processes }: Sight): ProbeState {
  if (refusals === null)
    return processes === null
      ? failing(id, 'not asked, a fixture root has no sockets', 'use /proc')
      : failing(id, 'not asked', 'see probe proc');
  const refusal = refusals.find(({ source }) => source === id);
  if (refusal === undefined) return working(id);
  const cure = SOCKET_CURES[refusal.code] ?? 'the next sweep asks again';
  return failing(id, `the kernel refuses the dump (${refusal.code})`, cure);
}

const ALLOW_NETLINK =
  'allow AF_NETLINK sockets for the desk (RestrictAddressFamilies, seccomp or LSM policy)';
const SOCKET_CURES: Readonly<Record<string, string>> = {
  ENOENT: 'load its module with "modprobe tcp_diag udp_diag"',
  EPERM: ALLOW_NETLINK,
  EACCES: ALLOW_NETLINK,
  EPROTONOSUPPORT: ALLOW_NETLINK,
  EAFNOSUPPORT: ALLOW_NETLINK,
  EMFILE: 'raise the limit of open files',
  ENFILE: 'raise the limit of open files',
};

function machineProbe(id: string, { machine: refusals, euid }: Sight): ProbeState {
  if (refusals === null) return failing(id, 'not asked', 'see probe proc');
  const refusal = refusals.find(({ source }) => source === id);
  if (refusal === undefined) return working(id);
  const cure =
    refusal.code === 'EACCES' || refusal.code === 'EPERM'
      ? cureFor(euid, CURES.sensor)
      : 'see what its driver says in the kernel log';
  return failing(id, `it is there but cannot be read (${refusal.code})`, cure);
}
