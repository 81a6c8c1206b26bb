/** The process table (`GET /h7/processes`) as rows with the names of its columns. Rows are made on demand. */
import { COMM_BYTES } from '../../engine/process-table.ts';
import { rowOf } from '../../records/columns.ts';
import {
  livingRows,
  PROCESSES,
  type ProcessRow,
  type ProcessSource,
  processSource,
} from '../../records/process-columns.ts';
import type { DeskState } from '../../records/state.ts';
import { matches, type Relation, type Rows } from './paths.ts';

const { columns: COLUMNS } = PROCESSES;
const isColumn = (key: string): key is keyof ProcessRow => Object.hasOwn(COLUMNS, key);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Too many shorter names differ by one edit. */
const SHORTEST_NEAR = 4;
const SHORTEST_VERSIONED = 3;
/** Each unknown name costs a scan of all processes. */
const MOST_NAMES = 8;
const KEPT_NAMES = 100;

/** A name of running processes, and the column that has it. */
export type Named = readonly [column: 'comm' | 'executable', name: string];

export class ProcessRows implements Rows {
  readonly #source: ProcessSource;
  /** Its rows in the table of processes. */
  readonly #live: readonly number[];
  readonly #chosen = new Map<string, ProcessRows>();
  /** Several intents read the names of one question. */
  readonly #named = new Map<string, readonly Named[]>();

  private constructor(source: ProcessSource, rows: readonly number[]) {
    this.#source = source;
    this.#live = rows;
  }

  /** All existing processes. */
  static of(state: DeskState): ProcessRows {
    return new ProcessRows(processSource(state), livingRows(state.snapshot.processes));
  }

  get length(): number {
    return this.#live.length;
  }

  at(index: number): ProcessRow | undefined {
    const row = this.#live[index];
    return row === undefined ? undefined : this.#facts(row);
  }

  where(key: string, relation: Relation, value: string): ProcessRows {
    const name = `${key}${relation}${value}`;
    const chosen = this.#chosen.get(name) ?? new ProcessRows(this.#source, this.#rows(key, relation, value));
    this.#chosen.set(name, chosen);
    return chosen;
  }

  #rows(key: string, relation: Relation, value: string): readonly number[] {
    const source = this.#source;
    const { table } = source;
    if (relation === '=' && key === 'pid') {
      const row = /^\d{1,10}$/.test(value) ? table.rowOf(Number(value)) : -1;
      return row >= 0 && this.#live.includes(row) ? [row] : [];
    }
    if (relation === '=' && (key === 'comm' || key === 'executable') && !value.includes('\ufffd')) {
      const wanted = encoder.encode(value);
      const bytesOf = (row: number) => (key === 'comm' ? table.comm(row) : table.exe(row));
      return this.#live.filter((row) => sameBytes(bytesOf(row), wanted));
    }
    if (!isColumn(key)) return [];
    return this.#live.filter((row) => matches(COLUMNS[key].read(source, row), relation, value));
  }

  #facts(row: number): ProcessRow {
    return rowOf(COLUMNS, this.#source, row);
  }

  /** `comm` or `executable` of processes with one of these names (command name, last part or whole path of the executable), each once. */
  named(names: readonly string[]): readonly Named[] {
    const asked = names.slice(0, MOST_NAMES);
    const key = asked.join('\n');
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    if (this.#named.size >= KEPT_NAMES) this.#named.clear();
    const found = this.#find(asked);
    this.#named.set(key, found);
    return found;
  }

  /** The command name of a process that differs from this one by one edit; null without one. */
  nearly(name: string): string | null {
    const wanted = encoder.encode(name).subarray(0, COMM_BYTES - 1);
    if (wanted.length < SHORTEST_NEAR) return null;
    const { table } = this.#source;
    for (const row of this.#live) {
      const comm = table.comm(row);
      if (isOneEdit(wanted, comm)) return decoder.decode(comm);
    }
    return null;
  }

  /** Command names that are this one with a version behind it, as python3.13 is python. */
  versions(name: string): readonly string[] {
    const wanted = encoder.encode(name);
    if (wanted.length < SHORTEST_VERSIONED) return [];
    const { table } = this.#source;
    const found = new Set<string>();
    for (const row of this.#live) {
      const comm = table.comm(row);
      if (comm.length > wanted.length && sameBytes(comm.subarray(0, wanted.length), wanted)) {
        const rest = decoder.decode(comm.subarray(wanted.length));
        if (/^[-.]?\d[\d.]*$/.test(rest)) found.add(name + rest);
      }
    }
    return [...found];
  }

  #find(names: readonly string[]): readonly Named[] {
    const { table } = this.#source;
    const { comm } = table.columns;
    const found = new Map<string, Named>();
    const put = (key: Named[0], name: string) => found.set(`${key} ${name}`, [key, name]);
    for (const name of names) {
      const bytes = encoder.encode(name);
      if (bytes.length === 0) continue;
      if (name.startsWith('/')) {
        if (this.#live.some((row) => sameBytes(table.exe(row), bytes))) put('executable', name);
        continue;
      }
      // The kernel keeps 15 bytes of a command name.
      const kept = bytes.subarray(0, COMM_BYTES - 1);
      if (this.#live.some((row) => comm[row * COMM_BYTES] === bytes[0] && sameBytes(table.comm(row), kept)))
        put('comm', bytes.length < COMM_BYTES ? name : name.slice(0, COMM_BYTES - 1));
      if ([...found.values()].some(([, known]) => known === name)) continue;
      const row = this.#live.find((row) => {
        const exe = table.exe(row);
        const from = exe.length - bytes.length;
        return from > 0 && exe[from - 1] === SLASH && sameBytes(exe.subarray(from), bytes);
      });
      if (row !== undefined) put('executable', this.#facts(row).executable);
    }
    return [...found.values()];
  }
}

const SLASH = '/'.charCodeAt(0);

const lower = (byte = 0): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** One character missing, added, replaced, or swapped with its neighbour; case is ignored. */
function isOneEdit(a: Uint8Array, b: Uint8Array): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && from < b.length && lower(a[from]) === lower(b[from])) from++;
  let [toA, toB] = [a.length, b.length];
  while (toA > from && toB > from && lower(a[toA - 1]) === lower(b[toB - 1])) [toA, toB] = [toA - 1, toB - 1];
  const [leftA, leftB] = [toA - from, toB - from];
  const swapped = lower(a[from]) === lower(b[from + 1]) && lower(a[from + 1]) === lower(b[from]);
  return (leftA < 2 && leftB < 2) || (leftA === 2 && leftB === 2 && swapped);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
