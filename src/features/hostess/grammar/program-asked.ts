/** Questions about the state of services, schedules, and changes of files that several words together decide, in four languages. Pure. */
import { valueText } from '../../../query/text.ts';
import { isProgramName } from '../families.ts';
import { HOW_TO, type HostAsking, planOf, programIn } from './named.ts';
import type { Notes, Plan } from './plan.ts';
import { type Condition, said, TABLES } from './tables.ts';

const LISTS =
  '(?:please |bitte |por favor )?(?:list|show(?: me)?|give me|zeige?(?: mir)?|liste|nenne(?: mir)?|lista|muestra(?:me)?|affiche(?: moi)?|montre(?: moi)?|liste(?: moi)?|(?:which|what|welche|que|quels) (?=\\S+ (?:are |sind |estan |sont |hay )?(?:installed|there|installiert|instalados|installes)))';
const EACH = '(?: (?:all|the|alle|die|todos|los|tous|les|of|my|our|systemd|system))*';
const SERVICES =
  '(?:services?|dienste|servicios|units|daemons)(?: (?:de|of|von) systemd)?(?: (?:are |sind |estan |sont |hay )?(?:installed|there|installiert|instalados|installes))?';
const ACTIVE =
  '(?:running|active|current|started|laufenden?|aktiven?|gestarteten?|en ejecucion|en marcha|activos|corriendo|actifs|en cours|lances|demarres|qui tournent|que corren)';
const ALL_SERVICES = new RegExp(
  `^[¿ ]*${LISTS}${EACH} ?(?:${ACTIVE} )?${SERVICES}(?: ${ACTIVE})?(?: (?:on|of|auf|en|sur) .*)?[?!. ]*$`,
);
const NO_STATE: Notes = {
  first: said(
    'Which services run is not recorded; systemctl list-units --type=service shows it',
    'Welche Dienste laufen, ist nicht aufgezeichnet; systemctl list-units --type=service zeigt es',
    'Qué servicios están en marcha no está registrado; systemctl list-units --type=service lo muestra',
    'Quels services tournent n’est pas enregistré ; systemctl list-units --type=service le montre',
  ),
};

/** All services: their files are known. */
export function allServices({ plain, reading }: HostAsking): Plan | null {
  const trait = TABLES.startup?.traits.systemd;
  if (trait === undefined || !ALL_SERVICES.test(plain)) return null;
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup', conditions: [trait], notes: NO_STATE },
    query: `startup select ${TABLES.startup?.select} where ${trait.query}`,
  });
}

const STATE =
  /\b(?:health\w*|ok|okay|fine|alright|working|works|work|well|in ordnung|funktioniert|geht es|bien|funciona|funcionando|fonctionne|marche|va bien)\b/;
/** A running one has a state of its own. */
const STATUS = /\b(?:status|state|zustand|estado|etat)\b/;
const OTHER_STATE =
  /\b\w+\.\w|\b(?:machine|server|host|box|rechner|maschine|maquina|servidor|serveur|dns|domain|resolve\w*|field|ports?|puertos?|listen\w*|findings?|wrap\w*|baseline|site|mail|gate|certificate|memory|cpu|allow\w*|normal|safe|known|signature|package\w*|paket\w*|version\w*|how (?:do|can|to)|wie (?:funktioniert|geht das)|como funciona|comment)\b/;
const ENDED =
  /\b(?:crash\w*|die|died|dies|fail\w*|stopped|went down|go down|gone down|killed|abgesturzt|gestorben|ausgefallen|fehlgeschlagen|beendet|gestoppt|cayo|caido|murio|fallo|fallado|detuvo|parado|plante|crashe|tombe|arrete|echoue|mort)\b/;
const NOT_ENDED =
  /\b(?:units?|ports?|puertos?|findings?|checks?|gate|alert\w*|kill\w* by|how (?:do|can|to)|should|if|wenn|si|backup\w*|login\w*|oom)\b/;
const NOT_JUDGED: Notes = {
  last: said(
    'Whether it works as it should is not measured',
    'Ob er richtig arbeitet, wird nicht gemessen',
    'Si funciona como debe no se mide',
    'S’il fonctionne comme il faut n’est pas mesuré',
  ),
};
const NOT_KEPT: Notes = {
  first: said(
    'When a program ended, and why, is not recorded; journalctl shows it',
    'Wann und warum ein Programm endete, ist nicht aufgezeichnet; journalctl zeigt es',
    'Cuándo y por qué terminó un programa no está registrado; journalctl lo muestra',
    'Quand et pourquoi un programme s’est arrêté n’est pas enregistré ; journalctl le montre',
  ),
};

/** Whether a program runs, where its state or a crash of it is asked for. */
function stateOf(asking: HostAsking): Plan | null {
  const { plain, reading, names } = asking;
  const name = programIn(asking);
  if (
    name === null ||
    name.startsWith('/') ||
    reading.slots.some(({ part }) => part === 'user' || part === 'number')
  )
    return null;
  const isEnded = ENDED.test(plain) && !NOT_ENDED.test(plain);
  // Another word may be no name at all.
  if (!names.programs(name) && !isProgramName(name)) return null;
  const all = [name, ...names.versions(name)].flatMap((one) => names.find(one));
  const isState =
    (STATE.test(plain) || (all.length === 0 && STATUS.test(plain))) &&
    !OTHER_STATE.test(plain) &&
    reading.moment === null;
  if ((!isEnded && !isState) || plain.split(' ').length > 10 || /^(?:kill|stop|restart|start) /.test(plain))
    return null;
  const [[column, value] = ['comm', name] as const] = all;
  return planOf(reading.language, {
    ...{
      kind: isEnded || all.length > 0 ? 'list' : 'whether',
      table: 'processes',
      name,
      notes: isEnded ? NOT_KEPT : NOT_JUDGED,
    },
    ...(all.length === 0 && { stranger: name }),
    conditions: [
      { query: '', words: said(`of ${name}`, `von ${name}`, `de ${name}`, `de ${name}`), step: null },
    ],
    query: `processes select ${TABLES.processes?.select} where ${column} = ${valueText(value)}`,
  });
}

const SCHEDULED =
  /\b(?:cron\w*|jobs?|timers?|scheduled?|tasks?|runs?|geplant\w*|aufgaben?|lauft|laufen|tareas?|programad\w*|corre|se ejecuta|taches?|planifie\w*|tourne|lance)\b/;
const EVERY =
  /\b(?:every|each|alle|jede|cada|toutes les|chaque) (\d{1,2}|five|ten|funf|zehn|cinco|diez|cinq|dix) (?:min\w*)/;
const MINUTES: Readonly<Record<string, string>> = {
  ...{ five: '5', ten: '10', funf: '5', zehn: '10', cinco: '5', diez: '10', cinq: '5', dix: '10' },
};
const AT_HOUR = /\b(?:at|um|a las|a) (\d{1,2})(?::00)? ?(am|pm|o clock|uhr|h|heures?)?(?= |\?|$)/;
const RUNS_AT =
  /^[¿ ]*(?:what|which|anything|is (?:there )?anything|does anything|was|welche\w*|lauft etwas|que|algo|qu est ce qui|quoi) .*\b(?:runs?|lauft|laufen|starts?|startet|corre|se ejecuta|tourne|se lance|scheduled|geplant)\b/;

/** Jobs of cron by their time. */
function scheduled({ plain, reading }: HostAsking): Plan | null {
  const cron = TABLES.startup?.traits.cron as Condition;
  const minutes = EVERY.exec(plain)?.[1];
  const [, hour, half] = (RUNS_AT.test(plain) && AT_HOUR.exec(plain)) || [];
  if (!SCHEDULED.test(plain) || (minutes === undefined && hour === undefined) || /\bports?\b/.test(plain))
    return null;
  const at =
    hour === undefined
      ? ''
      : String((Number(hour) % 12) + (half === 'pm' ? 12 : half === 'am' || Number(hour) < 12 ? 0 : 12));
  const when =
    minutes === undefined ? `when like "% ${at} % % %"` : `when starts "*/${MINUTES[minutes] ?? minutes} "`;
  const time = EVERY.exec(plain)?.[0] ?? AT_HOUR.exec(plain)?.[0] ?? '';
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup' },
    conditions: [
      cron,
      { query: '', words: said(`(${time})`, `(${time})`, `(${time})`, `(${time})`), step: null },
    ],
    query: `startup select ${TABLES.startup?.select} where ${cron.query} and ${when}`,
  });
}

const JOB =
  /\b(?:when|how often|at what time|wann|wie oft|um wie viel uhr|cuando|a que hora|a quelle heure|con que frecuencia|quand|a quelle frequence)\b.*\b(?:does|do|is|lauft|wird|corre|se ejecuta|tourne|est)\b/;
const NAME_OF_JOB =
  /\b([a-z][\w.-]{2,})[ -](?:jobs?|cron-?jobs?|script|timer|task|tarea|tache|aufgabe)\b|\b(?:job|script|timer|task|tarea|tache|aufgabe|cronjob) ([a-z][\w.-]{2,})/;
const SINCE = /\b(?:since|seit|depuis|desde)\b/;
const RUN_OF =
  /\b(?:runs?|lauft|corre|se ejecuta|tourne) (?:the |der |die |das |el |la |le )?([a-z][\w.-]{2,})[?!. ]*$|\b(?:does|do) (?:the )?([a-z][\w.-]{2,}) run\b/;
const NO_NAME =
  /^(?:the|cron|next|this|that|my|our|der|die|das|den|dem|el|la|le|les|los|run|runs|every|each|scheduled|which|what|gate|out|now|next|again|here|ever|today|often|automatically|regularly|normally|usually|hier|heute|ahora|maintenant|it|they|that|this|those|checks?|desk)$/;
const PATH = /(?<![\w.])\/[\w./+-]*\w/;

/** When a job runs: by a part of its command. */
function timesOfJob({ plain, reading }: HostAsking): Plan | null {
  if (!JOB.test(plain) || SINCE.test(plain) || reading.moment !== null) return null;
  const [, before, behind] = NAME_OF_JOB.exec(plain) ?? RUN_OF.exec(plain) ?? [];
  const name =
    PATH.exec(plain)?.[0] ?? [before, behind].find((one) => one !== undefined && !NO_NAME.test(one));
  if (name === undefined || /\b(?:start(?:ed|et)?|restart\w*|chang\w*|modif\w*|geandert)\b/.test(plain))
    return null;
  const text = valueText(name);
  const of = `(runs contains ${text} or path contains ${text})`;
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup' },
    conditions: [
      { query: of, words: said(`of ${name}`, `von ${name}`, `de ${name}`, `de ${name}`), step: null },
    ],
    query: `startup select ${TABLES.startup?.select} where ${of}`,
  });
}

const RAN =
  /\b(?:(?:did|has|have) .*\b(?:run|ran|execut\w*|fail\w*|succe\w*|work\w*|finish\w*)|(?:when|what time) (?:did|was) .*\b(?:run|ran|executed)|last runs?|(?:ist|hat|wurde|lief) .*\b(?:gelaufen|ausgefuhrt|fehlgeschlagen|funktioniert)|lief .*|(?:se ejecuto|se ha ejecutado|corrio|ha corrido|fallo|ha fallado) .*|.* (?:s est execute\w*|a tourne|a echoue|a t elle tourne|a t il tourne))/;
const OF_JOB =
  /\b(?:cron\w*|jobs?|timers?|logrotate|(?:the|my|nightly|daily|das|der|el|la|le) (?:nightly |daily )?(?:backup|script)|scheduled|sicherung|sauvegarde|copia de seguridad|tarea|tache|aufgabe)\b/;
const NOT_JOB =
  /\b(?:desk|hostess|you|your|own|gate|checks?|units?|services?|process\w*|loop|sweep|how many|wie viele|new|neue?|added|chang\w*|remov\w*|port|restart\w*|ports)\b/;
const JOB_NAME = /\b(logrotate|backup|sicherung|sauvegarde)\b/;
const NO_RUNS: Notes = {
  first: said(
    'When a job ran, and how it ended, is not recorded; journalctl -u cron shows it',
    'Wann ein Job lief und wie er endete, ist nicht aufgezeichnet; journalctl -u cron zeigt es',
    'Cuándo se ejecutó una tarea y cómo acabó no está registrado; journalctl -u cron lo muestra',
    'Quand une tâche a tourné et comment elle a fini n’est pas enregistré ; journalctl -u cron le montre',
  ),
};

/** Whether a job ran: only that it is set up is known. */
function jobRan({ plain, reading }: HostAsking): Plan | null {
  const cron = TABLES.startup?.traits.cron;
  if (
    cron === undefined ||
    !RAN.test(plain) ||
    !OF_JOB.test(plain) ||
    NOT_JOB.test(plain) ||
    HOW_TO.test(plain)
  )
    return null;
  const [, before, behind] = NAME_OF_JOB.exec(plain) ?? JOB_NAME.exec(plain) ?? [];
  const name = [before, behind].find((one) => one !== undefined && !NO_NAME.test(one));
  const of: Condition =
    name === undefined
      ? cron
      : {
          query: `(runs contains ${valueText(name)} or path contains ${valueText(name)})`,
          words: said(`of ${name}`, `von ${name}`, `de ${name}`, `de ${name}`),
          step: null,
        };
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup', conditions: [of], notes: NO_RUNS },
    query: `startup select ${TABLES.startup?.select} where ${of.query}`,
  });
}

const CHANGED =
  /\b(?:chang\w*|modif\w*|alter(?:ed)?|tamper\w*|edit\w*|touch\w*|creat\w*|add(?:ed)?|writ\w*|put|replaced|geandert|verandert\w*|bearbeitet|erstellt|angelegt|manipuliert\w*|hinzugefugt|cambi\w+|alterad\w*|manipulad\w*|cre[oa]\w*|anadi\w*|edit\w+|touche\w*|cree\w*|ajoute\w*|falsifie\w*)\b/;
const ASKS_CHANGE =
  /^[¿ ]*(?:when|who|was|were|has|have|did|is|wann|wer|wurde|hat|ist|cuando|quien|se ha|ha|fue|esta|quand|qui|est ce que|a t on|\/)/;
const NO_PERSON: Notes = {
  last: said(
    'Who changed a file is not recorded',
    'Wer eine Datei geändert hat, ist nicht aufgezeichnet',
    'Quién cambió un archivo no está registrado',
    'Qui a changé un fichier n’est pas enregistré',
  ),
};

/** When a file changed: known of files of startup, and of those that differ from their package. */
function fileChanged({ plain, reading }: HostAsking): Plan | null {
  const path = PATH.exec(plain)?.[0];
  if (path === undefined || !CHANGED.test(plain) || !ASKS_CHANGE.test(plain) || HOW_TO.test(plain))
    return null;
  if (
    reading.moment !== null ||
    reading.slots.some(({ part, value }) => part === 'table' && value !== 'startup')
  )
    return null;
  const text = valueText(path);
  const { language } = reading;
  return planOf(language, {
    ...{ kind: 'file-changed', table: 'startup', name: path, notes: NO_PERSON },
    query: `startup select ${TABLES.startup?.select} where path = ${text} order by -changed limit 3`,
    second: planOf(language, {
      ...{
        kind: 'list',
        table: 'packages',
        query: `packages select ${TABLES.packages?.select} where path = ${text}`,
      },
    }),
  });
}

export const PROGRAM_RULES: readonly ((asking: HostAsking) => Plan | null)[] = [
  scheduled,
  jobRan,
  timesOfJob,
  fileChanged,
  stateOf,
];
