/** The words of `words.ts` by language and phrase, and which language a question is in. */
import { LANGUAGES, type Language, vocabulary } from '../grammar/vocabulary.ts';
import { VITAL_WORDS } from './words.ts';

/** `q` a quantity, `w` one that other words must support, `a` an aspect of it, `x` nothing; the others are in `hear.ts`. */
export type Role = 'q' | 'w' | 'a' | 'k' | 'o' | 'p' | 'u' | 'm' | 'j' | 'r' | 't' | 'c' | 'x';
export type Sense = readonly [role: Role, name: string];

interface Phrases {
  readonly phrases: ReadonlyMap<string, readonly Sense[]>;
  readonly single: ReadonlySet<string>;
  /** For words of more than one part: Plattenauslastung. */
  readonly nouns: ReadonlySet<string>;
}

interface Row {
  readonly sense: Sense;
  readonly texts: readonly string[];
}

const ROWS: readonly Row[] = VITAL_WORDS.trim()
  .split(/\n(?! )/)
  .map((block) => {
    const [first = '', ...others] = block.split('\n').map((line) => line.trim());
    const [head = '', english = ''] = first.split(': ');
    const [role = 'x', name = ''] = head.split(' ');
    return { sense: [role as Role, name], texts: [english, ...others] };
  });

function phrasesOf(language: Language): Phrases {
  const phrases = new Map<string, Sense[]>();
  const single = new Set<string>();
  const nouns = new Set<string>();
  for (const { sense, texts } of ROWS)
    for (const phrase of (texts[LANGUAGES.indexOf(language)] ?? '').split('|')) {
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), sense]);
      for (const word of phrase.split(' ')) single.add(word);
      if (!phrase.includes(' ') && (sense[0] === 'q' || sense[0] === 'a' || sense[0] === 'p'))
        nouns.add(phrase);
    }
  return { phrases, single, nouns };
}

const made = new Map<Language, Phrases>();
export function vitalWords(language: Language): Phrases {
  const known = made.get(language) ?? phrasesOf(language);
  made.set(language, known);
  return known;
}

/** All words of one quantity in one language. */
export const wordsOf = (quantity: string, language: Language): readonly string[] =>
  ROWS.filter(({ sense: [role, name] }) => role === 'q' && name === quantity).flatMap(({ texts }) =>
    (texts[LANGUAGES.indexOf(language)] ?? '').split('|'),
  );

/** Words that several languages have say little; of equal languages `otherwise`. */
export function languageSaid(words: readonly string[], otherwise: Language): Language {
  const owners = words.map((word) =>
    LANGUAGES.filter(
      (language) => vitalWords(language).single.has(word) || vocabulary(language).single.has(word),
    ),
  );
  const scores = LANGUAGES.map((language) =>
    owners.reduce((sum, all) => sum + (all.includes(language) ? 1 / all.length : 0), 0),
  );
  const best = Math.max(...scores);
  const first = LANGUAGES[scores.findIndex((score) => score > best - 0.01)] ?? otherwise;
  return (scores[LANGUAGES.indexOf(otherwise)] ?? 0) > best - 0.01 ? otherwise : first;
}

/** A word for this machine, in any language: never the name of a program. */
export const isMachine = (word: string): boolean =>
  LANGUAGES.some(
    (language) =>
      vitalWords(language)
        .phrases.get(word)
        ?.some(([role]) => role === 'm') ?? false,
  );
