/**
 * Fills the words of the assistant: a reference as {1.name} becomes a cell of the rows of its query, and a number that refers to nothing
 * is removed. So every number that is shown was read by the desk; what the words claim about it stays the assistant's opinion.
 */
import { INVISIBLE } from '../../base/visible-text.ts';
import type { QueryAnswer } from '../../records/query.ts';

/** A piece of its words, or a value with the path of its cell. */
export interface Part {
  readonly text: string;
  /** Null: its own words. */
  readonly path: string | null;
}

export interface Flag {
  /** As it wrote it. */
  readonly text: string;
  /** One phrase: what was done with it, and why. */
  readonly reason: string;
}

interface Filled {
  readonly parts: readonly Part[];
  readonly flags: readonly Flag[];
}

export const REMOVED_NUMBER = '[number removed]';
const NO_CELL = '[no value]';
const LONGEST_VALUE = 200;
const MOST_ENTRIES = 10;

/** `{1.name}`, `{2[3].max(threads)}`, `{1.total}`. */
const REFERENCE = /\{\{?\s*(\d{1,2})(?:\[(\d{1,4})\])?\.([a-z_]+(?:\([a-z_]*\))?)\s*\}\}?/gi;
/** Digits that belong to a name, as in IPv6. */
const NAMED =
  'ipv(?=[46])|x(?=86)|x86_(?=64)|utf-?(?=8|16)|ext(?=[234])|base(?=64)|a(?:arch|rm)(?=64)|http(?=[23])';
/** `1.5`, `1,234`, `14:00`, `10 000`, `3/7`, `42 %`, in any script. */
const NUMBER = new RegExp(
  `(?<!\\p{N}|(?<!\\p{L})(?:${NAMED}))\\p{N}+(?:[.,:\u00a0\u202f'’/-]\\p{N}+| \\p{Nd}{3}(?!\\p{Nd}))*(?:\\s?[%‰])?`,
  'giu',
);
/** Two and more; "one" is an article in some languages. */
const NUMBER_WORDS =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions dozen dozens ' +
  'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend dutzend ' +
  'dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien cientos mil ' +
  'deux trois quatre cinq sept huit neuf dix onze douze vingt trente cent cents mille';
const SPELLED = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${NUMBER_WORDS.split(' ').join('|')})(?:-\\p{L}+)*(?![\\p{L}\\p{N}_])`,
  'giu',
);
const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'gu');

/** `answers`: of the queries that could be run, by number. */
export function fillWords(words: string, answers: ReadonlyMap<number, QueryAnswer>): Filled {
  const parts: Part[] = [];
  const flags: Flag[] = [];
  const say = (text: string): void => {
    const clean = [NUMBER, SPELLED].reduce(
      (left, pattern) =>
        left.replace(pattern, (found) => {
          flags.push({ text: found.trim(), reason: 'removed: the number refers to no row' });
          return REMOVED_NUMBER;
        }),
      text,
    );
    if (clean !== '') parts.push({ text: clean, path: null });
  };
  let from = 0;
  for (const { 0: whole, 1: number, 2: row = '1', 3: column = '', index } of words.matchAll(REFERENCE)) {
    say(words.slice(from, index));
    from = index + whole.length;
    const value = cellAt(answers.get(Number(number)), Number(row), column.toLowerCase());
    if (value === null) {
      flags.push({ text: whole, reason: 'refers to no cell of a row' });
      parts.push({ text: NO_CELL, path: null });
    } else parts.push(value);
  }
  say(words.slice(from));
  return { parts, flags };
}

/** Null without such a row or column. */
function cellAt(answer: QueryAnswer | undefined, row: number, name: string): Part | null {
  if (answer === undefined) return null;
  if (name === 'total') return { text: String(answer.total), path: `${answer.query}: total` };
  const column = answer.columns.find((one) => one.name === name);
  const cells = answer.rows[row - 1];
  if (column === undefined || cells === undefined) return null;
  const cell = cells[name];
  const path = `${answer.paths[row - 1]}.${name}`;
  if (cell === undefined) return { text: 'none', path };
  if (cell === null) return { text: 'unknown', path };
  const unit = typeof cell === 'number' && column.unit !== '' ? ` ${column.unit}` : '';
  return { text: shownText(cell) + unit, path };
}

function shownText(cell: string | number | boolean | readonly (string | number)[]): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  const text = Array.isArray(cell)
    ? cell.slice(0, MOST_ENTRIES).join(', ') + (cell.length > MOST_ENTRIES ? ', …' : '') || 'none'
    : String(cell);
  return text.slice(0, LONGEST_VALUE).replace(UNSEEN, '\ufffd');
}
