/** Meanings of words, fields, checks, commands, keys and endpoints (generated `docs/knowledge.json`), by name or full-text search. */
import MiniSearch from 'minisearch';
import { literal } from '../../base/literal.ts';
import { DocumentIndex, type SearchMatch } from './document-index.ts';
import { isCommon } from './lexicon.ts';
import { quoted } from './paths.ts';

export interface Knowledge {
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
  /** `path` begins with the root of grounds: `status.iron.PHI`. */
  readonly fields: readonly { readonly path: string; readonly type: string; readonly meaning: string }[];
  readonly checks: readonly {
    readonly id: string;
    readonly avenue: string;
    readonly severity: string;
    readonly tier: number;
    readonly about: string;
    readonly benign: string;
    readonly remedy: string;
  }[];
  readonly commands: readonly {
    readonly name: string;
    readonly usage: string;
    readonly summary: string;
    readonly examples: readonly string[];
  }[];
  readonly endpoints: readonly { readonly name: string; readonly summary: string }[];
  readonly keys: readonly { readonly key: string; readonly default: string; readonly meaning: string }[];
  /** Sections of the pages of the documentation; `words`: each word of it once. */
  readonly sections: readonly { readonly name: string; readonly about: string; readonly words: string }[];
}

export type TermKind = 'word' | 'field' | 'check' | 'command' | 'endpoint' | 'key' | 'section';

export interface Term {
  readonly kind: TermKind;
  /** As the kind names it. */
  readonly name: string;
}

/** A field, and by how many words it is named. */
export type NamedField = Term & { readonly words: number };

/** NFKD makes up to 18 characters of one: the result is no longer than a message. */
const LONGEST_PLAIN = 4_096;

/** Without accents and other combining marks. */
export const unmarked = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').slice(0, LONGEST_PLAIN);

/** The form in which names are compared: case, accents and word separators are ignored. */
export const folded = (text: string): string =>
  unmarked(text)
    .toLowerCase()
    .replace(/[_\-\s]+/g, ' ')
    .trim();

/** A word as the text has it, with its capitals and marks; null without it. Letters may be longer or shorter in lower case. */
export const writtenIn = (text: string, word: string): string | null =>
  new RegExp(literal(word), 'iu').exec(text)?.[0] ??
  text.split(/[\s"“”]+/u).find((one) => one !== '' && folded(one) === folded(word)) ??
  null;

/** Order of several fields with one name. */
const FIRST_RECORDS = ['charge.', 'status.', 'av.', 'live.', 'detection.', 'scar.', 'site.', 'mail.'];
const rank = (path: string): number => {
  const at = FIRST_RECORDS.findIndex((prefix) => path.startsWith(prefix));
  return at < 0 ? FIRST_RECORDS.length : at;
};

/** Fields that are not found by their meaning. */
const UNSEARCHED =
  /^(?:people|who|status\.constellation|status\.cli|av\.cli|charge\.talk)\b|\.(?:word|ts|law|kind)$|subject|evidence/;

interface Document {
  readonly id: number;
  readonly name: string;
  readonly text: string;
}

/** A time in a question, and no field: `last_hour`. */
const OF_TIME =
  /^(?:(?:last|past|this|next|first|an?|hour|hours|minute|minutes|day|days|today|week|month|year|now)(?: |$))+$/;

export class Library {
  readonly knowledge: Knowledge;
  readonly #terms: readonly (Term & { readonly text: string })[];
  readonly #byName = new Map<string, Term[]>();
  /** Paths of fields that hold one value, and not one for each item of a list. */
  readonly #single: ReadonlySet<string>;
  #index: MiniSearch<Document> | null = null;
  #spelled: ReadonlySet<string> | null = null;
  #documents: DocumentIndex | null = null;
  #sections: DocumentIndex | null = null;

  constructor(knowledge: Knowledge) {
    this.knowledge = knowledge;
    this.#single = new Set(
      knowledge.fields.flatMap(({ path, type }) =>
        /^(?:str|int|num|bool)\b/.test(type) && !/[[\]]/.test(path) ? [path] : [],
      ),
    );
    const fields = [...knowledge.fields].sort((a, b) => rank(a.path) - rank(b.path));
    this.#terms = [
      ...knowledge.words.map(({ word, meaning }) => ({ kind: 'word' as const, name: word, text: meaning })),
      ...fields.map(({ path, meaning }) => ({ kind: 'field' as const, name: path, text: meaning })),
      ...knowledge.keys.map(({ key, meaning }) => ({ kind: 'key' as const, name: key, text: meaning })),
      ...knowledge.checks.map(({ id, about }) => ({ kind: 'check' as const, name: id, text: about })),
      ...knowledge.commands.map(({ name, summary }) => ({ kind: 'command' as const, name, text: summary })),
      ...knowledge.endpoints.map(({ name, summary }) => ({ kind: 'endpoint' as const, name, text: summary })),
    ];
    for (const { kind, name } of this.#terms)
      for (const called of namesOf(kind, name))
        this.#byName.set(called, [...(this.#byName.get(called) ?? []), { kind, name }]);
  }

  /** Terms of this name, the likeliest first. */
  named(text: string): readonly Term[] {
    return this.#byName.get(folded(text)) ?? [];
  }

  /** Whether a record of this name has fields. */
  hasRecord(name: string): boolean {
    return this.knowledge.fields.some(({ path }) => path.startsWith(`${name}.`));
  }

  /** Whether a folded word occurs in names or meanings: then it is spelled right. */
  spells(word: string): boolean {
    this.#spelled ??= new Set(
      this.#terms.flatMap(({ name, text }) => folded(`${name} ${text}`).split(/[^\p{L}\p{N}]+/u)),
    );
    return this.#spelled.has(word);
  }

  /** The longest run of these words that is a name of one of these kinds, with its position. */
  longest(words: readonly string[], kinds: readonly TermKind[]): (Term & { readonly from: number }) | null {
    for (const { from, text } of runsOf(words)) {
      const term = this.named(text).find(({ kind }) => kinds.includes(kind));
      if (term !== undefined) return { ...term, from };
    }
    return null;
  }

  /** The field of one value that most of these words name, at least two; of equal ones the first. */
  fieldIn(words: readonly string[]): NamedField | null {
    const fits = ({ kind, name }: Term) => kind === 'field' && this.#single.has(name);
    for (const { text } of runsOf(words)) {
      const called = folded(text);
      const term = called.includes(' ') && !OF_TIME.test(called) ? this.named(called).find(fits) : undefined;
      if (term !== undefined) return { ...term, words: called.split(' ').length };
    }
    return null;
  }

  /** The term whose meaning explains most of these words; null without one. */
  seek(words: readonly string[], kinds: readonly TermKind[]): SearchMatch | null {
    this.#documents ??= new DocumentIndex(this.#indexedTerms());
    return this.#documents.seek(words, kinds);
  }

  /** The section of the documentation that explains most of these words; null without one. */
  section(words: readonly string[]): SearchMatch | null {
    this.#sections ??= new DocumentIndex(
      this.knowledge.sections.map(({ name, about, words: context }) => ({
        ...{ kind: 'section' as const, name, text: about, context },
      })),
    );
    return this.#sections.seek(words, ['section']);
  }

  /** Terms with the meanings of their parents; without fields that hold no value, describe the records themselves, or people. */
  #indexedTerms() {
    // When a parent is null says nothing about its fields.
    const meanings = new Map(
      this.#terms.map(({ name, text }) => [name, text.replace(/\bnull when [^.;]*/g, '')]),
    );
    const parents = new Set(
      this.knowledge.fields.flatMap(({ path, type }) => (/^object/.test(type) ? [path] : [])),
    );
    const wanted = this.#terms.filter(
      ({ kind, name }) => kind !== 'field' || !(UNSEARCHED.test(name) || parents.has(name)),
    );
    return wanted.map(({ kind, name, text }) => {
      const around: string[] = [];
      if (kind === 'field' || kind === 'key')
        for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1))
          around.push(meanings.get(name.slice(0, dot).replace(/\[\]$/, '')) ?? '');
      return { kind, name, text, context: around.join(' ') };
    });
  }

  /** Terms that the text may mean, also by nearly equal words, the likeliest first. */
  near(text: string, limit = 3, kind?: TermKind): readonly Term[] {
    this.#index ??= this.#indexed();
    return this.#index
      .search(text.slice(0, 200), {
        boost: { name: 4 },
        fuzzy: 0.2,
        prefix: (word) => word.length > 3,
        ...(kind !== undefined && { filter: ({ id }) => this.#terms[Number(id)]?.kind === kind }),
      })
      .slice(0, limit)
      .flatMap(({ id }) => {
        const term = this.#terms[Number(id)];
        return term === undefined ? [] : [{ kind: term.kind, name: term.name }];
      });
  }

  #indexed(): MiniSearch<Document> {
    const index = new MiniSearch<Document>({
      fields: ['name', 'text'],
      tokenize: (text) => folded(text).split(/[^\p{L}\p{N}]+/u),
      processTerm: (word) => (word.length < 2 || isCommon(word) ? null : word),
    });
    index.addAll(this.#terms.map(({ name, text }, id) => ({ id, name, text })));
    return index;
  }
}

/** Up to four words in a row, the longest runs first. */
function* runsOf(words: readonly string[]): Generator<{ readonly from: number; readonly text: string }> {
  for (let length = Math.min(4, words.length); length > 0; length--)
    for (let from = 0; from + length <= words.length; from++)
      yield { from, text: words.slice(from, from + length).join(' ') };
}

/** A field has its path, its last part and its last two parts as names; a key its last part if it has an underscore; an endpoint its path. */
function namesOf(kind: TermKind, name: string): readonly string[] {
  const names = [name];
  const parts = name.split('.');
  const last = parts.at(-1) ?? '';
  if (kind === 'field') names.push(last, parts.slice(-2).join(' '));
  if (kind === 'key' && last.includes('_')) names.push(last);
  if (kind === 'endpoint') names.push(name.slice(name.indexOf(' ') + 1));
  if (kind === 'command') names.push(`desk ${name}`);
  return [...new Set(names.map(folded))];
}

const PLACES: Readonly<Record<TermKind, readonly [root: string, key: string]>> = {
  word: ['words', 'word'],
  field: ['fields', 'path'],
  check: ['checks', 'id'],
  command: ['commands', 'name'],
  endpoint: ['endpoints', 'name'],
  key: ['keys', 'key'],
  section: ['sections', 'name'],
};

/** Path of the ground with a term's name. */
export function nameGround({ kind, name }: Term): string {
  const [root, key] = PLACES[kind];
  return `${root}[${key}=${quoted(name)}].${key}`;
}
