/** Whether the machine was broken into. Findings can show a break-in; a lack of findings does not rule one out. */
import { type AnswerBuilder, type Plain, plain } from '../answer-builder.ts';
import { plainOf, type Reading } from './read.ts';
import type { Language } from './vocabulary.ts';

const BROKEN_INTO =
  /\b(?:hacked|compromised|broken into|pwned|owned|breached|attacked|backdoor\w*|infected|angegriffen|eingebrochen|atacad[oa]|attaque[es]?|gehackt|kompromittiert|infiziert|hackead[oa]|comprometid[oa]|infectad[oa]|pirate\w*|compromis\w*|infecte\w*)\b/;

/** Names an attack, whatever else it says. */
const ATTACK =
  /\b(?:(?:somebody|someone|anybody|anyone|stranger) (?:else )?(?:is |has |have |been |get |got |gotten )*(?:inside|in my|in our|in this|in here|break in|broken in)|eingebrochen|eingedrungen|(?:alguien|me han) (?:ha )?(?:entrado|metido)|quelqu un (?:est |s est )*(?:entre|introduit)|under attack|intruders?|intrusions?|broken into|break-?ins?|hackers?|hacked|pwned|gehackt|gehacked|einbrecher|einbruch|eindringling\w*|angegriffen|hackead[oa]s?|hackers?|intrus[oa]s?|atacad[oa]s?|pirate(?:e|s)?|pirates?|intrus|sous attaque|attaquee?)\b/;
const ASKS_WHETHER =
  /^(?:(?:and|so|und|y|et) )?(?:am|is|are|has|have|was|were|did|does|do|any|can|how (?:do|can|could|would) (?:i|we) (?:know|tell)|someone|somebody|bin|ist|sind|hat|haben|wurde|wurden|war|gibt|woran|wie (?:merke|weiss|erkenne)|me|nos|han|ha|hay|estoy|esta|fue|alguien|como (?:se|puedo saber)|est ce|ai je|suis je|a t on|on m|y a|il y a|quelqu un|comment savoir)\b/;
export const asksForAttack = (text: string): boolean => ATTACK.test(text) && ASKS_WHETHER.test(text);

export function asksForBreach({ slots }: Reading): boolean {
  const unread = slots.filter(({ part }) => part === 'unread' || part === 'stranger');
  return unread.length > 0 && unread.every(({ text }) => BROKEN_INTO.test(plainOf(text)));
}

const MINER =
  /\b(?:crypto ?-?(?:min\w+|currenc\w*)|cryptojack\w*|(?:mining|mine|mines) (?:crypto|bitcoin|monero|coins?)|(?:bitcoin|monero|coin|krypto)-?\s?(?:min\w+|schurf\w+)|xmrig|krypto-?min\w*|schurft .*(?:bitcoin|krypto)|minero\w*|minando|mina (?:bitcoin|cripto)\w*|criptomin\w*|mineur\w*|minage|miners?)\b/;
/** A process may be called so; a name with a pid or port is asked for as it is. */
export const asksForMiner = (text: string): boolean => MINER.test(text) && !/\d/.test(text);

const NO_MINER: Readonly<Record<Language, readonly [string, string]>> = {
  en: [
    'I do not know miners: no check looks for them by name or by what they compute. Open findings:',
    'A miner uses much CPU: see which processes use most',
  ],
  de: [
    'Miner kenne ich nicht: keine Prüfung sucht sie nach Namen oder danach, was sie rechnen. Offene Befunde:',
    'Ein Miner braucht viel CPU: sehen Sie nach, welche Prozesse am meisten verbrauchen',
  ],
  es: [
    'No conozco mineros: ninguna comprobación los busca por su nombre ni por lo que calculan. Hallazgos abiertos:',
    'Un minero usa mucha CPU: mire qué procesos usan más',
  ],
  fr: [
    'Je ne connais pas les mineurs : aucun contrôle ne les cherche par leur nom ni par ce qu’ils calculent. Constats ouverts :',
    'Un mineur utilise beaucoup de CPU : regardez quels processus en utilisent le plus',
  ],
};

/** No record says whether a program mines. */
export function sayMiner(out: AnswerBuilder, language: Language): void {
  const [no, use] = NO_MINER[language].map(plain) as [Plain, Plain];
  out.say`${no} ${out.ground('detection.findings.length')}. ${use} (desk slow).`;
  out.suggest('desk slow', 'desk findings');
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
