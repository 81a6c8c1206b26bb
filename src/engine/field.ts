/** Fills the columns of one generation: everything, or what changed since the last one, by either backend. */
import { allOrFirst } from '../base/promises.ts';
import type { Gathered } from './assemble.ts';
import { EVERY_MS } from './bounds.ts';
import type { Buffers } from './buffers.ts';
import type { Changes } from './events.ts';
import { type BackendChoice, withoutBpf } from './native/backend.ts';
import type { Columns } from './native/columns.ts';
import { OWNER_ROUNDS, type OwnersResult } from './native/owners-types.ts';
import { isRefusal, type SocketResult } from './native/types.ts';
import type { TaskPool } from './pool.ts';
import { FEW_TABLES, type Gathering, most, type SocketsAsked } from './tasks.ts';

/** Fewer rows than this are not worth a shard of their own. */
const ROWS_PER_SHARD = 64;
/** Attempts to find a capacity that holds everything while the machine grows under us. */
const MOST_ATTEMPTS = 16;
/** More changed processes than this are read faster by the kernel's iterator, which reads all, than one by one. */
const MOST_CARRIED = 16;

/** All rows by the kernel's iterator, all by a list of /proc and shards, or those of the generation before with what changed. */
type How = 'tasks' | 'list' | 'carry';

/** What is to be looked at. */
interface Look {
  readonly root: number;
  /** Null: everything. */
  readonly changes: Changes | null;
  /** Null with a fixture root. */
  readonly sockets: SocketsAsked | null;
  /** False once the sweep was given up: it must not write any more. */
  readonly current: () => boolean;
}

/** The filled process rows of a sweep. */
interface Rows {
  readonly root: number;
  readonly buffer: Uint8Array;
  readonly capacity: Columns['capacity'];
  readonly count: number;
}

export class Field {
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
  async fill(pool: TaskPool, look: Look): Promise<Gathered> {
    let { changes } = look;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (!look.current()) throw new Error('the sweep was given up');
      const columns = this.#buffers.spare();
      const { bytes: buffer, capacity } = columns;
      const carried = this.#last?.columns.capacity === capacity ? changes : null;
      const how = this.#how(carried);
      const gathered = await this.#gather(pool, how, { ...look, changes: carried }, columns);
      const { sockets, processes, overflow } = gathered;
      if (isRefusal(processes) && how === 'tasks') {
        this.#backend = withoutBpf(processes);
        continue;
      }
      if (isRefusal(processes)) return { columns, count: 0, refusal: processes, sockets, owners: null };
      if (processes > capacity.processes || most(sockets) > capacity.sockets) {
        this.#buffers.grow({ processes, sockets: most(sockets) });
        continue;
      }
      if (how === 'list') this.#textsAtMs = performance.now();
      const rows = { root: look.root, buffer, capacity, count: processes };
      if (overflow || !(await this.#complete(pool, how, rows, carried))) {
        // A carried generation that does not fit, or holds a pid that was used again, is made anew by a full one.
        if (how === 'carry') changes = null;
        else this.#buffers.grow({ text: 2 * capacity.text + 1 });
        continue;
      }
      const owners = sockets && (await this.#own(pool, rows, sockets, look, gathered.owners));
      if (owners?.overflow) {
        this.#buffers.grow({ holders: 2 * capacity.holders + 1 });
        continue;
      }
      return { columns, count: processes, refusal: null, sockets, owners };
    }
    throw new Error(`the machine outgrew the engine's buffers ${MOST_ATTEMPTS} times in one sweep`);
  }

  /** The next generation may be carried on from this one, if its processes could be listed. */
  keep({ columns, count, refusal }: Gathered): void {
    this.#last = refusal === null ? { columns, count } : null;
  }

  #refreshDue(changes: Changes | null): boolean {
    const asked = changes === null || changes.all;
    return asked && performance.now() - this.#refreshedAtMs >= EVERY_MS.refresh;
  }

  #how(changes: Changes | null): How {
    const bpf = this.#backend.backend === 'bpf';
    if (changes === null || this.#last === null) return bpf ? 'tasks' : 'list';
    if (!bpf && changes.all && performance.now() - this.#textsAtMs >= EVERY_MS.texts) return 'list';
    return bpf && (changes.all || changes.dirty.length > MOST_CARRIED) ? 'tasks' : 'carry';
  }

  #gather(
    pool: TaskPool,
    how: How,
    { root, sockets, changes }: Look,
    { bytes, capacity }: Columns,
  ): Promise<Gathering> {
    const place = { root, buffer: bytes, capacity, sockets };
    // The view is overwritten by the next take, and a message would carry the whole of its buffer.
    const dirty = changes?.dirty.slice() ?? null;
    if (how === 'tasks')
      return pool.run({
        kind: 'tasks',
        ...place,
        listed: changes === null || this.#refreshDue(changes),
        dirty,
      });
    if (how === 'list' || dirty === null || this.#last === null) return pool.run({ kind: 'list', ...place });
    const { columns, count } = this.#last;
    return pool.run({
      kind: 'carry',
      ...place,
      previous: columns.bytes,
      previousCount: count,
      dirty,
      // A process whose event never came shows by nothing else.
      listed: changes?.all === true,
    });
  }

  /** What the gathering left to the shards; false when it does not fit, or cannot be completed. */
  async #complete(pool: TaskPool, how: How, rows: Rows, carried: Changes | null): Promise<boolean> {
    if (how === 'tasks' || rows.count === 0) return true;
    if (how === 'list' || carried === null) {
      const filled = await this.#shards(pool, rows, (shard, shards) =>
        pool.run({ kind: 'shard', ...rows, shard, shards }),
      );
      return filled.every(({ overflow }) => !overflow);
    }
    if (!carried.all) return true;
    const read = await this.#shards(pool, rows, (shard, shards) =>
      pool.run({ kind: 'reread', ...rows, shard, shards }),
    );
    return read.every(({ incomplete }) => !incomplete);
  }

  /** Verifies known holders, and looks through all descriptors only while some are unknown, or to refresh them. */
  async #own(
    pool: TaskPool,
    rows: Rows,
    { listeners, connections }: SocketResult,
    look: Look,
    known: OwnersResult | null,
  ): Promise<OwnersResult> {
    const joined = { ...rows, listeners, connections };
    const collect = () => pool.run({ kind: 'owners', ...joined, deskPids: look.sockets?.deskPids ?? null });
    let refresh = this.#refreshDue(look.changes);
    let owners = known ?? (await collect());
    for (let round = 0; round < OWNER_ROUNDS && (refresh || owners.wanted > 0); round++) {
      await this.#walk(pool, joined, refresh, owners.due);
      if (refresh) this.#refreshedAtMs = performance.now();
      refresh = false;
      owners = await collect();
    }
    return owners;
  }

  async #walk(
    pool: TaskPool,
    rows: Rows & { readonly listeners: number; readonly connections: number },
    refresh: boolean,
    due: number,
  ): Promise<void> {
    // The iterator tells every socket of the machine at once: dear when a few tables are wanted.
    const everything = this.#backend.backend === 'bpf' && (refresh || due > FEW_TABLES);
    if (everything && !isRefusal(await pool.run({ kind: 'walk-files', ...rows }))) return;
    await this.#shards(pool, rows, (shard, shards) =>
      pool.run({ kind: 'walk', ...rows, shard, shards, refresh }),
    );
  }

  /** Runs one task per shard of the rows. */
  #shards<T>(pool: TaskPool, { count }: Rows, run: (shard: number, shards: number) => Promise<T>) {
    const shards = Math.max(1, Math.min(pool.workers, Math.ceil(count / ROWS_PER_SHARD)));
    return allOrFirst(Array.from({ length: shards }, (_, shard) => run(shard, shards)));
  }
}
