/** Single facts that a word of a table would lead away from: where alerts go, the age of the baseline, drives. */
import { type AnswerBuilder, part, plain } from '../answer-builder.ts';
import { plainOf } from '../grammar/read.ts';
import { type Said, said } from '../grammar/tables.ts';
import type { Intent, Query } from '../intent.ts';
import { type Fact, none } from './fact.ts';
import { MACHINE_FACTS } from './machine-facts.ts';
import { OWN_FACTS } from './own-facts.ts';

const MOST_SHOWN = 6;
const ALERTS =
  '(?:alert\\w*|alarm\\w*|notification\\w*|notificaci\\w*|benachrichtigung\\w*|avis(?:os?)?|warnung\\w*)';
const HOW =
  /\b(?:where (?:do|can|should|must|would) (?:i|we) (?:set|put|enter|configure|change|add|specify|define|store|write|edit)|wo (?:kann|muss|soll|trage|stelle|gebe|setze|konfiguriere|andere|hinterlege|lege|fuge) (?:ich|man)|donde (?:pongo|puedo|configuro|cambio|anado|defino|escribo|meto|se (?:pone|configura|cambia|define))|ou (?:je |puis je |est ce que je |dois je |faut il )?(?:mets|configure|mettre|configurer|saisir|definir|indiquer|regler|change|changer)|how (?:do|can|should|could|to|would)|wie (?:kann|richte|stelle|mache|schalte|bekomme|sende)|como (?:puedo|hago|se|configuro|anado|creo)|comment|what does|mean|bedeutet|significa|veut dire|if|wenn|falls|si)\b/;

const NO_TARGETS = said(
  'No alerts are sent: no target is configured ([[alerts.to]])',
  'Es werden keine Alarme verschickt: kein Ziel ist eingerichtet ([[alerts.to]])',
  'No se envían alertas: no hay ningún destino configurado ([[alerts.to]])',
  'Aucune alerte n’est envoyée : aucun destinataire n’est configuré ([[alerts.to]])',
);
const FROM = said('from {least} on', 'ab {least}', 'desde {least}', 'à partir de {least}');
const LEAST = said(
  '{least} is the least severity for a target without one of its own; there are no other rules',
  '{least} ist die kleinste Schwere für ein Ziel ohne eigene; andere Regeln gibt es nicht',
  '{least} es la gravedad mínima para un destino sin una propia; no hay otras reglas',
  '{least} est la gravité minimale pour un destinataire sans réglage propre ; il n’y a pas d’autres règles',
);
const SENT = said('last sent', 'zuletzt gesendet', 'último envío', 'dernier envoi');
const NEVER = said('nothing sent yet', 'noch nichts gesendet', 'nada enviado aún', 'rien envoyé encore');
const FAILED = said(
  'the last attempt failed',
  'der letzte Versuch schlug fehl',
  'el último intento falló',
  'le dernier essai a échoué',
);

/** The targets of alerts, each with its state. */
function targetsOf(out: AnswerBuilder, told: (text: Said) => string): number {
  const count = Number(out.ground('page.alerts.targets.length').value);
  if (count === 0) {
    out.say`${plain(told(NO_TARGETS))}.`;
    return 0;
  }
  const list = out.items('page.alerts.targets', MOST_SHOWN).map((get) => {
    const sent = get('sent').value === null ? plain(told(NEVER)) : part`${plain(told(SENT))} ${get('sent')}`;
    const failed = get('reason').value === '' ? plain('') : part`; ${plain(told(FAILED))}: ${get('reason')}`;
    return part`${get('name')} (${get('kind')}, ${plain(told(FROM).replace('{least}', String(get('least').value)))}; ${sent}${failed})`;
  });
  out.say`${out.join(list, count)}.`;
  return count;
}

function sayLeast(out: AnswerBuilder, told: (text: Said) => string): void {
  const { value } = out.ground('config.alerts.least');
  out.say`${plain(told(LEAST).replace('{least}', String(value)))}.`;
}

const BASELINE_AT = said(
  'The baseline, generation {n}, was learned at',
  'Die Baseline, Generation {n}, wurde gelernt um',
  'La línea base, generación {n}, se aprendió en',
  'La baseline, génération {n}, a été apprise à',
);
const DAYS = said('{n} days ago', 'vor {n} Tagen', 'hace {n} días', 'il y a {n} jours');
const HOW_LEARNED = said('how', 'wie', 'cómo', 'comment');
const NO_PERSON = said(
  'Which person did it is not recorded',
  'Welche Person es war, ist nicht aufgezeichnet',
  'Qué persona lo hizo no está registrado',
  'Quelle personne l’a fait n’est pas enregistré',
);
const NO_BASELINE = said(
  'Nothing is learned yet',
  'Noch ist nichts gelernt',
  'Aún no se ha aprendido nada',
  'Rien n’est encore appris',
);
const WHO = /\b(?:who|by whom|wer|von wem|quien|par qui|qui)\b/;
const DAY_MS = 86_400_000;

const FACTS: readonly Fact[] = [
  {
    asks: new RegExp(
      `\\b(?:where|who|whom|which|what|wohin|wer|welche\\w*|an wen|an welche|donde|a quien\\w*|quien\\w*|que|cual\\w*|ou|a qui|qui|quel\\w*|list|show|any|are there|gibt es|hay)\\b.*(?:\\b${ALERTS} (?:rules?|targets?|destinations?|channels?|thresholds?|recipients?|receivers?|config\\w*|settings?|go\\b(?! out)|sent to|delivered to)|\\b(?:rules?|targets?|destinations?|channels?|thresholds?|recipients?|regeln?|ziele?|schwelle\\w*|empfanger|destinos?|reglas?|umbral\\w*|destinatarios?|destinataires?|regles?|seuils?|canaux|canales)\\b.*\\b${ALERTS})|\\b(?:wohin|an wen)\\b.*\\b${ALERTS}|\\b(?:where|donde|ou)\\b.*\\b${ALERTS}|\\b${ALERTS}(?:ziele?|regeln?|schwellen?|empfanger)\\b|\\b(?:who (?:gets?|receives?|is told by)|wer (?:bekommt|kriegt|erhalt)|quien recibe|qui recoit)\\b.*\\b${ALERTS}|\\b${ALERTS} (?:rules|targets|destinations|thresholds)\\b`,
    ),
    not: /\b(?:process|port|listener)\b/,
    isTimeless: true,
    tell(out, told) {
      out.suggest('desk alert', 'desk config check');
      if (targetsOf(out, told) === 0) return true;
      sayLeast(out, told);
      return true;
    },
  },
  {
    asks: new RegExp(
      `\\b(?:minimum|minimal|least|lowest|from which|mindest\\w*|ab welche\\w*|minim[oa]|a partir de que\\w*|minimale?) .*\\b${ALERTS}|\\b${ALERTS}\\b.*\\b(?:minimum severity|threshold|schwelle|umbral|seuil)\\b`,
    ),
    tell(out, told) {
      out.suggest('desk alert');
      sayLeast(out, told);
      targetsOf(out, told);
      return true;
    },
  },
  {
    asks: new RegExp(
      `\\b(?:${ALERTS}\\b.*\\b(?:deliver\\w*|arrive\\w*|get through|got through|go through|undelivered|stuck|zugestellt|angekommen|ankam\\w*|zustell\\w*|entregad\\w*|entreg\\w*|llegad?\\w*|livre\\w*|arrive\\w*|recue?s?|parvenue?s?)|(?:deliver\\w*|zugestellt\\w*|entreg\\w*|livre\\w*|undelivered)\\b.*\\b${ALERTS})\\b`,
    ),
    isTimeless: true,
    tell(out, told) {
      out.suggest('desk alert');
      targetsOf(out, told);
      return true;
    },
  },
  {
    asks: /(?:\b(?:when|how old|age|who|by whom|date|last|wann|wie alt|alter|wer|von wem|datum|zuletzt|cuando|quien|edad|que edad|antiguedad|fecha|ultima vez|quand|qui|par qui|age|date|derniere fois|anciennete|how long ago|how recent)\b.*\b(?:baseline|linea base|ligne de base|grundlinie|reference)\b)|(?:\b(?:baseline|linea base|ligne de base)\b.*\b(?:when|age|old|who|last|by whom|wann|alt|von wem|zuletzt|cuando|quien|quand|par qui|date|datum|fecha)\b)|\bwhen did (?:you|we|i|the desk) (?:last )?learn\b(?! (?:port|process|the (?:port|process))\b)/,
    not: /\b(?:would|should|next|will|diff\w*|generations?|not in|new|missing|rows?|review\w*|process\w*|port\w*|gate|reject\w*|refus\w*|learn(?: now)?\?$|difference\w*|changes? (?:in|since)|changed? since|what (?:has )?changed|was hat sich|que cambio|qu est ce qui)\b/,
    tell(out, told, { context, question }) {
      out.suggest('desk baseline list', 'desk baseline diff');
      const held = out.ground('scar.a.generation');
      if (held.value === 0) {
        out.say`${plain(told(NO_BASELINE))} (${held}).`;
        return true;
      }
      const learned = out.ground('scar.a.learned');
      const how = `generations[number=${held.value}].how`;
      const by = out.read<string>(how) ? part`; ${plain(told(HOW_LEARNED))}: ${out.ground(how)}` : plain('');
      const days = (context.state.snapshot.at.epochMs - Date.parse(String(learned.value))) / DAY_MS;
      const isKnown = Number.isFinite(days) && days >= 0;
      out.put('computed', { days_old: Math.round(days * 10) / 10 });
      const age = isKnown ? told(DAYS).replace('{n}', String(out.ground('computed.days_old').value)) : '';
      out.say`${plain(told(BASELINE_AT).replace('{n}', String(held.value)))} ${learned}${plain(age === '' ? '' : `, ${age}`)}${by}.`;
      if (WHO.test(plainOf(question.text))) out.say`${plain(told(NO_PERSON))}.`;
      return true;
    },
  },
  {
    asks: /\b(?:smart(?:ctl| status| values?| data| errors?| health)|smartd|s\.m\.a\.r\.t|(?:dis[ck]s?|drives?|ssds?|hdds?|platten?|festplatten?|laufwerke?|discos?|disques?)\b.*\bsmart|smart\w*\b.*\b(?:dis[ck]s?|drives?|platten?|festplatten?|laufwerke?|discos?|disques?)|how many (?:hard )?drives|wie viele (?:laufwerke|festplatten)|cuantos discos duros|combien de disques durs|reallocated|bad sectors?|defekte sektoren|sectores (?:danados|defectuosos)|secteurs (?:defectueux|realloues)|(?:disk|drive|ssd) (?:health|failing|dying)|raid)\b/,
    not: /\b(?:space|full|free|frei|platz|libre|espacio|espace|lleno|plein|voll|usage|read|write|temperature|temperatur\w*)\b/,
    tell: none(
      said(
        'no table that I read has drives or SMART; the record of vitals has the state of each drive and what smartd has read (drives, smart)',
        'keine Tabelle, die ich lese, enthält Laufwerke oder SMART; der Datensatz der Vitalwerte hat den Zustand jedes Laufwerks und was smartd gelesen hat (drives, smart)',
        'ninguna tabla que leo tiene las unidades o SMART; el registro de signos vitales tiene el estado de cada unidad y lo que leyó smartd (drives, smart)',
        'aucune table que je lis ne contient les disques physiques ou SMART ; le relevé des signes vitaux a l’état de chacun et ce que smartd a lu (drives, smart)',
      ),
      'desk vitals',
      'desk vitals --json',
    ),
  },
];

const factOf = (one: Query): Fact | undefined => {
  const { question, reading } = one;
  const asked = plainOf(question.text);
  const isHow = HOW.test(asked);
  return [...FACTS, ...MACHINE_FACTS, ...OWN_FACTS].find(
    ({ asks, not, isTimeless, asksWhat, where }) =>
      (!isHow || asksWhat) &&
      asks.test(asked) &&
      !not?.test(asked) &&
      !(isTimeless && reading.moment !== null) &&
      (where === undefined || where(one)),
  );
};

export const facts: Intent = {
  id: 'facts',
  score: (asked) => {
    const { entities, term } = asked.question;
    return entities.finding === null && term?.kind !== 'check' && factOf(asked) !== undefined ? 96.2 : 0;
  },
  answer(out, asked) {
    const { language } = out;
    return (factOf(asked) as Fact).tell(out, (text) => text[language], asked);
  },
};
