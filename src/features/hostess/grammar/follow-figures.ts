/** Follow-ups that order the rows before, or ask for another figure of them: "sort them by age", "and the maximum?". Pure. */
import { utcTime } from '../../../engine/time.ts';
import { queryText, valueText } from '../../../query/text.ts';
import type { Aggregate, Query } from '../../../query/types.ts';
import { allWords, baseOf, type Following, selecting } from './follow-rows.ts';
import { clauses, timeWords } from './past.ts';
import type { Plan } from './plan.ts';
import { type Asked, TABLES } from './tables.ts';

export const SORTS =
  /\b(?:sort\w*|order(?:ed)?(?: them| those)? by|rank\w*|sortier\w*|geordnet|ordne|orden\w*|tri\w*|classe\w*|range)\b|\b(?:oldest|newest|youngest|most recent|worst) (?:ones )?first\b|\b(?:altesten|neuesten|jungsten|schlimmsten) zuerst\b|\b(?:mas (?:antiguos|viejos|nuevos|recientes)|peores) primero\b|\bplus (?:anciens|vieux|recents|nouveaux|graves) (?:d abord|en premier)\b/;

/** What rows are ordered by, by words of any language; the first that fits is meant. */
const BY: readonly (readonly [by: string, words: RegExp])[] = [
  [
    'newest',
    /\b(?:newest|youngest|most recent|latest|recent first|neueste\w*|jungste\w*|nuev[oa]s|recientes|recents|nouveaux)\b/,
  ],
  [
    'oldest',
    /\b(?:age|old(?:est)?|start(?: time)?|date|time|alter|alteste\w*|datum|zeit|edad|antigu\w*|fecha|viej\w*|age|anciens?|anciennete|vieux)\b/,
  ],
  [
    'worst',
    /\b(?:severity|worst|severe|critical|schwere\w*|schweregrad|schlimm\w*|gravedad|grave\w*|gravite|peor\w*|pires?)\b/,
  ],
  ['-threads', /\b(?:threads?|hilos|fils)\b/],
  ['port', /\b(?:ports?|puertos?)\b/],
  ['pid', /\bpids?\b/],
  ['label', /\b(?:names?|alphabet\w*|namen|nombres?|noms?)\b/],
];

/** "Sort them by age": the rows in another order; null where they have none of that kind. */
export function sortedPlan({ before, reading }: Following, bare: string): Plan | null {
  if (!SORTS.test(bare) || before.group.length > 0) return null;
  const table = before.from.text;
  const about = TABLES[table] as Asked;
  const named = BY.find(([, words]) => words.test(bare))?.[0];
  if (named === undefined) return null;
  const by = named === 'label' ? about.label : (about.orders[named] ?? named);
  const column = by.replace('-', '');
  const select = about.select.split(', ').includes(column) ? about.select : `${about.select}, ${column}`;
  const isColumn =
    select.split(', ').includes(column) && (about.columns.includes(column) || named in about.orders);
  if (!isColumn && column !== about.label) return null;
  const order = [
    {
      item: { aggregate: null, column: { text: column, at: -1 }, at: -1 },
      descending: by.startsWith('-'),
    },
  ];
  return {
    ...baseOf(reading.language, table),
    ...{ kind: 'first', column, limit: before.limit ?? MOST_SORTED, conditions: allWords(table, before) },
    query: queryText({ ...selecting(before, select), order, limit: before.limit }),
  };
}

/** Rows of an ordered list that are said. */
export const MOST_SORTED = 5;

const FIGURES: readonly (readonly [figure: Aggregate, words: RegExp])[] = [
  [
    'avg',
    /^(?:(?:what is |whats |what s )?(?:the |der |das |la |el |le |l )?)?(?:average|mean|avg|durchschnitt|mittelwert|schnitt|promedio|media|moyenne)$/,
  ],
  [
    'max',
    /^(?:(?:what is |whats |what s )?(?:the |der |die |das |la |el |le )?)?(?:max|maximum|highest|longest|peak|slowest|worst|hochste\w*|langste\w*|maximal\w*|maximo|maxima|mayor|mas (?:largo|larga|alto|alta)|maximale?|plus (?:long|longue|haut|eleve))(?: (?:one|value|wert))?$/,
  ],
  [
    'min',
    /^(?:(?:what is |whats |what s )?(?:the |der |die |das |la |el |le )?)?(?:min|minimum|lowest|shortest|fastest|least|niedrigste\w*|kurzeste\w*|minimal\w*|minimo|minima|menor|minimale?|mas (?:corto|corta|bajo|baja)|plus (?:court|courte|bas))(?: (?:one|value|wert))?$/,
  ],
];

/** Another figure of the samples, where the question before was for one. */
export function figuredPlan({ before, reading }: Following, bare: string): Plan | null {
  const [item] = before.select;
  if (before.from.text !== 'samples' || item?.aggregate == null || item.column === null) return null;
  const figure = FIGURES.find(([, words]) => words.test(bare))?.[0];
  if (figure === undefined) return null;
  const of = item.column.text.replace('recheck_max_us', 'recheck_us');
  const column = figure === 'max' && of === 'recheck_us' ? 'recheck_max_us' : of;
  const select: Query['select'] = [
    { aggregate: figure, column: { text: column, at: -1 }, at: -1 },
    { aggregate: 'count', column: null, at: -1 },
  ];
  return {
    ...baseOf(reading.language, 'samples'),
    ...{ kind: 'measured', column: `${figure}(${column})`, conditions: allWords('samples', before) },
    query: queryText({ ...before, select }),
  };
}

const GROUPS =
  /^(?:(?:and |und |y |et )?(?:(?:show|give|list)(?: me)? )?(?:(?:that|them|those|it|this|das) )?)?(?:per|by|each|for each|pro|je|nach|por|par|pour chaque|grouped by|group by|group(?: them)? by|broken down by|split by) [\p{L} -]{3,30}$/u;

/** "Per user?": the rows before in groups. */
export function groupedPlan({ before, reading }: Following, bare: string): Plan | null {
  const table = before.from.text;
  const about = TABLES[table] as Asked;
  const facets = reading.slots.filter(({ part }) => part === 'facet');
  const [facet] = facets;
  const column = facet === undefined ? undefined : about.facets[facet.value];
  if (!GROUPS.test(bare) || facets.length !== 1 || column === undefined || before.group.length > 0)
    return null;
  const group = [{ text: column, at: -1 }];
  const order = [{ item: { aggregate: 'count' as const, column: null, at: -1 }, descending: true }];
  return {
    ...baseOf(reading.language, table),
    ...{ kind: 'groups', column, limit: null, conditions: allWords(table, before) },
    query: queryText({ ...before, select: [], group, order, limit: null }),
  };
}

/** The same figure of another time; of how many processes there are, the most that were counted then, since one that has ended is not kept. */
export function figuredThen({ before, reading: { moment, language } }: Following): Plan | null {
  if (moment === null || before.where !== null) return null;
  const [item] = before.select;
  if (item?.aggregate == null) return null;
  const isCount = before.from.text === 'processes' && item.aggregate === 'count' && item.column === null;
  const isFigure = before.from.text === 'samples' && item.column !== null;
  if (!isCount && !isFigure) return null;
  if (moment.how === 'ago')
    return isCount
      ? {
          ...baseOf(language, 'samples'),
          ...{ kind: 'sample', column: 'pids', name: 'processes', moment },
          query: `samples select at, pids at ${valueText(utcTime(moment.ms) ?? '')}`,
        }
      : null;
  const column = isCount ? 'max(pids)' : `${item.aggregate}(${item.column?.text})`;
  return {
    ...baseOf(language, 'samples'),
    ...{ kind: 'measured', column, moment, conditions: [timeWords(moment)] },
    query: `samples select ${column}, count()${clauses(moment)}`,
  };
}
