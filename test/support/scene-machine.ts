/** A small office machine, written down: its processes and listeners as a sweep would show them, for scenes. */

import { PF_KTHREAD } from '../../src/engine/native/types.ts';
import type { Listener } from '../../src/engine/snapshot.ts';
import type { ProcessRow } from './table.ts';

/** Seconds the machine has been up at the state of a scene. */
export const UPTIME_SEC = 9 * 86_400 + 4_210;

const SECCOMP_FILTER = 2;
/** Confined by a seccomp filter, as systemd and Chromium do it. */
const FILTERED = { seccomp: SECCOMP_FILTER, noNewPrivs: 1, wrap: 1 } as const;
/** Namespaces other than the initial ones. */
const INNER = {
  nsUser: 4_026_532_400,
  nsPid: 4_026_532_401,
  nsMnt: 4_026_532_402,
  nsNet: 4_026_532_403,
} as const;
const CONTAINED = { ...INNER, container: true, wrap: 1 } as const;

/** Start time, in clock ticks after boot, of a process started this many seconds ago. */
export const startedAgo = (sec: number): bigint => BigInt(Math.max(0, UPTIME_SEC - sec)) * 100n;

const SINCE_BOOT = UPTIME_SEC - 12;
const row = (pid: number, uid: number, exe: string, parts: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  uid,
  exe,
  comm: exe.slice(exe.lastIndexOf('/') + 1).slice(0, 15),
  start: startedAgo(SINCE_BOOT - (pid % 90)),
  ...parts,
});
const thread = (pid: number, comm: string): ProcessRow => ({
  pid,
  uid: 0,
  comm,
  ppid: pid === 2 ? 0 : 2,
  flags: PF_KTHREAD,
  start: 3n,
});

/** The desk itself. */
export const DESK_PID = 900;

/** Every program is known, nothing is unusual. */
export const OFFICE_MACHINE: readonly ProcessRow[] = [
  row(1, 0, '/usr/lib/systemd/systemd', { start: 2n }),
  ...['kthreadd', 'rcu_preempt', 'kworker/0:1', 'ksoftirqd/0', 'kcompactd0', 'jbd2/nvme0n1p2-'].map(
    (comm, at) => thread(at + 2, comm),
  ),
  row(311, 0, '/usr/lib/systemd/systemd-journald', FILTERED),
  row(344, 0, '/usr/lib/systemd/systemd-udevd'),
  row(402, 101, '/usr/lib/systemd/systemd-resolved', FILTERED),
  row(410, 102, '/usr/lib/systemd/systemd-timesyncd', FILTERED),
  row(455, 103, '/usr/bin/dbus-daemon'),
  row(460, 0, '/usr/sbin/NetworkManager'),
  row(477, 0, '/usr/lib/systemd/systemd-logind', FILTERED),
  row(520, 0, '/usr/sbin/sshd'),
  row(533, 0, '/usr/sbin/cupsd', FILTERED),
  row(610, 0, '/usr/sbin/nginx'),
  row(611, 33, '/usr/sbin/nginx', { ppid: 610 }),
  row(640, 105, '/usr/lib/postgresql/15/bin/postgres', CONTAINED),
  row(700, 1000, '/usr/lib/systemd/systemd'),
  row(731, 1000, '/usr/bin/pipewire'),
  row(733, 1000, '/usr/bin/wireplumber'),
  row(760, 1000, '/usr/bin/gnome-shell'),
  row(800, 1000, '/usr/bin/bash', { ppid: 760, tty: 34_816 }),
  row(DESK_PID, 1000, '/usr/bin/node', { threads: 9, start: startedAgo(3 * 3600) }),
  row(901, 1000, '/usr/lib/hostess-desk/desk-peek', {
    ppid: DESK_PID,
    ...FILTERED,
    start: startedAgo(3 * 3600),
  }),
  row(1204, 1000, '/usr/bin/claws-mail', { threads: 4, start: startedAgo(7_300) }),
  row(1310, 1000, '/usr/lib/chromium/chromium', { threads: 24, start: startedAgo(5_400) }),
  ...[1322, 1345, 1346, 1390].map((pid) =>
    row(pid, 1000, '/usr/lib/chromium/chromium', {
      ppid: 1310,
      threads: 12,
      ...FILTERED,
      ...INNER,
      start: startedAgo(5_300),
    }),
  ),
  row(1502, 1000, '/usr/bin/vim', { ppid: 800, tty: 34_816, start: startedAgo(640) }),
];

const place = (
  port: number,
  pid: number,
  executable: string,
  parts: Partial<Listener> = {},
): Partial<Listener> => ({
  port,
  executable,
  creatorUid: OFFICE_MACHINE.find((process) => process.pid === pid)?.uid ?? 0,
  holders: [
    { pid, start: String(OFFICE_MACHINE.find((process) => process.pid === pid)?.start ?? 0n), fd: 7 },
  ],
  ...parts,
});

export const OFFICE_PORT = 80;

/** The listeners, including the desk's own. */
export const OFFICE_LISTENERS: readonly Partial<Listener>[] = [
  place(OFFICE_PORT, DESK_PID, '/usr/bin/node'),
  place(18_770, DESK_PID, '/usr/bin/node'),
  place(18_772, DESK_PID, '/usr/bin/node'),
  place(22, 520, '/usr/sbin/sshd', { address: '0.0.0.0' }),
  place(22, 520, '/usr/sbin/sshd', { address: '::', inode: 10_023 }),
  place(443, 610, '/usr/sbin/nginx', { address: '0.0.0.0' }),
  place(53, 402, '/usr/lib/systemd/systemd-resolved', { address: '127.0.0.53' }),
  place(53, 402, '/usr/lib/systemd/systemd-resolved', {
    address: '127.0.0.53',
    protocol: 'udp',
    inode: 10_054,
  }),
  place(631, 533, '/usr/sbin/cupsd'),
  place(631, 533, '/usr/sbin/cupsd', { address: '::1', inode: 10_632 }),
];
