/** What an answer from records is about, as a query: the paths of its grounds say which rows they are of. Pure. */
import { valueText } from '../../../query/text.ts';
import { type Step as PathStep, parsePath } from '../paths.ts';
import type { Reading } from './read.ts';

interface Rooted {
  readonly table: string;
  /** Columns that a step may choose by, as the table has them. */
  readonly columns: Readonly<Record<string, string>>;
  /** The column that names one row. */
  readonly key: string;
}

const same = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** Where rows of tables are found in records. */
const ROOTED: readonly (readonly [prefix: string, rooted: Rooted])[] = [
  [
    'detection.findings',
    { table: 'findings', key: 'id', columns: same('id', 'check', 'avenue', 'severity', 'scar') },
  ],
  [
    'processes',
    {
      table: 'processes',
      key: 'pid',
      columns: same('pid', 'comm', 'executable', 'uid', 'wrap', 'kind', 'threads', 'own', 'ppid'),
    },
  ],
  [
    'listeners',
    {
      table: 'listeners',
      key: 'port',
      columns: same('port', 'scope', 'protocol', 'executable', 'uid', 'inode', 'owner'),
    },
  ],
  ['detection.shut_down', { table: 'findings', key: 'port', columns: same('port') }],
  ['page.ports', { table: 'ports', key: 'port', columns: same('port', 'name', 'required', 'up') }],
  ['gate_runs', { table: 'gate_runs', key: 'at', columns: { state: 'gate', mode: 'mode' } }],
  ['generations', { table: 'generations', key: 'number', columns: same('number') }],
  ['accounts.accounts', { table: 'accounts', key: 'name', columns: same('name', 'uid') }],
  ['startup.entries', { table: 'startup', key: 'path', columns: same('path', 'place', 'vouched', 'user') }],
  [
    'startup_all.entries',
    { table: 'startup', key: 'path', columns: same('path', 'place', 'vouched', 'user') },
  ],
  ['packages.files', { table: 'packages', key: 'path', columns: same('path', 'package') }],
  ['words', { table: 'documentation', key: 'word', columns: { word: 'name' } }],
  ['commands', { table: 'documentation', key: 'name', columns: {} }],
  ['checks', { table: 'documentation', key: 'id', columns: { id: 'name' } }],
];
/** Records that are about all rows of a table, or about some. */
const WHOLE: readonly (readonly [prefix: string, query: string])[] = [
  ['site.certificate', 'certificates'],
  ['status.issues', 'findings'],
  ['status.iron.THERMO', 'vitals select temperature_celsius, read'],
  ['scar', 'gate_runs order by -at limit 1'],
  ['status.iron.pids', 'processes where kind = "process"'],
  ['status.iron.spv_free', 'processes where wrap = "free"'],
  ['status.iron.public_listen', 'listeners where scope = "public"'],
  ['status.iron.bgl', 'listeners where scope = "loopback"'],
  ['detection.notes', 'blind'],
  ['detection.findings', 'findings'],
];

const isOf = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && /^(?:[.[]|$)/.test(path.slice(prefix.length));

/** The condition that a step of a path is; null where the table has none. */
function conditionOf(step: PathStep, { columns }: Rooted): string | null {
  if (step.kind !== 'where') return null;
  const column = columns[step.key];
  if (column === undefined) return null;
  const isNumber = /^\d{1,12}$/.test(step.value) && !['comm', 'executable', 'name'].includes(column);
  const value =
    step.value === 'true' || step.value === 'false'
      ? step.value
      : isNumber
        ? step.value
        : valueText(step.value);
  return `${column} ${step.relation} ${value}`;
}

/** What the question itself names; null where that is nothing, or several things. */
function namedBy({ slots }: Reading): string | null {
  const named = slots.filter(({ part }) => part === 'deskport' || part === 'program' || part === 'stranger');
  const numbers = slots.filter(({ part }) => part === 'number');
  const [one] = named;
  if (named.length > 1 || numbers.length > 1 || (one !== undefined && numbers.length > 0)) return null;
  if (one?.part === 'deskport') return `ports where name = ${valueText(one.value)}`;
  if (one !== undefined)
    return one.value.startsWith('/')
      ? `processes where executable = ${valueText(one.value)}`
      : `processes where comm = ${valueText(one.value)}`;
  if (numbers[0] !== undefined && slots.some(({ part, value }) => part === 'word' && value === 'port'))
    return `listeners where port = ${numbers[0].value}`;
  return slots.some(({ part, value }) => part === 'trait' && value === 'accepted') ? 'accepted' : null;
}

/** The query of what an answer is about: rows of its grounds, or what the question names. `read`: the value at a path. */
export function subjectOf(
  reading: Reading,
  grounds: readonly { readonly path: string }[],
  read: (path: string) => unknown,
): string | null {
  const found = foundIn(grounds, read);
  // A whole table is less than what was named.
  return found === null || !found.includes(' ') ? (namedBy(reading) ?? found) : found;
}

function foundIn(
  grounds: readonly { readonly path: string }[],
  read: (path: string) => unknown,
): string | null {
  for (const { path } of grounds) {
    const finding = /^findings\/([0-9a-f]{16})\b/.exec(path)?.[1];
    if (finding !== undefined) return `findings where id = ${valueText(finding)} ever`;
    const [prefix, rooted] = ROOTED.find(([one]) => isOf(path, one)) ?? [];
    if (prefix !== undefined && rooted !== undefined) {
      const query = rowQuery(path, prefix, rooted, grounds, read);
      if (query !== null) return query;
    }
    const whole = WHOLE.find(([one]) => isOf(path, one));
    if (whole !== undefined) return whole[1];
  }
  return null;
}

function rowQuery(
  path: string,
  prefix: string,
  rooted: Rooted,
  grounds: readonly { readonly path: string }[],
  read: (path: string) => unknown,
): string | null {
  const { table, key } = rooted;
  const ever = prefix === 'detection.shut_down' ? ' ever' : '';
  if (prefix === 'commands') {
    const name = /^commands\[name=([^\]]+)\]/.exec(path)?.[1];
    return name === undefined ? null : `documentation where name = ${valueText(`desk ${name}`)}`;
  }
  const steps = parsePath(`rows${path.slice(prefix.length)}`).steps;
  const wheres = steps.filter(({ kind }) => kind === 'where');
  if (wheres.length > 0) {
    const conditions = wheres.map((step) => conditionOf(step, rooted));
    return conditions.some((one) => one === null)
      ? null
      : `${table} where ${conditions.join(' and ')}${ever}`;
  }
  if (steps[0]?.kind !== 'item') return steps[0]?.kind === 'key' && steps[0].key === 'length' ? table : null;
  // Rows by their place: by what names them.
  const places = new Set(
    grounds.flatMap(({ path: one }) =>
      isOf(one, prefix) ? (/^\[\d+\]/.exec(one.slice(prefix.length)) ?? []) : [],
    ),
  );
  const values = [...places].map((place) => read(`${prefix}${place}.${key}`));
  const column = rooted.columns[key] ?? key;
  if (values.some((value) => typeof value !== 'string' && typeof value !== 'number') || values.length > 30)
    return null;
  return `${table} where ${column} in (${values.map((value) => valueText(value as string)).join(', ')})${ever}`;
}
