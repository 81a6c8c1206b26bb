/** Questions about one account as a whole, and about numbers, shells and homes of accounts, in four languages. Pure. */
import { valueText } from '../../../query/text.ts';
import { loggedIn } from './conditions.ts';
import { accountIn, accountNamed, HOW_TO, type HostAsking, planOf } from './named.ts';
import type { Notes, Plan } from './plan.ts';
import { type Condition, said, TABLES } from './tables.ts';

const NO_ACCOUNT =
  /\b(?:process\w*|prozess\w*|proceso\w*|processus|ports?|puertos?|listen\w*|threads?|findings?|befund\w*|hallazgo\w*|constat\w*|problem\w*|issues?|aparece\w*|appear\w*|alert\w*|alarm\w*|memory|cpu|programs?|programm\w*|cron\w*|startup|autostart\w*|last|login|log|runs?|running|lauft|files?|mail\w*|address\w*)\b/;

/** Accounts that meet a condition. */
function listed({ reading }: HostAsking, condition: Condition, more: Partial<Plan> = {}): Plan {
  return planOf(reading.language, {
    ...{ kind: 'list', table: 'accounts', conditions: [condition] },
    query: `accounts select ${TABLES.accounts?.select} where ${condition.query}`,
    ...more,
  });
}

const called = (name: string): Condition => ({
  query: `name = ${valueText(name)}`,
  words: said(`called ${name}`, `namens ${name}`, `de nombre ${name}`, `du nom de ${name}`),
  step: null,
});

const ABOUT =
  /^[¿ ]*(?:who (?:is|s) |tell me (?:more )?about |(?:show |give )?(?:me )?(?:info\w*|details?|facts?) (?:about|on|of) |what (?:do you know|is known) about |describe |wer ist |was (?:weisst|weiss) du uber |(?:infos?|details?) (?:zu|uber) |erzahl\w* (?:mir )?(?:von|uber) |quien es |(?:informacion|datos|detalles) (?:de|sobre) |que sabes (?:de|sobre) |qui est |infos? sur |(?:details|informations) (?:de|sur) |que sais tu (?:de|sur) )/;
const RIGHTS_OF =
  /\b(?:what (?:can|may|rights|permissions|privileges)|which (?:rights|permissions|privileges)|(?:rights|permissions|privileges) (?:of|does|has)|was (?:darf|kann)|welche (?:rechte|berechtigungen)|rechte (?:von|hat)|que (?:puede|derechos|permisos|privilegios)|(?:permisos|derechos) (?:de|tiene)|que peut|quels (?:droits|privileges)|droits (?:de|d))\b/;
const UID_OF =
  /\b(?:what (?:is|s)|which|wie ist|was ist|welche|cual es|que|quel est|quelle est)\b.*\b(?:uid|user ?id|user number|benutzernummer|numero de usuario|numero d utilisateur)\b/;
const STATE_OF =
  /\b(?:enabled|active|usable|disabled|valid|aktiv|aktiviert|deaktiviert|nutzbar|activ[ao]|habilitad[ao]|deshabilitad[ao]|activee?|desactivee?)\b/;
const ODD =
  /\b(?:suspicious|dangerous|strange|legit\w*|malicious|verdachtig|gefahrlich|seltsam|sospechos[ao]|peligros[ao]|suspecte?|dangereux|worr\w*|sorgen|preocup\w*|inquiet\w*)\b|^[¿ ]*(?:why|warum|wieso|por que|pourquoi)\b/;
const NO_REASON: Notes = {
  last: said(
    'Why an account is there and set up so is not recorded; what is new about accounts since the baseline is a finding',
    'Warum es ein Konto gibt und es so eingerichtet ist, ist nicht aufgezeichnet; was an Konten seit der Baseline neu ist, ist ein Befund',
    'Por qué existe una cuenta y está así no está registrado; lo nuevo de las cuentas desde la línea base es un hallazgo',
    'Pourquoi un compte existe et est ainsi n’est pas enregistré ; ce qui est nouveau depuis la référence est un constat',
  ),
};

const HOW_IN =
  /\b(?:how (?:does|can|do) .*\b(?:log|sign) ?in|wie (?:meldet sich|kann sich|loggt sich)|como (?:entra|se conecta|accede|inicia)|comment .*\b(?:se connecte|peut se connecter|se logge))\b/;

/** How an account logs in. */
function howIn(asking: HostAsking): Plan | null {
  const name = accountIn(asking);
  return name === null || !HOW_IN.test(asking.plain) || asking.reading.moment !== null
    ? null
    : listed(asking, called(name), { name });
}

const MADE =
  /\b(?:created|added|made|new|exist(?:s|ed)? since|since when .*\bexist|how (?:old|long) .*\b(?:exist\w*|account|user)|angelegt|erstellt|hinzugefugt|neu|seit wann|cread[oa]|creo|anadid[oa]|nuev[oa]|desde cuando|cree|ajoute|nouveau|depuis quand)\b/;

/** When an account was made: only its files have a time. */
function madeWhen(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (accountIn(asking) === null || !MADE.test(plain) || NO_ACCOUNT.test(plain) || HOW_TO.test(plain))
    return null;
  if (
    /\b(?:password|passwort|contrasena|mot de passe|angemeldet|eingeloggt|logged|conectad\w*|connecte\w*|group|gruppe|key\w*)\b/.test(
      plain,
    )
  )
    return null;
  return planOf(reading.language, {
    ...{ kind: 'account-files', table: 'startup', limit: 1 },
    query:
      'startup select path, place, changed where place in ("passwd", "shadow", "group", "user-record", "sudoers") order by -changed limit 50',
  });
}

const SHARED =
  /\b(?:same|share\w*|duplicate\w*|identical|gleiche[nr]?|dieselbe|doppelte\w*|teilen|mism[oa]s?|comparten|duplicad\w*|meme|partagent|en double)\b.*\buids?\b|\buids?\b.*\b(?:same|shared|duplicate\w*|doppelt\w*|gleich|duplicad\w*|en double)\b/;

/** Accounts that have one number. */
function sharedUid(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!SHARED.test(plain) || /\bprocess\w*|\bprozess\w*|\bproceso\w*/.test(plain)) return null;
  const number = /\buids? (\d{1,10})\b/.exec(plain)?.[1];
  if (number !== undefined)
    return listed(asking, {
      query: `uid = ${number}`,
      words: said(`with uid ${number}`, `mit uid ${number}`, `con uid ${number}`, `avec uid ${number}`),
      step: null,
    });
  return planOf(reading.language, {
    ...{ kind: 'shared-uid', table: 'accounts', column: 'uid' },
    query: 'accounts select uid, count() group by uid order by -count() limit 20',
  });
}

/** What is known of one account. */
function aboutAccount(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const name = accountIn(asking);
  if (name === null || NO_ACCOUNT.test(plain) || HOW_TO.test(plain) || reading.moment !== null) return null;
  if (reading.slots.some(({ part, value }) => part === 'number' && value !== '0')) return null;
  const sudo = TABLES.accounts?.traits.sudo;
  if (RIGHTS_OF.test(plain) && /\bsudo\b/.test(plain) && sudo !== undefined)
    return listed(asking, called(name), {
      ...{ kind: 'whether', name, conditions: [called(name), sudo] },
      query: `accounts select ${TABLES.accounts?.select} where name = ${valueText(name)} and ${sudo.query}`,
    });
  const isOdd = ODD.test(plain);
  const isOfName = /\b(?:account|user|konto|benutzer|nutzer|cuenta|usuario|compte|utilisateur)\b/.test(plain);
  const asks =
    ABOUT.test(plain) || RIGHTS_OF.test(plain) || UID_OF.test(plain) || (STATE_OF.test(plain) && isOfName);
  if (!asks && !isOdd) return null;
  return listed(asking, called(name), { name, ...(isOdd && { notes: NO_REASON }) });
}

const CAN_LOGIN =
  /\b(?:can|may|able|kann|darf|puede|peut|pouvoir|possible)\b.*\b(?:log ?in|log on|sign in|anmelden|einloggen|entrar|acceder|conectarse|iniciar sesion|se connecter|connecter|session)\b/;

/** Whether an account can log in whose name is a word of the grammar too. */
function canLogIn(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!CAN_LOGIN.test(plain) || reading.slots.some(({ part }) => part === 'user')) return null;
  const name = accountIn(asking);
  const trait = TABLES.accounts?.traits['can-log-in'];
  if (name === null || trait === undefined || /\bssh\b/.test(plain)) return null;
  return planOf(reading.language, {
    ...{ kind: 'whether', table: 'accounts', name, conditions: [called(name), trait] },
    query: `accounts select ${TABLES.accounts?.select} where name = ${valueText(name)} and ${trait.query}`,
  });
}

const GROUP_NAMED =
  /\b(?:group|gruppe|grupo|groupe) (?:named |called |namens |llamado |nomme )?([a-z_][\w-]*)/;
const NAMED_GROUP = /\b([a-z_][\w-]*)[ -](?:group|gruppe)\b/;
const NO_GROUP =
  /^(?:by|the|a|any|which|what|that|this|of|same|in|der|die|welche\w*|nach|per|is|are|has|have|and|each|user|users|member|members|anna|own|its|their|primary|ist|sind|hat|esta|tiene|est|a|le|la|el|does|do|por|par)$/;
const MEMBER =
  /\b(?:in|member\w*|belong\w*|part of|mitglied\w*|gehort\w*|miembros?|pertenec\w*|esta|estan|en|dans|membres?|appartien\w*|est|sont)\b/;

/** Whether an account is in a group, or which are. */
function inGroup(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const group = [GROUP_NAMED, NAMED_GROUP]
    .map((one) => one.exec(plain)?.[1])
    .find((one) => one !== undefined && !NO_GROUP.test(one));
  if (group === undefined || !MEMBER.test(plain) || HOW_TO.test(plain)) return null;
  const name = accountIn(asking);
  const of = name === null || name === group ? '' : `name = ${valueText(name)} and `;
  const words = said(
    `in the group ${group}`,
    `in der Gruppe ${group}`,
    `en el grupo ${group}`,
    `dans le groupe ${group}`,
  );
  const own =
    of === ''
      ? []
      : [{ query: '', words: said(`of ${name}`, `von ${name}`, `de ${name}`, `de ${name}`), step: null }];
  return planOf(reading.language, {
    ...{ kind: of === '' ? 'list' : 'whether', table: 'accounts', name },
    conditions: [...own, { query: '', words, step: null }],
    query: `accounts select ${TABLES.accounts?.select} where ${of}groups contains ${valueText(group)}`,
  });
}

const SHELL =
  /\b(?:use|uses|using|have|has|with|benutz\w*|nutz\w*|verwend\w*|haben|hat|mit|usan?|utilizan?|tienen?|con|utilisent?|ont|avec)\b.* (bash|zsh|fish|dash|ksh|tcsh|csh|nologin|sh|\/(?:usr\/)?s?bin\/[\w-]+)(?: (?:as|als|como|comme) .*)?(?: shell)?[?!. ]*$/;
const OF_USERS =
  /\b(?:who|which|users?|accounts?|list|wer|welche|benutzer|nutzer|konten|quien\w*|usuarios?|cuentas?|que|qui|quels|utilisateurs?|comptes?)\b/;

/** Accounts with a shell. */
function byShell(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const shell = SHELL.exec(plain)?.[1];
  const name = accountIn(asking);
  if (shell === undefined || NO_ACCOUNT.test(plain) || (name === null && !OF_USERS.test(plain))) return null;
  if (reading.moment !== null) return null;
  const end = shell.startsWith('/') ? shell : `/${shell}`;
  const condition: Condition = {
    query: `shell ends ${valueText(end)}`,
    words: said(
      `with the shell ${shell}`,
      `mit der Shell ${shell}`,
      `con la shell ${shell}`,
      `avec le shell ${shell}`,
    ),
    step: null,
  };
  if (name === null) return listed(asking, condition);
  const query = `accounts select ${TABLES.accounts?.select} where name = ${valueText(name)} and ${condition.query}`;
  return listed(asking, condition, { kind: 'whether', name, conditions: [called(name), condition], query });
}

const HOME =
  /(?<![\w/])(?:homes?|home ?-?(?:director(?:y|ies)|folder|verzeichnis)|heimatverzeichnis|(?:directorio|carpeta) personal|(?:repertoire|dossier) personnel)\b.*?(?<![\w.])(\/[\w./-]*\w)/;
const NOT = /\b(?:not|outside|isn t|aren t|nicht|ausserhalb|no|fuera|pas|hors|en dehors)\b/;

/** Accounts by the folder of their home. */
function byHome(asking: HostAsking): Plan | null {
  const path = HOME.exec(asking.plain)?.[1];
  if (path === undefined || HOW_TO.test(asking.plain)) return null;
  const starts = `home starts ${valueText(path)}`;
  return NOT.test(asking.plain)
    ? listed(asking, {
        query: `not (${starts})`,
        words: said(
          `with a home outside ${path}`,
          `mit einem Heimatverzeichnis außerhalb von ${path}`,
          `con el directorio personal fuera de ${path}`,
          `au répertoire personnel hors de ${path}`,
        ),
        step: null,
      })
    : listed(asking, {
        query: starts,
        words: said(
          `with a home in ${path}`,
          `mit einem Heimatverzeichnis in ${path}`,
          `con el directorio personal en ${path}`,
          `au répertoire personnel dans ${path}`,
        ),
        step: null,
      });
}

const UID =
  /\b(?:uids?|user ids?|benutzernummer)\b (?:is |are |ist |= ?|of |de |von )*(above|over|greater than|higher than|more than|at least|from|>=?|below|under|less than|lower than|<=?|uber|grosser als|ab|unter|kleiner als|mayor que|superior a|mas de|por encima de|desde|menor que|inferior a|superieure? a|au dessus de|inferieure? a|en dessous de)? ?(\d{1,10})\b/;
const AT_LEAST = /^(?:at least|from|ab|desde|>=)$/;
const LESS = /^(?:below|under|less|lower|<|unter|kleiner|menor|inferi|en dessous)/;
const WHOSE =
  /\b(?:users?|accounts?|who|whose|benutzer|nutzer|konten|konto|wer|wem|usuarios?|cuentas?|quien\w*|utilisateurs?|comptes?|qui)\b/;

/** Accounts by their number. */
function byUid(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const [, how, number] = UID.exec(plain) ?? [];
  if (number === undefined || !WHOSE.test(plain.replace(/\buser ids?\b/g, ' ')) || NO_ACCOUNT.test(plain))
    return null;
  if (reading.moment !== null || reading.slots.some(({ part }) => part === 'trait')) return null;
  if (reading.slots.some(({ part, value }) => part === 'word' && value === 'not')) return null;
  const sign = how === undefined ? '=' : AT_LEAST.test(how) ? '>=' : LESS.test(how) ? '<' : '>';
  const isCount = reading.slots.some(({ part, value }) => part === 'kind' && value === 'count');
  const condition: Condition = {
    query: `uid ${sign} ${number}`,
    words: said(
      `with uid ${sign} ${number}`,
      `mit uid ${sign} ${number}`,
      `con uid ${sign} ${number}`,
      `avec uid ${sign} ${number}`,
    ),
    step: null,
  };
  return isCount
    ? listed(asking, condition, { kind: 'count', query: `accounts select count() where ${condition.query}` })
    : listed(asking, condition);
}

const OF_ADMIN =
  /\b(?:add|create|give|grant|make|lock|unlock|disable|enable|remove|delete|change|reset|set|allow|forbid|anlege\w*|lege|erstell\w*|gebe|mache|sperre|entsperre|deaktivier\w*|aktivier\w*|losche|andere|setze|erlaube|verbiete|anad\w*|agreg\w*|cre[oa]\w*|doy|dar|bloque\w*|desactiv\w*|activ\w*|elimin\w*|borr\w*|cambi\w*|permit\w*|ajoute\w*|cree\w*|donne\w*|verrouill\w*|desactiv\w*|supprim\w*|chang\w*|autoris\w*|interdi\w*)\b/;
const OF_SSHD =
  /\b(?:root log-?in|root[ -]?anmeldung|(?:log ?in|anmeldung|acceso|connexion) .*\bssh|ssh .*\b(?:log-?in|anmeldung|acceso|connexion|passwor\w*)|passwor\w*[ -]?log-?in|password authentication|root .*\bssh|ssh .*\broot)\b/;
const OF_USER =
  /\b(?:(?:add|create|anlege\w*|lege|erstell\w*|anad\w*|agreg\w*|cre[oa]\w*|ajoute\w*|cree\w*) .*\b(?:users?|accounts?|benutzer|nutzer|konto|usuario|cuenta|utilisateur|compte)|(?:give|grant|make|gebe|mache|doy|dar|donne\w*) .*\b(?:sudo|admin\w*|root)|(?:users?|benutzer|konto|usuario|utilisateur) .*\b(?:anlege\w*|erstelle\w*|hinzufuge\w*))\b/;
const OTHER_ADMIN = /\b(?:desk|hostess|token|baseline|finding\w*|alert\w*|service|group|tunnel|remote|you)\b/;
const NO_ACCOUNTS: Notes = {
  first: said(
    'The desk changes no accounts: useradd -m NAME adds one, usermod -aG sudo NAME gives it sudo, passwd NAME sets its password; desk accounts shows what there is',
    'Der Desk ändert keine Konten: useradd -m NAME legt eines an, usermod -aG sudo NAME gibt ihm sudo, passwd NAME setzt sein Passwort; desk accounts zeigt, was es gibt',
    'El desk no cambia cuentas: useradd -m NOMBRE crea una, usermod -aG sudo NOMBRE le da sudo, passwd NOMBRE pone su contraseña; desk accounts muestra las que hay',
    'Le desk ne change aucun compte : useradd -m NOM en crée un, usermod -aG sudo NOM lui donne sudo, passwd NOM règle son mot de passe ; desk accounts montre ceux qu’il y a',
  ),
};
const NO_SSHD: Notes = {
  first: said(
    'The desk changes no settings of SSH: set PermitRootLogin or PasswordAuthentication in sshd_config, check it with sshd -t, then reload the service',
    'Der Desk ändert keine Einstellungen von SSH: setzen Sie PermitRootLogin oder PasswordAuthentication in sshd_config, prüfen Sie mit sshd -t, und laden Sie den Dienst neu',
    'El desk no cambia ajustes de SSH: ponga PermitRootLogin o PasswordAuthentication en sshd_config, compruébelo con sshd -t y recargue el servicio',
    'Le desk ne change aucun réglage de SSH : réglez PermitRootLogin ou PasswordAuthentication dans sshd_config, vérifiez avec sshd -t, puis rechargez le service',
  ),
};

/** How accounts and SSH are set up: not by the desk. */
function howToSetUp({ plain, reading }: HostAsking): Plan | null {
  if (!HOW_TO.test(plain) || !OF_ADMIN.test(plain) || OTHER_ADMIN.test(plain)) return null;
  const isOfUser = OF_USER.test(plain);
  if (!isOfUser && !OF_SSHD.test(plain)) return null;
  return planOf(reading.language, {
    ...{ kind: 'noted', table: 'accounts', notes: isOfUser ? NO_ACCOUNTS : NO_SSHD },
    query: 'accounts select count()',
  });
}

const EVERY =
  /\b(?:every|each|all(?: of)?(?: the)?|jede[rs]?|alle|cada|tod[oa]s(?: l[oa]s)?|chaque|tous les|toutes les) (?:\w+ )?(?:accounts?|users?|konten|konto|benutzer|nutzer|cuentas?|usuarios?|comptes?|utilisateurs?)\b/;
const HAS =
  /^[¿ ]*(?:does|do|has|have|is|are|hat|haben|ist|sind|tiene|tienen|esta|estan|a|ont|est ce que|les comptes|tous|toutes|chaque|tod[oa]s|cada|alle|jeder)\b/;
const HAD: readonly (readonly [RegExp, trait: string])[] = [
  [/\b(?:passwor\w*|kennwort|contrasenas?|mots? de passe)\b/, 'password-set'],
  [/\b(?:keys?|schlussel|llaves?|claves?|cles?)\b/, 'keys'],
  [/\bsudo\b/, 'sudo'],
  [/\b(?:admin\w*|rights)\b/, 'rights'],
  [
    /\b(?:log ?in|logs in|ssh|anmelden|einloggen|entrar|acceder|conectarse|iniciar sesion|se connecter)\b/,
    'can-log-in',
  ],
];

/** Whether all accounts have something: those that do not. */
function everyOne(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  if (!EVERY.test(plain) || !HAS.test(plain) || HOW_TO.test(plain) || reading.moment !== null) return null;
  const [found, other] = HAD.filter(([words]) => words.test(plain));
  const trait = found === undefined || other !== undefined ? undefined : TABLES.accounts?.traits[found[1]];
  return trait === undefined || NO_ACCOUNT.test(plain.replace(/\blog ?in\b/g, ' '))
    ? null
    : planOf(reading.language, {
        ...{ kind: 'every', table: 'accounts', conditions: [trait] },
        query: `accounts select ${TABLES.accounts?.select} where not (${trait.query})`,
      });
}

const NO_OTHER =
  /\b(?:nobody|no ?one|niemand|keiner|nadie|ninguno|personne)\b.*\b(?:but|except|besides|other than|ausser|excepto|salvo|mas que|aparte de|sauf|a part|autre qu\w*)\b/;
const otherThan = (name: string): Condition => ({
  query: `name != ${valueText(name)}`,
  words: said(`other than ${name}`, `außer ${name}`, `aparte de ${name}`, `hors ${name}`),
  step: null,
});

/** Whether an account is the only one that has something. */
function onlyOne(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const name = accountNamed(asking);
  if (name === null || HOW_TO.test(plain) || OF_MANY.test(plain) || reading.moment !== null) return null;
  const only = new RegExp(
    `\\b(?:only|just|nur|bloss|solo|solamente|unicamente|seule?|seulement|uniquement) (?:[a-z]+ ){0,2}${name}\\b|\\b${name} (?:the |der |die |das |el |la |le )*(?:only|einzige\\w*|unic[oa]|seule?)\\b`,
  );
  const [found, other] = HAD.filter(([words]) => words.test(plain));
  const trait = found === undefined || other !== undefined ? undefined : TABLES.accounts?.traits[found[1]];
  if (trait === undefined || !(only.test(plain) || NO_OTHER.test(plain))) return null;
  const conditions = [otherThan(name), trait];
  return planOf(reading.language, {
    ...{ kind: 'whether', table: 'accounts', conditions, denied: true },
    query: `accounts select ${TABLES.accounts?.select} where ${conditions.map(({ query }) => query).join(' and ')}`,
  });
}
const OF_MANY = /\b(?:who|which|how many|wer|welche\w*|quien\w*|cual\w*|qui|quels?|quelles?)\b/;

const USED =
  /\b(?:used|active|in use|benutzt|genutzt|verwendet|aktiv|usad[oa]s?|utilizad[oa]s?|activ[oa]s?|utilisee?s?|actifs?)\b/;
const ACCOUNTS =
  /\b(?:accounts?|users?|konten|konto|benutzer|nutzer|cuentas?|usuarios?|comptes?|utilisateurs?)\b/;

/** Accounts that were used in a time: that logged in. */
function usedIn(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const { moment } = reading;
  if (moment === null || moment.how === 'ago' || !USED.test(plain) || !ACCOUNTS.test(plain)) return null;
  return NO_ACCOUNT.test(plain) || accountIn(asking) !== null
    ? null
    : listed(asking, loggedIn(moment), { moment });
}

export const ACCOUNT_FACTS: readonly ((asking: HostAsking) => Plan | null)[] = [
  howToSetUp,
  inGroup,
  howIn,
  everyOne,
  onlyOne,
  madeWhen,
  sharedUid,
  usedIn,
  byShell,
  byHome,
  byUid,
  canLogIn,
  aboutAccount,
];
