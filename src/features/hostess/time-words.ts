/** The words of times, and patterns made from them, in four languages. Text without marks and capitals. */

export const MIN_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Alternatives by value: `a|b` has that of its place. */
const valued = (rows: readonly string[], first = 0): ReadonlyMap<string, number> =>
  new Map(rows.flatMap((row, at) => row.split('|').map((word): [string, number] => [word, at + first])));
export const any = (map: ReadonlyMap<string, unknown>): string =>
  [...map.keys()].sort((a, b) => b.length - a.length).join('|');

export const DAYS = valued([
  'today|heute|hoy|aujourd hui|this day',
  'yesterday|gestern|ayer|hier',
  'day before yesterday|vorgestern|anteayer|antes de ayer|avant hier',
]);
/** From Monday, 0. */
export const WEEKDAYS = valued([
  'monday|montag|lunes|lundi',
  'tuesday|dienstag|martes|mardi',
  'wednesday|mittwoch|miercoles|mercredi',
  'thursday|donnerstag|jueves|jeudi',
  'friday|freitag|viernes|vendredi',
  'saturday|samstag|sonnabend|sabado|samedi',
  'sunday|sonntag|domingo|dimanche',
]);
export const MONTHS = valued(
  [
    'january|januar|enero|janvier|jan',
    'february|februar|febrero|fevrier|feb',
    'march|marz|marzo|mars',
    'april|abril|avril|apr',
    'may|mai|mayo',
    'june|juni|junio|juin|jun',
    'july|juli|julio|juillet|jul',
    'august|agosto|aout|aug',
    'september|septiembre|septembre|sep|sept',
    'october|oktober|octubre|octobre|oct|okt',
    'november|noviembre|novembre|nov',
    'december|dezember|diciembre|decembre|dec|dez',
  ],
  1,
);
/** Parts of a day by the hours at which they begin and end; a night ends on the next day. */
export const PARTS: readonly (readonly [words: string, from: number, until: number])[] = [
  ['morning|morgens?|fruh|vormittag|manana|matin', 6, 12],
  ['afternoon|nachmittags?|tarde|apres midi', 12, 18],
  ['evening|abends?|soir', 18, 24],
  ['night|nachts?|noche|nuit', 22, 30],
];
export const PART = PARTS.map(([words]) => words).join('|');
/** Parts that name their day: the words, how many days ago, and which part. */
export const NAMED_PARTS: readonly (readonly [words: string, days: number, part: number])[] = [
  ['this morning|heute (?:morgen|fruh|vormittag)|esta manana|hoy por la manana|ce matin', 0, 0],
  ['this afternoon|heute nachmittag|esta tarde|cet apres midi|cette apres midi', 0, 1],
  ['this evening|heute abend|esta noche|ce soir', 0, 2],
  [
    'last night|yesterday night|letzte nacht|gestern nacht|heute nacht|anoche|la nuit derniere|cette nuit|tonight',
    1,
    3,
  ],
];
const NAMED_PART = NAMED_PARTS.map(([words]) => words).join('|');
const LAST_DAY = '(?:(?:last|this|letzten?|am|diesen|el|este|pasado|le|ce|on) )?';
const WEEKDAY = `${LAST_DAY}(?:${any(WEEKDAYS)})(?: (?:pasado|dernier))?`;
const DATE = [
  '\\d{4}-\\d{2}-\\d{2}',
  '(?:the |den |el |le )?\\d{1,2}\\.\\d{1,2}\\.(?:\\d{4})?',
  `(?:the |den |el |le )?\\d{1,2}(?:\\.|st|nd|rd|th|er)? (?:of |de )?(?:${any(MONTHS)})(?:(?: de|,)? \\d{4})?`,
  `(?:${any(MONTHS)}) \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?(?![:\\d])`,
].join('|');
const OF_PART = `(?: (?:in the |am |por la |de la |au |dans la |a la )?(?:${PART}))?`;
export const DAY = `(?:${NAMED_PART}|(?:the )?(?:${any(DAYS)})${OF_PART}|${WEEKDAY}${OF_PART}|${DATE})`;
export const CLOCK =
  '(?:\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?(?:am|pm))?(?: (?:uhr|h))?|\\d{1,2} ?(?:am|pm|h)(?: ?\\d{2})?\\b|\\d{1,2} (?:uhr|o clock|heures|horas)(?: \\d{2})?|noon|midday|midnight|mittags?|mitternacht|midi|minuit|mediodia|medianoche)';
export const EXACT = '\\d{4}-\\d{2}-\\d{2}t\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:z|[+-]\\d{2}:\\d{2})?';
export const AT = '(?:(?:at|um|gegen|about|around|a las?|a|al|vers|de|,|the|am|on|el|le) )?';
/** A day, a clock, or both. */
export const POINT = `(?:${EXACT}|${DAY} ${AT}${CLOCK}|${AT}${CLOCK} (?:(?:of|on|am|del|de|le|el) )?${DAY}|${CLOCK}|${DAY})`;

export const COUNTS = valued(
  [
    'a|an|one|ein|eine|einer|einem|einen|un|une|una',
    'two|zwei|deux|dos|a couple of',
    'three|drei|trois|tres|few|a few|ein paar',
    'four|vier|quatre|cuatro',
    'five|funf|cinq|cinco',
    'six|sechs|seis',
    'seven|sieben|sept|siete',
    'eight|acht|huit|ocho',
    'nine|neun|neuf|nueve',
    'ten|zehn|dix|diez',
  ],
  1,
);
export const HALF = 'half an|eine[rn]? halben?|media|une demi';
export const COUNT = `(?:\\d{1,6}|${HALF}|${any(COUNTS)})`;
export const UNITS: readonly (readonly [words: string, ms: number])[] = [
  ['seconds?|secs?|sekunden?|secondes?|segundos?', 1_000],
  ['minutes?|mins?|minuten?|minutos?', MIN_MS],
  ['hours?|hrs?|stunden?|heures?|horas?', HOUR_MS],
  ['days?|tage?n?|jours?|dias?', DAY_MS],
  ['weeks?|wochen?|semaines?|semanas?', 7 * DAY_MS],
  ['months?|monate?n?|mois|mes(?:es)?', 30 * DAY_MS],
];
export const UNIT = `(?:${UNITS.map(([words]) => words).join('|')})`;
export const AGO = `(?:(?:${COUNT}) ${UNIT} (?:ago|earlier)|(?:vor|hace|il y a) (?:${COUNT}) ${UNIT})`;
/** More, or less, time than so much. */
export const OLDER =
  '(?:(?:that are |die )?(?:older than|alter als|mas antiguos? que|mas antiguas? que|plus (?:vieux|vieilles|anciens?|anciennes?) (?:que|de))|(?:(?:been )?(?:runs?|running|up|open) (?:for )?|for )(?:longer|more) than|(?:seit mehr als|langer als|seit uber)|(?:llevan?|desde hace|de hace|hace) mas de|depuis plus d e|depuis plus de?)';
export const YOUNGER =
  '(?:(?:younger|newer) than|junger als|neuer als|mas recientes? que|plus recents? que|(?:(?:running|up|open) (?:for )?|for )less than|seit weniger als|(?:desde )?hace menos de|(?:depuis|il y a) moins d e|(?:depuis|il y a) moins de?|vor weniger als)';
export const FROM =
  '(?:since|after|from|starting|seit|ab|nach|depuis|apres|desde|despues de|a partir de|as of)(?: (?:the|dem|der|den|la|el|las|los|les|le|l))?';
export const UNTIL =
  '(?:(?<!day )before|until|till|bis|vor|antes de|hasta|avant|jusqu a|jusqu au)(?: (?:the|dem|der|den|zum|la|el|las|los|les|le))?';
export const WITHIN =
  '(?:(?:in|within|during|over|for|auf|in den|innerhalb der|wahrend der|durant|pendant|dans|au cours|en|durante) )?(?:(?:the|den|der|die|das|des|les|ces|las|los|el|la|l|le) )?';
const LAST = '(?:last|past|previous|letzten?|letzte[rsmn]?|vergangenen?|dernieres?|derniers?|ultim[oa]s?)';
export const LENGTH = `(?:${LAST} (?:${COUNT} )?${UNIT}|(?:${COUNT}) (?:dernieres?|derniers?|ultim[oa]s) ${UNIT})`;
/** Weeks and months of the calendar: how many ago, in units of `UNITS`. */
export const PERIODS: readonly (readonly [words: string, unit: 'week' | 'weekend' | 'month', ago: number])[] =
  [
    [
      '(?:this|last|past|previous|the|over the|on the|at the) week ?-?end|(?:am|dieses|letzte[sn]?|vergangene[sn]?|vorige[sn]?|ubers) wochenende|(?:el |este |durante el )?(?:ultimo )?fin de semana(?: pasado)?|(?:ce|le|pendant le|durant le) week ?-?end(?: (?:dernier|passe))?',
      'weekend',
      0,
    ],
    ['this week|diese[rn]? woche|esta semana|cette semaine', 'week', 0],
    [
      '(?:last|previous) week|(?:letzte[rn]?|vorige[rn]?) woche|(?:la )?semana pasada|(?:la )?ultima semana|(?:la )?semaine (?:derniere|passee)',
      'week',
      1,
    ],
    ['this month|diese[nmrs]* monats?|este mes|ce mois(?: ci)?', 'month', 0],
    [
      '(?:last|previous) month|(?:letzte[nmr]?|vorige[nmr]?) monat|(?:el )?mes pasado|(?:le )?mois (?:dernier|passe)',
      'month',
      1,
    ],
  ];
export const PERIOD = PERIODS.map(([words]) => words).join('|');
export const BARE = '\\d{1,2}';
export const BETWEEN: readonly RegExp[] = [
  new RegExp(
    `\\b(?:(?<day>${DAY}),? )?(?:between|zwischen|entre(?: las?)?) (?<from>${POINT}|${BARE}) (?:and|und|y|et)(?: las?)? (?<to>${POINT}|${BARE})(?: (?:of |on |am |de |del )?(?<late>${DAY}))?(?![\\w:])`,
  ),
  new RegExp(
    `\\b(?:(?<day>${DAY}),? )?(?:from|von|desde|de)(?: las?)? (?<from>${POINT}|${BARE}) (?:to|until|till|bis|hasta|a)(?: las?)? (?<to>${POINT}|${BARE})(?: (?:of |on |am |de |del )?(?<late>${DAY}))?(?![\\w:])`,
  ),
];
