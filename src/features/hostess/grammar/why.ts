/** Why the gate fails, why something is a finding, and why it is not: the reasons with what they are read from. */
import { type AnswerBuilder, type Plain, plain } from '../answer-builder.ts';
import type { Query } from '../intent.ts';
import { writtenIn } from '../knowledge.ts';
import { isFrequent, isOrdinary } from '../lexicon.ts';
import { quoted } from '../paths.ts';
import { matterIn } from './advice.ts';
import { plainOf, UNKNOWN } from './read.ts';
import { type Said, said } from './tables.ts';
import type { Language } from './vocabulary.ts';

const WHY = /\b(?:why|how come|warum|wieso|weshalb|weswegen|por que|pourquoi)\b/;
const GATE =
  /\b(?:gate|hygiene|hygienekontrolle|puerta|porte|control de higiene|controle d hygiene|scar check)\b/;
const FAILED =
  /\b(?:fail\w*|not pass\w*|red|durchgefallen|gescheitert|scheiter\w*|fehlgeschlagen|schlagt|schlug|rot|fall[oa]\w*|fallad\w*|echou\w*|echec|rate|n a pas passe|no paso|not ok|nicht bestanden)\b/;
/** Says that something is reported. */
const REPORTED =
  /\b(?:findings?|report\w*|complain\w*|flag\w*|warn\w*|problems?|issues?|alarm\w*|suspicious|listed|marked|alert\w*|befund\w*|gemeldet|meldest|meldet|bemangel\w*|beschwer\w*|verdachtig\w*|problem|hallazgo\w*|problema\w*|aparece\w*|senal\w*|avis\w*|sospechos\w*|quej\w*|constat\w*|probleme\w*|signal\w*|suspect\w*|plain\w*|alerte\w*|apparai\w*|auffallig|angezeigt|not normal|bad|schlimm|mecker\w*|klag\w*|norg\w*|red|rot)\b/;
const RECEIVED =
  /^(?:got|receiv\w*|bekomm\w*|bekam|erhalt\w*|erhielt|gekriegt|recib\w+|recue?s?|recois|fixed|resolved|again)$/;
const NEGATED = /\b(?:not|isn t|aren t|wasn t|doesn t|no|never|nicht|kein\w*|nie|pas|ne|n est|without)\b/;

type Reason =
  | { readonly what: 'gate' }
  | { readonly what: 'finding'; readonly ids: readonly string[] }
  | { readonly what: 'allowed'; readonly rows: readonly string[] }
  | {
      readonly what: 'none';
      readonly name: string;
      /** The check that would report it. */
      readonly check?: string | undefined;
    };

const SHORTEST = 4;
const MOST = 3;

/** Words of a question that may name what a finding is about. */
const namesOf = (text: string): readonly string[] =>
  text
    .split(/[\s,;!?()"“”„«»¿¡']+/u)
    .map((word) => word.replace(/[.:]+$/, ''))
    .filter((word) => word.length >= SHORTEST && !WHY.test(plainOf(word)) && !REPORTED.test(plainOf(word)));

/** Null where it is not such a question, or another answer knows more. */
export function whyOf({ question, context, reading, queried }: Query, text: string): Reason | null {
  if (!WHY.test(text)) return null;
  if (GATE.test(text) && FAILED.test(text)) return { what: 'gate' };
  if (!REPORTED.test(text)) return null;
  const programs = reading.slots.filter(({ part }) => part === 'program').map(({ value }) => value);
  if (NEGATED.test(text)) {
    const rows = context.listeners.flatMap(({ executable, findings }, at) =>
      programs.some((name) => executable === name || executable.endsWith(`/${name}`)) && findings.length === 0
        ? [`listeners[${at}]`]
        : [],
    );
    return rows.length > 0 ? { what: 'allowed', rows } : null;
  }
  if (queried !== null || question.entities.finding !== null) return null;
  const { findings } = context.state.judgement;
  const names = namesOf(question.text);
  const about = (least: (word: string) => boolean) =>
    findings.filter(({ summary, check }) =>
      names.some((word) => least(word) && (summary.includes(word) || check === word)),
    );
  const odd = (word: string): boolean => !isOrdinary(plainOf(word)) && !isFrequent(plainOf(word));
  const found = about(odd);
  const ids = (found.length > 0 ? found : about((word) => !isOrdinary(plainOf(word)))).map(({ id }) => id);
  if (ids.length > 0) return { what: 'finding', ids: ids.slice(0, MOST) };
  const port = reading.slots.find(({ part, text: number }) => part === 'number' && /\d{2}/.test(number));
  const matter = matterIn(text, false);
  if (matter !== null) {
    const of = findings.filter(
      ({ check, summary }) =>
        matter.checks.includes(check) &&
        (matter.of?.test(plainOf(summary)) ?? true) &&
        (port === undefined || new RegExp(`\\b${port.value}\\b`).test(summary)),
    );
    if (of.length === 0 && port !== undefined)
      return { what: 'none', name: port.text, check: matter.checks[0] };
    return of.length > 0
      ? { what: 'finding', ids: of.slice(0, MOST).map(({ id }) => id) }
      : { what: 'none', name: writtenIn(question.text, matter.named) ?? matter.named };
  }
  if (port !== undefined) return { what: 'none', name: port.text };
  const unknown = reading.slots.find(
    ({ part, value, text: name }) =>
      (part === 'stranger' || part === 'user' || (part === 'unread' && value === UNKNOWN)) &&
      !REPORTED.test(plainOf(name)) &&
      !RECEIVED.test(plainOf(name)),
  );
  return unknown === undefined ? null : { what: 'none', name: unknown.text };
}

const FINDING = said(
  'Because of this finding:',
  'Wegen dieses Befundes (englisch):',
  'Por este hallazgo (en inglés):',
  'À cause de ce constat (en anglais) :',
);
const CHECK = said(
  'What the check looks for:',
  'Wonach die Prüfung sucht:',
  'Lo que busca la comprobación:',
  'Ce que cherche le contrôle :',
);
const ALLOWED = said(
  'Because it is allowed, by',
  'Weil er erlaubt ist, durch',
  'Porque está permitido, por',
  'Parce que c’est autorisé, par',
);
const UNOBJECTED = said(
  'Because no check objects to it',
  'Weil keine Prüfung ihn beanstandet',
  'Porque ninguna comprobación lo objeta',
  'Parce qu’aucun contrôle ne s’y oppose',
);
const NO_FINDING = said(
  'No open finding is about',
  'Kein offener Befund handelt von',
  'Ningún hallazgo abierto trata de',
  'Aucun constat ouvert ne parle de',
);
const GATE_PASSES = said(
  'It did not fail: the last run passed, at',
  'Es ist nicht durchgefallen: der letzte Lauf bestand, um',
  'No falló: la última ejecución pasó, a las',
  'Elle n’a pas échoué : le dernier passage a réussi, à',
);
const GATE_FAILS = said(
  'Because of open scars, so many:',
  'Wegen offener Scars, so viele:',
  'Por scars abiertos, tantos:',
  'À cause de scars ouverts, au nombre de :',
);
const LAST_FAILED = said(
  'The last run that failed was at',
  'Der letzte Lauf, der scheiterte, war um',
  'La última ejecución que falló fue a las',
  'Le dernier passage qui a échoué date de',
);
const WITH_SCARS = said('scars then:', 'Scars damals:', 'scars entonces:', 'scars alors :');
const NOW = said(
  'now the gate is at',
  'jetzt steht das Gate auf',
  'ahora el gate está en',
  'maintenant la porte est à',
);
const NEVER = said(
  'It has not run yet',
  'Es ist noch nicht gelaufen',
  'Aún no se ha ejecutado',
  'Elle n’a pas encore tourné',
);

const told =
  (language: Language) =>
  (texts: Said): Plain =>
    plain(texts[language]);

export function sayWhy(out: AnswerBuilder, why: Reason): boolean {
  const t = told(out.language);
  if (why.what === 'gate') return sayGate(out, t);
  if (why.what === 'none') {
    out.ground('detection.findings.length');
    out.say`${t(NO_FINDING)} ${plain(`"${why.name}"`)}.`;
    const about = `checks[id=${quoted(why.check ?? '')}].about`;
    if (out.read(about) !== undefined) out.say`${t(CHECK)} ${out.ground(about)}`;
    out.suggest('desk findings');
    return false;
  }
  if (why.what === 'allowed') {
    for (const row of why.rows.slice(0, MOST)) {
      const get = out.at(row);
      const by = get('allowed');
      out.say`${by.value === '' ? t(UNOBJECTED) : t(ALLOWED)}${by.value === '' ? plain('') : plain(` ${String(by.value)}`)}: ${get('protocol')} ${get('address')} ${get('port')}, ${get('executable')}.`;
    }
    out.suggest('desk law show');
    return true;
  }
  for (const id of why.ids) {
    const get = out.at(`detection.findings[id=${id}]`);
    out.say`${t(FINDING)} ${get('summary')}, ${get('severity')}.`;
    const about = `checks[id=${quoted(String(get('check').value))}].about`;
    if (out.read(about) !== undefined) out.say`${t(CHECK)} ${out.ground(about)}`;
    get('remedy');
    get('benign');
    get('first_seen');
    out.suggest(`desk findings ${id}`);
  }
  return true;
}

function sayGate(out: AnswerBuilder, t: (texts: Said) => Plain): boolean {
  out.suggest('desk scar check', 'desk history', 'desk findings');
  const [state, scars] = [out.ground('scar.gate'), out.ground('scar.scar_count')];
  if (out.read('scar.last.at') === undefined && scars.value === 0) {
    out.say`${t(NEVER)}.`;
    return true;
  }
  const failed = 'gate_runs[state=fail]';
  if (scars.value !== 0) {
    out.say`${t(GATE_FAILS)} ${scars}.`;
    for (const get of out.items('scar.c', MOST)) out.say`${get('severity')}: ${get('summary')}.`;
  } else if (out.read('scar.last.at') !== undefined)
    out.say`${t(GATE_PASSES)} ${out.ground('scar.last.at')}.`;
  if (out.read('scar.last.steps') !== undefined) {
    const steps = out.read<readonly { ok: boolean }[]>('scar.last.steps') ?? [];
    const at = steps.findIndex(({ ok }) => !ok);
    if (at >= 0)
      out.say`${out.ground(`scar.last.steps[${at}].step`)}: ${out.ground(`scar.last.steps[${at}].detail`)}.`;
  }
  if (out.read(`${failed}.at`) !== undefined)
    out.say`${t(LAST_FAILED)} ${out.ground(`${failed}.at`)}, ${t(WITH_SCARS)} ${out.ground(`${failed}.scar_count`)}; ${t(NOW)} ${state}.`;
  return true;
}
