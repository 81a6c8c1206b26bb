/**
 * The machine as Debian's own programs and the kernel's text files show it, read by the tests alone: nothing here shares a
 * line with the engine. proc_pid_status(5), proc_pid_stat(5), namespaces(7), ps(1), ss(8).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface LookedProcess {
  readonly pid: number;
  /** Clock ticks after boot: with the pid, who it is. */
  readonly start: string;
  /** Facts as text, by name; "?" where the kernel refused. */
  readonly facts: Readonly<Record<string, string>>;
}

export interface LookedSocket {
  /** `tcp 127.0.0.1 80 inode`. */
  readonly key: string;
  /** `pid/fd`, sorted; empty when no one (visible) holds it. */
  readonly holders: readonly string[];
}

export interface Look {
  /** Clock ticks since boot when the scan began. */
  readonly sinceTicks: number;
  readonly processes: ReadonlyMap<number, LookedProcess>;
  readonly sockets: ReadonlyMap<string, LookedSocket>;
}

/** A file of `/proc/PID` as bytes-in-text, null when the process is gone or refuses. */
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

/** A process inside its own exit keeps its old state letter until it is a zombie: "changing". PF_EXITING, linux/sched.h. */
function zombieFact(state: string, flags: number): string {
  if ('ZX'.includes(state)) return 'true';
  return (flags & 0x4) !== 0 ? 'changing' : 'false';
}

export function lookAtProcess(pid: number): LookedProcess | null {
  const stat = procText(pid, 'stat');
  const status = procText(pid, 'status');
  if (!stat || !status) return null;
  // The name may hold anything: fields begin after the last parenthesis; field 3 is the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Name: comes first and the kernel escapes newlines in it, so no later line can be forged.
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

/** What ps says, per pid; "?" where it could not say (`-`). */
export function lookByPs(): Map<number, Record<string, string>> {
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

/** LISTEN TCP and unconnected UDP sockets of our network namespace as ss shows them. */
export function lookBySs(): Map<string, LookedSocket> {
  const output = execFileSync('ss', ['-H', '-l', '-n', '-t', '-u', '-p', '-e', '-O'], {
    encoding: 'latin1',
    maxBuffer: 1 << 24,
  });
  const sockets = new Map<string, LookedSocket>();
  for (const row of output.split('\n').filter((line) => line.trim() !== '')) {
    const [protocol = '', , , , local = ''] = row.split(/\s+/);
    const colon = local.lastIndexOf(':');
    // `*` = the v6 wildcard that takes v4 too; `%lo` = bound to an interface.
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
export function look(): Look {
  const sinceTicks = Math.floor(
    Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * ticksPerSecond,
  );
  const byPs = lookByPs();
  const processes = new Map<number, LookedProcess>();
  for (const pid of pidsInProc()) {
    const seen = lookAtProcess(pid);
    if (seen) processes.set(pid, withPs(seen, byPs.get(pid)));
  }
  return { sinceTicks, processes, sockets: lookBySs() };
}

function withPs(seen: LookedProcess, ps: Record<string, string> | undefined): LookedProcess {
  if (!ps) return seen;
  const changing = Object.entries(ps).filter(([name, value]) => value !== seen.facts[name] && value !== '?');
  return {
    ...seen,
    facts: { ...seen.facts, ...Object.fromEntries(changing.map(([name]) => [name, 'changing'])) },
  };
}
