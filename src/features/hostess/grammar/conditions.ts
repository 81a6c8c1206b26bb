/** Conditions of a query, as questions name them: comparisons, programs, users, times. */
import { utcTime } from '../../../engine/time.ts';
import { valueText } from '../../../query/text.ts';
import { quoted } from '../paths.ts';
import type { Moment } from '../times.ts';
import type { Parts } from './parts.ts';
import type { Programs } from './plan.ts';
import type { Slot } from './read.ts';
import { type Condition, said, TABLES } from './tables.ts';

/** What a finding is about. */
export const aboutQuery = ({ part, value }: Slot): string =>
  part === 'check'
    ? `check = ${valueText(value)}`
    : `(summary contains ${valueText(value)} or check contains ${valueText(value)})`;

const same = (text: string) => said(text, text, text, text);
const time = (ms: number): string => valueText(utcTime(ms) ?? '');

const OPERATORS: Readonly<Record<string, (what: string, number: string) => Condition['words']>> = {
  '>': (what, n) =>
    said(
      `with more than ${n} ${what}`,
      `mit mehr als ${n} ${what}`,
      `con más de ${n} ${what}`,
      `avec plus de ${n} ${what}`,
    ),
  '<': (what, n) =>
    said(
      `with fewer than ${n} ${what}`,
      `mit weniger als ${n} ${what}`,
      `con menos de ${n} ${what}`,
      `avec moins de ${n} ${what}`,
    ),
  '>=': (what, n) =>
    said(
      `with at least ${n} ${what}`,
      `mit mindestens ${n} ${what}`,
      `con al menos ${n} ${what}`,
      `avec au moins ${n} ${what}`,
    ),
  '<=': (what, n) =>
    said(
      `with at most ${n} ${what}`,
      `mit höchstens ${n} ${what}`,
      `con ${n} ${what} como máximo`,
      `avec ${n} ${what} au plus`,
    ),
  '=': (what, n) => said(`with ${n} ${what}`, `mit ${n} ${what}`, `con ${n} ${what}`, `avec ${n} ${what}`),
};

const PORT_OPERATORS: Record<string, (n: number) => Condition['words']> = {
  '>': (n) =>
    said(`above port ${n}`, `über Port ${n}`, `por encima del puerto ${n}`, `au-dessus du port ${n}`),
  '<': (n) =>
    said(`below port ${n}`, `unter Port ${n}`, `por debajo del puerto ${n}`, `en dessous du port ${n}`),
  '>=': (n) =>
    said(`from port ${n} upwards`, `ab Port ${n} aufwärts`, `desde el puerto ${n}`, `à partir du port ${n}`),
  '<=': (n) => said(`up to port ${n}`, `bis Port ${n}`, `hasta el puerto ${n}`, `jusqu'au port ${n}`),
  '=': (n) => said(`on port ${n}`, `auf Port ${n}`, `en el puerto ${n}`, `sur le port ${n}`),
};

/** The step of a path for a comparison of whole numbers; null where paths have none. */
function stepOf(column: string, operator: string, number: number): string | null {
  if (operator === '=') return `[${column}=${number}]`;
  if (operator === '>' || operator === '>=') return `[${column}>=${operator === '>' ? number + 1 : number}]`;
  return `[${column}<${operator === '<=' ? number + 1 : number}]`;
}

export const compared = (column: string, operator: string, number: number): Condition => ({
  query: `${column} ${operator} ${number}`,
  words:
    column === 'port'
      ? (PORT_OPERATORS[operator] as (typeof PORT_OPERATORS)[string])(number)
      : (OPERATORS[operator] as (typeof OPERATORS)[string])(column, String(number)),
  // "Less than" is true of a cell without a number there.
  step: operator.startsWith('<') ? null : stepOf(column, operator, number),
});

export const ROOT: Condition = {
  query: 'uid = 0',
  words: said('of root', 'von root', 'de root', 'de root'),
  step: '[uid=0]',
};

/** The program of the question as a condition of a table; null where the table has none. */
export function programCondition(table: string, name: string, programs: Programs): Condition | null {
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
  const ends = name.startsWith('/')
    ? `executable = ${valueText(name)}`
    : `executable ends ${valueText(`/${name}`)}`;
  const all = [...own, ends];
  return { query: all.length === 1 ? ends : `(${all.join(' or ')})`, words, step: null };
}

/** Tables whose rows have a time of their own that `since` goes by. */
const TIMED = new Set(['processes', 'findings', 'accepted', 'generations', 'gate_runs', 'startup']);

export interface Building {
  readonly conditions: Condition[];
  readonly clauses: string[];
}

/** The clauses of a time that has an end, or none. */
function clausesOf({ how, ms, untilMs }: Moment): readonly string[] {
  if (how === 'until') return [`until ${time(ms)}`];
  return [`since ${time(ms)}`, ...(untilMs === null ? [] : [`until ${time(untilMs)}`])];
}

/** Accounts whose last login was then. */
export function loggedIn({ how, ms, untilMs, text }: Moment): Condition {
  const until = untilMs === null ? '' : ` and last_login < ${time(untilMs)}`;
  return {
    query: how === 'until' ? `last_login < ${time(ms)}` : `last_login >= ${time(ms)}${until}`,
    words: said(
      `whose last login was then (${text})`,
      `deren letzte Anmeldung da war (${text})`,
      `cuya última entrada fue entonces (${text})`,
      `dont la dernière connexion date d’alors (${text})`,
    ),
    step: null,
  };
}

/** Adds the clauses for the time; false where the table cannot. */
export function addTime(moment: Moment, table: string, parts: Parts, kind: string, into: Building): boolean {
  const words = same(`(${moment.text})`);
  if (table === 'findings') {
    if (moment.how !== 'ago' && parts.take('trait', 'closed') !== null) {
      const until = moment.untilMs === null ? '' : ` and closed < ${time(moment.untilMs)}`;
      const closed = moment.how === 'until' ? `closed < ${time(moment.ms)}` : `closed >= ${time(moment.ms)}`;
      into.conditions.push({
        query: `state = closed and ${closed}${until}`,
        words: said(
          `that closed (${moment.text})`,
          `die geschlossen wurden (${moment.text})`,
          `que se cerraron (${moment.text})`,
          `qui ont été fermés (${moment.text})`,
        ),
        step: null,
      });
      into.clauses.push('ever');
      return true;
    }
    if (moment.how === 'ago') {
      if (parts.has('trait', 'closed')) return false;
      parts.take('trait', 'open');
      into.conditions.push({ query: '', words, step: null });
      into.clauses.push(`at ${time(moment.ms)}`);
      return true;
    }
    if (parts.take('trait', 'open') !== null) into.conditions.push(TABLES.findings?.traits.open as Condition);
    parts.take('trait', 'opened');
    parts.take('trait', 'unlearned');
    into.clauses.push(...clausesOf(moment), 'ever');
    into.conditions.push({ query: '', words, step: null });
    return true;
  }
  if (table === 'accounts' && moment.how !== 'ago' && parts.take('column', 'last_login') !== null) {
    into.conditions.push(loggedIn(moment));
    return true;
  }
  if (!TIMED.has(table) || moment.how === 'ago') return false;
  if (table === 'processes' && !parts.has('column', 'start') && kind !== 'list') return false;
  parts.take('column', table === 'startup' ? 'changed' : 'start');
  parts.take('trait', 'unlearned');
  into.clauses.push(...clausesOf(moment));
  into.conditions.push({ query: '', words, step: null });
  return true;
}
