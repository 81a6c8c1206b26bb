/** Checks an answer of the assistant against its data, flags what does not fit and removes nothing. Numbers as words are not checked. */
import { literal } from '../../base/literal.ts';
import type { Ground } from '../../records/talk.ts';
import { SHE } from '../../records/texts.ts';

interface Flag {
  /** As written in the answer. */
  readonly text: string;
  /** One phrase: what is wrong with it. */
  readonly reason: string;
}

interface Sent {
  readonly question: string;
  readonly grounds: readonly Ground[];
  /** Commands that the hostess suggests. */
  readonly suggestions?: readonly string[];
}

const MOST_FLAGS = 20;
const LONGEST_TEXT = 120;

export function flagsOf(answer: string, sent: Sent): readonly Flag[] {
  const text = answer
    .replace(/\[(?:address \d+|(?:secret|person) removed|removed)\]/g, ' ')
    .replaceAll(SHE, ' ');
  const flags: Flag[] = [];
  const seen = new Set<string>();
  const contradicting = [...contradictions(text, sent)];
  // A contradiction to a ground says more than an unknown number.
  const rest = contradicting.reduce((left, flag) => left.replaceAll(flag.text, ' '), text);
  const others = [...paths(text, sent), ...numbers(rest, sent), ...commands(text, sent)];
  for (const flag of [...contradicting, ...others]) {
    const key = flag.text.toLowerCase();
    if (seen.has(key)) continue;
    seen.add(key);
    flags.push({ text: flag.text.slice(0, LONGEST_TEXT), reason: flag.reason.slice(0, 2 * LONGEST_TEXT) });
    if (flags.length === MOST_FLAGS) break;
  }
  return flags;
}

/** `1.5`, `1,234`, `14:00`, `127.0.0.1`: digits with separators. Not parts of words. */
const NUMBER = /(?<![\p{L}\p{N}_])\p{Nd}+(?:[.,:\u00a0\u202f'’]\p{Nd}+| \p{Nd}{3}(?!\p{Nd}))*/gu;
/** Numbers of list items are not values. */
const ORDINAL = /^[^\S\n]*\p{Nd}{1,2}[.)](?=\s)/gmu;

const digits = (text: string): string => text.normalize('NFKC').replace(/\p{Nd}/gu, asciiDigit);
/** Decimal digits are ten code points from zero to nine, and where two scripts' are neighbours the next ten follow (NFKC has no other). */
function asciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return character;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}

/** The possible meanings of a number: thousands separators, a decimal comma, or both. */
const READINGS: readonly (readonly [form: RegExp, separators: RegExp, by: string])[] = [
  [/^\d{1,3}(?:([,.\u00a0\u202f '’])\d{3})(?:\1\d{3})*$/, /\D/g, ''],
  [/^\d+(?:[.,]\d+)?$/, /,/, '.'],
  [/^\d{1,3}(?:,\d{3})+\.\d+$/, /,/g, ''],
];
const meanings = (token: string): readonly number[] =>
  READINGS.flatMap(([form, separators, by]) =>
    form.test(token) ? [Number(token.replace(separators, by))] : [],
  );

interface Known {
  readonly values: ReadonlySet<number>;
  readonly tokens: ReadonlySet<string>;
  /** Those that may be rounded. */
  readonly fractions: readonly number[];
}

function knownNumbers({ question, grounds }: Sent): Known {
  const values = new Set<number>();
  const tokens = new Set<string>();
  const fractions: number[] = [];
  const takeText = (text: string): void => {
    for (const [found] of digits(text).matchAll(/\d+(?:[.,:\u00a0 '’]\d+)*/g)) {
      tokens.add(found);
      for (const meaning of meanings(found)) values.add(meaning);
      for (const part of found.split(/\D/)) values.add(Number(part));
    }
  };
  const take = (value: unknown): void => {
    if (typeof value === 'number') {
      values.add(Math.abs(value));
      tokens.add(String(Math.abs(value)));
      if (!Number.isInteger(value)) fractions.push(Math.abs(value));
    } else if (typeof value === 'string') takeText(value);
    else if (Array.isArray(value)) {
      values.add(value.length);
      for (const inner of value) take(inner);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        takeText(key);
        take(inner);
      }
  };
  takeText(question);
  for (const { path, value } of grounds) {
    takeText(path);
    take(value);
  }
  return { values, tokens, fractions };
}

function isKnown(token: string, { values, tokens, fractions }: Known): boolean {
  if (tokens.has(token)) return true;
  // A time to the minute, where the ground has seconds.
  if (token.includes(':') && [...tokens].some((known) => known.startsWith(`${token}:`))) return true;
  return meanings(token).some((meaning) => {
    if (values.has(meaning)) return true;
    const places = /[.,](\d+)$/.exec(token)?.[1]?.length ?? 0;
    return fractions.some((known) => known.toFixed(places) === meaning.toFixed(places));
  });
}

function* numbers(text: string, sent: Sent): Generator<Flag> {
  const known = knownNumbers(sent);
  for (const [found] of text.replace(ORDINAL, '').matchAll(NUMBER)) {
    // Numbers beside each other may be one whose thousands are apart.
    const words = isKnown(digits(found), known) ? [] : found.split(' ');
    for (const word of words.length === 1 ? words : words.filter((part) => !isKnown(digits(part), known)))
      yield { text: word, reason: 'no ground has this number' };
  }
}

/** `status.hostess_charge.antivirus.avenues[2].open` → `open`. */
const lastKey = (path: string): string => /([A-Za-z_]\w*)(?:\[[^\]]*\])?$/.exec(path)?.[1] ?? '';
/** `ports_up` is written `ports up` and `ports-up` too. */
const spelled = (key: string): string => literal(key).replaceAll('_', '[ _-]');
const IS =
  '["\'`]?\\s*(?:(?:=+|:|is|are|was|were|equals|ist|sind|est|sont|es|son)\\s*)(?:now\\s+|currently\\s+)?["\'`]?';
/** A value that is a number, a yes or a no; and one that is a word, with what else its clause says. */
const SAYS = {
  scalar: `${IS}(true|false|null|\\p{Nd}+(?:[.,:]\\p{Nd}+)*)`,
  word: `${IS}(\\p{L}[\\p{L}\\p{N}_-]*)(?=([^.,;:!?\\n]*))`,
} as const;
const WORD = /^\p{L}[\p{L}\p{N}_-]*$/u;
const saysOf = (value: unknown): string | null => {
  if (value === null || ['number', 'boolean'].includes(typeof value)) return SAYS.scalar;
  return typeof value === 'string' && WORD.test(value) ? SAYS.word : null;
};

/** A name or path with another value than the ground has. */
function* contradictions(text: string, { grounds }: Sent): Generator<Flag> {
  const simple = grounds.filter(({ value }) => saysOf(value) !== null);
  const byKey = new Map<string, Ground[]>();
  for (const ground of simple) {
    const key = lastKey(ground.path);
    if (key.length > 1) byKey.set(key, [...(byKey.get(key) ?? []), ground]);
  }
  const written = text.toLowerCase().replace(/[ -]/g, '_');
  const compare = function* (name: string, words: string, of: readonly Ground[]): Generator<Flag> {
    // Most names are not mentioned at all.
    if (!written.includes(name.toLowerCase().replace(/[ -]/g, '_'))) return;
    const first = of[0] as Ground;
    for (const [whole, said = '', more = ''] of text.matchAll(
      new RegExp(`(?<![\\p{L}\\p{N}_.])${words}${saysOf(first.value)}`, 'giu'),
    ))
      if (!of.some(({ value }) => agrees(said, value) || (typeof value === 'string' && hasWord(more, value))))
        yield { text: whole.trim(), reason: `the ground ${first.path} is ${JSON.stringify(first.value)}` };
  };
  for (const ground of simple) yield* compare(ground.path, literal(ground.path), [ground]);
  for (const [key, of] of byKey) yield* compare(key, spelled(key), of);
}

/** "is still gold" states gold. */
const hasWord = (clause: string, word: string): boolean =>
  clause
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .includes(word.toLowerCase());

function agrees(said: string, value: unknown): boolean {
  const word = digits(said)
    .toLowerCase()
    .replace(/[.,]+$/, '');
  if (typeof value !== 'number') return word === String(value).toLowerCase();
  const size = Math.abs(value);
  return isKnown(word, { values: new Set([size]), tokens: new Set(), fractions: [size] });
}

const RECORD_PATH =
  /(?<![\p{L}\p{N}_./-])(?:status|charge|av|detection|live|scar|site|mail|findings?|processes|listeners|law|config|people|who|baseline|gate)(?:\[[^\]\n]*\])?(?:\.[a-z_]\w*(?:\[[^\]\n]*\])?)+/gu;

/** A path in the form of a ground, but is not one. */
function* paths(text: string, { grounds, question }: Sent): Generator<Flag> {
  for (const [found] of text.matchAll(RECORD_PATH)) {
    const known = grounds.some(
      ({ path }) => path === found || path.startsWith(`${found}.`) || path.startsWith(`${found}[`),
    );
    if (!known && !question.includes(found)) yield { text: found, reason: 'no ground has this path' };
  }
}

/** How commands begin that change something, run what comes from elsewhere or send something away. */
const ACTS: readonly RegExp[] = [
  /sudo\s+\S+/,
  /rm\s+-\S+/,
  /(?:curl|wget)\s+\S+/,
  /kill(?:all)?\s+-?\S*\d\S*/,
  /kill(?:all)?\s+-\S+/,
  /pkill\s+\S+/,
  /systemctl\s+\w+\s+\S+/,
  /ch(?:mod|own)\s+\S+\s+\S+/,
  /dd\s+(?:if|of)=\S+/,
  /mkfs\S*\s+\S+/,
  /(?:ba)?sh\s+-c\b/,
  /\|\s*(?:ba)?sh\b/,
  /desk\s+(?:scar\s+cook\s+cook|av\s+close|field\s+clear|accept|secure\s+learn|baseline\s+restore)\b/,
  /desk\s+(?:quarantine\s+(?:restore|purge)|people\s+(?:forget|export)|mail\s+test)\b/,
];
const COMMANDS = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${ACTS.map(({ source }) => source).join('|')})[^\\n.;]*`,
  'giu',
);

function* commands(text: string, { suggestions = [] }: Sent): Generator<Flag> {
  for (const [found] of text.matchAll(COMMANDS)) {
    const command = found.trim();
    if (!suggestions.some((known) => command.startsWith(known)))
      yield { text: command, reason: 'a command that the hostess did not suggest; nothing runs it' };
  }
}
