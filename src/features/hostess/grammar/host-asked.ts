/** Questions about accounts, programs and packages that several words together decide, in four languages. Pure. */
import { valueText } from '../../../query/text.ts';
import type { Notes, Plan, Programs } from './plan.ts';
import type { Names, Reading } from './read.ts';
import { said, TABLES } from './tables.ts';
import type { Language } from './vocabulary.ts';

export interface HostAsking {
  readonly plain: string;
  readonly reading: Reading;
  readonly names: Names & Programs;
}

/** How something is done is asked of the documentation. */
const HOW_TO =
  /\b(?:how (?:do|can|to|should|could|would)|wie (?:kann|mache|richte|stelle|andere|setze|lege)|como (?:puedo|hago|se|cambio|pongo|creo)|comment)\b/;

const ACCOUNT = '(?:users?|accounts?|benutzer(?:konto)?|nutzer|konto|usuario|cuenta|utilisateur|compte)';
const BEHIND = new RegExp(
  `\\b${ACCOUNT} (?:named |called |namens |llamad[oa] |nomme |de |")*([a-z_][\\w.-]*)`,
);
const BEFORE = /\b([a-z_][\w.-]*) (?:user|account)\b/;
/** Accounts that most systems have: never a word of the question behind "user". */
const USUAL =
  /^(?:nobody|daemon|bin|sys|sync|mail|news|uucp|proxy|backup|list|irc|_apt|messagebus|systemd-[a-z]+|sshd|avahi|polkitd|tss|uuidd|dnsmasq|www-data|nginx|apache|mysql|postgres|postfix|man|games|lp|gnats|rtkit|usbmux|ntp|chrony|redis|git|docker)$/;

/** The account that is named; null without one, or with several. */
function accountIn({ plain, reading, names }: HostAsking): string | null {
  const named = reading.slots.filter(({ part }) => part === 'user').map(({ value }) => value);
  const strangers = reading.slots.filter(({ part, place }) => part === 'stranger' && place === 'user');
  const said = [BEHIND.exec(plain)?.[1], BEFORE.exec(plain)?.[1]].filter(
    (one): one is string => one !== undefined && (names.isUser(one) || USUAL.test(one)),
  );
  const all = new Set([...named, ...strangers.map(({ value }) => value), ...said]);
  const [one] = all;
  return all.size === 1 && one !== undefined ? one : null;
}

/** The program that is named, which may not run. */
function programIn({ reading }: HostAsking): string | null {
  const all = reading.slots.filter(
    ({ part, place }) => part === 'program' || (part === 'stranger' && place !== 'user'),
  );
  return all.length === 1 ? (all[0]?.value ?? null) : null;
}

type More = Partial<Plan> & Pick<Plan, 'kind' | 'table' | 'query'>;
const planOf = (language: Language, more: More): Plan => ({
  ...{ language, conditions: [], column: null, limit: null, moment: null, stranger: null, name: null },
  unmeasured: [],
  ...more,
});

const NOT_NOW =
  /\b(?:last|ever|never|first|when|often|times|today|allowed|able|can|could|may|possible|zuletzt|letzt\w*|je|jemals|nie|wann|heute|oft|ultim[oa]s?|nunca|cuando|hoy|puede\w*|derni\w+|jamais|quand|peu\w+|ports?|puertos?|internet|web\w*|mail\w*|imap|smtp|sites?|network|netz\w*|red|reseau|desk|you|du|interfaces?|disks?|usb|devices?|s est|se sont|s etait)\b/;
const SIGNED_IN = [
  /\b(?:(?:is|are|s|whos|currently|still|now|else) (?:\S+ ){0,5}?(?:logged|signed) (?:in|on)|(?:logged|signed) (?:in|on)(?: to \w+ \w+)? (?:right now|now|currently|at the moment)|who(?:s| is| s)(?: \w+)? online|(?:active|open|current|running|any|ssh|login|user) (?:ssh |login |user |active |open )*sessions?|has (?:an? )?(?:open |active )?session|connected (?:right now |now |currently )?(?:via|by|over|through|with|using) ssh|(?:who|anyone|anybody|users) (?:is |are |s )?(?:currently |right now )?connected)\b/,
  /\b(?:(?:ist|sind) (?:\S+ ){0,5}?(?:angemeldet|eingeloggt|online)|(?:angemeldete|eingeloggte)n? (?:benutzer|nutzer|user|konten)|(?:offene|aktive|laufende|ssh)n?[ -]?(?:ssh[ -]?)?(?:sitzung|session|anmeldung)\w*|(?:wer|jemand) (?:ist )?(?:\S+ ){0,3}?(?:verbunden))\b/,
  /\b(?:(?:esta|estan|hay|sigue|siguen) (?:\S+ ){0,5}?(?:conectad[oa]s?|logead[oa]s?|loguead[oa]s?|en linea)|(?:conectad|loguead)[oa]s? ahora|(?:sesion(?:es)?) (?:ssh )?(?:abiertas?|activas?|iniciadas?|en curso)|tienen? (?:una |la )?sesion)\b/,
  /\b(?:(?:est|sont|a t il|y a t il|quelqu un|quelqu un de) (?:\S+ ){0,5}?(?:connectee?s?|logge?e?s?|en ligne)|(?:utilisateurs?|comptes?) connectes?|sessions? (?:ssh )?(?:ouvertes?|actives?|en cours))\b/,
] as const;

const NOW: Notes = {
  first: said(
    'Who is signed in now is not recorded, only the last login of each account; the command who shows it',
    'Wer jetzt angemeldet ist, ist nicht aufgezeichnet, nur die letzte Anmeldung jedes Kontos; der Befehl who zeigt es',
    'Quién está conectado ahora no está registrado, solo la última entrada de cada cuenta; la orden who lo muestra',
    'Qui est connecté maintenant n’est pas enregistré, seulement la dernière connexion de chaque compte ; la commande who le montre',
  ),
};

/** Who is signed in now. */
function signedIn(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (reading.moment !== null || NOT_NOW.test(plain) || !SIGNED_IN.some((one) => one.test(plain)))
    return null;
  const name = accountIn(asking);
  const of = name === null ? '' : ` and name = ${valueText(name)}`;
  return planOf(reading.language, {
    ...{ kind: 'logins', table: 'accounts', column: 'last_login', name, notes: NOW },
    query: `accounts select ${TABLES.accounts?.select} where last_login is not none${of} order by -last_login limit 5`,
  });
}

const PASSWORD = /\b(?:passwords?|passwd|passwort|passworter|kennwort|contrasena|clave|mot de passe)\b/;
const HAS =
  /\b(?:has|have|having|set|is there|changed?|old|when|hat|haben|gesetzt|gibt es|geandert|wann|alt|tiene|tienen|puesta|hay|cambio|cambiada|cuando|a t il|a t elle|a|est ce que|y a t il|defini|change|quand)\b/;
const ASKS_SECRET =
  /\b(?:what (?:is|s)|tell|show|give|guess|crack|reset|forgot\w*|cual es|dime|muestra\w*|wie lautet|was ist|nenn\w*|zeig\w*|sag|vergessen|quel est|donne\w*|montre\w*|dis|oublie|ssh|login|log in|hash\w*)\b/;
const WHEN = /\b(?:when|how old|wann|wie alt|cuando|quand)\b/;

/** Whether an account has a password, or when it was set. */
function passwordOf(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!PASSWORD.test(plain) || !HAS.test(plain) || ASKS_SECRET.test(plain) || HOW_TO.test(plain)) return null;
  const name = accountIn(asking);
  if (name === null || reading.moment !== null) return null;
  return planOf(reading.language, {
    ...{ kind: 'password', table: 'accounts', name, column: WHEN.test(plain) ? 'password_set' : null },
    query: `accounts select name, uid, password, password_set, login where name = ${valueText(name)}`,
    conditions: [
      {
        query: '',
        words: said(`called ${name}`, `namens ${name}`, `de nombre ${name}`, `du nom de ${name}`),
        step: null,
      },
    ],
  });
}

const SSH = /\bssh\w*\b|\bpermitrootlogin\b|\bpasswordauthentication\b/;
const LOGS_IN =
  /\b(?:log ?ins?|log on|sign in|ssh in(?:to)?|get in|connect\w*|access\w*|reach\w*|permit\w*|allow\w*|enabled|disabled|authentication|anmeld\w*|einlog\w*|einwahl\w*|\w*-?login|erreichbar|zugang|zugreifen|erlaubt|aktiviert|verboten|entrar|acced\w*|acceso|conect\w*|sesion|permit\w*|permiso|habilitad\w*|activad\w*|autenticacion|connect\w*|connexion|ouvrir|acces|autoris\w*|loguer|activee?|authentification)\b/;
const ROOT_LOGIN = /\bpermitrootlogin\b|\broot[ -]?log-?in\b|\blogin (?:de|as|als|von) root\b/;
/** Not whether: who, which, how many. */
const OF_MANY =
  /\b(?:who|which|how many|list|wer|welche\w*|wie viele|quien\w*|cuant[oa]s|cual\w*|lista|qui|quels?|quelles?|combien|keys?|schlussel\w*|llaves?|claves?|cles?|ports?|puertos?|listen\w*|since|last|when|zuletzt|wann|seit|ultim\w+|cuando|derni\w+|quand)\b/;

/** How ssh logs in: by the account, and by the settings of its server. */
function sshLogin(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const isOfRoot = ROOT_LOGIN.test(plain);
  if (!isOfRoot && !(SSH.test(plain) && LOGS_IN.test(plain))) return null;
  if (OF_MANY.test(plain) || HOW_TO.test(plain) || reading.moment !== null) return null;
  const name = isOfRoot ? 'root' : accountIn(asking);
  const byPassword = PASSWORD.test(plain) || plain.includes('passwort-');
  if (name === null && !byPassword) return null;
  const settings = [
    ...(name === 'root' ? ['PermitRootLogin'] : []),
    ...(byPassword || name !== 'root' ? ['PasswordAuthentication'] : []),
    ...(name === null ? [] : ['AllowUsers', 'DenyUsers']),
  ];
  const any = settings.map((one) => `runs contains ${valueText(one)}`).join(' or ');
  const accounts = `accounts select name, uid, login, keys, password where name = ${valueText(name ?? '')}`;
  const { language } = reading;
  return planOf(language, {
    ...{ kind: 'ssh-login', table: 'startup', name, column: settings[0] ?? null },
    query: `startup select ${TABLES.startup?.select} where place = "sshd" and (${any})`,
    second: name === null ? null : planOf(language, { kind: 'list', table: 'accounts', query: accounts }),
    ...(name !== null && {
      subject: `accounts select ${TABLES.accounts?.select} where name = ${valueText(name)}`,
    }),
  });
}

const PURPOSE =
  /\b(?:(?:what|why) .*\bfor|used for|what (?:does|do) .*\bdo|purpose of|point of|(?:do|should) (?:i|we) (?:really |even |still )?(?:need|keep)|needed|wofur|wozu|zweck|wird .*(?:gebraucht|benotigt)|brauch(?:e|t)? (?:ich|man|wir)|was (?:macht|tut)|para que|que hace|necesito|hace falta|a quoi sert|a quoi sert il|que fait|ai je besoin|besoin (?:de|d)|utilite)\b/;
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
  if (name === null || reading.slots.some(({ part }) => part === 'number' || part === 'check')) return null;
  const { language } = reading;
  const [[column, value] = ['comm', name] as const] = names.find(name);
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
/** Files and updates of packages have answers of their own. */
const OTHER_PACKAGES =
  /\b(?:how many|versions?|updates?|upgrad\w*|chang\w*|alter\w*|differ\w*|integrit\w*|geandert\w*|cambi\w+|modif\w*|packages|pakete|paquetes|paquets|vouch\w*|mean|bedeutet|startup|cron\w*)\b/;

/** The package of a program or file. */
function packageOf(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!PACKAGE.test(plain) || !WHICH.test(plain) || !BELONGS.test(plain) || OTHER_PACKAGES.test(plain))
    return null;
  const path = /(?<![\w.])\/[\w./+-]+\w/.exec(plain)?.[0];
  const last =
    /([a-z][\w.+-]+)(?: (?:from|come from|in|part of|installed by|belong to|gehort|stammt|kommt))?[?!. ]*$/.exec(
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
    query: `startup select ${TABLES.startup?.select} where package is not none and vouched in (package, changed) and (${of}) limit 3`,
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
  /\b(?:set-?uid|suid|setuid|set uid|startup|autostart\w*|start\w*|boot\w*|cron\w*|services?|dienste?\w*|units?|entr\w+|eintr\w+|arran\w+|inici\w+|demarr\w+|lanc\w+|servicios?|vouch\w*|burgt|files?|dateien?|archivos?|fichiers?|installed|installiert\w*|instalad\w*|how many|wie viele)\b/;
const NO_PROGRAM_PACKAGE: Notes = {
  first: said(
    'Whether a program that runs belongs to a package is not recorded, only that of what starts by itself',
    'Ob ein laufendes Programm zu einem Paket gehört, ist nicht aufgezeichnet, nur bei dem, was von selbst startet',
    'Si un programa en marcha pertenece a un paquete no está registrado, solo de lo que arranca por sí solo',
    'Qu’un programme qui tourne appartienne à un paquet n’est pas enregistré, seulement pour ce qui démarre tout seul',
  ),
};

/** Programs without a package: it is known of what starts by itself. */
function unpackaged({ plain, reading }: HostAsking): Plan | null {
  if (!PACKAGE.test(plain) || !PROGRAMS.test(plain) || !NO_PACKAGE.test(plain) || AT_START.test(plain))
    return null;
  const trait = TABLES.startup?.traits.unvouched;
  if (trait === undefined || reading.moment !== null) return null;
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup', conditions: [trait], notes: NO_PROGRAM_PACKAGE },
    query: `startup select ${TABLES.startup?.select} where ${trait.query}`,
  });
}

const OF_STARTUP =
  /\b(?:startup|start-up|autostart\w*|systemstart|demarrage|arranque|cron|cron-?jobs?|crontabs?|timers?|(?:scheduled|geplante|programadas|planifiees) \w+)\b/;
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

/** What is new at startup, without a time. */
function newAtStartup(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!OF_STARTUP.test(plain) || !ADDED.test(plain) || NOT_ADDED.test(plain) || HOW_TO.test(plain))
    return null;
  if (reading.moment !== null || programIn(asking) !== null) return null;
  return planOf(
    reading.language,
    newestEntries(CRON.test(plain) ? [TABLES.startup?.traits.cron?.query ?? ''] : []),
  );
}

/** The entries whose files changed last. */
export const newestEntries = (conditions: readonly string[]): More => ({
  ...{ kind: 'cells', table: 'startup', column: 'changed', limit: 3, notes: NO_TIME_OF_ENTRY },
  query: `startup select ${TABLES.startup?.select}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`} order by -changed limit 3`,
});

const RESTARTED =
  /\b(?:re-?start(?:ed|s)?|re-?launch\w*|neu ?gestartet|neu-?start\w*|reinici\w+|redemarr\w+|relanc\w+)\b/;
const NOT_RESTARTED =
  /\b(?:should|need\w*|must|muss|soll\w*|brauch\w*|why|warum|wieso|por que|pourquoi|can|could|kann|puedo|puede|peu\w*|machine|server|system|rechner|maschine|after|nach|tras|apres|how often|how many|wie oft|cuantas|combien|boot\w*|desk)\b/;
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

const ALL = [signedIn, passwordOf, sshLogin, unpackaged, packageOf, newAtStartup, restarted, purposeOf];

/** Null for another question. */
export function hostPlan(asking: HostAsking): Plan | null {
  for (const one of ALL) {
    const plan = one(asking);
    if (plan !== null) return plan;
  }
  return null;
}
