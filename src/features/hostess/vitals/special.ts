/** Questions about processes and units whose words decide the query by themselves: use by user, reads and writes, services that died. Pure. */

import { plainOf } from '../grammar/read.ts';
import type { VitalAsked } from './asked.ts';
import type { Heard } from './hear.ts';
import { machineQueries } from './machine-queries.ts';
import { BY_USER } from './patterns.ts';
import { USES, type Use } from './quantities.ts';

type Special = Partial<VitalAsked> & Pick<VitalAsked, 'kind' | 'uses'> & { query: string; second?: string };

const READS =
  /\b(?:reads?|reading|readers?|liest|lesen|lesezugriffe|lee|leen|leyendo|lecturas?|lit|lisent|lectures?)\b/;
const WRITES =
  /\b(?:writ\w*|schreib\w*|escrib\w*|escrit\w*|ecri\w*|i\/o|io|e\/a|e\/s|activity|activit\w*|hammer\w*|thrash\w*|use|using)\b/;
const BOTH = /\b(?:i\/o|io|e\/a|e\/s|activit\w*|hammer\w*|thrash\w*|use|using)\b/;
/** The columns that order by input and output: those that the question names. */
export function ioColumns(plain: string): readonly (typeof USES)['io'][number][] {
  const [reads, writes] = [READS.test(plain), WRITES.test(plain)];
  if (reads && !writes) return ['read_per_sec'];
  return writes && !reads && !BOTH.test(plain) ? ['written_per_sec'] : ['written_per_sec', 'read_per_sec'];
}

const WHO =
  /^[¿ ]*(?:and |und |et |y )?(?:who|wer|quien|quienes|qui|which|what(?! (?:is|s) the)|whats (?!the)|welche\w*|cual\w*|quel\w*|que)\b/;
/** It asks for the process that reads or writes, and not for a value of the machine. */
export const asksWhoReads = ({ has, plain, quantities }: Heard): boolean =>
  (has('w:io') || quantities.includes('io')) &&
  !has('m:machine') &&
  (has('k:top', 'p:process') ||
    /\b(?:writers?|readers?)\b/.test(plain) ||
    (WHO.test(plain) && has('o:most', 'o:least', 'w:io')));

const DIED =
  '(?:die|died|dies|dead|crash|crashed|crashes|crashing|fail|failed|fails|gone down|go down|went down|fall over|fell over|broke|break|restart|restarted|abgesturzt|gestorben|ausgefallen|fehlgeschlagen|abgestorben|gecrasht|umgefallen|cayo|caido|cayeron|caidos|murio|muerto|fallo|fallado|fallaron|se ha caido|plante|plantes|tombe|tombes|crashe|echoue|echoues|mort|morts|arrete|arretes|en panne)';
const SERVICES =
  '(?:services?|daemons?|units?|dienste?|einheit(?:en)?|servicios?|demonios?|unidad(?:es)?|demons?|unites?)';
const SERVICE_DIED = new RegExp(
  `\\b${SERVICES}\\b.*\\b${DIED}\\b|\\b${DIED}\\b(?: \\w+){0,2} ${SERVICES}\\b`,
);

const RECENTLY = /\b(?:recent\w*|lately|kurzlich|neulich|recien\w*|ultimamente|recemment|dernierement)\b/;

const used = ({ quantities }: Heard): readonly Use[] => [
  ...new Set(
    quantities.flatMap((one): Use[] =>
      one === 'memory' ? ['memory'] : one === 'cpu' || one === 'load' ? ['cpu'] : one === 'io' ? ['io'] : [],
    ),
  ),
];

/** What each user's processes use together. */
function byUser(heard: Heard): Special | null {
  const uses = used(heard);
  const [use] = uses;
  if (use === undefined || heard.amounts.some(({ unit, compare }) => unit !== '' || compare !== null))
    return null;
  if (heard.moment !== null || heard.has('t:past', 't:was', 't:future') || heard.unused.length > 0)
    return null;
  const sums = USES[use].map((column) => `sum(${column})`);
  const sign = heard.has('o:least') ? '' : '-';
  const order = (use === 'io' ? ioColumns(heard.plain) : USES[use]).map((column) => `${sign}sum(${column})`);
  const isOne =
    heard.has('o:most', 'o:least') &&
    !/\b(?:per|by|pro|por|par|users|utilisateurs|usuarios)\b/.test(heard.plain);
  return {
    ...{ kind: 'users', uses: [use], limit: heard.amounts[0]?.value ?? (isOne ? 1 : 5) },
    query: `slow select uid, count(), ${sums.join(', ')} group by uid order by ${order.join(', ')} limit 20`,
  };
}

/** Null for another question. */
export function specialOf(heard: Heard): Special | null {
  const { plain, programs, users, places, moment } = heard;
  if (programs.length > 0 || users.length > 0 || places.length > 0) return null;
  if (BY_USER.test(plain)) return byUser(heard);
  if (
    !SERVICE_DIED.test(plain) ||
    /\b(?:why|warum|wieso|pourquoi|por que|how|wie|como|comment)\b/.test(plain)
  )
    return null;
  // Another word would choose a service.
  const isOwn = new RegExp(`^(?:${DIED}|${SERVICES})$`);
  if (heard.unused.some((word) => !isOwn.test(plainOf(word)))) return null;
  const isPast = moment !== null || heard.has('t:past') || RECENTLY.test(plain);
  return {
    kind: 'values',
    uses: [],
    quantities: ['units'],
    isPast,
    unused: [],
    ...machineQueries(heard, ['units'], null),
  };
}
