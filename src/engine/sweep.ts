/** The engine: sweeps the kernel into shared columns and hands out immutable, numbered snapshots. */
import { DeadlineError, joined, withDeadline } from '../base/promises.ts';
import {
  assemble,
  type Before,
  ephemeralOf,
  machineFrom,
  type RawSweep,
  type SweepParts,
  sightComplete,
} from './assemble.ts';
import { Batch, type BatchJob, type BatchOutcome } from './batch.ts';
import { Besides, judgesTheSame, machineAt } from './besides.ts';
import { EVERY_MS } from './bounds.ts';
import { Buffers, FIRST_CAPACITY } from './buffers.ts';
import { Collector } from './collector.ts';
import { deskProcesses } from './desk-processes.ts';
import type { Changes } from './events.ts';
import { type BackendChoice, chooseBackend } from './native/backend.ts';
import { loadNative } from './native/load.ts';
import { shownPath } from './native/shown-path.ts';
import {
  type Backend,
  type Capacity,
  isRefusal,
  type Mark,
  type NativeAddon,
  type Reference,
  type Refusal,
} from './native/types.ts';
import { defaultWorkers, Pool, type TaskPool } from './pool.ts';
import { PROBE_GROUPS } from './probes.ts';
import { late } from './reading.ts';
import type { Connection, EngineFacts, Machine, Snapshot } from './snapshot.ts';

/** A sweep takes milliseconds; one that takes this long hangs in the kernel. */
const SWEEP_DEADLINE_MS = 10_000;
/** Sweeps whose workers never came back: with so many no other one is begun until one has ended. */
const MOST_HUNG = 2;
const CLOSE_DEADLINE_MS = 2000;

export interface EngineOptions {
  /** Proc root; another one than `/proc` is a fixture, whose sockets are not asked. */
  readonly root?: string;
  readonly sys?: string;
  /** The folder that etc and run are in; default: our own. */
  readonly top?: string;
  readonly workers?: number;
  /** Default: `DESK_BACKEND`, else the best that runs here. */
  readonly backend?: Backend | undefined;
  /** Build to load; default: `DESK_MARK`, else the best of this CPU. */
  readonly mark?: Mark;
  /** First capacity of the buffers; they grow by themselves. */
  readonly capacity?: Capacity;
  readonly pool?: (workers: number, mark: Mark) => TaskPool;
  readonly deadlineMs?: number;
  /** Executables whose running processes a snapshot lists: paths, or base names. */
  readonly programs?: readonly string[];
  /** Pid whose tree of processes counts as the desk's own; default: ours. */
  readonly self?: number;
}

export interface EngineMemory {
  /**
   * Bytes: the columns that sweeps write, the bitmaps of the batch, the process table that lasts, and the texts that the task
   * iterator's sweeps keep.
   */
  readonly parts: Readonly<Record<'columns' | 'bitmaps' | 'table' | 'texts', number>>;
  /** Worker threads that run. */
  readonly workers: number;
  /** Their JavaScript heaps as of their last task. */
  readonly workerHeapBytes: number;
  /** What malloc has given out in this process. */
  readonly malloc: ReturnType<NativeAddon['nativeHeap']>;
  /** Pids of the service and its helpers. */
  readonly group: readonly number[];
}

interface ConnectionsRead {
  readonly readAtMs: number;
  readonly connections: readonly Connection[];
  readonly refusals: readonly Refusal[];
}

export class Engine {
  /** [generation (31 bit), index of the buffer it lies in]; each publication wakes waiters of element 0. */
  readonly header = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly native: NativeAddon;
  readonly #options: Required<Omit<EngineOptions, 'mark' | 'backend'>>;
  readonly #facts: Pick<EngineFacts, 'mark' | 'build' | 'buildPath'>;
  readonly #buffers: Buffers;
  readonly #collector: Collector;
  readonly #batch: Batch;
  #pool: TaskPool | null = null;
  #root: number | Refusal | null = null;
  #reference: Reference | null = null;
  #connections: ConnectionsRead | null = null;
  #latest: Before | null = null;
  readonly #besides: Besides;
  #hung = 0;
  #running: Promise<Snapshot> | null = null;
  #closed = false;

  /** Loads the addon (throws when it cannot); workers start when there is a task for them. */
  constructor({ mark, backend, ...options }: EngineOptions = {}) {
    const { addon, build, path } = loadNative(mark);
    this.native = addon;
    this.#facts = { mark: addon.mark, build, buildPath: shownPath(path) };
    this.#options = {
      root: '/proc',
      sys: '/sys',
      top: '/',
      workers: defaultWorkers(),
      capacity: FIRST_CAPACITY,
      pool: (workers, of) => new Pool(workers, of),
      deadlineMs: SWEEP_DEADLINE_MS,
      programs: [],
      self: process.pid,
      ...options,
    };
    const { root, sys, top, capacity } = this.#options;
    this.#besides = new Besides(addon, { sys, top });
    this.#batch = new Batch(addon, undefined, (...sought) => this.#collector.lookUp(...sought));
    this.#buffers = new Buffers(addon, capacity);
    // The kernel's iterator does not read a fixture root.
    const chosen: BackendChoice =
      root === '/proc'
        ? chooseBackend(addon, backend)
        : { backend: 'procfs', reason: `the proc root is ${root}` };
    const { self, programs } = this.#options;
    this.#collector = new Collector(addon, this.#buffers, chosen, { self, programs, groups: PROBE_GROUPS });
  }

  get backend(): Backend {
    return this.#collector.backend.backend;
  }

  /** See `LookAddon`; null without the kernel's iterator. */
  get look(): number | null {
    return this.#closed ? null : this.#collector.look;
  }

  /** Generation of the newest snapshot, 0 before the first. */
  get generation(): number {
    return this.#latest?.snapshot.generation ?? 0;
  }

  /**
   * Sweeps everything, or what changed since the last sweep; a running sweep is shared by all callers, whatever their changes. Rejects
   * when a worker dies or hangs; kernel refusals are in the snapshot's probes. `hostAgain`: reads the host's facts again, whatever
   * their age.
   */
  sweep(changes: Changes | null = null, { hostAgain = false } = {}): Promise<Snapshot> {
    if (this.#closed) return Promise.reject(new Error('the engine is closed'));
    if (this.#running !== null) return this.#running;
    let swept: Snapshot | Promise<Snapshot>;
    try {
      swept = this.#sweep(changes, hostAgain);
    } catch (error) {
      return Promise.reject(error);
    }
    if (!(swept instanceof Promise)) return Promise.resolve(swept);
    this.#running = swept.finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Reads what neither events nor looks show: the machine as it is now; null where the last snapshot holds no more, or everything is
   * due.
   */
  async besides(): Promise<Machine | null> {
    const before = this.#latest;
    const root = this.#root;
    const machine = before?.parts.machine;
    if (before === null || machine == null || typeof root !== 'number' || this.#collector.refreshDue)
      return null;
    const values = await this.#besides.values(root);
    // A sweep that was given up has closed it; one that runs fills the buffer that is needed here.
    if (this.#root !== root || this.#running !== null) return null;
    const nowMs = performance.now();
    const now = machineAt(this.#besides.counters(root, nowMs), values, nowMs);
    const same =
      this.#latest === before &&
      values[2]?.value === before.parts.host &&
      // What became of executables is read with the host.
      before.parts.tally.deleted.length === 0 &&
      now !== null &&
      judgesTheSame(machine, now) &&
      this.#collector.socketsHold(root);
    return same ? machineFrom(now) : null;
  }

  /**
   * Processes that passes have shown, since the last call, to have executed a program, perhaps the same one, or to have another
   * executable or control group; a pid may come twice. Null: only events show that.
   */
  takeExecuted(): Int32Array | null {
    const root = this.#root;
    return this.backend === 'bpf' && typeof root === 'number' ? this.native.takeExecuted(root) : null;
  }

  /** Judges a snapshot of this engine, while its columns hold (two generations). Not to be called while one runs. */
  judge(jobs: readonly BatchJob[], { columns, processes, listeners }: Snapshot): Promise<BatchOutcome> {
    const rows = { columns, processes: processes.count, listeners: listeners.length };
    return this.#batch.run(jobs, rows, this.#pool);
  }

  /** The workers, for short scans. To be read each time: a hung pool is replaced. Throws before the first sweep. */
  get pool(): TaskPool {
    if (this.#pool === null) throw new Error('the engine has not swept yet');
    return this.#pool;
  }

  /** What it holds now, after the first sweep. */
  get memory(): EngineMemory {
    const { threads = 0, heapBytes = 0 } = this.#pool?.memory?.() ?? {};
    const root = this.#closed ? null : this.#root;
    return {
      parts: {
        columns: this.#buffers.bytes,
        bitmaps: this.#batch.bytes,
        table: this.#closed ? 0 : this.#collector.tableBytes,
        texts: typeof root === 'number' && this.backend === 'bpf' ? this.native.textBytes(root) : 0,
      },
      workers: threads,
      workerHeapBytes: heapBytes,
      malloc: this.native.nativeHeap(),
      group: this.#latest?.snapshot.engine.deskPids ?? [],
    };
  }

  /** Waits for a running sweep, stops the workers and closes the proc root. Resolves within about 4 s, always. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const running = this.#running;
    if (running !== null) await withDeadline(running, CLOSE_DEADLINE_MS, 'closing').catch(() => {});
    await this.#pool?.close(CLOSE_DEADLINE_MS);
    this.#pool = null;
    this.#batch.close();
    this.#collector.close();
    this.#closeRoot();
  }

  #sweep(changes: Changes | null, hostAgain: boolean): Snapshot | Promise<Snapshot> {
    if (this.#hung >= MOST_HUNG) throw new Error(`${this.#hung} sweeps hang in the kernel`);
    this.#pool ??= this.#options.pool(this.#options.workers, this.native.mark);
    const attempt = this.#attempt(this.#pool, changes, hostAgain);
    return attempt instanceof Promise ? this.#bounded(this.#pool, attempt) : attempt;
  }

  async #bounded(pool: TaskPool, attempt: Promise<Snapshot>): Promise<Snapshot> {
    try {
      return await withDeadline(attempt, this.#options.deadlineMs, 'a sweep');
    } catch (error) {
      // A failed task has ended, and Piscina replaces a dead worker. A hung one may still write, and keeps its locks of the root:
      // neither the worker nor its buffer nor that root is used again.
      if (error instanceof DeadlineError && this.#pool === pool) {
        this.#buffers.abandonSpare();
        this.#pool = null;
        this.#closeRoot();
        this.#hung++;
        void pool.close().finally(() => this.#hung--);
      }
      throw error;
    }
  }

  /** Without a promise where nothing has to be waited for: a small change of which everything is known at once. */
  #attempt(pool: TaskPool, changes: Changes | null, hostAgain: boolean): Snapshot | Promise<Snapshot> {
    const startedMs = performance.now();
    const epochMs = Date.now();
    const root = this.#openRoot();
    const asked = changes === null || changes.all || changes.connections;
    // By their own age: sweeps of what changed read the counters and leave the connections.
    const readAtMs = this.#connections?.readAtMs ?? Number.NEGATIVE_INFINITY;
    const connections = asked && (startedMs - readAtMs >= EVERY_MS.slow || changes?.connections === true);
    const counters = this.#besides.counters(root, startedMs);
    const ephemeral = ephemeralOf(counters?.result ?? null);
    const read = [
      this.#gather(pool, root, { changes, connections, ephemeral }),
      this.#besides.values(root, hostAgain),
    ] as const;
    // A sweep that was given up meanwhile must not swap or publish any more.
    const current = (): void => {
      if (this.#pool !== pool) throw new Error('the sweep was given up');
    };
    return joined(read, ([raw, values]) => {
      current();
      const fates = this.#besides.fates(root, raw.tally.deleted, values);
      return joined([fates], ([known]) => {
        current();
        const earlier = connections ? null : this.#connections;
        return this.#publish(raw, earlier, {
          ...raw,
          generation: this.generation + 1,
          epochMs,
          startedMs,
          machine: machineAt(counters, values, startedMs),
          host: isRefusal(root) ? root : (values[2]?.value ?? late('host')),
          fates: known,
          programs: this.#options.programs,
          earlier: earlier && { ...earlier, ageMs: Math.round(startedMs - earlier.readAtMs) },
          rootPath: this.#options.root,
          engine: {
            backend: this.backend,
            backendReason: this.#collector.backend.reason,
            ...this.#facts,
            workers: pool.workers,
            reference: this.#reference?.source ?? 'self',
            referenceCapabilities: this.#reference?.capBnd.toString(16) ?? '',
            euid: process.geteuid?.() ?? 0,
          },
        });
      });
    });
  }

  #publish(raw: RawSweep, earlier: ConnectionsRead | null, parts: SweepParts): Snapshot {
    const { generation, startedMs } = parts;
    const snapshot = assemble(parts, this.#latest);
    this.#connections = earlier ?? {
      readAtMs: startedMs,
      connections: snapshot.connections,
      refusals: raw.sockets?.refusals.filter(({ source }) => source.startsWith('sock_diag https')) ?? [],
    };
    this.#latest = { parts, snapshot };
    this.#buffers.swap();
    this.#collector.keep(raw, this.#openRoot());
    // The header's number wraps at 31 bits: at a sweep per millisecond that is after 24 days.
    this.native.publish(this.header, generation % 2 ** 31, this.#buffers.current);
    Atomics.notify(this.header, 0);
    return snapshot;
  }

  #openRoot(): number | Refusal {
    if (typeof this.#root !== 'number') this.#root = this.native.openRoot(this.#options.root);
    if (!isRefusal(this.#root)) this.#reference ??= this.native.reference(this.#root);
    return this.#root;
  }

  #closeRoot(): void {
    if (typeof this.#root === 'number') this.native.closeRoot(this.#root);
    this.#root = null;
  }

  #gather(
    pool: TaskPool,
    root: number | Refusal,
    asked: Pick<Parameters<Collector['fill']>[1], 'changes' | 'ephemeral'> & {
      readonly connections: boolean;
    },
  ): Promise<RawSweep> | RawSweep {
    if (isRefusal(root)) return this.#collector.refused(root);
    const { changes, ephemeral, connections } = asked;
    return this.#collector.fill(pool, {
      root,
      changes,
      ephemeral,
      sight: (table) => sightComplete(table, this.#reference?.nsPid ?? 0),
      // Holders of connections are searched in the desk's processes, as far as the last sweep knows them.
      sockets: this.#options.root === '/proc' ? { connections, deskPids: this.#deskPids() } : null,
      current: () => this.#pool === pool,
    });
  }

  #deskPids(): Int32Array | null {
    return this.#latest && Int32Array.from(deskProcesses(this.#latest.snapshot));
  }
}
