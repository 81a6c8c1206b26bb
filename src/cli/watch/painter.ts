/** From lines to what a terminal is sent: only the cells that changed, within one synchronized update (DEC mode 2026). */
import { cells, escapeTerminal, type Line, type Piece, type Style } from '../../base/terminal.ts';

/** A row of the screen; `selected` is shown inverse over the whole width. */
export interface Row {
  readonly line: Line;
  readonly selected?: boolean;
}

/** SGR parameters (ECMA-48, 8.3.117). */
const COLOURS: Readonly<Record<Style, string>> = {
  good: '32',
  bad: '31',
  warn: '33',
  dim: '2',
  strong: '1',
  plain: '',
};
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** One row of cells; the second cell of a wide character is "". */
interface Cells {
  readonly texts: readonly string[];
  readonly styles: readonly string[];
  /** Terminals agree on the width of ASCII only. */
  readonly ascii: boolean;
}

/** `width` cells: what does not fit is cut off, the rest is filled with spaces. Text from outside is escaped. */
function cellsOf({ line, selected = false }: Row, width: number, colour: boolean): Cells {
  const texts: string[] = [];
  const styles: string[] = [];
  let ascii = true;
  // Colours of their own would make holes in the selected row.
  const style = (of: Style, inverse = false): string =>
    selected ? '7' : [colour ? COLOURS[of] : '', inverse ? '7' : ''].filter((part) => part !== '').join(';');
  for (const piece of line) {
    const {
      text,
      style: of,
      inverse,
    }: Piece = typeof piece === 'string' ? { text: piece, style: 'plain' } : piece;
    const sgr = style(of, inverse);
    for (const character of escapeTerminal(text)) {
      const wide = character >= ' ' && character <= '~' ? 1 : cells(character);
      ascii &&= character <= '~';
      if (wide === 0) {
        // A combining mark is part of the character before it.
        const last = texts.length - (texts.at(-1) === '' ? 2 : 1);
        if (last >= 0) texts[last] += character;
        continue;
      }
      if (texts.length + wide > width) break;
      texts.push(character);
      styles.push(sgr);
      if (wide === 2) {
        texts.push('');
        styles.push(sgr);
      }
    }
  }
  const rest = style('plain');
  while (texts.length < width) {
    texts.push(' ');
    styles.push(rest);
  }
  return { texts, styles, ascii };
}

/** Cells `from` to before `to`, from the first column of them on. */
function written({ texts, styles }: Cells, row: number, from: number, to: number): string {
  let text = `\u001b[${row + 1};${from + 1}H`;
  let current = '';
  let uncertain = false;
  for (let at = from; at < to; at += 1) {
    const character = texts[at] as string;
    if (character === '') continue;
    // Where the terminal is after a character of uncertain width is not known.
    if (uncertain) text += `\u001b[${at + 1}G`;
    uncertain = character.length > 1 || character > '~';
    const style = styles[at] as string;
    if (style !== current) text += style === '' ? '\u001b[m' : `\u001b[0;${style}m`;
    current = style;
    // A terminal that takes a wide character for a narrow one would keep what was in its second cell.
    text += texts[at + 1] === '' ? `  \u001b[${at + 1}G${character}` : character;
  }
  return current === '' ? text : `${text}\u001b[m`;
}

function changed(before: Cells | undefined, now: Cells, row: number): string {
  const { length } = now.texts;
  const whole = before === undefined || before.texts.length !== length;
  const same = (at: number): boolean =>
    !whole && before.texts[at] === now.texts[at] && before.styles[at] === now.styles[at];
  let from = 0;
  while (from < length && same(from)) from += 1;
  if (from === length) return '';
  if (whole || !before.ascii || !now.ascii) return written(now, row, 0, length);
  let to = length;
  while (same(to - 1)) to -= 1;
  return written(now, row, from, to);
}

/** Knows what the screen shows. */
export class Painter {
  #shown: readonly Cells[] = [];
  readonly #colour: boolean;

  constructor(colour: boolean) {
    this.#colour = colour;
  }

  /** The screen may show anything: the next painting writes every cell. */
  forget(): void {
    this.#shown = [];
  }

  /** What to send so that the screen of this size shows the rows; "" when it does already. */
  paint(rows: readonly Row[], columns: number, height: number): string {
    const now = Array.from({ length: height }, (_, row) =>
      cellsOf(rows[row] ?? { line: [] }, columns, this.#colour),
    );
    const text = now.map((cells, row) => changed(this.#shown[row], cells, row)).join('');
    this.#shown = now;
    return text === '' ? '' : `${BEGIN}${text}${END}`;
  }
}
