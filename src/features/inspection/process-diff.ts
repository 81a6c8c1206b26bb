/** Compares the user-space processes of a snapshot with those of the previous one: those that changed, or all of them. */
import type { ProcessTable, Snapshot } from '../../engine/snapshot.ts';

/** Start and identity as two words each: no BigInt is made for a row that did not change. */
interface Known {
  readonly startLow: number;
  readonly startHigh: number;
  readonly low: number;
  readonly high: number;
}

const wordsOf = (column: BigUint64Array, count: number): Uint32Array =>
  new Uint32Array(column.buffer, column.byteOffset, 2 * count);

interface Reader {
  readonly table: ProcessTable;
  readonly starts: Uint32Array;
  readonly identities: Uint32Array;
}

export class ProcessDiff {
  readonly #known = new Map<number, Known>();
  #generation = 0;

  /** `came` is called for each process that is new or runs another program (its identity differs), `left` for each that is gone. */
  compare(
    { processes: table, delta, generation }: Pick<Snapshot, 'processes' | 'delta' | 'generation'>,
    came: (row: number) => void,
    left: (pid: number) => void,
  ): void {
    const follows = this.#generation > 0 && generation === this.#generation + 1;
    this.#generation = generation;
    const { start, identity } = table.columns;
    const reader = { table, starts: wordsOf(start, table.count), identities: wordsOf(identity, table.count) };
    if (delta !== null && follows)
      for (const pid of delta.pids) this.#compare(reader, pid, table.rowOf(pid), came, left);
    else this.#compareAll(reader, came, left);
  }

  #compareAll(reader: Reader, came: (row: number) => void, left: (pid: number) => void): void {
    const { count, columns } = reader.table;
    for (const pid of [...this.#known.keys()])
      if (reader.table.rowOf(pid) < 0) this.#compare(reader, pid, -1, came, left);
    for (let row = 0; row < count; row++) this.#compare(reader, columns.pid[row] as number, row, came, left);
  }

  #compare(
    { starts, identities }: Reader,
    pid: number,
    row: number,
    came: (row: number) => void,
    left: (pid: number) => void,
  ): void {
    const known = this.#known.get(pid);
    const low = row < 0 ? 0 : (identities[2 * row] as number);
    const high = row < 0 ? 0 : (identities[2 * row + 1] as number);
    // Kernel threads, zombies and what has vanished have no identity.
    if (low === 0 && high === 0) {
      if (known === undefined) return;
      this.#known.delete(pid);
      left(pid);
      return;
    }
    const startLow = starts[2 * row] as number;
    const startHigh = starts[2 * row + 1] as number;
    if (
      known?.startLow === startLow &&
      known.startHigh === startHigh &&
      known.low === low &&
      known.high === high
    )
      return;
    this.#known.set(pid, { startLow, startHigh, low, high });
    came(row);
  }
}
