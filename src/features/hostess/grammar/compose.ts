/** Composes a query from the parts of a question. It answers null unless every number, name, time and word of the question has its place. Pure. */
import { utcTime } from '../../../engine/time.ts';
import { valueText } from '../../../query/text.ts';
import { quoted } from '../paths.ts';
import type { Moment, Reading, Slot, SlotPart } from './read.ts';
import { type Condition, said, TABLES } from './tables.ts';
import type { Language } from './vocabulary.ts';

export type PlanKind =
  | 'count'
  | 'list'
  | 'whether'
  | 'first'
  | 'groups'
  | 'when'
  | 'port'
  | 'port-ever'
  | 'known'
  | 'judge'
  | 'normal'
  | 'why'
  | 'unmeasured';

export interface Plan {
  readonly kind: PlanKind;
  readonly language: Language;
  readonly table: string;
  readonly query: string;
  readonly conditions: readonly Condition[];
  /** What it is ordered or grouped by, or the column that answers. */
  readonly column: string | null;
  /** How many rows were asked for; null: all. */
  readonly limit: number | null;
  readonly moment: Moment | null;
  /** A name of the question that nothing here has. */
  readonly stranger: string | null;
  /** The program, port or finding that it is about. */
  readonly name: string | null;
  /** What was asked for too, and is not measured. */
  readonly unmeasured: readonly string[];
  /** Nothing is combined: one table, or one with one condition. */
  readonly simple: boolean;
}

/** Where names of programs are looked up. */
export interface Programs {
  /** The column that has the name, and the name there. */
  find(name: string): readonly (readonly [column: 'comm' | 'executable', name: string])[];
}

const aboutQuery = ({ part, value }: Slot): string =>
  part === 'check'
    ? `check = ${valueText(value)}`
    : `(summary contains ${valueText(value)} or check contains ${valueText(value)})`;

class Parts {
  readonly slots: Slot[];
  constructor(slots: readonly Slot[]) {
    this.slots = slots.filter(({ part }) => part !== 'filler');
  }
  has(part: SlotPart, value?: string): boolean {
    return this.slots.some((one) => one.part === part && (value === undefined || one.value === value));
  }
  /** Takes the first one out. */
  take(part: SlotPart, value?: string): Slot | null {
    const at = this.slots.findIndex((one) => one.part === part && (value === undefined || one.value === value));
    return at < 0 ? null : (this.slots.splice(at, 1)[0] as Slot);
  }
  takeAll(part: SlotPart, value?: string): Slot[] {
    const all: Slot[] = [];
    for (let one = this.take(part, value); one !== null; one = this.take(part, value)) all.push(one);
    return all;
  }
  /** Takes two out that follow each other. */
  pair(first: SlotPart, second: SlotPart, value?: string): readonly [Slot, Slot] | null {
    const at = this.slots.findIndex(
      (one, place) =>
        one.part === first && (value === undefined || one.value === value) && this.slots[place + 1]?.part === second,
    );
    return at < 0 ? null : (this.slots.splice(at, 2) as [Slot, Slot]);
  }
}

const same = (text: string) => said(text, text, text, text);
const time = (ms: number): string => valueText(utcTime(ms) ?? '');

const OPERATORS: Readonly<Record<string, (what: string, number: string) => Condition['words']>> = {
  '>': (what, n) => said(`with more than ${n} ${what}`, `mit mehr als ${n} ${what}`, `con más de ${n} ${what}`, `avec plus de ${n} ${what}`),
  '<': (what, n) => said(`with fewer than ${n} ${what}`, `mit weniger als ${n} ${what}`, `con menos de ${n} ${what}`, `avec moins de ${n} ${what}`),
  '>=': (what, n) => said(`with at least ${n} ${what}`, `mit mindestens ${n} ${what}`, `con al menos ${n} ${what}`, `avec au moins ${n} ${what}`),
  '<=': (what, n) => said(`with at most ${n} ${what}`, `mit höchstens ${n} ${what}`, `con ${n} ${what} como máximo`, `avec ${n} ${what} au plus`),
  '=': (what, n) => said(`with ${n} ${what}`, `mit ${n} ${what}`, `con ${n} ${what}`, `avec ${n} ${what}`),
};

/** The step of a path for a comparison of whole numbers; null where paths have none. */
function stepOf(column: string, operator: string, number: number): string | null {
  if (operator === '=') return `[${column}=${number}]`;
  if (operator === '>' || operator === '>=') return `[${column}>=${operator === '>' ? number + 1 : number}]`;
  return `[${column}<${operator === '<=' ? number + 1 : number}]`;
}

const compared = (column: string, operator: string, number: number): Condition => ({
  query: `${column} ${operator} ${number}`,
  words: (OPERATORS[operator] as (typeof OPERATORS)[string])(column, String(number)),
  // "Less than" is true of a cell without a number there.
  step: operator.startsWith('<') ? null : stepOf(column, operator, number),
});

const ROOT: Condition = { query: 'uid = 0', words: said('of root', 'von root', 'de root', 'de root'), step: '[uid=0]' };

/** The table that the parts are about; null when they do not say. */
function tableOf(parts: Parts, asked: string): string | null {
  const all = parts.slots.filter(({ part }) => part === 'table').map(({ value }) => value);
  const names = new Set(all);
  if (names.has('blind')) return 'blind';
  if (parts.has('trait', 'accepted') && (names.has('findings') || names.size === 0)) return 'accepted';
  if (names.has('findings')) return names.has('processes') ? 'processes' : 'findings';
  if (names.has('listeners')) return 'listeners';
  if (names.has('ports')) return 'ports';
  const port = parts.has('word', 'port');
  if (port && (parts.has('trait', 'required') || parts.has('trait', 'down') || parts.has('trait', 'up')) && !parts.has('number'))
    return 'ports';
  if (parts.has('verb', 'listen')) return 'listeners';
  if (port && !parts.has('deskport')) return 'listeners';
  for (const one of ['generations', 'gate_runs']) if (names.has(one)) return one;
  if (names.has('processes')) return 'processes';
  if (parts.has('about') || parts.has('check')) return asked === 'list' || asked === 'who' ? null : 'findings';
  if (parts.has('facet', 'program') || parts.has('program') || parts.has('verb', 'run') || parts.has('column', 'threads'))
    return 'processes';
  return null;
}

/** The program of the question as a condition of a table; null where the table has none. */
function programCondition(table: string, name: string, programs: Programs): Condition | null {
  const found = programs.find(name);
  if (name.startsWith('/') && found.length === 0)
    return {
      query: `executable starts ${valueText(name.endsWith('/') ? name : `${name}/`)}`,
      words: said(`from ${name}`, `aus ${name}`, `de ${name}`, `de ${name}`),
      step: null,
    };
  const words = said(`of ${name}`, `von ${name}`, `de ${name}`, `de ${name}`);
  if (table === 'processes') {
    const [first] = found;
    const [column, value] = first ?? ['comm', name];
    return { query: `${column} = ${valueText(value)}`, words, step: `[${column}=${quoted(value)}]` };
  }
  if (table !== 'listeners') return null;
  const paths = found.filter(([column]) => column === 'executable').map(([, path]) => path);
  const [path, ...others] = paths;
  if (path !== undefined && others.length === 0)
    return { query: `executable = ${valueText(path)}`, words, step: `[executable=${quoted(path)}]` };
  const own = paths.map((one) => `executable = ${valueText(one)}`);
  const ends = name.startsWith('/') ? `executable = ${valueText(name)}` : `executable ends ${valueText(`/${name}`)}`;
  const all = [...own, ends];
  return { query: all.length === 1 ? ends : `(${all.join(' or ')})`, words, step: null };
}

/** Rows that are read where one is asked for: several may be equally far in front. */
const TIES = 5;

/** Tables whose rows have a time of their own that `since` goes by. */
const TIMED = new Set(['processes', 'findings', 'accepted', 'generations', 'gate_runs']);

interface Building {
  readonly conditions: Condition[];
  readonly clauses: string[];
}

/** Adds what the time asks; false where the table cannot. */
function addTime(moment: Moment, table: string, parts: Parts, kind: string, into: Building): boolean {
  const words = same(`(${moment.text})`);
  const dayEnd = moment.ms + 86_400_000;
  if (table === 'findings') {
    if (parts.take('trait', 'closed') !== null) {
      const until = moment.how === 'day' ? ` and closed < ${time(dayEnd)}` : '';
      into.conditions.push({ query: `state = closed and closed >= ${time(moment.ms)}${until}`, words: said('that closed', 'die geschlossen wurden', 'que se cerraron', 'qui ont été fermés'), step: null });
      into.clauses.push('ever');
      return true;
    }
    if (moment.how === 'ago') {
      into.conditions.push({ query: '', words, step: null });
      into.clauses.push(`at ${time(moment.ms)}`);
      return true;
    }
    if (parts.take('trait', 'open') !== null) into.conditions.push(TABLES.findings?.traits.open as Condition);
    parts.take('trait', 'opened');
    parts.take('trait', 'unlearned');
    into.clauses.push(`since ${time(moment.ms)}`, ...(moment.how === 'day' && dayEnd < Date.now() ? [`until ${time(dayEnd)}`] : []), 'ever');
    into.conditions.push({ query: '', words, step: null });
    return true;
  }
  if (!TIMED.has(table) || moment.how === 'ago') return false;
  if (table === 'processes' && !parts.has('column', 'start') && kind !== 'list') return false;
  parts.take('column', 'start');
  parts.take('trait', 'unlearned');
  into.clauses.push(`since ${time(moment.ms)}`, ...(moment.how === 'day' && dayEnd < Date.now() ? [`until ${time(dayEnd)}`] : []));
  into.conditions.push({ query: '', words, step: null });
  return true;
}

export function compose({ slots, moment, language }: Reading, programs: Programs): Plan | null {
  const parts = new Parts(slots);
  if (parts.has('unread')) return null;
  const kindSlot = parts.take('kind');
  const asked = kindSlot?.value ?? 'list';
  const base = { language, moment, stranger: null, name: null, unmeasured: [], simple: false, limit: null, column: null, conditions: [] };
  const unmeasured = parts.takeAll('unmeasured').map(({ value }) => value);
  parts.takeAll('word', 'still');
  parts.takeAll('word', 'only');
  // A name beside a machine may be that of another one.
  if (parts.takeAll('word', 'machine').length > 0 && parts.has('stranger')) return null;

  // A desk port by its name.
  const deskport = parts.take('deskport');
  if (deskport !== null) {
    parts.takeAll('word', 'port');
    parts.takeAll('facet', 'program');
    const [up, down] = [parts.take('trait', 'up'), parts.take('trait', 'down')];
    parts.takeAll('verb', 'run');
    parts.takeAll('verb', 'listen');
    parts.takeAll('trait', 'open');
    if (parts.slots.length > 0 || (asked === 'list' && up === null && down === null) || asked === 'count') return null;
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
    return { ...base, kind: 'port-ever', table: 'findings', query: `findings select ${TABLES.findings?.select} where port = ${number.value} ever`, name: number.value };
  }

  // Whether a program was learned, and whether a finding is bad.
  const subject = parts.slots.find(({ part }) => part === 'program' || part === 'about' || part === 'check');
  if (subject?.part === 'program' && parts.has('word', 'know')) {
    const left = parts.slots.filter((one) => one !== subject && !(one.part === 'word' && one.value === 'know'));
    if (left.length > 0) return null;
    return {
      ...base,
      ...{ kind: 'known', table: 'baseline_differences', name: subject.value },
      query: `baseline_differences where difference = added and text contains ${valueText(subject.value)}`,
    };
  }
  if (subject !== undefined && subject.part === 'about' && parts.has('word', 'bad')) {
    const left = parts.slots.filter(
      (one) => one !== subject && one.part !== 'table' && one.part !== 'kind' && !(one.part === 'word' && one.value === 'bad'),
    );
    if (left.length > 0) return null;
    return {
      ...base,
      ...{ kind: 'judge', table: 'findings', name: subject.value },
      query: `findings select ${TABLES.findings?.select} where ${aboutQuery(subject)}`,
    };
  }
  if (unmeasured.includes('services') && parts.slots.length === 0)
    return { ...base, kind: 'unmeasured', table: 'processes', query: 'processes select count()', unmeasured };

  const table = tableOf(parts, asked);
  if (table === null) return null;
  const about = TABLES[table];
  if (about === undefined) return null;
  const tables = parts.takeAll('table').map(({ value }) => value);
  parts.takeAll('verb', 'listen');
  const runs = parts.takeAll('verb', 'run').length > 0;
  parts.takeAll('verb', 'hold');
  parts.takeAll('trait', 'accepted');
  if (table === 'blind') parts.takeAll('facet', 'check');
  const building: Building = { conditions: [], clauses: [] };
  const { conditions, clauses } = building;
  let column: string | null = null;
  let limit: number | null = null;

  // Numbers.
  for (let one = parts.pair('operator', 'number'); one !== null; one = parts.pair('operator', 'number')) {
    const named = parts.slots.find(({ part, value }) => part === 'column' && about.columns.includes(value));
    const by = named?.value ?? (table === 'listeners' ? 'port' : null);
    if (by === null || (by !== 'threads' && by !== 'port')) return null;
    if (named !== undefined) parts.take('column', named.value);
    else parts.takeAll('word', 'port');
    conditions.push(compared(by, one[0].value, Number(one[1].value)));
  }
  const top = parts.pair('word', 'number', 'top') ?? parts.pair('order', 'number');
  if (top !== null) {
    limit = Number(top[1].value);
    if (top[0].part === 'order') parts.slots.unshift(top[0]);
  } else if (parts.take('word', 'top') !== null) limit = 5;
  if (table === 'listeners') {
    const held = parts.pair('word', 'number', 'port');
    if (held !== null) conditions.push({ query: `port = ${held[1].value}`, words: said(`on port ${held[1].value}`, `auf Port ${held[1].value}`, `en el puerto ${held[1].value}`, `sur le port ${held[1].value}`), step: `[port=${held[1].value}]` });
    parts.takeAll('word', 'port');
  } else if (table === 'ports') parts.takeAll('word', 'port');
  const withColumn = parts.pair('number', 'column');
  if (withColumn !== null) {
    if (withColumn[1].value !== 'threads' || table !== 'processes') return null;
    conditions.push(compared('threads', '=', Number(withColumn[0].value)));
  }

  // Users and programs.
  if (parts.has('user')) {
    if (about.facets.user === undefined) return null;
    const negated = parts.pair('word', 'user', 'not');
    parts.takeAll('user');
    parts.takeAll('facet', 'user');
    conditions.push(
      negated === null
        ? ROOT
        : { query: 'uid != 0', words: said('not of root', 'nicht von root', 'que no son de root', 'qui ne sont pas de root'), step: null },
    );
  }
  const uid = about.facets.user === undefined ? null : parts.pair('facet', 'number', 'user');
  if (uid !== null)
    conditions.push({ query: `uid = ${uid[1].value}`, words: said(`of user ${uid[1].value}`, `von Benutzer ${uid[1].value}`, `del usuario ${uid[1].value}`, `de l’utilisateur ${uid[1].value}`), step: `[uid=${uid[1].value}]` });
  const program = parts.take('program') ?? (table === 'listeners' || table === 'processes' ? parts.take('stranger') : null);
  // Whether one program does something is more than whether there are rows.
  if (asked === 'whether' && (program !== null || conditions.some(({ query }) => query.startsWith('port = ')))) return null;
  if (program?.part === 'stranger' && table === 'processes' && asked !== 'count' && !program.value.startsWith('/')) return null;
  const stranger = program?.part === 'stranger' ? program.value : null;
  if (program !== null) {
    const condition = programCondition(table, program.value, programs);
    if (condition === null) return null;
    conditions.push(condition);
  }
  const found = parts.take('about') ?? parts.take('check');
  if (found !== null) {
    if (table !== 'findings') return null;
    conditions.push({ query: aboutQuery(found), words: said(`about ${found.value}`, `zu ${found.value}`, `sobre ${found.value}`, `sur ${found.value}`), step: found.part === 'check' ? `[check=${found.value}]` : null });
  }

  // Time.
  if (parts.take('time') !== null && (moment === null || !addTime(moment, table, parts, asked, building))) return null;

  // Conditions by a word.
  const worse = parts.take('word', 'andworse') !== null;
  for (const trait of parts.takeAll('trait')) {
    const condition = about.traits[trait.value];
    if (condition === undefined) return null;
    const least = worse && condition.query.startsWith('severity = ');
    conditions.push(
      least
        ? {
            query: condition.query.replace('=', '>='),
            words: said(`of severity ${trait.value} or worse`, `der Schwere ${trait.value} oder schlimmer`, `de gravedad ${trait.value} o peor`, `de gravité ${trait.value} ou pire`),
            step: null,
          }
        : condition,
    );
  }
  if (parts.has('word', 'not')) return null;

  // Order.
  const order = parts.take('order');
  const columns = parts.takeAll('column').map(({ value }) => value);
  const facets = parts.takeAll('facet').map(({ value }) => value);
  const per = parts.takeAll('word', 'per').length > 0;
  const name = found?.value ?? program?.value ?? null;
  if (parts.slots.length > 0) return null;
  const known = columns.find((one) => about.columns.includes(one)) ?? null;
  if (columns.some((one) => one !== known)) return null;
  const where = (): string => {
    const texts = conditions.map(({ query }) => query).filter((query) => query !== '');
    return texts.length === 0 ? '' : ` where ${texts.join(' and ')}`;
  };
  const query = (select: string, more = ''): string =>
    [`${table}${select === '' && !more.startsWith('group') ? ` select ${about.select}` : select}${where()}`, more, ...clauses].filter((one) => one !== '').join(' ');
  const made = (kind: PlanKind, text: string, more: Partial<Plan> = {}): Plan => ({
    ...base,
    ...{ kind, table, query: text, conditions, column, limit, stranger, name, unmeasured },
    ...more,
  });

  // What is not measured is not ordered by something else.
  if (unmeasured.length > 0 && known === null && asked !== 'since') return made('unmeasured', query(' select count()'));
  if (order !== null && order.value !== 'most' && order.value !== 'least') {
    const by = about.orders[order.value] ?? null;
    if (by === null || facets.some((one) => one !== 'program')) return null;
    // The scar has its own record of the last run.
    if (table === 'gate_runs' && asked === 'when') return null;
    column = by.replace('-', '');
    limit ??= 1;
    return made('first', query('', `order by ${by} limit ${Math.max(limit, TIES)}`), { column, limit });
  }
  const group = facets.map((one) => about.facets[one]).find((one) => one !== undefined) ?? null;
  if (order !== null || (limit !== null && (known !== null || tables.includes('findings')))) {
    const sign = order?.value === 'least' ? '' : '-';
    const by = known ?? (table === 'processes' && tables.includes('findings') ? 'findings' : null);
    limit ??= 1;
    if (by !== null && facets.every((one) => one === 'program'))
      return made('first', query('', `order by ${sign}${by} limit ${Math.max(limit, TIES)}`), { column: by, limit });
    const grouped = group ?? (table === 'listeners' && tables.includes('processes') ? 'executable' : null);
    if (by !== null || grouped === null || facets.length > 1) return null;
    return made('groups', query('', `group by ${grouped} order by ${sign}count() limit ${Math.max(limit, TIES)}`), { column: grouped, limit });
  }
  if (per && group !== null && known === null)
    return made('groups', query('', `group by ${group} order by -count()`), { column: group, limit: null });
  if (facets.some((one) => one !== 'program')) return null;
  if (limit !== null) return null;
  if (asked === 'when' || asked === 'since') {
    const by = known ?? (table === 'processes' && name !== null ? 'start' : table === 'findings' && found !== null ? 'first_seen' : null);
    if (by === null || (found === null && program === null)) return null;
    if (runs && by !== 'start') return null;
    return made('when', query('', `order by ${by} limit 1`), { column: by });
  }
  if (known !== null && !(known === 'start' && clauses.length > 0)) return null;
  const traits = new Set(Object.values(about.traits));
  const simple =
    conditions.every((one) => traits.has(one) || /^(?:port|uid|check|comm|executable) (?:=|starts|ends) /.test(one.query)) &&
    conditions.length < (asked === 'count' && program !== null ? 1 : 2) &&
    clauses.length === 0 &&
    table !== 'accepted' &&
    table !== 'blind';
  if (asked === 'count') return made('count', query(' select count()'), { simple });
  if (asked === 'whether') return made('whether', query(''), { simple });
  return asked === 'list' || asked === 'who' ? made('list', query(''), { simple }) : null;
}
