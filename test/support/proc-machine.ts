/** A machine of files, laid out like /proc, that changes while it is watched; and the addon's view of it. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allocate, type Columns, columnsOver } from '../../src/engine/native/columns.ts';
import type { Capacity, NativeAddon } from '../../src/engine/native/types.ts';
import { type FakeProcess, NEW_KERNEL, statLine, statusText, writeProcess } from '../native/fake-proc.ts';
import { memoryFolder } from './temp-folder.ts';

export const socket = (inode: number) => `socket:[${inode}]`;

export class ProcMachine {
  readonly path: string;
  readonly #processes = new Map<number, FakeProcess>();

  constructor(path = memoryFolder('desk-machine-')) {
    this.path = path;
    this.set({ pid: 2, comm: 'kthreadd', ppid: 0, flags: 0x20_0000 });
  }

  get pids(): readonly number[] {
    return [...this.#processes.keys()];
  }

  get(pid: number): FakeProcess {
    const process = this.#processes.get(pid);
    if (process === undefined) throw new Error(`no process ${pid}`);
    return process;
  }

  /** Puts a process in place of the one with the same pid. */
  set(process: FakeProcess): void {
    this.remove(process.pid);
    this.#processes.set(process.pid, process);
    writeProcess(this.path, process, NEW_KERNEL);
  }

  has(pid: number): boolean {
    return this.#processes.has(pid);
  }

  /** The process with other facts of its own, written in place: several times faster than `set`. Not for threads and descriptors. */
  change(process: FakeProcess): void {
    const { pid, exe, cgroup, ns } = process;
    const before = this.get(pid);
    this.#processes.set(pid, process);
    const folder = join(this.path, String(pid));
    const link = (target: string, file: string) => {
      rmSync(join(folder, file), { force: true });
      symlinkSync(target, join(folder, file));
    };
    writeFileSync(join(folder, 'stat'), statLine(process));
    writeFileSync(join(folder, 'status'), statusText(process, process, pid));
    if (exe !== undefined && exe !== before.exe) link(exe, 'exe');
    if (cgroup !== undefined && cgroup !== before.cgroup) writeFileSync(join(folder, 'cgroup'), cgroup);
    if (ns !== before.ns)
      for (const [kind, number] of Object.entries(ns ?? {})) link(`${kind}:[${number}]`, `ns/${kind}`);
  }

  /** Writes its status again, into the same file. */
  confine(pid: number, change: Pick<FakeProcess, 'seccomp' | 'noNewPrivs'>): void {
    const process = { ...this.get(pid), ...change };
    this.#processes.set(pid, process);
    writeFileSync(join(this.path, String(pid), 'status'), statusText(process, process, pid));
  }

  remove(pid: number): void {
    this.#processes.delete(pid);
    rmSync(join(this.path, String(pid)), { recursive: true, force: true });
  }

  /** Opens and closes descriptors of a process, or of one of its threads. */
  open(pid: number, fd: number, inode: number, tid = 0): void {
    const folder = join(this.path, String(pid), ...(tid === 0 ? [] : ['task', String(tid)]), 'fd');
    mkdirSync(folder, { recursive: true });
    symlinkSync(socket(inode), join(folder, String(fd)));
  }
  close(pid: number, fd: number): void {
    rmSync(join(this.path, String(pid), 'fd', String(fd)));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** An open root with one buffer to sweep into. */
export class Look {
  readonly root: number;
  readonly columns: Columns;
  readonly #addon: NativeAddon;
  count = 0;

  constructor(
    addon: NativeAddon,
    path: string,
    capacity: Capacity = { processes: 256, sockets: 64, holders: 256, text: 1 << 16 },
  ) {
    this.#addon = addon;
    const root = addon.openRoot(path);
    if (typeof root !== 'number') throw new Error(`${path} does not open: ${root.code}`);
    this.root = root;
    this.columns = this.buffer(capacity);
  }

  buffer(capacity = this.columns.capacity): Columns {
    const layout = this.#addon.layout(capacity);
    const columns = columnsOver(allocate(layout), layout, capacity);
    columns.bytes.fill(0xa5);
    return columns;
  }

  /** A full sweep, into the scan's own buffer unless another is given; the count of rows. */
  sweep(shards = 1, { bytes, capacity } = this.columns): number {
    const count = this.#addon.listProcesses(this.root, bytes, capacity);
    if (typeof count !== 'number') throw new Error(count.code);
    for (let shard = 0; shard < shards; shard++) {
      const { overflow } = this.#addon.sweepShard(this.root, bytes, capacity, count, shard, shards);
      if (overflow) throw new Error('the text arena is too small');
    }
    if (bytes === this.columns.bytes) this.count = count;
    return count;
  }

  [Symbol.dispose](): void {
    this.#addon.closeRoot(this.root);
  }
}
