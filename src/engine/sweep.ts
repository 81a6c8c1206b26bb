/** The engine: sweeps the kernel into shared columns and hands out immutable, numbered snapshots. */
import type { Tally } from '../native/batch-types.ts';
import { loadNative } from '../native/load.ts';
import type {
  Backend,
  Capacity,
  MachineResult,
  Mark,
  NativeAddon,
  Reference,
  Refusal,
  ShardResult,
  SocketResult,
} from '../native/types.ts';
import { assemble, type Gathered, machineFrom, sightComplete } from './assemble.ts';
import { Batch, type BatchJob, type BatchOutcome } from './batch.ts';
import { Buffers, FIRST_CAPACITY } from './buffers.ts';
import { defaultWorkers, Pool, type TaskPool } from './pool.ts';
import { PROBE_GROUPS } from './probes.ts';
import { tableOver } from './process-table.ts';
import type { Connection, Snapshot } from './snapshot.ts';

/** Fewer rows than this are not worth a shard of their own. */
const ROWS_PER_SHARD = 64;
/** Attempts to find a capacity that holds everything while the machine grows under us. */
const MOST_ATTEMPTS = 16;
/** Sensors move slowly, and some answer slowly; a dump of connections walks the kernel's whole table of them. */
const SLOW_EVERY_MS = 1000;
/** A sweep takes milliseconds; one that takes this long hangs in the kernel. */
const SWEEP_DEADLINE_MS = 10_000;
const CLOSE_DEADLINE_MS = 2000;

export interface EngineOptions {
  /** Proc root; another one than `/proc` is a fixture, whose sockets are not asked. */
  readonly root?: string;
  readonly sys?: string;
  readonly workers?: number;
  /** Build to load; default: `DESK_MARK`, else the best of this CPU. */
  readonly mark?: Mark;
  /** First capacity of the buffers; they grow by themselves. */
  readonly capacity?: Capacity;
  /** Makes the pool; default: Piscina workers. */
  readonly pool?: (workers: number, mark: Mark) => TaskPool;
  readonly deadlineMs?: number;
}

const isRefusal = (value: number | Refusal): value is Refusal => typeof value === 'object';

export class Engine {
  /** [generation (31 bit), index of the buffer it lies in]; each publication wakes waiters of element 0. */
  readonly header = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly native: NativeAddon;
  /** File name of the loaded build. */
  readonly build: string;
  readonly #path: string;
  readonly #backend: Backend;
  readonly #sys: string;
  readonly #workers: number;
  readonly #deadlineMs: number;
  readonly #makePool: (workers: number, mark: Mark) => TaskPool;
  readonly #buffers: Buffers;
  readonly #batch: Batch;
  #pool: TaskPool | null = null;
  #root: number | Refusal | null = null;
  #reference: Reference | null = null;
  #slow: SlowFacts | null = null;
  #generation = 0;
  #running: Promise<Snapshot> | null = null;
  #closed = false;

  /** Loads the addon (throws when it cannot); workers start with the first sweep. */
  constructor(options: EngineOptions = {}) {
    const { addon, build, backend } = loadNative(options.mark);
    this.#backend = backend;
    this.native = addon;
    this.build = build;
    this.#path = options.root ?? '/proc';
    this.#sys = options.sys ?? '/sys';
    this.#workers = options.workers ?? defaultWorkers();
    this.#deadlineMs = options.deadlineMs ?? SWEEP_DEADLINE_MS;
    this.#makePool = options.pool ?? ((workers, mark) => new Pool(workers, mark));
    this.#batch = new Batch(addon);
    this.#buffers = new Buffers(addon, options.capacity ?? FIRST_CAPACITY);
  }

  /** Generation of the newest snapshot, 0 before the first. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * One sweep, shared by everybody who asks while it runs. Rejects when a worker dies or hangs, with every caller of
   * that sweep; the next call starts afresh. What the kernel refuses is in the snapshot's probes, never a rejection.
   */
  sweep(): Promise<Snapshot> {
    if (this.#closed) return Promise.reject(new Error('the engine is closed'));
    this.#running ??= this.#sweep().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Judges a snapshot of this engine, while its columns hold (two generations). Not to be called while one runs. */
  judge(jobs: readonly BatchJob[], { columns, processes, listeners }: Snapshot): Promise<BatchOutcome> {
    const rows = { columns, processes: processes.count, listeners: listeners.length };
    return this.#batch.run(jobs, rows, this.#pool);
  }

  /** Waits for a running sweep, stops the workers and lets go of the proc root. Resolves within about 4 s, always. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const running = this.#running;
    if (running !== null) await withDeadline(running, CLOSE_DEADLINE_MS, 'closing').catch(() => {});
    await this.#pool?.close(CLOSE_DEADLINE_MS);
    this.#pool = null;
    this.#batch.close();
    if (typeof this.#root === 'number') this.native.closeRoot(this.#root);
    this.#root = null;
  }

  async #sweep(): Promise<Snapshot> {
    this.#pool ??= this.#makePool(this.#workers, this.native.mark);
    const pool = this.#pool;
    try {
      return await withDeadline(this.#attempt(pool), this.#deadlineMs, 'a sweep');
    } catch (error) {
      // A task that failed has ended, and Piscina replaces a dead worker. One that hangs may still write: neither it
      // nor its buffer is used again.
      if (error instanceof DeadlineError && this.#pool === pool) {
        this.#buffers.abandonSpare();
        this.#pool = null;
        void pool.close(CLOSE_DEADLINE_MS);
      }
      throw error;
    }
  }

  async #attempt(pool: TaskPool): Promise<Snapshot> {
    const startedMs = performance.now();
    const epochMs = Date.now();
    const root = this.#openRoot();
    const earlier =
      this.#slow !== null && startedMs - this.#slow.readAtMs < SLOW_EVERY_MS ? this.#slow : null;
    const [gathered, machine] = await allOrFirst([
      this.#gather(pool, root, earlier === null),
      this.#machine(pool, root, earlier),
    ] as const);
    this.#assertCurrent(pool);
    const generation = this.#generation + 1;
    const tally = this.#derive(gathered, machine);
    const snapshot = assemble({
      ...gathered,
      tally,
      generation,
      epochMs,
      startedMs,
      machine,
      earlier: earlier && { ...earlier, ageMs: Math.round(startedMs - earlier.readAtMs) },
      rootPath: this.#path,
      reference: this.#reference,
      engine: {
        backend: this.#backend,
        mark: this.native.mark,
        build: this.build,
        workers: pool.workers,
        reference: this.#reference?.source ?? 'self',
        euid: process.geteuid?.() ?? 0,
      },
    });
    if (earlier === null) {
      const refusals =
        gathered.sockets?.refusals.filter(({ source }) => source.startsWith('sock_diag https')) ?? [];
      this.#slow = { readAtMs: startedMs, machine, connections: snapshot.connections, refusals };
    }
    this.#generation = generation;
    this.#buffers.swap();
    // The header's number wraps at 31 bits: at a sweep per millisecond that is after 24 days.
    this.native.publish(this.header, generation % 2 ** 31, this.#buffers.current);
    Atomics.notify(this.header, 0);
    return snapshot;
  }

  #derive({ columns, count, refusal, sockets, slices }: Gathered, machine: MachineResult | null): Tally {
    const table = tableOver(columns.processes, columns.text, count);
    return this.native.derive(columns.bytes, columns.capacity, {
      count,
      listeners: sockets?.listeners ?? 0,
      slices,
      self: process.pid,
      ephemeral: machineFrom(machine).ephemeral,
      sightComplete: refusal === null && sightComplete(table, this.#reference?.nsPid ?? 0),
      groups: PROBE_GROUPS,
    });
  }

  /** Throws when this sweep was given up meanwhile: it must not write, swap or publish any more. */
  #assertCurrent(pool: TaskPool): void {
    if (this.#pool !== pool) throw new Error('the sweep was given up');
  }

  #openRoot(): number | Refusal {
    if (typeof this.#root !== 'number') this.#root = this.native.openRoot(this.#path);
    if (!isRefusal(this.#root)) this.#reference ??= this.native.reference(this.#root);
    return this.#root;
  }

  /** Lists and fills until everything fits. */
  async #gather(pool: TaskPool, root: number | Refusal, connections: boolean): Promise<Gathered> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      this.#assertCurrent(pool);
      const columns = this.#buffers.spare();
      const { bytes: buffer, capacity } = columns;
      if (isRefusal(root)) return { columns, count: 0, refusal: root, sockets: null, slices: [] };
      const sockets = this.#path === '/proc';
      const { processes, sockets: found } = await pool.run({
        kind: 'gather',
        root,
        buffer,
        capacity,
        sockets,
        connections,
      });
      const count = isRefusal(processes) ? 0 : processes;
      const wantedSockets = Math.max(found?.listeners ?? 0, found?.connections ?? 0);
      if (count > capacity.processes || wantedSockets > capacity.sockets) {
        this.#buffers.grow({ processes: count, sockets: wantedSockets });
        continue;
      }
      const shards = await this.#fill(pool, root, columns.bytes, capacity, count, found);
      if (shards.some(({ overflow }) => overflow)) {
        this.#buffers.grow({ text: 2 * capacity.text + 1, holders: 2 * capacity.holders + 1 });
        continue;
      }
      return {
        columns,
        count,
        refusal: isRefusal(processes) ? processes : null,
        sockets: found,
        slices: shards.map(({ firstHolder, holders }) => ({ from: firstHolder, count: holders })),
      };
    }
    throw new Error(`the machine outgrew the engine's buffers ${MOST_ATTEMPTS} times in one sweep`);
  }

  async #fill(
    pool: TaskPool,
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    sockets: SocketResult | null,
  ): Promise<readonly ShardResult[]> {
    if (count === 0) return [];
    const shards = Math.max(1, Math.min(pool.workers, Math.ceil(count / ROWS_PER_SHARD)));
    const listeners = sockets?.listeners ?? 0;
    const connections = sockets?.connections ?? 0;
    return allOrFirst(
      Array.from({ length: shards }, (_, shard) =>
        pool.run({ kind: 'shard', root, buffer, capacity, count, listeners, connections, shard, shards }),
      ),
    );
  }

  async #machine(
    pool: TaskPool,
    root: number | Refusal,
    earlier: SlowFacts | null,
  ): Promise<MachineResult | null> {
    if (isRefusal(root)) return null;
    const known = earlier?.machine ?? null;
    const result = await pool.run({ kind: 'machine', root, sys: this.#sys, sensors: known === null });
    if (known === null) return result;
    const { temperatures, cameras, captureDevices } = known;
    const kept = known.refusals.filter(({ source }) => SENSOR_SOURCES.has(source));
    return { ...result, temperatures, cameras, captureDevices, refusals: [...result.refusals, ...kept] };
  }
}

/** What is read at most once a second. */
interface SlowFacts {
  readonly readAtMs: number;
  readonly machine: MachineResult | null;
  readonly connections: readonly Connection[];
  /** Refused dumps of connections. */
  readonly refusals: readonly Refusal[];
}

const SENSOR_SOURCES = new Set(['thermal', 'cameras', 'sound']);

/** Like Promise.all, but settles only when every promise has: nothing still runs when it rejects. */
async function allOrFirst<T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(promises);
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

async function withDeadline<T>(promise: Promise<T>, deadlineMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DeadlineError(`${what} did not end within ${deadlineMs} ms`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
