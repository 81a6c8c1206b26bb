/** Writes folders laid out like /proc; the fixture roots are made of such processes. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FakeNamespaces {
  readonly user?: number;
  readonly pid?: number;
  readonly mnt?: number;
  readonly net?: number;
}

/** What the kernel reports of one thread; fields left out have the values of an ordinary process. */
export interface FakeThread {
  /** For a process: the state of its leader. With `Z` and `tasks`, the threads outlive the leader. */
  readonly state?: string;
  readonly seccomp?: number;
  readonly noNewPrivs?: number;
  readonly capBnd?: bigint;
  /** The numbers of the NSpid line; `null` leaves the line out. */
  readonly levels?: readonly number[] | null;
  readonly ns?: FakeNamespaces;
  /** attr/current. */
  readonly label?: string;
  /** Replaces the whole status file. */
  readonly status?: string | Uint8Array;
}

export interface FakeProcess extends FakeThread {
  readonly pid: number;
  /** Raw bytes, or text as UTF-8. */
  readonly comm: string | Uint8Array;
  readonly ppid?: number;
  readonly tty?: number;
  readonly flags?: number;
  readonly threads?: number;
  readonly start?: bigint;
  readonly uid?: number;
  readonly euid?: number;
  readonly tracer?: number;
  readonly capEff?: bigint;
  /** Target of the exe link; none when left out. */
  readonly exe?: string;
  readonly cgroup?: string;
  /** Targets of the descriptors by name. */
  readonly fd?: Readonly<Record<string, string>>;
  /** Threads besides the leader; their folders are below task/. */
  readonly tasks?: Readonly<Record<string, FakeThread>>;
  readonly groups?: string;
  /** Replaces the whole stat file. */
  readonly stat?: string | Uint8Array;
}

export const ALL_CAPS = 0x1ff_ffff_ffffn;
export const KTHREAD = 0x0020_8040;

/** The initial namespaces of a kernel before 6.17: user and pid have fixed numbers, mount and net do not. */
export const OLD_KERNEL: Required<FakeNamespaces> = {
  user: 0xefff_fffd,
  pid: 0xefff_fffc,
  mnt: 0xf000_0001,
  net: 0xf000_0098,
};
/** Those of 6.18: all four have fixed numbers. */
export const NEW_KERNEL: Required<FakeNamespaces> = {
  user: 0xefff_fffd,
  pid: 0xefff_fffc,
  mnt: 0xefff_fff8,
  net: 0xefff_fff9,
};

/** A stat line as fs/proc/array.c writes it (proc_pid_stat(5)). */
export function statLine(p: FakeProcess): Buffer {
  const tail = [
    ...[p.state ?? 'S', p.ppid ?? 1, p.pid, p.pid, p.tty ?? 0, -1, p.flags ?? 0x0040_0100],
    ...[120, 0, 0, 0, 3, 4, 0, 0, 20, 0, p.threads ?? 1, 0, p.start ?? BigInt(p.pid) * 10n],
    ...[4_096_000, 320, '18446744073709551615', 1, 1, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 17, 1, 0, 0],
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ];
  return Buffer.concat([
    Buffer.from(`${p.pid} (`),
    Buffer.from(p.comm),
    Buffer.from(`) ${tail.join(' ')}\n`),
  ]);
}

const mask = (bits: bigint) => bits.toString(16).padStart(16, '0');

/** A status file with the relevant lines of fs/proc/array.c and some others (proc_pid_status(5)). */
export function statusText(p: FakeProcess, thread: FakeThread, id: number): Buffer {
  const levels = thread.levels === undefined ? [id] : thread.levels;
  const name = Buffer.from(p.comm).toString('latin1').replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
  const uid = p.uid ?? 0;
  const lines = [
    `Name:\t${name}`,
    'Umask:\t0022',
    `State:\t${p.state ?? 'S'} (sleeping)`,
    `Tgid:\t${p.pid}`,
    'Ngid:\t0',
    `Pid:\t${id}`,
    `PPid:\t${p.ppid ?? 1}`,
    `TracerPid:\t${p.tracer ?? 0}`,
    `Uid:\t${uid}\t${p.euid ?? uid}\t${uid}\t${uid}`,
    `Gid:\t${uid}\t${uid}\t${uid}\t${uid}`,
    'FDSize:\t64',
    `Groups:\t${p.groups ?? ''} `,
    ...(levels === null ? [] : [`NStgid:\t${p.pid}`, `NSpid:\t${levels.join('\t')}`]),
    'VmPeak:\t    3060 kB',
    `Threads:\t${p.threads ?? 1}`,
    'SigQ:\t0/96365',
    'CapInh:\t0000000000000000',
    `CapPrm:\t${mask(p.capEff ?? ALL_CAPS)}`,
    `CapEff:\t${mask(p.capEff ?? ALL_CAPS)}`,
    `CapBnd:\t${mask(thread.capBnd ?? ALL_CAPS)}`,
    'CapAmb:\t0000000000000000',
    `NoNewPrivs:\t${thread.noNewPrivs ?? 0}`,
    `Seccomp:\t${thread.seccomp ?? 0}`,
    'Seccomp_filters:\t0',
    'Cpus_allowed_list:\t0-1',
  ];
  return Buffer.from(`${lines.join('\n')}\n`, 'latin1');
}

function writeThread(folder: string, p: FakeProcess, thread: FakeThread, id: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'status'), thread.status ?? statusText(p, thread, id));
  if (id !== p.pid)
    writeFileSync(join(folder, 'stat'), statLine({ ...p, pid: id, state: thread.state ?? 'S' }));
  // An ended process keeps its credentials and its pid, but nothing that it shared with others.
  const shown = Object.entries(thread.ns ?? {}).filter(
    ([kind]) => thread.state !== 'Z' || /user|pid/.test(kind),
  );
  for (const [kind, number] of shown) {
    mkdirSync(join(folder, 'ns'), { recursive: true });
    symlinkSync(`${kind}:[${number}]`, join(folder, 'ns', kind));
  }
  if (thread.label !== undefined) {
    mkdirSync(join(folder, 'attr'), { recursive: true });
    writeFileSync(join(folder, 'attr', 'current'), thread.label);
  }
}

/** Writes one process below `root`; its namespaces default to `ns`. */
export function writeProcess(root: string, p: FakeProcess, ns: FakeNamespaces = {}): void {
  const folder = join(root, String(p.pid));
  const withNs = (thread: FakeThread): FakeThread => ({ ...thread, ns: { ...ns, ...thread.ns } });
  writeThread(folder, p, withNs(p), p.pid);
  writeFileSync(join(folder, 'stat'), p.stat ?? statLine(p));
  writeShared(folder, p, p.state);
  if (!p.tasks) return;
  const leader = join(folder, 'task', String(p.pid));
  writeThread(leader, p, withNs(p), p.pid);
  writeFileSync(join(leader, 'stat'), p.stat ?? statLine(p));
  for (const [tid, thread] of Object.entries(p.tasks)) {
    const task = join(folder, 'task', tid);
    writeThread(task, p, withNs(thread), Number(tid));
    if (p.state === 'Z') writeShared(task, p, thread.state);
  }
}

/** Writes the files that a thread shares with its process. */
function writeShared(folder: string, p: FakeProcess, state: string | undefined): void {
  writeFileSync(join(folder, 'cgroup'), state === 'Z' ? '0::/\n' : (p.cgroup ?? '0::/\n'));
  mkdirSync(join(folder, 'fd'));
  if (state === 'Z') return;
  if (p.exe !== undefined) symlinkSync(p.exe, join(folder, 'exe'));
  for (const [fd, target] of Object.entries(p.fd ?? {})) symlinkSync(target, join(folder, 'fd', fd));
}
