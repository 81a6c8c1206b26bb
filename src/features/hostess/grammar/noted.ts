/** Questions about units and restarts of which only a part is recorded: the value that there is, and what is not known. Pure. */
import { parsed } from '../vitals/patterns.ts';
import { bareOf, moveOf } from './follow-words.ts';
import type { Notes } from './plan.ts';
import { type Said, said } from './table.ts';
import type { Language } from './vocabulary.ts';

export interface Noted {
  /** A question for the value that there is. */
  readonly asks: Said;
  readonly notes: Notes;
}

const UNITS =
  /\b(?:services?|timers?|units?|daemons?|dienste?n?|einheit(?:en)?|servicios?|unidad(?:es)?|demonios?|unites?|demons?)\b/;
const ENABLED =
  /\b(?:enabled|activated|at (?:boot|startup)|on (?:boot|startup)|autostart\w*|automatic\w*|aktiviert\w*|beim (?:booten|start|systemstart|hochfahren)|automatisch|habilitad\w*|activad[oa]s?|al (?:arrancar|arranque|inicio|iniciar)|en el arranque|activee?s?|au (?:boot|demarrage))\b/;
const FAILED =
  /\b(?:fail\w*|broken|fehlgeschlagen\w*|gescheitert\w*|fehler\w*|fallid[oa]s?|fallo|fallado|fallando|fallan|en (?:echec|erreur)|echoue\w*)\b/;
const NOT_RUNNING =
  /\b(?:(?:not|isn t|aren t|arent|isnt|never) (?:\w+ )?(?:running|active|started|up)|(?:do|does|did)(?:n t|nt| not) (?:run|start)|don t (?:run|start)|stopped|inactive|down|dead|laufen (?:\w+ )?nicht|lauft (?:\w+ )?nicht|nicht (?:laufen|aktiv|gestartet)|no (?:estan?|corren?|se ejecutan?|funcionan?|arranca\w*)|parad[oa]s?|detenid[oa]s?|inactiv[oa]s?|ne (?:tournent|tourne|fonctionnent|marchent|sont) pas|arretee?s?|inactifs?)\b/;
const HANDLED =
  /\b(?:fix\w*|restart\w*|neu start\w*|reinici\w*|redemarr\w*|repair\w*|solve|resolve|clear|ignore\w*|problem\w*|serious|matters?|worr\w*|bad|why|what (?:to|can|should) .*do|do about|cause\w*|reason|behebe\w*|beheb\w*|repariere?\w*|losen?|ignorier\w*|schlimm|ernst\w*|warum|wieso|ursache|grund|tun|machen|arregl\w+|solucion\w+|repar\w+|ignorar\w*|grave|por que|causa|hacer|hago|corrig\w+|regler|resoudre|repare\w*|pourquoi|faire|fais)\b/;

/** "Are all services up." */
const ALL_WELL =
  /\b(?:all|every|alle|jeder|todos|todas|tous|toutes)\b.* (?:up|ok|okay|fine|running|healthy|good|well|laufen|in ordnung|aktiv|gesund|bien|en marcha|corriendo|funcionan\w*|marchent|tournent|actifs)\b|\b(?:services|dienste|servicios|units) (?:\w+ )?(?:kaputt|broken|down|ausgefallen|caidos|en panne)[?!. ]*$/;

const REBOOT = /\b(?:re-?boot\w*|restart\w*|neustart\w*|neu ?gestartet|reinici\w*|redemarr\w*)\b/;
const REASON =
  /\b(?:planned|unplanned|scheduled|expected|unexpected\w*|intended|intentional\w*|deliberate\w*|on purpose|clean\w*|crash\w*|power (?:loss|cut|failure)|who|why|reason|cause\w*|how often|how many times|geplant\w*|ungeplant\w*|absichtlich\w*|unerwartet\w*|erwartet\w*|wer|warum|wieso|grund|ursache|wie oft|planead[oa]|planificad[oa]|previst[oa]|programad[oa]|inesperad[oa]|intencionad[oa]|esperad[oa]|quien|por que|cuantas veces|causa|prevue?s?|planifiee?|programmee?|inattendue?|imprevue?|volontaire|qui|pourquoi|combien de fois|raison)\b/;
const MACHINE =
  /\b(?:machine|server|box|host|computer|system|pc|it|rechner|maschine|kiste|maquina|servidor|equipo|ordenador|sistema|serveur|ordinateur|systeme|last|letzte\w*|ultimo|dernier|there|wurde neu|reboot\w*|neustart\w*|redemarrage|reinicio)\b/;
/** Whether a restart is due has an answer of its own. */
const DUE =
  /\b(?:need\w*|require\w*|necessary|pending|should|must|have to|due|when should|notig|erforderlich|muss|soll\w*|steht|ausstehend|braucht?|necesit\w*|necesari\w*|hace falta|hay que|debo|deberia|pendiente|tengo que|faut|dois|besoin|requis|attente|how (?:do|can)|desk|hostess|service|dienst|servicio)\b/;
const PORT = /\b(?:port|ports|puerto|finding\w*|gate|alert\w*|backup\w*|check\w*)\b/;

const HAPPENED =
  /^[¿ ]*(?:did|has|have|was|were|hat|wurde|ist|se ha|ha|fue|est ce que|a t il|a t on|le|la|el|der|die|es)\b/;
const OF_MACHINE =
  /\b(?:machine|server|box|host|computer|system|pc|rechner|maschine|kiste|maquina|servidor|equipo|ordenador|sistema|serveur|ordinateur|systeme|reboot|neustart|redemarrage|reinicio)\b/;
const NO_EARLIER = said(
  'Earlier restarts are not recorded; journalctl --list-boots shows them',
  'Frühere Neustarts sind nicht aufgezeichnet; journalctl --list-boots zeigt sie',
  'Los reinicios anteriores no están registrados; journalctl --list-boots los muestra',
  'Les redémarrages précédents ne sont pas enregistrés ; journalctl --list-boots les montre',
);

const ASKS_UNITS = said(
  'any failed units?',
  'Gibt es fehlgeschlagene Units?',
  '¿Hay unidades fallidas?',
  'Y a-t-il des unités en échec ?',
);
const ASKS_UPTIME = said(
  'how long has the machine been up?',
  'Seit wann läuft die Maschine?',
  '¿Desde cuándo está encendida la máquina?',
  'Depuis quand la machine tourne-t-elle ?',
);

const NOT_COMPARED = said(
  'Which services run is not recorded, only which units have failed; systemctl list-units --state=inactive shows the others',
  'Welche Dienste laufen, ist nicht aufgezeichnet, nur welche Units fehlgeschlagen sind; systemctl list-units --state=inactive zeigt die anderen',
  'Qué servicios están en marcha no está registrado, solo qué unidades han fallado; systemctl list-units --state=inactive muestra las demás',
  'Quels services tournent n’est pas enregistré, seulement quelles unités ont échoué ; systemctl list-units --state=inactive montre les autres',
);
const WHETHER_ENABLED = said(
  'Whether a failed unit is enabled is not recorded with it',
  'Ob eine fehlgeschlagene Unit aktiviert ist, ist dabei nicht aufgezeichnet',
  'Si una unidad fallida está habilitada no se registra con ella',
  'Qu’une unité en échec soit activée n’est pas enregistré avec elle',
);
const REMEDY = said(
  'Why a unit failed is not recorded: systemctl status UNIT and journalctl -u UNIT show it; once the cause is removed, systemctl restart UNIT starts it again',
  'Warum eine Unit fehlschlug, ist nicht aufgezeichnet: systemctl status UNIT und journalctl -u UNIT zeigen es; ist die Ursache behoben, startet systemctl restart UNIT sie wieder',
  'Por qué falló una unidad no está registrado: systemctl status UNIDAD y journalctl -u UNIDAD lo muestran; una vez eliminada la causa, systemctl restart UNIDAD la inicia de nuevo',
  'Pourquoi une unité a échoué n’est pas enregistré : systemctl status UNITÉ et journalctl -u UNITÉ le montrent ; une fois la cause supprimée, systemctl restart UNITÉ la relance',
);
const SINCE = said(
  'Since when a unit has failed is not recorded: systemctl status UNIT shows it',
  'Seit wann eine Unit fehlgeschlagen ist, ist nicht aufgezeichnet: systemctl status UNIT zeigt es',
  'Desde cuándo falla una unidad no está registrado: systemctl status UNIDAD lo muestra',
  'Depuis quand une unité est en échec n’est pas enregistré : systemctl status UNITÉ le montre',
);
const UNPLANNED = said(
  'Whether a restart was planned, why it happened and who asked for it is not recorded, nor are earlier ones: last -x reboot shutdown and journalctl --list-boots show them',
  'Ob ein Neustart geplant war, warum er geschah und wer ihn veranlasste, ist nicht aufgezeichnet, auch frühere nicht: last -x reboot shutdown und journalctl --list-boots zeigen sie',
  'Si un reinicio estaba previsto, por qué ocurrió y quién lo pidió no está registrado, ni los anteriores: last -x reboot shutdown y journalctl --list-boots los muestran',
  'Qu’un redémarrage ait été prévu, pourquoi et par qui n’est pas enregistré, ni les précédents : last -x reboot shutdown et journalctl --list-boots les montrent',
);

const SWAP_AND_WHO =
  /\b(?:how much|wie viel|cuant[oa]|combien)\b.*\bswap\b.*\b(?:and|und|y|et) (?:by )?(?:who|what|which|wer|welche\w*|quien|que|qui|quels?)\b/;
const ASKS_SWAP = said(
  'how much swap is in use?',
  'Wie viel Swap wird benutzt?',
  '¿cuánta swap se usa?',
  'combien de swap est utilisé ?',
);
const NO_SWAP_USERS = said(
  'What single processes use of swap is not measured',
  'Was einzelne Prozesse an Swap benutzen, wird nicht gemessen',
  'Lo que cada proceso usa de swap no se mide',
  'Ce que chaque processus utilise de swap n’est pas mesuré',
);

const OF_UNITS = (last: Said | null): Noted => ({
  asks: ASKS_UNITS,
  notes: last === null ? {} : { last, unlessNone: true },
});

const RUN_NOW =
  /^(?:(?:are|is|do|does) (?:they|those|these|it|all)(?: of them)?(?: all)?(?: (?:still|now|actually|really))* (?:running|run|active|up|started)|(?:laufen|sind) (?:sie|die|diese|alle)(?: (?:auch|alle|gerade|denn|jetzt|aktiv|gestartet))*|(?:estan|corren|funcionan|se ejecutan)(?: (?:todos|todas|ellos|ahora))*(?: (?:activos|activas|en marcha|corriendo))?|(?:tournent|fonctionnent|sont)(?: t)? (?:ils|elles)(?: (?:tous|toutes|actifs|actives|en marche))*)$/;

/** After failed units, what starts by itself, or a restart: what is asked of them. */
function followed(plain: string, previous: string | null, language: Language): Noted | null {
  const before = parsed(previous);
  const isOfUnits =
    before?.from.text === 'failed_units' ||
    (before?.from.text === 'vitals' && before.select.some(({ column }) => column?.text === 'failed_units'));
  if (before?.from.text === 'startup' && RUN_NOW.test(bareOf(plain)))
    return { asks: ASKS_UNITS, notes: { first: NOT_COMPARED } };
  const isOfStart =
    before?.from.text === 'vitals' && before.select.some(({ column }) => column?.text === 'uptime_sec');
  const isShort = plain.split(' ').length < 7;
  if (isOfStart && isShort && REASON.test(plain)) return { asks: ASKS_UPTIME, notes: { last: UNPLANNED } };
  const move = isOfUnits ? moveOf(bareOf(plain), language)?.move : undefined;
  if (move === 'remedy' || move === 'worry' || move === 'fine' || move === 'why' || move === 'accept')
    return OF_UNITS(REMEDY);
  if (move === 'since') return OF_UNITS(SINCE);
  return move === 'list' || move === 'count' ? OF_UNITS(null) : null;
}

/** Null for another question. */
export function notedOf(plain: string, previous: string | null, language: Language): Noted | null {
  const after = followed(plain, previous, language);
  if (after !== null) return after;
  if (PORT.test(plain)) return null;
  if (SWAP_AND_WHO.test(plain)) return { asks: ASKS_SWAP, notes: { last: NO_SWAP_USERS } };
  const ofUnits = UNITS.test(plain);
  if (ofUnits && ENABLED.test(plain) && NOT_RUNNING.test(plain))
    return { asks: ASKS_UNITS, notes: { first: NOT_COMPARED } };
  if (ofUnits && FAILED.test(plain) && ENABLED.test(plain))
    return { asks: ASKS_UNITS, notes: { last: WHETHER_ENABLED, unlessNone: true } };
  if (ofUnits && ALL_WELL.test(plain)) return { asks: ASKS_UNITS, notes: { first: NOT_COMPARED } };
  if (ofUnits && FAILED.test(plain) && HANDLED.test(plain)) return OF_UNITS(REMEDY);
  if (REBOOT.test(plain) && REASON.test(plain) && MACHINE.test(plain) && !DUE.test(plain))
    return { asks: ASKS_UPTIME, notes: { last: UNPLANNED } };
  if (REBOOT.test(plain) && HAPPENED.test(plain) && OF_MACHINE.test(plain) && !DUE.test(plain))
    return { asks: ASKS_UPTIME, notes: { last: NO_EARLIER } };
  return null;
}
