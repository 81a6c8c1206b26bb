/** Misspelled words of times, put right before times are read: "sinse yestarday". Text without marks and capitals. Pure. */
import { slip } from './grammar/slip.ts';
import { isFrequent, isOrdinary } from './lexicon.ts';

/** Words that make a time; shorter ones resemble too many others. */
const WORDS: readonly string[] = (
  'since after before between until during today yesterday tomorrow morning afternoon evening night midnight noon last past previous minute minutes second seconds hour hours days week weeks month months monday tuesday wednesday thursday friday saturday sunday ' +
  'january february march april june july august september october november december ' +
  'seit nach zwischen gestern vorgestern heute morgen abend nacht letzte letzten letzter vergangenen minute minuten sekunden stunde stunden tage tagen woche wochen monat monaten montag dienstag mittwoch donnerstag freitag samstag sonntag mittag mitternacht ' +
  'desde entre ayer anteayer anoche manana tarde noche ultima ultimas ultimo ultimos pasada pasado minutos segundos hora horas dias semana semanas meses lunes martes miercoles jueves viernes sabado domingo mediodia medianoche ' +
  'depuis apres avant pendant hier avant-hier aujourd matin soir nuit derniere dernieres dernier derniers heure heures jours semaine semaines mois lundi mardi mercredi jeudi vendredi samedi dimanche'
).split(' ');
const KNOWN = new Set(WORDS);
const SHORTEST = 4;
/** One slip, and for longer words a wrong consonant too. */
const MOST_COST = 0.75;
const MOST_OF_LONG = 1;
const LONG = 5;
const KEPT = 2_000;
const known = new Map<string, string>();

/** The word of a time that is meant; the word itself where it is one, or none is near. */
function meant(word: string): string {
  if (word.length < SHORTEST || word.length > 14 || KNOWN.has(word) || isOrdinary(word) || isFrequent(word))
    return word;
  // A regular form of another word is no misspelling.
  let [best, least] = [word, word.length >= LONG ? MOST_OF_LONG + 0.001 : MOST_COST];
  for (const one of WORDS) {
    if (one.length < SHORTEST || Math.abs(one.length - word.length) > 1) continue;
    const cost = slip(word, one);
    if (cost < least) [best, least] = [one, cost];
  }
  return best;
}

function kept(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  if (known.size >= KEPT) known.clear();
  const made = meant(word);
  known.set(word, made);
  return made;
}

/** The text with its words of times put right. Names with other characters, such as paths, are left as they are. */
export const timesSpelled = (plain: string): string =>
  plain.replace(/(?<![\w./@:"'-])[a-z]{4,14}(?![\w/@:"'-]|\.\w)/g, kept);
