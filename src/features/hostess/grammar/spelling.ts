/** Misspelled words of a question that was not understood, put right by the words that are known. Pure. */
import { distance } from '../../../base/nearest.ts';
import { AVENUE_IDS } from '../../../checks/check.ts';
import { FREQUENT, STOP_WORDS } from '../frequent.ts';
import { COMMON_WORDS, LEXICON_WORDS } from '../lexicon.ts';
import { plainOf } from './read.ts';
import { slip } from './slip.ts';
import { LANGUAGES, type Language, vocabulary } from './vocabulary.ts';

const MOST_REPAIRED = 8;
const LONGEST = 24;
/** Swapped letters, one left out, or a wrong vowel: what costs more may be another word. */
const MOST_COST = 0.8;

const dictionaries = new Map<Language, ReadonlyMap<number, readonly string[]>>();

/** Known words by their length, those of the language of the question first. */
function wordsOf(language: Language): ReadonlyMap<number, readonly string[]> {
  const made = dictionaries.get(language);
  if (made !== undefined) return made;
  const english = [...STOP_WORDS, ...FREQUENT];
  const words = new Set<string>([
    ...AVENUE_IDS,
    ...vocabulary(language).single,
    ...LEXICON_WORDS,
    ...(language === 'en' ? english : []),
    ...COMMON_WORDS,
    ...english,
    ...LANGUAGES.flatMap((one) => [...vocabulary(one).single]),
  ]);
  const byLength = new Map<number, string[]>();
  for (const word of words) byLength.set(word.length, [...(byLength.get(word.length) ?? []), word]);
  dictionaries.set(language, byLength);
  return byLength;
}

/** The word that is most likely meant; null without one. */
function meantBy(word: string, language: Language): string | null {
  let [best, least] = [null as string | null, MOST_COST];
  for (const length of [word.length, word.length + 1, word.length - 1])
    for (const one of wordsOf(language).get(length) ?? []) {
      const cost = slip(word, one);
      if (cost < least) [best, least] = [one, cost];
    }
  return best;
}

const isKnown = (word: string): boolean => wordsOf('en').get(word.length)?.includes(word) ?? false;

/** How a question begins: a short word there is taken for one of these. */
const OPENERS: Readonly<Record<Language, string>> = {
  en: 'how what which who when where why show list are does is',
  de: 'wie was welche wer wann wo warum zeig gibt sind ist',
  es: 'que cual cuales quien cuando donde cuanto cuantos cuantas como hay muestra',
  fr: 'quel quelle quels quelles qui quand combien comment pourquoi montre est',
};

/** "Kel" is quel, "kien" is quien, "kuantos" is cuantos. */
const heardAs = (word: string, language: Language): string =>
  language === 'fr' || language === 'es' ? word.replace(/^k(?=[ei])/, 'qu').replace(/^k(?=u)/, 'c') : word;

function openerMeant(word: string, language: Language): string | null {
  const heard = heardAs(word, language);
  const all = OPENERS[language].split(' ');
  if (all.includes(heard)) return heard;
  const [near, ...others] = all.filter((one) => one.length > 2 && distance(one, heard) === 1);
  return near !== undefined && others.length === 0 ? near : null;
}

/** Two or three words that were written as one: "howmany". */
function apart(word: string, known: (part: string) => boolean, most = 3): readonly string[] | null {
  if (most > 1 && word.length >= SHORTEST_JOINED)
    for (let at = word.length - 3; at >= 3; at -= 1) {
      const head = word.slice(0, at);
      const tail = word.slice(at);
      if (!known(head)) continue;
      if (known(tail)) return [head, tail];
      const rest = apart(tail, known, most - 1);
      if (rest !== null) return [head, ...rest];
    }
  return null;
}
const SHORTEST_JOINED = 6;

/** French without its marks: "ya til" is "y a t il". */
const INVERSION = /\by ?a[ -]?t[ -]?il\b/gi;

/** Where a question has fewer words, its first one may be a name. */
const LONG_ENOUGH = 4;

/** The question with a space behind its first words where that was left out, and as its first word sounds: "howmany", "kels". */
export function withSpaces(message: string, isName: (word: string) => boolean): string {
  const text = message.replace(INVERSION, 'y a-t-il');
  const first = /^[^\p{L}]*(\p{L}+)/u.exec(text)?.[1] ?? '';
  const word = plainOf(first);
  if (word.length < 2 || isKnown(word) || isName(first)) return text;
  const isLong = text.split(' ').length >= LONG_ENOUGH;
  for (const language of LANGUAGES) {
    const openers = OPENERS[language].split(' ');
    const { single } = vocabulary(language);
    const heard = heardAs(word, language);
    const begin = openers.find((one) => one.length > 2 && word.startsWith(one));
    const rest = begin === undefined ? '' : word.slice(begin.length);
    const known = (part: string): boolean => single.has(part) || (language === 'en' && FREQUENT.has(part));
    const parts = rest.length < 3 ? null : known(rest) ? [rest] : apart(rest, known, 2);
    const near = isLong && heard.length > 2 ? openerMeant(word, language) : null;
    const right = openers.includes(heard)
      ? heard
      : near !== null && near[0] === word[0]
        ? near
        : parts === null
          ? null
          : [begin, ...parts].join(' ');
    if (right !== null) return text.replace(first, right);
  }
  return text;
}

/** The question with its misspelled words put right; null where nothing is, or a word remains that is not known. */
export function corrected(
  message: string,
  language: Language,
  isName: (word: string) => boolean,
): string | null {
  let repairs = 0;
  // Parts of a path or of a name with digits are no words.
  let text = language === 'fr' || INVERSION.test(message) ? message.replace(INVERSION, 'y a-t-il') : message;
  if (text !== message) repairs += 1;
  const own = vocabulary(language).single;
  const mayJoin = (part: string): boolean => own.has(part) || (language === 'en' && FREQUENT.has(part));
  const [opener = ''] = message.match(/[\p{L}_]+/u) ?? [];
  for (const token of new Set(text.match(/(?<![\p{L}\d_/.:@-])[\p{L}_]+(?![\p{L}\d_/@])/gu) ?? [])) {
    const word = plainOf(token);
    if (word.length < 3 || word.length > LONGEST || isKnown(word) || isName(token)) continue;
    const right =
      (token === opener ? openerMeant(word, language) : null) ??
      meantBy(word, language) ??
      apart(word, mayJoin)?.join(' ') ??
      null;
    repairs += 1;
    if (right === null || repairs > MOST_REPAIRED) return null;
    text = text.replaceAll(new RegExp(`(?<![\\p{L}\\d_/])${token}(?![\\p{L}\\d_/])`, 'gu'), right);
  }
  return repairs === 0 ? null : text;
}
