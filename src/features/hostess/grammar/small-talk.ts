/** Recognises small talk and questions about the hostess herself: every word of the text must belong to it. Pure. */
import { slip } from './slip.ts';
import { FILL, TALK } from './small-talk-words.ts';
import { LANGUAGES, type Language } from './vocabulary.ts';

interface Topic {
  readonly id: string;
  /** Alternatives of parts that must all be there. */
  readonly ways: readonly (readonly RegExp[])[];
  readonly words: readonly string[];
}

const escaped = (word: string): string => word.replaceAll('.', '\\.').replace('*', '[\\p{L}\\d]*');
const partOf = (part: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\d])${part
      .split(' ')
      .map((word) => `(?:${word.split('/').map(escaped).join('|')})`)
      .join(' ')}(?![\\p{L}\\d])`,
    'gu',
  );

/** An alternative of one part with several words in one place is written `a/b c`; one with blanks in it needs its own. */
function topicsOf(language: Language): readonly Topic[] {
  const at = LANGUAGES.indexOf(language) + 1;
  return TALK.trim()
    .split(/\n(?! )/)
    .map((block) => {
      const lines = block.split('\n').map((line) => line.trim());
      const ways = (lines[at] as string).split('|').map((way) => way.split(' + '));
      return {
        id: lines[0] as string,
        ways: ways.map((parts) => parts.map(listOf)),
        words: ways.flat().flatMap((part) => part.split(/[ /]/)),
      };
    });
}

/** "open source/license": in a list of a part that is beside others, blanks are within a phrase. */
function listOf(part: string, _at: number, parts: readonly string[]): RegExp {
  if (parts.length === 1) return partOf(part);
  return new RegExp(`(?<![\\p{L}\\d])(?:${part.split('/').map(escaped).join('|')})(?![\\p{L}\\d])`, 'gu');
}

interface Vocabulary {
  readonly topics: readonly Topic[];
  readonly fill: ReadonlySet<string>;
  /** All words, for spelling. */
  readonly words: readonly string[];
}

const made = new Map<Language, Vocabulary>();
function vocabularyOf(language: Language): Vocabulary {
  const known = made.get(language);
  if (known !== undefined) return known;
  const topics = topicsOf(language);
  const fill = FILL[language].split(' ');
  const all = new Set([
    ...topics.flatMap(({ words }) => words.map((word) => word.replace('*', ''))),
    ...fill,
  ]);
  const vocabulary = { topics, fill: new Set(fill), words: [...all] };
  made.set(language, vocabulary);
  return vocabulary;
}

/** What is only said, and does not ask: the later of these in the text's list is answered. */
const SAID = ['greeting', 'ok', 'sorry', 'praise', 'thanks', 'bye', 'complaint'] as const;
const isSaid = (id: string): boolean => (SAID as readonly string[]).includes(id);

const MOST_WORDS = 24;

/** "What is wrong with it" asks; "why are you so slow" does not. */
const ASKS =
  /^(?:why|warum|wieso|por que|pourquoi|what|which|where|when|how|is|are|was|were|wie|welche\w*|ist|sind|wo|que|cual\w*|hay|donde|qu|quel\w*|est|sont|ou)\b/;
/** "How do I save the data", "where do you keep it": what the desk does, not she. */
const ASKS_HOW = /^(?:how|where|wie|wo|como|donde|comment|ou)\b/;
const OF_DESK: ReadonlySet<string> = new Set(['store', 'act', 'learn', 'ai']);
const YOU = /\b(?:you|u|du|dich|tu|vous|te|eres)\b/;

const bare = (plain: string): string => plain.replace(/[^\p{L}\d]+/gu, ' ').trim();

/** Without the matches of every part; null where one has none. */
function without(text: string, way: readonly RegExp[]): string | null {
  let rest = text;
  for (const part of way) {
    const left = rest.replace(part, ' ');
    if (left === rest) return null;
    rest = left;
  }
  return rest;
}

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

export interface Talk {
  readonly id: string;
  readonly language: Language;
}

function talkIn(text: string, language: Language, asks: boolean): Talk | null {
  const { topics, fill } = vocabularyOf(language);
  const isFilled = (rest: string, own: ReadonlySet<string> = fill): boolean =>
    wordsOf(rest).every((word) => fill.has(word) || own.has(word));
  const said = topics.filter(({ id }) => isSaid(id));
  /** Without what only greets, thanks or complains; the topics of it. */
  const spoken = (from: string): { rest: string; ids: ReadonlySet<string> } => {
    const ids = new Set<string>();
    let rest = from;
    for (const { id, ways } of said)
      for (const way of ways) {
        const left = without(from, way);
        if (left === null) continue;
        ids.add(id);
        rest = without(rest, way) ?? rest;
      }
    return { rest, ids };
  };
  const isThanks = spoken(text).ids.has('thanks');
  for (const { id, ways, words } of topics) {
    if (isSaid(id) || (OF_DESK.has(id) && ASKS_HOW.test(text))) continue;
    const own = new Set(words);
    for (const way of ways) {
      const rest = without(text, way);
      if (rest === null) continue;
      // "Thanks for the help" asks for none.
      const [first = ''] = way.length === 1 ? (text.match(way[0] as RegExp) ?? []) : [' '];
      const isWord = !first.includes(' ');
      if (isThanks && isWord) continue;
      if (isFilled(rest, own) || isFilled(spoken(rest).rest, own)) return { id, language };
    }
  }
  const { rest, ids } = spoken(text);
  if (ids.size === 0 || !isFilled(rest)) return null;
  const id = SAID.findLast((one) => ids.has(one)) as string;
  const isQuestion =
    (id === 'ok' && asks) || (/^(?:ok|complaint|praise)$/.test(id) && ASKS.test(text) && !YOU.test(text));
  return isQuestion ? null : { id, language };
}

/** The topic of a text, in its language where several are possible. `plain`: without marks and capitals. */
export function talkOf(plain: string, language: Language): Talk | null {
  const text = bare(plain);
  if (text === '' || text.split(' ').length > MOST_WORDS) return null;
  const order = [language, ...LANGUAGES.filter((one) => one !== language)];
  for (const one of order) {
    const found = talkIn(text, one, plain.includes('?'));
    if (found !== null) return found;
  }
  return null;
}

const SHORTEST = 4;
/** One letter left out, doubled or swapped. */
const MOST_COST = 0.95;

/** The same of a text with misspelled words, each put right. */
export function misspelledTalkOf(plain: string, language: Language): Talk | null {
  const tokens = bare(plain).split(' ').slice(0, MOST_WORDS);
  for (const one of [language, ...LANGUAGES.filter((other) => other !== language)]) {
    const { words } = vocabularyOf(one);
    const fixed = tokens.map((token) => {
      if (token.length < SHORTEST || words.includes(token)) return token;
      const near = words.filter(
        (word) => Math.abs(word.length - token.length) < 2 && word.length >= SHORTEST,
      );
      const best = near.reduce<readonly [string, number]>(
        (least, word) => {
          const cost = slip(token, word);
          return cost < least[1] ? [word, cost] : least;
        },
        [token, MOST_COST],
      );
      return best[0];
    });
    const found =
      fixed.join(' ') === tokens.join(' ') ? null : talkIn(fixed.join(' '), one, plain.includes('?'));
    if (found !== null) return found;
  }
  return null;
}
