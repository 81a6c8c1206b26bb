/** A whole table does not answer a question with a word that has no place in it: then the answer says what was not understood. Pure. */
import { AnswerBuilder, type Plain, plain } from './answer-builder.ts';
import { STOP_WORDS } from './frequent.ts';
import { plainOf, type Slot } from './grammar/read.ts';
import { slip } from './grammar/slip.ts';
import { type Said, said } from './grammar/tables.ts';
import type { HostessWords } from './hostess.ts';
import type { Query } from './intent.ts';
import { folded } from './knowledge.ts';
import { conceptsOf, isStopWord } from './lexicon.ts';

/** Intents that tell a table as a whole: a word more would choose some of its rows. */
const WHOLE: ReadonlySet<string> = new Set([
  'listeners',
  'processes',
  'findings',
  'changes',
  'ports',
  'named',
]);
/** Intents that tell a record as a whole: it may answer all the same, but not in full. */
const RECORDS: ReadonlySet<string> = new Set([
  'site',
  'mail',
  'law',
  'baseline',
  'gate',
  'connections',
  'egress',
]);
const NOT_USED: Said = said(
  'I did not use {0}',
  'Nicht verwendet: {0}',
  'No he usado {0}',
  'Je n’ai pas utilisé {0}',
);
const MISSED: Said = said(
  'I did not understand {0}, and without it the answer would be to another question',
  'Ich habe {0} nicht verstanden, und ohne das wäre es die Antwort auf eine andere Frage',
  'No he entendido {0}, y sin eso la respuesta sería a otra pregunta',
  'Je n’ai pas compris {0}, et sans cela la réponse serait à une autre question',
);
const UNUSED: Said = said(
  'Not recorded, or not understood: {0}',
  'Nicht aufgezeichnet oder nicht verstanden: {0}',
  'No registrado, o no entendido: {0}',
  'Non enregistré, ou non compris : {0}',
);
/** A second question behind the first one. */
const SECOND =
  /(?<!\p{L})(?:and |und |y |et |[?;.] ?(?:and |und |y |et )?)((?:by whom|by who|since when|for how long|who|when|why|where|von wem|seit wann|wer|wann|warum|wo|por quien|desde cuando|quien|cuando|por que|donde|par qui|depuis quand|qui|quand|pourquoi)(?: (?:was|were|did|is|are|has|it|that|them|wurde|war|hat|das|fue|lo|a|l|c|est)){0,3})[\s?!.]*$/u;
const MORE_THAN = /^(?:more than|mehr als|mas de|plus d|plus de)$/;
const SEVERAL = /\b(?:more than (?:one|a single)|mehr als ein\w*|mas de un\w?|plus d une?)\b/;
/** Words that choose no rows, whatever they are beside. */
const HARMLESS =
  /^(?:contain\w*|includ\w*|matching|enthalt\w*|contien\w*|exist\w*|actual|active|alive|available|basically|simply|dude|man|mate|buddy|folks|friend|kindly|help|want|like|look|looking|quick|info|information|infos|report|status|overview|details?|ungefahr|mal|kurz|bloss|halt|wohl|nochmal|uberblick|info|infos|gerne|lieber|liebe|amigo|favor|porfa|gracias|porfavor|svp|stp|merci|informations?|resume|question|frage|pregunta|wondering|curious|interested|possible|please|pleas|everybody|together|gesamt|right|really|maschine|rechner|computer|server|system|machine|error|network|netz|netzwerk|red|reseau|working|works|work|functioning|marche|geht|gehen|lauft|funktioniert|funciona|fonctionne|reason|grund|raison|motivo|compared|fallt|give|giving|tell|start|started|folder|current|situation|state|respond\w*|response|reponse|respuesta|properly|existent|ordenador|equipo|ordinateur|ligne|linea|online)$/;

/** What only a query has a place for: order, figures, comparisons, parts of names. */
const PLACING: ReadonlySet<Slot['part']> = new Set(['order', 'aggregate', 'operator', 'match']);
const NARROWING: ReadonlySet<string> = new Set([
  ...['sorted', 'per', 'top', 'between', 'children'],
  ...['boot', 'enabled', 'ipv6', 'ipv4'],
]);

const words = (text: Said, language: Query['reading']['language'], parts: Plain): string =>
  text[language].replace('{0}', () => parts.text);

/** Words of the question that would choose rows, and are in no part of the answer. */
function missedBy({ reading }: Query, { answer, grounds, intent }: HostessWords): readonly string[] {
  const held =
    `${answer}\n${grounds.map(({ path, value }) => `${path} ${JSON.stringify(value)}`).join('\n')}`.toLowerCase();
  const isMissed = ({ part, value, text }: Slot): boolean => {
    if (intent !== 'query' && (PLACING.has(part) || NARROWING.has(value))) return true;
    if (part === 'address') return intent !== 'query' && !held.includes(text);
    if (part !== 'unread' && part !== 'stranger') return false;
    const word = folded(text);
    if (word.length < 3 || !/\p{L}/u.test(word) || HARMLESS.test(word)) return false;
    if (isStopWord(word) || STOP_WORDS.has(word)) return false;
    // A query has no place for it, and its answer says that it was not used.
    if (intent === 'query') return true;
    return conceptsOf(word).length === 0 && !isHeldNearly(word, held) && !held.includes(text.toLowerCase());
  };
  return reading.slots.filter(isMissed).map(({ text }) => text);
}

/** A mistyped word of the question that the answer has as it was meant. */
const isHeldNearly = (word: string, held: string): boolean =>
  word.length > 5 && (held.match(/[\p{L}_]{5,}/gu) ?? []).some((one) => slip(word, folded(one)) < 1);

const A_WORD: Said = said(
  'a word of the question',
  'ein Wort der Frage',
  'una palabra de la pregunta',
  'un mot de la question',
);
/** As the question has them; a word that was put right is in it otherwise. */
function quotes({ question, reading }: Query, missed: readonly string[]): Plain {
  const found = missed.flatMap((word) => {
    const at = question.text.toLowerCase().indexOf(word.toLowerCase());
    return at < 0 ? [] : [`"${question.text.slice(at, at + word.length)}"`];
  });
  return plain(found.length === 0 ? A_WORD[reading.language] : found.join(', '));
}

/** What belonged to a word that is left out. */
const DANGLING =
  / (?:on|in|of|at|by|with|from|for|to|auf|von|mit|bei|aus|für|sur|de|en|dans|avec|por|con|para)(?=\s*[?!.]*$)/iu;

/** Behind a pronoun or an auxiliary: without it, no sentence is left. */
const BEFORE_VERB =
  /(?:^|\s)(?:i|we|you|it|they|to|can|could|would|should|will|do|does|did|ich|man|wir|je|on|se|puedo|puede|peut|kann|who|wer|quien|quién|qui)\s+$/iu;
const isVerb = (question: string, missed: readonly string[]): boolean =>
  missed.some((word) => {
    const at = question.toLowerCase().indexOf(word.toLowerCase());
    return at > 0 && BEFORE_VERB.test(question.slice(0, at));
  });

/** The question without these words. */
function without(question: string, missed: readonly string[]): string {
  const text = missed.reduce((left, word) => {
    const at = left.toLowerCase().indexOf(word.toLowerCase());
    return at < 0 ? left : left.slice(0, at) + left.slice(at + word.length);
  }, question);
  return text
    .replace(/\s+/g, ' ')
    .replace(DANGLING, '')
    .replace(/ ([?!.,])/g, '$1')
    .trim();
}

/** Without a word of these, another thing is asked. */
const ASKS_HOW =
  /^[¿ ]*(?:how|why|what s the difference|what is the difference|wie(?! viele)|warum|wieso|was ist der|como|por que|comment|pourquoi|quelle est la difference|que diferencia|write|schreib\w*)\b/;

function notAnswered(asked: Query, missed: readonly string[]): HostessWords {
  const { question, context, reading } = asked;
  const out = new AnswerBuilder(context, reading.language);
  out.say`${plain(words(MISSED, reading.language, quotes(asked, missed)))}.`;
  const isLeft =
    missed.length < 2 && !isVerb(question.text, missed) && !ASKS_HOW.test(plainOf(question.text));
  const left = isLeft ? without(question.text, missed) : '';
  return {
    ...out.end('missed', true),
    ...{ understood: 'none', query: null, choices: left === '' ? [] : [left] },
  };
}

/** `answered`, or that it is not known what was asked. */
export function honest(asked: Query, answered: HostessWords): HostessWords {
  const { reading, question } = asked;
  if (answered.understood === 'none' || answered.refused) return answered;
  if (answered.intent === 'query' && answered.understood === 'full') return alsoAsked(asked, answered);
  const isLoose = answered.intent === 'query';
  if (question.term !== null && !isLoose) return answered;
  if (RECORDS.has(answered.intent) && answered.understood === 'full') return inPart(asked, answered);
  if (!isLoose && !WHOLE.has(answered.intent)) return answered;
  const missed = missedBy(asked, answered);
  // "On more than one port": several are.
  const isSeveral = isLoose && SEVERAL.test(plainOf(question.text)) && (asked.loose?.record.total ?? 0) > 1;
  if (isSeveral && missed.every((word) => MORE_THAN.test(plainOf(word)))) return answered;
  // A time without which the rows are all there are.
  const isTimeless =
    reading.moment !== null && !answered.grounds.some(({ path }) => path.startsWith('asked.')) && !isLoose;
  const all = isTimeless && reading.moment !== null ? [...missed, reading.moment.text] : missed;
  return all.length === 0 ? answered : notAnswered(asked, all);
}

/** The answer, and which words of the question are in no part of it. */
function inPart(asked: Query, answered: HostessWords): HostessWords {
  const missed = missedBy(asked, answered);
  return missed.length === 0 ? answered : withNote(asked, answered, NOT_USED, missed);
}

function withNote(asked: Query, answered: HostessWords, note: Said, missed: readonly string[]): HostessWords {
  const { context, reading } = asked;
  const out = new AnswerBuilder(context, reading.language);
  out.say`${plain(words(note, reading.language, quotes(asked, missed)))}.`;
  return { ...answered, answer: `${answered.answer} ${out.end('', false).answer}`, understood: 'partial' };
}

/** "And by whom": the rows do not say. */
function alsoAsked(asked: Query, answered: HostessWords): HostessWords {
  const { text } = asked.question;
  const also = SECOND.exec(plainOf(text))?.[1];
  const { kind = null, stranger = null } = asked.plan ?? {};
  // The second question is what was answered, or there is nothing to ask of.
  const isTold = kind === 'cells' || kind === 'user' || stranger !== null;
  return also === undefined || isTold || asksOnly(text)
    ? answered
    : withNote(asked, answered, UNUSED, [also]);
}

/** A follow-up that is nothing else: "and when?" */
const asksOnly = (text: string): boolean => text.trim().split(/\s+/).length < 4;
