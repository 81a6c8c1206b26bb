/** Reads a question as parts of a query: words of the grammar, numbers, times, and names of what there is. Pure. */
import { isLoopback, isWildcard } from '../../../base/addresses.ts';
import type { Instant } from '../../../engine/snapshot.ts';
import { isProgramName } from '../families.ts';
import { unmarked } from '../knowledge.ts';
import { type Moment, momentIn } from '../times.ts';
import { isMachine } from '../vitals/vocabulary.ts';
import { deskPortAt, isAccount } from './places.ts';
import { withoutPoliteness } from './polite.ts';
import { repaired } from './repair.ts';
import { LANGUAGES, type Language, languageOf, type Part, type Sense, vocabulary } from './vocabulary.ts';

export type SlotPart =
  | Part
  | 'number'
  | 'time'
  | 'program'
  | 'deskport'
  | 'check'
  | 'about'
  | 'stranger'
  | 'match'
  | 'address'
  | 'unread';

/** A part of the question, in its order. */
export interface Slot {
  readonly part: SlotPart;
  readonly value: string;
  /** As it is written in the question. */
  readonly text: string;
  /** A word before it says "not". */
  readonly negated?: true;
  /** A number before a noun, the number of a process, and a name where that of a user is expected. */
  readonly place?: 'noun' | 'pid' | 'user';
}

export interface Reading {
  readonly language: Language;
  readonly slots: readonly Slot[];
  readonly moment: Moment | null;
  /** The question as it was read, where words were misspelled; null where none was. */
  readonly respelled: string | null;
}

/** What there is, by name. */
export interface Names {
  /** What a name of a running program is called in the table of processes; empty where none has it. */
  programs(name: string): boolean;
  /** The name of a desk port, also without the marks in it; null where none is called that. */
  deskPort(name: string): string | null;
  isUser(name: string): boolean;
  isCheck(name: string): boolean;
  /** Whether an open finding has the word in its summary. */
  isAbout(word: string): boolean;
  /** A word that is spelled right, in a language that is understood. */
  isOrdinary(word: string): boolean;
}

const MOST_TOKENS = 40;

const GREETING =
  /^(?:(?:hi|hey|hello|yo|howdy|greetings|good (?:morning|afternoon|evening|day)|hallo|moin|servus|grüezi|grüß (?:gott|dich)|guten (?:morgen|tag|abend)|hola|buenas(?: tardes| noches)?|buenos d[ií]as|buen d[ií]a|bonjour|bonsoir|salut|coucou|perdona|perdón|entschuldigung|sorry|excuse me|pardon|excusez[- ]moi|i['’]m new here|dear hostess|liebe hostess|hostess(?=[,:!]))(?!\p{L})(?: (?:there|again|hostess|zusammen|everyone)(?!\p{L}))?[,.!:;]*\s+)+(?=\S)/iu;
/** A question without what only greets or is polite. */
export const withoutGreeting = (message: string): string =>
  withoutPoliteness(message.trim().replace(GREETING, ''));

/** The text in which phrases are looked for: no capitals, marks, apostrophes or punctuation around words. */
export const plainOf = (text: string): string =>
  unmarked(text)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/['’`´]/g, ' ')
    .replace(/-t-/g, ' t ')
    .replace(/-(?=(?:ils?|elles?|on|ce|je|tu|vous|nous|moi|y)(?!\p{L}))/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const SHORT = 4;
/** "Nach Startzeit sortiert". */
const SORTED = /^(?:sortiert|geordnet)$/;
/** Words whose object is a part of a name. */
const IN_PART: ReadonlySet<string> = new Set(['contains', 'starts', 'ends']);
/** Between them and that part. */
const OF_PART =
  /^(?:the|a|word|words|string|text|letters?|das|den|die|wort|zeichen\w*|text|la|el|palabra|texto|letras?|le|les|mot|texte|lettres?|mit|with)$/;
const TIME_MARK = '\u0001';
const INVERTED =
  /\b(?:est|sont|a|ont|peut|peuvent|tourne|tournent|ecoute|ecoutent|demarre|demarrent)(?: t)? (?:il|elle|ils|elles)\b/;

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    'one un',
    'two zwei deux dos',
    'three drei trois tres',
    'four vier quatre cuatro',
    'five funf cinq cinco',
    'six sechs seis',
    'seven sieben sept siete',
    'eight acht huit ocho',
    'nine neun neuf nueve',
    'ten zehn dix diez',
  ].flatMap((words, at) => words.split(' ').map((word): [string, number] => [word, at + 1])),
);

const numberOf = (token: string): number | null => {
  if (/^\d{1,9}$/.test(token)) return Number(token);
  const word = NUMBER_WORDS.get(token);
  return word === undefined || word === 1 ? null : word;
};

export interface Token {
  /** In capitals as written. */
  readonly text: string;
  readonly plain: string;
}

/** Words of a text, with names in quotes as one. Pairs of a plain token and the one as written keep their order. */
function tokensOf(rest: string, original: string): readonly Token[] {
  const written = new Map<string, string>();
  for (const word of original.split(/[\s,;!?()"“”„«»¿¡]+/u)) {
    const bare = word.replace(/[.:'’`]+$|^['’`]+/gu, '');
    if (bare !== '') written.set(plainOf(bare), bare);
  }
  return rest
    .split(/[\s,;!?()"“”„«»¿¡]+/u)
    .map((word) => word.replace(/[.:]+$/g, ''))
    .filter((word) => word !== '')
    .slice(0, MOST_TOKENS)
    .map((plain) => ({ plain, text: written.get(plain) ?? plain }));
}

const isMore = (slots: readonly Slot[]): boolean =>
  slots.some(({ part }) => part === 'order' || part === 'operator' || part === 'aggregate');

/** A number, or what may be before one. */
const BEFORE_RANGE = /\d|^(?:ports?|puertos?|den|die|les|los|el|le)$/;
const PORT_WORD = /^(?:port|puerto)s?$/;

/** Of several senses of a phrase the one that fits what is read so far. */
function senseOf(
  senses: readonly Sense[],
  read: readonly Slot[],
  next: string | undefined,
  isName: boolean,
): Sense {
  const asked = read.some(({ part }) => part === 'kind');
  const begun = read.some(({ part }) => part !== 'filler');
  const before = read.findLast(({ part }) => part !== 'filler');
  const fits = senses.filter(([part, value]) => {
    if (part === 'kind') return value === 'whether' ? !begun : !asked;
    if (part === 'operator') return next !== undefined && (numberOf(next) !== null || PORT_WORD.test(next));
    if (part === 'word' && value === 'back') return begun;
    if (part === 'word' && value === 'between') return next !== undefined && BEFORE_RANGE.test(next);
    return true;
  });
  // "mas de 10" compares, "mas hilos" orders.
  const operator = fits.find(([part]) => part === 'operator');
  if (operator !== undefined) return operator;
  // A comparison with nothing would silently be left out.
  // "Unter root" is of root.
  if (fits.length === 0 && senses.some(([part]) => part === 'operator'))
    return isName ? ['filler', ''] : ['unread', ''];
  const meant = fits.filter(([part]) => part !== 'filler');
  // "Last seen" after a noun is a column, "the last seen" an order.
  if (before?.part === 'kind' && before.value === 'when') {
    const column = meant.find(([part]) => part === 'column' || part === 'trait');
    if (column !== undefined) return column;
  }
  return meant[0] ?? ['filler', ''];
}

/** `whole`: with its greeting, which shows its language too. */
export function read(message: string, now: Instant, names: Names, whole = message): Reading {
  const text = message.trim().replace(/\s+/g, ' ').slice(0, 600);
  const plain = plainOf(text);
  const { moment, rest } = momentIn(plain, now, TIME_MARK);
  const tokens = tokensOf(rest, text).filter(
    ({ plain: word }, _, all) => word !== 'nach' || !all.some((one) => SORTED.test(one.plain)),
  );
  const repairs: (readonly [written: string, meant: string])[] = [];
  const language = languageOf(
    tokens.map((one) => one.plain),
    whole,
  );
  const words = vocabulary(language);
  const english = vocabulary('en');
  const slots: Slot[] = [];
  const phraseAt = (from: number): { senses: readonly Sense[]; length: number } | null => {
    for (let length = Math.min(words.longest, tokens.length - from); length > 0; length -= 1) {
      const phrase = tokens
        .slice(from, from + length)
        .map((one) => one.plain)
        .join(' ');
      const own = words.phrases.get(phrase);
      // Words of the machine are often English.
      const foreign = english.phrases.get(phrase)?.filter(([part]) => part !== 'filler' && part !== 'kind');
      const senses = own ?? (foreign !== undefined && foreign.length > 0 ? foreign : undefined);
      if (senses !== undefined) return { senses, length };
    }
    return null;
  };
  for (let at = 0; at < tokens.length; ) {
    const { plain: word, text: written } = tokens[at] as Token;
    if (word === TIME_MARK) {
      slots.push({ part: 'time', value: String(moment?.ms ?? ''), text: moment?.text ?? '' });
      at += 1;
      continue;
    }
    const number = numberOf(word);
    const own = deskPortAt(tokens, at, names);
    if (own !== null) {
      slots.push(own.slot);
      at += own.length;
      continue;
    }
    if (isAccount(tokens, at)) {
      const isUser = names.isUser(word);
      slots.push({ part: isUser ? 'user' : 'stranger', value: word, text: written, place: 'user' });
      at += 1;
      continue;
    }
    const found = phraseAt(at);
    if (number !== null && found === null) {
      slots.push({ part: 'number', value: String(number), text: word });
      at += 1;
      continue;
    }
    if (found !== null) {
      const { senses, length } = found;
      const said = tokens.slice(at, at + length);
      const next = tokens[at + length];
      const isName = next !== undefined && (next.plain === 'root' || names.isUser(next.text));
      const sense = senseOf(senses, slots, next?.plain, isName);
      // "Que" and "als" compare where something is more or less.
      const compares = sense[1] !== 'than' || !/^(?:que|qu|als)$/.test(said[0]?.plain ?? '') || isMore(slots);
      const [part, value] = compares ? sense : (['filler', ''] as const);
      slots.push({ part, value, text: said.map((one) => one.text).join(' ') });
      at += length;
      if (part === 'word' && IN_PART.has(value)) at = partOfName(value, tokens, at, slots);
      continue;
    }
    const foreign = isOtherTable(word, language);
    if (foreign !== null) {
      slots.push({ ...foreign, text: written });
      at += 1;
      continue;
    }
    // "TCP-Ports" is two words, and "Login-Shell" a phrase of two.
    const halves = word.split('-');
    const isPhrase = [words, english].some(({ phrases }) => phrases.has(halves.join(' ')));
    if (halves.length === 2 && (isPhrase || halves.every((half) => words.phrases.has(half)))) {
      tokens.splice(at, 1, ...halves.map((plain) => ({ plain, text: plain })));
      continue;
    }
    // "Postgres-Server" is a name with what it is.
    const [head = '', noun = ''] = written.split('-');
    if (halves.length === 2 && SERVICE.test(plainOf(noun)) && !names.isOrdinary(plainOf(head))) {
      const slot = nameOf(head, names, '');
      slots.push(slot.part === 'unread' ? { ...slot, part: 'stranger', value: head } : slot);
      const known = plainOf(noun);
      // "Server" and "Dienst" say nothing more.
      if (/^pro/.test(known) && words.phrases.has(known)) tokens.splice(at, 1, { plain: known, text: noun });
      else at += 1;
      continue;
    }
    // "¿Cómo ..." is another word than "como root".
    const isHow = at === 1 && tokens[0]?.plain === 'como';
    const named = nameOf(written, names, isHow ? '' : (tokens[at - 1]?.plain ?? ''));
    // A name is quoted as the question has it.
    if (named.part === 'unread' && isMachine(word) && isHere(tokens, at)) {
      slots.push({ part: 'filler', value: '', text: written });
      at += 1;
      continue;
    }
    const slot: Slot = message.includes(named.text) ? named : { ...named, part: 'unread', value: '' };
    if (slot.part === 'stranger' || slot.part === 'unread') {
      const fixed = names.isOrdinary(word) || isProgramName(word) ? null : repaired(tokens, at, words);
      if (fixed !== null) {
        // Read again as it was meant, where that begins a phrase; else it may be a name.
        const before = tokens[at] as Token;
        tokens[at] = { plain: fixed, text: fixed };
        const meant = phraseAt(at);
        // A long word that is taken for one without a meaning would silently be left out.
        const isFiller = meant?.senses.every(([part]) => part === 'filler') ?? false;
        if (meant !== null && (!isFiller || word.length <= SHORT)) {
          repairs.push([written, fixed]);
          continue;
        }
        tokens[at] = before;
      }
    }
    slots.push(slot);
    at += 1;
  }
  // In French a question may begin with its subject: "bob peut-il ...".
  if (language === 'fr' && INVERTED.test(plain) && !slots.some(({ part }) => part === 'kind'))
    slots.unshift({ part: 'kind', value: 'whether', text: '' });
  const respelled = repairs.reduce((whole, [written, meant]) => whole.replace(written, meant), text);
  return { language, slots, moment, respelled: repairs.length === 0 ? null : respelled };
}

/** A table in another language than that of the question: "wat Prozesse run". */
function isOtherTable(word: string, language: Language): Pick<Slot, 'part' | 'value'> | null {
  if (word.length <= SHORT) return null;
  for (const other of LANGUAGES)
    for (const [part, value] of (other === language ? undefined : vocabulary(other).phrases.get(word)) ?? [])
      if (part === 'table') return { part, value };
  return null;
}

/** The text that a name contains, begins or ends with: behind the word, or in German before it. Where the next word begins. */
function partOfName(how: string, tokens: readonly Token[], from: number, slots: Slot[]): number {
  let at = from;
  while (at < tokens.length - 1 && OF_PART.test((tokens[at] as Token).plain)) at += 1;
  const next = tokens[at];
  if (next !== undefined && next.plain !== TIME_MARK) {
    slots.push({ part: 'match', value: `${how} ${next.text}`, text: next.text });
    return at + 1;
  }
  const before = slots.at(-2);
  if (before !== undefined && NAMES_IN_PART.has(before.part))
    slots[slots.length - 2] = { part: 'match', value: `${how} ${before.text}`, text: before.text };
  return from;
}

const NAMES_IN_PART: ReadonlySet<SlotPart> = new Set([
  'unread',
  'stranger',
  'program',
  'user',
  'about',
  'number',
]);
/** "On this box": a word for the machine says nothing more where a place is said. */
const isHere = (tokens: readonly Token[], at: number): boolean =>
  HERE.test(
    tokens
      .slice(Math.max(0, at - 2), at)
      .map(({ plain }) => plain)
      .join(' '),
  );
const HERE =
  /(?:^|\b(?:on|in|of|auf|in|von|en|sur|dans|de) )(?:the|this|that|der|dem|dieser|diesem|la|el|esta|este|cette|ce|le)$|\b(?:im|am|du|del|aufm|here)$/;

/** Behind the name of a program, in one word with it. */
const SERVICE =
  /^(?:dienst|dienste|server|servers|service|services|daemon|daemons|prozess|prozesse[sn]?|process|processes|programm|instanz|instanzen)$/;
/** Words before the name of a program that does not run. */
const BEFORE_NAME =
  /^(?:does|do|did|of|by|has|have|for|from|called|named|is|hat|von|fur|durch|namens|tiene|tienen|de|del|por|para|llamado|a|du|d|par|pour|nomme)$/;
/** What follows is a user, where one has that name. */
const BEFORE_USER =
  /^(?:as|user|users|account|under|benutzers?|konto|unter|als|usuario|cuenta|como|bajo|utilisateur|compte|sous|comme)$/;
/** What follows is where programs are. */
const BEFORE_FOLDER = /^(?:from|under|inside|aus|unter|desde|bajo|depuis|sous|or|oder|o|ou)$/;
/** What follows may be another machine. */
const BEFORE_PLACE = /^(?:on|at|auf|bei|en|sur|chez)$/;
/** Value of an unread word that no language is known to have: it may be a name. */
export const UNKNOWN = 'unknown';
const ODD = /[\d_/]|\w\.\w/;

function nameOf(text: string, names: Names, before: string): Slot {
  const slot = (part: SlotPart, value = text): Slot => ({ part, value, text });
  // Addresses that every machine has.
  if (isWildcard(text) || isLoopback(text)) return slot('address');
  // Addresses, and what is no word at all.
  if (/^\d+(?:\.\d+){3}$|@/.test(text) || !/\p{L}/u.test(text)) return slot('unread');
  const port = names.deskPort(text);
  if (port !== null) return slot('deskport', port);
  if (BEFORE_USER.test(before) && names.isUser(text)) return slot('user');
  if (names.programs(text)) return slot('program');
  if (names.isUser(text)) return slot('user');
  const low = text.toLowerCase();
  if (low !== text && names.isUser(low) && !names.isOrdinary(plainOf(text))) return slot('user', low);
  if (names.isCheck(text.toLowerCase())) return slot('check', text.toLowerCase());
  if (/^\/\w+$/.test(text) && BEFORE_FOLDER.test(before)) return slot('stranger');
  if (names.isAbout(text)) return slot('about');
  if (text === 'nobody' && BEFORE_USER.test(before)) return { ...slot('stranger'), place: 'user' };
  if (names.isOrdinary(plainOf(text)) || isMachine(plainOf(text))) return slot('unread');
  if (isProgramName(text)) return slot('stranger');
  if (BEFORE_PLACE.test(before)) return slot('unread', UNKNOWN);
  if (BEFORE_USER.test(before)) return { ...slot('stranger'), place: 'user' };
  return ODD.test(text) || BEFORE_NAME.test(before) ? slot('stranger') : slot('unread', UNKNOWN);
}
