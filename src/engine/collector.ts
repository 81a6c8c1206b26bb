/** Fills the columns of one generation: everything, or what changed since the last one, by either backend. */
import { allOrFirst } from '../base/promises.ts';
import type { RawSweep } from './assemble.ts';
import { EVERY_MS } from './bounds.ts';
import type { Buffers } from './buffers.ts';
import type { Changes } from './events.ts';
import { type BackendChoice, withoutBpf } from './native/backend.ts';
import type { Columns } from './native/columns.ts';
import { OWNER_ROUNDS, type OwnersResult } from './native/owners-types.ts';
import { isRefusal, type SocketResult } from './native/types.ts';
import type { TaskPool } from './pool.ts';
import { FEW_TABLES, most, nowMs, type RowSource, type SocketsAsked } from './tasks.ts';

/** Fewer rows than this are not worth a shard of their own. */
const ROWS_PER_SHARD = 64;
/** Attempts to find a capacity that holds everything while the machine grows under us. */
const MOST_ATTEMPTS = 16;
/** More changed processes than this are read faster by the kernel's iterator, which reads all, than one by one. */
const MOST_CARRIED = 16;

const LIST: RowSource = { how: 'list' };

interface Request {
  readonly root: number;
  /** Null: everything. */
  readonly changes: Changes | null;
  /** Null with a fixture root. */
  readonly sockets: SocketsAsked | null;
  /** False once the sweep was given up: it must not write any more. */
  readonly current: () => boolean;
}

type Rows = readonly [root: number, buffer: Uint8Array, capacity: Columns['capacity'], count: number];

export class Collector {
  readonly #buffers: Buffers;
  #backend: BackendChoice;
  /** The generation that a carried one starts from. */
  #last: { readonly columns: Columns; readonly count: number } | null = null;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #textsAtMs = Number.NEGATIVE_INFINITY;

  constructor(buffers: Buffers, backend: BackendChoice) {
    this.#buffers = buffers;
    this.#backend = backend;
  }

  get backend(): BackendChoice {
    return this.#backend;
  }

  /** Fills the spare buffer until everything fits. Rejects when the pool does, or when the machine grows without end. */
  async fill(pool: TaskPool, request: Request): Promise<RawSweep> {
    let { changes } = request;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (!request.current()) throw new Error('the sweep was given up');
      const columns = this.#buffers.spare();
      const { bytes: buffer, capacity } = columns;
      const carried = this.#last?.columns.capacity === capacity ? changes : null;
      const source = this.#source(carried);
      const { root } = request;
      const raw = await pool.run('gather', {
        root,
        buffer,
        capacity,
        sockets: request.sockets,
        rows: source,
      });
      const { sockets, processes, overflow } = raw;
      if (isRefusal(processes) && source.how === 'tasks') {
        this.#backend = withoutBpf(processes);
        continue;
      }
      if (isRefusal(processes)) return { columns, count: 0, refusal: processes, sockets, owners: null };
      if (processes > capacity.processes || most(sockets) > capacity.sockets) {
        this.#buffers.grow({ processes, sockets: most(sockets) });
        continue;
      }
      if (source.how === 'list') this.#textsAtMs = performance.now();
      const rows = [root, buffer, capacity, processes] as const;
      if (overflow || !(await this.#complete(pool, rows, source))) {
        // A carried generation that does not fit, or holds a pid that was used again, is replaced by a full one.
        if (source.how === 'carry') changes = null;
        else this.#buffers.grow({ text: 2 * capacity.text + 1 });
        continue;
      }
      const owners = sockets && (await this.#own(pool, rows, sockets, request, raw.owners));
      if (owners?.overflow) {
        this.#buffers.grow({ holders: 2 * capacity.holders + 1 });
        continue;
      }
      return { columns, count: processes, refusal: null, sockets, owners };
    }
    throw new Error(`the machine outgrew the engine's buffers ${MOST_ATTEMPTS} times in one sweep`);
  }

  /** The next generation may be carried on from this one, if its processes could be listed. */
  keep({ columns, count, refusal }: RawSweep): void {
    this.#last = refusal === null ? { columns, count } : null;
  }

  #refreshDue(changes: Changes | null): boolean {
    const asked = changes === null || changes.all;
    return asked && performance.now() - this.#refreshedAtMs >= EVERY_MS.refresh;
  }

  #source(changes: Changes | null): RowSource {
    const bpf = this.#backend.backend === 'bpf';
    const last = this.#last;
    if (changes === null || last === null) return bpf ? { how: 'tasks', listed: true, dirty: null } : LIST;
    const { all } = changes;
    if (!bpf && all && performance.now() - this.#textsAtMs >= EVERY_MS.texts) return LIST;
    // The view is overwritten by the next take, and a message would carry the whole of its buffer.
    const dirty = changes.dirty.slice();
    if (bpf && (all || dirty.length > MOST_CARRIED))
      return { how: 'tasks', listed: this.#refreshDue(changes), dirty };
    // A process whose event never came shows by nothing but the list.
    return { how: 'carry', listed: all, dirty, previous: last.columns.bytes, count: last.count };
  }

  /** What was left to the shards; false when it does not fit, or cannot be completed. */
  async #complete(pool: TaskPool, rows: Rows, source: RowSource): Promise<boolean> {
    if (rows[3] === 0) return true;
    if (source.how === 'list') {
      const filled = await this.#shards(pool, rows, (...shard) => pool.run('sweepShard', ...rows, ...shard));
      return filled.every(({ overflow }) => !overflow);
    }
    if (source.how === 'tasks' || !source.listed) return true;
    const read = await this.#shards(pool, rows, (...shard) => pool.run('rereadRows', ...rows, ...shard));
    return read.every(({ incomplete }) => !incomplete);
  }

  /** Verifies known holders, and searches all descriptors only while some are unknown, or to refresh them. */
  async #own(
    pool: TaskPool,
    rows: Rows,
    { listeners, connections }: SocketResult,
    { changes, sockets }: Request,
    known: OwnersResult | null,
  ): Promise<OwnersResult> {
    const joined = [...rows, listeners, connections] as const;
    const collect = () => pool.run('ownersCollect', ...joined, nowMs(), null, sockets?.deskPids ?? null);
    const walk = async (refresh: boolean, due: number): Promise<void> => {
      // The iterator reports every socket of the machine at once: expensive when a few tables are wanted.
      const everything = this.#backend.backend === 'bpf' && (refresh || due > FEW_TABLES);
      if (everything && !isRefusal(await pool.run('ownersWalkFiles', ...joined))) return;
      await this.#shards(pool, rows, (...shard) => pool.run('ownersWalk', ...joined, ...shard, refresh));
    };
    let refresh = this.#refreshDue(changes);
    let owners = known ?? (await collect());
    for (let round = 0; round < OWNER_ROUNDS && (refresh || owners.wanted > 0); round++) {
      await walk(refresh, owners.due);
      if (refresh) this.#refreshedAtMs = performance.now();
      refresh = false;
      owners = await collect();
    }
    return owners;
  }

  #shards<T>(pool: TaskPool, [, , , count]: Rows, run: (shard: number, shards: number) => Promise<T>) {
    const shards = Math.max(1, Math.min(pool.workers, Math.ceil(count / ROWS_PER_SHARD)));
    return allOrFirst(Array.from({ length: shards }, (_, shard) => run(shard, shards)));
  }
}
