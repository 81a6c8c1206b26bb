/** Compares the user-space processes of a snapshot with those of the previous one, row by row. */
import type { ProcessTable } from '../../engine/snapshot.ts';

/** Pid, and start and identity as two words each: no BigInt is made for a row that did not change. */
interface Rows {
  readonly pids: Int32Array;
  readonly words: Uint32Array;
}

const rowsFor = (capacity: number): Rows => ({
  pids: new Int32Array(capacity),
  words: new Uint32Array(4 * capacity),
});

const wordsOf = (column: BigUint64Array, count: number): Uint32Array =>
  new Uint32Array(column.buffer, column.byteOffset, 2 * count);

export class ProcessDiff {
  #rows = rowsFor(0);
  #spare = rowsFor(0);
  #count = 0;

  /** `came` is called for each process that is new or runs another program (its identity differs), `left` for each that is gone. */
  compare(table: ProcessTable, came: (row: number) => void, left: (pid: number) => void): void {
    const { pid: pids } = table.columns;
    const starts = wordsOf(table.columns.start, table.count);
    const identities = wordsOf(table.columns.identity, table.count);
    const old = this.#rows;
    const next = this.#spare.pids.length < table.count ? rowsFor(2 * table.count) : this.#spare;
    let at = 0;
    let count = 0;
    for (let row = 0; row < table.count; row++) {
      const low = identities[2 * row] as number;
      const high = identities[2 * row + 1] as number;
      // Kernel threads, zombies and what has vanished have no identity.
      if (low === 0 && high === 0) continue;
      const pid = pids[row] as number;
      const startLow = starts[2 * row] as number;
      const startHigh = starts[2 * row + 1] as number;
      while (at < this.#count && (old.pids[at] as number) < pid) left(old.pids[at++] as number);
      const known = at < this.#count && old.pids[at] === pid;
      const was = 4 * at;
      const same =
        known &&
        old.words[was] === startLow &&
        old.words[was + 1] === startHigh &&
        old.words[was + 2] === low &&
        old.words[was + 3] === high;
      if (known) at++;
      next.pids[count] = pid;
      const is = 4 * count++;
      next.words[is] = startLow;
      next.words[is + 1] = startHigh;
      next.words[is + 2] = low;
      next.words[is + 3] = high;
      if (!same) came(row);
    }
    while (at < this.#count) left(old.pids[at++] as number);
    this.#spare = old;
    this.#rows = next;
    this.#count = count;
  }
}
