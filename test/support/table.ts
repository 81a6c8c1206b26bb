/** Process tables made of plain rows, for tests of what judges them. */

import { allocate, type Columns, columnsOver } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { FACT, PF_KTHREAD, type ProcessColumns, WRAP_STATE } from '../../src/engine/native/types.ts';
import { COMM_BYTES, tableOver } from '../../src/engine/process-table.ts';
import type { ProcessTable } from '../../src/engine/snapshot.ts';

const encoder = new TextEncoder();
const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? encoder.encode(text) : text;

type Texts = 'comm' | 'exeOffset' | 'exeLength' | 'cgroupOffset' | 'cgroupLength';
type Numbers = {
  readonly [K in Exclude<keyof ProcessColumns, Texts>]: ProcessColumns[K] extends BigUint64Array
    ? bigint
    : number;
};

/** One process of an in-memory table. What is left out takes the value of a plain, fully readable user process. */
export interface ProcessRow extends Partial<Omit<Numbers, 'state' | 'container'>> {
  readonly pid: number;
  /** State letter; '' = vanished. Default `S`. */
  readonly state?: string;
  readonly container?: boolean;
  readonly comm?: string | Uint8Array;
  readonly exe?: string | Uint8Array;
  readonly cgroup?: string | Uint8Array;
}

const ALL_FACTS = Object.values(FACT).reduce((mask, bit) => mask | bit, 0);
const FULL_CAPS = 0x1ff_ffff_ffffn;
const FRIED = new Set(['Z', 'X', 'x']);

/** A table made of plain rows, sorted by pid: what tests of checks and records judge. Duplicate pids throw. */
export function tableFrom(rows: readonly ProcessRow[]): ProcessTable {
  const { processes, text } = columnsFrom(rows);
  return tableOver(processes, text, rows.length);
}

/**
 * The columns behind such a table, with room for sockets and holders; the derived columns of the processes are filled,
 * `self` being the desk.
 */
export function columnsFrom(
  rows: readonly ProcessRow[],
  { sockets = 0, holders = 0, self = 0 }: { sockets?: number; holders?: number; self?: number } = {},
): Columns {
  const sorted = [...rows].sort((a, b) => a.pid - b.pid);
  const texts: Uint8Array[] = [];
  const room = sorted.reduce(
    (sum, { exe = '/usr/bin/sleep', comm = '', cgroup = '/' }) =>
      sum + bytesOf(exe).length + bytesOf(comm).length + bytesOf(cgroup).length,
    0,
  );
  const all = nativeColumns(sorted.length, sockets, holders, room);
  const columns = all.processes;
  let textLength = 0;
  const put = (text: Uint8Array): [number, number] => {
    const offset = textLength;
    texts.push(text);
    textLength += text.length;
    return [offset, text.length];
  };
  sorted.forEach((process, row) => {
    if (row > 0 && sorted[row - 1]?.pid === process.pid)
      throw new RangeError(`pid ${process.pid} appears twice`);
    fillNumbers(columns, row, process);
    const comm = bytesOf(process.comm ?? `process-${process.pid}`).subarray(0, COMM_BYTES - 1);
    columns.comm.set(comm, row * COMM_BYTES);
    const kernelThread = ((process.flags ?? 0) & PF_KTHREAD) !== 0;
    const fried = FRIED.has(process.state ?? 'S');
    const exe = bytesOf(process.exe ?? (kernelThread || fried ? '' : '/usr/bin/sleep'));
    [columns.exeOffset[row], columns.exeLength[row]] = put(exe);
    [columns.cgroupOffset[row], columns.cgroupLength[row]] = put(bytesOf(process.cgroup ?? '/'));
    columns.identity[row] = process.identity ?? (kernelThread ? 0n : fnv1a(exe.length > 0 ? exe : comm));
    const applicable = !kernelThread && !fried && process.state !== '';
    columns.wrapState[row] =
      process.wrapState ??
      (applicable ? (process.wrap ? WRAP_STATE.wrapped : WRAP_STATE.free) : WRAP_STATE.notApplicable);
  });
  let at = 0;
  for (const text of texts) {
    all.text.set(text, at);
    at += text.length;
  }
  loadNative().addon.derive(all.bytes, all.capacity, {
    count: sorted.length,
    listeners: 0,
    holders: 0,
    self,
    ephemeral: null,
    sightComplete: false,
    groups: [],
    programs: [],
  });
  return all;
}

/** What a row has unless it says otherwise; every other number is 0. */
const PLAIN: Partial<Numbers> = {
  uid: 1000,
  threads: 1,
  capBnd: FULL_CAPS,
  // The initial namespaces' fixed numbers (include/linux/proc_ns.h; mnt and net as of Linux 6.18).
  nsUser: 0xefff_fffd,
  nsPid: 0xefff_fffc,
  nsMnt: 0xefff_fff8,
  nsNet: 0xefff_fff9,
};

function fillNumbers(columns: ProcessColumns, row: number, process: ProcessRow): void {
  const { pid, uid = 1000, state = 'S', container = false, refused = 0 } = process;
  const values: Partial<Numbers> = {
    ...PLAIN,
    ppid: pid === 1 ? 0 : 1,
    euid: uid,
    start: BigInt(pid),
    seen: state === '' ? 0 : ALL_FACTS & ~refused,
    ...(process as unknown as Partial<Numbers>),
    state: state.charCodeAt(0) || 0,
    container: container ? 1 : 0,
  };
  for (const [name, column] of Object.entries(columns)) {
    const value = values[name as keyof Numbers];
    if (value !== undefined && name !== 'comm') column[row] = value;
  }
}

/** Columns as the addon lays them out, with the traits it derives: hand-made tables can be judged by the real batch. */
function nativeColumns(rows: number, sockets: number, holders: number, text: number): Columns {
  const { addon } = loadNative();
  const capacity = { processes: rows, sockets, holders, text };
  const layout = addon.layout(capacity);
  return columnsOver(allocate(layout), layout, capacity);
}

/** FNV-1a, 64 bit: a stand-in for the keyed hash of the native build, never 0. */
function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100_0000_01b3n);
  return hash === 0n ? 1n : hash;
}
