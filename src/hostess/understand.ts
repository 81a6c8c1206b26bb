/** What is asked: entities by their shape, which are the same in every language, and what the words are about. Pure. */
import { AVENUE_IDS, type AvenueId, type Severity } from '../checks/judgement.ts';
import type { Instant } from '../engine/snapshot.ts';
import { folded, type Library, unmarked } from './knowledge.ts';
import { type Concept, conceptsOf, exactConceptsOf, isOrdinary } from './lexicon.ts';
import { type Meant, MOST_TERMS, meantIn } from './terms.ts';
import { mentionsTime, timeIn } from './times.ts';

interface Entities {
  /** 16 hex digits. */
  readonly finding: string | null;
  readonly address: string | null;
  readonly ip: string | null;
  /** As written after "process" or "pid": it may be none. */
  readonly pid: number | null;
  readonly port: number | null;
  /** A number that is neither. */
  readonly number: number | null;
  /** A severity by its word. */
  readonly severity: Severity | null;
  readonly avenue: AvenueId | null;
  readonly check: string | null;
}

export interface Understood extends Meant {
  /** The question with blanks trimmed. */
  readonly text: string;
  /** The same in small letters, without marks. */
  readonly plain: string;
  /** Its words in lower case, without marks. */
  readonly words: readonly string[];
  /** Its words as they stand, split at blanks, without punctuation around them. */
  readonly tokens: readonly string[];
  readonly entities: Entities;
  /** Milliseconds since the epoch; null when no time is named. */
  readonly timeMs: number | null;
  /** Words that neither the lexicon nor common speech explains: names, perhaps. */
  readonly names: readonly string[];
  /** It is about all of these. */
  has(...concepts: readonly Concept[]): boolean;
  /** It is about one of these at least. */
  any(...concepts: readonly Concept[]): boolean;
  /** Its words, with one blank between them, have this in them. */
  says(pattern: RegExp): boolean;
}

const MOST_WORDS = 80;
const LONGEST_TOKEN = 300;
const HIGHEST_PID = 4_194_304;

const PID =
  /\b(?:pid|process|prozess|processus|proceso|task)\s*(?:id|nr\.?|no\.?|number|nummer|num[eé]ro|n[uú]mero|#|=|:)?\s*(-?\d{1,15})\b/iu;
const PORT =
  /\b(?:port|puerto|prot|anschluss)\s*(?:nr\.?|no\.?|number|nummer|num[eé]ro|n[uú]mero|#|=|:)?\s*(\d{1,10})\b|(?:^|[\s(])(?:localhost|\*|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\])?:(\d{1,10})\b/iu;
const NUMBER = /(?<![\w.:@/-])(\d{1,10})(?![\w:@/]|[.-]\d)/u;
const FINDING = /(?<![0-9a-z])([0-9a-f]{16})(?![0-9a-z])/i;
const ADDRESS =
  /(?<![\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-])[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,252}[\p{L}\p{N}])?/u;
const IP = /(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])/;

/** `scar` is a word of its own. */
const AVENUES = AVENUE_IDS.filter((id) => id !== 'scar');
const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const satisfies readonly (Severity & Concept)[];

/** Words that are only nearly a severity are none. */
function severityOf(words: readonly string[]): Severity | null {
  for (const word of words) {
    const found = SEVERITIES.find((severity) => exactConceptsOf(word).includes(severity));
    if (found !== undefined) return found;
  }
  return null;
}

export function understand(message: string, now: Instant, library: Library): Understood {
  // One blank for several: nothing below may take long over what a hostile question repeats.
  const text = message.trim().replace(/\s+/g, ' ');
  const plain = unmarked(text).toLowerCase().replaceAll('’', "'");
  const words = (plain.match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, MOST_WORDS);
  const tokens = text
    .split(/[\s,;!"“”„«»()<>]+/u)
    .map((token) => token.slice(0, LONGEST_TOKEN).replace(/^['`¿¡]+|[?.:'`]+$/gu, ''))
    .filter((token) => token !== '')
    .slice(0, MOST_WORDS);
  const concepts = new Set(words.flatMap(conceptsOf));
  const [pid, port] = [PID.exec(text), PORT.exec(text)];
  const rest = text.replace(PID, ' ').replace(PORT, ' ').replace(IP, ' ');
  const number = NUMBER.exec(rest)?.[1];
  const wantsPort = concepts.has('listen') || concepts.has('port');
  const wantsProcess = concepts.has('process') || concepts.has('wrap') || concepts.has('unwrapped');
  const bare = number === undefined || mentionsTime(text) ? null : Number(number);
  const portText = port?.[1] ?? port?.[2];
  const spoken = words.join(' ');
  return {
    text,
    plain,
    words,
    tokens,
    entities: {
      finding: FINDING.exec(text)?.[1]?.toLowerCase() ?? null,
      address: ADDRESS.exec(text)?.[0] ?? null,
      ip: IP.exec(text)?.[1] ?? null,
      pid:
        pid?.[1] !== undefined ? Number(pid[1]) : wantsProcess && !wantsPort && port === null ? bare : null,
      port:
        portText !== undefined
          ? Number(portText)
          : (wantsPort || concepts.has('allowed') || concepts.has('up')) && pid === null
            ? bare
            : null,
      number: bare,
      severity: severityOf(words),
      avenue: AVENUES.find((id) => words.includes(id)) ?? null,
      check: library.longest(tokens.slice(0, MOST_TERMS), ['check'])?.name ?? null,
    },
    timeMs: timeIn(text, now),
    ...meantIn({ plain, text, tokens, library }),
    names: namesIn(tokens),
    has: (...wanted) => wanted.every((concept) => concepts.has(concept)),
    any: (...wanted) => wanted.some((concept) => concepts.has(concept)),
    says: (pattern) => pattern.test(spoken),
  };
}

/** A path or a word that neither the lexicon nor common speech explains; a process may be called anything. */
function namesIn(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => {
    if (token.startsWith('/')) return token.length > 1;
    if (/^[\d.:-]+$/.test(token) || token.includes('@')) return false;
    const word = folded(token);
    return word !== '' && (!isOrdinary(word) || /\w[-_\d]\w/.test(token));
  });
}

export const isPid = (pid: number): boolean => Number.isInteger(pid) && pid > 0 && pid <= HIGHEST_PID;
export const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port <= 65_535;
