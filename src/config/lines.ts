/**
 * The line of each key of a TOML document: smol-toml reports positions for syntax errors only, not for errors of meaning ("port is not a
 * number"). The document must already have parsed. Grammar: TOML 1.0 (https://toml.io/en/v1.0.0).
 */

/** No accepted document is deeper: what lies below gets the line of its parent. */
const MOST_SEGMENTS = 32;

/** Joins key segments the way `KeyLines` stores them. */
const keyPath = (segments: readonly PropertyKey[]): string => segments.map(String).join('\u0000');

/** 1-based line of each key, of each table header and of each entry of a top-level list. */
export type KeyLines = ReadonlyMap<string, number>;

/** Whether the document has this very key. */
export const isWritten = (lines: KeyLines, path: readonly PropertyKey[]): boolean => lines.has(keyPath(path));

/** Line of a path, or of its nearest parent in the document; null without one. */
export function lineOf(lines: KeyLines, path: readonly PropertyKey[]): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const line = lines.get(keyPath(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return null;
}

class Scanner {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  readonly #arrays = new Map<string, number>();
  #at = 0;
  #line = 1;
  #table: PropertyKey[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): KeyLines {
    while (this.#skipBlank(true)) {
      if (this.#text[this.#at] === '[') this.#header();
      else this.#assignment();
    }
    return this.lines;
  }

  /** Moves to the next character that is neither blank nor comment; false at the end. */
  #skipBlank(newlines: boolean): boolean {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const c = this.#text[this.#at];
      if (c === '#') {
        this.#toLineEnd();
        this.#at -= 1;
      } else if (c === '\n') {
        if (!newlines) return true;
        this.#line += 1;
      } else if (c !== ' ' && c !== '\t' && c !== '\r') return true;
    }
    return false;
  }

  #remember(path: readonly PropertyKey[]): void {
    for (let length = 1; length <= path.length; length += 1) {
      const key = keyPath(path.slice(0, length));
      if (!this.lines.has(key)) this.lines.set(key, this.#line);
    }
  }

  #header(): void {
    const isArray = this.#text[this.#at + 1] === '[';
    this.#at += isArray ? 2 : 1;
    const segments = this.#key(']');
    const path: PropertyKey[] = [];
    segments.forEach((segment, index) => {
      path.push(segment);
      const key = keyPath(path);
      const last = index === segments.length - 1;
      if (isArray && last) this.#arrays.set(key, (this.#arrays.get(key) ?? -1) + 1);
      const entry = this.#arrays.get(key);
      if (entry !== undefined) path.push(entry);
    });
    this.#table = path;
    this.#remember(path);
    this.#toLineEnd();
  }

  #assignment(): void {
    const path = [...this.#table, ...this.#key('=')];
    this.#remember(path);
    this.#at += 1;
    this.#value(path);
  }

  /** Reads dotted key segments up to the terminator and stops on it. */
  #key(terminator: string): string[] {
    const segments: string[] = [];
    let bare = '';
    while (this.#at < this.#text.length) {
      const c = this.#text[this.#at] as string;
      if (c === '"' || c === "'") {
        const from = this.#at + 1;
        this.#string();
        bare = this.#text.slice(from, this.#at - 1);
        continue;
      }
      if (c === terminator || c === '\n') break;
      if (c === '.') {
        if (segments.length < MOST_SEGMENTS) segments.push(bare);
        bare = '';
      } else if (c !== ' ' && c !== '\t') bare += c;
      this.#at += 1;
    }
    segments.push(bare);
    return segments;
  }

  /** Skips one quoted string of any of the four kinds. */
  #string(): void {
    const quote = this.#text[this.#at] as string;
    const triple = this.#text.startsWith(quote.repeat(3), this.#at);
    const end = triple ? quote.repeat(3) : quote;
    this.#at += end.length;
    while (this.#at < this.#text.length && !this.#text.startsWith(end, this.#at)) {
      if (this.#text[this.#at] === '\n') this.#line += 1;
      this.#at += quote === '"' && this.#text[this.#at] === '\\' && this.#text[this.#at + 1] !== '\n' ? 2 : 1;
    }
    this.#at += end.length;
    // A multi-line string may end in one or two quotes of its own.
    while (triple && this.#text[this.#at] === quote) this.#at += 1;
  }

  #value(path: readonly PropertyKey[]): void {
    let depth = 0;
    let entry = 0;
    let entryOpen = false;
    while (this.#skipBlank(depth > 0)) {
      const c = this.#text[this.#at] as string;
      if (c === '\n') return;
      const closes = c === ']' || c === '}';
      if (depth === 1 && !entryOpen && !closes && c !== ',') {
        this.lines.set(keyPath([...path, entry]), this.#line);
        entryOpen = true;
      }
      if (c === '"' || c === "'") {
        this.#string();
        continue;
      }
      if (c === '[' || c === '{') depth += 1;
      if (closes) depth -= 1;
      if (depth === 1 && c === ',') {
        entry += 1;
        entryOpen = false;
      }
      this.#at += 1;
    }
  }

  #toLineEnd(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }
}

/** Lines of the keys of a TOML text that parses. Never throws; an odd document only yields fewer lines. */
export const keyLines = (text: string): KeyLines => new Scanner(text).run();
