/** Programs or users that have more or fewer of something than a number: "which programs listen on more than one port". Pure. */

import { parse } from '../../../query/parse.ts';
import { queryText, valueText } from '../../../query/text.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import { compared } from './conditions.ts';
import { joined, partsOf } from './follow-rows.ts';
import type { Parts } from './parts.ts';
import type { Plan, Step } from './plan.ts';
import type { Slot } from './read.ts';
import { type Condition, type Said, said, TABLES } from './tables.ts';
import type { Language } from './vocabulary.ts';

const MOST_GROUPS = 1000;
/** As many entries as a list of a query has. */
const MOST_LISTED = 32;

type Compares = (value: number, than: number) => boolean;
const OPERATORS: Readonly<Record<string, Compares>> = {
  '>': (value, than) => value > than,
  '<': (value, than) => value < than,
  '>=': (value, than) => value >= than,
  '<=': (value, than) => value <= than,
  '=': (value, than) => value === than,
};

const isPort = ({ part, value }: Slot): boolean =>
  (part === 'word' && value === 'port') || (part === 'table' && value === 'listeners');
const isProcess = ({ part, value }: Slot): boolean => part === 'table' && value === 'processes';

const NOUNS = {
  ports: said('ports', 'Ports', 'puertos', 'ports'),
  processes: said('processes', 'Prozessen', 'procesos', 'processus'),
};
const ONE = said('one', 'einem', 'uno', 'un');

const NONE = said('none', 'keine', 'ninguno', 'aucun');

/** "None with more than 3 ports"; the question may have one as a word. */
function noneWith(operator: string, number: number, noun: Said, language: Language): string {
  const with_ = compared('#', operator, number).words[language].replace('#', noun[language]);
  return `${NONE[language]} ${with_.replace(/\b1\b/, ONE[language])}`;
}

/** The groups of the answer whose figure fits, as a query of their own. */
const fitting =
  (group: string, figure: string, fits: (value: number) => boolean): Step =>
  (record: QueryAnswer) => {
    const values = record.rows.flatMap((row) =>
      typeof row[figure] === 'number' && fits(row[figure]) ? [row[group]] : [],
    );
    const named = values.filter((one) => typeof one === 'string' || typeof one === 'number');
    const query = parse(record.query);
    const list = named.map((one) => (typeof one === 'number' ? String(one) : valueText(String(one))));
    const none = group === 'uid' ? 'uid = -1' : `${group} = ""`;
    const condition = list.length === 0 ? none : `${group} in (${list.slice(0, MOST_LISTED).join(', ')})`;
    const { where: chosen } = parse(`${query.from.text} where ${condition}`);
    const where = joined([...partsOf(query.where), ...partsOf(chosen)]);
    return queryText({ ...query, where });
  };

/** What it counts, and of whom; null where the question is another one. */
export function havingOf(parts: Parts, base: Omit<Plan, 'kind' | 'table' | 'query'>): Plan | null {
  const { slots } = parts;
  const at = slots.findIndex(({ part }, place) => part === 'operator' && slots[place + 1]?.part === 'number');
  const [operator, number, noun] = slots.slice(at, at + 3);
  if (at < 0 || operator === undefined || number === undefined || noun === undefined) return null;
  const ofPorts = isPort(noun);
  const others = slots.filter((one) => one !== operator && one !== number && one !== noun);
  const ofUsers = others.some(({ part, value }) => part === 'facet' && value === 'user');
  const ofPrograms =
    others.some(({ part, value }) => part === 'facet' && value === 'program') ||
    (ofPorts && others.some(isProcess));
  if ((!ofPorts && !isProcess(noun)) || ofUsers === ofPrograms) return null;
  const table = ofPorts ? 'listeners' : 'processes';
  const traits: Condition[] = [];
  for (const { part, value, negated } of others) {
    const isPlaced =
      ['facet', 'kind', 'verb', 'table'].includes(part) || (part === 'word' && value === 'only');
    const trait = part === 'trait' ? TABLES[table]?.traits[value] : undefined;
    if (trait !== undefined && negated !== true && trait.query !== '') traits.push(trait);
    else if (!isPlaced && !(part === 'trait' && value === 'open' && ofPorts)) return null;
  }
  const group = ofUsers ? 'uid' : ofPorts ? 'executable' : 'comm';
  const figure = ofPorts ? 'distinct(port)' : 'count()';
  const n = Number(number.value);
  const compares = OPERATORS[operator.value];
  if (compares === undefined) return null;
  const where = traits.length === 0 ? '' : ` where ${traits.map(({ query }) => query).join(' and ')}`;
  return {
    ...base,
    ...{
      kind: 'groups',
      table,
      column: group,
      conditions: traits,
    },
    query: `${table} select ${group}, ${figure}${where} group by ${group} order by ${operator.value.startsWith('<') ? '' : '-'}${figure} limit ${MOST_GROUPS}`,
    name: noneWith(operator.value, n, ofPorts ? NOUNS.ports : NOUNS.processes, base.language),
    steps: [fitting(group, figure, (value) => compares(value, n))],
  };
}
