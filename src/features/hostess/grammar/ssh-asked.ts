/** Questions about the settings of the SSH server, and whether an account logs in over SSH, in four languages. Pure. */
import { valueText } from '../../../query/text.ts';
import { accountIn, HOW_TO, type HostAsking, isDenied, planOf } from './named.ts';
import type { Plan } from './plan.ts';
import { said, TABLES } from './tables.ts';

export const PASSWORD =
  /\b(?:passwords?|passwd|passwort|passworter|kennwort|contrasena|clave|mot de passe)\b/;
const SSH = /\bssh\w*\b|\bpermitrootlogin\b|\bpasswordauthentication\b/;
const LOGS_IN =
  /\b(?:log ?ins?|log on|sign in|ssh in(?:to)?|get in|connect\w*|access\w*|reach\w*|permit\w*|allow\w*|enabled|disabled|authentication|anmeld\w*|einlog\w*|einwahl\w*|\w*-?login|erreichbar|zugang|zugreifen|erlaubt|aktiviert|verboten|entrar|acced\w*|acceso|conect\w*|sesion|permit\w*|permiso|habilitad\w*|activad\w*|autenticacion|connect\w*|connexion|ouvrir|acces|autoris\w*|loguer|activee?|authentification)\b/;
const ROOT_LOGIN = /\bpermitrootlogin\b|\broot[ -]?log-?in\b|\blogin (?:de|as|als|von) root\b/;
/** Not whether: who, which, how many. */
const OF_MANY =
  /\b(?:who|which|how many|list|wer|welche\w*|wie viele|quien\w*|cuant[oa]s|cual\w*|lista|qui|quels?|quelles?|combien|keys?|schlussel\w*|llaves?|claves?|cles?|ports?|puertos?|listen\w*|since|last|when|zuletzt|wann|seit|ultim\w+|cuando|derni\w+|quand)\b/;

/** Asks whether it is not so. */
const DENIED =
  /\b(?:disabled|forbidden|denied|blocked|off|prohibited|prevented|verboten|gesperrt|deaktiviert|ausgeschaltet|unterbunden|prohibid[oa]|deshabilitad[oa]|desactivad[oa]|bloquead[oa]|interdite?|desactivee?|bloquee?)\b/;

/** Of others than an account too. */
const ONLY =
  /\b(?:only|nur|bloss|solo|solamente|unicamente|seule?|seulement|uniquement|nobody|no ?one|niemand|keiner|nadie|ninguno|personne)\b/;

/** Settings of the SSH server, by the words for them. */
const SETTINGS: readonly (readonly [RegExp, string])[] = (
  [
    ['x11 ?-?forwarding', 'X11Forwarding'],
    ['tcp ?-?forwarding|port ?-?forwarding', 'AllowTcpForwarding'],
    ['agent ?-?forwarding', 'AllowAgentForwarding'],
    ['pubkey ?authentication|public key authentication', 'PubkeyAuthentication'],
    ['permit ?empty ?passwords', 'PermitEmptyPasswords'],
    ['max ?auth ?tries', 'MaxAuthTries'],
    ['allow ?users', 'AllowUsers'],
    ['deny ?users', 'DenyUsers'],
    ['allow ?groups', 'AllowGroups'],
    ['deny ?groups', 'DenyGroups'],
    ['ciphers', 'Ciphers'],
    ['login ?grace ?time', 'LoginGraceTime'],
    ['strict ?modes', 'StrictModes'],
    ['use ?pam', 'UsePAM'],
  ] as const
).map(([words, key]) => [new RegExp(`\\b(?:${words})\\b`), key]);

/** A setting of the SSH server that is named. */
export function sshSetting({ plain, reading }: HostAsking): Plan | null {
  const key = SETTINGS.find(([words]) => words.test(plain))?.[1];
  if (key === undefined || HOW_TO.test(plain) || reading.moment !== null) return null;
  return planOf(reading.language, {
    ...{ kind: 'ssh-login', table: 'startup', column: key },
    query: `startup select ${TABLES.startup?.select} where place = "sshd" and runs contains ${valueText(key)}`,
  });
}

const METHODS =
  /\b(?:auth(?:entication)? methods?|anmelde(?:verfahren|methoden)|metodos de autenticacion|methodes d authentification)\b/;

/** How ssh logs in: by the account, and by the settings of its server. */
export function sshLogin(asking: HostAsking): Plan | null {
  const { plain, reading } = asking;
  const isOfRoot = ROOT_LOGIN.test(plain);
  const isOfPassword = /\bpassword ?(?:log-?in|authentication)\b/.test(plain);
  const isOfMethods = METHODS.test(plain) && SSH.test(plain);
  if (!isOfRoot && !isOfPassword && !isOfMethods && !(SSH.test(plain) && LOGS_IN.test(plain))) return null;
  const isOfMany = OF_MANY.test(plain) && !isOfMethods && !/\b(?:as|als|como|comme|en) root\b/.test(plain);
  if (isDenied(asking) || ONLY.test(plain) || isOfMany || HOW_TO.test(plain) || reading.moment !== null)
    return null;
  const name = isOfRoot ? 'root' : accountIn(asking);
  const byPassword = isOfPassword || PASSWORD.test(plain) || plain.includes('passwort-');
  if (name === null && !byPassword && !isOfMethods) return null;
  const settings = [
    ...(name === 'root' ? ['PermitRootLogin'] : []),
    ...(isOfMethods ? ['Authentication'] : byPassword || name !== 'root' ? ['PasswordAuthentication'] : []),
    ...(name === null ? [] : ['AllowUsers', 'DenyUsers']),
  ];
  const any = settings.map((one) => `runs contains ${valueText(one)}`).join(' or ');
  const accounts = `accounts select name, uid, login, keys, password where name = ${valueText(name ?? '')}`;
  const { language } = reading;
  const trait = TABLES.accounts?.traits['by-password'];
  return planOf(language, {
    ...{ kind: 'ssh-login', table: 'startup', name, column: settings[0] ?? null },
    ...(DENIED.test(plain) && { denied: true }),
    // Whether by password, and not by a key.
    conditions: byPassword && trait !== undefined ? [trait] : [],
    query: `startup select ${TABLES.startup?.select} where place = "sshd" and (${any})`,
    second: name === null ? null : planOf(language, { kind: 'list', table: 'accounts', query: accounts }),
    ...(name !== null && {
      subject: `accounts select ${TABLES.accounts?.select} where name = ${valueText(name)}`,
    }),
  });
}

const KEYS =
  /\b(?:authorized[ _]keys?|ssh[ -]?keys?|autorisierte\w* schlussel|ssh[ -]?schlussel|claves ssh|llaves ssh|cles (?:ssh|autorisees))\b/;
const CHANGED_WHEN =
  /\b(?:when|wann|cuando|quand|last|zuletzt|recent\w*|kurzlich|new|neue?)\b.*\b(?:chang\w*|add\w*|modif\w*|geandert|hinzu\w*|cambi\w+|anadi\w*|change\w*|ajoute\w*)\b|\b(?:chang\w*|added|modified|geandert|hinzugefugt)\b.*\b(?:recently|lately|last|kurzlich|zuletzt)\b/;

/** When files of keys changed. */
export function keyFiles({ plain, reading }: HostAsking): Plan | null {
  if (!KEYS.test(plain) || !CHANGED_WHEN.test(plain) || HOW_TO.test(plain) || reading.moment !== null)
    return null;
  return planOf(reading.language, {
    ...{ kind: 'cells', table: 'startup', column: 'changed', limit: 3 },
    conditions: [
      {
        query: 'place = "authorized-keys"',
        words: said('of SSH keys', 'von SSH-Schlüsseln', 'de llaves SSH', 'de clés SSH'),
        step: null,
      },
    ],
    query: `startup select ${TABLES.startup?.select} where place = "authorized-keys" order by -changed limit 3`,
  });
}
