/** The process table (`GET /h7/processes`) as rows with the names of its columns. Rows are made on demand. */
import { COMM_BYTES } from '../../engine/process-table.ts';
import { FACT } from '../../native/types.ts';
import type { Moment } from '../../records/moment.ts';
import { kindOf, processesAt, WRAPS } from '../../records/process-columns.ts';
import type { ProcessesAsked } from '../../records/process-table.ts';
import { matches, type Relation, type Rows } from './paths.ts';

export type ProcessFacts = {
  readonly [K in Exclude<keyof ProcessesAsked, 'moment'>]: ProcessesAsked[K] extends readonly (infer T)[]
    ? T
    : never;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Too many shorter names differ by one edit. */
const SHORTEST_NEAR = 4;
/** Each unknown name costs a scan of all processes. */
const MOST_NAMES = 8;
const KEPT_NAMES = 100;

export class ProcessRows implements Rows {
  readonly #moment: Moment;
  /** Rows of existing processes. */
  readonly #live: readonly number[];
  readonly #chosen = new Map<string, Chosen>();
  /** Several intents read the names of one question. */
  readonly #named = new Map<string, ReturnType<ProcessRows['named']>>();

  constructor(moment: Moment) {
    this.#moment = moment;
    const { count, columns } = moment.snapshot.processes;
    const live: number[] = [];
    for (let row = 0; row < count; row++) if (columns.state[row] !== 0) live.push(row);
    this.#live = live;
  }

  get length(): number {
    return this.#live.length;
  }

  at(index: number): ProcessFacts | undefined {
    const row = this.#live[index];
    return row === undefined ? undefined : this.facts(row);
  }

  where(key: string, relation: Relation, value: string): Chosen {
    const name = `${key}${relation}${value}`;
    let chosen = this.#chosen.get(name);
    if (chosen === undefined) {
      chosen = new Chosen(this, this.#rows(key, relation, value));
      this.#chosen.set(name, chosen);
    }
    return chosen;
  }

  #rows(key: string, relation: Relation, value: string): readonly number[] {
    const { processes } = this.#moment.snapshot;
    if (relation === '=' && key === 'pid') {
      if (!/^\d{1,10}$/.test(value)) return [];
      const row = processes.rowOf(Number(value));
      return row >= 0 && processes.columns.state[row] !== 0 ? [row] : [];
    }
    if (relation === '=' && key === 'wrap') {
      const { wrapState } = processes.columns;
      return this.#live.filter((row) => (WRAPS.get(wrapState[row] ?? -1) ?? 'none') === value);
    }
    if (relation === '=' && key === 'uid' && /^\d{1,10}$/.test(value)) {
      const { seen, uid } = processes.columns;
      return this.#live.filter((row) => ((seen[row] ?? 0) & FACT.status) !== 0 && uid[row] === Number(value));
    }
    if (relation === '=' && key === 'kind')
      return this.#live.filter((row) => kindOf(processes, row) === value);
    if (relation === '=' && (key === 'comm' || key === 'executable') && !value.includes('\ufffd')) {
      const wanted = encoder.encode(value);
      const bytesOf = (row: number) => (key === 'comm' ? processes.comm(row) : processes.exe(row));
      return this.#live.filter((row) => sameBytes(bytesOf(row), wanted));
    }
    return this.#live.filter((row) => matches(this.facts(row)[key as keyof ProcessFacts], relation, value));
  }

  facts(row: number): ProcessFacts {
    const { moment: _moment, ...columns } = processesAt(this.#moment, [row]);
    return Object.fromEntries(
      Object.entries(columns).map(([key, [value]]) => [key, value]),
    ) as unknown as ProcessFacts;
  }

  /**
   * `comm` or `executable` of the processes with one of these names, each once. A name is a command name, the last part of an
   * executable's path, or its whole path.
   */
  named(names: readonly string[]): readonly (readonly ['comm' | 'executable', string])[] {
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
    const { processes } = this.#moment.snapshot;
    for (const row of this.#live) {
      const comm = processes.comm(row);
      if (isOneEdit(wanted, comm)) return decoder.decode(comm);
    }
    return null;
  }

  #find(names: readonly string[]): readonly (readonly ['comm' | 'executable', string])[] {
    const { processes } = this.#moment.snapshot;
    const { comm } = processes.columns;
    const wanted = names.map((name) => ({ name, bytes: encoder.encode(name) }));
    const found = new Map<string, readonly ['comm' | 'executable', string]>();
    const put = (key: 'comm' | 'executable', name: string) => found.set(`${key} ${name}`, [key, name]);
    for (const { name, bytes } of wanted) {
      if (bytes.length === 0) continue;
      const path = name.startsWith('/');
      for (const row of this.#live) {
        if (path) {
          if (sameBytes(processes.exe(row), bytes)) {
            put('executable', name);
            break;
          }
          continue;
        }
        // The kernel keeps 15 bytes of a command name.
        const at = row * COMM_BYTES;
        if (comm[at] === bytes[0] && sameBytes(processes.comm(row), bytes.subarray(0, COMM_BYTES - 1))) {
          put('comm', bytes.length < COMM_BYTES ? name : name.slice(0, COMM_BYTES - 1));
          break;
        }
      }
      if (path || [...found.values()].some(([, known]) => known === name)) continue;
      for (const row of this.#live) {
        const exe = processes.exe(row);
        const from = exe.length - bytes.length;
        if (from > 0 && exe[from - 1] === SLASH && sameBytes(exe.subarray(from), bytes)) {
          put('executable', this.facts(row).executable);
          break;
        }
      }
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

/** Some rows of the table. */
class Chosen implements Rows {
  readonly #table: ProcessRows;
  readonly rows: readonly number[];

  constructor(table: ProcessRows, rows: readonly number[]) {
    this.#table = table;
    this.rows = rows;
  }

  get length(): number {
    return this.rows.length;
  }

  at(index: number): ProcessFacts | undefined {
    const row = this.rows[index];
    return row === undefined ? undefined : this.#table.facts(row);
  }

  where(key: string, relation: Relation, value: string): Chosen {
    const among = new Set(this.#table.where(key, relation, value).rows);
    return new Chosen(
      this.#table,
      this.rows.filter((row) => among.has(row)),
    );
  }
}
