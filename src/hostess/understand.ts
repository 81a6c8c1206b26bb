/** What is asked: entities by their shape, which are the same in every language, and what the words are about. Pure. */
import type { Instant } from '../engine/snapshot.ts';
import { folded, type Library, type Term } from './knowledge.ts';
import { type Concept, conceptsOf, isOrdinary } from './lexicon.ts';
import { mentionsTime, timeIn } from './times.ts';

export interface Entities {
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
  readonly severity: 'low' | 'medium' | 'high' | 'critical' | null;
  readonly avenue: string | null;
  readonly check: string | null;
}

export interface Understood {
  /** The question with blanks trimmed. */
  readonly text: string;
  /** Its words in lower case, without marks. */
  readonly words: readonly string[];
  /** Its words as they stand, split at blanks, without punctuation around them. */
  readonly tokens: readonly string[];
  readonly concepts: ReadonlySet<Concept>;
  readonly entities: Entities;
  /** Milliseconds since the epoch; null when no time is named. */
  readonly timeMs: number | null;
  /** A time is spoken of, whether or not it could be read. */
  readonly mentionsTime: boolean;
  /** The word, field, check, command, key or endpoint that is asked about; null when none is. */
  readonly term: Term | null;
  /** What its meaning is asked of though it is no term; "" when nothing is. */
  readonly unknownTerm: string;
  /** Meaning is asked for in so many words. */
  readonly meaning: boolean;
  /** Words that neither the lexicon nor common speech explains: names, perhaps. */
  readonly names: readonly string[];
  has(...concepts: readonly Concept[]): boolean;
  any(...concepts: readonly Concept[]): boolean;
}

const MOST_WORDS = 80;
const LONGEST_TOKEN = 300;
/** Characters, and words, among which a term is looked for. */
const LONGEST_TERM = 300;
const MOST_TERMS = 24;
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

const SEVERITIES: Readonly<Record<string, NonNullable<Entities['severity']>>> = {
  critical: 'critical',
  kritisch: 'critical',
  critique: 'critical',
  critico: 'critical',
  critica: 'critical',
  high: 'high',
  hoch: 'high',
  hohe: 'high',
  eleve: 'high',
  alto: 'high',
  alta: 'high',
  medium: 'medium',
  mittel: 'medium',
  moyen: 'medium',
  medio: 'medium',
  media: 'medium',
  low: 'low',
  niedrig: 'low',
  faible: 'low',
  bajo: 'low',
  baja: 'low',
};

/** "was ist", "what's a" and the like before what is meant; the article tells whether the word or the thing is asked for. */
const WHAT_IS =
  /^(?:please\s+)?(?:(?:can|could) you (?:tell|explain).*?)?(?:what\s*(?:is|are|'s|s)|was (?:ist|sind|heisst|bedeutet)|qu'est-ce (?:que|qu')(?: c'est (?:que|qu'))?|qu est ce (?:que|qu)(?: c est (?:que|qu))?|c'?\s?est quoi|que (?:es|son)|define|explain|meaning of|erklare|explique|signification de)\s+((?:an?|the|der|die|das|ein|eine|le|la|les|un|une|el|los|las|una)\s+)?(.+?)[\s?!.]*$/u;
const DEFINITE = /^(?:the|der|die|das|le|la|les|el|los|las)\s/u;
const MEAN = /^(.*?)\b(?:mean(?:s|ing)?|bedeutet|bedeuten|heisst|signif\w+|veut dire|quiere decir)\b/u;
const ASKED_OF =
  /(?<!\p{L})(?:what does|what do|what is|was|que|qu'est-ce que|the|meaning of|meaning|der|die|das|le|la|el|check|word|field|key|wort|feld|mot|champ|palabra|campo)\s+/gu;

const unmarked = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'");

function severityOf(words: readonly string[]): Entities['severity'] {
  for (const word of words) {
    const found = SEVERITIES[word] ?? SEVERITIES[word.replace(/(?:e|es|en|er|s)$/, '')];
    if (found !== undefined) return found;
  }
  return null;
}

/** Fields of records and names with a dot, a slash, a dash or an underscore are told by their look; others only when they are asked for. */
const looksLikeName = (token: string, text: string): boolean =>
  /[\w][._/-][\w]|^\/\w/.test(token) || (/^[A-Z][A-Z_]{2,}$/.test(token) && /\p{Ll}/u.test(text));

interface Meant {
  readonly term: Term | null;
  readonly unknownTerm: string;
  readonly meaning: boolean;
}

function termIn(plain: string, text: string, tokens: readonly string[], library: Library): Meant {
  const first = (name: string): Term | null => library.named(name)[0] ?? null;
  const clean = (part: string) => part.replace(ASKED_OF, ' ').replace(/^[\s'"`?¿:]+|[\s'"`?!.:]+$/g, '');
  const commandAsked = /\bdesk\s+([a-z][a-z -]*?)(?:\s+(?:do|does|mean|for)\b|[\s?!.]*$)/u.exec(plain)?.[1];
  const about = (kind: 'check' | 'command' | 'key'): Meant | null => {
    const words = { check: 'check', command: 'command', key: '(?:config(?:uration)?\\s+)?key' }[kind];
    const asked = new RegExp(`\\b${words}\\s+["'\`]?([\\w.-]+(?:\\s[\\w-]+)?)["'\`]?`, 'u').exec(plain)?.[1];
    if (asked === undefined) return null;
    const named = [asked, asked.split(' ')[0] ?? '']
      .flatMap((name) => library.named(name))
      .find((term) => term.kind === kind);
    return named === undefined ? null : { term: named, unknownTerm: '', meaning: true };
  };
  for (const kind of ['check', 'command', 'key'] as const) {
    const found = about(kind);
    if (found !== null) return found;
  }
  const endpoint = /\b(get|post)\s+(\/[\w./{}-]*)/iu.exec(text);
  if (endpoint !== null) {
    const term =
      library.named(`${endpoint[1]} ${endpoint[2]}`).find(({ kind }) => kind === 'endpoint') ?? null;
    return { term, unknownTerm: term === null ? endpoint[0] : '', meaning: true };
  }
  // Names that tell themselves by their look, wherever they stand.
  const looking = tokens.slice(0, MOST_TERMS).filter((token) => looksLikeName(token, text));
  for (const token of looking) {
    const term = first(token);
    if (
      term !== null &&
      (term.kind !== 'word' || looking.length === tokens.length || WHAT_IS.test(plain) || MEAN.test(plain))
    )
      return { term, unknownTerm: '', meaning: true };
  }
  const mean = MEAN.exec(plain);
  const is = WHAT_IS.exec(plain);
  if (mean !== null || (is !== null && is[2] !== undefined)) {
    const after = mean === null ? '' : plain.slice(mean[0].length);
    const candidates = mean === null ? [is?.[2] ?? ''] : [is?.[2] ?? '', after, mean[1] ?? ''].map(clean);
    for (const candidate of candidates.map(clean)) {
      if (candidate === '') continue;
      const named = library.named(candidate);
      // "What is excused" asks for what is; "what does excused mean" for the word.
      const term =
        mean === null
          ? named.find(
              ({ kind, name }) => kind !== 'field' || /[_ ]/.test(name.slice(name.lastIndexOf('.') + 1)),
            )
          : named[0];
      const definite = mean === null && DEFINITE.test(is?.[1] ?? '');
      if (term !== undefined)
        return { term, unknownTerm: '', meaning: mean !== null || !definite || candidate.includes(' ') };
    }
    if (mean !== null) {
      // "High severity": its last word.
      for (const candidate of candidates) {
        const last = library.named(candidate.slice(candidate.lastIndexOf(' ') + 1))[0];
        if (last?.kind === 'word' && candidate.split(' ').length === 2)
          return { term: last, unknownTerm: '', meaning: true };
      }
      const asked = candidates.find((candidate) => candidate !== '' && candidate.length < 80) ?? '';
      return { term: null, unknownTerm: asked, meaning: true };
    }
  }
  if (commandAsked !== undefined && /\b(?:what|how|was|wie|que|comment|como)\b/u.test(plain)) {
    const words = commandAsked.trim().split(/\s+/);
    const term = library.longest(words, ['command']);
    if (term !== null && term.from === 0) return { term, unknownTerm: '', meaning: true };
    if (/\bdo(?:es)?\b/.test(plain.slice(plain.indexOf('desk'))) && words.length === 1)
      return { term: null, unknownTerm: `desk ${words[0]}`, meaning: true };
  }
  const whole = first(clean(plain));
  if (whole !== null) return { term: whole, unknownTerm: '', meaning: false };
  const unknown =
    looking.find((token) => /[_.]/.test(token) && !/[@:/]/.test(token) && !/^\d/.test(token)) ?? '';
  const missing = /\bcheck\s+([a-z]+-[a-z-]+)/u.exec(plain)?.[1] ?? unknown;
  return {
    term: null,
    unknownTerm: missing,
    meaning: missing !== '' && (WHAT_IS.test(plain) || /\bcheck\b/.test(plain)),
  };
}

export function understand(message: string, now: Instant, library: Library): Understood {
  // One blank for several: nothing below may take long over what a hostile question repeats.
  const text = message.trim().replace(/\s+/g, ' ');
  const plain = unmarked(text);
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
  const check = library.longest(tokens.slice(0, MOST_TERMS), ['check']);
  const severity = severityOf(words);
  return {
    text,
    words,
    tokens,
    concepts,
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
      severity,
      avenue: words.find((word) => AVENUES.has(word)) ?? null,
      check: check?.name ?? null,
    },
    timeMs: timeIn(text, now),
    mentionsTime: mentionsTime(text),
    ...termIn(plain.slice(0, LONGEST_TERM), text.slice(0, LONGEST_TERM), tokens, library),
    names: namesIn(tokens),
    has: (...wanted) => wanted.every((concept) => concepts.has(concept)),
    any: (...wanted) => wanted.some((concept) => concepts.has(concept)),
  };
}

const AVENUES = new Set(['inject_clip', 'public_listen', 'unknown_local', 'new_comm', 'secure_learn']);

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
