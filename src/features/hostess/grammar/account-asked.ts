/** Questions about logins, passwords, keys, groups and rights of accounts that several words together decide, in four languages. Pure. */
import { valueText } from '../../../query/text.ts';
import { loggedIn } from './conditions.ts';
import { accountIn, accountNamed, HOW_TO, type HostAsking, planOf, SINCE_WHEN } from './named.ts';
import type { Notes, Plan } from './plan.ts';
import { keyFiles, PASSWORD, sshLogin, sshSetting } from './ssh-asked.ts';
import { said, TABLES } from './tables.ts';

const NOT_NOW =
  /\b(?:last|ever|never|first|when|often|times|today|allowed|able|can|could|may|possible|zuletzt|letzt\w*|je|jemals|nie|wann|heute|oft|ultim[oa]s?|nunca|cuando|hoy|puede\w*|derni\w+|jamais|quand|peu\w+|ports?|puertos?|internet|web\w*|mail\w*|imap|smtp|sites?|network|netz\w*|red|reseau|desk|you|du|interfaces?|disks?|usb|devices?|s est|se sont|s etait)\b/;
const SIGNED_IN = [
  /\b(?:any(?:one|body)|some(?:one|body)) (?:else )?on(?: (?:my|this|the|our) \w+)?[?!. ]*$|\bonly (?:one|user|person) (?:\w+ )?(?:logged|signed|on|online|here)\b|\beinzige\w*\b.*\b(?:angemeldet|eingeloggt|online)\b|\bunic[oa]\b.*\bconectad|\bseule?\b.*\bconnecte/,
  /\b(?:(?:is|are|s|whos|currently|still|now|else) (?:\S+ ){0,5}?(?:logged|signed) (?:in|on)|(?:logged|signed) (?:in|on)(?: to \w+ \w+)? (?:right now|now|currently|at the moment)|who(?:s| is| s)(?: \w+)? online|(?:active|open|current|running|any|ssh|login|user) (?:ssh |login |user |active |open )*sessions?|has (?:an? )?(?:open |active )?session|connected (?:right now |now |currently )?(?:via|by|over|through|with|using) ssh|(?:who|anyone|anybody|users) (?:is |are |s )?(?:currently |right now )?connected)\b/,
  /\b(?:logged[ -](?:in|on) (?:users?|accounts?|people)|current (?:logins?|users)|who (?:else )?(?:is|s) (?!admin|root|a |an )(?:\w+ )?(?:on|using) (?:this|the|my|our) (?:box|server|machine|host|system|vm))\b/,
  /\b(?:(?:usuarios|cuentas) (?:\S+ )?(?:conectad|loguead)[oa]s|quien(?:es)? (?:esta|estan) (?:usando|en) (?:la|el|esta|este) (?:maquina|servidor|equipo)|(?:qui|quelqu un) (?:est|utilise) (?:sur )?(?:la|le|cette|ce) (?:machine|serveur)|wer (?:ist|benutzt|nutzt) (?:sonst )?(?:gerade )?(?:noch )?(?:auf )?(?:der|dem|den|die|diese[mrn]?) (?:maschine|server|rechner|kiste))\b/,
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

const OF_ACCOUNT = /^(?:rights|no-rights|sudo|keys|service-account|person-account|password-set|no-password)$/;

/** Who is signed in now. */
function signedIn(asking: HostAsking): Plan | null {
  const { reading } = asking;
  const plain = asking.plain.replace(SINCE_WHEN, ' ');
  if (reading.moment !== null || NOT_NOW.test(plain) || !SIGNED_IN.some((one) => one.test(plain)))
    return null;
  // "With sudo": of what they have, and not of how they log in.
  const traits = reading.slots.flatMap(({ part, value, negated }) => {
    const trait =
      part === 'trait' && OF_ACCOUNT.test(value) && !negated ? TABLES.accounts?.traits[value] : undefined;
    return trait === undefined ? [] : [trait.query];
  });
  return lastLogins(asking, accountIn(asking), NOW, ['last_login is not none', ...traits].join(' and '));
}

const LOGIN =
  /\b(?:log ?ins?|logged|logs|signed|sign|anmeld\w*|angemeldet|eingeloggt|einlog\w*|login|conect\w+|entro|entraron|entrado|entrada|sesion|acced\w+|acceso|connecte\w*|connexions?|session)\b/;
const FAILED =
  /\b(?:(?:tried|trying) to|break(?:ing)? in|broken? in|einbruch\w*|eingebrochen|einzubrechen|versucht|intent(?:o|aron|ado)|essaye|fail\w*|unsuccessful|wrong|rejected|denied|brute[ -]?force\w*|attempts?|attack\w*|fehlgeschlagen\w*|gescheitert\w*|fehlversuche?|versuche?n?|falsche\w*|abgelehnt\w*|fallid[oa]s?|intentos?|fallado|rechazad[oa]s?|fuerza bruta|echouee?s?|echec|tentatives?|refusee?s?|ratee?s?|force brute)\b/;
const NO_FAILED: Notes = {
  first: said(
    'Failed logins are not recorded, only the last login of each account; lastb and journalctl -u ssh show them',
    'Fehlgeschlagene Anmeldungen sind nicht aufgezeichnet, nur die letzte Anmeldung jedes Kontos; lastb und journalctl -u ssh zeigen sie',
    'Los intentos fallidos no están registrados, solo la última entrada de cada cuenta; lastb y journalctl -u ssh los muestran',
    'Les connexions échouées ne sont pas enregistrées, seulement la dernière de chaque compte ; lastb et journalctl -u ssh les montrent',
  ),
};
const OF_LOGINS = /\bssh\w*\b|\bpasswor\w*|\bbrute|\bfuerza bruta|\bforce brute/;
const NO_LOGINS =
  /\b(?:unit\w*|services?|dienste?|servicios?|gate|findings?|mail\w*|imap|smtp|alerts?|check\w*|how (?:do|can|to)|protect\w*|prevent\w*|block\w*|ban\w*|schutz\w*|blockier\w*|proteg\w*|bloque\w*|backup\w*)\b/;

/** Last logins, said shortly. */
const lastLogins = (
  { reading }: HostAsking,
  name: string | null,
  notes: Notes,
  where = 'last_login is not none',
): Plan =>
  planOf(reading.language, {
    ...{ kind: 'logins', table: 'accounts', column: 'last_login', name, notes },
    query: `accounts select ${TABLES.accounts?.select} where ${where}${name === null ? '' : ` and name = ${valueText(name)}`} order by -last_login limit 5`,
  });

function failedLogins(asking: HostAsking): Plan | null {
  const { plain } = asking;
  const isOfLogins = LOGIN.test(plain) || OF_LOGINS.test(plain);
  if (!isOfLogins || !FAILED.test(plain) || NO_LOGINS.test(plain)) return null;
  return lastLogins(asking, accountIn(asking), NO_FAILED);
}

const FROM_WHERE =
  /\b(?:from where|where .*\bfrom|from (?:which|what) (?:ip|address|host|machine|country)|(?:which|what) (?:ips?|address(?:es)?) .*\bfrom|von wo|woher|von welche[rmn]? \S+|d ou|depuis (?:ou|quelle)|de quelle (?:ip|adresse|machine)|desde donde|de donde|desde que (?:ip|direccion|equipo|maquina))\b/;
const RECENT =
  /\b(?:(?:logged|signed) (?:in|on) (?:the )?most recently|most recently (?:logged|signed)|(?:the )?(?:latest|most recent) log-?ins?|(?:war|waren|ist|sind) (?:\w+ )?zuletzt (?:angemeldet|eingeloggt)|(?:welche[rs]?|wessen) \w+ .*zuletzt (?:angemeldet|eingeloggt)|ultimo inicio de sesion|(?:entro|inicio sesion|se conecto|accedio|entrado|conectado) (?:el ultimo|la ultima|mas recientemente|recientemente)|connectee? (?:le plus recemment|la derniere|le dernier)|(?:recent|last|latest) (?:\w+ )?log-?ins|last time (?:some|any)(?:one|body) (?:logged|signed) in|(?:the )?(?:last|letzter?|ultimo|dernier) (?:log-?in|acceso)(?=[?!. ]*$)|(?:letzte anmeldung|ultima sesion|derniere connexion)(?=[?!. ]*$)|log-?in history|(?:letzten?|kurzliche) (?:logins|anmeldungen)|anmeldeverlauf|(?:ultim[oa]s|recientes) (?:inicios de sesion|accesos|entradas|conexiones)|(?:dernieres|recentes) (?:connexions|sessions)|historique des connexions)\b/;
const ADDRESS = /(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])/;
const LAST_KNOWN: Notes = {
  last: said(
    'Of each account only the last login is known',
    'Von jedem Konto ist nur die letzte Anmeldung bekannt',
    'De cada cuenta solo se conoce la última entrada',
    'De chaque compte, seule la dernière connexion est connue',
  ),
};

const LAST_SEEN =
  /\b(?:(?:here|seen|on here|around|active) last|last (?:here|seen|on|around|active)|zuletzt (?:hier|da|gesehen|aktiv|online)|(?:aqui|vist[oa]|activ[oa]) (?:la |por )*ultima vez|ultima vez (?:aqui|vist[oa])|(?:ici|vue?|active?) (?:la derniere fois|en dernier))\b/;

const MYSELF =
  /\b(?:can|may|could|am|do) i\b|\b(?:darf|kann|habe) ich\b|^[¿ ]*(?:puedo|tengo)\b|\b(?:puis je|est ce que je|ai je)\b/;
const NOT_WHO: Notes = {
  first: said(
    'Who asks is not known; these may',
    'Wer fragt, ist nicht bekannt; diese dürfen',
    'No se sabe quién pregunta; pueden',
    'On ne sait pas qui demande ; ont ce droit',
  ),
};

/** Whether the one who asks may use sudo. */
function ownSudo({ plain, reading }: HostAsking): Plan | null {
  const trait = TABLES.accounts?.traits.sudo;
  const isSudo = reading.slots.some(({ part, value }) => part === 'trait' && value === 'sudo');
  if (!isSudo || !MYSELF.test(plain) || HOW_TO.test(plain) || trait === undefined) return null;
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'accounts', conditions: [trait], notes: NOT_WHO },
    query: `accounts select ${TABLES.accounts?.select} where ${trait.query}`,
  });
}

/** From where accounts logged in, who did from an address, and the newest logins. */
function loggedInFrom(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const seen = LAST_SEEN.test(plain) ? accountIn(asking) : null;
  if (seen !== null && reading.moment === null) return lastLogins(asking, seen, LAST_KNOWN);
  if (!LOGIN.test(plain) || HOW_TO.test(plain) || reading.moment !== null) return null;
  const from = ADDRESS.exec(plain)?.[1];
  if (from !== undefined && /\b(?:from|von|desde|depuis|de)\b/.test(plain) && !/\bport\b/.test(plain))
    return lastLogins(asking, accountIn(asking), LAST_KNOWN, `last_from = ${valueText(from)}`);
  const isPastLogin =
    /\b(?:did|has|have) (?:\w+ ){1,3}(?:log|sign)(?:ged|ed)? (?:in|on)\b|\b(?:hat|haben) sich (?:\w+ )*(?:angemeldet|eingeloggt)\b/.test(
      plain,
    ) &&
    !EVER.test(plain) &&
    !/\b(?:when|which|who|never|not|last|wann|wer|welche\w*|nie|zuletzt|letzte\w*)\b/.test(plain);
  if (RECENT.test(plain) || isPastLogin) return lastLogins(asking, accountIn(asking), LAST_KNOWN);
  const isPast =
    /\b(?:did|was|were|has|have|last|logged|hat|haben|zuletzt|angemeldet|eingeloggt|se|entro|entraron|ultima|s est|est|derniere\w*)\b/.test(
      plain,
    );
  return FROM_WHERE.test(plain) &&
    isPast &&
    !/\b(?:can|could|kann|konnen|puede\w*|peut|peuvent)\b/.test(plain)
    ? lastLogins(asking, accountIn(asking), {})
    : null;
}

const NO_WAY: Notes = {
  first: said(
    'Whether a login was by SSH is not recorded, only from where the last one of each account came',
    'Ob eine Anmeldung über SSH war, ist nicht aufgezeichnet, nur woher die letzte jedes Kontos kam',
    'Si una entrada fue por SSH no está registrado, solo de dónde vino la última de cada cuenta',
    'Qu’une connexion ait été par SSH n’est pas enregistré, seulement d’où est venue la dernière de chaque compte',
  ),
};
const BY_SSH =
  /\bssh ?(?:logins?|log-ins?|sessions?|anmeldungen|zugriffe|connexions?)\b|\bssh d in\b|\b(?:logins?|logged in|log in|anmeldung\w*|angemeldet|eingeloggt|entro|entraron|accesos?|conect\w+|connecte\w*|connexions?) .*\bssh\b|\bssh\b.*\b(?:logged in|angemeldet|eingeloggt|conect\w+|connecte\w*)\b/;

/** Logins by SSH in a time. */
function bySsh(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const { moment } = reading;
  if (moment === null || moment.how === 'ago' || !BY_SSH.test(plain) || HOW_TO.test(plain)) return null;
  const name = accountIn(asking);
  const then = loggedIn(moment);
  const of = name === null ? '' : ` and name = ${valueText(name)}`;
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'accounts', name, moment, conditions: [then], notes: NO_WAY },
    query: `accounts select ${TABLES.accounts?.select} where ${then.query}${of}`,
  });
}

const EVER = /\b(?:ever|ever been|jemals|je|schon (?:ein)?mal|alguna vez|deja|jamais)\b/;

/** Whether an account has logged in at any time. */
function everLoggedIn(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const name = accountNamed(asking);
  if (name === null || !LOGIN.test(plain) || !EVER.test(plain) || reading.moment !== null) return null;
  return reading.slots.some(({ part, value }) => part === 'word' && value === 'not')
    ? lastLogins(asking, null, {}, `last_login is not none and name != ${valueText(name)}`)
    : lastLogins(asking, name, {});
}

const SUDO_FREE =
  /\bnopasswd\b|\bpasswordless(?:ly)? .*(?:sudo|root)|\bpasswordless sudo|\bsudo\b.*\b(?:without (?:a |their |any |entering )?passwor\w*|no password|ohne passwort|ohne kennwort|passwortlos|sin (?:contrasena|clave)|sans (?:mot de passe|mdp))|\b(?:ohne passwort|passwortlos\w*|sin contrasena|sans mot de passe)\b.*\bsudo\b/;
const FREE_SUDO = said(
  'of sudoers with NOPASSWD',
  'von sudoers mit NOPASSWD',
  'de sudoers con NOPASSWD',
  'de sudoers avec NOPASSWD',
);

/** Rights that ask for no password. */
function sudoWithoutPassword({ plain, reading }: HostAsking): Plan | null {
  if (!SUDO_FREE.test(plain) || HOW_TO.test(plain)) return null;
  const query = 'place = "sudoers" and runs contains "NOPASSWD"';
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'startup', conditions: [{ query, words: FREE_SUDO, step: null }] },
    query: `startup select ${TABLES.startup?.select} where ${query}`,
  });
}

const HAS =
  /\b(?:has|have|having|set|is there|changed?|old|when|hat|haben|gesetzt|gibt es|geandert|wann|alt|tiene|tienen|puesta|hay|cambio|cambiada|cuando|a t il|a t elle|a|est ce que|y a t il|defini|change|quand)\b/;
const ASKS_SECRET =
  /\b(?:what (?:is|s)|tell|show|give|guess|crack|reset|forgot\w*|cual es|dime|muestra\w*|wie lautet|was ist|nenn\w*|zeig\w*|sag|vergessen|quel est|donne\w*|montre\w*|dis|oublie|ssh|login|log in|hash\w*)\b/;
/** A name that no account has. */
const OWNER =
  /^has (?!any|some|every|each|no|it|he|she|my|the|user|root's)([a-z_][\w.-]*) (?:got )?a password/;
const WHEN = /\b(?:when|how old|wann|wie alt|cuando|quand)\b/;

/** Whether an account has a password, or when it was set. */
function passwordOf(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!PASSWORD.test(plain) || !HAS.test(plain) || ASKS_SECRET.test(plain) || HOW_TO.test(plain)) return null;
  const name = accountIn(asking) ?? OWNER.exec(plain)?.[1] ?? null;
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

const OLD =
  /\b(?:old(?:er|est)?|age|ages|longest|not (?:been )?changed|never changed|when .*\b(?:set|changed)|alteste[ns]?|alt|alter|lange nicht|nicht geandert|mas (?:antigu[oa]s?|viej[oa]s?)|antiguedad|sin cambiar|no (?:se )?(?:han? )?cambiad[oa]|(?:plus )?ancien\w*|pas change\w*|vieux)\b/;

/** Whose password was set first. */
function passwordAges(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!PASSWORD.test(plain) || !OLD.test(plain) || HOW_TO.test(plain) || accountIn(asking) !== null)
    return null;
  const until =
    reading.moment === null
      ? ''
      : ` and password_set < ${valueText(new Date(reading.moment.ms).toISOString())}`;
  return planOf(reading.language, {
    ...{ kind: 'cells', table: 'accounts', column: 'password_set', limit: 5 },
    query: `accounts select ${TABLES.accounts?.select}, password_set where password_set is not none${until} order by password_set limit 5`,
  });
}

const MANY_KEYS =
  /\b(?:how many|number of|wie viele|wieviele|cuant[oa]s|combien de) (?:ssh[ -]?)?(?:authorized |public )?(?:keys?|schlussel|llaves|claves|cles)\b/;

/** How many keys an account has: not how many accounts. */
function keysOf(asking: HostAsking): Plan | null {
  const name = accountIn(asking);
  if (name === null || !MANY_KEYS.test(asking.plain)) return null;
  return planOf(asking.reading.language, {
    ...{ kind: 'cells', table: 'accounts', column: 'keys', name },
    query: `accounts select ${TABLES.accounts?.select}, keys where name = ${valueText(name)}`,
  });
}

const EXISTS =
  /\b(?:does|do|is there|gibt es|existiert|existe|hay|y a t il)\b.*\b(?:exist\w*|there|here|user|account|benutzer|konto|usuario|cuenta|utilisateur|compte)\b/;
const ASKS_EXISTENCE =
  /\b(?:exist\w*|is there (?:a |an )?(?:[\w.-]+ )?(?:user|account)|gibt es (?:den |einen |das |ein )?(?:benutzer|nutzer|konto)|hay (?:un |una )?(?:usuario|cuenta)|y a t il (?:un |une )?(?:utilisateur|compte))\b/;

const CALLED =
  /\b(?:user|account|benutzer|nutzer|konto|usuario|cuenta|utilisateur|compte) (?:called|named|namens|llamad[oa]|nomme|appele) ([a-z_][\w.-]*)[?!. ]*$/;

/** Whether there is an account of a name. */
function isThere(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const name = accountIn(asking) ?? CALLED.exec(plain)?.[1] ?? null;
  if (
    name === null ||
    !EXISTS.test(plain) ||
    !ASKS_EXISTENCE.test(plain) ||
    SINCE_WHEN.test(plain) ||
    reading.moment !== null
  )
    return null;
  if (reading.slots.some(({ part }) => part === 'trait' || part === 'column' || part === 'number'))
    return null;
  return planOf(reading.language, {
    ...{ kind: 'whether', table: 'accounts', name },
    conditions: [
      {
        query: '',
        words: said(`called ${name}`, `namens ${name}`, `de nombre ${name}`, `du nom de ${name}`),
        step: null,
      },
    ],
    query: `accounts select ${TABLES.accounts?.select} where name = ${valueText(name)}`,
  });
}

/** How long they are good is in no record. */
const EXPIRES =
  /\b(?:expir\w*|run out|valid until|ablauf\w*|lauft .*\bab|lauft ab|abgelaufen|caduc\w*|venc\w*|perim\w*)\b/;
const NO_END: Notes = {
  last: said(
    'When a password or an account will expire is not recorded, only whether an account has expired; chage -l NAME shows it',
    'Wann ein Passwort oder Konto abläuft, ist nicht aufgezeichnet, nur ob ein Konto abgelaufen ist; chage -l NAME zeigt es',
    'Cuándo caduca una contraseña o una cuenta no está registrado, solo si una cuenta ha caducado; chage -l NOMBRE lo muestra',
    'Quand un mot de passe ou un compte expire n’est pas enregistré, seulement si un compte a expiré ; chage -l NOM le montre',
  ),
};
const OF_ACCOUNTS =
  /\b(?:accounts?|users?|passwor\w*|konto|konten|benutzer|cuentas?|usuarios?|contrasenas?|comptes?|utilisateurs?|mots? de passe)\b/;

/** When an account or password ends. */
function expiryOf(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!EXPIRES.test(plain) || !OF_ACCOUNTS.test(plain) || HOW_TO.test(plain) || reading.moment !== null)
    return null;
  if (/\b(?:certificat\w*|cert|zertifikat|certificado|token|session)\b/.test(plain)) return null;
  const name = accountIn(asking);
  const trait = TABLES.accounts?.traits['expired-account'];
  if (
    trait === undefined ||
    (name === null &&
      !/\b(?:when|soon|will|do|does|wann|bald|cuando|pronto|quand|bientot|passwor\w*|expires)\b/.test(plain))
  )
    return null;
  return name === null
    ? planOf(reading.language, {
        ...{ kind: 'counted', table: 'accounts', conditions: [trait], notes: NO_END },
        query: `accounts select ${TABLES.accounts?.select} where ${trait.query}`,
      })
    : planOf(reading.language, {
        ...{ kind: 'password', table: 'accounts', name, column: 'password_set', notes: NO_END },
        query: `accounts select name, uid, password, password_set, login where name = ${valueText(name)}`,
      });
}

export const ACCOUNT_RULES: readonly ((asking: HostAsking) => Plan | null)[] = [
  signedIn,
  failedLogins,
  bySsh,
  loggedInFrom,
  everLoggedIn,
  sudoWithoutPassword,
  ownSudo,
  expiryOf,
  passwordAges,
  passwordOf,
  keysOf,
  keyFiles,
  sshSetting,
  sshLogin,
  isThere,
];
