/** Which questions ask whether something is installed, or in which version, in four languages. Pure. */

import { isProgramName } from './families.ts';
import { FREQUENT, STOP_WORDS } from './frequent.ts';
import { plainOf, withoutGreeting } from './grammar/read.ts';
import { isOrdinary } from './lexicon.ts';

/** `name`: null where all packages are asked for. */
export interface InstalledAsked {
  readonly name: string | null;
  readonly wants: 'whether' | 'version' | 'when' | 'count' | 'list';
  /** It says "installed" or "version"; else the name decides whether a program is meant. */
  readonly isSaid: boolean;
}

const INSTALLED =
  /^(?:(?:un|pre)?installed|instal+ed|instal+d|instaled|instaliert|installiert\w*|installier|instalad[oa]s?|instalo|instalaron|installe[es]?s?|isntalled|intalled|aufgespielt|drauf)$/;
const EVENT =
  /\b(?:installed|updated|upgraded|removed|uninstalled|deinstalled|installiert|aktualisiert|entfernt|deinstalliert|instalad[oa]s?|instal(?:o|aron)|actualiz\w+|desinstal\w+|elimin\w+|quit\w+|installes?|installees?|mis(?:e?s)? a jour|desinstalle\w*|supprime\w*|retires?)\b/;
const HAVE =
  /\b(?:do (?:i|we|you) (?:even |already |actually |currently )?have|have (?:i|we|you) got|hab(?:e|en)? (?:ich|wir)|is [\w.+-]+ (?:available|present)|ist [\w.+-]+ (?:verfugbar|vorhanden)|esta disponible|est (?:elle |il )?disponible|hast du|tengo|tenemos|tienes|ai je|j ai|avons nous|as tu)\b/;
const VERSION = /\b(?:versions?|versionen|version(?:es)?|release of)\b/;
const OWN =
  /\b(?:desk|hostess|your|interface|law|engine|backend|kernel|os|linux|distro|system|baseline|generation|config\w*)\b/;
const PACKAGE =
  /^(?:packages?|pkgs?|software|programs?|programme|programmen|pakete?n?|paquetes?|paquets?|programas?|logiciels?|apps?|applications?)$/;
const WHEN =
  /\b(?:when|wann|cuando|quand|last|latest|newest|recently|zuletzt|ultim\w+|recien\w+|dernier\w*|recemment)\b/;
const HOW =
  /^(?:[¿¡] ?)?(?:how (?!many)|wie (?!viele)|como|comment|why|warum|por que|pourquoi|what is an?|what does|was ist|was bedeutet|que es|que significa)\b/;
const MANY =
  /\b(?:how many|number of|count|total|wie ?viele?|anzahl|zahl|cuant[oa]s|numero de|combien|nombre de)\b/;
/** Beside packages: words of the count itself. */
const COUNTS =
  /^(?:many|number|count|total|there|wie|viele|wieviele|anzahl|zahl|insgesamt|cuant[oa]s|numero|total|combien|nombre|drauf|overall|hat|have|altogether)$/;
const LISTS =
  /^(?:please )?(?:list|show|give|which|what|all|liste|zeige?|welche|nenne|lista|muestra\w*|que|cuales|affiche|montre|quels|liste)\b/;
/** Of packages something else is counted. */
const OTHER_COUNT =
  /\b(?:differ\w*|chang\w*|alter\w*|files?|updates?|upgrad\w*|versions?|abweich\w*|dateien|archivos?|fichiers?)\b/;
/** Beside the name: words of the question itself, in any language. */
const BESIDE = new Set(
  (
    'list show give all every liste zeige zeig alle nenne mir lista muestra muestrame todos todas los cuales affiche montre moi tous les quels available present verfugbar vorhanden disponible who wer hat quien qui ete by whom something anything etwas algo quelque chose recently lately kurzlich recientemente recemment is are was were do does did i we you he my our this that it the a an of on in at to for from any some which what who where when how many version versions have has got get even already actually currently ' +
    'installed here there machine box server computer host system laptop now please tell me can could check whether if with package packages named called program programs tool tools software or and not yet properly still been today yesterday week month ' +
    'ist sind war habe haben hab hast ich wir du mein unser dieser diesem dieses der die das den dem ein eine einen auf von im in am hier schon bereits eigentlich noch rechner maschine kiste installiert gibt es welche welcher welches was wann wurde wurden worden paket pakete mir sag bitte ob denn drauf heute gestern woche monat fassung programm programme ' +
    'esta estan es son hay tengo tenemos tienes yo mi en el la los las un una de del que cual cuales este esta maquina equipo servidor sistema ordenador aqui ya instalado instalada instalados instaladas version paquete paquetes se ha han sido fue programa por favor dime si algun alguna cuando hoy ayer semana mes ' +
    'est sont ce c que qu est il elle t a ai as avons avez nous je j tu mon ma mes le la les l un une des du d de sur dans ici machine serveur ordinateur systeme deja bien installe installee installes quelle quel quelles version paquet paquets y programme logiciel dis moi si quand aujourd hui hier semaine mois'
  ).split(/\s+/),
);
const NAME = /^[\p{L}\d][\p{L}\d+._-]{0,40}$/u;

/** Null where it asks for something else. `isTable`: a word for rows of a table. */
export function installedAsked(message: string): InstalledAsked | null {
  const text = withoutGreeting(message).slice(0, 200);
  const plain = plainOf(text);
  const words = plain
    .split(/[\s,;!?()"“”„«»¿¡]+/u)
    .map((word) => word.replace(/[.:]+$/u, ''))
    .filter((word) => word !== '');
  const says = words.some((word) => INSTALLED.test(word));
  const version = VERSION.test(plain) && !OWN.test(plain);
  const isHad = HAVE.test(plain);
  const ofPackages = words.some((word) => PACKAGE.test(word));
  if (HOW.test(plain)) return null;
  if (ofPackages && EVENT.test(plain) && (WHEN.test(plain) || saysSpan(plain)))
    return { name: null, wants: 'when', isSaid: true };
  if (ofPackages && MANY.test(plain)) {
    const isOfAll =
      (says || words.every((word) => BESIDE.has(word) || PACKAGE.test(word) || COUNTS.test(word))) &&
      !saysSpan(plain) &&
      !OTHER_COUNT.test(plain);
    return isOfAll ? { name: null, wants: 'count', isSaid: true } : null;
  }
  const isList =
    ofPackages &&
    LISTS.test(plain) &&
    !saysSpan(plain) &&
    words.every(
      (word) => BESIDE.has(word) || PACKAGE.test(word) || INSTALLED.test(word) || COUNTS.test(word),
    );
  if (isList) return { name: null, wants: 'list', isSaid: true };
  if (!says && !version && !isHad) return null;
  const names = words.filter(
    (word) => !BESIDE.has(word) && !INSTALLED.test(word) && !PACKAGE.test(word) && !VERSION.test(word),
  );
  if (names.length === 0 && says && ofPackages && !saysSpan(plain) && words.length < 4)
    return { name: null, wants: 'count', isSaid: true };
  if (names.length === 0 && says && (saysSpan(plain) || RECENTLY.test(plain)))
    return { name: null, wants: 'when', isSaid: true };
  if (names.length === 0 || names.length > 2) return null;
  if (names.some((name) => !NAME.test(name) || /^\d+$/.test(name))) return null;
  if (names.some((name) => SERVICE.test(name))) return null;
  const isKnown = (word: string): boolean =>
    isOrdinary(word) || STOP_WORDS.has(word) || (FREQUENT.has(word) && !says);
  // "Do I have findings" is no question about a program; "is git installed" is one whatever its name.
  if (!says && (names.length > 1 || names.some(isKnown))) return null;
  if (!says && !version && words.length > 8) return null;
  if (says && /\b(?:who|wer|quien|qui)\b/.test(plain))
    return names.length === 1 ? { name: null, wants: 'when', isSaid: true } : null;
  return {
    name: names.join('-'),
    isSaid: says || version || names.every(isProgramName),
    wants:
      WHEN.test(plain) && says && /^[¿ ]*(?:when|wann|cuando|quand)\b/.test(plain)
        ? 'when'
        : version
          ? 'version'
          : 'whether',
  };
}
const SERVICE = /^(?:services?|dienste?|servicios?|units?|daemons?)$/;
const RECENTLY = /\b(?:recent\w*|lately|kurzlich|neulich|recien\w*|recemment|dernierement)\b/;
/** "Hier" is here in German, and yesterday in French. */
const saysSpan = (plain: string): boolean =>
  SPAN.test(
    /\b(?:ist|sind|wie|welche\w*|pakete?|auf)\b/.test(plain) ? plain.replace(/\bhier\b/, ' ') : plain,
  );
const SPAN =
  /\b(?:today|yesterday|since|week|month|days?|hours?|minutes?|night|morning|heute|gestern|seit|woche|monat|tagen?|stunden?|hoy|ayer|desde|semana|mes|dias?|horas?|aujourd hui|hier|depuis|semaine|mois|jours?|heures?)\b/;
