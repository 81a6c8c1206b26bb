/** Words that decide what a question about the machine asks, and queries before it. */
import { parse } from '../../../query/parse.ts';
import { conditionText } from '../../../query/text.ts';
import { type Query, QueryError } from '../../../query/types.ts';
import { isProgramName } from '../families.ts';
import { plainOf } from '../grammar/read.ts';
import { isFrequent } from '../lexicon.ts';
import type { VitalAsked } from './asked.ts';
import type { Heard, Named, Quantity } from './hear.ts';

export const PID = /\b(?:pids?|process|proceso?|prozess|processus) (?:id |nr |number |nummer )?(\d{1,7})\b/;
export const NEEDS_REBOOT =
  /\b(?:need\w*|required?|necessary|pending|must|have to|has to|should|why|is there|due|notig|erforderlich|muss|sollte|braucht?|ausstehend|warum|wieso|steht|necesit\w*|necesari\w*|hace falta|hay que|debo|pendiente|por que|tengo que|requiere|necessaire|faut|dois|besoin|attente|pourquoi|requis|devrais)\b/;
/** "That still fits": free space of what is not a disk is asked with these. */
export const LISTS_PROCESSES = /\b(?:threads?|ports?|listen\w*|zombies?|wrapped|confined|findings?)\b/;
export const BY_USER =
  /\b(?:which|wich|whcih|what|welcher|quel|que|per|by|pro|por|par|cual|each|every|jeder|jeden|chaque|cada) (?:users?|benutzer|utilisateurs?|usuarios?|accounts?)\b/;
export const SAYS_BOOT =
  /\b(?:uptime|up time|boot\w*|re?boot\w*|restart\w*|neustart|\w*hochgefahren|laufzeit|(?:temps|duree) de fonctionnement|tiempo (?:de actividad|encendido)|betriebszeit|reinici\w*|arranque|redemarr\w*|demarrage|been up|been running|been on)\b/;
export const SAYS_MACHINE =
  /\b(?:machine|server|box|rechner|maschine|kiste|system|serveur|maquina|servidor|ordinateur|ordenador|computer|host|equipo)\b/;
export const SAYS_SPACE = /\b(?:space|platz|\w*speicherplatz|espacio|espace|place|storage|gigs?)\b/;
/** Asks for another column too. */
/** No yes or no answers it. */
export const ASKS_A_VALUE =
  /\b(?:how|wie\w*|when|wann|cuando|quand|cuant\w*|combien|comment|welche\w*|quel\w*|cual\w*|was|what)\b/;
export const ASKS_MORE =
  /\b(?:since when|seit wann|wann|depuis quand|quand|desde cuando|when|where|wo|donde)\b/;
/** The name of a thing, without an article: what it is may be asked, or how much there is. */
export const BARE_WHAT =
  /^(?:what is|what s|whats|was ist|que es|c est quoi|qu est ce que)(?! (?:the|my|our|der|die|das|el|la|los|le|les|l)\b)(?: [\w-]+){1,2}$/;
export const MOST_LISTED = 50;
/** Users, or how many: the rows of processes are counted for that. */
export const OF_COUNTS =
  /\b(?:users?|accounts?|number of|count of|benutzer|nutzer|konten|anzahl|usuarios?|cuentas|numero de|cantidad de|utilisateurs?|comptes|nombre de)\b/;
export const SHORT = 6;

export const EACH = 'pid, name, executable, uid, cpu_percent, resident_bytes, read_per_sec, written_per_sec';

export function parsed(text: string | null): Query | null {
  if (text === null) return null;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** The condition of processes in the words of the table of what they use; null where it has a column that this one lacks. */
export function whereOfProcesses({ where }: Query): string | null {
  if (where === null) return null;
  const text = conditionText(where).replace(/\bcomm (?==|!=|in |contains|starts|ends|like)/g, 'name ');
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const columns = bare.match(/\b[a-z_]+(?= (?:=|!=|<|>|in|contains|starts|ends|like|is)(?: |=|$))/g) ?? [];
  return columns.length > 0 && columns.every((one) => /^(?:name|pid|uid|executable)$/.test(one))
    ? text
    : null;
}

/** Values in quotes, and numbers: what the rows before were chosen by. */
export function namesOf(before: Query): readonly Named[] {
  const text = before.where === null ? '' : conditionText(before.where);
  const name = /(?:comm|name) = "((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? undefined;
  const pid = /pid = (\d+)/.exec(text)?.[1];
  const said = name ?? (pid === undefined ? undefined : `pid ${pid}`);
  return said === undefined ? [] : [{ text: said, where: text }];
}

/** Of another machine: what is behind it is no program. */
const HOST_NAME =
  /\b(?:server|servers|host|machine|box|vm|node|rechner|maschine|servidor|maquina|serveur|on|auf|sur|en) ([a-z][\w.-]*[\d-][\w.-]*)(?![\w-])/;
/** Interfaces and drives of this machine. */
const DEVICE = /^(?:eth|en[opsx]|wl|lo|docker|br|veth|wg|tun|tap|bond|sd|nvme|vd|md|dm)[\w.-]*$/;
const OTHER_DEVICE =
  /\b(?:my|our|mein(?:e[mnr]?)?|unser(?:e[mnr]?)?|mi|nuestr[oa]|mon|ma|notre) (?:phone|handy|nas|router|tv|printer|drucker|tablet|telefon|movil|telefono|impresora|telephone|imprimante|routeur|fritz ?box|raspberry|smart ?phone|other \w+)\b/;
export const namesHost = ({ plain, programs }: Pick<Heard, 'plain' | 'programs'>): boolean => {
  if (OTHER_DEVICE.test(plain)) return true;
  const name = HOST_NAME.exec(plain)?.[1];
  if (name !== undefined && DEVICE.test(name)) return false;
  return name !== undefined && !programs.some(({ runs, text }) => runs && text.toLowerCase() === name);
};
/** What no value of the machine or of a process answers: the answer says that it was not used. */
const NOT_MEASURED =
  /\b(?:median\w*|percentile\w*|perzentil\w*|percentil\w*|fastest|quickest|growing|grows?|fills?|schnellsten|wachst|mas rapido|crece|crecen|le plus vite|grandit|grossit|laptop|laptops|notebook|macbook|portatil|portable|(?:per|by|for each|pro|por|par|je) (?:hour|day|minute|container|stunde|tag|minute|hora|dia|heure|jour|contenedor|conteneur))\b/g;
/** Which files or programs fill a disk is not measured. */
const FILLS_DISK =
  /\b(?:eating|eats|hogging|filling|frisst|auffrisst|fullt|llenando|comiendo|remplit|bouffe)\b/g;
export const MEANS = /\b(?:average|mean|avg|durchschnitt\w*|im schnitt|promedio|media|en moyenne|moyenne)\b/;
const notMeasured = (plain: string, hasMean: boolean, ofDisk: boolean): readonly string[] => [
  ...(plain.match(NOT_MEASURED) ?? []),
  ...(ofDisk ? (plain.match(FILLS_DISK) ?? []) : []),
  ...(hasMean ? [] : (MEANS.exec(plain) ?? [])),
];

/** How a value has changed, or will: of that nothing is kept. */
export const TREND =
  /\b(?:(?:gone|going|went|go) (?:up|down)|gr(?:own|ew|owing|ows)|increas\w*|decreas\w*|ris(?:en|ing|es?)|rose|climb\w*|dropp?(?:ed|ing)|trend\w*|gestiegen|steigt|angestiegen|stieg|gesunken|gewachsen|wachst|zugenommen|abgenommen|subido|subiendo|bajado|aumentado|aumentando|crecido|creciendo|crece|augmente\w*|monte|baisse|grossi|evolue)\b/;
const FILLS =
  /\b(?:full|fill\w*|run out|out of (?:space|memory)|voll|full[te]\w*|vollauf\w*|reicht|llen\w*|agot\w*|plein\w*|rempli\w*|sature\w*)\b/;
const WHEN_FULL =
  /\b(?:when|how (?:long|soon|fast|quickly)|at what rate|wann|wie (?:schnell|lange|bald)|cuando|a que (?:ritmo|velocidad)|en cuanto tiempo|cuanto (?:tarda|falta)|quand|a quelle vitesse|dans combien de temps|en combien de temps)\b/;
/** "When will the disk be full." */
export const asksWhenFull = (plain: string): boolean => FILLS.test(plain) && WHEN_FULL.test(plain);
/** Words of these questions. */
const OF_TREND =
  /^(?:ha|han|gone|went|going|up|down|grow\w*|grew|increas\w*|decreas\w*|ris\w+|rose|climb\w*|drop\w*|fast|soon|quickly|rate|fill\w*|until|till|schnell|bald|full\w*|gestiegen|steig\w*|angestiegen|stieg|gesunken|gewachsen|wachst|zugenommen|abgenommen|subi\w+|bajado|aument\w+|crec\w+|llen\w+|velocidad|ritmo|augment\w*|monte\w*|baisse\w*|grossi\w*|vitesse|rempli\w*|plein|past|few|days|letzten|tage|ultimos|dias|derniers|jours)$/i;

export const isOfTrend = (words: string): boolean =>
  plainOf(words)
    .split(' ')
    .every((one) => OF_TREND.test(one));

/** A process that is not named: "anything over 1 GB of RAM". */
export const SOME_PROCESS =
  /\b(?:anything|something|anyone|someone|who|what (?:is |s )?(?:us|tak|eat|need|consum|hog)\w*|irgendwas|irgendetwas|irgendwer|etwas|wer|was (?:braucht|verbraucht|belegt|frisst|nutzt|benutzt)|algo|alguien|quien|que (?:usa|consume|ocupa|gasta)|quelque chose|qu est ce qui|qui)\b/;

/** The name of a program that does not run: one that is known, or that is written like one. */
export const isNameLike = (text: string): boolean =>
  (isProgramName(text) || /[\d_.-]/.test(text)) &&
  /^[\w.+@-]{3,}$/.test(text) &&
  !isFrequent(text.toLowerCase()) &&
  notMeasured(text, true, true).length === 0;

/** Words of a question that its answer does not use. */
export const unusedIn = (
  { unused, plain, quantities }: Heard,
  { names = [], isPast = false, isFuture = false, isMean = false }: Partial<VitalAsked>,
): readonly string[] =>
  [
    ...new Set([
      ...unused.filter((word) => !names.some(({ text }) => text === word)),
      ...notMeasured(plain, quantities.includes('load') || isPast || isMean, quantities.includes('disk')),
    ]),
  ].filter((word) => !((isPast || isFuture) && isOfTrend(word)) && !(isMean && MEANS.test(plainOf(word))));

/** Why they are high can be asked. */
export const CAN_BE_HIGH: ReadonlySet<Quantity> = new Set([
  ...(['load', 'cpu', 'memory', 'swap'] as const),
  ...(['pressure', 'io', 'iowait'] as const),
]);

/** They hold since the start of the machine. */
export const TIMELESS: ReadonlySet<Quantity> = new Set(['uptime', 'oom', 'reboot', 'clock']);

export const SINCE =
  /\b(?:how long|since when|seit wann|wie lange|depuis quand|depuis combien|desde cuando|cuanto (?:tiempo|lleva)|hace cuanto|desde hace cuanto)\b/;
export const RUNS =
  /\b(?:up|on|running|run|runs|an|lauft|laufen|eingeschaltet|online|tourne\w*|allume\w*|marche|demarre\w*|encendid\w+|lleva|funciona\w*|corr\w+|arriba|activ\w+)\b/;
/** Of several processes the sum. */
export const TOGETHER =
  /\b(?:together|combined|altogether|in total|zusamm?en|insgesamt|in summe|juntos|juntas|en total|en conjunto|ensemble|au total|en tout)\b/;
/** What was named before. */
export const IT =
  /\b(?:(?:does|do|is|has|have|did|are|was|were) (?:it|they|he)|(?:it|they|he) (?:been|use|uses|need|needs|have|has)|(?:braucht|belegt|hat|nutzt|lauft|verbraucht|benutzt|brauchen) (?:er|es|sie)|(?:utilise|consomme|prend|tourne|a|utilisent)(?: t)? (?:il|elle|ils|elles)|its|dafur)\b/;
