/**
 * What rows that failed were explained by. An explanation is kept while the row says the same: what a recheck costs follows what
 * changed, not how much stands. A row that another process has taken differs in pid or start.
 */
import { sameListener } from '../engine/listeners.ts';
import { FACT } from '../engine/native/types.ts';
import type { Listener, ProcessTable, Snapshot } from '../engine/snapshot.ts';
import { type CheckContext, type Fail, failOf, type RuleCheck } from './check.ts';
import { listenerAt } from './subjects.ts';

interface Kept<Said> {
  readonly fail: Fail;
  readonly said: Said;
  readonly given: string | number | boolean | undefined;
  /** Number of the last judgement that had it. */
  round: number;
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

/** What a row of processes says, in 32-bit words. */
type Words = Uint32Array;

const TEXT_WORDS = 4;
const WORDS = 13 + TEXT_WORDS;

/** Reads rows of the process columns as words. */
class RowWords {
  readonly #table: ProcessTable;
  readonly #wide: readonly Uint32Array[];
  readonly #comm: Uint32Array;
  readonly words = new Uint32Array(WORDS);

  constructor(table: ProcessTable) {
    this.#table = table;
    const { start, identity, comm } = table.columns;
    this.#wide = [start, identity].map(
      ({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length * 2),
    );
    this.#comm = new Uint32Array(comm.buffer, comm.byteOffset, comm.length >> 2);
  }

  /** Everything an explanation may tell of the row; the same array at every call. */
  read(row: number): Words {
    const { columns } = this.#table;
    const { words } = this;
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
}

function sameWords(some: Words, others: Words): boolean {
  for (let at = 0; at < WORDS; at++) if (some[at] !== others[at]) return false;
  return true;
}

export class KeptFails {
  readonly #processes = new Map<RuleCheck, Map<number, Kept<Words>>>();
  readonly #listeners = new Map<RuleCheck, Map<number, Kept<Listener>>>();
  #words: { readonly of: ProcessTable; readonly words: RowWords } | null = null;
  #round = 0;

  /** One fail for each of these rows, the same object while the row says the same. Rows of one snapshot, each check once. */
  of(check: RuleCheck, context: CheckContext, ofProcesses: boolean, rows: readonly number[]): RowFails {
    this.#round++;
    if (rows.length === 0) {
      (ofProcesses ? this.#processes : this.#listeners).delete(check);
      return NO_FAILS;
    }
    return ofProcesses ? this.#ofProcesses(check, context, rows) : this.#ofListeners(check, context, rows);
  }

  #ofProcesses(check: RuleCheck, context: CheckContext, rows: readonly number[]): RowFails {
    const { pid } = context.snapshot.processes.columns;
    const reader = this.#wordsOf(context.snapshot);
    return this.#fails(placed(this.#processes, check), check, context, rows, {
      key: (row) => pid[row] as number,
      read: (row) => reader.read(row),
      same: sameWords,
      keep: (words) => words.slice(),
    });
  }

  #ofListeners(check: RuleCheck, context: CheckContext, rows: readonly number[]): RowFails {
    return this.#fails(placed(this.#listeners, check), check, context, rows, {
      key: (row) => listenerAt(context.snapshot, row).inode,
      read: (row) => listenerAt(context.snapshot, row),
      same: sameListener,
      keep: (listener) => listener,
    });
  }

  #fails<Said>(
    kept: Map<number, Kept<Said>>,
    check: RuleCheck,
    context: CheckContext,
    rows: readonly number[],
    { key, read, same, keep }: Reader<Said>,
  ): RowFails {
    const fails: Fail[] = [];
    const broken: number[] = [];
    let error: unknown;
    for (const row of rows) {
      try {
        const [at, said] = [key(row), read(row)];
        const before = kept.get(at);
        const given = check.given?.(context, row);
        if (before !== undefined && before.given === given && same(before.said, said)) {
          before.round = this.#round;
          fails.push(before.fail);
          continue;
        }
        const fail = failOf(check, check.explain(context, row), { confirmed: false });
        // What is early or in doubt is asked again each time.
        if (!fail.early && !fail.doubtful)
          kept.set(at, { fail, said: keep(said), given, round: this.#round });
        fails.push(fail);
      } catch (thrown) {
        if (broken.push(row) === 1) error = thrown;
      }
    }
    for (const [at, { round }] of kept) if (round !== this.#round) kept.delete(at);
    return { fails, broken, error };
  }

  #wordsOf({ processes }: Snapshot): RowWords {
    if (this.#words?.of !== processes) this.#words = { of: processes, words: new RowWords(processes) };
    return this.#words.words;
  }
}

function placed<Said>(
  all: Map<RuleCheck, Map<number, Kept<Said>>>,
  check: RuleCheck,
): Map<number, Kept<Said>> {
  let kept = all.get(check);
  if (kept === undefined) {
    kept = new Map();
    all.set(check, kept);
  }
  return kept;
}
