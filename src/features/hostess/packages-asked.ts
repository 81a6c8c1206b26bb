/** Which questions are about packages, in four languages: only for these the comparison of their files is looked up. */
import { HOW_TO } from './intents/by-meaning.ts';
import type { Question } from './understand.ts';

const DESK = /\b(?:desk|hostess|you|your|du|vous|tu|usted|i|ich|je)\b/;
const PACKAGES = /\b(?:packages?|packaged|pakete?n?|paketdateien|paquets?|paquetes?|debsums)\b/;
const COMPARED =
  /\b(?:intact|unaltered|unchanged|unmodified|altered|chang\w*|modif\w*|tamper\w*|manipul\w*|differ\w*|corrupt\w*|integrity|verif\w*|compar\w*|files?|original|intakt|unverandert|verandert\w*|geandert\w*|dateien|unversehrt|verglichen|fichiers?|intacts?|inchange\w*|alteres?|archivos?|ficheros?|intactos?|cambi\w*|alterad\w*)\b/;
/** What dpkg itself knows, and packets of a network. */
const OF_DPKG =
  /\b(?:updates?|upgrades?|come from|comes from|owns?|belongs?|provides?|second|network|lost|dropped|sent|received|aktualisier\w*|mettre a jour|actualiz\w*)\b/;

export const asksForPackages = (question: Question): boolean => {
  const says = (pattern: RegExp) => question.says(pattern);
  if (says(HOW_TO) || says(DESK) || says(OF_DPKG) || question.any('mail')) return false;
  return says(PACKAGES) && (says(COMPARED) || (question.has('count') && says(/\binstal\w*/)));
};
