/** Misspelled words of a question that was not understood, put right by the words that are known. Pure. */
import { AVENUE_IDS } from '../../../checks/check.ts';
import { FREQUENT, STOP_WORDS } from '../frequent.ts';
import { COMMON_WORDS, LEXICON_WORDS } from '../lexicon.ts';
import { plainOf } from './read.ts';
import { LANGUAGES, type Language, vocabulary } from './vocabulary.ts';

const VOWEL = /^[aeiou]$/;
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

/** How unlikely it is that a word was mistyped as another by one slip: swapped, left out, doubled, replaced; Infinity by more. */
export function slip(typed: string, meant: string): number {
  let from = 0;
  while (from < typed.length && typed[from] === meant[from]) from += 1;
  let [a, b] = [typed.length, meant.length];
  while (a > from && b > from && typed[a - 1] === meant[b - 1]) [a, b] = [a - 1, b - 1];
  const [left, right] = [typed.slice(from, a), meant.slice(from, b)];
  if (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]) return 0.5;
  if (left === '' && right.length === 1) return from === 0 ? 0.95 : 0.7;
  if (right === '' && left.length === 1) return 0.9;
  if (left.length === 1 && right.length === 1) {
    if (from === 0) return 1.2;
    return VOWEL.test(left) && VOWEL.test(right) ? 0.65 : 1;
  }
  return Number.POSITIVE_INFINITY;
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

/** The question with its misspelled words put right; null where nothing is, or a word remains that is not known. */
export function corrected(
  message: string,
  language: Language,
  isName: (word: string) => boolean,
): string | null {
  let repairs = 0;
  let text = message;
  for (const token of new Set(message.match(/[\p{L}_]+/gu) ?? [])) {
    const word = plainOf(token);
    if (word.length < 3 || word.length > LONGEST || isKnown(word) || isName(token)) continue;
    const right = meantBy(word, language);
    repairs += 1;
    if (right === null || repairs > MOST_REPAIRED) return null;
    text = text.replaceAll(new RegExp(`(?<![\\p{L}_])${token}(?![\\p{L}_])`, 'gu'), right);
  }
  return repairs === 0 ? null : text;
}
