/** What a question can ask of a table: its nouns in each language, what it can be grouped and ordered by, and how conditions read. */
import type { Language } from './vocabulary.ts';

export type Said = Readonly<Record<Language, string>>;
export const said = (en: string, de: string, es: string, fr: string): Said => ({ en, de, es, fr });

/** A condition of a query: its text, how a person reads it, and the step of a path that chooses the same rows, where there is one. */
export interface Condition {
  readonly query: string;
  readonly words: Said;
  readonly step: string | null;
}

/** A condition that a word names. `opposite`: the word for all other rows. */
export type Trait = Condition & { readonly opposite?: string };

export interface Asked {
  readonly noun: Readonly<Record<Language, readonly [one: string, many: string]>>;
  /** The column that names a row. */
  readonly label: string;
  /** What a row of an answer has: nothing that names people or their command lines. */
  readonly select: string;
  /** The record that has the rows too, for paths: its root, and the column that chooses a row there. */
  readonly root: readonly [root: string, key: string] | null;
  /** Columns of that record. */
  readonly rooted: readonly string[];
  /** What `oldest`, `newest` and `worst` are ordered by. */
  readonly orders: Readonly<Partial<Record<string, string>>>;
  readonly facets: Readonly<Partial<Record<string, string>>>;
  readonly columns: readonly string[];
  /** Columns of numbers, the one that a number alone means first. */
  readonly numbers: readonly string[];
  /** The column of users, and whether it has their names or numbers. */
  readonly user: readonly [column: string, by: 'uid' | 'name'] | null;
  readonly traits: Readonly<Partial<Record<string, Trait>>>;
}

export const both = (
  en: readonly [string, string],
  de: readonly [string, string],
  es: readonly [string, string],
  fr: readonly [string, string],
): Asked['noun'] => ({ en, de, es, fr });

export const is = (column: string, value: string, words: Said, opposite?: string): Trait => ({
  query: `${column} = "${value}"`,
  words,
  step: `[${column}=${value}]`,
  ...(opposite !== undefined && { opposite }),
});
