/** A query as text, in the one form that `parse` reads as the same query. */
import type { Condition, Item, Name, Order, Query, Value } from './types.ts';
import { ENDS_WORD } from './words.ts';

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A word as it is, where it can be read as one. */
const word = (text: string): string => (text === '' || ENDS_WORD.test(text) ? quoted(text) : text);

export const valueText = (value: Value): string =>
  typeof value === 'string' ? quoted(value) : String(value);

export function itemText({ aggregate, column }: Pick<Item, 'aggregate' | 'column'>): string {
  const name = column?.text ?? '';
  return aggregate === null ? name : `${aggregate}(${name})`;
}

export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
      return condition.parts.map((part) => inner(part, ['or'])).join(' and ');
    case 'or':
      return condition.parts.map((part) => inner(part, [])).join(' or ');
    case 'not':
      return `not ${inner(condition.part, ['and', 'or'])}`;
    case 'is':
      return `${condition.column.text} is ${condition.not ? 'not ' : ''}${condition.what}`;
    case 'compare': {
      const { column, operator, values } = condition;
      const [first] = values;
      if (operator !== 'in' && first !== undefined)
        return `${column.text} ${operator} ${valueText(first.value)}`;
      return `${column.text} in (${values.map(({ value }) => valueText(value)).join(', ')})`;
    }
  }
}

/** In parentheses where its kind needs them here. */
const inner = (part: Condition, within: readonly Condition['kind'][]): string =>
  within.includes(part.kind) ? `(${conditionText(part)})` : conditionText(part);

const orderText = ({ item, descending }: Order): string => `${descending ? '-' : ''}${itemText(item)}`;

export function queryText(query: Query): string {
  const { from, select, where, group, order, limit, ever } = query;
  const time = (key: string, value: Name | null): string[] =>
    value === null ? [] : [`${key} ${word(value.text)}`];
  return [
    from.text,
    ...(select.length > 0 ? [`select ${select.map(itemText).join(', ')}`] : []),
    ...(where === null ? [] : [`where ${conditionText(where)}`]),
    ...(group.length > 0 ? [`group by ${group.map(({ text }) => text).join(', ')}`] : []),
    ...(order.length > 0 ? [`order by ${order.map(orderText).join(', ')}`] : []),
    ...(limit === null ? [] : [`limit ${limit}`]),
    ...time('since', query.since),
    ...time('until', query.until),
    ...time('at', query.at),
    ...(ever ? ['ever'] : []),
  ].join(' ');
}
