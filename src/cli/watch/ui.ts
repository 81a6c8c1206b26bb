/** What the view shows and what keys do: a state that events change, drawn from what is known. It reads no clock and sends no request. */
import { plural } from '../../base/plural.ts';
import {
  cells,
  dim,
  escapeTerminal,
  fit,
  fitLine,
  type Line,
  LineBuffer,
  strong,
  warn,
} from '../../base/terminal.ts';
import { stepped } from '../../pages/rows.ts';
import { detail as findingDetail } from '../commands/findings.ts';
import type { Known, Part } from './feed.ts';
import { headerLines, type Tab, tabsLine } from './header.ts';
import { HELP, keysLine } from './help.ts';
import type { KeyName, TerminalEvent } from './keys.ts';
import { overviewLines } from './overview.ts';
import type { Row } from './painter.ts';
import type { Order, Sheet } from './sheet.ts';
import { remarkLines } from './sheets.ts';
import { Sheets, VIEWS } from './views.ts';

/** What the program has to do after an event. */
export type Effect = 'quit' | 'suspend' | 'redraw' | 'again';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Where the user is in a view; kept while another one is shown. */
interface Place {
  /** Identity of the selected row: it stays the same process while others come and go. */
  selected: string | null;
  /** Its place among the rows that are shown. */
  at: number;
  /** The first row or line in sight. */
  top: number;
  filter: string;
  order: Order | null;
}

/** What covers the view. */
interface Cover {
  readonly kind: 'row' | 'finding' | 'help';
  readonly id: string;
  top: number;
  /** The row as it was last seen. */
  last: ((width: number) => readonly Line[]) | null;
}

/** A table with the place of the user in it. */
interface Shown {
  readonly sheet: Sheet;
  readonly order: Order;
  readonly rows: Uint32Array;
}

const MOST_FILTER = 100;
const WHEEL = 3;
const LEAST_REMARKS = 2;
const HEAD = 3;
const MOVES: Readonly<Partial<Record<KeyName, string>>> = {
  up: 'ArrowUp',
  down: 'ArrowDown',
  'page-up': 'PageUp',
  'page-down': 'PageDown',
  home: 'Home',
  end: 'End',
};
const LETTER_MOVES: Readonly<Record<string, string>> = { k: 'ArrowUp', j: 'ArrowDown', g: 'Home', G: 'End' };

export class Ui {
  readonly #known: () => Known;
  readonly #everyMs: number;
  readonly #sheets = new Sheets();
  readonly #places = VIEWS.map((): Place => ({ selected: null, at: 0, top: 0, filter: '', order: null }));
  #view = 0;
  #typing = false;
  #cover: Cover | null = null;
  // Of the last drawing: keys and clicks refer to what is seen.
  #room = 1;
  #lines = 0;
  #firstRow = HEAD;
  #tabs: readonly Tab[] = [];
  #columns: readonly string[] = [];

  /** `everyMs`: how often answers come. */
  constructor(known: () => Known, everyMs: number) {
    this.#known = known;
    this.#everyMs = everyMs;
  }

  /** What is shown, and the id of the finding among it. */
  get wanted(): readonly [parts: readonly Part[], finding: string] {
    const { parts } = VIEWS[this.#view] as (typeof VIEWS)[number];
    if (this.#cover?.kind === 'finding') return [['live', 'finding'], this.#cover.id];
    // What was found about a row is shown with it.
    const more = this.#cover?.kind === 'row' && !parts.includes('detection') ? (['detection'] as const) : [];
    return [['live', ...parts, ...more], ''];
  }

  get #place(): Place {
    return this.#places[this.#view] as Place;
  }

  #shown(): Shown | null {
    const sheet = this.#sheets.of(this.#view, this.#known().seen);
    if (sheet === null) return null;
    const { order, filter } = this.#place;
    const used = order ?? sheet.parts.order;
    return { sheet, order: used, rows: sheet.shown(used, filter) };
  }

  handle(event: TerminalEvent): Effect | null {
    if (event.kind === 'mouse') return this.#mouse(event);
    if (event.kind === 'key') return this.#key(event.key);
    return this.#typing ? this.#type(event.text) : this.#letter(event.text);
  }

  #key(key: KeyName): Effect | null {
    if (key === 'interrupt') return 'quit';
    if (key === 'suspend') return 'suspend';
    if (key === 'redraw') return 'redraw';
    if (this.#typing) {
      const { filter } = this.#place;
      if (key === 'backspace') this.#filter([...filter].slice(0, -1).join(''));
      else if (key === 'clear') this.#filter('');
      else if (key === 'escape') {
        this.#filter('');
        this.#typing = false;
      } else if (key === 'enter') this.#typing = false;
      else this.#move(MOVES[key]);
      return null;
    }
    if (key === 'tab' || key === 'right') this.#go(this.#view + 1);
    else if (key === 'back-tab' || key === 'left') this.#go(this.#view - 1);
    else if (key === 'enter') this.#open();
    else if (key === 'escape' || key === 'backspace') {
      if (this.#cover !== null) this.#cover = null;
      else this.#filter('');
    } else this.#move(MOVES[key]);
    return null;
  }

  #letter(text: string): Effect | null {
    if (text === 'q') {
      if (this.#cover === null) return 'quit';
      this.#cover = null;
    } else if (/^[1-6]$/.test(text)) this.#go(Number(text) - 1);
    else if (text === '?') this.#cover = { kind: 'help', id: '', top: 0, last: null };
    else if (text === 'r') return 'again';
    else if (Object.hasOwn(LETTER_MOVES, text)) this.#move(LETTER_MOVES[text]);
    else if (this.#cover === null && this.#view > 0) {
      if (text === '/') this.#typing = true;
      else if (text === 's') this.#sortNext();
      else if (text === 'S') this.#turn();
    }
    return null;
  }

  #type(text: string): null {
    const { filter } = this.#place;
    if ([...filter].length < MOST_FILTER) this.#filter(filter + text);
    return null;
  }

  #filter(filter: string): void {
    const place = this.#place;
    if (place.filter === filter) return;
    Object.assign(place, { filter, top: 0, at: 0, selected: null });
  }

  #go(view: number): void {
    this.#view = (view + VIEWS.length) % VIEWS.length;
    this.#cover = null;
    this.#typing = false;
  }

  /** The next column in sight. */
  #sortNext(): void {
    const shown = this.#shown();
    if (shown === null) return;
    const { columns } = shown.sheet.parts;
    const keys = this.#columns.length > 0 ? this.#columns : columns.map(({ key }) => key);
    const key = keys[(keys.indexOf(shown.order.key) + 1) % keys.length] as string;
    this.#sortBy({ key, descending: false });
  }

  #turn(): void {
    const shown = this.#shown();
    if (shown !== null) this.#sortBy({ ...shown.order, descending: !shown.order.descending });
  }

  #sortBy(order: Order): void {
    Object.assign(this.#place, { order, top: 0, at: 0, selected: null });
  }

  #move(step: string | undefined): void {
    if (step === undefined) return;
    const shown = this.#cover === null ? this.#shown() : null;
    if (shown === null) {
      // Lines are scrolled as a whole.
      const at = this.#cover ?? this.#place;
      const most = Math.max(0, this.#lines - this.#room);
      at.top = stepped(step, at.top, most + 1, this.#room) ?? at.top;
      return;
    }
    const to = stepped(step, this.#at(shown), shown.rows.length, this.#room);
    if (to !== null) this.#select(shown, to);
  }

  #select({ sheet, rows }: Shown, at: number): void {
    const row = rows[at];
    if (row === undefined) return;
    this.#place.at = at;
    this.#place.selected = sheet.parts.identity(row);
  }

  /** Where the selected row is now; where it was when it is gone. */
  #at({ sheet, rows }: Shown): number {
    const { selected, at } = this.#place;
    const last = Math.max(0, rows.length - 1);
    if (selected === null) return Math.min(at, last);
    const { identity } = sheet.parts;
    const here = rows[at];
    if (here !== undefined && identity(here) === selected) return at;
    const found = rows.findIndex((row) => identity(row) === selected);
    return found < 0 ? Math.min(at, last) : found;
  }

  #open(): void {
    if (this.#cover !== null) return;
    if (this.#view === 0) {
      this.#go(1);
      return;
    }
    const shown = this.#shown();
    const row = shown?.rows[this.#at(shown)];
    if (shown === null || row === undefined) return;
    const { identity, detail } = shown.sheet.parts;
    const kind = detail === null ? 'finding' : 'row';
    this.#cover = { kind, id: identity(row), top: 0, last: null };
  }

  #mouse({ what, x, y }: Extract<TerminalEvent, { kind: 'mouse' }>): null {
    if (what !== 'press') {
      for (let step = 0; step < WHEEL; step += 1) this.#move(what === 'wheel-up' ? 'ArrowUp' : 'ArrowDown');
      return null;
    }
    const tab = y === HEAD - 1 ? this.#tabs.find(({ from, to }) => x >= from && x < to) : undefined;
    if (tab !== undefined) this.#go(tab.view);
    else if (this.#cover === null && y >= this.#firstRow && y < this.#firstRow + this.#room) {
      const shown = this.#shown();
      if (shown !== null) this.#select(shown, this.#place.top + y - this.#firstRow);
    }
    return null;
  }

  /** As many rows as the terminal has at most. */
  draw({ columns, rows }: Size, nowMs: number): readonly Row[] {
    const [verdict, state] = headerLines(this.#known(), this.wanted[0], nowMs, this.#everyMs, columns);
    const { line: tabs, tabs: places } = tabsLine(this.#view, columns);
    this.#tabs = places;
    const height = Math.max(1, rows - HEAD - 1);
    const body = this.#body(columns, height);
    const filled = Array.from({ length: height }, (_, index): Row => body[index] ?? { line: [] });
    const { filter } = this.#place;
    const foot: Line = this.#typing
      ? [
          strong('/'),
          filter,
          { text: ' ', style: 'plain', inverse: true },
          dim('  Enter keeps it, Esc clears it'),
        ]
      : keysLine(this.#cover !== null ? 'cover' : this.#view === 0 ? 'overview' : 'table', columns);
    return [{ line: verdict }, { line: state }, { line: tabs }, ...filled, { line: foot }].map(
      ({ line, ...row }): Row => ({ line: fitLine(line, columns), ...row }),
    );
  }

  #body(width: number, height: number): readonly Row[] {
    if (this.#cover !== null) return this.#scrolled(this.#covered(this.#cover, width), this.#cover, height);
    const { page } = this.#known().seen;
    if (this.#view === 0 && page !== undefined)
      return this.#scrolled(overviewLines(page.value, width, height), this.#place, height);
    const shown = this.#shown();
    if (shown !== null) return this.#table(shown, width, height);
    return this.#scrolled(this.#missing(width), { top: 0 }, height);
  }

  #scrolled(lines: readonly Line[], at: { top: number }, height: number): readonly Row[] {
    this.#lines = lines.length;
    const more = lines.length > height;
    this.#room = more ? Math.max(1, height - 1) : height;
    at.top = Math.max(0, Math.min(at.top, lines.length - this.#room));
    const part = lines.slice(at.top, at.top + this.#room).map((line): Row => ({ line }));
    if (!more) return part;
    const below = lines.length - at.top - this.#room;
    return [...part, { line: [dim(below > 0 ? `↓ ${below} more lines` : '↑ the end')] }];
  }

  /** Nothing was answered yet. */
  #missing(width: number): readonly Line[] {
    const { trouble } = this.#known();
    const out = new LineBuffer(width);
    const failed = this.wanted[0].map((part) => trouble[part]).find((one) => one !== undefined);
    if (failed === undefined) {
      out.line(dim('Reading…'));
      out.wrapped('', VIEWS[this.#view]?.wait ?? '');
    } else {
      const { message, why, remedy } = failed.failure;
      for (const text of [message, why, remedy]) if (text !== '') out.wrapped('', text);
    }
    return out.lines;
  }

  #covered(cover: Cover, width: number): readonly Line[] {
    const out = new LineBuffer(width);
    const { seen } = this.#known();
    if (cover.kind === 'help') {
      for (const [key, does] of HELP) out.wrapped(strong(key.padEnd(18)), does);
      return out.lines;
    }
    if (cover.kind === 'finding') {
      if (seen.finding === undefined) return this.#missing(width);
      const { finding, open, accept } = seen.finding.value;
      findingDetail(out, seen.finding.value);
      out.line();
      const next = `desk findings ${finding.id}`;
      const accepting = accept.covers.length > 0 ? `, or desk accept ${finding.id} --why REASON` : '';
      if (open) out.wrapped(dim('  next  '), next + accepting);
      return out.lines;
    }
    const sheet = this.#sheets.of(this.#view, seen);
    const { identity, detail } = sheet?.parts ?? {};
    let row = 0;
    while (sheet !== null && row < sheet.parts.count && identity?.(row) !== cover.id) row += 1;
    const here = sheet !== null && row < sheet.parts.count;
    if (here) cover.last = (columns) => detail?.(row, columns, seen.detection?.value ?? null) ?? [];
    else out.line(warn('It is gone: this is what was seen last.'));
    return [...out.lines, ...(cover.last?.(width) ?? [])];
  }

  #table(shown: Shown, width: number, height: number): readonly Row[] {
    const { sheet, order, rows } = shown;
    const { noun, count, remarks = [], columns } = sheet.parts;
    const place = this.#place;
    const number = (of: number): string => of.toLocaleString('en-US');
    const total = `${number(count)} ${noun[count === 1 ? 0 : 1]}`;
    const found = place.filter === '' ? total : `${number(rows.length)} of ${total}`;
    const clears = this.#typing ? '' : ', Esc clears it';
    const filter = place.filter === '' ? '' : `, filter "${escapeTerminal(place.filter)}"${clears}`;
    const notes = remarkLines(remarks, width);
    // The table comes first where there is little room.
    const kept = height < 12 ? [] : notes.slice(0, Math.max(LEAST_REMARKS, height >> 3));
    const left = notes.length - kept.length;
    const cut = left > 0 ? warn(`  ! ${plural(left, 'more remark')}`) : '';
    const laid = sheet.layout(width);
    this.#columns = laid.map(({ column }) => columns[column]?.key ?? '');
    const top: Row[] = [
      { line: [fit(`${found}${filter}`, width - (cut === '' ? 0 : cells(cut.text))), cut] },
      ...kept.map((line) => ({ line })),
      { line: sheet.head(laid, order) },
    ];
    this.#firstRow = HEAD + top.length;
    this.#room = Math.max(1, height - top.length);
    const at = this.#at(shown);
    this.#place.at = at;
    place.top = Math.max(0, Math.min(Math.max(place.top, at - this.#room + 1), at, rows.length - 1));
    // No empty rows below while there are rows above.
    place.top = Math.max(0, Math.min(place.top, rows.length - this.#room));
    const part = [...rows.slice(place.top, place.top + this.#room)].map(
      (row, index): Row => ({ line: sheet.row(laid, row), selected: place.top + index === at }),
    );
    return [...top, ...part];
  }
}
