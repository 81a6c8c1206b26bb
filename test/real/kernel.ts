/**
 * The machine as Debian's own programs and the kernel's text files show it, read only by the tests: no code is shared with the
 * engine. proc_pid_status(5), proc_pid_stat(5), namespaces(7), ps(1), ss(8).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface KernelProcess {
  readonly pid: number;
  /** Clock ticks after boot; identifies the process together with the pid. */
  readonly start: string;
  /** Facts as text, by name; "?" where the kernel refused. */
  readonly facts: Readonly<Record<string, string>>;
}

export interface KernelSocket {
  /** `tcp 127.0.0.1 80 inode`. */
  readonly key: string;
  /** `pid/fd`, sorted; empty when no visible process holds it. */
  readonly holders: readonly string[];
}

export interface KernelScan {
  /** Clock ticks since boot when the scan began. */
  readonly sinceTicks: number;
  readonly processes: ReadonlyMap<number, KernelProcess>;
  readonly sockets: ReadonlyMap<string, KernelSocket>;
}

/** A file of `/proc/PID` as bytes-in-text; null when the process is gone or the kernel refuses. */
function procText(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}

function namespace(pid: number, name: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/${name}`).replace(/\D/g, '');
  } catch {
    return '?';
  }
}

/** An exiting process keeps its old state letter until it is a zombie: "changing". PF_EXITING, linux/sched.h. */
function zombieFact(state: string, flags: number): string {
  if ('ZX'.includes(state)) return 'true';
  return (flags & 0x4) !== 0 ? 'changing' : 'false';
}

export function readProcess(pid: number): KernelProcess | null {
  const stat = procText(pid, 'stat');
  const status = procText(pid, 'status');
  if (!stat || !status) return null;
  // The name may contain anything: fields begin after the last parenthesis; field 3 is the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Name: is the first line and the kernel escapes newlines in it, so a name cannot forge later lines.
  const line = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '?';
  const [uid = '?', euid = '?'] = line('Uid').split(/\s+/);
  return {
    pid,
    start: fields[19] ?? '?',
    facts: {
      ppid: fields[1] ?? '?',
      tty: fields[4] ?? '?',
      kernelThread: String((Number(fields[6]) & 0x0020_0000) !== 0),
      zombie: zombieFact(fields[0] ?? '?', Number(fields[6])),
      threads: fields[17] ?? '?',
      uid,
      euid,
      seccomp: line('Seccomp'),
      noNewPrivs: line('NoNewPrivs'),
      capEff: BigInt(`0x${line('CapEff')}`).toString(16),
      capBnd: BigInt(`0x${line('CapBnd')}`).toString(16),
      tracer: line('TracerPid'),
      nsUser: namespace(pid, 'user'),
      nsPid: namespace(pid, 'pid'),
      nsMnt: namespace(pid, 'mnt'),
      nsNet: namespace(pid, 'net'),
    },
  };
}

export function pidsInProc(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The output of ps, by pid; "?" where it shows `-`. */
export function readPs(): Map<number, Record<string, string>> {
  const columns = ['pid', 'ppid', 'ruid', 'euid', 'nlwp', 'userns', 'pidns', 'mntns', 'netns'];
  const names = ['pid', 'ppid', 'uid', 'euid', 'threads', 'nsUser', 'nsPid', 'nsMnt', 'nsNet'];
  const output = execFileSync('ps', ['-e', '-o', columns.map((column) => `${column}=`).join(',')], {
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  const rows = output
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  return new Map(
    rows.map((row) => [
      Number(row[0]),
      Object.fromEntries(
        names.slice(1).map((name, at) => [name, row[at + 1] === '-' ? '?' : (row[at + 1] ?? '?')]),
      ),
    ]),
  );
}

/** LISTEN TCP and unconnected UDP sockets of our network namespace, from ss. */
export function readSs(): Map<string, KernelSocket> {
  const output = execFileSync('ss', ['-H', '-l', '-n', '-t', '-u', '-p', '-e', '-O'], {
    encoding: 'latin1',
    maxBuffer: 1 << 24,
  });
  const sockets = new Map<string, KernelSocket>();
  for (const row of output.split('\n').filter((line) => line.trim() !== '')) {
    const [protocol = '', , , , local = ''] = row.split(/\s+/);
    const colon = local.lastIndexOf(':');
    // `*` = the v6 wildcard, which also accepts v4; `%lo` = bound to an interface.
    const address = local.slice(0, colon).replace(/%.*/, '').replace(/^\*$/, '::').replace(/[[\]]/g, '');
    const key = `${protocol} ${address} ${local.slice(colon + 1)} ${/\bino:(\d+)/.exec(row)?.[1]}`;
    const holders = [...row.matchAll(/,pid=(\d+),fd=(\d+)\)/g)]
      .map((found) => `${found[1]}/${found[2]}`)
      .sort();
    sockets.set(key, { key, holders });
  }
  return sockets;
}

export const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** One scan of everything. `ps` is merged in: where it contradicts the files, the fact becomes "changing". */
export function scanKernel(): KernelScan {
  const sinceTicks = Math.floor(
    Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * ticksPerSecond,
  );
  const byPs = readPs();
  const processes = new Map<number, KernelProcess>();
  for (const pid of pidsInProc()) {
    const seen = readProcess(pid);
    if (seen) processes.set(pid, withPs(seen, byPs.get(pid)));
  }
  return { sinceTicks, processes, sockets: readSs() };
}

function withPs(seen: KernelProcess, ps: Record<string, string> | undefined): KernelProcess {
  if (!ps) return seen;
  const changing = Object.entries(ps).filter(([name, value]) => value !== seen.facts[name] && value !== '?');
  return {
    ...seen,
    facts: { ...seen.facts, ...Object.fromEntries(changing.map(([name]) => [name, 'changing'])) },
  };
}
