/** The words of the grammar (`words.ts`) by phrase, and which language a text is in. */
import { ACCOUNT_WORDS } from './account-words.ts';
import { COMBINING_WORDS } from './combining-words.ts';
import { HOST_WORDS } from './host-words.ts';
import { MORE_WORDS } from './more-words.ts';
import { NARROWING_WORDS } from './narrowing-words.ts';
import { WORDS } from './words.ts';

export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a phrase contributes. `filler` contributes nothing, and may be left out. */
export type Sense = readonly [part: Part, value: string];
export type Part =
  | 'kind'
  | 'table'
  | 'facet'
  | 'column'
  | 'operator'
  | 'order'
  | 'trait'
  | 'user'
  | 'verb'
  | 'word'
  | 'unmeasured'
  | 'aggregate'
  | 'unread'
  | 'filler';

type Row = readonly [sense: string, en: string, de: string, es: string, fr: string];

const ROWS: readonly Row[] = [WORDS, HOST_WORDS, COMBINING_WORDS, MORE_WORDS, NARROWING_WORDS, ACCOUNT_WORDS]
  .flatMap((words) => words.trim().split(/\n(?! )/))
  .map((row) => {
    const [first = '', ...others] = row.split('\n').map((line) => line.trim());
    return [...first.split(': '), ...others] as unknown as Row;
  });

export interface Words {
  readonly language: Language;
  /** Phrases by their text. */
  readonly phrases: ReadonlyMap<string, readonly Sense[]>;
  /** Most words of a phrase. */
  readonly longest: number;
  /** All single words of its phrases, to judge which language a text is in. */
  readonly single: ReadonlySet<string>;
}

function wordsFor(language: Language): Words {
  const at = LANGUAGES.indexOf(language) + 1;
  const phrases = new Map<string, Sense[]>();
  const single = new Set<string>();
  let longest = 1;
  for (const row of ROWS) {
    const [part = 'filler', value = ''] = (row[0] as string).split(' ') as [Part, string?];
    for (const phrase of (row[at] as string).split('|')) {
      const words = phrase.split(' ');
      longest = Math.max(longest, words.length);
      for (const word of words) single.add(word);
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), [part, value]]);
    }
  }
  return { language, phrases, longest, single };
}

const made = new Map<Language, Words>();

/** The words of a language, made at first use. */
export function vocabulary(language: Language): Words {
  const known = made.get(language) ?? wordsFor(language);
  made.set(language, known);
  return known;
}

/** Words of questions that are no part of a query, but of one language. */
const MARKS: Readonly<Record<Language, string>> = {
  en: 'how why what should does mean difference command',
  de: 'wie warum wieso was bedeutet unterschied womit wozu wofur muss soll mich befehl',
  es: 'como por que significa diferencia sirve debo puedo donde hago dime esta es puede mas',
  fr: 'comment pourquoi quoi sert signifie veut dire dois puis faut laisser faire moi difference ou est qu l d',
};

/** Words, letters and punctuation that only one of the languages has. */
const SIGNS: Readonly<Record<Language, RegExp>> = {
  en: /(?<!\p{L})(?:the|what|what's|which|who|whose|you|your|please|hello|thanks|thank|is|are|do|does|did|with|and|of|there|have|has|tell|show|from|any|today|yesterday|been|since|ever|anything|someone|anyone|started|restarted|changed|opened|closed|modified)(?!\p{L})/giu,
  de: /[ßäöü]|(?<!\p{L})(?:hallo|moin|servus|guten|danke|bitte|ich|du|dir|dich|mir|ist|sind|und|nicht|kein\p{L}*|der|das|wer|wie|was|warum|welche\p{L}*|gibt|hast|hat|kann|kannst|mach\p{L}*|auf|mit|von|fur|gestern|heute|gerade|lief|liefen)(?!\p{L})/giu,
  es: /[ñ¿¡áíóú]|(?<!\p{L})(?:hola|buenas|buenos|gracias|por favor|el|los|las|hay|estas?|estan|cual\p{L}*|cuant\p{L}*|como|donde|cuando|quien\p{L}*|eres|tienes|puedes|puedo|muestra\p{L}*|del|y|mi|hoy|ayer)(?!\p{L})/giu,
  fr: /[çœèêàùîôû]|\S [?!](?=\s|$)|-(?:tu|vous|il|elle|ils|je|on|moi|ce|t)(?!\p{L})|(?<!\p{L})(?:[cdjlmnst]|qu)['’](?=\p{L})|(?<!\p{L})(?:cette|cet|semaine|bonjour|bonsoir|salut|coucou|merci|stp|svp|est|sont|les|des|du|et|au|aux|je|vous|moi|quel\p{L}*|combien|comment|pourquoi|quand|ou|pas|ce|ca|avec|sur|mes|hier|avez|peux)(?!\p{L})/giu,
};

/** More than one word that several languages have, less than two. */
const SIGN = 0.8;
const MOST_SIGNS = 400;

/**
 * Words that only one language has, as proof of it, and others that several have. English for a text without any. `text`: as written,
 * with its greeting.
 */
export function languageOf(words: readonly string[], text = ''): Language {
  const written = text.slice(0, MOST_SIGNS).normalize('NFC');
  const scores = LANGUAGES.map((language) => {
    const { single } = vocabulary(language);
    const marks = new Set(MARKS[language].split(' '));
    const isOf = (word: string): boolean => single.has(word) || marks.has(word);
    const signs = SIGN * (written.match(SIGNS[language])?.length ?? 0);
    return words.reduce((sum, word) => sum + (isOf(word) ? 1 + word.length / 100 : 0), signs);
  });
  const best = Math.max(...scores);
  return LANGUAGES[scores.indexOf(best)] ?? 'en';
}
