/** Runs a bound query over a source, within a budget, at once: the source may be overwritten afterwards. */
import type { Bound, BoundCondition, Output } from './bind.ts';
import { Budget, LIMITS, type Limits } from './budget.ts';
import { columnsOf, type Test, testOf } from './conditions.ts';
import { Groups, type Row } from './groups.ts';
import { compareCells, ranked } from './order.ts';
import type { Cell, Column, Source } from './types.ts';

/** A column whose cells are unknown in so many rows. */
interface Unknown {
  readonly column: string;
  readonly rows: number;
}

export interface Result {
  readonly rows: readonly Row[];
  /** Rows, or groups, that there are without `limit`. */
  readonly total: number;
  /** Rows of the table that match; of an answer without groups the same as `total`. */
  readonly matched: number;
  /** Rows of which it is not known whether they match. */
  readonly undecided: number;
  /** What is unknown in these, by column. */
  readonly undecidedBy: readonly Unknown[];
  /** Matching rows whose cell could not be used in an aggregate or the order, by column. */
  readonly unknown: readonly Unknown[];
  /** Rows within `limit` that were left out because the answer would be too long. */
  readonly cut: number;
}

/** The condition with that of `since` and `until`. */
function wholeCondition({ where, span, table }: Bound): BoundCondition | null {
  const column = table.columns.find(({ name }) => name === table.time);
  const parts: BoundCondition[] = where === null ? [] : [where];
  const time = (operator: '>=' | '<=', ms: number | null): void => {
    if (ms !== null && column !== undefined) parts.push({ kind: 'compare', column, operator, values: [ms] });
  };
  time('>=', span.sinceMs);
  time('<=', span.untilMs);
  return parts.length < 2 ? (parts[0] ?? null) : { kind: 'and', parts };
}

const byOrder =
  ({ order }: Bound) =>
  (a: Row, b: Row): number => {
    for (const [at, { descending }] of order.entries()) {
      const compared = compareCells(a.order[at], b.order[at], descending);
      if (compared !== 0) return compared;
    }
    return a.at - b.at;
  };

/** Keeps the first rows in an order: at most twice as many as wanted are held. */
class First {
  readonly #rows: Row[] = [];
  readonly #most: number;
  readonly #compare: (a: Row, b: Row) => number;
  readonly #budget: Budget;
  readonly #sorts: boolean;

  constructor(bound: Bound, budget: Budget) {
    this.#sorts = bound.order.length > 0;
    this.#most = bound.limit;
    this.#compare = byOrder(bound);
    this.#budget = budget;
  }

  add(row: Row): void {
    // Rows come in the order of the table.
    if (!this.#sorts && this.#rows.length >= this.#most) return;
    this.#rows.push(row);
    if (this.#rows.length >= 2 * this.#most + 64) this.#cut();
  }

  take(): readonly Row[] {
    this.#cut();
    return this.#rows;
  }

  #cut(): void {
    this.#budget.spend(this.#rows.length * Math.ceil(Math.log2(this.#rows.length + 2)));
    this.#rows.sort(this.#compare).splice(this.#most);
  }
}

const textLength = (cell: Cell): number =>
  typeof cell === 'string'
    ? cell.length
    : Array.isArray(cell)
      ? cell.reduce((sum, one) => sum + String(one).length + 3, 2)
      : 8;

/** As many of the rows as an answer may have characters. */
function withinAnswer(rows: readonly Row[], outputs: readonly Output[], most: number): readonly Row[] {
  const names = outputs.reduce((sum, { name }) => sum + name.length + 6, 2);
  let left = most;
  const end = rows.findIndex(({ cells, key }) => {
    left -= names + [...cells, ...key].reduce<number>((sum, cell) => sum + textLength(cell), 0);
    return left < 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

const counted = (counts: ReadonlyMap<string, number>): readonly Unknown[] =>
  [...counts].map(([column, rows]) => ({ column, rows }));

const add = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Columns that rows are read by. */
interface Reads {
  readonly cells: readonly ((row: number) => Cell)[];
  readonly order: readonly (readonly [Column, (row: number) => Cell])[];
  readonly key: readonly ((row: number) => Cell)[];
}

/** Of rows that are not grouped, which have no aggregates. */
function readsOf({ grouped, outputs, order, table }: Bound, source: Source): Reads {
  if (grouped) return { cells: [], order: [], key: [] };
  const of = ({ column }: Output) => source.read((column as Column).name);
  return {
    cells: outputs.map(of),
    order: order.map((one) => [one.column as Column, of(one)]),
    key: table.key.map((name) => source.read(name)),
  };
}

/** @throws QueryError when the query needs more than the limits. */
export function run(bound: Bound, source: Source, limits: Limits = LIMITS): Result {
  const budget = new Budget(limits);
  const condition = wholeCondition(bound);
  const always: Test = () => true;
  const test = condition === null ? always : testOf(condition, source, budget);
  const tested =
    condition === null ? [] : columnsOf(condition).map((one) => [one.name, source.read(one.name)] as const);
  const unknown = new Map<string, number>();
  const undecidedBy = new Map<string, number>();
  const groups = bound.grouped ? new Groups(bound, source, budget, unknown) : null;
  const first = new First(bound, budget);
  const reads = readsOf(bound, source);
  let [matched, undecided] = [0, 0];
  for (let row = 0; row < source.length; row += 1) {
    budget.spend(1);
    const matches = test(row);
    if (matches === null) {
      undecided += 1;
      for (const [name, read] of tested) if (read(row) === null) add(undecidedBy, name);
      budget.spend(tested.length);
    }
    if (matches !== true) continue;
    matched += 1;
    if (groups !== null) groups.take(row);
    else first.add(rowAt(row, reads, unknown, budget));
  }
  const all = groups?.rows();
  for (const one of all ?? []) first.add(one);
  const kept = first.take().map((one) => (groups === null ? filled(one, reads, budget) : one));
  const rows = withinAnswer(kept, bound.outputs, limits.answer);
  return {
    rows,
    total: all?.length ?? matched,
    ...{ matched, undecided },
    undecidedBy: counted(undecidedBy),
    unknown: counted(unknown),
    cut: kept.length - rows.length,
  };
}

/** What a row is ordered by; its cells are read when it is known to be in the answer. */
function rowAt(row: number, { order }: Reads, unknown: Map<string, number>, budget: Budget): Row {
  budget.spend(order.length);
  const cells = order.map(([column, read]) => {
    const cell = ranked(column, read(row));
    if (cell === null) add(unknown, column.name);
    // It is compared with several others.
    if (typeof cell === 'string') budget.spend(cell.length / 2);
    return cell;
  });
  return { cells: [], order: cells, at: row, key: [] };
}

function filled(row: Row, { cells, key }: Reads, budget: Budget): Row {
  budget.spend(cells.length + key.length);
  const read = (one: (row: number) => Cell): Cell => one(row.at);
  return { ...row, cells: cells.map(read), key: key.map(read) };
}
