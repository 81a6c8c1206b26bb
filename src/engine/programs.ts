/** Which processes run given programs. */
import type { Columns } from '../native/columns.ts';
import { WRAP_STATE } from '../native/types.ts';
import { textOf } from './bytes.ts';
import { COMM_BYTES, tableOver } from './process-table.ts';

export interface ProgramPids {
  /** Path or base name of the executable, as it was asked for. */
  readonly name: string;
  /** Ascending. */
  readonly pids: readonly number[];
}

/** Bytes of a name that the comm column holds (TASK_COMM_LEN less its end). */
const NAME_BYTES = COMM_BYTES - 1;

/**
 * The processes that run each program: by executable (the path, or its base name), or by name where the executable cannot be
 * read. Rows are looked at only when the name stands somewhere in the texts at all.
 */
export function programsRunning(
  { processes, text }: Pick<Columns, 'processes' | 'text'>,
  count: number,
  names: readonly string[],
): readonly ProgramPids[] {
  if (names.length === 0) return [];
  const texts = bytesOf(text);
  const comms = bytesOf(processes.comm.subarray(0, count * COMM_BYTES));
  return names.map((name) => {
    const bytes = Buffer.from(name);
    const possible = texts.includes(bytes) || comms.includes(bytes.subarray(0, NAME_BYTES));
    return { name, pids: possible ? pidsOf(processes, text, count, name) : [] };
  });
}

const bytesOf = (view: Uint8Array): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

function pidsOf(
  columns: Columns['processes'],
  text: Uint8Array,
  count: number,
  name: string,
): readonly number[] {
  const table = tableOver(columns, text, count);
  const short = textOf(Buffer.from(name).subarray(0, NAME_BYTES));
  const pids: number[] = [];
  for (let row = 0; row < count; row++) {
    if (columns.wrapState[row] === WRAP_STATE.notApplicable) continue;
    const exe = textOf(table.exe(row));
    const runs = exe === '' ? textOf(table.comm(row)) === short : exe === name || exe.endsWith(`/${name}`);
    if (runs) pids.push(columns.pid[row] as number);
  }
  return pids;
}
