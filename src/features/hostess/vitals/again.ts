/** Follow-ups of values of the machine that name none: "is that high?", "and yesterday?". Pure. */
import type { Instant } from '../../../engine/snapshot.ts';
import type { Query } from '../../../query/types.ts';
import { bareOf } from '../grammar/follow-words.ts';
import { plainOf } from '../grammar/read.ts';
import { LANGUAGES, type Language } from '../grammar/vocabulary.ts';
import { momentIn } from '../times.ts';
import { QUANTITIES, type Quantity } from './hear.ts';
import { parsed } from './patterns.ts';
import { COLUMNS } from './quantities.ts';
import { wordsOf } from './vocabulary.ts';

type Judged = 'bad' | 'good' | 'much';

const HERE =
  '(?: (?:for|on|auf|fur|para|en|pour|sur) (?:(?:this|the|my|our|a|such a|diese[nrs]?|die|den|das|eine[n]?|unsere[n]?|esta|este|la|el|una?|nuestr[oa]|cette|ce|une?|notre) )?[a-z]+(?: like this)?)?';
const MORE =
  '(?:(?:too|very|really|rather|quite|unusually|zu|sehr|ziemlich|eher|muy|demasiado|trop|tres|plutot) )?';

/** How a value is judged, by language: what is too much of it, what is right, and an amount. */
const ROWS: readonly (readonly [Judged, en: string, de: string, es: string, fr: string])[] = [
  [
    'bad',
    '(?:is|are|isn t) (?:that|it|this|those|they)(?: value)? MORE(?:high|bad|critical|a problem|dangerous|worrying|heavy|urgent|important)|MORE(?:high|bad)|should i (?:worry|be worried)(?: about (?:it|that))?',
    '(?:ist|sind) (?:das|es|der|die|sie)(?: wert)? (?:denn |nicht )?MORE(?:hoch|schlimm|schlecht|kritisch|ein problem|bedenklich|gefahrlich)|MORE(?:hoch|schlimm)',
    '(?:es|son|esta) (?:eso |esto )?MORE(?:alt[oa]|mal[oa]?|critic[oa]|un problema|preocupante|grave)|MORE(?:alto|alta|malo)',
    '(?:c est|est ce|est ce que c est|ce n est pas) MORE(?:eleve|haut|grave|mauvais|critique|un probleme|inquietant)|MORE(?:eleve|grave)',
  ],
  [
    'good',
    '(?:is|are) (?:that|it|this|those|they)(?: value)? MORE(?:ok|okay|normal|fine|good|healthy|enough|usual|alright|all right|acceptable|healthy)|normal|ok|okay|enough|fine',
    '(?:ist|sind|reicht) (?:das|es|der|die|sie)(?: wert)?(?: denn)?(?: MORE(?:ok|okay|normal|gut|in ordnung|genug|ublich|gesund|ausreichend|aus))?|normal|in ordnung|genug',
    '(?:es|son|esta) (?:eso |esto )?MORE(?:normal|bien|suficiente|bueno|correcto|habitual|aceptable)|normal|suficiente',
    '(?:c est|est ce|est ce que c est) MORE(?:normal|bien|bon|suffisant|assez|correct|acceptable)|ca suffit|normal|suffisant',
  ],
  [
    'much',
    '(?:is|are) (?:that|it|this|those|they) MORE(?:much|a lot|little|low|few|not much|big|large)|(?:too )?much|a lot',
    '(?:ist|sind) (?:das|es|die|sie) (?:denn )?MORE(?:viel|wenig|niedrig|gross)|MOREviel',
    '(?:es|son) (?:eso |esto )?MORE(?:much[oa]|poc[oa]|baj[oa]|grande)|mucho',
    '(?:c est|est ce|est ce que c est|ca fait) MORE(?:beaucoup|peu|bas|faible|grand)|beaucoup',
  ],
];
const PATTERNS = ROWS.map(([judged, ...texts]) => ({
  judged,
  patterns: texts.map((text) => new RegExp(`^(?:${text.replaceAll('MORE', MORE)})${HERE}$`)),
}));

/** Values of which a large amount is bad; of others the same word can mean what is free. */
const BAD_WHEN_MUCH: ReadonlySet<Quantity> = new Set(['load', 'cpu', 'pressure', 'iowait', 'steal']);

const ASKS: Readonly<Record<Language, Readonly<Record<Judged, (value: string) => string>>>> = {
  en: { bad: (one) => `is the ${one} high?`, good: (one) => `is the ${one} ok?`, much: (one) => one },
  de: { bad: (one) => `ist ${one} hoch?`, good: (one) => `ist ${one} in ordnung?`, much: (one) => one },
  es: { bad: (one) => `${one} es alta?`, good: (one) => `${one} es normal?`, much: (one) => one },
  fr: {
    bad: (one) => `${one} est elle élevée ?`,
    good: (one) => `${one} est elle normale ?`,
    much: (one) => one,
  },
};

/** The value that a query has read; null without one, or with several. */
function quantityOf({ from, select }: Query): Quantity | null {
  const columns = select.flatMap(({ column }) => column?.text ?? []);
  const fits = QUANTITIES.filter((one) => {
    const own = COLUMNS[one][from.text] ?? [];
    return own.length > 0 && own.every((column) => columns.includes(column));
  });
  const size = (one: Quantity): number => COLUMNS[one][from.text]?.length ?? 0;
  return [...fits].filter((one) => one !== 'all').sort((a, b) => size(b) - size(a))[0] ?? null;
}

const SAYS_TIME_ONLY =
  /^(?:and|und|y|et|what about|how about|was war|wie war es|what was it|how was it|hace|il y a|t|\s|[?¿!.,])*$/;

/** The question in full; null where it is no follow-up of that kind. */
export function inFull(
  message: string,
  previous: string | null,
  now: Instant,
  otherwise: Language,
): string | null {
  const before = parsed(previous);
  const quantity = before === null ? null : quantityOf(before);
  if (quantity === null) return null;
  const plain = plainOf(message);
  const bare = bareOf(plain);
  const wordOf = (language: Language): string => wordsOf(quantity, language)[0] ?? quantity;
  for (const language of [otherwise, ...LANGUAGES.filter((one) => one !== otherwise)])
    for (const { judged, patterns } of PATTERNS)
      if (patterns[LANGUAGES.indexOf(language)]?.test(bare) === true) {
        const as = judged === 'much' && BAD_WHEN_MUCH.has(quantity) ? 'bad' : judged;
        return ASKS[language][as](wordOf(language));
      }
  const { moment, rest } = momentIn(plain, now, ' ');
  return moment !== null && SAYS_TIME_ONLY.test(rest) ? `${wordOf(otherwise)} ${plain}` : null;
}

/** It judges something as high or normal, and does not say what. */
export const isJudging = (plain: string): boolean =>
  POINTS.test(plain) && PATTERNS.some(({ patterns }) => patterns.some((one) => one.test(bareOf(plain))));
const POINTS = /\b(?:that|this|those|das|eso|esto|ce|c est)\b/;
