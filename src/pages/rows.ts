/** Order and filter of the rows of a record in columns, by row numbers alone: no row object is made. Pure. */
import type { CellValue } from '../records/table-cells.ts';

/** Ranks of a column's values, equal ones alike; unknown ones rank highest. */
function ranksOf(values: readonly CellValue[]): { readonly of: Uint32Array; readonly unknown: number } {
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

/** The rows `0 … count - 1` of columns that do not change; ranks and searched texts are made on first use. */
export class Rows {
  readonly #ranks = new Map<string, ReturnType<typeof ranksOf>>();
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

  /** Those of `order` that `pick` takes and that have every word of `query` in their searched text, in any case. */
  matching(order: Uint32Array, query: string, pick: ((row: number) => boolean) | null): Uint32Array {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 && pick === null) return order;
    if (words.length > 0)
      this.#searched ??= Array.from({ length: this.count }, (_, row) =>
        this.searched(row).join('\n').toLowerCase(),
      );
    const texts = this.#searched ?? [];
    return order.filter(
      (row) => (pick === null || pick(row)) && words.every((word) => texts[row]?.includes(word)),
    );
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

/** Where a key moves the current of `count` (`page` in sight), null for other keys; in a slider up and right lead on (WAI-ARIA APG). */
export function stepped(
  key: string,
  at: number | null,
  count: number,
  page: number,
  slider = false,
): number | null {
  const from = at ?? -1;
  const [one, many] = [slider ? -1 : 1, (slider ? -1 : 1) * Math.max(1, page - 1)];
  const to = {
    ArrowDown: from + one,
    ArrowUp: from - one,
    PageDown: from + many,
    PageUp: from - many,
    Home: 0,
    End: count - 1,
    ...(slider && { ArrowLeft: from - 1, ArrowRight: from + 1 }),
  }[key];
  return to === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, to));
}
