/** Builds an answer: each value in a sentence is a ground, read from the records at its path in the same step, and listed. */
import { phrase } from '../../records/derive.ts';
import type { Ground } from '../../records/talk.ts';
import { type Language, template, translated } from './language.ts';
import type { QueryContext } from './query-context.ts';

export interface Answer {
  readonly answer: string;
  readonly grounds: readonly Ground[];
  readonly suggestions: readonly string[];
  /** Id of the intent that answered; "" when the question was not understood. */
  readonly intent: string;
  /** The question could not, or must not, be answered. */
  readonly refused: boolean;
}

type Part = Ground | Plain;

/** A part of a sentence that is not a value of the machine: our own words, or words of the question. */
export class Plain {
  /** In English, or in the language it was made in. */
  readonly text: string;
  /** What it was made of; null for words alone. */
  readonly made: { readonly literals: readonly string[]; readonly parts: readonly Part[] } | null;
  /** Words of ours that are translated where it stays English otherwise: never a name, or words of the question. */
  readonly isOurs: boolean;
  constructor(text: string, made: Plain['made'] = null, isOurs = false) {
    this.text = text;
    this.made = made;
    this.isOurs = isOurs;
  }
}
export const plain = (text: string): Plain => new Plain(text);
/** English words of ours, which other languages have their own for. */
export const ours = (text: string): Plain => new Plain(text, null, true);
/** The word that goes with a number. */
export const plural = ({ value }: Ground, one: string, many: string): Plain => ours(value === 1 ? one : many);
/** A number with its word. */
export const counted = (count: Ground, one: string, many: string): Plain =>
  part`${count} ${plural(count, one, many)}`;
/** The words for true, and for everything else. */
export const either = ({ value }: Ground, yes: string, no: string): Plain => ours(value === true ? yes : no);

/** Characters of one value in a sentence; the ground holds all of it. */
const LONGEST_VALUE = 400;

/** Names that a program chooses itself: quoted unless they have the form of a name, since they could pass for words of the answer. */
const FOREIGN =
  /\.(?:comm|executable|runs|path|example|last_from)$|^(?:accounts\.|users\[|query\.).*\.(?:name|user|shell|home)$|^startup\w*\..*\.user$/;
const NAME = /^[\p{L}\p{N}_./:@+~=\-[\](),#%]*$/u;

/** Records of files that others write: also what is mostly a phrase of ours is quoted where it could end a sentence. */
const OF_FILES =
  /^(?:startup|startup_all|accounts|packages)\.|^users\[|^query\.rows\[\d+\]\.(?:name|runs|path|user|login|rights|shell|home|groups|package|version|subject|issuer)$/;
const MAY_END = /["“”\\\p{C}]|[.!?:;]\s*$|[.!?]\s/u;

const isForeign = (path: string, text: string): boolean =>
  (FOREIGN.test(path) && !NAME.test(text)) || (OF_FILES.test(path) && MAY_END.test(text));

/** A ground as text of a sentence. */
function textOf({ path, value }: Ground): string {
  const quote = (one: string): string =>
    isForeign(path, one) ? JSON.stringify(one.slice(0, LONGEST_VALUE)) : valueText(one);
  if (typeof value === 'string') return quote(value);
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.map(quote).join(', ')
    : valueText(value);
}

function valueText(value: unknown): string {
  if (value === null || value === '') return 'unknown';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  const text = phrase(String(value)) || String(value);
  if (text.length <= LONGEST_VALUE) return text;
  const cut = text.slice(0, LONGEST_VALUE);
  const blank = cut.lastIndexOf(' ');
  return `${blank > 0 ? cut.slice(0, blank) : cut} …`;
}

/** A part in a language: what has no text in it stays in English. */
function partText(one: Part, language: Language = 'en'): string {
  if (!(one instanceof Plain)) return textOf(one);
  if (language === 'en') return one.text;
  if (one.made !== null) return sentence(one.made.literals, one.made.parts, language);
  return one.isOurs ? (translated(one.text, language) ?? one.text) : one.text;
}

/** Our words with values in them, in a language. */
function sentence(literals: readonly string[], parts: readonly Part[], language: Language): string {
  const texts = parts.map((one) => partText(one, language));
  const own = language === 'en' ? null : translated(template(literals), language);
  if (own !== null) return own.replace(/\{(\d)\}/g, (_all, at: string) => texts[Number(at)] ?? '');
  return literals.map((literal, at) => literal + (texts[at] ?? '')).join('');
}

/** A part of a sentence with values in it. */
export const part = (literals: TemplateStringsArray, ...parts: readonly Part[]): Plain =>
  new Plain(sentence(literals, parts, 'en'), { literals, parts });

export class AnswerBuilder {
  readonly #context: QueryContext;
  /** Of the sentences, where they are translated. */
  readonly language: Language;
  /** Roots of this question alone: what was understood or found for it. */
  readonly #own: Record<string, unknown> = {};
  readonly #sentences: string[] = [];
  readonly #grounds = new Map<string, Ground>();
  readonly #suggestions = new Set<string>();
  readonly #quoted = new Set<string>();

  constructor(context: QueryContext, language: Language = 'en') {
    this.#context = context;
    this.language = language;
  }

  /** Adds a root for this question. */
  put(root: string, value: unknown): void {
    this.#own[root] = value;
  }

  /** The ground at a path; RangeError without a value there. */
  ground(path: string): Ground {
    const known = this.#grounds.get(path);
    if (known !== undefined) return known;
    const value = this.#context.read(path, this.#own);
    if (value === undefined) throw new RangeError(`no value at ${path}`);
    const ground = { path, value };
    this.#grounds.set(path, ground);
    return ground;
  }

  /** The value of the ground at a path. */
  value<T = unknown>(path: string): T {
    return this.ground(path).value as T;
  }

  /** Whether the answer has this ground, or another field of the same name and value. */
  includes(path: string): boolean {
    const key = path.slice(path.lastIndexOf('.') + 1);
    return [...this.#grounds.keys()].some(
      (known) => known.endsWith(`.${key}`) && this.read(known) === this.read(path),
    );
  }

  /** The value at a path without making it a ground; undefined without one. */
  read<T = unknown>(path: string): T | undefined {
    return this.#context.read(path, this.#own) as T | undefined;
  }

  /** The grounds of a record or row, by key. */
  at<K extends string = string>(path: string): (key: K) => Ground {
    return (key) => this.ground(`${path}.${key}`);
  }

  /** The first items of a list, at most so many: of each its grounds by key. */
  items(list: string, most: number): readonly ((key: string) => Ground)[] {
    return this.rows(list, most).map((row) => this.at(row));
  }

  /** Paths of the first items of a list, at most so many. */
  rows(list: string, most: number): readonly string[] {
    const { length } = this.read<{ readonly length: number }>(list) ?? { length: 0 };
    return Array.from({ length: Math.min(most, length) }, (_, at) => `${list}[${at}]`);
  }

  /** One or more sentences. */
  say(literals: TemplateStringsArray, ...parts: readonly (Ground | Plain)[]): void {
    this.#sentences.push(sentence(literals, parts, this.language));
  }

  /** Before words of the documentation, which are English: says so in other languages, once. */
  quotesDocumentation(): void {
    if (this.#mustSay('documentation')) this.say`The documentation says (in English):`;
  }

  /** The same before words of records. */
  quotesRecords(): void {
    if (this.#mustSay('records')) this.say`The records say (in English):`;
  }

  #mustSay(what: string): boolean {
    if (this.language === 'en' || this.#quoted.has(what)) return false;
    this.#quoted.add(what);
    return true;
  }

  /** The first items of a list, with " and more" when the list has more than these. */
  join(parts: readonly (Ground | Plain)[], total: unknown = parts.length): Plain {
    const more = Number(total) > parts.length ? partText(ours(' and more'), this.language) : '';
    return plain(parts.map((one) => partText(one, this.language)).join(', ') + more);
  }

  sayMore(shown: number, total: unknown): void {
    if (Number(total) > shown) this.say`There are more.`;
  }

  /** Complete command lines, each once. */
  suggest(...commands: readonly string[]): void {
    for (const command of commands) this.#suggestions.add(command);
  }

  end(intent: string, refused: boolean): Answer {
    return {
      answer: this.#sentences.join(' '),
      grounds: [...this.#grounds.values()],
      suggestions: [...this.#suggestions],
      intent,
      refused,
    };
  }
}
