/** The conditions of a question, a stage each. Each is false where the table cannot answer it. */
import { valueText } from '../../../query/text.ts';
import { isPort } from '../understand.ts';
import { aboutQuery, addTime, compared, programCondition, ROOT } from './conditions.ts';
import type { Draft } from './draft.ts';
import { rowsWanted } from './plan.ts';
import type { Slot } from './read.ts';
import type { Said } from './table.ts';
import { type Condition, said } from './tables.ts';
import { LANGUAGES } from './vocabulary.ts';

const map = (words: (language: (typeof LANGUAGES)[number], at: number) => string): Said =>
  Object.fromEntries(LANGUAGES.map((language, at) => [language, words(language, at)])) as unknown as Said;

const OR = ['or', 'oder', 'o', 'ou'];
const NOT = ['not', 'nicht', 'no', 'pas'];

const isOne = <T>(list: readonly T[]): list is readonly [T] => list.length === 1;

/** One of several. */
export function anyOf(all: readonly Condition[]): Condition {
  if (isOne(all)) return all[0];
  return {
    query: `(${all.map(({ query }) => query).join(' or ')})`,
    words: map((language, at) => all.map(({ words }) => words[language]).join(` ${OR[at]} `)),
    step: null,
  };
}

export const not = ({ query, words }: Condition): Condition => ({
  query: `not (${query})`,
  words: map((language, at) => `${NOT[at]} ${words[language]}`),
  step: null,
});

/** "The 2 newest" is "the newest 2". */
const turned = (pair: readonly [Slot, Slot] | null): readonly [Slot, Slot] | null =>
  pair === null ? null : [pair[1], pair[0]];

/** The column of numbers that the question names, or that a number alone means; null without one. It is taken out. */
function numberColumn({ parts, about, table }: Draft): string | null {
  const named = parts.slots.find(({ part, value }) => part === 'column' && about.numbers.includes(value));
  if (named !== undefined) {
    parts.take('column', named.value);
    return named.value;
  }
  if (table === 'listeners') parts.takeAll('word', 'port');
  return table === 'listeners' || table === 'certificates' ? (about.numbers[0] ?? null) : null;
}

/** "More than 10 threads", "above port 1024", "between 8000 and 9000". */
function comparisons(draft: Draft): boolean {
  const { parts, table, conditions } = draft;
  for (const [at, { part, value }] of parts.slots.entries()) {
    const next = parts.slots[at + 1];
    if ((part === 'operator' || value === 'between') && next?.part === 'word' && next.value === 'port') {
      if (table !== 'listeners') return false;
      parts.slots.splice(at + 1, 1);
    }
  }
  const range = parts.has('word', 'between') ? parts.run('word', 'number', 'number') : null;
  if (range !== null) {
    const [, from, to] = range.map(({ value }) => Number(value)) as [number, number, number];
    const by = numberColumn(draft);
    if (by === null) return false;
    conditions.push(compared(by, '>=', from), compared(by, '<=', to));
  }
  for (let one = parts.pair('operator', 'number'); one !== null; one = parts.pair('operator', 'number')) {
    const by = numberColumn(draft);
    if (by === null) return false;
    conditions.push(compared(by, one[0].value, Number(one[1].value)));
  }
  return true;
}

/** How many rows are wanted: "top 5", "the 3 newest", "five processes with the most threads". */
function limits(draft: Draft): void {
  const { parts } = draft;
  const top =
    parts.pair('word', 'number', 'top') ??
    parts.pair('order', 'number') ??
    turned(parts.pair('number', 'order'));
  if (top !== null) {
    draft.limit = Number(top[1].value);
    if (top[0].part === 'order') parts.slots.unshift(top[0]);
  } else if (parts.take('word', 'top') !== null) draft.limit = 5;
  else if (parts.has('order') && draft.asked === 'list') {
    // Its number is before the noun.
    const at = parts.slots.findIndex(
      ({ part, place }, index) =>
        part === 'number' && (place === 'noun' || parts.slots[index + 1]?.part === 'facet'),
    );
    if (at >= 0) draft.limit = Number(parts.slots.splice(at, 1)[0]?.value);
  }
  if (draft.limit !== null) draft.limit = rowsWanted(draft.limit);
}

/** "Port 22", "ports 22 or 443", "48790" alone. */
function ports(draft: Draft): void {
  const { parts, table, conditions } = draft;
  const isOfFinding =
    table === 'findings' &&
    parts.slots.some(
      ({ part, value }, at) => part === 'word' && value === 'port' && parts.slots[at + 1]?.part === 'number',
    );
  if (table !== 'listeners' && table !== 'ports' && !isOfFinding) return;
  parts.takeAll('word', 'port');
  if (table === 'ports') return;
  const numbered = parts.takeAll('number').map(({ value }) => compared('port', '=', Number(value)));
  if (numbered.length === 0) return;
  if (isOfFinding) draft.found = numbered.map(({ words }) => words.en).join(', ');
  if (numbered.length > 1) parts.takeAll('word', 'or');
  conditions.push(anyOf(numbered));
}

/** "Which ports does process 640 have": its number, and not that of a port. */
function holders({ parts, conditions }: Draft): boolean {
  const at = parts.slots.findIndex(({ place }) => place === 'pid');
  const [number] = parts.slots.splice(at, 1);
  parts.takeAll('column', 'pid');
  const pid = Number(number?.value);
  conditions.push({
    query: `pids contains ${pid}`,
    words: said(`of process ${pid}`, `von Prozess ${pid}`, `del proceso ${pid}`, `du processus ${pid}`),
    step: null,
  });
  return true;
}

/** "Process 640": asks for something of it. A record says more of the process itself. */
function pids(draft: Draft): boolean {
  const { parts, table, conditions } = draft;
  const at = parts.slots.findIndex(({ place }) => place === 'pid');
  if (at < 0) return true;
  // "Who owns process 640" is about the process.
  if (table === 'listeners')
    return (parts.has('word', 'port') || draft.tables.includes('listeners')) && holders(draft);
  const isOfIt = parts.slots.some(
    ({ part, value }) => part === 'facet' || (part === 'column' && value !== 'pid'),
  );
  if (table !== 'processes' || !isOfIt || parts.slots.filter(({ place }) => place === 'pid').length > 1)
    return false;
  const [number] = parts.slots.splice(at, 1);
  parts.takeAll('column', 'pid');
  const n = Number(number?.value);
  conditions.push({
    query: `pid = ${n}`,
    words: said(`with pid ${n}`, `mit pid ${n}`, `con pid ${n}`, `de pid ${n}`),
    step: `[pid=${n}]`,
  });
  return true;
}

export function numbers(draft: Draft): boolean {
  const { parts, table, about, conditions } = draft;
  if (!pids(draft)) return false;
  // A record says that there is no such port.
  if (
    table === 'listeners' &&
    parts.slots.some(({ part, value }) => part === 'number' && !isPort(Number(value)))
  )
    return false;
  if (!comparisons(draft)) return false;
  limits(draft);
  // Before the ports, or the number of a user would be one.
  if (!userNumbers(draft)) return false;
  ports(draft);
  const withColumn = parts.pair('number', 'column');
  if (withColumn === null) return true;
  const [number, column] = withColumn;
  if (table === 'listeners' || !about.numbers.includes(column.value)) return false;
  conditions.push(compared(column.value, '=', Number(number.value)));
  return true;
}

const ofUser = (name: string): Said => said(`of ${name}`, `von ${name}`, `de ${name}`, `de ${name}`);
const ofUid = (value: string): Said =>
  said(`of user ${value}`, `von Benutzer ${value}`, `del usuario ${value}`, `de l’utilisateur ${value}`);

/** "User 1000", "uid 0". */
function userNumbers({ parts, about, table, conditions, programs }: Draft): boolean {
  const pair = parts.pair('facet', 'number', 'user') ?? parts.pair('column', 'number', 'uid');
  if (pair === null) return true;
  const { value } = pair[1];
  if (table === 'accounts' || about.user?.[1] === 'uid') {
    conditions.push({ query: `uid = ${value}`, words: ofUid(value), step: `[uid=${value}]` });
    return true;
  }
  const names = programs.usersOf(Number(value));
  if (about.user === null || names.length === 0) return false;
  const [column] = about.user;
  conditions.push(
    anyOf(
      names.map((name) => ({ query: `${column} = ${valueText(name)}`, words: ofUid(value), step: null })),
    ),
  );
  return true;
}

export function users(draft: Draft): boolean {
  const { parts, about, conditions, programs } = draft;
  const named = parts.takeAll('user');
  if (named.length === 0) return true;
  if (about.user === null) return false;
  const [column, by] = about.user;
  const one = ({ value }: Slot): Condition | null => {
    if (by === 'name') return { query: `${column} = ${valueText(value)}`, words: ofUser(value), step: null };
    if (value === 'root') return ROOT;
    const uid = programs.uid(value);
    return uid === null
      ? null
      : { query: `${column} = ${uid}`, words: ofUser(value), step: `[${column}=${uid}]` };
  };
  const [yes, no] = [named.filter(({ negated }) => !negated), named.filter(({ negated }) => negated)];
  const [wanted, others] = [yes.map(one), no.map(one)];
  if (wanted.includes(null) || others.includes(null)) return false;
  if (wanted.length > 1) parts.takeAll('word', 'or');
  if (wanted.length > 0) conditions.push(anyOf(wanted as Condition[]));
  for (const other of others as Condition[])
    conditions.push({ ...not(other), query: other.query.replace(' = ', ' != ') });
  // "Which accounts, user anna": the noun of a name.
  if (draft.asked !== 'who' && !parts.has('order')) parts.takeAll('facet', 'user');
  draft.users = yes.map(({ value }) => value);
  return true;
}

/** What a program is for a table; null where it is nothing there. */
function programIn({ table, programs }: Draft, { value }: Slot): Condition | null {
  if (table === 'startup') {
    const [column, name] = programs.find(value)[0] ?? ['comm', value];
    const known = column === 'comm' ? name : value;
    return {
      query: `(runs contains ${valueText(known)} or path contains ${valueText(known)})`,
      words: ofUser(value),
      step: null,
    };
  }
  if (table === 'findings') return about({ part: 'about', value, text: value });
  return programCondition(table, value, programs);
}

export function program(draft: Draft): boolean {
  const { parts, table, conditions, programs } = draft;
  const all = [...parts.takeAll('program'), ...parts.takeAll('stranger')];
  if (all.length === 0) return true;
  const known: (Condition | null)[] = [];
  for (const one of all) {
    const versions = programs.versions(one.value);
    const named = programs.find(one.value).length === 0 ? versions : [one.value, ...versions];
    const of = named.flatMap((value) => programIn(draft, { ...one, value }) ?? []);
    // A table without programs has no condition for any of them.
    const found =
      versions.length === 0
        ? programIn(draft, one)
        : of.length === 0
          ? null
          : { ...anyOf(of), words: ofUser(one.value) };
    if (one.part === 'stranger' && versions.length === 0 && !one.value.startsWith('/')) {
      if (table !== 'processes' && table !== 'listeners' && table !== 'startup') return false;
      draft.stranger = one.value;
    }
    if (one.negated && found !== null) conditions.push(not(found));
    else known.push(found);
  }
  draft.program = all.map(({ value }) => value).join(', ');
  if (known.includes(null)) return false;
  if (known.length > 1) {
    // A path is where a program is, and not another one.
    const paths = all.filter(({ value, negated }) => value.startsWith('/') && !negated);
    if (paths.length > 0 && paths.length < known.length) return false;
    parts.takeAll('word', 'or');
    draft.limit ??= parts.has('order') ? known.length : null;
  }
  if (known.length > 0) conditions.push(anyOf(known as Condition[]));
  return true;
}

function about(found: Slot): Condition {
  const { value } = found;
  return {
    query: aboutQuery(found),
    words: said(`about ${value}`, `zu ${value}`, `sobre ${value}`, `sur ${value}`),
    step: found.part === 'check' ? `[check=${value}]` : null,
  };
}

export function finding(draft: Draft): boolean {
  const { parts, table, conditions } = draft;
  const found = parts.take('about') ?? parts.take('check');
  if (found === null) return true;
  if (table !== 'findings') return false;
  draft.found = found.value;
  conditions.push(about(found));
  return true;
}

/** "Whose name contains sql": a part of the column that names a row. */
export function inPart(draft: Draft): boolean {
  const { parts, about: asked, conditions } = draft;
  const all = parts.takeAll('match');
  if (all.length === 0) return true;
  for (const how of Object.keys(HOW_IN_PART)) parts.takeAll('word', how);
  parts.takeAll('word', 'name');
  for (const { value, negated } of all) {
    const [how = '', ...rest] = value.split(' ');
    const text = valueText(rest.join(' '));
    const words = HOW_IN_PART[how];
    if (words === undefined) return false;
    const condition: Condition = {
      query: `${asked.label} ${how} ${text}`,
      words: map((language) => words[language].replace('{0}', () => text)),
      step: null,
    };
    conditions.push(negated ? not(condition) : condition);
  }
  return true;
}

const HOW_IN_PART: Readonly<Record<string, Said>> = {
  contains: said('with {0} in the name', 'mit {0} im Namen', 'con {0} en el nombre', 'avec {0} dans le nom'),
  starts: said(
    'whose name starts with {0}',
    'deren Name mit {0} beginnt',
    'cuyo nombre empieza por {0}',
    'dont le nom commence par {0}',
  ),
  ends: said(
    'whose name ends with {0}',
    'deren Name auf {0} endet',
    'cuyo nombre termina en {0}',
    'dont le nom finit par {0}',
  ),
};

export function time(draft: Draft): boolean {
  const { parts, moment, table, asked } = draft;
  // The time that a finding goes by.
  if (parts.has('time') && table === 'findings' && asked !== 'when') parts.take('column', 'first_seen');
  return parts.take('time') === null || (moment !== null && addTime(moment, table, parts, asked, draft));
}

const columnOf = ({ query }: Condition): string => /^\w+/.exec(query)?.[0] ?? '';

export function traits(draft: Draft): boolean {
  const { parts, about: asked, conditions } = draft;
  const worse = parts.take('word', 'andworse') !== null;
  const all: Condition[] = [];
  for (const { value, negated } of parts.takeAll('trait')) {
    if (negated) draft.negated = true;
    // Of a port it says nothing more.
    const isOpen = value === 'open' || (value === 'up' && draft.asked === 'whether');
    if (isOpen && draft.table === 'listeners' && !negated) continue;
    // Of a program: that it runs.
    if (value === 'up' && draft.table === 'processes' && !negated && draft.program !== null) continue;
    const trait = asked.traits[value];
    if (trait === undefined) return false;
    const opposite = trait.opposite === undefined ? undefined : asked.traits[trait.opposite];
    const condition = negated ? (opposite ?? not(trait)) : trait;
    all.push(
      worse && condition.query.startsWith('severity = ')
        ? {
            query: condition.query.replace('=', '>='),
            words: said(
              `of severity ${value} or worse`,
              `der Schwere ${value} oder schlimmer`,
              `de gravedad ${value} o peor`,
              `de gravité ${value} ou pire`,
            ),
            step: null,
          }
        : condition,
    );
  }
  // Two values of one column are alternatives.
  const equal = (one: Condition) => /^\w+ = /.test(one.query);
  const groups = new Map<string, Condition[]>();
  for (const one of all) {
    const key = equal(one) ? columnOf(one) : one.query;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  for (const group of groups.values()) {
    if (group.length > 1) parts.takeAll('word', 'or');
    conditions.push(anyOf([...new Set(group)]));
  }
  return !parts.has('word', 'not');
}
