/** Questions about one thing that has an answer of its own: a desk port, whether a port was ever up, a program, a finding. */
import { valueText } from '../../../query/text.ts';
import { aboutQuery } from './conditions.ts';
import type { Parts } from './parts.ts';
import type { Plan } from './plan.ts';
import { TABLES } from './tables.ts';

/** Undefined where the question is about no such thing; null where it is, and is not understood. `base`: what the plan has already. */
export function ofOneThing(
  parts: Parts,
  asked: string,
  base: Omit<Plan, 'kind' | 'table' | 'query'>,
): Plan | null | undefined {
  // A desk port by its name.
  const deskport = parts.take('deskport');
  if (deskport !== null) {
    parts.takeAll('word', 'port');
    parts.takeAll('facet', 'program');
    const [up, down] = [parts.take('trait', 'up'), parts.take('trait', 'down')];
    parts.takeAll('verb', 'run');
    parts.takeAll('verb', 'listen');
    parts.takeAll('trait', 'open');
    if (parts.slots.length > 0 || (asked === 'list' && up === null && down === null) || asked === 'count')
      return null;
    const query = `ports select ${TABLES.ports?.select} where name = ${valueText(deskport.value)}`;
    const column = asked === 'when' || asked === 'since' ? 'when' : down !== null ? 'down' : 'up';
    return { ...base, kind: 'port', table: 'ports', query, name: deskport.value, column };
  }

  // Whether a port was ever up.
  if (parts.has('word', 'ever') && parts.has('word', 'port') && parts.has('number')) {
    parts.take('word', 'ever');
    const [, number] = parts.pair('word', 'number', 'port') ?? [];
    parts.takeAll('trait', 'up');
    parts.takeAll('trait', 'open');
    parts.takeAll('table', 'listeners');
    parts.takeAll('verb', 'listen');
    parts.takeAll('verb', 'run');
    if (number === undefined || parts.slots.length > 0) return null;
    return {
      ...base,
      kind: 'port-ever',
      table: 'findings',
      query: `findings select ${TABLES.findings?.select} where port = ${number.value} ever`,
      name: number.value,
    };
  }

  // Whether a program was learned, and whether a finding is bad.
  const subject = parts.slots.find(({ part }) => part === 'program' || part === 'about' || part === 'check');
  if (subject?.part === 'program' && parts.has('word', 'know')) {
    const left = parts.slots.filter(
      (one) => one !== subject && !(one.part === 'word' && one.value === 'know'),
    );
    if (left.length > 0) return null;
    return {
      ...base,
      ...{ kind: 'known', table: 'baseline_differences', name: subject.value },
      query: `baseline_differences where difference = added and text contains ${valueText(subject.value)}`,
    };
  }
  if (subject !== undefined && subject.part === 'about' && parts.has('word', 'bad')) {
    const left = parts.slots.filter(
      (one) =>
        one !== subject &&
        one.part !== 'table' &&
        one.part !== 'kind' &&
        !(one.part === 'word' && one.value === 'bad'),
    );
    if (left.length > 0) return null;
    return {
      ...base,
      ...{ kind: 'judge', table: 'findings', name: subject.value },
      query: `findings select ${TABLES.findings?.select} where ${aboutQuery(subject)}`,
    };
  }
  if (base.unmeasured.includes('services') && parts.slots.length === 0)
    return { ...base, kind: 'unmeasured', table: 'processes', query: 'processes select count()' };
  return undefined;
}
