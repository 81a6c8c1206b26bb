/** Addresses that listeners are bound to, as conditions. */
import { valueText } from '../../../query/text.ts';
import type { Draft } from './draft.ts';
import { anyOf, not } from './filters.ts';
import { said } from './tables.ts';

/** "Bound to 0.0.0.0". */
export function addresses({ parts, table, conditions }: Draft): boolean {
  const all = parts.takeAll('address');
  if (all.length === 0) return true;
  if (table !== 'listeners') return false;
  const named = all.map(({ value }) => ({
    query: `address = ${valueText(value)}`,
    words: said(`on ${value}`, `auf ${value}`, `en ${value}`, `sur ${value}`),
    step: `[address=${value}]`,
  }));
  if (named.length > 1) parts.takeAll('word', 'or');
  const condition = anyOf(named);
  conditions.push(all.some(({ negated }) => negated) ? not(condition) : condition);
  return true;
}
