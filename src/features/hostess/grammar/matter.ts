/** What to do about a named matter, and what to do first: the findings about it with their remedies, never those about something else. */
import { literal } from '../../../base/literal.ts';
import { type AnswerBuilder, type Plain, part, plain } from '../answer-builder.ts';
import type { Query } from '../intent.ts';
import { writtenIn } from '../knowledge.ts';
import { quoted } from '../paths.ts';
import { matterIn } from './advice.ts';
import { goalOf } from './goals.ts';
import type { Slot } from './read.ts';
import { plainOf } from './read.ts';
import { type Said, said } from './tables.ts';

const REMEDY =
  /\b(?:what (?:do|should|can|shall|must) (?:i|we) (?:do|now)\b|what to do|what now|how (?:do|should|can|would|could) (?:i|we|one) (?:react|respond|deal|handle|proceed|treat|get rid|resolve|solve|fix|cure)|how to (?:react|respond|deal|handle|fix|get rid)|was (?:soll|muss|kann|sollte|mache?|tue?) (?:ich|man|wir)|was (?:jetzt|nun|tun)\b|was ist (?:zu tun|dagegen)|wie (?:reagiere|behebe|beseitige|lose|repariere|werde) (?:ich|man|wir)|wie gehe? (?:ich|man)|que (?:hago|hacemos|debo hacer|debemos hacer|puedo hacer|tengo que hacer|hay que hacer|deberia hacer|hacer (?:con|contra|ante))|como (?:debo |puedo )?(?:reacciono|reaccionar|arreglo|arreglar|soluciono|solucionar|resuelvo|resolver|corrijo)|que (?:dois je|puis je|faut il|devrais je|devons nous) faire|que faire|qu est ce que je (?:fais|dois|peux)|comment (?:reagir|je reagis|dois je reagir|corriger|regler|resoudre|reparer|traiter))\b/;
/** Asks whether there is something of a kind that should not be. */
const SUSPECT =
  /\b(?:(?:should ?n t|should not|ought not|not supposed)|suspicious|suspect\w*|unknown|strange|weird|odd|rogue|wrong with|bad|verdachtig\w*|unbekannt\w*|komisch\w*|seltsam\w*|merkwurdig\w*|auffallig\w*|nicht (?:da |hier |dort )?(?:sein|hin)\w* ?soll\w*|nicht soll\w*|sospechos\w*|desconocid\w*|rar[oa]s?|extran[oa]s?|no deberi\w*|inconnu\w*|bizarres?|etranges?|ne devrai\w*)\b/;
const IS_THERE =
  /^[¿ ]*(?:is there|are there|do (?:i|we|you) have|any|are any|have you (?:found|seen)|did you find|is anything|anything|gibt es|hast du|habe ich|haben wir|sind|ist|hay|tengo|tenemos|existe\w*|y a t il|il y a|est ce qu il y a|ai je|avons nous|as tu)\b/;

/** What is to be done before all else. */
const FIRST =
  /^[¿ ]*(?:(?:ok |so |and |well |please |hey )*(?:what (?:should|do|would|must|shall|can|could|to) ?(?:i|we|you|be)? ?(?:need to |have to )?(?:fix|do|tackle|handle|address|repair|solve|look at|start with|start on|take care of|deal with|begin with|work on)(?: \w+)? ?(?:first|most urgently)|which (?:finding|problem|issue|one|thing) (?:should|do|would|must) (?:i|we|you) (?:fix|tackle|handle|address|solve|look at|deal with)(?: \w+)? ?first|where (?:should|do|would|can|shall) (?:i|we|you) (?:start|begin)|what (?:needs?|must be|requires?|should be) (?:to be )?(?:fix\w*|attention|done|action|handled|doing)(?: first| most urgently| the most| most)|what (?:is|s) (?:the )?(?:most urgent|most pressing|top priority|first priority|highest priority|number one priority|first (?:thing|step)(?: (?:i|we) should do| to do)?)(?: (?:thing|problem|issue|task|finding))?(?: (?:to (?:fix|do)|right now|now))?|(?:top|first|highest) priority|first things first|(?:und )?(?:womit|wo|mit was) (?:soll|sollte|fange|fang|beginne|muss) (?:ich|wir|man)(?: (?:an|anfangen|beginnen|zuerst anfangen))?(?: (?:an|anfangen|beginnen))?|was (?:soll|sollte|muss|wurdest|repariere|behebe|mache|tue) (?:ich|du|wir|man)? ?(?:jetzt )?(?:zuerst|als erstes|zuallererst)(?: \w+)?|was (?:ist|hat) (?:am dringendsten|am wichtigsten|das dringendste|das wichtigste|hochste prioritat|vorrang)(?: zu (?:tun|beheben))?|was muss (?:am dringendsten|zuerst|als erstes) .*|(?:por donde|con que) (?:empiezo|empezamos|debo empezar|deberia empezar|comienzo|empezar|comenzar)|que (?:debo|deberia|tengo que|hay que|arreglo|hago|soluciono|corrijo)(?: \w+)? ?(?:primero|antes|en primer lugar|lo primero)|que es lo (?:mas urgente|mas importante|primero)(?: que .*)?|(?:par quoi|par ou) (?:je |on |dois je |faut il |devrais je )?(?:commence\w*)(?: (?:je|t on))?|que (?:dois je|faut il|devrais je)(?: \w+)? (?:en premier|d abord|en priorite)|qu est ce (?:qui est|que je dois)(?: \w+)? (?:le plus urgent|en premier|d abord|en priorite|urgent)))[?!. ]*$/;

/** Since when something is found. */
const WHEN =
  /^[¿ ]*(?:since when|for how long|how long|when|seit wann|wie lange|wann|desde cuando|cuando|depuis quand|quand)\b/;
const PROBLEM =
  /\b(?:findings?|problems?|issues?|flagged|reported|warning|befund\w*|problem|gemeldet|verdachtig|hallazgos?|problemas?|senalad\w*|constats?|problemes?|signale\w*)\b/;

/** The finding that is worst, whatever else it says. */
const WORST =
  /\b(?:worst|most (?:serious|severe|critical|dangerous|urgent|important)|schlimmste[nrs]?|schwerste[nrs]?|dringendste[nrs]?|peor(?:es)?|mas (?:grave|urgente|peligros\w+)|pires?|plus (?:grave|urgent|dangereux))\b.*\b(?:finding|problem|issue|befund|fund|hallazgo|constat|probleme|problema)\b|\b(?:finding|problem|issue|befund|hallazgo|constat|probleme|problema)\b.*\b(?:mas (?:grave|urgente|peligros\w+)|plus (?:grave|urgent|dangereux))\b/;

const MOST = 3;

/** Of the findings that a question names: which, and what was named; the check that would find it. */
export type Matter =
  | { readonly what: 'first' }
  | { readonly what: 'since'; readonly ids: readonly string[] }
  | {
      readonly what: 'about';
      readonly ids: readonly string[];
      readonly named: string;
      readonly checks: readonly string[];
      /** Asks whether there is any. */
      readonly isWhether: boolean;
    };

/** Words of a question with their marks and capitals; "" where they are parts of words. */
function asWritten(text: string, named: string): string {
  const words = text.split(/\s+/);
  const many = named.split(' ').length;
  const phrases = words.map((_, at) =>
    words
      .slice(at, at + many)
      .join(' ')
      .replace(/[?!.,;:]+$/, ''),
  );
  return phrases.find((phrase) => plainOf(phrase) === named) ?? writtenIn(text, named) ?? '';
}

interface Row {
  readonly id: string;
  readonly check: string;
  readonly summary: string;
}

const wordIn = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\p{L}\\d])${literal(word)}(?![\\p{L}\\d])`, 'u').test(text);

/** Numbers and names of a question that a finding may be about. */
const isName = ({ part, text }: Slot): boolean =>
  part === 'program' ||
  part === 'about' ||
  part === 'user' ||
  (part === 'stranger' && !/^\//.test(text)) ||
  (part === 'number' && /\d{2}/.test(text));

/** Null where a question asks for no such thing, names nothing that a check looks for, or asks for a way that is documented. */
export function matterOf(asked: Query, text: string): Matter | null {
  const found = namedBy(asked, text);
  const isFound = found === null || found.what === 'first' || found.ids.length > 0;
  return isFound || goalOf(asked.reading, text) === null ? found : null;
}

function namedBy({ question, context, reading, queried, previous }: Query, text: string): Matter | null {
  if (FIRST.test(text) || (REMEDY.test(text) && WORST.test(text))) return { what: 'first' };
  const asksRemedy = REMEDY.test(text);
  const isWhether = !asksRemedy && queried === null && SUSPECT.test(text) && IS_THERE.test(text);
  if (question.entities.finding !== null) return null;
  const rows: readonly Row[] = context.state.judgement.findings;
  const names = reading.slots.filter(isName).map(({ text: name }) => name);
  const of = rows.filter(({ summary }) => names.some((name) => wordIn(summary, name)));
  const first = names[0];
  if (asksRemedy && of.length > 0 && first !== undefined)
    return { what: 'about', ids: of.map(({ id }) => id), named: first, checks: [], isWhether };
  if (of.length > 0 && first !== undefined && WHEN.test(text) && PROBLEM.test(text))
    return { what: 'since', ids: of.map(({ id }) => id) };
  if (!asksRemedy && !isWhether) return null;
  const matter = matterIn(text, isWhether && names.length === 0);
  if (matter === null) {
    const isOfNumber = /\d{2}/.test(first ?? '') && asksRemedy && previous === null && queried === null;
    return isOfNumber && first !== undefined
      ? { what: 'about', ids: [], named: first, checks: [], isWhether }
      : null;
  }
  const found = rows.filter(
    ({ check, summary }) =>
      (matter.checks.includes(check) && (matter.of?.test(plainOf(summary)) ?? true)) ||
      matter.matter.test(plainOf(summary)),
  );
  const { checks } = matter;
  const named = asWritten(question.text, matter.named);
  return { what: 'about', ids: found.map(({ id }) => id), named, checks, isWhether };
}

const TO_DO = said(
  'What to do:',
  'Was zu tun ist (englisch):',
  'Qué hacer (en inglés):',
  'Que faire (en anglais) :',
);
const NO_REMEDY = said(
  'No remedy is recorded',
  'Eine Abhilfe ist nicht aufgezeichnet',
  'No hay remedio registrado',
  'Aucun remède n’est noté',
);
const NONE = said(
  'No open finding is about',
  'Kein offener Befund handelt von',
  'Ningún hallazgo abierto trata de',
  'Aucun constat ouvert ne parle de',
);
const LOOKS = said('What looks for it', 'Was danach sucht', 'Lo que lo busca', 'Ce qui le cherche');
const NOTHING = said(
  'Nothing: no issue is open',
  'Nichts: es ist kein Problem offen',
  'Nada: no hay ningún problema abierto',
  'Rien : aucun problème n’est ouvert',
);
const WORST_IS = said(
  'The worst one first:',
  'Das Schlimmste zuerst (englisch):',
  'Primero lo peor (en inglés):',
  'D’abord le pire (en anglais) :',
);
const THAT = said('that', 'davon', 'eso', 'cela');
const SINCE = said('First seen', 'Zuerst gesehen', 'Visto por primera vez', 'Vu pour la première fois');
const ISSUES = said(
  'Open issues in all:',
  'Offene Probleme insgesamt:',
  'Problemas abiertos en total:',
  'Problèmes ouverts en tout :',
);

type Told = (texts: Said) => Plain;

function sayFinding(out: AnswerBuilder, t: Told, id: string): void {
  const get = out.at(`detection.findings[id=${id}]`);
  const remedy = get('remedy');
  out.say`${get('severity')}: ${get('summary')}. ${remedy.value === '' ? t(NO_REMEDY) : part`${t(TO_DO)} ${remedy}`}.`;
  out.suggest(`desk findings ${id}`);
}

function sayFirst(out: AnswerBuilder, t: Told, worst: string | undefined): boolean {
  if (worst !== undefined) {
    out.say`${t(WORST_IS)}`;
    sayFinding(out, t, worst);
  }
  const issues = out.ground('status.issues.length');
  if (worst !== undefined) out.suggest('desk findings');
  else if (issues.value === 0) out.say`${t(NOTHING)}.`;
  else out.say`${out.ground('status.issues[0]')}.`;
  if (Number(issues.value) > 1) out.say`${t(ISSUES)} ${issues}.`;
  out.suggest('desk status');
  return true;
}

/** False where no finding is about it, and no check looks for it. */
export function sayMatter(out: AnswerBuilder, matter: Matter, worst: string | undefined): boolean {
  const t: Told = (texts) => plain(texts[out.language]);
  if (matter.what === 'first') return sayFirst(out, t, worst);
  if (matter.what === 'since') {
    for (const id of matter.ids.slice(0, MOST)) {
      const get = out.at(`detection.findings[id=${id}]`);
      out.say`${t(SINCE)} ${get('first_seen')}: ${get('severity')}: ${get('summary')}.`;
      out.suggest(`desk findings ${id}`);
    }
    return true;
  }
  const { ids, named, checks, isWhether } = matter;
  for (const id of ids.slice(0, MOST)) sayFinding(out, t, id);
  out.sayMore(MOST, ids.length);
  if (ids.length > 0) return true;
  out.ground('detection.findings.length');
  out.say`${t(NONE)} ${named === '' ? t(THAT) : plain(`"${named}"`)}.`;
  out.suggest('desk findings');
  const [check] = checks;
  if (check === undefined) return false;
  out.say`${t(LOOKS)}: ${out.join(checks.map((id) => out.ground(`checks[id=${quoted(id)}].id`)))}.`;
  const remedy = out.ground(`checks[id=${quoted(check)}].remedy`);
  if (!isWhether && checks.length === 1 && remedy.value !== '') out.say`${t(TO_DO)} ${remedy}.`;
  return true;
}
