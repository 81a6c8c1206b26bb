/** `GET /h7/processes/{pid}` (`H7_PROCESS`): everything that is known of one process. */
import { z } from 'zod';
import { aboutSchema } from './about.ts';
import type { RowOf, Table } from './columns.ts';
import { count, done, flag, type RecordOf, text } from './define.ts';
import { findingSchema, suppressedSchema } from './finding.ts';
import { start as startedBy } from './finding-detail.ts';
import { LISTENERS } from './listener-columns.ts';
import { PROCESSES } from './process-columns.ts';
import { typeOf } from './tables.ts';

/** A row of a table as an object. */
const rowSchema = <C extends Table['columns']>(columns: C) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(columns).map(([key, { type, meaning }]) => [key, typeOf(type).describe(meaning)]),
    ),
  ) as unknown as z.ZodType<RowOf<C>>;

const relative = z.strictObject({
  pid: count.describe('its pid'),
  start: text.describe('its start time, clock ticks after boot'),
  name: text.describe('its name'),
});
export type Relative = Readonly<z.output<typeof relative>>;

const namespace = z.strictObject({
  kind: z.enum(['user', 'pid', 'mount', 'network']).describe('which'),
  inode: count.nullable().describe('its number; null where it could not be read'),
  differs: flag
    .nullable()
    .describe('it differs from that of pid 1; null where one of both could not be read'),
});

const amount = z.number().nonnegative();

const uses = z.strictObject({
  interval_ms: amount.describe('how long was measured'),
  cpu_percent: amount.describe('share of one processor; more than 100 with several threads'),
  resident_bytes: amount.describe('memory that it has'),
  read_per_sec: amount
    .nullable()
    .describe('bytes that it reads from disks each second; null where that could not be read'),
  written_per_sec: amount.nullable().describe('bytes that it writes to disks each second; null likewise'),
});

const listener = rowSchema(LISTENERS.columns);

const COMMAND_WORDS = {
  shown: 'it is in about',
  unread: 'it could not be read',
  'only-findings': '[privacy] command_lines = "findings": it is read only of processes with a finding',
  never: '[privacy] command_lines = "never"',
} as const;

export const processDetail = done('ProcessDetail', 'H7_PROCESS', 'Everything known about one process', {
  generation: count.describe('generation of the snapshot'),
  start: text.describe('its start time, clock ticks after boot: with the pid it is this process or none'),
  row: rowSchema(PROCESSES.columns).describe('what the process table has of it'),
  about: aboutSchema.nullable().describe('what a helper read of it now; null where that did not answer'),
  command: z.enum(Object.keys(COMMAND_WORDS) as (keyof typeof COMMAND_WORDS)[]).describe(
    `why there is a command line in about, or none: ${Object.entries(COMMAND_WORDS)
      .map((words) => words.join(': '))
      .join('; ')}`,
  ),
  package: text.describe(
    'name and version of the package that has a file at the path of its executable; "" without one',
  ),
  package_reason: text.describe('why that is not known; "" where it is, "" also where no package has it'),
  unit: text.describe('the unit of systemd that it belongs to; "" outside of units'),
  control_group: text.describe('its control group; "" where that could not be read'),
  container: flag.describe('its mount or pid namespace is not that of the machine'),
  namespaces: z.array(namespace).describe('its namespaces'),
  effective_uid: count.nullable().describe('its effective user; null where that could not be read'),
  capabilities: text.describe('its effective capabilities, hexadecimal; "" where they could not be read'),
  tracer: count.describe('pid of the process that traces it; 0 without one'),
  parents: z.array(relative).describe('its parents, the nearest first, at most 8'),
  children: z.array(relative).describe('its children, by pid, at most 64'),
  children_total: count.describe('all its children'),
  listeners: z.array(listener).describe('listening sockets that it holds, as GET /h7/listeners has them'),
  listeners_known: flag.describe('all listeners and their holders could be read'),
  uses: uses.nullable().describe('what it uses right now; null where it ended meanwhile'),
  baseline: z
    .enum(['learned', 'not-learned', 'nothing-learned', 'not-judged'])
    .describe(
      'whether its program is in the baseline; nothing-learned: the baseline is empty; not-judged: a kernel thread, a dead process, or the check unlearned-process does not judge it',
    ),
  findings: z.array(findingSchema).describe('open findings about it and about what it holds'),
  explained: z
    .array(suppressedSchema)
    .describe('what law, baseline, benign causes or accepted findings explain of it and of what it holds'),
  returns: z
    .enum(['yes', 'not_found', 'unknown', 'none'])
    .describe('whether something would start it again, as startup.returns of GET /findings/{id}'),
  returns_reason: text.describe('why that is unknown; "" where it is not'),
  starts: z.array(startedBy).describe('what would start it, what nothing vouches for first, at most 16'),
});
export type ProcessDetail = RecordOf<typeof processDetail>;
