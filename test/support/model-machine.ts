/**
 * A small machine that lives: processes and sockets do what they do under a kernel, their files are a proc root, and it reports
 * what an event source would. Time is its own. Acts are plain numbers, so that a history can be generated, shrunk and repeated.
 */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeProcess } from '../native/fake-proc.ts';
import { ProcMachine, socket } from './proc-machine.ts';

/** As src/engine/events.ts and native/watch/watch.cc have them, ms. */
const REREAD_MS: readonly number[] = [10, 100, 1000];
const SOCKETS_AGAIN_MS = 10;
const ALL_MS = 5000;
/** native/probe/owners.cc. */
const OTHERS_AFTER_MS = 5;

export const DESK = 11;
export const PIDS = { min: 10, max: 30 } as const;
const BURST = 70;
const MOST_SOCKETS = 12;

const KINDS = [
  ...(['fork', 'fork', 'fork', 'fork', 'exec', 'rename', 'user', 'trace', 'exit', 'exit'] as const),
  ...(['zombie', 'reap', 'reuse', 'confine', 'namespace', 'capabilities', 'thread', 'threadsEnd'] as const),
  ...(['leaderEnds', 'unlink', 'cgroup', 'hide', 'show', 'listen', 'listen', 'close', 'pass'] as const),
  'burst' as const,
];
type Kind = (typeof KINDS)[number];

/** One change: what happens to which process, the other one concerned, a detail, and whether its events are lost. */
export interface Act {
  readonly kind: Kind;
  readonly pid: number;
  readonly other: number;
  readonly number: number;
  readonly lost: boolean;
}
export const ACT_KINDS: readonly Kind[] = KINDS;

export interface ModelSocket {
  readonly inode: number;
  readonly port: number;
  readonly udp: boolean;
  readonly loopback: boolean;
  readonly uid: number;
}

/** What has happened, as src/engine/events.ts has it. */
export interface Reported {
  readonly dirty: readonly number[];
  readonly listeners: boolean;
  readonly all: boolean;
}

const inodeOf = (link: string): number => Number(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? 0);

/** What may be older than the machine: the stated staleness, and what lost events hide. */
class Stale {
  /** Until the process is read, or everything. */
  readonly rows = new Set<number>();
  /** Executable and control group: until an event names the process, or the texts of all are read. */
  readonly texts = new Set<number>();
  /** A holder has closed it: until sockets are listed or an event names the holder. */
  readonly closed = new Set<number>();
  /** Further holders: until everything is searched. */
  readonly holders = new Set<number>();
  /** Sockets whose event was lost, until sockets are listed. */
  readonly unlisted = new Set<number>();
  /**
   * The holder of such a socket, where a child of it is searched first: until sockets are listed again `OTHERS_AFTER_MS` after they
   * were first listed with it. When that was; null before.
   */
  readonly earlier = new Map<number, number | null>();
  /** The list itself. */
  sockets = false;

  /** Sockets were listed. */
  listed(nowMs: number): void {
    this.closed.clear();
    this.unlisted.clear();
    this.sockets = false;
    for (const [inode, atMs] of this.earlier)
      if (atMs === null) this.earlier.set(inode, nowMs);
      else if (nowMs - atMs >= OTHERS_AFTER_MS) this.earlier.delete(inode);
  }

  read(pid: number): void {
    this.rows.delete(pid);
    this.texts.delete(pid);
  }
}

export class ModelMachine {
  readonly files = new ProcMachine();
  readonly sockets = new Map<number, ModelSocket>();
  readonly stale = new Stale();
  /** Changes when files were removed. */
  removals = 0;
  nowMs = 1_000_000;
  /** Processes with a file that cannot be read. */
  readonly hidden = new Set<number>();
  readonly #dirty = new Map<number, number>();
  #due: { readonly atMs: number; readonly pid: number }[] = [];
  #listeners = false;
  #socketsDueMs = Number.POSITIVE_INFINITY;
  #allDueMs = this.nowMs + ALL_MS;
  #births = 1000n;
  #inodes = 5000;

  constructor() {
    this.files.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
    this.files.set({ pid: DESK, comm: 'node', exe: '/usr/bin/node', uid: 1000 });
    this.files.set({ pid: PIDS.min, comm: 'first', exe: '/usr/bin/first' });
  }

  [Symbol.dispose](): void {
    this.files[Symbol.dispose]();
  }

  /** Lets time pass, and takes what has been reported or is due. */
  take(passedMs: number): Reported {
    this.nowMs += passedMs;
    const due = this.#due.filter(({ atMs }) => atMs <= this.nowMs);
    this.#due = this.#due.filter(({ atMs }) => atMs > this.nowMs);
    for (const { pid } of due) {
      // An end that is reported in the same step stays one.
      const gone = (this.#dirty.get(pid) ?? pid) < 0;
      if (!gone) this.#dirty.set(pid, pid);
      if (!gone || !this.stale.rows.has(pid)) this.stale.read(pid);
    }
    const again = this.#socketsDueMs <= this.nowMs;
    if (again) this.#socketsDueMs = Number.POSITIVE_INFINITY;
    const all = this.#allDueMs <= this.nowMs;
    if (all) this.#allDueMs = this.nowMs + ALL_MS;
    const dirty = [...this.#dirty].map(([pid, entry]) => (this.files.has(pid) ? pid : entry));
    for (const pid of dirty) if (pid > 0) this.stale.read(pid);
    const reported = { dirty, listeners: this.#listeners || again, all };
    this.#dirty.clear();
    this.#listeners = false;
    return reported;
  }

  act({ kind, pid, other, number, lost }: Act): void {
    if (kind === 'burst') {
      for (let at = 0; number === 0 && at < BURST; at++) this.#fork(100 + at, other, 0, false);
    } else if (kind === 'fork') this.#fork(pid, other, number, lost);
    else if (kind === 'reap') {
      if (this.files.has(pid) && !this.#lives(pid)) this.#remove(pid);
    } else if (this.#lives(pid)) this.#living(kind, this.files.get(pid), { pid, other, number, lost });
  }

  #living(kind: Kind, process: FakeProcess, act: Omit<Act, 'kind'>): void {
    const { pid, other, number, lost } = act;
    const { tasks, fd = {}, exe = '', ...rest } = process;
    const one = (change: Partial<FakeProcess>) => this.#set({ ...process, ...change });
    const reported = (sign: 1 | -1 = 1, again = false) => this.#report(pid, { lost, sign, again });
    const unreported = (what: 'rows' | 'texts' = 'rows') => this.#unreported(pid, what);
    switch (kind) {
      case 'exec':
        // Descriptors with an even number are closed; other threads end.
        for (const at of Object.keys(fd)) if (Number(at) % 2 === 0) this.#close(pid, at, lost);
        this.#set({
          ...rest,
          ...this.#fdOf(pid),
          comm: `new-${number}`,
          exe: `/usr/bin/new-${number}${number === 9 ? 'x'.repeat(300) : ''}`,
          threads: 1,
          state: 'S',
        });
        reported(1, true);
        return;
      case 'rename':
        one({ comm: number === 0 ? 'kworker/0:1' : `name-${number}` });
        reported();
        return;
      case 'user':
        one({ uid: 100 * number, euid: number % 2 === 0 ? 0 : 100 * number });
        reported();
        return;
      case 'trace':
        one({ tracer: number % 2 === 0 ? 0 : other });
        reported();
        return;
      case 'exit':
      case 'reuse':
        if (pid === DESK) return;
        this.#end(pid, lost);
        this.#remove(pid);
        reported(-1, true);
        if (kind === 'reuse') this.#fork(pid, other, number, lost);
        return;
      case 'zombie':
        if (pid === DESK) return;
        this.#end(pid, lost);
        this.#set({ ...rest, threads: 1, state: 'Z' });
        reported(-1, true);
        return;
      case 'leaderEnds':
        if (tasks === undefined) return;
        one({ state: 'Z' });
        reported(-1, true);
        return;
      case 'thread': {
        const ns = number > 6 ? { ns: { mnt: 0xf000_0000 + number } } : {};
        const thread = { seccomp: number % 3, noNewPrivs: number % 2, ...ns };
        const threads = { ...tasks, [1000 + 20 * pid + number]: thread };
        one({ tasks: threads, threads: 1 + Object.keys(threads).length });
        unreported();
        return;
      }
      case 'threadsEnd':
        if (tasks === undefined || process.state === 'Z') return;
        this.#set({ ...rest, fd, exe, threads: 1 });
        reported(1, true);
        return;
      case 'confine':
        one({ seccomp: number % 3, noNewPrivs: number % 2 });
        unreported();
        return;
      case 'namespace':
        one({
          ns: { ...process.ns, [['user', 'pid', 'mnt', 'net'][number % 4] ?? '']: 0xf000_0000 + number },
        });
        unreported();
        return;
      case 'capabilities':
        one({ capBnd: BigInt(number) << 30n, capEff: BigInt(number) });
        unreported();
        return;
      case 'unlink':
        if (exe === '' || exe.endsWith(' (deleted)')) return;
        one({ exe: `${exe} (deleted)` });
        unreported('texts');
        return;
      case 'cgroup':
        one({ cgroup: `0::/group-${number}\n` });
        unreported('texts');
        return;
      case 'hide':
        this.#hide(process, number);
        unreported();
        return;
      case 'show':
        one({});
        unreported();
        return;
      case 'listen':
        this.#listen(process, number, lost);
        return;
      case 'close': {
        const open = Object.keys(fd);
        const at = open[number % Math.max(1, open.length)];
        if (at !== undefined) this.#close(pid, at, lost);
        return;
      }
      case 'pass': {
        const [target] = Object.values(fd);
        const at = String(20 + number);
        if (target === undefined || !this.#lives(other) || other === pid) return;
        const receiver = this.files.get(other);
        this.#set({ ...receiver, fd: { ...receiver.fd, [at]: target } });
        const replaced = receiver.fd?.[at];
        if (replaced !== undefined) this.#closed(inodeOf(replaced), false);
        this.stale.holders.add(inodeOf(target));
        return;
      }
      default:
        throw new Error(`no act ${kind}`);
    }
  }

  #lives(pid: number): boolean {
    if (!this.files.has(pid) || pid < PIDS.min) return false;
    const { state, tasks } = this.files.get(pid);
    return state !== 'Z' || tasks !== undefined;
  }

  /** An event that names the process: it is read after everything that happens in this step. */
  #report(pid: number, { lost = false, sign = 1, again = false }): void {
    if (lost) {
      this.#unreported(pid, 'rows');
      return;
    }
    this.#dirty.set(pid, sign * pid);
    // One that is gone is read if it was known: its birth may be lost.
    if (sign > 0 || !this.stale.rows.has(pid)) this.stale.read(pid);
    if (again) for (const after of REREAD_MS) this.#due.push({ atMs: this.nowMs + after, pid });
  }

  #unreported(pid: number, what: 'rows' | 'texts'): void {
    if (this.#dirty.has(pid)) return;
    this.stale[what].add(pid);
    if (what === 'rows') this.stale.texts.add(pid);
  }

  #set(process: FakeProcess): void {
    const { pid } = process;
    const before = this.files.get(pid);
    const inPlace = (['tasks', 'fd', 'state', 'start'] as const).every((key) => before[key] === process[key]);
    if (inPlace && process.tasks === undefined && !this.hidden.has(pid)) {
      this.files.change(process);
      return;
    }
    // Everything is written: what was hidden is not.
    if (this.hidden.delete(pid)) this.#unreported(pid, 'rows');
    this.files.set(process);
    this.removals++;
  }

  #fork(pid: number, other: number, number: number, lost: boolean): void {
    if (this.files.has(pid)) return;
    const parent = this.files.get(this.#lives(other) ? other : 1);
    const { tasks: _, tracer: __, ...copied } = parent;
    const start = ++this.#births;
    this.files.set({ ...copied, pid, ppid: parent.pid, start, threads: 1, state: 'S' });
    for (const inode of Object.values(parent.fd ?? {}).map(inodeOf))
      if (lost) this.stale.holders.add(inode);
      else if (this.stale.unlisted.has(inode)) this.stale.earlier.set(inode, null);
    this.#report(pid, { lost, again: true });
    if (number > 6) this.act({ kind: 'exec', pid, other, number, lost });
  }

  /** Its children have another parent now; its descriptors are closed. */
  #end(pid: number, lost: boolean): void {
    for (const at of Object.keys(this.files.get(pid).fd ?? {})) this.#close(pid, at, lost);
    for (const child of this.files.pids) {
      const process = this.files.get(child);
      if (process.ppid !== pid) continue;
      this.#set({ ...process, ppid: 1 });
      if (lost) this.#unreported(child, 'rows');
    }
  }

  #remove(pid: number): void {
    this.hidden.delete(pid);
    this.files.remove(pid);
    this.removals++;
  }

  /** Files that cannot be opened or followed, not even by root. */
  #hide({ pid }: FakeProcess, number: number): void {
    const file = (['status', 'exe', 'cgroup', 'stat', 'ns/mnt'] as const)[number % 5] as string;
    const path = join(this.files.path, String(pid), file);
    rmSync(path, { recursive: true, force: true });
    if (file === 'exe' || file === 'ns/mnt') writeFileSync(path, '');
    else symlinkSync(file, path);
    this.hidden.add(pid);
    this.removals++;
  }

  #fdOf(pid: number): Pick<FakeProcess, 'fd'> {
    const { fd } = this.files.get(pid);
    return fd === undefined ? {} : { fd };
  }

  #listen(process: FakeProcess, number: number, lost: boolean): void {
    const { pid, fd = {}, uid = 0 } = process;
    const at = String(3 + number);
    if (fd[at] !== undefined || this.sockets.size >= MOST_SOCKETS) return;
    const inode = ++this.#inodes;
    this.#set({ ...process, fd: { ...fd, [at]: socket(inode) } });
    const port = 2000 + (inode % 5000);
    this.sockets.set(inode, { inode, port, udp: number % 3 === 0, loopback: number % 2 === 0, uid });
    this.#socketsChanged(lost);
    if (lost) this.stale.unlisted.add(inode);
    // The one that made it is searched first.
    if (!lost && !this.#dirty.has(pid)) this.#report(pid, {});
  }

  #socketsChanged(lost: boolean): void {
    if (lost) {
      this.stale.sockets = true;
      return;
    }
    this.#listeners = true;
    this.#socketsDueMs = Math.min(this.#socketsDueMs, this.nowMs + SOCKETS_AGAIN_MS);
  }

  #close(pid: number, at: string, lost: boolean): void {
    const process = this.files.get(pid);
    const { [at]: link, ...fd } = process.fd ?? {};
    if (link === undefined) return;
    this.#set({ ...process, fd });
    this.#closed(inodeOf(link), lost);
  }

  #closed(inode: number, lost: boolean): void {
    const link = socket(inode);
    const holds = (pid: number) => Object.values(this.files.get(pid).fd ?? {}).includes(link);
    if (this.files.pids.some(holds)) this.stale.closed.add(inode);
    else if (this.sockets.delete(inode)) this.#socketsChanged(lost);
  }
}
