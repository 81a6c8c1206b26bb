/** Questions about the past: what was recorded of ports, findings, runs of the gate, generations, and what was counted at a time. Pure. */
import { utcTime } from '../../../engine/time.ts';
import { valueText } from '../../../query/text.ts';
import type { Moment } from '../times.ts';
import type { Plan, Programs } from './plan.ts';
import { plainOf, type Reading, type Slot } from './read.ts';
import { type Asked, type Condition, said, TABLES } from './tables.ts';
import type { Language } from './vocabulary.ts';

const LAST =
  /\b(?:last time|(?:up|open|seen|down|running) last|last (?:seen |been )?(?:up|open|seen|down|running|reachable|in use|used)|most recently|zuletzt|das letzte mal|zum letzten mal|ultima vez|derniere fois)\b/;
const EVER =
  /\b(?:ever|before|previously|in the past|how often|how many times|jemals|je|schon (?:ein ?)?mal|fruher|wie oft|alguna vez|antes|cuantas veces|jamais|deja|auparavant|combien de fois)\b/;
const UP =
  /\b(?:up|open|opened|down|listening|reachable|used|in use|offen|oben|unten|geoffnet|erreichbar|ausgefallen|abiert[oa]s?|activ[oa]|caid[oa]|cayo|ouverte?s?|active?|tombe|arrete|ferme)\b/;
const WHEN =
  /^(?:[¿¡] ?)?(?:and |und |y |et )?(?:when|at what time|wann|cuando|a que hora|quand|a quelle heure)\b/;
const WHY = /^(?:[¿¡] ?)?(?:why|how come|warum|wieso|weshalb|por que|pourquoi)\b/;
const FIRST =
  /\bfirst (?:show|seen|appear|open|come|up|found|notic)\w*|\b(?:show|appear|come)\w* (?:up )?(?:for the )?first\b|\bzuerst\b|\bzum ersten mal\b|\berstmals\b|\bprimera vez\b|\bpremiere fois\b/;
const HOW_OFTEN = /\b(?:how (?:often|many)|wie (?:oft|viele)|cuant[oa]s|combien)\b/;
const GATE = /\b(?:gate|hygien\w*|gates|controle d hygiene|control de higiene)\b/;
const ASKS_HOW_TO =
  /\bhow (?:do|can|to|should) |\bwie (?:kann|starte|lasse|fuhre|mache)|\bcomo (?:puedo|hago|lanzo|ejecuto)|\bcomment\b|\bwhat (?:is|does|are)\b|\bwas (?:ist|pruft|macht)\b|\bque (?:es|hace|comprueba)\b|\bqu est ce\b/;
const FAILED =
  /\b(?:red|rot|rojo|rouge|fail\w*|gescheitert|scheiterte|fehlgeschlagen|fehlschlage\w*|durchgefallen|nicht bestanden|fallo|fallado|fallaron|fallid[oa]s?|echoue\w*|rate(?:s|es)?)\b/;
const PASSED =
  /\b(?:green|grun|verde|vert|pass(?:ed|es)?|succeed\w*|bestanden|bestand|paso|pasado|supero|reussi\w*|passe)\b/;
const NEWEST = /\b(?:last|latest|recent|letzten?|vergangenen|ultim[oa]s?|derni\w+)\b/;
const HAPPENED =
  /\b(?:happen\w*|occur\w*|chang\w+|going on|passier\w*|geschehen|geschah|geandert|verandert|hinzugekommen|los|ocurri\w*|paso|pasado|cambi\w*|passe|arrive|change)\b/;
const WHAT = /^(?:[¿¡] ?)?(?:and |und |y |et )?(?:what|anything|was|ist etwas|que|qu|quoi|algo)\b/;
const NEW = /\b(?:neu\w*|new|nuevo|nouveau)\b/;
const MORE_THAN = /\b(?:more|fewer|less|mehr|weniger|mas|menos|plus|moins)\b.*\b(?:than|as|als|que|qu)\b/;
const BACK =
  /\b(?:gone|went away|gone away|came back|come back|back again|reopened|opened again|verschwunden|wieder(?:gekommen| da| aufgetaucht)?|desaparec\w+|volvio|vuelto|disparu\w*|revenu\w*|reapparu\w*)\b/;
/** What starts with the machine has an answer of its own. */
const AT_START = /\b(?:startup|boot\w*|autostart\w*|systemstart|demarrage|arranque)\b/;
const ARRIVED =
  /^(?:came|come|arrived?|there|showed|turned|gekommen|kamen|dazugekommen|hinzugekommen|neu|llegaron|llegado|entraron|nuevos|arrives?|entres?|nouveaux|venus)$/;
const LEARNED = /\b(?:learn(?:ed|t)|gelernt|aprend\w+|appris\w*)\b/;
const BASELINE = /\b(?:baseline|generation(?:en)?|basis|linea base|generacion|reference|referenz)\b/;
const DEVELOPED =
  /\b(?:develop\w*|over (?:the (?:day|week|hour|night)|time)|history|trend|evolved?|entwickelt\w*|verlauf|im laufe|evolucion\w*|a lo largo|evolue\w*|evolution|au cours|historique)\b/;

/** Measures that are sampled, by the table that questions name. */
const SAMPLED: Readonly<Record<string, string>> = { processes: 'pids', listeners: 'public_listen, bgl' };

const timeText = (ms: number): string => valueText(utcTime(ms) ?? '');
export const clauses = ({ how, ms, untilMs }: Moment): string =>
  how === 'until'
    ? ` until ${timeText(ms)}`
    : ` since ${timeText(ms)}${untilMs === null ? '' : ` until ${timeText(untilMs)}`}`;
export const timeWords = ({ text }: Moment): Condition => ({
  query: '',
  words: said(`(${text})`, `(${text})`, `(${text})`, `(${text})`),
  step: null,
});

const STARTED: Condition = {
  query: '',
  words: said('that started', 'die starteten', 'que arrancaron', 'qui ont démarré'),
  step: null,
};

const planOf = (language: Language, parts: Partial<Plan> & Pick<Plan, 'kind' | 'table' | 'query'>): Plan => ({
  ...{ language, conditions: [], column: null, limit: null, moment: null, stranger: null, name: null },
  unmeasured: [],
  ...parts,
});

const RECHECK =
  /\b(?:rechecks?|sweeps?|recheck (?:time|duration)s?|nachprufung(?:en)?|prufdurchlauf\w*|prufungen|recomprobacion(?:es)?|comprobacion(?:es)?|verificacion(?:es)?|verifications?|reverifications?)\b/;
const TAKES =
  /\b(?:long(?:est|er)?|take[ns]?|took|duration|slow(?:est)?|fast(?:est)?|time|dauer\w*|lang\w*|langsam\w*|schnell\w*|tard\w*|dur[aeo]\w*|larg[ao]s?|lent\w*|rapid\w*|temps|longue?s?)\b/;
const GREATEST =
  /\b(?:max|maxim\w*|most|highest|longest|slowest|peak|record|greatest|hochst\w*|langst\w*|langsamst\w*|meist\w*|mas (?:largo|larga|lento|lenta|alto|alta)|mayor|plus (?:long|longue|lente?|eleve|haut|grand)|plus de)\b/;
const SMALLEST =
  /\b(?:min|minim\w*|lowest|shortest|fastest|least|fewest|niedrigst\w*|kurzest\w*|schnellst\w*|wenigst\w*|mas (?:corto|corta|rapido|rapida|bajo|baja)|menor|plus (?:court|courte|rapide|bas))\b/;
const MEAN_OF =
  /\b(?:average|avg|mean|typical(?:ly)?|durchschnitt\w*|im schnitt|mittel\w*|promedio|media|medio|moyen(?:ne)?)\b/;
const KEPT =
  /\b(?:ever|so far|recorded|measured|sampled?s?|on record|jemals|je|bisher|gemessen|aufgezeichnet|alguna vez|jamas|medido|medidos|registrad[oa]s?|jamais|mesures?|enregistres?|historique|history)\b/;

const CHANGES =
  /\bhow (?:do|can|to|should) |\bwie (?:kann|andere|stelle)|\bcomo (?:puedo|cambio)|\bcomment (?:puis|changer|je)/;

const FIGURES = [
  ['avg', MEAN_OF],
  ['max', GREATEST],
  ['min', SMALLEST],
] as const;
/** Columns of samples that are counts, by the table that questions name. */
const COUNTS: Readonly<Record<string, string>> = { processes: 'pids', findings: 'findings' };

/** The longest or mean recheck, and the most processes that were ever counted: of the samples that are kept. */
function measuredOf({ slots, moment, language }: Reading, asked: string): Plan | null {
  // "More than 3 hours" is no greatest figure.
  const plain = moment === null ? asked : asked.replace(moment.text, ' ');
  const how = FIGURES.find(([, words]) => words.test(plain))?.[0];
  if (how === undefined || CHANGES.test(plain) || moment?.how === 'ago') return null;
  const isTime = RECHECK.test(plain) && TAKES.test(plain);
  const isKept = (moment !== null || KEPT.test(plain)) && !slots.some(({ part }) => part === 'trait');
  const counted = COUNTS[slots.find(({ part }) => part === 'table')?.value ?? ''];
  const column = isTime ? (how === 'max' ? 'recheck_max_us' : 'recheck_us') : isKept ? counted : undefined;
  if (column === undefined) return null;
  return planOf(language, {
    ...{ kind: 'measured', table: 'samples', moment, column: `${how}(${column})` },
    conditions: moment === null ? [] : [timeWords(moment)],
    query: `samples select ${how}(${column}), count()${moment === null ? '' : clauses(moment)}`,
  });
}

/** Whether a question about one port asks since when. */
export const sinceOfPort = ({ slots, moment }: Reading): number | null => {
  const told = slots.filter(({ part }) => part !== 'filler');
  const [number] = told.filter(({ part }) => part === 'number');
  const fits = told.every(
    ({ part, value }) =>
      part === 'number' ||
      (part === 'kind' && (value === 'since' || value === 'when')) ||
      (part === 'trait' && value === 'opened') ||
      (part === 'word' && (value === 'port' || value === 'still')) ||
      (part === 'trait' && (value === 'open' || value === 'up')) ||
      (part === 'verb' && (value === 'listen' || value === 'run')) ||
      (part === 'table' && value === 'listeners'),
  );
  const opened = told.some(({ part, value }) => part === 'trait' && value === 'opened');
  const asks = told.some(
    ({ part, value }) => part === 'kind' && (value === 'since' || (value === 'when' && opened)),
  );
  const isPort = told.some(({ part, value }) => (part === 'word' && value === 'port') || part === 'table');
  return moment === null && fits && asks && isPort && number !== undefined ? Number(number.value) : null;
};

/** When a port was up last, or whether it ever was. */
export const lastUp = (language: Language, port: number, ever: boolean): Plan =>
  planOf(language, {
    ...{ kind: 'last-up', table: 'findings', name: String(port), column: ever ? 'ever' : null },
    query: `findings select ${TABLES.findings?.select}, closed where port = ${port} ever order by -last_seen`,
  });

interface Past {
  readonly reading: Reading;
  readonly plain: string;
  readonly programs: Programs;
  /** Numbers of desk ports by their names. */
  portOf(name: string): number | null;
}

/** The plan of a question about the past; null where it is none. */
export function pastOf({ reading, plain, programs, portOf }: Past): Plan | null {
  const { slots, moment, language } = reading;
  const all = (part: Slot['part']): readonly Slot[] => slots.filter((one) => one.part === part);
  const table = all('table')[0]?.value ?? null;
  const kind = all('kind')[0]?.value ?? null;
  const names = [
    ...all('program'),
    ...all('stranger'),
    ...all('deskport'),
    ...all('check'),
    ...all('about'),
    ...all('user'),
  ];
  const numbers = all('number');
  const [deskport] = all('deskport');
  const isAlone = names.length === 0 && numbers.length === 0;

  const measured = isAlone ? measuredOf(reading, plain) : null;
  if (measured !== null) return measured;

  // Ports.
  const [number] = numbers;
  const port = deskport === undefined ? Number(number?.value ?? Number.NaN) : portOf(deskport.value);
  const ofPort =
    (deskport !== undefined && numbers.length === 0 && names.length === 1) ||
    (numbers.length === 1 &&
      names.length === 0 &&
      (all('word').some(({ value }) => value === 'port') || Number(number?.value) > 1023));
  if (
    ofPort &&
    port !== null &&
    port > 0 &&
    port < 65_536 &&
    moment === null &&
    (table === null || table === 'listeners')
  ) {
    if (LAST.test(plain) && UP.test(plain)) return lastUp(language, port, false);
    if (EVER.test(plain) && UP.test(plain) && kind !== 'when') return lastUp(language, port, true);
    if (WHEN.test(plain) && FIRST.test(plain))
      return planOf(language, {
        ...{ kind: 'when', table: 'findings', column: 'first_seen', name: String(port) },
        query: `findings select ${TABLES.findings?.select} where port = ${port} ever order by first_seen limit 1`,
      });
  }

  // Runs of the gate.
  if (
    GATE.test(plain) &&
    !ASKS_HOW_TO.test(plain) &&
    names.length === 0 &&
    (table === null || table === 'gate_runs')
  ) {
    const made = gatePlan(reading, plain, numbers);
    if (made !== null) return made;
  }

  // Generations.
  if (WHEN.test(plain) && LEARNED.test(plain) && BASELINE.test(plain) && isAlone && moment === null)
    return planOf(language, {
      ...{ kind: 'cells', table: 'generations', column: 'learned', name: 'since', limit: 1 },
      query: `generations select ${TABLES.generations?.select} where learned is not none order by -learned limit 1`,
    });

  // A finding that went and came back.
  const [subject] = [...all('about'), ...all('check')];
  if (subject !== undefined && names.length === 1 && BACK.test(plain) && moment === null)
    return planOf(language, {
      ...{ kind: 'episodes', table: 'finding_events', name: subject.value },
      query: `finding_events where summary contains ${valueText(subject.value)} order by at`,
    });

  // Of one process nothing is kept.
  const [program] = all('program');
  if (
    program !== undefined &&
    names.length === 1 &&
    DEVELOPED.test(plain) &&
    slots.some(({ value }) => value === 'threads')
  ) {
    const [[column, value] = ['comm', program.value] as const] = programs.find(program.value);
    return planOf(language, {
      ...{ kind: 'not-kept', table: 'processes', column: 'threads', name: program.value },
      query: `processes select ${TABLES.processes?.select} where ${column} = ${valueText(value)} order by -threads limit 5`,
    });
  }

  if (moment === null) return null;
  if (
    isAlone &&
    table === 'findings' &&
    MORE_THAN.test(plain) &&
    (moment.how === 'ago' || moment.how === 'day')
  )
    return planOf(language, {
      ...{ kind: 'then-now', table: 'findings', moment, conditions: [timeWords(moment)] },
      query: `findings select count() at ${timeText(moment.ms)}`,
    });
  if (moment.how === 'ago' && isAlone && kind === 'count' && table !== null && SAMPLED[table] !== undefined)
    return planOf(language, {
      ...{ kind: 'sample', table: 'samples', column: SAMPLED[table] as string, name: table, moment },
      query: `samples select at, ${SAMPLED[table]} at ${timeText(moment.ms)}`,
    });
  const starts = slots.some(({ part, value }) => part === 'column' && value === 'start');
  if (
    starts &&
    isAlone &&
    (table === null || table === 'processes') &&
    moment.how !== 'ago' &&
    (kind === 'list' || kind === 'count' || kind === 'whether' || kind === null) &&
    !slots.some(
      ({ part }) => part === 'unread' || part === 'trait' || part === 'order' || part === 'unmeasured',
    )
  )
    return planOf(language, {
      ...{ kind: kind === 'count' ? 'count' : kind === 'whether' ? 'whether' : 'list', table: 'processes' },
      ...{ moment, conditions: [STARTED, timeWords(moment)] },
      query: `processes select ${kind === 'count' ? 'count()' : `${TABLES.processes?.select}`}${clauses(moment)}${kind === 'count' ? '' : ' order by -start'}`,
    });
  const hasOpen = slots.some(({ part, value }) => part === 'trait' && value === 'open');
  if (
    moment.how === 'ago' &&
    isAlone &&
    hasOpen &&
    kind === 'whether' &&
    (table === null || table === 'findings') &&
    !slots.some(({ value }) => value === 'port')
  )
    return planOf(language, {
      ...{ kind: 'whether', table: 'findings', moment, conditions: [timeWords(moment)] },
      query: `findings select ${TABLES.findings?.select} at ${timeText(moment.ms)} order by -severity`,
    });
  const asksWhat = WHAT.test(plain) && (HAPPENED.test(plain) || (NEW.test(plain) && language !== 'en'));
  const arrives = slots.filter(({ part }) => part === 'unread');
  if (
    table === 'findings' &&
    isAlone &&
    moment.how !== 'ago' &&
    arrives.length > 0 &&
    arrives.every(({ text }) => ARRIVED.test(plainOf(text))) &&
    !slots.some(({ part, value }) => part === 'trait' && value !== 'unlearned' && value !== 'opened')
  )
    return planOf(language, {
      ...{ kind: kind === 'count' ? 'count' : kind === 'whether' ? 'whether' : 'list', table: 'findings' },
      ...{ moment, conditions: [timeWords(moment)] },
      query: `findings select ${kind === 'count' ? 'count()' : TABLES.findings?.select}${clauses(moment)} ever${kind === 'count' ? '' : ' order by -first_seen'}`,
    });
  const others =
    AT_START.test(plain) ||
    slots.some(
      ({ part, text }) =>
        part === 'unmeasured' ||
        (part === 'unread' &&
          !HAPPENED.test(plainOf(text)) &&
          !NEW.test(plainOf(text)) &&
          !/^(?:s|se|machine)$/.test(plainOf(text))),
    );
  if (
    asksWhat &&
    !others &&
    moment.how !== 'ago' &&
    isAlone &&
    table === null &&
    (moment.untilMs !== null || moment.how === 'until' || language !== 'en')
  )
    return planOf(language, {
      ...{ kind: 'happened', table: 'finding_events', moment, conditions: [timeWords(moment)] },
      query: `finding_events select at, event, summary, finding${clauses(moment)} order by at`,
    });
  return null;
}

function gatePlan(
  { slots, moment, language }: Reading,
  plain: string,
  numbers: readonly Slot[],
): Plan | null {
  const about = TABLES.gate_runs as Asked;
  const fails = FAILED.test(plain);
  const passes = !fails && PASSED.test(plain);
  const trait: readonly Condition[] = fails
    ? [about.traits.failed as Condition]
    : passes
      ? [
          {
            query: 'gate = pass',
            words: said('that passed', 'die bestanden', 'que pasaron', 'qui ont réussi'),
            step: null,
          },
        ]
      : [];
  const where = trait.length === 0 ? '' : ` where ${(trait[0] as Condition).query}`;
  const timed = moment === null || moment.how === 'ago' ? '' : clauses(moment);
  const conditions = [...trait, ...(moment === null ? [] : [timeWords(moment)])];
  const select = `gate_runs select ${about.select}`;
  if (moment?.how === 'ago') return null;
  if (slots.some(({ part, value }) => part === 'table' && value !== 'gate_runs')) return null;
  const top = numbers[0] === undefined ? null : Number(numbers[0].value);
  if (numbers.length === 1 && top !== null && NEWEST.test(plain) && top > 0 && moment === null)
    return planOf(language, {
      ...{ kind: 'runs', table: 'gate_runs', conditions, limit: top },
      query: `${select}${where} order by -at limit ${Math.min(top, 50)}`,
    });
  if (numbers.length > 0) return null;
  const isYesOrNo = slots.some(({ part, value }) => part === 'kind' && value === 'whether');
  if (HOW_OFTEN.test(plain) && (trait.length > 0 || moment !== null))
    return planOf(language, {
      ...{ kind: 'count', table: 'gate_runs', conditions, moment },
      query: `gate_runs select count()${where}${timed}`,
    });
  if (moment !== null)
    return trait.length > 0
      ? planOf(language, {
          ...{
            kind: WHEN.test(plain) || !isYesOrNo ? 'runs' : 'whether',
            table: 'gate_runs',
            conditions,
            moment,
            limit: WHEN.test(plain) || !isYesOrNo ? 10 : null,
          },
          query: `${select}${where}${timed} order by -at`,
        })
      : null;
  if (
    WHY.test(plain) &&
    fails &&
    (NEWEST.test(plain) || /\b(?:letzten? mal|run|lauf|ejecucion|passage)\b/.test(plain))
  )
    return planOf(language, {
      ...{ kind: 'run-last', table: 'gate_runs', name: 'why' },
      query: `${select} order by -at limit 1`,
    });
  if (isYesOrNo && EVER.test(plain) && trait.length > 0)
    return planOf(language, {
      ...{ kind: 'whether', table: 'gate_runs', conditions },
      query: `${select}${where} order by -at`,
    });
  if (WHEN.test(plain) && trait.length > 0)
    return planOf(language, {
      ...{ kind: 'run-last', table: 'gate_runs', column: 'at', conditions },
      query: `${select}${where} order by -at limit 1`,
    });
  return null;
}
