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
  /** Shrinks when the table is too wide; `end` keeps the tail. */
  readonly shrink?: 'start' | 'end';
}

const INDENT = 2;
/** Of what goes on in a further line. */
const FURTHER_INDENT = 6;
const GAP = 2;
/** A column that shrinks gets no narrower than this. */
const NARROWEST = 16;

/** A column of a table with its width. */
interface Laid {
  readonly index: number;
  width: number;
}

const naturalWidths = (columns: readonly Column[], body: readonly (readonly Piece[])[]): number[] =>
  columns.map(({ title }, index) =>
    body.reduce((most, row) => Math.max(most, cells((row[index] as Piece).text)), cells(title)),
  );

const widthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width + GAP, INDENT - GAP);

/** A time of RFC 3339 in local time to the minute, anything else as it is. One with an offset is local already. */
function toMinutes(text: string): string {
  const [, minutes, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const date = new Date(text);
  // Any cell may look like a time.
  if (minutes === undefined || Number.isNaN(date.getTime())) return text;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  return (zone === 'Z' ? local : minutes).replace('T', ' ');
}

/** The lines of each row, so that none is wider than `width`. */
function tableLines(
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
): readonly (readonly Laid[])[] {
  const least = natural.map((wide, index) => {
    const { shrink, title } = columns[index] as Column;
    const wanted = shrink === undefined ? wide : Math.min(wide, Math.max(NARROWEST, cells(title)));
    return Math.min(wanted, width - FURTHER_INDENT);
  });
  const lines: Laid[][] = [[]];
  let left = width - INDENT;
  for (const [index, wide] of natural.entries()) {
    const needed = least[index] as number;
    if (needed > left) {
      lines.push([]);
      left = width - FURTHER_INDENT;
    }
    lines.at(-1)?.push({ index, width: wide });
    left -= needed + GAP;
  }
  for (const [number, line] of lines.entries()) {
    const room = width - (number === 0 ? INDENT : FURTHER_INDENT);
    let excess = line.reduce((sum, one) => sum + one.width + GAP, -GAP) - room;
    for (; excess > 0; excess -= 1) {
      const can = line.filter((one) => one.width > (least[one.index] as number));
      const widest = can.reduce((a, b) => (b.width > a.width ? b : a));
      widest.width -= 1;
    }
  }
  return lines;
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
  /** A table was. */
  #shortened = false;

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
      const whole = new Terminal({ isTTY: this.isTerminal, columns, write }, this.#env);
      draw(whole);
      if (whole.#shortened && this.isTerminal)
        whole.line(dim('  Shortened to fit the terminal: --json has all of it.'));
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

  /**
   * An aligned table that fits the width. Cells are outside text or styled pieces. What does not fit is shortened: times to minutes,
   * then columns that shrink; where these would get too narrow, each row goes on in a further line.
   */
  table(columns: readonly Column[], rows: readonly (readonly (string | number | Piece)[])[]): void {
    const given = rows.map((row) =>
      columns.map((_, index): Piece => {
        const cell = row[index] ?? '';
        const one = typeof cell === 'object' ? cell : { text: String(cell), style: 'plain' as const };
        return { ...one, text: escapeTerminal(one.text) };
      }),
    );
    const shorter = (one: Piece): Piece => ({ ...one, text: this.#shorter(one.text, toMinutes(one.text)) });
    const fits = widthOf(naturalWidths(columns, given)) <= this.width;
    const body = fits ? given : given.map((row) => row.map(shorter));
    const lines = tableLines(columns, naturalWidths(columns, body), this.width);
    const laid = (row: readonly Piece[], { index, width }: Laid, last: boolean): Piece => {
      const { align, shrink } = columns[index] as Column;
      const cell = row[index] as Piece;
      const text = this.#shorter(cell.text, fit(cell.text, width, shrink === 'end'));
      const pad = ' '.repeat(Math.max(0, width - cells(text)));
      const gap = last ? '' : '  ';
      if (align === 'right') return { ...cell, text: pad + text + gap };
      return { ...cell, text: last ? text : text + pad + gap };
    };
    const print = (row: readonly Piece[]): void => {
      for (const [number, line] of lines.entries()) {
        const indent = ' '.repeat(number === 0 ? INDENT : FURTHER_INDENT);
        const { index } = line[0] as Laid;
        const { text } = row[index] as Piece;
        // Alone in its line, a text has as many lines as it needs.
        if (number > 0 && line.length === 1 && columns[index]?.shrink === 'start') {
          if (text !== '') this.wrapped(indent, text);
        } else if (number === 0 || line.some((one) => row[one.index]?.text !== ''))
          this.line(indent, ...line.map((one, at) => laid(row, one, at === line.length - 1)));
      }
    };
    if (columns.some(({ title }) => title !== '')) print(columns.map(({ title }) => dim(title)));
    for (const row of body) print(row);
  }

  #shorter(before: string, now: string): string {
    this.#shortened ||= before !== now;
    return now;
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
