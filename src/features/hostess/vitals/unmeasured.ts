/** What nothing measures, in four languages. What a table has a word for is left out: a refusal cannot deny what is measured. */
import { LANGUAGES } from '../grammar/vocabulary.ts';
import { vitalWords } from './vocabulary.ts';

const THINGS =
  'gpu|gpus|vram|graphics card|graphics memory|grafikkarte|grafikspeicher|tarjeta grafica|tarjeta de video|carte graphique|' +
  'fan|fans|fan speed|lufter|lufterdrehzahl|ventilador|ventiladores|ventilateur|ventilateurs|' +
  'battery|akku|batterie|bateria|power consumption|watts?|voltage|stromverbrauch|spannung|consumo electrico|voltaje|consommation electrique|tension|' +
  'humidity|luftfeuchtigkeit|humedad|humidite|latency|ping|latenz|latencia|latence|' +
  'requests?|visitors?|visit(?:s|ed|ing)?|brows(?:e|ed|ing)|surf(?:s|ed|ing)?|logged (?:in|on)|weather|country|nationality|motives?|' +
  'kernel version|hostname|source code of|(?:which|what) files? (?:has|have)|' +
  '(?:which|what) files? (?:does|did|do) .*(?:open|read|writ|access|touch)\\w*|open files?|typed?|screen(?:shot)?|mac address';

const measured: ReadonlySet<string> = new Set(
  LANGUAGES.flatMap((language) =>
    [...vitalWords(language).phrases].flatMap(([phrase, senses]) =>
      senses.some(([role]) => role === 'q') ? [phrase] : [],
    ),
  ),
);

/** Whether a table has what this phrase names. */
export const isMeasured = (phrase: string): boolean => measured.has(phrase);

export const UNMEASURED = new RegExp(
  `\\b(?:${THINGS.split(/\|(?![^(]*\))/)
    .filter((thing) => !isMeasured(thing))
    .join('|')})\\b`,
  'u',
);

/** Parts of machines that are not measured, beside a word for something that is: "GPU memory". */
export const OF_OTHER_PARTS =
  /\b(?:gpus?|vram|graphics|grafik\w*|grafica|graphique|fans?|lufter\w*|ventilad\w*|ventilateurs?|battery|akku|batterie|bateria|watts?|power (?:use|usage|consumption)|voltage|stromverbrauch)\b/;
