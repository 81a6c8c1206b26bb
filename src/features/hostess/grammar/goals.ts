/** What a person wants to do, in four languages: the command first, with what the documentation says of it. */
import type { AnswerBuilder, Plain } from '../answer-builder.ts';
import { part, plain } from '../answer-builder.ts';
import { plainOf, type Reading } from './read.ts';
import type { Language } from './vocabulary.ts';

export type Goal = 'learn' | 'accept' | 'unlearn' | 'unaccept';

type Texts = Readonly<Record<Language, string>>;

const HOW: Readonly<Record<Language, RegExp>> = {
  en: /\bhow (?:do|can|to|should|would|must)\b|\bwhat (?:do|should|must) i do\b/,
  de: /^(?:und )?(?:wie|womit|was muss ich)\b/,
  es: /\bcomo\b|\bque (?:hago|tengo que hacer)\b/,
  fr: /\bcomment\b|\bque (?:dois je|faut il) faire\b/,
};
const APPROVE: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:accept|approve|allow|whitelist|permit|trust)\b|\btell (?:you|it|the desk|her)\b.*\b(?:fine|ok|okay|mine|normal|good|harmless|expected|on purpose|wanted)\b|\bmark\b.*\b(?:fine|ok|okay|good|normal|known)\b/,
  de: /\b(?:nehme|nimmt|nehmen)\b.*\ban\b|\b(?:akzeptier\w*|annehmen|erlaub\w*|genehmig\w*|freigeb\w*|gebe\b.*\bfrei)\b/,
  es: /\b(?:aprueb\w*|aprobar|acept\w*|permit\w*|autoriz\w*)\b/,
  fr: /\b(?:approuve\w*|accept\w*|autoris\w*|permet\w*)\b/,
};
const UNDO: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:undo|revert|roll back|rollback|take back|forget)\b/,
  de: /\b(?:ruckgangig|zurucknehmen|nimm\b.*\bzuruck|nehme\b.*\bzuruck|vergiss)\b/,
  es: /\b(?:deshac\w*|deshaz|revert\w*|revierte)\b/,
  fr: /\b(?:annul\w*|revenir en arriere|defai\w*)\b/,
};
const LEARNED = /\b(?:learn\w*|baseline|gelernt\w*|lernen|aprend\w*|appris\w*|apprentissage)\b/;
const FINDING = /\b(?:findings?|alerts?|befund\w*|fund|hallazgos?|alertas?|constats?|alertes?)\b/;
const ACCEPTED = /\b(?:accept\w*|akzeptier\w*|angenommen\w*|acept\w*|accepte\w*)\b/;
const THING =
  /\b(?:programs?|services?|apps?|applications?|software|listeners?|daemons?|processes|process|installed|programme?|dienst\w*|anwendung\w*|prozess\w*|programas?|servicios?|aplicacion\w*|procesos?|logiciels?|processus)\b/;

/** The goal of a question; null where it has none of these. `plain`: without marks and capitals. */
export function goalOf({ language }: Reading, plain: string): Goal | null {
  const undo = UNDO[language].test(plain);
  if (undo && LEARNED.test(plain)) return 'unlearn';
  if (undo && ACCEPTED.test(plain)) return 'unaccept';
  if (!HOW[language].test(plain) || !APPROVE[language].test(plain)) return null;
  if (FINDING.test(plain)) return 'accept';
  return THING.test(plain) ? 'learn' : null;
}

const COMMANDS: Readonly<Record<Goal, string>> = {
  learn: 'secure learn',
  accept: 'accept',
  unlearn: 'baseline',
  unaccept: 'accept',
};

const LEARN: Texts = {
  en: 'For everything that runs now:',
  de: 'Für alles, was jetzt läuft:',
  es: 'Para todo lo que se ejecuta ahora:',
  fr: 'Pour tout ce qui tourne maintenant :',
};
const ONE: Texts = {
  en: 'For one finding:',
  de: 'Für einen Befund:',
  es: 'Para un hallazgo:',
  fr: 'Pour un constat :',
};
const BACK: Texts = {
  en: 'I change nothing; this goes back to generation',
  de: 'Ich ändere nichts; das geht zurück zu Generation',
  es: 'No cambio nada; esto vuelve a la generación',
  fr: 'Je ne change rien ; ceci revient à la génération',
};
const NOTHING: Texts = {
  en: 'There is no earlier generation to go back to.',
  de: 'Es gibt keine frühere Generation.',
  es: 'No hay ninguna generación anterior.',
  fr: 'Il n’y a pas de génération précédente.',
};
const TAKES_BACK: Texts = {
  en: 'The list has the id that takes it back:',
  de: 'Die Liste hat die Kennung, die es zurücknimmt:',
  es: 'La lista tiene el id que lo deshace:',
  fr: 'La liste a l’identifiant qui l’annule :',
};

/** False where it cannot be reached. */
export function sayGoal(out: AnswerBuilder, goal: Goal, language: Language): boolean {
  const told = (texts: Texts): Plain => plain(texts[language]);
  const summary = out.ground(`commands[name=${COMMANDS[goal]}].summary`);
  out.ground(`commands[name=${COMMANDS[goal]}].usage`);
  out.suggest(`desk help ${COMMANDS[goal]}`);
  const id = out.read<string>('detection.findings[0].id');
  const accept = (): Plain =>
    part`desk accept ${id === undefined ? plain('ID') : out.ground('detection.findings[0].id')} --why ${plain(id === undefined ? 'REASON' : '…')}`;
  if (goal === 'learn') {
    out.say`${told(LEARN)} desk secure learn once. ${summary}. ${told(ONE)} ${accept()}.`;
    out.suggest('desk secure learn once');
  }
  if (goal === 'accept') out.say`${told(ONE)} ${accept()}. ${summary}.`;
  if (goal === 'learn' || goal === 'accept') {
    if (id !== undefined) out.suggest(`desk accept ${id} --why "why it is fine"`);
    out.suggest('desk findings');
    return true;
  }
  if (goal === 'unaccept') {
    out.say`${told(TAKES_BACK)} desk accept --list, desk accept --undo ID. ${summary}.`;
    out.suggest('desk accept --list');
    return true;
  }
  const earlier = out.read<number>('generations[1].number');
  if (earlier === undefined) {
    out.say`${told(NOTHING)}`;
    return false;
  }
  out.say`desk baseline restore ${out.ground('generations[1].number')}. ${told(BACK)} ${out.ground('generations[1].number')}.`;
  out.suggest(`desk baseline restore ${earlier}`, 'desk baseline list');
  return true;
}

const BROKEN_INTO =
  /\b(?:hacked|compromised|broken into|pwned|infected|gehackt|kompromittiert|infiziert|hackead[oa]|comprometid[oa]|infectad[oa]|pirate\w*|compromis\w*|infecte\w*)\b/;

/** Whether the machine was broken into. Findings can show a break-in; a lack of findings does not rule one out. */
export function asksForBreach({ slots }: Reading): boolean {
  const unread = slots.filter(({ part }) => part === 'unread' || part === 'stranger');
  return unread.length > 0 && unread.every(({ text }) => BROKEN_INTO.test(plainOf(text)));
}

const BREACH: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  en: [
    'I cannot rule it out:',
    'findings are open, of these',
    'are scars, and',
    'checks could not judge everything. What no check looks for is not measured.',
  ],
  de: [
    'Ausschließen kann ich es nicht:',
    'Befunde sind offen, davon',
    'Scars, und',
    'Prüfungen konnten nicht alles beurteilen. Wonach keine Prüfung sucht, wird nicht gemessen.',
  ],
  es: [
    'No puedo descartarlo:',
    'hallazgos abiertos, de ellos',
    'son scars, y',
    'comprobaciones no pudieron juzgarlo todo. Lo que ninguna comprobación busca no se mide.',
  ],
  fr: [
    'Je ne peux pas l’exclure :',
    'constats sont ouverts, dont',
    'sont des scars, et',
    'contrôles n’ont pas pu tout juger. Ce qu’aucun contrôle ne cherche n’est pas mesuré.',
  ],
};

export function sayBreach(out: AnswerBuilder, language: Language): void {
  const [a, b, c, d] = BREACH[language].map(plain) as [Plain, Plain, Plain, Plain];
  const [open, scars, blind] = [
    out.ground('detection.findings.length'),
    out.ground('status.scar_count'),
    out.ground('detection.notes.length'),
  ];
  out.ground('status.ok');
  out.say`${a} ${open} ${b} ${scars} ${c} ${blind} ${d}`;
  if (Number(open.value) > 0)
    out.say`${out.ground('detection.findings[0].severity')}: ${out.ground('detection.findings[0].summary')}.`;
  out.suggest('desk findings', 'desk query blind');
}
