/** The one way to the terminal: text from outside is escaped. Colour only on a terminal without NO_COLOR (https://no-color.org). */
import pc from 'picocolors';
import type { Sink } from './outlet.ts';
import { INVISIBLE, jsonText } from './visible-text.ts';

const unsafe = new RegExp(`[${INVISIBLE}]`, 'gu');

const visible = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
};

/** Printable ASCII alone, which most text is: a tenth of the work. */
const ASCII = /^[ -~]*$/;

/** Text that changes only the cells it fills: characters that move, hide or reorder are shown as their code. */
export const escapeTerminal = (text: string): string =>
  ASCII.test(text) ? text : text.replace(unsafe, visible);

export type Style = 'good' | 'bad' | 'warn' | 'dim' | 'strong' | 'plain';

/** A piece of a line: outside text, escaped when it is printed. */
export interface Piece {
  readonly text: string;
  readonly style: Style;
  /** Shown with its colours exchanged; on a whole screen only. */
  readonly inverse?: boolean;
}

export type Line = readonly (string | Piece)[];

const piece =
  (style: Style) =>
  (text: string | number): Piece => ({ text: String(text), style });
export const good = piece('good');
export const bad = piece('bad');
export const warn = piece('warn');
export const dim = piece('dim');
export const strong = piece('strong');

/** A severity in its colour. */
export const severityPiece = (severity: string): Piece =>
  severity === 'low' ? dim(severity) : severity === 'medium' ? warn(severity) : bad(severity);

type Environment = Readonly<Record<string, string | undefined>>;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|(?!\p{RI})\p{Emoji_Presentation}/u;

/** Cells of a text: wide East Asian characters and emoji take two, combining marks zero. */
export function cells(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += /\p{Mark}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return sum;
}

/** The text shortened to `width` cells, its end marked by an ellipsis; `keepEnd` keeps the tail (paths). */
export function fit(text: string, width: number, keepEnd = false): string {
  if (cells(text) <= width) return text;
  if (width < 1) return '';
  const characters = [...text];
  let kept = '';
  let used = 1;
  while (characters.length > 0) {
    const next = (keepEnd ? characters.pop() : characters.shift()) as string;
    used += cells(next);
    if (used > width) break;
    kept = keepEnd ? next + kept : kept + next;
  }
  return keepEnd ? `…${kept}` : `${kept}…`;
}

/** The line shortened to `width` cells like a text; blanks at its end need no room. */
export function fitLine(line: Line, width: number): Line {
  const pieces = line.map((one): Piece => {
    const piece: Piece = typeof one === 'string' ? { text: one, style: 'plain' } : one;
    return { ...piece, text: escapeTerminal(piece.text) };
  });
  const whole = pieces.map(({ text }) => text).join('');
  if (cells(whole.trimEnd()) <= width) return line;
  const fitted: Piece[] = [];
  let left = width;
  for (const one of pieces) {
    const wide = cells(one.text);
    if (wide >= left) {
      // More follows, or is cut off here.
      fitted.push({ ...one, text: fit(`${one.text} `, left) });
      break;
    }
    fitted.push(one);
    left -= wide;
  }
  return fitted;
}

interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shrinks when the table is too wide; `end` keeps the tail. Columns without it never shrink. */
  readonly shrink?: 'start' | 'end';
}

/** Prints lines, tables and JSON to one stream. */
export class Terminal {
  readonly #stream: Sink;
  readonly #env: Environment;
  readonly #colors: ReturnType<typeof pc.createColors>;
  /** Columns of the terminal; without one what COLUMNS says, else no end: what programs read is neither cut nor wrapped. */
  readonly width: number;
  readonly isTerminal: boolean;
  readonly coloured: boolean;

  constructor(stream: Sink, env: Environment = process.env) {
    this.#stream = stream;
    this.#env = env;
    this.isTerminal = stream.isTTY === true;
    const columns = this.isTerminal ? stream.columns || 80 : Number(env.COLUMNS) || Number.POSITIVE_INFINITY;
    this.width = Math.max(40, columns);
    this.coloured = this.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
    this.#colors = pc.createColors(this.coloured);
  }

  /** From now on, text that the stream does not take is dropped: for a service, which outlives its readers. */
  keepGoing(): void {
    this.#stream.keepGoing?.();
  }

  #paint({ text, style }: Piece): string {
    const safe = escapeTerminal(text);
    const { green, red, yellow, dim: faint, bold } = this.#colors;
    const paints = { good: green, bad: red, warn: yellow, dim: faint, strong: bold, plain: String };
    return paints[style](safe);
  }

  line(...pieces: Line): void {
    const text = pieces.map((one) =>
      this.#paint(typeof one === 'string' ? { text: one, style: 'plain' } : one),
    );
    this.#stream.write(`${text.join('')}\n`);
  }

  /** Writes what `draw` prints at once, so that the reader of a pipe does not get a part of it. */
  together(draw: (out: Terminal) => void): void {
    const { columns } = this.#stream;
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    try {
      draw(new Terminal({ isTTY: this.isTerminal, columns, write }, this.#env));
    } finally {
      this.#stream.write(text);
    }
  }

  /** One line per sentence part, wrapped at words; later lines are indented like the first line's text. */
  wrapped(lead: Piece | string, text: string): void {
    const head = typeof lead === 'string' ? { text: lead, style: 'plain' as const } : lead;
    const indent = cells(escapeTerminal(head.text));
    const room = Math.max(20, this.width - indent);
    const rows: string[] = [''];
    for (const word of escapeTerminal(text)
      .split(' ')
      .flatMap((one) => this.parts(one, room))) {
      const last = rows.at(-1) as string;
      if (last !== '' && cells(last) + 1 + cells(word) > room) rows.push(word);
      else rows[rows.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    rows.forEach((row, index) => {
      if (index === 0) this.line(head, row);
      else this.line(' '.repeat(indent), row);
    });
  }

  /** What a word is broken into that is wider than `room`. A terminal breaks it itself, so that it can be copied as a whole. */
  protected parts(word: string, _room: number): readonly string[] {
    return [word];
  }

  /** An aligned table that fits the width. Cells are outside text or styled pieces. */
  table(columns: readonly Column[], rows: readonly (readonly (string | number | Piece)[])[]): void {
    const body = rows.map((row) =>
      columns.map((_, index): Piece => {
        const cell = row[index] ?? '';
        const one = typeof cell === 'object' ? cell : { text: String(cell), style: 'plain' as const };
        return { ...one, text: escapeTerminal(one.text) };
      }),
    );
    const widths = columns.map(({ title }, index) =>
      Math.max(cells(title), ...body.map((row) => cells((row[index] as Piece).text))),
    );
    let excess = widths.reduce((sum, width) => sum + width + 2, 0) - this.width;
    while (excess > 0) {
      const [widest] = columns
        .map((column, index) => ({ column, index, width: widths[index] as number }))
        .filter(
          ({ column, width }) => column.shrink !== undefined && width > Math.max(8, cells(column.title)),
        )
        .sort((a, b) => b.width - a.width);
      if (widest === undefined) break;
      widths[widest.index] = widest.width - 1;
      excess -= 1;
    }
    const laid = (cell: Piece, index: number, last: boolean): Piece => {
      const column = columns[index] as Column;
      const width = widths[index] as number;
      const text = fit(cell.text, width, column.shrink === 'end');
      const pad = ' '.repeat(Math.max(0, width - cells(text)));
      const gap = last ? '' : '  ';
      if (column.align === 'right') return { ...cell, text: pad + text + gap };
      return { ...cell, text: last ? text : text + pad + gap };
    };
    const print = (row: readonly Piece[]): void =>
      this.line('  ', ...row.map((cell, index) => laid(cell, index, index === row.length - 1)));
    if (columns.some(({ title }) => title !== '')) print(columns.map(({ title }) => dim(title)));
    for (const row of body) print(row);
  }

  /** The record alone, indented for people on a terminal, one line for programs; bytes that could act are JSON escapes. */
  json(value: unknown): void {
    this.#stream.write(`${jsonText(value, this.isTerminal ? 2 : undefined)}\n`);
  }

  /** One line that the next one takes the place of, "" clears it; nothing where there is no terminal. */
  progress(text: string): void {
    if (this.isTerminal) this.#stream.write(`\r\u001b[K${escapeTerminal(text)}`);
  }

  /** Columns and rows at this moment. */
  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#stream.columns || 80, rows: this.#stream.rows || 24 };
  }

  /** What a full-screen view has made of escaped text and control sequences of its own (`cli/watch`), as it is. */
  control(sequence: string): void {
    this.#stream.write(sequence);
  }
}

/** Keeps the lines that are printed to it, for a part of a screen `width` cells wide. */
export class LineBuffer extends Terminal {
  readonly lines: Line[] = [];

  constructor(width: number) {
    super({ write: () => true }, { COLUMNS: String(width) });
  }

  override line(...pieces: Line): void {
    this.lines.push(pieces);
  }

  protected override parts(word: string, room: number): readonly string[] {
    if (cells(word) <= room) return [word];
    const parts = [''];
    for (const character of word) {
      if (cells((parts.at(-1) as string) + character) > room) parts.push('');
      parts[parts.length - 1] += character;
    }
    return parts;
  }
}
