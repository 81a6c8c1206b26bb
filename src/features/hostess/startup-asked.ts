/**
 * Which questions are about what starts by itself, accounts or packages, in four languages: only these have the machine read for them.
 * Patterns are of the words of a question, in lower case and without marks.
 */
import type { AccountsAnswer } from '../../records/accounts.ts';
import type { PackagesAnswer } from '../../records/packages.ts';
import type { StartupAnswer } from '../../records/startup.ts';
import { HOW_TO } from './intents/by-meaning.ts';
import { unmarked } from './knowledge.ts';
import type { Question } from './understand.ts';

/** What was read for a question; null where it was not asked, or is not available. */
export interface StartupFound {
  /** `GET /startup`, without and with what packages vouch for. */
  readonly startup: { readonly unvouched: StartupAnswer; readonly all: StartupAnswer } | null;
  /** `GET /accounts?show=all`. */
  readonly accounts: AccountsAnswer | null;
  readonly packages: PackagesAnswer | null;
}

/** With a verb: "starts at boot", "lauft beim Systemstart". */
const BY_ITSELF =
  /\b(?:automatic(?:ally)?|by (?:itself|themselves)|on (?:its|their) own|(?:at|on|during|after) (?:(?:the|each|every) )?(?:boot|re ?boot|startup|start up|system start|login)|autostart|automatisch|von (?:selbst|selber|allein\w*)|(?:beim|bei jedem|nach dem) (?:booten|hochfahren|systemstart|neustart|rechnerstart|anmelden)|automatiquement|tout(?:e|es)? seule?s?|(?:au|a chaque) (?:demarrage|boot)|automaticamente|por si (?:sol|mism)[oa]s?|sol[oa]s?|al (?:arrancar|arranque|iniciar|inicio|encender))\b/;
const STARTS =
  /\b(?:starts?|started|starting|startet|starten|gestartet|launch(?:es|ed)?|runs?|lauft|laufen|lance\w*|demarre\w*|execute\w*|arranca\w*|inicia\w*|ejecuta\w*|lanza\w*)\b/;
const PLACES =
  /\b(?:startup (?:entr(?:y|ies)|places?|items?|programs?)|autostarts?|cron ?jobs?|crontabs?|systemd (?:units?|timers?)|scheduled (?:jobs|tasks)|starteintrag\w*|taches? (?:planifiees?|cron)|tareas programadas)\b/;
const AT_STARTUP =
  /\b(?:(?:at|on|in) (?:the )?(?:startup|boot)|startup|beim (?:systemstart|hochfahren|booten)|au demarrage|(?:al|en el) (?:arranque|inicio))\b/;
/** "Since startup" is a time. */
const SINCE_STARTUP =
  /\b(?:since|seit|depuis|desde)\b[^?]{0,12}\b(?:start\w*|boot\w*|demarrage|arranque|inicio)\b/;
export const UNVOUCHED =
  /\b(?:no|any|kein\w*|aucun|ningun) pa(?:ckage|ket|quet|quete)\b|\b(?:un|not )vouched\b|\bvouch\w*|\bburgt\b/;
const WHAT_STARTS =
  /^(?:and |und |et |y )?(?:what|who or what|which (?:files?|units?|scripts?|jobs?|entry|entries|places?)|was|welche[rs]? \p{L}+|qu est ce qui|que|quel \p{L}+) (?:starts?|launches|startet|lance|demarre|arranca|inicia|lanza) (?!as |als |en tant|como )(?:the |den |die |das |le |la |el )?(\S+)/u;
const WHERE_STARTS = /^(?:where|from where|wo|von wo|ou|d ou|donde|de donde|desde donde)\b/;
const AS_USER = /\b(?:as|als|en tant que|como) (?:the |user )?([\w.-]+)/;
/** Parts of the desk do things by themselves too. */
const DESK = /\b(?:desk|hostess|you|your|du|vous|tu|usted|i|ich|je)\b/;

const startsByItself = (question: Question): boolean => {
  const says = (pattern: RegExp) => question.says(pattern);
  if (says(HOW_TO) || says(DESK) || says(SINCE_STARTUP) || question.entities.pids.length > 0) return false;
  if (
    question.any('gate', 'cook', 'baseline', 'loop', 'recheck', 'mail', 'assistant', 'scar', 'quarantine') ||
    question.any('site', 'certificate', 'duty', 'law')
  )
    return false;
  if (says(PLACES)) return true;
  if (says(STARTS) && (says(BY_ITSELF) || says(UNVOUCHED))) return true;
  if (startedProgram(question) !== '') return true;
  if (says(/^\S+(?: \S+){0,3} (?:starts?|startet|demarre|arranca|inicia)\b/) && says(AS_USER)) return true;
  return question.has('change') && says(AT_STARTUP);
};

/** Words of these questions are no names of programs. */
const isName = (name: string): boolean => {
  const word = unmarked(name).toLowerCase();
  return !STARTS.test(word) && !BY_ITSELF.test(word) && !OWN_WORDS.test(word);
};
const OWN_WORDS =
  /^(?:seule?s?|boot\w*|hochfahren|systemstart|demarr\w*|demarrage|arranque|inici\w*|paquet\w*|paket\w*)$/;
const YES_OR_NO =
  /^(?:does|do|will|is|startet|lauft|wird|est ce que|se|arranca|demarre)\b|\b(?:est il|demarre t il)\b/;

/** "What starts nginx?", "where is nginx started?": its name; else "". */
export function startedProgram(question: Question): string {
  const said = question.words.join(' ');
  if (AS_USER.test(said) || UNVOUCHED.test(said)) return '';
  const names = question.names.filter(isName);
  const [first = ''] = names;
  if (WHERE_STARTS.test(said) && question.says(STARTS)) return first;
  if (YES_OR_NO.test(said) && BY_ITSELF.test(said) && question.says(STARTS)) return first;
  const object = BY_ITSELF.test(said) ? '' : (WHAT_STARTS.exec(said)?.[1] ?? '');
  if (object === '') return '';
  return (
    [...names, ...question.unlikelyNames].find((name) => unmarked(name).toLowerCase().includes(object)) ?? ''
  );
}

/** Kinds of places that the question names; null where it names none. */
export function placesAsked({ words }: Question): RegExp | null {
  const said = words.join(' ');
  if (/\b(?:cron\w*|scheduled|planifiees?|programadas)\b/.test(said)) return /cron|^at-job$/;
  if (/\bautostarts?\b/.test(said) && !STARTS.test(said)) return /autostart|^x-session$/;
  return /\bsystemd\b/.test(said) ? /^systemd/ : null;
}

/** The name behind "as"; "" without one. */
export const startedAs = ({ words }: Question): string => AS_USER.exec(words.join(' '))?.[1] ?? '';

const LOGIN =
  /\b(?:log ?in(?:to)?|logs in|log on|sign in|anmelden|einloggen|se connecter|ouvrir une session|iniciar sesion|conectarse|entrar)\b/;
const WHO_CAN =
  /\b(?:who|can|could|may|able|which|wer|kann|konnen|darf|qui|peut|peuvent|quels?|quien|quienes|puede|pueden|cuales|welche)\b/;
export const LAST_LOGIN =
  /\blast (?:log ?in|logins|logged (?:in|on)|log(?:ged)? on)\b|\blog(?:ged)? (?:in|on) (?:last|ever|most recently)\b|\bwhen (?:did|was|has) \S+ (?:last )?log(?:ged)? (?:in|on)\b|\bletzte[nrs]? (?:anmeldung|login)\b|\b(?:zuletzt|wann|letzt\w+ mal)\b.*\b(?:angemeldet|eingeloggt)\b|\bderniere connexion\b|\b(?:quand|derniere fois)\b.*\bconnecte\w*\b|\bultim[oa] (?:inicio de sesion|acceso|login|sesion)\b|\b(?:cuando|ultima vez)\b.*\b(?:sesion|conecto|entro)\b/;
export const RIGHTS =
  /\bsudo(?:ers)?\b|\b(?:root|admin\w*) ?(?:rights?|access|privileges?|rechte)\b|\badministrators?\b|\bdroits? (?:de |d )?(?:root|admin\w+)\b|\b(?:derechos|permisos|privilegios) de (?:root|admin\w+)\b/;
const HAS =
  /\b(?:who|which|has|have|with|can|may|wer|hat|haben|kann|darf|qui|a|ont|peut|quien|quienes|tiene|tienen|puede)\b/;
const ACCOUNTS = /\b(?:(?:user|local) )?accounts\b|\bbenutzerkonten\b|\bkonten\b|\bcomptes\b|\bcuentas\b/;
const LISTED =
  /\b(?:which|what|list|show|many|all|any|new|there|welche|viele|alle|quels|combien|tous|cuales|cuantas|todas|que|hay)\b/;
export const NO_PASSWORD =
  /\b(?:no|without|empty|blank) (?:an? |the )?passwords?\b|\b(?:kein|ohne|leeres) passwort\b|\bsans mot de passe\b|\bsin contrasena\b/;
export const SSH_KEYS = /\bssh keys?\b|\bssh ?schlussel\b|\bcles? ssh\b|\b(?:llaves?|claves?) ssh\b/;

const asksForAccounts = (question: Question): boolean => {
  const says = (pattern: RegExp) => question.says(pattern);
  if (says(HOW_TO) || says(/\b(?:desk|hostess|you|your|private)\b/)) return false;
  if (question.any('port', 'mail', 'site', 'certificate', 'assistant', 'endpoint')) return false;
  if (says(LAST_LOGIN)) return true;
  if (says(LOGIN) && says(WHO_CAN)) return true;
  if ((says(RIGHTS) || says(SSH_KEYS) || (says(NO_PASSWORD) && !says(/\bwork/))) && says(HAS)) return true;
  return says(ACCOUNTS) && says(LISTED);
};

const PACKAGES = /\b(?:packages?|packaged|pakete?n?|paketdateien|paquets?|paquetes?|debsums)\b/;
const COMPARED =
  /\b(?:intact|unaltered|unchanged|unmodified|altered|chang\w*|modif\w*|tamper\w*|manipul\w*|differ\w*|corrupt\w*|integrity|verif\w*|compar\w*|files?|original|intakt|unverandert|verandert\w*|geandert\w*|dateien|unversehrt|verglichen|fichiers?|intacts?|inchange\w*|alteres?|archivos?|ficheros?|intactos?|cambi\w*|alterad\w*)\b/;
/** What dpkg itself knows, and packets of a network. */
const OF_DPKG =
  /\b(?:updates?|upgrades?|come from|comes from|owns?|belongs?|provides?|second|network|lost|dropped|sent|received|aktualisier\w*|mettre a jour|actualiz\w*)\b/;

const asksForPackages = (question: Question): boolean => {
  const says = (pattern: RegExp) => question.says(pattern);
  if (says(HOW_TO) || says(DESK) || says(OF_DPKG) || question.any('mail')) return false;
  return says(PACKAGES) && (says(COMPARED) || (question.has('count') && says(/\binstall\w*/)));
};

export interface StartupWanted {
  readonly startup: boolean;
  readonly accounts: boolean;
  readonly packages: boolean;
}

export function startupWanted(question: Question): StartupWanted {
  const startup = startsByItself(question);
  const accounts = !startup && asksForAccounts(question);
  return { startup, accounts, packages: !startup && !accounts && asksForPackages(question) };
}
