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
const REFERENCE =
  /\{\{?\s{0,4}(\d{1,2})(?:\[(\d{1,4})\])?\.([a-z_][a-z\d_]{0,60}(?:\([a-z\d_]{0,60}\))?)\s{0,4}\}\}?/gi;
/** Names with digits. They are put back when all other digits are gone. */
const NAMED =
  /(?<![\p{L}\p{N}_])(?:ipv[46]|x86_64|x86|utf-?(?:8|16)|ext[234]|base64|aarch64|arm64|http\/?[23])(?![\p{L}\p{N}_.,:/%-]*\p{N})/giu;
/** `1.5`, `1,234`, `14:00`, `10 000`, `3/7`, `42 %`, in any script. */
const NUMBER = /\p{N}+(?:[.,:\u00a0\u202f'’/-]\p{N}+| \p{Nd}{3}(?!\p{Nd}))*(?:\s?[%‰])?/gu;
/** Common words for two and more; "one" is an article in some languages. */
const NUMBER_WORDS =
  'zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions dozen dozens ' +
  'null zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend million millionen dutzend ' +
  'cero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien cientos mil millón millones ' +
  'zéro deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent cents mille';
const SPELLED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:${NUMBER_WORDS.split(' ').join('|')})(?:[-_]\\p{L}+)*(?![\\p{L}\\p{N}])`,
  'giu',
);
/** What beside a value would make another one of it: "{1.total}{1.total}", "{1.total}k", "{1.total} %". */
const JOINS_BEHIND = /^(?:[\p{L}\p{N}_]|\s?[%‰]|[.,:/'’-](?=[\p{L}\p{N}_{]))/u;
const JOINS_BEFORE = /[\p{L}\p{N}_]$|[\p{L}\p{N}_}][.,:/'’-]$/u;
const UNSEEN = new RegExp(`[${INVISIBLE}]`, 'gu');

/** `answers`: of the queries that could be run, by number. */
export function fillWords(words: string, answers: ReadonlyMap<number, QueryAnswer>): Filled {
  const said = words.normalize('NFC').replace(/[\ue000\ue001]/g, '');
  const parts: Part[] = [];
  const flags: Flag[] = [];
  const say = (text: string): void => {
    const names: string[] = [];
    const kept = text.replace(NAMED, (name) => `\ue000${'\ue001'.repeat(names.push(name))}\ue000`);
    const clean = [NUMBER, SPELLED]
      .reduce(
        (left, pattern) =>
          left.replace(pattern, (found) => {
            flags.push({ text: found.trim(), reason: 'removed: the number refers to no row' });
            return REMOVED_NUMBER;
          }),
        kept,
      )
      .replace(/\ue000(\ue001+)\ue000/g, (_, at: string) => names[at.length - 1] ?? '');
    if (clean !== '') parts.push({ text: clean, path: null });
  };
  let from = 0;
  let before = '';
  for (const { 0: whole, 1: number, 2: row = '1', 3: column = '', index } of said.matchAll(REFERENCE)) {
    const between = said.slice(from, index);
    say(between);
    const joins = JOINS_BEFORE.test(before + between) || (between === '' && before !== '');
    from = index + whole.length;
    before = '}';
    const value =
      joins || JOINS_BEHIND.test(said.slice(from))
        ? null
        : cellAt(answers.get(Number(number)), Number(row), column.toLowerCase());
    if (value === null) {
      flags.push({
        text: whole,
        reason: 'refers to no cell of a row, or is written as a part of another value',
      });
      parts.push({ text: NO_CELL, path: null });
    } else parts.push(value);
  }
  say(said.slice(from));
  return { parts, flags };
}

/** Null without such a row or column. */
function cellAt(answer: QueryAnswer | undefined, row: number, name: string): Part | null {
  if (answer === undefined) return null;
  if (name === 'total') return { text: `${atLeast(answer)}${answer.total}`, path: `${answer.query}: total` };
  const column = answer.columns.find((one) => one.name === name);
  const cells = answer.rows[row - 1];
  if (column === undefined || cells === undefined) return null;
  const cell = cells[name];
  const path = `${answer.paths[row - 1]}.${name}`;
  if (cell === undefined) return { text: 'none', path };
  if (cell === null) return { text: 'unknown', path };
  const lower = column.name.includes('(') ? atLeast(answer) : '';
  const unit = typeof cell === 'number' && column.unit !== '' ? ` ${column.unit}` : '';
  return { text: lower + shownText(cell) + unit, path };
}

/** Where rows may be missing, a number is not the whole of it. */
const atLeast = ({ undecided, reach, unknown }: QueryAnswer): string =>
  undecided.rows > 0 || reach.gaps.length > 0 || unknown.length > 0 ? 'known: ' : '';

function shownText(cell: string | number | boolean | readonly (string | number)[]): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  const text = Array.isArray(cell)
    ? cell.slice(0, MOST_ENTRIES).join(', ') + (cell.length > MOST_ENTRIES ? ', …' : '') || 'none'
    : String(cell);
  return text.slice(0, LONGEST_VALUE).replace(UNSEEN, '\ufffd');
}
