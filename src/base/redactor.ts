/**
 * Takes a secret out of text by its value, in every form that mail protocols, JSON and addresses give it: as it is, JSON- and
 * IMAP-quoted, percent-encoded, quoted-printable, HTML-escaped, hexadecimal, and base64 anywhere in a longer text.
 */
import { literal } from './literal.ts';

export const REMOVED = '[removed]';
/** Fewer bytes have no base64 or hexadecimal form that differs from other text. */
const FEWEST_ENCODED = 3;
const SHORTEST_LONG = 8;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NONE: ReadonlySet<string> = new Set();
/** RFC 8259 section 7. */
const SHORT: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

export class Redactor {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | null = null;
  #longPattern: RegExp | null = null;

  constructor(...secrets: readonly string[]) {
    for (const secret of secrets) this.add(secret);
  }

  /** From now on this is removed too. */
  add(secret: string): void {
    if (secret === '' || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#pattern = patternOf([...this.#secrets]);
    this.#longPattern = patternOf([...this.#secrets].filter(({ length }) => length >= SHORTEST_LONG));
  }

  /** How many there are. */
  get secrets(): number {
    return this.#secrets.size;
  }

  /** Whether the text has a form of a secret that is too long to be there by chance, as a word may be. */
  hasLong(text: string): boolean {
    return this.#longPattern !== null && text.search(this.#longPattern) >= 0;
  }

  /** Whether the text has a form of the secret. */
  finds(text: string): boolean {
    return this.#pattern !== null && text.search(this.#pattern) >= 0;
  }

  text(text: string): string {
    return this.#pattern === null ? text : text.replace(this.#pattern, REMOVED);
  }

  /**
   * A copy of plain data (of JSON's kinds, bytes and null) in which no string holds the secret. Keys, and the values of those named
   * in `ours`, are constants of ours: a password that equals one must not change them.
   */
  data<T>(value: T, ours: ReadonlySet<string> = NONE): T {
    return this.#pattern === null ? value : (this.#data(value, ours) as T);
  }

  #data(value: unknown, ours: ReadonlySet<string>): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#data(item, ours));
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
    const kept = (key: string, item: unknown): boolean => typeof item === 'string' && ours.has(key);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, kept(key, item) ? item : this.#data(item, ours)]),
    );
  }
}

const patternOf = (secrets: readonly string[]): RegExp | null =>
  secrets.length === 0 ? null : new RegExp(secrets.map(formsOf).join('|'), 'gu');

function formsOf(secret: string): string {
  const bytes = Buffer.from(secret, 'utf8');
  // As typed, in Unicode's two normal forms, and as UTF-8 that was read as Latin-1.
  const variants = [secret, secret.normalize('NFC'), secret.normalize('NFD'), bytes.toString('latin1')];
  const forms = [...new Set(variants)].map(spelled);
  if (bytes.length >= FEWEST_ENCODED)
    forms.push(...[0, 1, 2].map((before) => base64(bytes, before)), hex(bytes));
  return forms.map((form) => `(?:${form})`).join('|');
}

const anyCase = (digits: string): string =>
  digits.replace(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`);
const hexOf = (value: number, width: number): string => anyCase(value.toString(16).padStart(width, '0'));
/** Percent signs may have been encoded themselves. */
const percent = (byte: number): string => `%(?:25)*${hexOf(byte, 2)}`;
const quotedPrintable = (byte: number): string => `=${hexOf(byte, 2)}`;
const each = (bytes: Uint8Array, form: (byte: number) => string): string => [...bytes].map(form).join('');

/** Each character in any of its forms. One quantifier takes a run of backslashes with what follows, so that no text matches in many ways. */
function spelled(text: string): string {
  const parts: string[] = [];
  let slashes = 0;
  for (const character of text) {
    if (character === '\\') slashes++;
    else {
      parts.push(escaped(slashes, character));
      slashes = 0;
    }
  }
  if (slashes > 0) parts.push(`(?:${slashRun(slashes)}|${encodedSlashes(slashes)})`);
  return parts.join('');
}

/** So many backslashes, or more where each was escaped: a run from its first one on, so that a long one is scanned once. */
const slashRun = (count: number): string => `(?<!\\\\)\\\\{${count},}`;
const encodedSlashes = (count: number): string =>
  [percent(0x5c), quotedPrintable(0x5c), `${slashRun(1)}u005[cC]`, '&#92;']
    .map((form) => `(?:${form}){${count}}`)
    .join('|');

/** So many backslashes and the character behind them. */
function escaped(slashes: number, character: string): string {
  const bytes = Buffer.from(character, 'utf8');
  const plain = [
    literal(character),
    each(bytes, percent),
    each(bytes, quotedPrintable),
    `&#0*${character.codePointAt(0)};`,
    `&#[xX]0*${hexOf(character.codePointAt(0) ?? 0, 1)};`,
    ...(character in ENTITIES ? [`&${ENTITIES[character]};`] : []),
    ...(character === ' ' ? ['\\+', '_'] : []),
  ].join('|');
  const units = Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at), 4));
  const unicode = units.map((unit) => `u${unit}`).join('\\\\+');
  const short = character in SHORT ? `|${SHORT[character]}` : '';
  const first = slashes === 0 ? `(?:${plain})` : `${slashRun(slashes)}(?:${plain})`;
  const behindSlash = `${slashRun(slashes + 1)}(?:${literal(character)}|${unicode}${short})`;
  const encoded = slashes === 0 ? '' : `|(?:${encodedSlashes(slashes)})\\\\*(?:${plain}|(?<=\\\\)${unicode})`;
  return `(?:${first}|${behindSlash}${encoded})`;
}

/** Line ends inside base64, as they are or JSON-escaped (RFC 2045 section 6.8 cuts it into lines). */
const FOLD = '(?:(?:\\r|\\\\+r)?(?:\\n|\\\\+n)[ \\t]*)?';

function digit(value: number): string {
  const character = BASE64[value] as string;
  // The URL alphabet (RFC 4648 section 5), and the standard one percent-encoded or JSON-escaped.
  if (character === '+') return '(?:\\+|-|%(?:25)*2[bB])';
  if (character === '/') return `(?:(?:${slashRun(1)})?\\/|_|%(?:25)*2[fF])`;
  return character;
}

/** The base64 digits that hold the bytes behind `before` others (modulo 3); those at the ends hold bits of others too. */
function base64(bytes: Uint8Array, before: number): string {
  const [from, to] = [8 * before, 8 * (before + bytes.length)];
  const bit = (at: number): number => ((bytes[(at - from) >> 3] as number) >> (7 - ((at - from) & 7))) & 1;
  const digits: string[] = [];
  for (let start = from - (from % 6); start < to; start += 6) {
    const known = Array.from({ length: 6 }, (_, at) => start + at).map((at) =>
      at < from || at >= to ? null : bit(at),
    );
    const fitting = Array.from({ length: 64 }, (_, value) => value).filter((value) =>
      known.every((wanted, at) => wanted === null || ((value >> (5 - at)) & 1) === wanted),
    );
    digits.push(fitting.length === 1 ? digit(fitting[0] as number) : `(?:${fitting.map(digit).join('|')})`);
  }
  return digits.join(FOLD);
}

const hex = (bytes: Uint8Array): string => each(bytes, (byte) => hexOf(byte, 2));
