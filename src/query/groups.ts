/** Groups of rows and what is computed of each. */
import type { Bound, Output } from './bind.ts';
import type { Budget } from './budget.ts';
import { compareValues, ranked } from './order.ts';
import type { Cell, Column, Source } from './types.ts';

type Scalar = string | number | boolean;

/** Adds numbers and keeps what a double loses (Neumaier's variant of Kahan's sum, as SQLite does since 3.43). */
class Sum {
  #sum = 0;
  #lost = 0;

  add(value: number): void {
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  get value(): number {
    return this.#sum + this.#lost;
  }
}

/** An aggregate of one group: takes the cells of its rows. Cells that are unknown or none are left out, as NULL is in SQL. */
interface Collector {
  take(cell: Cell): void;
  /** Unknown where every cell that could count was unknown; none where there was no cell. */
  value(unknown: number): Cell;
}

function collector({ aggregate, column }: Output, budget: Budget): Collector {
  let count = 0;
  switch (aggregate) {
    case 'distinct': {
      const seen = new Set<Cell>();
      return {
        take(cell) {
          if (seen.has(cell)) return;
          seen.add(cell);
          budget.hold(typeof cell === 'string' ? cell.length : 8);
        },
        value: () => seen.size,
      };
    }
    case 'sum':
    case 'avg': {
      const sum = new Sum();
      return {
        take(cell) {
          sum.add(cell as number);
          count += 1;
        },
        value: (unknown) =>
          count === 0
            ? unknown > 0
              ? null
              : undefined
            : aggregate === 'sum'
              ? sum.value
              : sum.value / count,
      };
    }
    case 'min':
    case 'max': {
      let best: Cell;
      const sign = aggregate === 'min' ? 1 : -1;
      const worth = (cell: Cell): Scalar => ranked(column as Column, cell) as Scalar;
      return {
        take(cell) {
          if (best === undefined || sign * compareValues(worth(cell), worth(best)) < 0) best = cell;
        },
        value: (unknown) => best ?? (unknown > 0 ? null : undefined),
      };
    }
    default:
      return {
        take() {
          count += 1;
        },
        value: () => count,
      };
  }
}

interface Group {
  readonly cells: readonly Cell[];
  readonly collectors: readonly Collector[];
  /** Cells of each aggregate that were unknown. */
  readonly unknown: number[];
}

/** Different for cells of different types, and for texts with any characters. One cell is its own key. */
function keyOf(cells: readonly Cell[]): Cell {
  if (cells.length === 1) return cells[0];
  let key = '';
  for (const cell of cells) {
    const text = String(cell);
    const kind = cell === null ? 'u' : cell === undefined ? 'n' : typeof cell === 'string' ? 's' : 'v';
    key += `${kind}${text.length}:${text}`;
  }
  return key;
}

/** Finding the group of a row costs as much as reading so many cells. */
const GROUP_STEPS = 6;

/** A row of the answer, with the cells that it is ordered by. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly order: readonly Cell[];
  /** Row of the source; of groups their number in the order they were seen. */
  readonly at: number;
  /** Cells of the columns that identify it: its key, or what it is grouped by. */
  readonly key: readonly Cell[];
}

/** Collects rows into groups; `unknown` counts cells by column name. */
export class Groups {
  readonly #groups = new Map<Cell, Group>();
  readonly #aggregates: readonly Output[];
  readonly #keys: readonly ((row: number) => Cell)[];
  readonly #reads: readonly (((row: number) => Cell) | null)[];
  readonly #bound: Bound;
  readonly #budget: Budget;
  readonly #unknown: Map<string, number>;

  constructor(bound: Bound, source: Source, budget: Budget, unknown: Map<string, number>) {
    const { outputs, order, group } = bound;
    this.#bound = bound;
    this.#budget = budget;
    this.#unknown = unknown;
    const all = [...outputs, ...order].filter(({ aggregate }) => aggregate !== null);
    this.#aggregates = [...new Map(all.map((one) => [one.name, one])).values()];
    this.#keys = group.map(({ name }) => source.read(name));
    this.#reads = this.#aggregates.map(({ column }) => (column === null ? null : source.read(column.name)));
    // Without groups there is one, of all rows.
    if (group.length === 0) this.#groupOf([]);
  }

  take(row: number): void {
    const group = this.#groupOf(this.#keys.map((read) => read(row)));
    this.#budget.spend(this.#keys.length + this.#reads.length);
    for (const [at, read] of this.#reads.entries()) {
      const cell = read === null ? true : read(row);
      if (cell === null) group.unknown[at] = (group.unknown[at] ?? 0) + 1;
      else if (cell !== undefined && !(Array.isArray(cell) && cell.length === 0)) {
        if (typeof cell === 'string') this.#budget.read(cell);
        group.collectors[at]?.take(cell);
      }
    }
  }

  /** Every group as a row, in the order they were seen. */
  rows(): readonly Row[] {
    const names = this.#aggregates.map(({ name }) => name);
    const { group, outputs, order } = this.#bound;
    return [...this.#groups.values()].map(({ cells, collectors, unknown }, at) => {
      const values = collectors.map((one, index) => one.value(unknown[index] ?? 0));
      const cellOf = ({ name, aggregate, column }: Output): Cell =>
        aggregate === null ? cells[group.indexOf(column as Column)] : values[names.indexOf(name)];
      this.#countUnknown(unknown);
      this.#budget.spend(outputs.length + order.length);
      return {
        cells: outputs.map(cellOf),
        order: order.map((one) =>
          one.aggregate === null ? ranked(one.column as Column, cellOf(one)) : rankOf(one, cellOf(one)),
        ),
        at,
        key: cells,
      };
    });
  }

  #groupOf(cells: readonly Cell[]): Group {
    const key = keyOf(cells);
    this.#budget.spend(GROUP_STEPS);
    if (typeof key === 'string') this.#budget.read(key);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const made: Group = {
      cells,
      collectors: this.#aggregates.map((one) => collector(one, this.#budget)),
      unknown: [],
    };
    this.#groups.set(key, made);
    this.#budget.group(this.#groups.size);
    this.#budget.hold((typeof key === 'string' ? key.length : 8) + 64 * (1 + made.collectors.length));
    return made;
  }

  /** Of aggregates; a group of what is unknown says so in its own row. */
  #countUnknown(unknown: readonly number[]): void {
    for (const [at, { column }] of this.#aggregates.entries()) {
      const count = unknown[at] ?? 0;
      if (count > 0 && column !== null) {
        const known = this.#unknown.get(column.name) ?? 0;
        this.#unknown.set(column.name, known + count);
      }
    }
  }
}

/** The least and greatest of a ranked column are ordered by rank too. */
const rankOf = ({ aggregate, column }: Output, cell: Cell): Cell =>
  column !== null && (aggregate === 'min' || aggregate === 'max') ? ranked(column, cell) : cell;
