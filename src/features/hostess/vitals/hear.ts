/** What a question about the machine or about what processes use says, word by word. Pure. */
import { distance } from '../../../base/nearest.ts';
import type { Instant } from '../../../engine/snapshot.ts';
import { plainOf } from '../grammar/read.ts';
import type { Language } from '../grammar/vocabulary.ts';
import { folded } from '../knowledge.ts';
import { type Concept, conceptsOf, isCommon, isFrequent, isOrdinary, isStopWord } from '../lexicon.ts';
import { type Moment, momentIn } from '../times.ts';
import { languageSaid, type Sense, vitalWords } from './vocabulary.ts';

export const QUANTITIES = [
  ...['load', 'cpu', 'cores', 'memory', 'swap', 'disk', 'inodes', 'read-only', 'uptime', 'temperature'],
  ...['network', 'pressure', 'iowait', 'steal', 'io', 'units', 'updates', 'security', 'reboot', 'oom'],
  ...['clock', 'all'],
] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** A number with what it is a number of. */
export interface Amount {
  readonly value: number;
  /** Bytes are in `value`; "" for a bare number. */
  readonly unit: '%' | 'bytes' | 'celsius' | '';
  readonly compare: '>' | '<' | null;
  /** As written. */
  readonly text: string;
}

export interface Named {
  readonly text: string;
  readonly where: string;
}

export interface Heard {
  readonly language: Language;
  readonly quantities: readonly Quantity[];
  readonly amounts: readonly Amount[];
  readonly moment: Moment | null;
  /** Running programs, and names that nothing has, in their order. */
  readonly programs: readonly (Named & { readonly runs: boolean })[];
  readonly users: readonly Named[];
  /** Mount points, devices and interfaces. */
  readonly places: readonly string[];
  /** Content words without a place. */
  readonly unused: readonly string[];
  /** A word whose subject is another one. */
  readonly isElsewhere: boolean;
  readonly plain: string;
  has(...senses: readonly string[]): boolean;
  /** The place of the first word with this sense; -1 without one. */
  at(sense: string): number;
}

/** What there is, by name. */
export interface Known {
  programs(name: string): readonly (readonly [column: 'comm' | 'executable', name: string])[];
  uid(name: string): number | null;
  isUser(name: string): boolean;
  /** The process of the service; null without one. */
  readonly self: number | null;
}

const TIME_MARK = '\u0001';
const AMOUNT_MARK = '\u0002';
const UNIT_BYTES: Readonly<Record<string, number>> = {
  ...{ b: 1, byte: 1, bytes: 1, octet: 1, octets: 1 },
  ...{ kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, ko: 1e3, mo: 1e6, go: 1e9, to: 1e12 },
  ...{ kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 },
  ...{ mega: 1e6, megas: 1e6, megabyte: 1e6, megabytes: 1e6, giga: 1e9, gigas: 1e9, gigs: 1e9, gig: 1e9 },
  ...{ gigabyte: 1e9, gigabytes: 1e9, megaoctets: 1e6, gigaoctets: 1e9, meg: 1e6, megs: 1e6 },
  ...{ terabyte: 1e12, terabytes: 1e12 },
};
const AMOUNT = new RegExp(
  `(?<![\\w./:-])(\\d{1,12}(?:[.,]\\d{1,3})?) ?(%|percent|prozent|por ?ciento|pour ?cents?|°c?|degrees|degres|grados|grad|celsius|${Object.keys(UNIT_BYTES).join('|')})?(?![\\w])`,
  'g',
);

const BETWEEN = new RegExp(
  `\\b(?:between|zwischen|entre) (\\d[\\d.,]*) ?([a-z%]+)? (and|und|y|et) (\\d[\\d.,]*) ?(${Object.keys(UNIT_BYTES).join('|')}|%)`,
);
const LIMITS: Readonly<Record<string, readonly [string, string]>> = {
  and: ['more than', 'less than'],
  und: ['mehr als', 'weniger als'],
  y: ['mas de', 'menos de'],
  et: ['plus de', 'moins de'],
};
/** "Between 1 and 2 GB" is more than the one and less than the other. */
function asLimits(
  _: string,
  from: string,
  unit: string | undefined,
  and: string,
  to: string,
  end: string,
): string {
  const [more, less] = LIMITS[and] as readonly [string, string];
  return `${more} ${from} ${unit ?? end} ${less} ${to} ${end}`;
}

const amountOf = (number: string, unit = ''): Omit<Amount, 'compare' | 'text'> => {
  const value = Number(number.replace(',', '.'));
  if (/^(?:%|p)/.test(unit)) return { value, unit: '%' };
  if (/^(?:°|deg|gra|cel)/.test(unit)) return { value, unit: 'celsius' };
  const bytes = UNIT_BYTES[unit];
  return bytes === undefined ? { value, unit: '' } : { value: Math.round(value * bytes), unit: 'bytes' };
};

const WORD_NUMBERS: ReadonlyMap<string, number> = new Map(
  [
    ['two zwei deux dos', 2],
    ['three drei trois tres', 3],
    ['four vier quatre cuatro', 4],
    ['five funf cinq cinco', 5],
    ['six sechs seis', 6],
    ['ten zehn dix diez', 10],
    ['dozen dutzend douzaine docena', 12],
  ].flatMap(([words, value]) =>
    String(words)
      .split(' ')
      .map((word): [string, number] => [word, Number(value)]),
  ),
);

/** What only makes a question polite. */
const POLITE =
  /\b(?:(?:could|can|would|will) you (?:please |kindly |maybe )*(?:tell|show|give|say|list|look up|let)(?: me| us)?(?: know)?|do you (?:happen to )?know|i (?:would|d) (?:like|love) to know|i (?:want|need) to know|i was wondering|any idea|kannst du(?: mir| uns)?(?: bitte| mal)?|konnt?e?st du(?: mir| uns)?(?: bitte| mal)?|konnten sie(?: mir| uns)?(?: bitte)?|ich (?:mochte|wurde gerne?|wollte|will)(?: gerne?)? wissen|weisst du|sag(?:en)?(?: mir)?(?: bitte)? mal|(?:peux tu|pourrais tu|pourriez vous|pouvez vous|tu peux)(?: me| nous)?(?: dire| montrer| donner| indiquer)?|je (?:voudrais|veux|souhaite|souhaiterais|aimerais)(?: bien)? (?:savoir|connaitre)|sais tu|(?:me )?(?:puedes|podrias|puede|podria)(?: usted)? (?:decir|mostrar|dar|indicar)(?:me|nos)?|(?:me|nos) (?:puedes|podrias) (?:decir|dar|mostrar)|(?:quisiera|quiero|me gustaria) saber|sabes|thanks?(?: you)?|danke|merci|gracias)\b/g;

/** Subjects of their own that may share a word with this one. */
const HARMLESS: ReadonlySet<Concept> = new Set([
  ...([
    'count',
    'which',
    'who',
    'why',
    'see',
    'should',
    'since',
    'run',
    'up',
    'well',
    'issue',
    'high',
  ] as const),
  ...([
    'low',
    'not',
    'process',
    'nothing',
    'temperature',
    'medium',
    'worst',
    'speed',
    'help',
    'down',
  ] as const),
]);

/** Of the desk, not of the machine. */
const OTHER =
  /\b(?:load ?balanc\w*|lastverteil\w*|balanceador\w*|repartiteur\w*|desk|hostess|yourself|are you|do you|does the service|recheck|user space|in charge|preload|memfd|from memory|in memory|on disk|off disk|du selbst|toi meme|baseline|(?:was|is) (?:your|dein|deine|ton|tu))\b/;
/** Asks for a way. */
const HOW_TO =
  /\b(?:how (?:do|can|should|could|would) (?:i|we|you|one)|how to|wie (?:kann|konnte|muss|soll) (?:ich|man|wir)|wie (?:mache|stelle|richte|installiere|starte) ich|como (?:puedo|hago|se (?:puede|hace)|instalo|reinicio)|comment (?:faire|puis je|je peux|peut on|on|je))\b/;

const PLACE =
  /^(?:\/[\w./-]*|(?:\/dev\/)?(?:sd[a-z]\d*|vd[a-z]\d*|xvd[a-z]\d*|nvme\d\w*|md\d+|dm-\d+)|(?:eth|en[opsx]|wl|wlan|lo|docker|br|veth|wg|tun|tap|bond)[\w.-]*\d[\w.-]*|lo)$/;

const FLIPPED = [
  'the',
  'and',
  'was',
  'der',
  'die',
  'das',
  'les',
  'los',
  'que',
  'est',
  'ist',
  'how',
  'what',
  'von',
  'des',
];
const sorted = (word: string): string => [...word].sort().join('');
/** "Teh" is the. */
const isFlipped = (word: string): boolean =>
  FLIPPED.some((one) => one.length === word.length && sorted(one) === sorted(word));

/** Shorter words resemble too many. */
const SHORTEST_MISSPELLED = 4;
/** Of a value that is asked for: "free memory in GB". */
const UNIT = /^(?:[kmgt]i?b|(?:kilo|mega|giga|tera)?bytes?|octets?|percent|prozent|porcentaje|pourcent)$/;
const LONG = 8;

const ROLES_OF_ALL: ReadonlySet<string> = new Set(['q', 'p', 'a']);

interface Token {
  readonly plain: string;
  readonly text: string;
}

function tokensOf(rest: string, original: string): Token[] {
  const written = new Map<string, string>();
  for (const word of original.split(/[\s,;!?()"“”„«»¿¡'’`]+/u)) {
    const bare = word.replace(/[.:]+$/gu, '');
    if (bare !== '') written.set(plainOf(bare), bare);
  }
  return rest
    .split(/[\s,;!?()"“”„«»¿¡=]+/u)
    .map((word) => word.replace(/[.:]+$|^[.:]+/g, ''))
    .filter((word) => word !== '')
    .slice(0, 40)
    .map((plain) => ({ plain, text: written.get(plain) ?? plain }));
}

/** Both halves of a word, where each is a word: "Plattenauslastung". */
function halvesOf(word: string, nouns: ReadonlySet<string>): readonly [string, string] | null {
  for (let at = 3; at <= word.length - 3; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (!nouns.has(tail)) continue;
    for (const one of [head, head.replace(/s$/, ''), head.replace(/n$/, '')])
      if (nouns.has(one)) return [one, tail];
  }
  return null;
}

function respelled(word: string, single: ReadonlySet<string>): string | null {
  if (word.length < SHORTEST_MISSPELLED || /[^a-z]/.test(word)) return null;
  const most = word.length >= LONG ? 2 : 1;
  let [best, least] = [null as string | null, most + 1];
  for (const one of single) {
    if (one.length < SHORTEST_MISSPELLED || Math.abs(one.length - word.length) > most || one[0] !== word[0])
      continue;
    // Many short words differ by one letter: "cure" is no core.
    if (word.length === SHORTEST_MISSPELLED && one.length === word.length) continue;
    const far = distance(word, one);
    if (far < least) [best, least] = [one, far];
  }
  return best;
}

export function hear(message: string, now: Instant, known: Known, otherwise: Language): Heard {
  const text = message.trim().replace(/\s+/g, ' ').slice(0, 600);
  const whole = plainOf(text).replace(POLITE, ' ').replace(/\s+/g, ' ').trim();
  const { moment, rest: untimed } = momentIn(whole, now, ` ${TIME_MARK} `);
  const numbers: { readonly amount: Omit<Amount, 'compare' | 'text'>; readonly text: string }[] = [];
  const rest = untimed
    .replace(BETWEEN, asLimits)
    .replace(AMOUNT, (all: string, number: string, unit?: string) => {
      numbers.push({ amount: amountOf(number, unit), text: all });
      return ` ${AMOUNT_MARK} `;
    });
  const tokens = tokensOf(rest, text);
  for (const [at, { plain }] of [...tokens.entries()].reverse()) {
    const parts = plain.length < 9 || isOrdinary(plain) ? null : halvesOf(plain, vitalWords('de').nouns);
    if (parts !== null && !vitalWords('de').single.has(plain))
      tokens.splice(at, 1, ...parts.map((one) => ({ plain: one, text: one })));
  }
  const language = languageSaid(
    tokens.map(({ plain }) => plain),
    otherwise,
  );
  const own = vitalWords(language);
  const english = vitalWords('en');
  const senses: (Sense & { readonly 0: string })[] = [];
  const places: string[] = [];
  const programs: Heard['programs'][number][] = [];
  const users: Named[] = [];
  const unused: string[] = [];
  const amounts: Amount[] = [];
  let isElsewhere = OTHER.test(whole) || HOW_TO.test(whole);
  let compare: Amount['compare'] = null;
  const phraseAt = (from: number): { readonly all: readonly Sense[]; readonly length: number } | null => {
    for (let length = Math.min(5, tokens.length - from); length > 0; length -= 1) {
      const said = tokens
        .slice(from, from + length)
        .map(({ plain }) => plain)
        .join(' ');
      const all =
        own.phrases.get(said) ?? english.phrases.get(said)?.filter(([role]) => ROLES_OF_ALL.has(role));
      if (all !== undefined && all.length > 0) return { all, length };
    }
    return null;
  };
  for (let at = 0; at < tokens.length; ) {
    const { plain: word, text: written } = tokens[at] as Token;
    if (word === TIME_MARK) {
      at += 1;
      continue;
    }
    if (word === AMOUNT_MARK) {
      const number = numbers.shift();
      if (number !== undefined) amounts.push({ ...number.amount, compare, text: number.text.trim() });
      compare = null;
      at += 1;
      continue;
    }
    const found = phraseAt(at);
    if (found !== null) {
      senses.push(...found.all);
      for (const [role, name] of found.all)
        if (role === 'o' && (name === 'more' || name === 'less')) compare = name === 'more' ? '>' : '<';
      at += found.length;
      continue;
    }
    const number = WORD_NUMBERS.get(word);
    if (number !== undefined) {
      amounts.push({ value: number, unit: '', compare, text: written });
      compare = null;
      at += 1;
      continue;
    }
    const isBefore =
      /^(?:of|does|do|by|is|has|von|braucht|hat|de|del|usa|par|user|benutzer|utilisateur|usuario|d)$/.test(
        tokens[at - 1]?.plain ?? '',
      );
    if (PLACE.test(written)) places.push(written);
    else if (!isCommon(word) && known.programs(written).length > 0)
      programs.push({ text: written, where: programWhere(known.programs(written)), runs: true });
    else if ((word === 'root' || !isStopWord(word)) && known.isUser(written))
      users.push({ text: written, where: `uid = ${known.uid(written)}` });
    else if (isStopWord(word) || isFlipped(word) || UNIT.test(word)) senses.push(['x', word]);
    else {
      const dashed = word.split('-');
      const halves = dashed.length === 2 ? (dashed as [string, string]) : halvesOf(word, own.nouns);
      const isSplit =
        halves !== null && (dashed.length === 2 ? halves.some((one) => own.single.has(one)) : true);
      if (isSplit && halves !== null) {
        const parts = dashed.length === 2 ? written.split('-') : halves;
        tokens.splice(at, 1, ...parts.map((one) => ({ plain: plainOf(one), text: one })));
        continue;
      }
      const concepts = conceptsOf(folded(word));
      const right = isFrequent(word) || isOrdinary(word) ? null : respelled(word, own.single);
      if (right !== null) {
        tokens[at] = { plain: right, text: right };
        if (phraseAt(at) !== null) continue;
        senses.push(['x', right]);
      } else if (concepts.some((one) => !HARMLESS.has(one))) isElsewhere = true;
      else if (concepts.length === 0) {
        if (isBefore && /^[\w.+@-]+$/.test(written) && !isFrequent(word))
          programs.push({ text: written, where: `name = ${JSON.stringify(written)}`, runs: false });
        else unused.push(written);
      }
    }
    at += 1;
  }
  const named = new Set(senses.map(([role, name]) => `${role}:${name}`));
  const list = senses.filter(([role]) => role === 'q').map(([, name]) => name as Quantity);
  const supports = { io: ['q:disk', 'q:io', 'p:process'], network: ['q:network'] } as const;
  for (const one of ['io', 'network'] as const)
    if (named.has(`w:${one}`) && (supports[one].some((sense) => named.has(sense)) || places.length > 0))
      list.push(one);
  return {
    ...{ language, amounts, moment, programs, users, places, unused, isElsewhere, plain: whole },
    quantities: [...new Set(list)],
    has: (...wanted) => wanted.some((one) => named.has(one)),
    at: (sense) => senses.findIndex(([role, name]) => `${role}:${name}` === sense),
  };
}

const programWhere = (found: readonly (readonly ['comm' | 'executable', string])[]): string => {
  const parts = found.map(
    ([column, name]) => `${column === 'comm' ? 'name' : 'executable'} = ${JSON.stringify(name)}`,
  );
  return parts.length > 1 ? `(${parts.join(' or ')})` : (parts[0] as string);
};
