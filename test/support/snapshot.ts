/** Hand-made snapshots, for tests of checks, records and HTTP. */
import { listenerKey } from '../../src/checks/subjects.ts';
import { countListeners, isService } from '../../src/engine/listeners.ts';
import { OWNER, SCOPE } from '../../src/engine/native/batch-types.ts';
import type { Columns } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { tableOver } from '../../src/engine/process-table.ts';
import type {
  Connection,
  Counts,
  EngineFacts,
  Holder,
  Host,
  Listener,
  Machine,
  ProbeState,
  Snapshot,
  SweepInstant,
} from '../../src/engine/snapshot.ts';
import { countProcesses } from './counts.ts';
import { columnsFrom, type ProcessRow } from './table.ts';

export interface SnapshotParts {
  readonly programs?: Snapshot['programs'];
  readonly generation?: number;
  readonly at?: Partial<SweepInstant>;
  readonly sweepUs?: number;
  readonly engine?: Partial<EngineFacts>;
  /** Rows of the process table; default: a small honest machine (`SMALL_MACHINE`). */
  readonly processes?: readonly ProcessRow[];
  readonly listeners?: readonly Partial<Listener>[];
  readonly connections?: readonly Partial<Connection>[];
  readonly connectionsAgeMs?: number;
  readonly machine?: Partial<Machine>;
  readonly host?: Partial<Host>;
  /** Overrides of single totals; the others are counted from the table. */
  readonly counts?: Partial<Counts>;
  readonly probes?: readonly ProbeState[];
}

/** When a snapshot begins, unless the test says so. */
const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const KTHREAD = 0x0020_0000;
const DESK_PID = 900;

/** init, two kernel threads, a wrapped and a free daemon, a shell with a terminal, and the desk as pid 900. */
export const SMALL_MACHINE: readonly ProcessRow[] = [
  { pid: 1, uid: 0, comm: 'systemd', exe: '/usr/lib/systemd/systemd' },
  { pid: 2, ppid: 0, uid: 0, comm: 'kthreadd', flags: KTHREAD },
  { pid: 3, ppid: 2, uid: 0, comm: 'rcu_gp', flags: KTHREAD },
  {
    pid: 400,
    uid: 101,
    comm: 'systemd-resolve',
    exe: '/usr/lib/systemd/systemd-resolved',
    seccomp: 2,
    noNewPrivs: 1,
    wrap: 1,
  },
  { pid: 500, uid: 0, comm: 'sshd', exe: '/usr/sbin/sshd' },
  { pid: 800, comm: 'bash', exe: '/usr/bin/bash', tty: 34816 },
  { pid: 900, comm: 'node', exe: '/usr/bin/node' },
];

/** A host with nothing to report. */
export const QUIET_HOST: Host = {
  preload: { bytes: 0, libraries: [] },
  packets: { sockets: [], holders: [], complete: true },
  promiscuous: [],
  covers: [],
  sessionUids: new Set(),
  fates: new Map(),
};

/** A listener; default: `127.0.0.1:18772/tcp`, held by pid 900. The scope follows from the address unless given. */
export function listenerFrom(parts: Partial<Listener> = {}): Listener {
  const address = parts.address ?? '127.0.0.1';
  const holders: readonly Holder[] = parts.holders ?? [{ pid: 900, start: '900', fd: 20 }];
  const loopback = address.startsWith('127.') || address.startsWith('::ffff:127.') || address === '::1';
  return {
    protocol: 'tcp',
    family: address.includes(':') ? 6 : 4,
    address,
    port: 18772,
    scope: loopback ? 'loopback' : 'public',
    inode: 10_000 + (parts.port ?? 18772),
    creatorUid: 1000,
    owner: holders.length > 0 ? 'held' : 'ownerless',
    executable: holders.length > 0 ? '/usr/bin/node' : '',
    ...parts,
    holders,
  };
}

/** A whole snapshot from the parts a test cares about; the rest is consistent with them (totals are counted). */
export function snapshotFrom(parts: SnapshotParts = {}): Snapshot {
  const rows = parts.processes ?? SMALL_MACHINE;
  const listeners = (parts.listeners ?? [{}]).map(listenerFrom);
  const columns = columnsFrom(rows, { sockets: listeners.length, self: DESK_PID });
  const processes = tableOver(columns.processes, columns.text, rows.length);
  const machine: Machine = {
    temperatures: [],
    cameras: 0,
    captureDevices: 0,
    tcpActiveOpens: 120,
    tcpPassiveOpens: 45,
    ephemeral: [32768, 60999],
    clockTicksPerSecond: 100,
    uptimeSec: 86_400,
    ...parts.machine,
  };
  const snapshot = Object.freeze({
    generation: parts.generation ?? 1,
    at: { monotonicMs: parts.at?.epochMs ?? AT_MS, epochMs: AT_MS, offsetMin: 0, ...parts.at },
    sweepUs: parts.sweepUs ?? 900,
    engine: {
      backend: 'procfs' as const,
      backendReason: '',
      mark: 'x86_64' as const,
      build: 'desk_x86_64.node',
      buildPath: '/opt/desk/build/Release/desk_x86_64.node',
      workers: 2,
      deskPids: [DESK_PID],
      referenceCapabilities: '1ffffffffff',
      reference: 'pid 2',
      euid: 1000,
      ...parts.engine,
    },
    delta: null,
    columns,
    processes,
    listeners,
    connections: (parts.connections ?? []).map((connection) => ({
      family: 4 as const,
      address: '192.0.2.10',
      port: 443,
      holders: [{ pid: 900, start: '900', fd: 21 }],
      ...connection,
    })),
    connectionsAgeMs: parts.connectionsAgeMs ?? 0,
    programs: parts.programs ?? [],
    machine,
    host: { ...QUIET_HOST, ...parts.host },
    counts: {
      ...countProcesses(processes),
      ...countListeners(listeners, machine.ephemeral),
      ...parts.counts,
    },
    probes: parts.probes ?? [
      { id: 'proc', works: true, reason: '', cure: '' },
      { id: 'sock_diag tcp4', works: true, reason: '', cure: '' },
    ],
  });
  listeners.forEach((listener, row) => {
    putListener(columns, row, listener, snapshot);
  });
  return snapshot;
}

const encoder = new TextEncoder();

/** What the batch reads of a listener, as `derive` would fill it from sockets and holders like these. */
function putListener({ listeners }: Columns, row: number, listener: Listener, snapshot: Snapshot): void {
  const { deskPids } = snapshot.engine;
  listeners.port[row] = listener.port;
  listeners.inode[row] = listener.inode;
  listeners.protocol[row] = listener.protocol === 'udp' ? 17 : 6;
  listeners.scope[row] = SCOPE[listener.scope];
  listeners.owner[row] = OWNER[listener.owner];
  const own = listener.holders.length > 0 && listener.holders.every(({ pid }) => deskPids.includes(pid));
  listeners.own[row] = own ? 1 : 0;
  listeners.service[row] = isService(listener, snapshot.machine.ephemeral) ? 1 : 0;
  const key = encoder.encode(listenerKey(snapshot, listener));
  listeners.key[row] = loadNative().addon.hashIdentity(key);
}
