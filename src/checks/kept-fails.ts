/**
 * The fails of rows, kept while the row says the same: what a recheck costs follows what changed, not how much fails. A row that
 * another process has taken differs in pid or start.
 */
import { sameListener } from '../engine/listeners.ts';
import { FACT } from '../engine/native/types.ts';
import type { Listener, ProcessTable, Snapshot } from '../engine/snapshot.ts';
import { type CheckContext, type Fail, failOf, type RuleCheck, saysTheSame } from './check.ts';
import { listenerAt } from './subjects.ts';

interface Kept {
  readonly fail: Fail;
  readonly said: unknown;
  readonly given: string | number | boolean | undefined;
  /** Number of the last judgement that had it. */
  judgement: number;
}

/** How rows of a table are read. */
interface Reader<Said> {
  /** What a row is known by. */
  key(row: number): number;
  read(row: number): Said;
  same(before: Said, now: Said): boolean;
  /** Of what the next row overwrites, a copy. */
  keep(said: Said): Said;
}

interface RowFails {
  readonly fails: readonly Fail[];
  /** Rows of which the explanation threw, and what the first of them threw. */
  readonly broken: readonly number[];
  readonly error?: unknown;
}

const NO_FAILS: RowFails = { fails: [], broken: [] };

const TEXT_WORDS = 4;
const WORDS = 13 + TEXT_WORDS;

/** Reads everything that an explanation may use of a row of processes, as 32-bit words; into the same array at every call. */
class ProcessReader implements Reader<Uint32Array> {
  readonly table: ProcessTable;
  readonly #wide: readonly Uint32Array[];
  readonly #comm: Uint32Array;
  readonly #words = new Uint32Array(WORDS);

  constructor(table: ProcessTable) {
    this.table = table;
    const { start, identity, comm } = table.columns;
    this.#wide = [start, identity].map(
      ({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length * 2),
    );
    this.#comm = new Uint32Array(comm.buffer, comm.byteOffset, comm.length >> 2);
  }

  key(row: number): number {
    return this.table.columns.pid[row] as number;
  }

  read(row: number): Uint32Array {
    const { columns } = this.table;
    const words = this.#words;
    let at = 0;
    for (const wide of this.#wide) {
      words[at++] = wide[row * 2] as number;
      words[at++] = wide[row * 2 + 1] as number;
    }
    for (let part = 0; part < TEXT_WORDS; part++) words[at++] = this.#comm[row * TEXT_WORDS + part] as number;
    words[at++] = columns.ppid[row] as number;
    words[at++] = columns.uid[row] as number;
    words[at++] = columns.euid[row] as number;
    words[at++] = (columns.seen[row] as number) & (FACT.status | FACT.exe);
    words[at++] = (columns.refused[row] as number) & FACT.exe;
    words[at++] = columns.traits[row] as number;
    words[at++] = columns.tracer[row] as number;
    words[at++] = columns.state[row] as number;
    words[at++] = columns.container[row] as number;
    return words;
  }

  same(before: Uint32Array, now: Uint32Array): boolean {
    for (let at = 0; at < WORDS; at++) if (before[at] !== now[at]) return false;
    return true;
  }

  keep(words: Uint32Array): Uint32Array {
    return words.slice();
  }
}

const listenerReader = (snapshot: Snapshot): Reader<Listener> => ({
  key: (row) => listenerAt(snapshot, row).inode,
  read: (row) => listenerAt(snapshot, row),
  same: sameListener,
  keep: (listener) => listener,
});

export class KeptFails {
  readonly #kept = new Map<RuleCheck, Map<number, Kept>>();
  #processes: ProcessReader | null = null;
  #judgement = 0;

  /** One fail for each of these rows, the same object while the row says the same. Rows of one snapshot, each check once. */
  of(check: RuleCheck, context: CheckContext, ofProcesses: boolean, rows: readonly number[]): RowFails {
    this.#judgement++;
    if (rows.length === 0) {
      this.#kept.delete(check);
      return NO_FAILS;
    }
    const kept = this.#kept.get(check) ?? new Map<number, Kept>();
    this.#kept.set(check, kept);
    const { snapshot } = context;
    const reader: Reader<unknown> = ofProcesses ? this.#reader(snapshot) : listenerReader(snapshot);
    const fails: Fail[] = [];
    const broken: number[] = [];
    let error: unknown;
    for (const row of rows) {
      try {
        const [at, said] = [reader.key(row), reader.read(row)];
        const before = kept.get(at);
        const given = check.given?.(context, row);
        if (before !== undefined && before.given === given && reader.same(before.said, said)) {
          before.judgement = this.#judgement;
          fails.push(before.fail);
          continue;
        }
        const explained = failOf(check, check.explain(context, row), { confirmed: false });
        // The row may differ in what this check does not show.
        const fail = before !== undefined && saysTheSame(before.fail, explained) ? before.fail : explained;
        // Early and unattributed fails are explained again each time.
        if (!fail.early && !fail.unattributed)
          kept.set(at, { fail, said: reader.keep(said), given, judgement: this.#judgement });
        fails.push(fail);
      } catch (thrown) {
        if (broken.push(row) === 1) error = thrown;
      }
    }
    for (const [at, { judgement }] of kept) if (judgement !== this.#judgement) kept.delete(at);
    return { fails, broken, error };
  }

  /** Whether one of these processes failed when the rows of the check were last read. */
  hasAny(check: RuleCheck, pids: Iterable<number>): boolean {
    const kept = this.#kept.get(check);
    if (kept === undefined) return false;
    for (const pid of pids) if (kept.has(pid)) return true;
    return false;
  }

  #reader({ processes }: Snapshot): ProcessReader {
    if (this.#processes?.table !== processes) this.#processes = new ProcessReader(processes);
    return this.#processes;
  }
}
