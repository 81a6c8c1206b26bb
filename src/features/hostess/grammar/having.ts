/** Programs or users that have more or fewer of something than a number: "which programs listen on more than one port". Pure. */

import { parse } from '../../../query/parse.ts';
import { queryText, valueText } from '../../../query/text.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import type { Parts } from './parts.ts';
import type { Plan, Step } from './plan.ts';
import type { Slot } from './read.ts';
import { type Condition, said, TABLES } from './tables.ts';

const MOST_GROUPS = 100;

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

const words = (operator: string, number: number, ofPorts: boolean): Condition => {
  const [en, de, es, fr] = ofPorts
    ? ['ports', 'Ports', 'puertos', 'ports']
    : ['processes', 'Prozesse', 'procesos', 'processus'];
  return {
    query: '',
    words: said(
      `(${en} ${operator} ${number})`,
      `(${de} ${operator} ${number})`,
      `(${es} ${operator} ${number})`,
      `(${fr} ${operator} ${number})`,
    ),
    step: null,
  };
};

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
    const chosen = parse(
      `${query.from.text} where ${list.length === 0 ? 'not pid' : `${group} in (${list.slice(0, 32).join(', ')})`}`.replace(
        'not pid',
        group === 'uid' ? 'uid = -1' : `${group} = ""`,
      ),
    ).where;
    const where =
      query.where === null
        ? chosen
        : chosen === null
          ? query.where
          : { kind: 'and' as const, parts: [query.where, chosen] };
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
    ...{ kind: 'groups', table, column: group, conditions: [...traits, words(operator.value, n, ofPorts)] },
    query: `${table} select ${group}, ${figure}${where} group by ${group} order by -${figure} limit ${MOST_GROUPS}`,
    steps: [fitting(group, figure, (value) => compares(value, n))],
  };
}
