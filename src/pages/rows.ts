/** Order and choice among the rows of a record in columns: row numbers only, no row is ever made. Pure. */

export type CellValue = string | number | null;

/** Ranks of a column's values, equal ones alike; what is unknown ranks above everything. */
interface Ranks {
  readonly of: Uint32Array;
  /** Rank of what is unknown. */
  readonly unknown: number;
}

function ranksOf(values: readonly CellValue[]): Ranks {
  const folded = values.map((value) => (typeof value === 'string' ? value.toLowerCase() : value));
  const distinct = new Set(folded);
  distinct.delete(null);
  const numbers = [...distinct].filter((value) => typeof value === 'number');
  const texts = [...distinct].filter((value) => typeof value === 'string');
  const sorted: CellValue[] = [...Float64Array.from(numbers).sort(), ...texts.sort()];
  const ranks = new Map(sorted.map((value, rank) => [value, rank]));
  return {
    of: Uint32Array.from(folded, (value) => ranks.get(value) ?? sorted.length),
    unknown: sorted.length,
  };
}

/** The rows `0 … count - 1` of columns that do not change; what is costly is made once, when it is first asked for. */
export class Rows {
  readonly #ranks = new Map<string, Ranks>();
  #searched: readonly string[] | undefined;

  constructor(
    readonly count: number,
    private readonly column: (key: string) => readonly CellValue[],
    private readonly searched: (row: number) => readonly CellValue[],
  ) {}

  /** Row numbers by the values of a column. Equal ones keep their order, and the unknown come last, whichever way it goes. */
  order(key: string, descending: boolean): Uint32Array {
    const { count } = this;
    let ranks = this.#ranks.get(key);
    if (ranks === undefined) {
      ranks = ranksOf(this.column(key));
      this.#ranks.set(key, ranks);
    }
    const { of, unknown } = ranks;
    // Rank and row in one number, below 2^53: sorted without comparing by a function.
    const keys = new Float64Array(count);
    for (let row = 0; row < count; row += 1) {
      const rank = of[row] as number;
      keys[row] = (descending && rank !== unknown ? unknown - 1 - rank : rank) * count + row;
    }
    keys.sort();
    return Uint32Array.from(keys, (sorted) => sorted % count);
  }

  /** Those of `order` that `pick` takes and that have every word of `query` somewhere in what is searched, in any case. */
  matching(order: Uint32Array, query: string, pick: ((row: number) => boolean) | null): Uint32Array {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 && pick === null) return order;
    if (words.length > 0) this.#searched ??= this.#texts();
    const texts = this.#searched ?? [];
    return order.filter(
      (row) => (pick === null || pick(row)) && words.every((word) => texts[row]?.includes(word)),
    );
  }

  #texts(): readonly string[] {
    const texts: string[] = [];
    for (let row = 0; row < this.count; row += 1) texts.push(this.searched(row).join('\n').toLowerCase());
    return texts;
  }
}

/** The stretch of rows to be drawn: those in sight and `spare` beyond each end; as long wherever sight is. */
export function stretch(
  count: number,
  rowPx: number,
  /** Where sight begins and how far it reaches, from the top of the first row. */
  sight: { readonly from: number; readonly height: number },
  spare: number,
): readonly [from: number, to: number] {
  const rows = Math.ceil(sight.height / rowPx) + 2 * spare + 1;
  const from = Math.max(0, Math.min(Math.floor(sight.from / rowPx) - spare, count - rows));
  return [from, Math.min(count, from + rows)];
}

/** Where a key moves the current row among `count`, of which `page` are in sight; null for another key. */
export function stepped(key: string, at: number | null, count: number, page: number): number | null {
  const from = at ?? -1;
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + Math.max(1, page - 1),
    PageUp: from - Math.max(1, page - 1),
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, to));
}
