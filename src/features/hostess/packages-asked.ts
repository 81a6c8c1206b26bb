/** Which questions are about packages, in four languages: only for these the comparison of their files is looked up. */
import { HOW_TO } from './intents/by-meaning.ts';
import type { Question } from './understand.ts';

const DESK = /\b(?:desk|hostess|you|your|du|vous|tu|usted|i|ich|je)\b/;
const PACKAGES = /\b(?:packages?|packaged|pakete?n?|paketdateien|paquets?|paquetes?|debsums)\b/;
const COMPARED =
  /\b(?:intact|unaltered|unchanged|unmodified|altered|chang\w*|modif\w*|tamper\w*|manipul\w*|differ\w*|corrupt\w*|integrity|verif\w*|compar\w*|files?|original|intakt|unverandert|verandert\w*|geandert\w*|dateien|unversehrt|verglichen|fichiers?|intacts?|inchange\w*|alteres?|archivos?|ficheros?|intactos?|cambi\w*|alterad\w*)\b/;
/** Files that packages have, without that word. */
const SYSTEM_FILES =
  /\b(?:system files?|binaries|systemdateien|programmdateien|(?:archivos|ficheros|binarios|ejecutables) (?:del )?sistema|binarios|(?:fichiers|binaires) (?:du )?systeme|binaires)\b/;
const ALTERED =
  /\b(?:modified|changed|altered|tampered|manipulated|intact|geandert\w*|verandert\w*|manipuliert\w*|intakt|unverandert|modificad\w*|cambiad\w*|alterad\w*|manipulad\w*|intact[oa]s?|modifiee?s?|alteree?s?|falsifiee?s?|intacts)\b/;
const NO_FILES =
  /\b(?:process\w*|prozess\w*|proceso\w*|startup|autostart\w*|cron\w*|log|config\w*|baseline|running|learn\w*|set-?uid|suid)\b/;
/** What dpkg itself knows, and packets of a network. */
const OF_DPKG =
  /\b(?:updates?|upgrades?|come from|comes from|owns?|belongs?|provides?|contains?|contents?|second|network|lost|dropped|sent|received|aktualisier\w*|mettre a jour|actualiz\w*)\b/;

export const asksForPackages = (question: Question): boolean => {
  const says = (pattern: RegExp) => question.says(pattern);
  if (says(HOW_TO) || says(DESK) || says(OF_DPKG) || question.any('mail')) return false;
  if (says(SYSTEM_FILES) && says(ALTERED) && !says(NO_FILES)) return true;
  return says(PACKAGES) && (says(COMPARED) || (question.has('count') && says(/\binstal\w*/)));
};
