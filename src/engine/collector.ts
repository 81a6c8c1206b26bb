/**
 * Fills the columns of one generation. What events name is read here, into the table that lasts (native/table); a whole generation
 * is read by the kernel's iterator, or from /proc by the workers.
 */
import { allOrFirst, joined } from '../base/promises.ts';
import type { RawSweep } from './assemble.ts';
import type { BatchRows } from './batch.ts';
import { EARLY_MS, EVERY_MS } from './bounds.ts';
import type { Buffers } from './buffers.ts';
import type { Changes } from './events.ts';
import { type BackendChoice, isPassing, withoutBpf } from './native/backend.ts';
import type { Columns } from './native/columns.ts';
import { OWNER_ROUNDS, type OwnersResult } from './native/owners-types.ts';
import type { Identities, TableOptions } from './native/table-types.ts';
import { isRefusal, type NativeAddon, type Refusal, type SocketResult } from './native/types.ts';
import type { TaskPool } from './pool.ts';
import { tableOver } from './process-table.ts';
import type { Machine, ProcessTable } from './snapshot.ts';
import {
  FEW_TABLES,
  gather,
  knownOwners,
  most,
  nowMs,
  type RowSource,
  type RowsRead,
  type SocketsAsked,
} from './tasks.ts';

/** Fewer rows than this are not worth a shard of their own. */
const ROWS_PER_SHARD = 64;
/** Attempts to find a capacity that holds everything while the machine grows under us. */
const MOST_ATTEMPTS = 16;
/** More changed processes than this are read faster by the kernel's iterator, which reads all, than one by one. */
const MOST_UPDATED = 256;
/**
 * Up to this many processes the kernel's iterator of open files is read here: some 5 µs for each, every minute, while a worker would have to
 * be started for it (docs/decisions/piscina.md).
 */
const FEW_ROWS = 4096;
/** A socket without a holder is searched for again at most this often without an event (native/probe/owners.cc). */
const SEARCH_EVERY_MS = 1000;

const LIST: RowSource = { how: 'list' };

interface Request {
  readonly root: number;
  /** Null: everything. */
  readonly changes: Changes | null;
  /** Null with a fixture root. */
  readonly sockets: SocketsAsked | null;
  readonly ephemeral: Machine['ephemeral'];
  /** Whether the table has every process that could hold our sockets. */
  readonly sight: (table: ProcessTable) => boolean;
  /** False once the sweep was given up: it must not write any more. */
  readonly current: () => boolean;
}

type Rows = readonly [root: number, buffer: Uint8Array, capacity: Columns['capacity'], count: number];

/** What listeners were last derived with. */
type Joined = Pick<RawSweep, 'sockets' | 'owners'> &
  Pick<Request, 'ephemeral'> & {
    readonly complete: boolean;
    readonly atMs: number;
  };

const textOf = (refusals: readonly Refusal[] = []): string =>
  refusals.map(({ source, code }) => `${source} ${code}`).join();

export class Collector {
  readonly #native: NativeAddon;
  readonly #buffers: Buffers;
  readonly #table: number;
  readonly #look: number;
  #backend: BackendChoice;
  /** The generation before, whose rows the table has; null when it is not known what it has. */
  #last: RawSweep | null = null;
  #joined: Joined | null = null;
  /** The sets that the rows of the table were looked up in; null: none. */
  #identities: Identities | null = null;
  /** The same of generations, by their buffers. */
  readonly #lookedUp = new WeakMap<Uint8Array, Identities | null>();
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #textsAtMs = Number.NEGATIVE_INFINITY;

  constructor(native: NativeAddon, buffers: Buffers, backend: BackendChoice, options: TableOptions) {
    this.#native = native;
    this.#buffers = buffers;
    this.#backend = backend;
    this.#table = native.makeTable(options);
    this.#look = native.makeLook();
  }

  get backend(): BackendChoice {
    return this.#backend;
  }

  /** Null where only reading everything shows what has changed. */
  get look(): number | null {
    return this.#backend.backend === 'bpf' ? this.#look : null;
  }

  /** Of the table that lasts, bytes. */
  get tableBytes(): number {
    return this.#native.tableBytes(this.#table);
  }

  close(): void {
    this.#native.freeTable(this.#table);
    this.#native.freeLook(this.#look);
  }

  /**
   * Fills the spare buffer until everything fits; a small change without a promise. Rejects when the pool does, or when the machine
   * grows without end.
   */
  fill(pool: TaskPool, request: Request): RawSweep | Promise<RawSweep> {
    const last = this.#last;
    // Until this generation is kept, the table is ahead of the one before.
    this.#last = null;
    this.#native.lookForget(this.#look);
    const identities = this.#identities;
    const updated = last && this.#update(pool, request, last);
    const filled = joined([updated], ([raw]) => raw ?? this.#fillWhole(pool, request, last));
    return joined([filled], ([raw]) => {
      // With sets that changed meanwhile, only a part of the rows was looked up in the new ones.
      if (this.#identities === identities) this.#lookedUp.set(raw.columns.bytes, identities);
      else this.#lookedUp.delete(raw.columns.bytes);
      return raw;
    });
  }

  /** Makes the `lookups` of a generation answer for these sets. Their rows may be older than those of the table. */
  lookUp(identities: Identities, { columns: { bytes, capacity }, processes }: BatchRows): void {
    if (this.#identities !== identities) this.#native.setIdentities(this.#table, identities);
    this.#identities = identities;
    if (this.#lookedUp.get(bytes) === identities) return;
    this.#native.lookUp(bytes, capacity, processes, identities);
    this.#lookedUp.set(bytes, identities);
  }

  /** The next generation, of this root, follows this one, if its processes could be listed. */
  keep(raw: RawSweep, root: number | Refusal): void {
    this.#last = raw.refusal === null ? raw : null;
    const found = raw.sockets?.refusals.length === 0 && raw.owners?.wanted === 0;
    if (this.look === null || this.#last === null || isRefusal(root)) return;
    this.#native.lookKeep(this.#look, this.#table, root, found);
  }

  /** Reads what changed; null when a whole generation has to be read. */
  #update(pool: TaskPool, request: Request, last: RawSweep): RawSweep | null | Promise<RawSweep | null> {
    const { root, changes, sockets: asked } = request;
    const columns = this.#buffers.spare();
    const { bytes: buffer, capacity } = columns;
    if (changes === null || last.columns.capacity !== capacity) return null;
    const { all } = changes;
    const bpf = this.#backend.backend === 'bpf';
    if (all && (bpf ? this.#refreshes(changes) : performance.now() - this.#textsAtMs >= EVERY_MS.texts))
      return null;
    const before = { ...last.sockets, listeners: last.tally.listeners, connections: null } as SocketResult;
    const lists = asked !== null && this.#listDue(request);
    // Sockets come first, see `gather`.
    const sockets = lists ? this.#native.listSockets(buffer, capacity, asked.connections) : before;
    if (most(sockets) > capacity.sockets) return null;
    const same = lists && this.#sameSockets(columns, sockets, request.ephemeral);
    // A process whose event never came shows by nothing but the list, or the walk.
    const options = {
      most: all && !bpf ? capacity.processes : MOST_UPDATED,
      besides: all ? (bpf ? 'walked' : 'listed') : 'none',
      sockets: !lists || same,
      bpf,
    } as const;
    const updated = this.#native.updateRows(this.#table, root, buffer, capacity, changes.dirty, options);
    if (!updated.fits) this.#buffers.grow({ processes: capacity.processes + 1, text: 2 * capacity.text + 1 });
    if (!updated.done) return null;
    const rows = all && !bpf ? this.#reread(pool, [root, buffer, capacity, updated.count]) : updated.count;
    return joined([rows], ([count]) => {
      if (count === null) return null;
      const complete = request.sight(tableOver(columns.processes, columns.text, count));
      // Rows that workers have read may be other ones, which `ownersDue` does not say.
      const held = same && !(all && !bpf) && this.#native.ownersHold(root, nowMs());
      const joins = (lists && !held) || updated.ownersDue || this.#joined?.complete !== complete;
      if (asked === null || !joins) return this.#generation(columns, count, last, last);
      const table = [root, buffer, capacity, count] as const;
      const likely = { ...asked, dirty: changes.dirty, everything: false };
      const known = knownOwners(this.#native, table, sockets, likely);
      return joined([this.#own(pool, table, sockets, request, known)], ([owners]) => {
        if (owners.overflow) return null;
        this.#join(columns, { ...request, complete, sockets, owners });
        const shown = lists || last.sockets === null ? sockets : last.sockets;
        return this.#generation(columns, count, { sockets: shown, owners }, last);
      });
    });
  }

  /** The sockets listed are those that were joined last, by the same port range, and no holder was missing. */
  #sameSockets(
    { bytes, capacity }: Columns,
    sockets: SocketResult,
    ephemeral: Machine['ephemeral'],
  ): boolean {
    const joined = this.#joined;
    const { listeners, connections } = sockets;
    // Also where the answer is known: the buffer has been written to.
    const same = this.#native.sameSockets(this.#table, bytes, capacity, listeners, connections);
    return (
      same &&
      joined !== null &&
      (connections === null || (joined.sockets?.connections ?? null) !== null) &&
      joined.owners?.wanted === 0 &&
      joined.ephemeral?.join() === ephemeral?.join() &&
      textOf(joined.sockets?.refusals) === textOf(sockets.refusals)
    );
  }

  /** Whether a sweep would find the sockets and holders of the last one. Not to be called while one runs. */
  socketsHold(root: number): boolean {
    const joined = this.#joined;
    if (joined === null || joined.sockets === null) return joined !== null;
    const columns = this.#buffers.spare();
    const { bytes, capacity } = columns;
    const sockets = this.#native.listSockets(bytes, capacity, true);
    return (
      most(sockets) <= capacity.sockets &&
      this.#sameSockets(columns, sockets, joined.ephemeral) &&
      this.#native.ownersHold(root, nowMs())
    );
  }

  /** Confinement changes send no event. Null when a process came without one; else the rows that remain. */
  async #reread(pool: TaskPool, rows: Rows): Promise<number | null> {
    const read = await this.#shards(pool, rows, (...shard) => pool.run('rereadRows', ...rows, ...shard));
    if (read.some(({ incomplete }) => incomplete)) return null;
    const [, buffer, capacity, count] = rows;
    return this.#native.adoptRows(this.#table, buffer, capacity, count);
  }

  #listDue({ changes, sockets, ephemeral }: Request): boolean {
    const joined = this.#joined;
    if (joined === null || changes?.all || changes?.listeners || sockets?.connections) return true;
    if (joined.ephemeral?.join() !== ephemeral?.join()) return true;
    const { wanted = 0, unknown = 0 } = joined.owners ?? {};
    return wanted > 0 || (unknown > 0 && performance.now() - joined.atMs >= SEARCH_EVERY_MS);
  }

  async #fillWhole(pool: TaskPool, request: Request, last: RawSweep | null): Promise<RawSweep> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (!request.current()) throw new Error('the sweep was given up');
      const columns = this.#buffers.spare();
      const { bytes: buffer, capacity } = columns;
      const source = this.#source(request.changes, last);
      const { root } = request;
      const raw = await this.#gather(pool, {
        root,
        buffer,
        capacity,
        sockets: request.sockets,
        rows: source,
      });
      const { sockets, processes, overflow } = raw;
      if (isRefusal(processes) && source.how === 'tasks' && !isPassing(processes)) {
        this.#backend = withoutBpf(processes);
        continue;
      }
      if (isRefusal(processes)) return this.refused(processes, sockets);
      if (processes > capacity.processes || most(sockets) > capacity.sockets) {
        this.#buffers.grow({ processes, sockets: most(sockets) });
        continue;
      }
      const rows = [root, buffer, capacity, processes] as const;
      if (overflow || (source.how === 'list' && !(await this.#list(pool, rows)))) {
        this.#buffers.grow({ text: 2 * capacity.text + 1 });
        continue;
      }
      const owners = sockets && (await this.#own(pool, rows, sockets, request, raw.owners));
      if (owners?.overflow) {
        this.#buffers.grow({ holders: 2 * capacity.holders + 1 });
        continue;
      }
      const count = this.#native.adoptRows(this.#table, buffer, capacity, processes);
      const complete = request.sight(tableOver(columns.processes, columns.text, count));
      this.#join(columns, { ...request, complete, sockets, owners });
      return this.#generation(columns, count, { sockets, owners }, last);
    }
    throw new Error(`the machine outgrew the engine's buffers ${MOST_ATTEMPTS} times in one sweep`);
  }

  #join({ bytes, capacity }: Columns, joined: Omit<Joined, 'atMs'>): void {
    const { sockets, owners, ephemeral } = joined;
    this.#native.joinSockets(this.#table, bytes, capacity, {
      listeners: sockets?.listeners ?? 0,
      connections: sockets?.connections ?? 0,
      holders: owners?.holders ?? 0,
      ephemeral,
      sightComplete: owners?.covered === true && joined.complete,
    });
    this.#joined = { sockets, owners, ephemeral, complete: joined.complete, atMs: performance.now() };
  }

  #generation(
    columns: Columns,
    count: number,
    { sockets, owners }: Pick<RawSweep, 'sockets' | 'owners'>,
    last: RawSweep | null,
  ): RawSweep {
    const pids = this.#native.changedPids(this.#table);
    const same = last !== null && pids.length === 0 && owners === last.owners;
    const tally = same ? last.tally : this.#native.tallyOf(this.#table);
    return { columns, count, refusal: null, sockets, owners, tally, delta: last && { pids } };
  }

  /** The processes cannot be listed. */
  refused(refusal: Refusal, sockets: SocketResult | null = null): RawSweep {
    const columns = this.#buffers.spare();
    this.#native.lookForget(this.#look);
    this.#native.adoptRows(this.#table, columns.bytes, columns.capacity, 0);
    const none = { sockets, owners: null };
    this.#join(columns, { ...none, ephemeral: null, complete: false });
    return { ...this.#generation(columns, 0, none, null), refusal };
  }

  /** The iterator takes less time than handing the work to a worker; listing /proc does not. */
  #gather(pool: TaskPool, generation: Parameters<typeof gather>[1]): RowsRead | Promise<RowsRead> {
    return generation.rows.how === 'tasks'
      ? gather(this.#native, generation)
      : pool.run('gather', generation);
  }

  /** The next pass over everything reads every row again. */
  get refreshDue(): boolean {
    return performance.now() - this.#refreshedAtMs >= EVERY_MS.refresh - EARLY_MS;
  }

  #refreshes(changes: Changes | null): boolean {
    return (changes === null || changes.all) && this.refreshDue;
  }

  #source(changes: Changes | null, last: RawSweep | null): RowSource {
    if (this.#backend.backend !== 'bpf') return LIST;
    const listed = last === null || this.#refreshes(changes);
    return { how: 'tasks', listed, dirty: changes?.dirty ?? null };
  }

  /** Fills the rows that were listed; false when their texts do not fit. */
  async #list(pool: TaskPool, rows: Rows): Promise<boolean> {
    const filled = await this.#shards(pool, rows, (...shard) => pool.run('sweepShard', ...rows, ...shard));
    this.#textsAtMs = performance.now();
    return filled.every(({ overflow }) => !overflow);
  }

  /** Verifies known holders, and searches all descriptors only while some are unknown, or to refresh them. */
  #own(
    pool: TaskPool,
    rows: Rows,
    sockets: SocketResult,
    request: Request,
    known: OwnersResult | null,
  ): OwnersResult | Promise<OwnersResult> {
    if (known?.wanted === 0 && !this.#refreshes(request.changes)) return known;
    return this.#search(pool, rows, sockets, request, known);
  }

  async #search(
    pool: TaskPool,
    rows: Rows,
    { listeners, connections }: SocketResult,
    { changes, sockets }: Request,
    known: OwnersResult | null,
  ): Promise<OwnersResult> {
    const joined = [...rows, listeners, connections] as const;
    const collect = () => this.#native.ownersCollect(...joined, nowMs(), null, sockets?.deskPids ?? null);
    const walk = async (refresh: boolean, due: number): Promise<void> => {
      // The iterator reports every socket of the machine at once: expensive when a few tables are wanted.
      const everything = this.#backend.backend === 'bpf' && (refresh || due > FEW_TABLES);
      const files = () =>
        joined[3] <= FEW_ROWS
          ? this.#native.ownersWalkFiles(...joined)
          : pool.run('ownersWalkFiles', ...joined);
      if (everything && !isRefusal(await files())) return;
      await this.#shards(pool, rows, (...shard) => pool.run('ownersWalk', ...joined, ...shard, refresh));
    };
    let refresh = this.#refreshes(changes);
    let owners = known ?? collect();
    for (let round = 0; round < OWNER_ROUNDS && (refresh || owners.wanted > 0); round++) {
      await walk(refresh, owners.due);
      if (refresh) this.#refreshedAtMs = performance.now();
      refresh = false;
      owners = collect();
    }
    return owners;
  }

  #shards<T>(pool: TaskPool, [, , , count]: Rows, run: (shard: number, shards: number) => Promise<T>) {
    const shards = Math.max(1, Math.min(pool.workers, Math.ceil(count / ROWS_PER_SHARD)));
    return allOrFirst(Array.from({ length: shards }, (_, shard) => run(shard, shards)));
  }
}
