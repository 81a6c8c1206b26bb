/** Sentences in other languages than English, by their English text. */
import { LANGUAGES, type Language } from './grammar/vocabulary.ts';
import { TRANSLATIONS } from './translations.ts';

export type { Language };

/** A sentence as `translations.ts` has it: `{0}`, `{1}` for the values. */
export const template = (literals: readonly string[]): string =>
  literals.map((literal, at) => (at === 0 ? literal : `{${at - 1}}${literal}`)).join('');

type Catalog = ReadonlyMap<string, string>;

/** Of each sentence four lines, in the order of `LANGUAGES`. A blank before or after the words is not written. */
const catalogs: ReadonlyMap<Language, Catalog> = new Map(
  LANGUAGES.map((language, at): [Language, Catalog] => [
    language,
    new Map(
      TRANSLATIONS.trim()
        .split(/\n(?! )/)
        .map((block): [string, string] => {
          const lines = block.split('\n').map((line) => line.trim());
          return [lines[0] as string, (lines[at] ?? lines[0]) as string];
        }),
    ),
  ]),
);

/** Null where it has no text in the language. */
export function translated(text: string, language: Language): string | null {
  const words = text.trim();
  const found = words === '' ? undefined : catalogs.get(language)?.get(words);
  return found === undefined ? null : text.replace(words, () => found);
}

export const allTemplates = (): readonly string[] => [...(catalogs.get('en') as Catalog).keys()];
