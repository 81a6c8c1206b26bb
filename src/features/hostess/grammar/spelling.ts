/** Misspelled words of a question that was not understood, put right by the words that are known. Pure. */
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
