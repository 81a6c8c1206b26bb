/** The process table: columns with an arena of text behind them, addressed by row. */
import type { ProcessColumns } from './native/types.ts';
import type { ProcessTable } from './snapshot.ts';

/** Bytes of the comm column per row (TASK_COMM_LEN of the kernel). */
export const COMM_BYTES = 16;

/** A table over the first `count` rows of `columns`; executables and cgroups lie in `text`. Nothing is copied. RangeError for other rows. */
export function tableOver(columns: ProcessColumns, text: Uint8Array, count: number): ProcessTable {
  const check = (row: number): void => {
    if (!Number.isInteger(row) || row < 0 || row >= count)
      throw new RangeError(`row ${row} is outside the process table of ${count} rows`);
  };
  const slice = (offsets: Uint32Array, lengths: Uint32Array, row: number): Uint8Array => {
    check(row);
    const offset = offsets[row] as number;
    return text.subarray(offset, offset + (lengths[row] as number));
  };
  return Object.freeze({
    count,
    columns,
    comm(row: number): Uint8Array {
      check(row);
      const padded = columns.comm.subarray(row * COMM_BYTES, (row + 1) * COMM_BYTES);
      const end = padded.indexOf(0);
      return end < 0 ? padded : padded.subarray(0, end);
    },
    exe: (row: number) => slice(columns.exeOffset, columns.exeLength, row),
    cgroup: (row: number) => slice(columns.cgroupOffset, columns.cgroupLength, row),
    rowOf: (pid: number) => placeOf(columns.pid, pid, count),
  });
}

/** Place of a pid among the first `count` of an ascending list; -1 when it is not there. */
export function placeOf(pids: Int32Array, pid: number, count: number = pids.length): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = pids[middle] as number;
    if (found === pid) return middle;
    if (found < pid) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
