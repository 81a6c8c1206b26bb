/** Questions about one thing that has an answer of its own: a desk port, whether a port was ever up, a program, a finding. */

import { valueText } from '../../../query/text.ts';
import { isProgramName } from '../families.ts';
import { aboutQuery } from './conditions.ts';
import type { Parts } from './parts.ts';
import type { Plan } from './plan.ts';
import type { Reading, Slot } from './read.ts';
import { isAboutAccounts } from './table-asked.ts';
import { said, TABLES } from './tables.ts';

/** A question about a user that this machine does not have: there is no such account. Null where it is none. */
export function unknownUser(slots: readonly Slot[], { language }: Reading): Plan | null {
  const at = slots.findIndex(({ part, value }) => part === 'facet' && value === 'user');
  // "As root" is a user, "as a rule" is none.
  const isOfUsers =
    isAboutAccounts(slots) ||
    slots.some(
      ({ part, value }) =>
        (part === 'verb' && (value === 'run' || value === 'autostart')) ||
        (part === 'table' && (value === 'processes' || value === 'startup')),
    );
  const named = slots.find(
    (one, place) =>
      one.part === 'stranger' && ((one.place === 'user' && isOfUsers) || (at >= 0 && place === at + 1)),
  );
  if (named === undefined) return null;
  const name = named.value;
  const asked = slots.find(({ part }) => part === 'kind')?.value;
  const condition = {
    query: `name = ${valueText(name)}`,
    words: said(
      `called "${name}"`,
      `mit dem Namen "${name}"`,
      `con el nombre "${name}"`,
      `du nom de "${name}"`,
    ),
    step: null,
  };
  return {
    ...{
      kind: asked === 'whether' ? 'whether' : 'list',
      table: 'accounts',
      language,
      conditions: [condition],
      unmeasured: [],
      name,
    },
    ...{
      second: null,
      withUser: false,
      column: null,
      limit: null,
      moment: null,
      stranger: null,
    },
    query: `accounts select ${TABLES.accounts?.select} where ${condition.query}`,
  };
}

/** Days that are soon for a certificate. */
const SOON_DAYS = 30;

/** When the certificate of the site ends, whether within some days, and who signed it. */
function ofCertificate(
  parts: Parts,
  asked: string,
  base: Omit<Plan, 'kind' | 'table' | 'query'>,
): Plan | null {
  parts.takeAll('table', 'certificates');
  const soon = parts.takeAll('word', 'soon').length > 0;
  const within = parts.take('number');
  parts.takeAll('operator');
  // "How long does it last."
  if (asked === 'since') parts.take('order', 'newest');
  const columns = parts.takeAll('column').map(({ value }) => value);
  parts.takeAll('verb');
  if (parts.slots.length > 0 || columns.some((one) => !TABLES.certificates?.columns.includes(one)))
    return null;
  if (asked === 'count' && !columns.includes('days')) return null;
  const limit = within === null ? (soon ? SOON_DAYS : null) : Number(within.value);
  const [column = 'valid_to'] = columns.filter((one) => one !== 'valid_to');
  const query = `certificates select ${TABLES.certificates?.select}`;
  return { ...base, kind: 'certificate', table: 'certificates', query, column, limit };
}

/** Undefined where the question is about no such thing; null where it is, and is not understood. `base`: what the plan has already. */
export function ofOneThing(
  parts: Parts,
  asked: string,
  base: Omit<Plan, 'kind' | 'table' | 'query'>,
): Plan | null | undefined {
  // A desk port by its name.
  const deskport = parts.take('deskport');
  if (deskport !== null) {
    const isPort = parts.takeAll('word', 'port').length > 0;
    parts.takeAll('facet', 'program');
    const [up, down] = [parts.take('trait', 'up'), parts.take('trait', 'down')];
    parts.takeAll('verb', 'run');
    parts.takeAll('verb', 'listen');
    parts.takeAll('trait', 'open');
    parts.takeAll('trait', 'required');
    parts.takeAll('word', 'back');
    const isNumber =
      asked === 'list' && up === null && down === null && (isPort || parts.has('column', 'port'));
    parts.takeAll('column', 'port');
    if (
      parts.slots.length > 0 ||
      (asked === 'list' && up === null && down === null && !isNumber) ||
      asked === 'count'
    )
      return null;
    const query = `ports select ${TABLES.ports?.select} where name = ${valueText(deskport.value)}`;
    const isWhen = asked === 'when' || asked === 'since';
    const column = isNumber ? 'port' : isWhen ? 'when' : down !== null ? 'down' : 'up';
    return { ...base, kind: 'port', table: 'ports', query, name: deskport.value, column };
  }

  if (parts.has('table', 'certificates')) return ofCertificate(parts, asked, base);

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
  const absent = parts.slots.find(({ part, text }) => part === 'stranger' && isProgramName(text));
  if (absent !== undefined && parts.slots.length === 2 && parts.has('word', 'know'))
    return {
      ...base,
      ...{ kind: 'known', table: 'baseline_differences', name: absent.text, stranger: absent.text },
      query: `baseline_differences where difference = gone and text contains ${valueText(absent.text)}`,
    };
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
