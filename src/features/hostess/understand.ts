/** Parses a question: entities by their shape, which is the same in every language, and the concepts of its words. Pure. */
import { AVENUE_IDS, type AvenueId } from '../../checks/check.ts';
import type { Instant } from '../../engine/snapshot.ts';
import { BANNED_PORT } from '../../policy/banned.ts';
import { SEVERITIES, type Severity } from '../../policy/severity.ts';
import { plainOf, withoutGreeting } from './grammar/read.ts';
import { reworded } from './grammar/rewordings.ts';
import { folded, type Library, type NamedField, unmarked } from './knowledge.ts';
import { type Concept, conceptsOf, exactConceptsOf, isFrequent, isOrdinary } from './lexicon.ts';
import { fieldIn, type Meant, MOST_TERMS, meantIn } from './terms.ts';
import { momentIn, timeIn } from './times.ts';

interface Entities {
  /** 16 hex digits. */
  readonly finding: string | null;
  readonly address: string | null;
  readonly ip: string | null;
  /** As written after "process" or "pid": they need not exist. */
  readonly pids: readonly number[];
  readonly ports: readonly number[];
  /** A number that is neither a pid nor a port. */
  readonly number: number | null;
  /** A severity by its word. */
  readonly severity: Severity | null;
  readonly avenue: AvenueId | null;
  readonly check: string | null;
}

export interface Question extends Meant {
  /** The message with its greeting. */
  readonly whole: string;
  /** The question with blanks trimmed. */
  readonly text: string;
  /** The same in small letters, without marks. */
  readonly plain: string;
  /** Its words in lower case, without marks. */
  readonly words: readonly string[];
  /** Its words unchanged, split at blanks, without punctuation around them. */
  readonly tokens: readonly string[];
  readonly entities: Entities;
  /** Milliseconds since the epoch; null when no time is named. */
  readonly timeMs: number | null;
  /** A field of one value that is named in passing; null when none is. */
  readonly field: NamedField | null;
  /** Words that are neither in the lexicon nor stop words: possible names. */
  readonly names: readonly string[];
  /** Frequent words of English that may be the name of a program. */
  readonly unlikelyNames: readonly string[];
  /** It is about all of these. */
  has(...concepts: readonly Concept[]): boolean;
  /** It is about at least one of these. */
  any(...concepts: readonly Concept[]): boolean;
  /** Its words, joined by blanks, match this. */
  says(pattern: RegExp): boolean;
}

const MOST_WORDS = 80;
const LONGEST_TOKEN = 300;
const HIGHEST_PID = 4_194_304;

/** More numbers of the same kind. */
const MORE =
  '(?:\\s?(?:,|&|/|\\b(?:and|or|und|oder|et|ou|y|o)\\b)\\s?(?:(?:pid|process|port|prozess|puerto)\\s)?\\d{1,10}(?![\\d@]|[.:]\\d))*';
const NO = '\\s*(?:id|nr\\.?|no\\.?|number|nummer|num[eé]ro|n[uú]mero|#|=|:)?\\s*';
const PID = new RegExp(
  `\\b(?:pids?|process(?:es)?|prozesse?n?|processus|procesos?|tasks?)${NO}(-?\\d{1,15}\\b${MORE})`,
  'iu',
);
const PORT = new RegExp(
  `\\b(?:ports?|puertos?|prot|anschl[uü]sse?)${NO}(\\d{1,10}\\b${MORE})|(?:^|[\\s(])(?:localhost|\\*|\\d+\\.\\d+\\.\\d+\\.\\d+|\\[[0-9a-f:]+\\])?:(\\d{1,10})\\b`,
  'iu',
);
/** A number before such a word is a count: "all 5 ports". */
const COUNTED =
  /(?<![\w.:@/-])\d{1,4} (?=(?:\p{L}+ )?(?:ports|puertos|listeners|processes|prozesse|procesos|findings|scars|checks|programs|issues|days|hours|minutes|seconds|weeks|months|years|tage|jours|dias|percent|points)\b)/giu;
/** The value of a field, not a pid or port: "on_disk = 0". */
const VALUE = /\b(?!(?:pid|ppid|port|uid|process)\b)[\p{L}_][\w.]{0,40} ?={1,3} ?\d{1,15}\b/giu;
/** Only processes have these. */
const OF_PROCESS = /\b(?:parent|threads?|uid|eltern\w*|padre)\b/;
/** The number of a user is no pid. */
const OF_USER =
  /\b(?:users?|uid|accounts?|benutzer\w*|nutzer\w*|konto|usuario|cuenta|utilisateur|compte)\s*(?:id|nr\.?|no\.?|number|nummer|#|=|:)?\s*\d{1,10}\b/giu;
const YEAR = /\b(?:in|of|im|en) (?:19|20)\d\d\b/giu;
const NUMBER = new RegExp(`(?<![\\w.:@/-])(\\d{1,10}(?![\\w:@/]|[.-]\\d)${MORE})`, 'iu');
/** "What is on 22", "who holds 443": a port without the word. */
const HELD = new RegExp(
  `^(?:and |und )?(?:who|what|which|wer|was|welche\\w*|qui|quel\\w*|qui[eé]n|qu[eé]|is|ist)\\b[^?!;]*?\\b(?:on|has|owns?|behind|hat|tiene|holds?|holding|uses?|using|occup\\w+|auf|belegt|sur|tient|ocupa|usa) (\\d{1,5}${MORE})(?= ?(?:$|[?!,;]|\\.(?!\\d)|(?:and|or|und|oder|et|ou|y|o)\\b))`,
  'iu',
);
/** A port by its protocol or by "on": "udp 4443", "443/tcp", "my app on 8080". */
const BY_PROTOCOL = /\b(?:tcp|udp)[ :/](\d{1,5})\b|(?<![\w.])(\d{1,5})\/(?:tcp|udp)\b/iu;
const SITS_ON =
  /\b(?:on|auf|sur) (\d{2,5})(?=\s*(?:$|[?!,;]|\.(?!\d)|\s(?!(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|cores?|cpus?)\p{L}*)\p{L}))/iu;
/** Phrases with a concept of their own. */
const PHRASES: readonly (readonly [phrase: RegExp, concept: Concept])[] = [
  [/\b(?:now what|what now|what next|und (?:jetzt|nun)$|et maintenant$|y ahora(?: que)?$)/u, 'should'],
  [/\b(?:on fire|burning|brennt)\b/u, 'issue'],
  [/\b(?:z state|state z|in z state)\b/u, 'fried'],
  [/\b(?:no longer|not|not any more|never) on (?:the )?disk\b|\bgone from (?:the )?disk\b/u, 'find'],
];
/** Written in capitals, and not names of fields. */
const PROTOCOLS = /\b(?:HTTPS?|TCP|UDP|IMAP|SMTP|TLS|SSL|DNS|SSH)\b/gu;
/** Without a meaning in "what does it even mean". */
const STRESS = /\b(?:even|actually|really) (?=means?\b)/gu;

/** Words between the verb and the term. */
const BETWEEN = /(?<=\s)(?:eigentlich|nochmal|denn|genau|exactement|exactamente|exactly) (?=\S)/giu;

/** The term asked about, in the whole question or in its last sentence. */
function meantBy({ plain, text, library }: { plain: string; text: string; library: Library }): Meant {
  const read = (whole: string, low: string): Meant => {
    const said = tokensOf(whole).length > 1 ? whole.replace(PROTOCOLS, (one) => one.toLowerCase()) : whole;
    return meantIn({ plain: low.replace(STRESS, ''), text: said, tokens: tokensOf(said), library });
  };
  const all = read(text.replace(BETWEEN, ''), plain.replace(BETWEEN, '').replaceAll('ß', 'ss'));
  const sentence = lastSentence(text);
  if (all.term !== null || sentence === text) return all;
  const last = read(sentence, lastSentence(plain));
  return last.term === null || !last.meaning ? all : last;
}
const lastSentence = (text: string): string => text.split(/(?<=\p{L}[.!?;]) /u).at(-1) ?? text;
const tokensOf = (text: string): readonly string[] =>
  text
    .split(/[\s,;!"“”„«»()<>]+/u)
    .map((token) => token.slice(0, LONGEST_TOKEN).replace(/^['`¿¡]+|[?.:'`]+$/gu, ''))
    .filter((token) => token !== '')
    .slice(0, MOST_WORDS);

/** Concepts of ports rather than processes, for a number without a word. */
const ASKS_OF_PORT: readonly Concept[] = ['allowed', 'up', 'down', 'outside'];
/** Common names of well-known ports, but for those that are a subject of their own. */
const SERVICES: ReadonlyMap<string, readonly number[]> = new Map(
  [
    '22 ssh; 21 ftp; 23 telnet; 25 smtp; 80 http; 123 ntp; 161 snmp; 389 ldap; 443 https; 445 smb, samba',
    '631 ipp, print service, printing service, print server, printer, druckdienst, druckserver, drucker, imprimante, impresora',
    '3306 mysql; 3389 rdp; 5432 postgresql; 5900 vnc; 6379 redis; 27017 mongodb',
  ].flatMap((line) =>
    line.split('; ').flatMap((service) => {
      const [port = '', names = ''] = service.split(/ (.*)/s);
      return names.split(', ').map((name) => [name, [Number(port)]] as const);
    }),
  ),
);
const SERVICE = new RegExp(`(?<![\\w./:-])(${[...SERVICES.keys()].join('|')})(?![\\w/:]|[.-]\\w)`, 'iu');
const asksOfService = (concepts: ReadonlySet<Concept>): boolean => {
  const any = (...some: readonly Concept[]) => some.some((one) => concepts.has(one));
  const elsewhere = any('site', 'mail', 'certificate', 'connection', 'assistant', 'identity', 'endpoint');
  return any('listen', 'port', 'up', 'down', 'outside', 'allowed') && !elsewhere;
};
/** Pids or ports of one answer. */
const MOST_NUMBERS = 4;
const FINDING = /(?<![0-9a-z])([0-9a-f]{16})(?![0-9a-z])/i;
const ADDRESS =
  /(?<![\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-])[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,252}[\p{L}\p{N}])?/u;
const IP = /(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])/;

/** `scar` is a word of its own. */
const AVENUES = AVENUE_IDS.filter((id) => id !== 'scar');

/** Exact words only. */
function severityOf(words: readonly string[]): Severity | null {
  const named = words.map((word) => SEVERITIES.find((severity) => exactConceptsOf(word).includes(severity)));
  return named.find((one) => one !== undefined) ?? null;
}

export function understand(message: string, now: Instant, library: Library): Question {
  // Runs of blanks in a hostile question would slow the patterns below.
  const text = reworded(withoutGreeting(message).replace(/\s+/g, ' '));
  const plain = unmarked(text).toLowerCase().replaceAll('’', "'");
  const words = (plain.match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, MOST_WORDS);
  const tokens = tokensOf(text);
  // The parts of a path are not words of the question.
  const spoken = plain.replace(/(?<![^\s("'`])~?\/\S+/gu, ' ').match(/[\p{L}\p{N}_]+/gu) ?? [];
  const concepts = new Set(
    spoken
      .slice(0, MOST_WORDS)
      .flatMap((word) => (library.spells(word) ? exactConceptsOf(word) : conceptsOf(word))),
  );
  const said = words.join(' ');
  for (const [phrase, concept] of PHRASES) if (phrase.test(said)) concepts.add(concept);
  const [pid, port] = [PID.exec(text), PORT.exec(text)];
  const timed = plainOf(text);
  const timely = momentIn(timed, now).moment !== null;
  const rest = [PID, PORT, IP, COUNTED, VALUE, OF_USER, YEAR].reduce(
    (left, one) => left.replace(one, ' '),
    text,
  );
  const number = NUMBER.exec(rest)?.[1];
  const wantsPort = concepts.has('listen') || concepts.has('port');
  const wantsProcess =
    OF_PROCESS.test(plain) || concepts.has('process') || concepts.has('wrap') || concepts.has('unwrapped');
  const alone = number === undefined ? [] : numbersIn(number).filter((one) => !timely || one === BANNED_PORT);
  const held = port === null && !timely ? HELD.exec(text)?.[1] : undefined;
  const protocol = port === null ? BY_PROTOCOL.exec(text) : null;
  const on = port === null && pid === null && !timely ? SITS_ON.exec(rest)?.[1] : undefined;
  const service = SERVICE.exec(text)?.[1]?.toLowerCase();
  const portText = port?.[1] ?? port?.[2] ?? held ?? protocol?.[1] ?? protocol?.[2] ?? on;
  const inPid = pid?.[1] !== undefined ? numbersIn(pid[1]) : null;
  const pids = inPid ?? (wantsProcess && !wantsPort && portText === undefined ? alone : []);
  const byService =
    pid === null && number === undefined && !timely && asksOfService(concepts)
      ? SERVICES.get(service ?? '')
      : undefined;
  const asksOfPort =
    wantsPort || ASKS_OF_PORT.some((one) => concepts.has(one)) || alone.includes(BANNED_PORT);
  const byNumber = asksOfPort && pid === null && !wantsProcess ? alone : [];
  const ports = portText !== undefined ? numbersIn(portText) : (byService ?? byNumber);
  const unknown = namesIn(tokens);
  const unlikely = (name: string) => isFrequent(folded(name));
  return {
    whole: message,
    text,
    plain,
    words,
    tokens,
    entities: {
      finding: FINDING.exec(text)?.[1]?.toLowerCase() ?? null,
      address: ADDRESS.exec(text)?.[0] ?? null,
      ip: IP.exec(text)?.[1] ?? null,
      pids,
      ports,
      number: alone[0] ?? null,
      severity: severityOf(words),
      avenue: AVENUES.find((id) => words.includes(id)) ?? null,
      check: library.longest(tokens.slice(0, MOST_TERMS), ['check'])?.name ?? null,
    },
    timeMs: timeIn(timed, now),
    field: fieldIn({ tokens, library, counted: concepts.has('count') }),
    ...meantBy({ plain, text, library }),
    names: unknown.filter((name) => !unlikely(name)),
    unlikelyNames: unknown.filter(unlikely),
    has: (...wanted) => wanted.every((concept) => concepts.has(concept)),
    any: (...wanted) => wanted.some((concept) => concepts.has(concept)),
    says: (pattern) => pattern.test(said),
  };
}

const numbersIn = (text: string): readonly number[] =>
  [...new Set((text.match(/-?\d+/g) ?? []).map(Number))].slice(0, MOST_NUMBERS);

/** Paths, and words that are neither in the lexicon nor stop words: a process can have any name. */
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
