/** Questions about programs, packages and startup that several words together decide, in four languages. Pure. */
import { valueText } from '../../../query/text.ts';
import { ACCOUNT_RULES } from './account-asked.ts';
import { ACCOUNT_FACTS } from './account-facts.ts';
import { accountIn, HOW_TO, type HostAsking, type More, planOf, programIn } from './named.ts';
import { clauses, timeWords } from './past.ts';
import type { Notes, Plan } from './plan.ts';
import { PROGRAM_RULES } from './program-asked.ts';
import type { Slot } from './read.ts';
import { type Condition, said, TABLES } from './tables.ts';

const PURPOSE =
  /\b(?:(?:what|why) .*\bfor|used for|what (?:does|do) .*\bdo|purpose of|point of|(?:do|should) (?:i|we) (?:really |even |still )?(?:need|keep)(?! to)|needed|wofur|wozu|zweck|wird .*(?:gebraucht|benotigt)|brauch(?:e|t)? (?:ich|man|wir)|was (?:macht|tut)|para que|que hace|necesito|hace falta|a quoi sert|a quoi sert il|que fait|ai je besoin|besoin (?:de|d)|utilite)\b/;
const OTHER_PURPOSE =
  /\b(?:desk|hostess|check|port|finding|wrap|gate|baseline|law|listen\w*|memory|cpu|token|ssh keys?|reboot|restart|update|root|sudo|right now|gerade|ahora|login|password|passwort)\b/;
/** Behind what has the name. */
const THING =
  /\b(?:process|program(?:me)?|service|daemon|binary|command|prozess|programm|dienst|befehl|proceso|programa|servicio|demonio|comando|processus|service|demon|commande|logiciel) (?:named |called |namens |llamado |nomme )?([a-z_][\w.@-]{2,})/;
const ALONE =
  /\b(?:do (?:i|we) (?:really |even |still )?need|was (?:macht|ist)|brauche ich|necesito|ai je besoin (?:de |d )|what is|que es|c est quoi) (?:the |den |das |el |la |le )?([a-z_][\w.@-]{2,}?)(?: (?:and|und|y|et) .*)?[?!. ]*$/;

/** The name of what it is for: an account, a program that runs, or one that is called so. */
function thingIn(asking: HostAsking): string | null {
  const { plain, names } = asking;
  const account = accountIn(asking);
  if (account !== null) return account;
  const program = programIn(asking);
  const named = [THING.exec(plain)?.[1], ALONE.exec(plain)?.[1]].find((one) => one !== undefined);
  // "Avahi-daemon" is read as avahi, a daemon.
  if (program !== null) return named?.startsWith(`${program}-`) ? named : program;
  return named === undefined || names.isOrdinary(named) ? null : named;
}

/** A key of the configuration. */
const CONFIG_KEY =
  /^(?:loop|slow|listen|sites?|status_page|ports|banned|egress|identity|mail|assistant|alerts|heartbeat|mcp|links|access|privacy|law|theme)\./;

const NO_PURPOSE: Notes = {
  first: said(
    'What it is for, and whether it is needed, is not recorded',
    'Wofür es da ist und ob es gebraucht wird, ist nicht aufgezeichnet',
    'Para qué sirve y si hace falta no está registrado',
    'À quoi cela sert et si c’est nécessaire n’est pas enregistré',
  ),
};

/** What an account or program is for: what is known of it. */
function purposeOf(asking: HostAsking): Plan | null {
  const { plain, reading, names } = asking;
  if (!PURPOSE.test(plain) || OTHER_PURPOSE.test(plain) || reading.moment !== null) return null;
  const name = thingIn(asking);
  if (
    name === null ||
    CONFIG_KEY.test(name) ||
    reading.slots.some(({ part }) => part === 'number' || part === 'check')
  )
    return null;
  const { language } = reading;
  const [[column, value] = ['comm', name] as const] = [name, ...names.versions(name)].flatMap((one) =>
    names.find(one),
  );
  const processes = `processes select ${TABLES.processes?.select}, executable, kind where ${column} = ${valueText(value)}`;
  return planOf(language, {
    ...{ kind: 'purpose', table: 'accounts', name, notes: NO_PURPOSE },
    query: `accounts select ${TABLES.accounts?.select} where name = ${valueText(name)}`,
    second: planOf(language, { kind: 'list', table: 'processes', query: processes }),
    ...(!names.isUser(name) && { subject: processes }),
  });
}

const PACKAGE = /\b(?:packages?|pkg|pakete?n?|paketes|paquetes?|paquets?)\b/;
const BELONGS =
  /\b(?:belongs?|from|owns?|owner|provid\w*|ships?|contains?|installs?|installed|part of|include\w*|bring\w*|has|gehort|stammt|kommt|liefert|enthalt|aus|zu|pertenece|viene|proporciona|contiene|trae|instal\w*|es|appartient|vient|fournit|contient|installe|est)\b/;
const WHICH = /\b(?:which|what|welche[mnrs]?|que|cual|quel|quels?)\b/;
const ANY_PACKAGE =
  /\b(?:an?|any|some|einem|einen|irgendeinem|une?|algun|quelque) (?:\w+ )?(?:package|paket|paquete|paquet)\b/;
/** Files and updates of packages have answers of their own. */
const OTHER_PACKAGES =
  /\b(?:how many|versions?|updates?|upgrad\w*|chang\w*|alter\w*|differ\w*|integrit\w*|geandert\w*|cambi\w+|modif\w*|packages|pakete|paquetes|paquets|vouch\w*|mean|bedeutet|startup|cron\w*)\b/;

/** The package of a program or file. */
function packageOf(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (
    !PACKAGE.test(plain) ||
    !(WHICH.test(plain) || ANY_PACKAGE.test(plain)) ||
    !BELONGS.test(plain) ||
    OTHER_PACKAGES.test(plain)
  )
    return null;
  const path = /(?<![\w.])\/[\w./+-]+\w/.exec(plain)?.[0];
  const last =
    /([a-z][\w.+-]+)(?: (?:from|come from|in|part of|installed by|belong to|gehort|stammt|kommt|(?:is |comes |from |part of |belongs? to |aus |zu |de |en |a |d |d un )*(?:an?|any|einem|une?|algun) (?:package|paket|paquete|paquet)))?[?!. ]*$/.exec(
      plain,
    )?.[1];
  const name =
    path ??
    programIn(asking) ??
    (last === undefined || PACKAGE.test(last) || asking.names.isOrdinary(last) ? null : last);
  if (name === null) return null;
  const text = valueText(name.startsWith('/') ? name : `/${name}`);
  const own = `path = ${text} or runs contains ${text}`;
  const of = name.startsWith('/') ? own : `runs contains ${text} or path ends ${text}`;
  const { language } = reading;
  return planOf(language, {
    ...{ kind: 'package-of', table: 'startup', name },
    query: `startup select ${TABLES.startup?.select} where ${of} limit 3`,
    second: planOf(language, {
      ...{ kind: 'list', table: 'packages' },
      query: `packages select ${TABLES.packages?.select} where path ${name.startsWith('/') ? '=' : 'ends'} ${text} limit 3`,
    }),
  });
}

const PROGRAMS =
  /\b(?:process\w*|programs?|programmes?|programme[ns]?|apps?|applications?|binar(?:y|ies)|executables?|software|prozess\w*|anwendungen|proces\w*|programas?|aplicaciones|logiciels?)\b/;
const NO_PACKAGE =
  /\b(?:not|(?:do|does|is|are)n t|dont|doesnt|isnt|arent|no|without|outside|never|none|nicht|kein\w*|ohne|sin|ningun\w*|fuera de|pas|aucune?|sans|hors)\b/;
const AT_START =
  /\b(?:connect\w*|connexions?|verbindung\w*|conexion\w*|ports?|puertos?|listen\w*|lausch\w*|escuch\w*|ecout\w*|network|netz\w*|reseau|root|threads?|set-?uid|suid|setuid|set uid|startup|autostart\w*|start\w*|boot\w*|cron\w*|services?|dienste?\w*|units?|entr\w+|eintr\w+|arran\w+|inici\w+|demarr\w+|lanc\w+|servicios?|vouch\w*|burgt|files?|dateien?|archivos?|fichiers?|installed|installiert\w*|instalad\w*|how many|wie viele)\b/;
const NO_PROGRAM_PACKAGE: Notes = {
  first: said(
    'Whether a program that runs belongs to a package is not recorded, only that of what starts by itself',
    'Ob ein laufendes Programm zu einem Paket gehört, ist nicht aufgezeichnet, nur bei dem, was von selbst startet',
    'Si un programa en marcha pertenece a un paquete no está registrado, solo de lo que arranca por sí solo',
    'Qu’un programme qui tourne appartienne à un paquet n’est pas enregistré, seulement pour ce qui démarre tout seul',
  ),
};

/** They run nothing: accounts, rights and settings. */
const NO_PROGRAM =
  'place in ("passwd", "shadow", "group", "user-record", "subordinate-ids", "sudoers", "polkit-rule", "polkit-action", "pam-setting", "certificate-authority", "sshd", "ssh-client", "authorized-keys")';

/** Programs without a package: it is known of what starts by itself. */
function unpackaged({ plain, reading }: HostAsking): Plan | null {
  if (!PACKAGE.test(plain) || !PROGRAMS.test(plain) || !NO_PACKAGE.test(plain) || AT_START.test(plain))
    return null;
  const trait = TABLES.startup?.traits.unvouched;
  if (trait === undefined || reading.moment !== null) return null;
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup', conditions: [trait], notes: NO_PROGRAM_PACKAGE },
    query: `startup select ${TABLES.startup?.select} where ${trait.query} and not ${NO_PROGRAM}`,
  });
}

const ALL_ALLOWED =
  /^[¿ ]*(?:are|is|sind|ist|estan|esta|est ce que|tous|toutes|todos|todas|alle)\b.*\b(?:all|every|each|alle|jeder|todos|todas|cada|tous|toutes|chaque)\b.*\b(?:ports?|listeners?|puertos?|ecoutes?)\b.*\b(?:allowed|permitted|erlaubt|permitidos?|permitidas?|autorisee?s?)[?!. ]*$/;

/** Whether all that listens is allowed: what is not. */
function allAllowed({ plain, reading }: HostAsking): Plan | null {
  const trait = TABLES.listeners?.traits.unlearned;
  if (!ALL_ALLOWED.test(plain) || trait === undefined || reading.moment !== null) return null;
  return planOf(reading.language, {
    ...{ kind: 'whether', table: 'listeners', conditions: [trait], denied: true },
    query: `listeners select ${TABLES.listeners?.select} where ${trait.query}`,
  });
}

const OF_STARTUP =
  /\b(?:startup|start-up|autostart\w*|systemstart|demarrage|arranque|cron|cron-?jobs?|crontabs?|timers?|(?:scheduled|geplante|programadas|planifiees) \w+)\b/;
const UNIT = /\b(?:systemd|units?|services?|timers?|dienste?|servicios?|unidad(?:es)?|unites?)\b/;
const CRON = /\bcron\w*/;
const ADDED =
  /\b(?:new(?:ly|er|est)?|add(?:ed)?|appear\w*|recent\w*|lately|neue?[rns]?|hinzugefugt|hinzugekommen|dazugekommen|kurzlich|neulich|nuev[oa]s?|anadi\w*|agreg\w*|recien\w*|ultimamente|nouve\w+|ajout\w*|recemment|dernierement)\b/;
const NOT_ADDED =
  /\b(?:how many|findings?|alerts?|baseline|learn\w*|notif\w*|tell me|if|wenn|si|unlearned|user|packages?|vouch\w*|wie viele|cuant[oa]s|combien|befund\w*|hallazgo\w*|constat\w*)\b/;
const NO_TIME_OF_ENTRY: Notes = {
  first: said(
    'When an entry was added is not recorded, only when its file changed last',
    'Wann ein Eintrag hinzukam, ist nicht aufgezeichnet, nur wann seine Datei sich zuletzt änderte',
    'Cuándo se añadió una entrada no está registrado, solo cuándo cambió por última vez su archivo',
    'Quand une entrée a été ajoutée n’est pas enregistré, seulement quand son fichier a changé pour la dernière fois',
  ),
};

const ODD =
  /\b(?:suspicious|weird|strange|odd|dangerous|malicious|bad|dodgy|verdachtig\w*|seltsam\w*|komisch\w*|gefahrlich\w*|bosartig\w*|sospechos[oa]s?|rar[oa]s?|peligros[oa]s?|suspecte?s?|bizarres?|dangereu(?:x|ses?)|etranges?)\b/;
const REPORTED: Condition = {
  query: '(findings is not none or severity >= medium)',
  words: said(
    'with an open finding, or of severity medium or worse',
    'mit offenem Befund, oder der Schwere medium oder schlimmer',
    'con un hallazgo abierto, o de gravedad medium o peor',
    'avec un constat ouvert, ou de gravité medium ou pire',
  ),
  step: null,
};

/** What of startup looks wrong: what has a finding, or is severe. */
function oddAtStartup({ plain, reading }: HostAsking): Plan | null {
  if (!OF_STARTUP.test(plain) || !ODD.test(plain) || HOW_TO.test(plain) || /\bcheck\b/.test(plain))
    return null;
  const cron = CRON.test(plain) ? TABLES.startup?.traits.cron : undefined;
  const conditions = [...(cron === undefined ? [] : [cron]), REPORTED];
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup', conditions },
    query: `startup select ${TABLES.startup?.select} where ${conditions.map(({ query }) => query).join(' and ')} order by -severity`,
  });
}

const REMOVED =
  /\b(?:remov\w*|delet\w*|gone|disappear\w*|entfernt\w*|geloscht\w*|verschwunden\w*|eliminad\w*|elimin\w+|borrad\w*|borraron|quitad\w*|desaparec\w*|supprime\w*|retiree?s?|enlevee?s?|disparu\w*)\b/;
const NO_REMOVAL: Notes = {
  first: said(
    'What was removed from startup is not recorded',
    'Was beim Systemstart entfernt wurde, ist nicht aufgezeichnet',
    'Lo que se quitó del arranque no está registrado',
    'Ce qui a été retiré du démarrage n’est pas enregistré',
  ),
};

/** What is no longer at startup. */
function goneAtStartup({ plain, reading }: HostAsking): Plan | null {
  if (!OF_STARTUP.test(plain) || !REMOVED.test(plain) || NOT_ADDED.test(plain) || HOW_TO.test(plain))
    return null;
  const cron = CRON.test(plain) ? TABLES.startup?.traits.cron : undefined;
  return planOf(reading.language, {
    ...{ kind: 'count', table: 'startup', notes: NO_REMOVAL, conditions: cron === undefined ? [] : [cron] },
    query: `startup select count()${cron === undefined ? '' : ` where ${cron.query}`}`,
  });
}

/** What is new at startup, without a time. */
function newAtStartup(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const { moment, slots } = reading;
  const isOfUnits = moment !== null && UNIT.test(plain) && slots.some(({ part }) => part === 'unread');
  if (
    (!OF_STARTUP.test(plain) && !isOfUnits) ||
    !ADDED.test(plain) ||
    NOT_ADDED.test(plain) ||
    HOW_TO.test(plain)
  )
    return null;
  if (programIn(asking) !== null || (moment !== null && (!isOfUnits || moment.how === 'ago'))) return null;
  const { cron, systemd } = TABLES.startup?.traits ?? {};
  const user = slots.find(({ part }) => part === 'user')?.value;
  const { query, ...plan } = newestEntries([
    ...(CRON.test(plain) && cron !== undefined ? [cron.query] : []),
    ...(UNIT.test(plain) && systemd !== undefined ? [systemd.query] : []),
    ...(user === undefined ? [] : [`user = ${valueText(user)}`]),
  ]);
  return planOf(reading.language, {
    ...plan,
    ...(moment !== null && { moment, conditions: [timeWords(moment)] }),
    query: moment === null ? query : query.replace(/ limit 3$/, clauses(moment)),
  });
}

/** The entries whose files changed last. */
export const newestEntries = (conditions: readonly string[]): More => ({
  ...{ kind: 'cells', table: 'startup', column: 'changed', limit: 3, notes: NO_TIME_OF_ENTRY },
  query: `startup select ${TABLES.startup?.select}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`} order by -changed limit 3`,
});

const RESTARTED =
  /\b(?:re-?start(?:ed|s)?|re-?launch\w*|neu ?gestartet|neu-?start\w*|reinici\w+|redemarr\w+|relanc\w+)\b/;
const NOT_RESTARTED =
  /\b(?:should|need\w*|must|muss|soll\w*|brauch\w*|why|warum|wieso|por que|pourquoi|can|could|kann|puedo|puede|peu\w*|machine|server|system|rechner|maschine|after|nach|tras|apres|boot\w*|desk)\b/;
const LAST_START: Notes = {
  last: said(
    'Earlier starts are not recorded',
    'Frühere Starts sind nicht aufgezeichnet',
    'Los arranques anteriores no están registrados',
    'Les démarrages précédents ne sont pas enregistrés',
  ),
};

/** Whether and when a program was started again. */
function restarted(asking: HostAsking): Plan | null {
  const { plain, reading, names } = asking;
  const { moment, language } = reading;
  const name = programIn(asking);
  if (name === null || !RESTARTED.test(plain) || NOT_RESTARTED.test(plain) || HOW_TO.test(plain)) return null;
  if (moment?.how === 'ago' || /^(?:please |bitte )?(?:restart|starte|reinicia|redemarre) /.test(plain))
    return null;
  const all = [name, ...names.versions(name)].flatMap((one) => names.find(one));
  const [[column, value] = ['comm', name] as const] = all;
  return planOf(language, {
    ...{ kind: 'restarted', table: 'processes', column: 'start', name, moment, notes: LAST_START },
    ...(all.length === 0 && { stranger: name }),
    conditions: [
      { query: '', words: said(`of ${name}`, `von ${name}`, `de ${name}`, `de ${name}`), step: null },
    ],
    query: `processes select ${TABLES.processes?.select} where ${column} = ${valueText(value)} order by -start limit 1`,
  });
}

const ALL = [
  ...ACCOUNT_RULES,
  ...ACCOUNT_FACTS,
  ...PROGRAM_RULES,
  allAllowed,
  unpackaged,
  packageOf,
  oddAtStartup,
  goneAtStartup,
  newAtStartup,
  restarted,
  purposeOf,
];

/** What only the grammar has a place for. */
const isOfGrammar = ({ part, value, text }: Slot): boolean =>
  ['match', 'deskport', 'check'].includes(part) ||
  (part === 'aggregate' && !/^share/.test(text)) ||
  (part === 'order' && (value === 'most' || value === 'least' || value === 'second')) ||
  (part === 'word' && ['top', 'between', 'sorted', 'children'].includes(value));

/** Null for another question. */
export function hostPlan(asking: HostAsking): Plan | null {
  if (asking.reading.slots.some(isOfGrammar)) return null;
  for (const one of ALL) {
    const plan = one(asking);
    if (plan !== null) return plan;
  }
  return null;
}
