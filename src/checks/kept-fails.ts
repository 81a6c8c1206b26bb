/**
 * What rows that failed were explained by. An explanation is kept while the row says the same: what a recheck costs follows what
 * changed, not how much stands. A row that another process has taken differs in pid or start.
 */
import { sameListener } from '../engine/listeners.ts';
import type { Listener, ProcessTable, Snapshot } from '../engine/snapshot.ts';
import { FACT } from '../native/types.ts';
import { type CheckContext, type Fail, failOf, type RuleCheck } from './check.ts';
import { listenerAt } from './subjects.ts';

interface Kept<Said> {
  readonly fail: Fail;
  readonly said: Said;
  readonly given: string | number | boolean | undefined;
  /** Number of the last judgement that had it. */
  round: number;
}

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
  of(
    check: RuleCheck,
    context: CheckContext,
    ofProcesses: boolean,
    rows: readonly number[],
  ): readonly Fail[] {
    this.#round++;
    if (rows.length === 0) {
      (ofProcesses ? this.#processes : this.#listeners).delete(check);
      return [];
    }
    return ofProcesses ? this.#ofProcesses(check, context, rows) : this.#ofListeners(check, context, rows);
  }

  #ofProcesses(check: RuleCheck, context: CheckContext, rows: readonly number[]): readonly Fail[] {
    const { processes } = context.snapshot;
    const reader = this.#wordsOf(context.snapshot);
    const kept = placed(this.#processes, check);
    const fails = rows.map((row) => {
      const pid = processes.columns.pid[row] as number;
      const words = reader.read(row);
      const before = kept.get(pid);
      const given = check.given?.(context, row);
      if (before !== undefined && before.given === given && sameWords(before.said, words)) {
        before.round = this.#round;
        return before.fail;
      }
      const said = words.slice();
      return this.#explain(check, context, row, (fail, round) => kept.set(pid, { fail, said, given, round }));
    });
    this.#drop(kept);
    return fails;
  }

  #ofListeners(check: RuleCheck, context: CheckContext, rows: readonly number[]): readonly Fail[] {
    const kept = placed(this.#listeners, check);
    const fails = rows.map((row) => {
      const said = listenerAt(context.snapshot, row);
      const before = kept.get(said.inode);
      const given = check.given?.(context, row);
      if (before !== undefined && before.given === given && sameListener(before.said, said)) {
        before.round = this.#round;
        return before.fail;
      }
      return this.#explain(check, context, row, (fail, round) =>
        kept.set(said.inode, { fail, said, given, round }),
      );
    });
    this.#drop(kept);
    return fails;
  }

  /** What is early or in doubt is asked again each time. */
  #explain(
    check: RuleCheck,
    context: CheckContext,
    row: number,
    keep: (fail: Fail, round: number) => void,
  ): Fail {
    const fail = failOf(check, check.explain(context, row), { confirmed: false });
    if (!fail.early && !fail.doubtful) keep(fail, this.#round);
    return fail;
  }

  /** Lets go of what did not fail this time. */
  #drop<Said>(kept: Map<number, Kept<Said>>): void {
    for (const [key, { round }] of kept) if (round !== this.#round) kept.delete(key);
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
