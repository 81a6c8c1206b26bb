/** A table for the terminal: its cells as words, made once for each answer; order, filter and layout are found on demand. Pure. */
import { cells, escapeTerminal, fit, type Line, type Piece, type Style } from '../../base/terminal.ts';
import { Rows } from '../../pages/rows.ts';
import type { Detection } from '../../records/detection.ts';
import type { CellValue } from '../../records/table-cells.ts';

export interface SheetColumn {
  readonly key: string;
  readonly head: string;
  readonly align?: 'right';
  /** Shrinks when there is no room; `end` keeps the tail (paths). */
  readonly shrink?: 'start' | 'end';
  /** A shrinking column does not get narrower than this, or than half of the screen. */
  readonly least?: number;
  /** The columns with the lowest number are left out first. */
  readonly weight: number;
  text(row: number): string;
  /** What it is sorted by; its text without this. */
  value?(row: number): CellValue;
  style?(row: number): Style;
}

export interface Order {
  readonly key: string;
  readonly descending: boolean;
}

/** Everything about one row. `detection`: for what was found about it, null while that is not here. */
export type RowDetail = (row: number, width: number, detection: Detection | null) => readonly Line[];

interface SheetParts {
  readonly noun: readonly [one: string, many: string];
  readonly count: number;
  readonly columns: readonly SheetColumn[];
  readonly order: Order;
  /** Equal for the same row of the next answer. */
  readonly identity: (row: number) => string;
  /** Null where the service is asked for it (a finding, by its identity). */
  readonly detail: RowDetail | null;
  /** What is missing, or has to be known to read it. */
  readonly remarks?: readonly string[];
}

/** A column never gets narrower than this, or than its heading. */
const LEAST = 8;
const GAP = 2;

interface Laid {
  readonly column: number;
  readonly width: number;
}

export class Sheet {
  readonly parts: SheetParts;
  readonly #texts: readonly (readonly string[])[];
  readonly #widths: readonly number[];
  readonly #rows: Rows;
  #asked = '';
  #found = new Uint32Array();

  constructor(parts: SheetParts) {
    const { columns, count } = parts;
    this.parts = parts;
    this.#texts = columns.map((column) =>
      Array.from({ length: count }, (_, row) => escapeTerminal(column.text(row))),
    );
    this.#widths = columns.map(({ head }, at) => {
      // Room for the mark of the order.
      let width = cells(head) + 1;
      for (let row = 0; row < count; row += 1) width = Math.max(width, cells(this.#text(at, row)));
      return width;
    });
    this.#rows = new Rows(
      count,
      (key) => {
        const at = columns.findIndex((one) => one.key === key);
        const value = columns[at]?.value;
        return value === undefined
          ? (this.#texts[at] ?? [])
          : Array.from({ length: count }, (_, row) => value(row));
      },
      (row) => columns.map((_, at) => this.#text(at, row)),
    );
  }

  #text(column: number, row: number): string {
    return this.#texts[column]?.[row] ?? '';
  }

  /** Row numbers in this order that match the filter: all of its words, in any case, in the cells of the row. */
  shown(order: Order, filter: string): Uint32Array {
    const asked = JSON.stringify([order.key, order.descending, filter]);
    if (asked !== this.#asked) {
      this.#found = Uint32Array.from(
        this.#rows.matching(this.#rows.order(order.key, order.descending), filter, null),
      );
      this.#asked = asked;
    }
    return this.#found;
  }

  /** The columns that fit, with their widths: the least important are left out, the widest shrink. */
  layout(width: number): readonly Laid[] {
    const { columns } = this.parts;
    const least = columns.map(({ head, shrink, least: wanted = LEAST }, at) => {
      const natural = this.#widths[at] as number;
      if (shrink === undefined) return natural;
      return Math.min(natural, Math.max(Math.min(wanted, width >> 1), cells(head) + 1));
    });
    const sum = (laid: readonly number[]): number =>
      laid.reduce((total, one) => total + one + GAP, laid.length > 0 ? -GAP : 0);
    let kept = columns.map((_, at) => at);
    while (kept.length > 1 && sum(kept.map((at) => least[at] as number)) > width) {
      const lightest = Math.min(...kept.map((at) => columns[at]?.weight ?? 0));
      kept = kept.filter((at) => columns[at]?.weight !== lightest);
    }
    const widths = kept.map((at) => this.#widths[at] as number);
    for (let excess = sum(widths) - width; excess > 0; excess -= 1) {
      let widest = -1;
      kept.forEach((at, index) => {
        const room = (widths[index] as number) > (least[at] as number);
        if (room && (widest < 0 || (widths[index] as number) > (widths[widest] as number))) widest = index;
      });
      if (widest < 0) break;
      widths[widest] = (widths[widest] as number) - 1;
    }
    return kept.map((column, index) => ({ column, width: widths[index] as number }));
  }

  head(laid: readonly Laid[], { key, descending }: Order): Line {
    return line(laid, ({ column, width }) => {
      const { head, align, key: own } = this.parts.columns[column] as SheetColumn;
      const text = own === key ? `${head}${descending ? '↓' : '↑'}` : head;
      return { text: padded(text, width, align), style: own === key ? 'strong' : 'dim' };
    });
  }

  row(laid: readonly Laid[], row: number): Line {
    return line(laid, ({ column, width }) => {
      const { align, shrink, style } = this.parts.columns[column] as SheetColumn;
      const text = fit(this.#text(column, row), width, shrink === 'end');
      return { text: padded(text, width, align), style: style?.(row) ?? 'plain' };
    });
  }
}

function padded(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - cells(text)));
  return align === 'right' ? space + text : text + space;
}

const line = (laid: readonly Laid[], cell: (one: Laid) => Piece): Line =>
  laid.flatMap((one, index) => (index === 0 ? [cell(one)] : [' '.repeat(GAP), cell(one)]));
