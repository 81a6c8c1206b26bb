/** Which word, field, check, command, key or endpoint a question asks about: the matchers of `WAYS` in order. Pure. */
import { folded, type Library, type NamedField, type Term, type TermKind } from './knowledge.ts';
import { exactConceptsOf, isOrdinary, isStopWord } from './lexicon.ts';
import { ASKS_MEANING, wordFor } from './term-words.ts';

export interface Meant {
  /** The word, field, check, command, key or endpoint that is asked about; null when none is. */
  readonly term: Term | null;
  /** What is asked about but is not a known term; "" without one. */
  readonly unknownTerm: string;
  /** The meaning is asked for explicitly. */
  readonly meaning: boolean;
  /** A second term, where the question is for a difference; null otherwise. */
  readonly other: Term | null;
}

/** A question as `Question` has it. */
interface Read {
  readonly plain: string;
  readonly text: string;
  readonly tokens: readonly string[];
  readonly library: Library;
}

/** Words and characters that are searched for a term. */
export const MOST_TERMS = 24;
const LONGEST_TERM = 300;
/** Longer terms are not reported as unknown. */
const LONGEST_UNKNOWN = 80;

/** "was ist", "what's a" and the like before the term; the article decides between the word and the thing. */
const WHAT_IS =
  /^(?:please\s+)?(?:(?:can|could) you (?:tell|explain).*?)?(?:what\s*(?:is|are|'s|s)|was (?:ist|sind|heisst|bedeutet)|qu'est-ce (?:que|qu')(?: c'est (?:que|qu'))?|qu est ce (?:que|qu)(?: c est (?:que|qu))?|c'?\s?est quoi|que (?:es|son)|define|explain|meaning of|erklar\p{L}*(?: mir)?(?: bitte)?(?: (?:was|den begriff|das wort))?|explique\p{L}*(?:[ -](?:moi|nous))?(?: (?:le terme|le mot))?|explicame|explica(?: el termino| la palabra)?|signification de)\s+((?:an?|the|der|die|das|ein|eine|le|la|les|un|une|el|los|las|una)\s+)?(.+?)[\s?!.]*$/u;
const WHAT_DOES = /^(?:what|was|que)\s(?:do(?:es)?|macht|tut|fait|hace)\b/u;
const DEFINITE = /^(?:the|der|die|das|le|la|les|el|los|las)\s/u;
const MEAN = /^(.*?)\b(?:mean(?:s|ing)?|bedeutet|bedeuten|heisst|signif\w+|veut dire|quiere decir)\b/u;
const ASKED_OF =
  /(?<!\p{L})(?:of|von|what does|what do|what is|was|que|qu'est-ce que|the|meaning of|meaning|der|die|das|le|la|el|check|word|field|key|wort|feld|mot|champ|palabra|campo)\s+/gu;

/** Names with a dot, a slash, a dash or an underscore are recognised by their shape; others only when they are asked for. */
const looksLikeName = (token: string, text: string): boolean =>
  /[\w][._/-][\w]|^\/\w/.test(token) || (/^[A-Z][A-Z_]{2,}$/.test(token) && /\p{Ll}/u.test(text));

const meant = (term: Term, meaning = true): Meant => ({ term, unknownTerm: '', meaning, other: null });
const unknown = (name: string, meaning = true): Meant => ({
  term: null,
  unknownTerm: name,
  meaning,
  other: null,
});
/** For whom, how and when it is explained. */
const AIMED =
  /\s(?:like (?:i|i'm|im|to|a)|as if|to me like|als ware|wie (?:einem|fur|ich)|como si|a un nino|comme si|comme a|to|for|in|please|again|exactly|here|simply|bitte|genau|bei dir|ici|aqui|dans ce|en este|por favor)(?:\s.*)?$/u;
const clean = (part: string): string =>
  part
    .replace(ASKED_OF, ' ')
    .replace(AIMED, '')
    .replace(/^[\s'"`«»„“”?¿:]+|[\s'"`«»„“”?!.:]+$/g, '');
/** Tokens recognised as names by their shape, anywhere in the question. */
const namesIn = ({ tokens, text }: Read): readonly string[] =>
  tokens.slice(0, MOST_TERMS).filter((token) => looksLikeName(token, text));

const after = (word: string): RegExp =>
  new RegExp(`\\b${word}\\s+["'\`]?([\\w.-]+(?:\\s[\\w-]+)?)["'\`]?`, 'u');
const AFTER_KIND: readonly (readonly [kind: TermKind, pattern: RegExp])[] = [
  ['check', after('check')],
  ['command', after('command')],
  ['key', after('(?:config(?:uration)?\\s+)?key')],
];

const DIFFERENCE =
  /\b(?:differences? between|unterschied\w* zwischen|differences? (?:y a.t.il )?entre|diferencias? (?:hay )?entre|distinguishes|unterscheidet(?: sich)?|distingue)\s(?:(?:an?|the|ein\w*|de[nmr]|die|das|une?|una|les?|las?|los|el)\s)?(.{1,60}?)\s(?:and|und|et|y|from|von|de)\s(?:(?:an?|the|ein\w*|de[nmr]|die|das|une?|una|les?|las?|los|el)\s)?(.{1,60}?)[\s?!.]*$/u;
const VERSUS = /^(.{1,60}?)\s(?:vs\.?|versus)\s(.{1,60}?)[\s?!.]*$/u;

/** "the difference between a note and a finding", "scar vs finding" */
function difference({ plain, library }: Read): Meant | null {
  const [, one = '', two = ''] = DIFFERENCE.exec(plain) ?? VERSUS.exec(plain) ?? [];
  const second = clean(two);
  // "Between a public and a local listener".
  const noun = second.split(' ').at(-1) ?? '';
  const term =
    (second.includes(' ') ? termCalled(`${clean(one)} ${noun}`, library) : null) ??
    termCalled(clean(one), library);
  const other = termCalled(second, library);
  const known = term ?? other;
  if (known === null || (term !== null && other !== null && term.name === other.name)) return null;
  // Only one of the two is known: the answer says which is not.
  if (term === null || other === null)
    return { ...meant(known), unknownTerm: term === null ? clean(one) : second };
  return { ...meant(term), other };
}

/** A term by its name, in the plural, or in another language. */
function termCalled(name: string, library: Library): Term | null {
  const [whole] = [name, name.replace(/s$/u, '')].flatMap((one) => library.named(one));
  const word = whole === undefined ? wordFor(name) : null;
  return whole ?? (word === null ? null : (library.named(word)[0] ?? null));
}

/** "Was bedeutet es, wenn ein Lauscher öffentlich ist", "what is the gate good for" */
function inOtherWords(read: Read): Meant | null {
  const { plain, library } = read;
  if (!ASKS_MEANING.test(plain) || command(read) !== null) return null;
  const word = wordFor(plain);
  const [term] = word === null ? [] : library.named(word);
  return term === undefined ? null : meant(term);
}

/** "the check traced", "command law show", "config key loop.recheck_ms" */
function afterKind({ plain, library }: Read): Meant | null {
  for (const [kind, pattern] of AFTER_KIND) {
    const asked = pattern.exec(plain)?.[1] ?? '';
    const term = [asked, asked.split(' ')[0] as string]
      .flatMap((name) => library.named(name))
      .find((one) => one.kind === kind);
    if (term !== undefined) return meant(term);
  }
  return null;
}

/** "GET /h7/live" */
function endpoint({ text, library }: Read): Meant | null {
  const found = /\b(?:get|post)\s+\/[\w./{}-]*/iu.exec(text)?.[0];
  if (found === undefined) return null;
  const term = library.named(found).find(({ kind }) => kind === 'endpoint');
  return term === undefined ? unknown(found) : meant(term);
}

/** "spv_free", "status.iron.PHI", "OK" */
function byLook(read: Read): Meant | null {
  const { plain, tokens, library } = read;
  const names = namesIn(read);
  for (const token of names) {
    const [term] = library.named(token);
    if (term === undefined) continue;
    const alone = names.length === tokens.length;
    if (term.kind !== 'word' || alone || WHAT_IS.test(plain) || MEAN.test(plain)) return meant(term);
  }
  return null;
}

/** "what does gold mean", "meaning of high severity" */
function asMeaning(read: Read): Meant | null {
  const { plain, library } = read;
  const mean = MEAN.exec(plain);
  if (mean === null) return null;
  // "What do you mean by 'blind'".
  const behind = plain.slice(mean[0].length).replace(/^ ?by (?:(?:an?|the) )?['"]?([^'"]*)['"]?/u, ' $1');
  const parts = [WHAT_IS.exec(plain)?.[2] ?? '', behind, mean[1] ?? ''];
  const candidates = parts.map(clean).filter((candidate) => candidate !== '');
  for (const candidate of candidates) {
    const named = library.named(candidate)[0] ?? library.named(candidate.replace(/ \d+$/u, ''))[0];
    const term = named ?? foreign(candidate, read);
    if (term !== undefined) return meant(term);
  }
  // "High severity": its last word.
  for (const candidate of candidates) {
    const [, last, more] = candidate.split(' ');
    const [term] = last === undefined || more !== undefined ? [] : library.named(last);
    if (term?.kind === 'word') return meant(term);
  }
  return unknown(candidates.find(({ length }) => length < LONGEST_UNKNOWN) ?? '');
}

const ENGLISH = /^(?:what|define|explain|meaning|please|can|could|tell)/;
/** A word of another language: "cicatrice". */
function foreign(name: string, { plain, library }: Read): Term | undefined {
  if (ENGLISH.test(plain)) return undefined;
  const own = exactConceptsOf(folded(name)).flatMap((concept) => library.named(concept));
  return own.find(({ kind }) => kind === 'word');
}

/** "what is a scar": "what is excused" asks for what is, not for the field of that name. */
function asThing(read: Read): Meant | null {
  const { plain, library } = read;
  const [, article = '', thing = ''] = WHAT_IS.exec(plain) ?? [];
  const name = clean(thing);
  const term = library
    .named(name)
    .find(({ kind, name: path }) => kind !== 'field' || /[_ ]/.test(path.slice(path.lastIndexOf('.') + 1)));
  const known = term ?? foreign(name, read);
  return known === undefined ? null : meant(known, !DEFINITE.test(article) || name.includes(' '));
}

/** "what does desk law show do" */
function command({ plain, library }: Read): Meant | null {
  const asked = /\bdesk\s+([a-z][a-z -]*?)(?:\s+(?:do|does|mean|for)\b|[\s?!.]*$)/u.exec(plain)?.[1];
  if (asked === undefined || !/\b(?:what|how|was|wie|que|comment|como)\b/u.test(plain)) return null;
  const words = asked.trim().split(/\s+/);
  const term = library.longest(words, ['command']);
  if (term !== null && term.from === 0) return meant(term);
  return words.length === 1 && /\bdo(?:es)?\b/.test(plain.slice(plain.indexOf('desk')))
    ? unknown(`desk ${words[0]}`)
    : null;
}

const VALUE_OF =
  /\b(?:values? of|wert (?:von|der|des)|valeur (?:de|du)|valor (?:de|del))\s(.{1,80}?)[\s?!.]*$|^(.{1,80}?)\s(?:values?|wert|valeur|valor)[\s?!.]*$/u;

/** "value of GOD", "PHI value" */
function value({ plain, library }: Read): Meant | null {
  const [, after, before] = VALUE_OF.exec(plain) ?? [];
  const [term] = library.named(clean(after ?? before ?? ''));
  return term === undefined ? null : meant(term);
}

/** A term and nothing else. */
function whole({ plain, library }: Read): Meant | null {
  const name = clean(plain);
  const [term] = isStopWord(name) ? [] : library.named(name);
  return term === undefined ? null : meant(term, false);
}

const OF_KIND = /\b(?:checks?|keys?|fields?|values?|settings?)\b/;

/** Has the form of one of our names, but is not. */
function unknownName(read: Read): Meant | null {
  const { plain, library } = read;
  // Nothing but a path into a record: a field is meant.
  const path = clean(plain);
  if (/^\w+\.[\w.]+$/.test(path) && library.hasRecord(path.slice(0, path.indexOf('.')))) return unknown(path);
  const check = /\bcheck\s+([a-z]+-[a-z-]+)/u.exec(plain)?.[1];
  const name =
    check ?? namesIn(read).find((token) => /[_.]/.test(token) && !/[@:/]/.test(token) && !/^\d/.test(token));
  return name === undefined
    ? null
    : unknown(name, WHAT_IS.test(plain) || WHAT_DOES.test(plain) || OF_KIND.test(plain));
}

const WAYS = [
  difference,
  afterKind,
  endpoint,
  byLook,
  inOtherWords,
  asMeaning,
  asThing,
  command,
  value,
  whole,
  unknownName,
] as const;

export function meantIn({ plain, text, ...rest }: Read): Meant {
  const read = {
    ...rest,
    plain: plain
      .slice(0, LONGEST_TERM)
      .replace(/\bqu'(?=une?\b)/g, 'que ')
      .replace(/ good (?=for\b)/g, ' '),
    text: text.slice(0, LONGEST_TERM),
  };
  for (const way of WAYS) {
    const found = way(read);
    if (found !== null) return found;
  }
  return unknown('', false);
}

/** A field named by two words or more, or by one uncommon word when a number is asked for. */
export function fieldIn(asked: {
  readonly tokens: readonly string[];
  readonly library: Library;
  readonly counted: boolean;
}): NamedField | null {
  const { library, counted } = asked;
  const tokens = asked.tokens.slice(0, MOST_TERMS);
  const named = library.fieldIn(tokens);
  if (named !== null || !counted) return named;
  const single = tokens
    .filter((token) => !isOrdinary(folded(token)))
    .flatMap((token) => library.named(token));
  const found = single.find(({ kind }) => kind === 'field');
  return found === undefined ? null : { ...found, words: 1 };
}
