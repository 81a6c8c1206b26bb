/** Operations: the state of the machine, and what processes use of it right now. */

import { z } from 'zod';
import { plural } from '../../base/plural.ts';
import { bad, dim, good, type Terminal, warn } from '../../base/terminal.ts';
import { isInterpreter } from '../../checks/executables.ts';
import type { Desk } from '../../desk/desk.ts';
import { INSPECTION } from '../../desk/inspection.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { SLOW_MS, type SlowProcess, VITALS } from '../../desk/vitals.ts';
import type { LastLogin } from '../../engine/native/vitals-types.ts';
import { now } from '../../engine/now.ts';
import { livingRow, processFacts } from '../../records/process-facts.ts';
import {
  type SlowAnswer,
  slow as slowRecord,
  type VitalsAnswer,
  type VitalsFacts,
  vitals as vitalsRecord,
  vitalsRowOf,
} from '../../records/vitals.ts';
import { bytesText, vitalWords } from '../../records/vitals-words.ts';

const MOST_LOGINS = 20;

/** `logins`: a text says why they are not known. */
export function vitalsAnswer(
  { facts, concerns }: VitalsFacts,
  logins: readonly LastLogin[] | string,
): VitalsAnswer {
  const unknown = typeof logins === 'string';
  return vitalsRecord.assemble({
    ts: now(),
    row: vitalsRowOf(facts),
    concerns,
    ...{ disks: facts.disks, notAsked: facts.notAsked, drives: facts.drives },
    smart: facts.smart.map(({ asOfMs, serious: _, ...one }) => ({
      ...one,
      asOf: new Date(asOfMs).toISOString(),
    })),
    ...{ interfaces: facts.interfaces, failedUnits: facts.failedUnits },
    logins: unknown
      ? null
      : logins
          .slice(0, MOST_LOGINS)
          .map(({ seconds, ...one }) => ({ ...one, at: new Date(seconds * 1000).toISOString() })),
    missing: [
      ...facts.missing,
      ...(unknown ? [{ what: 'logins', reason: logins, kind: 'absent' as const }] : []),
    ],
  });
}

export const vitals = operation({
  route: 'GET /vitals',
  roles: DESK,
  summary:
    'The state of the machine: load, CPU, memory, pressure, disks, network, clock, failed units, logins',
  answer: vitalsRecord.schema,
  async handle({ desk }) {
    const api = desk.use(VITALS);
    const [read, logins] = await Promise.all([api.read(), api.logins()]);
    return vitalsAnswer(read, logins);
  },
  command: {
    name: 'vitals',
    examples: [
      ['desk vitals', 'the state of the machine, and what is beyond a limit of the law'],
      ['desk vitals --json', 'with all disks, drives, interfaces and what is not known'],
    ],
    print: showVitals,
    isWell: ({ concerns }) => concerns.length === 0,
  },
});

const percentCell = (value: number | null): string =>
  value === null ? 'not known' : `${Math.round(value)} %`;
const sizeCell = (value: number | null, each = ''): string =>
  value === null ? 'not known' : `${bytesText(value)}${each}`;

function showVitals(out: Terminal, record: VitalsAnswer): void {
  const { row, concerns, disks, drives, smart, interfaces, failed_units: units, logins, missing } = record;
  out.line(
    concerns.length === 0
      ? good('Nothing that could be read is beyond a limit of the law.')
      : bad(`${concerns.length} beyond a limit of the law`),
  );
  for (const { summary } of concerns) out.wrapped(bad('  ! '), summary);
  out.line();
  for (const { name, text } of vitalWords(row))
    out.wrapped(dim(`  ${name.padEnd(13)}`), text === '' ? 'not known' : text);
  if (disks.length > 0) {
    out.line();
    out.table(
      [
        { title: 'disk', shrink: 'end' },
        { title: 'type' },
        { title: 'size', align: 'right' },
        { title: 'free', align: 'right' },
        { title: 'inodes free', align: 'right' },
        { title: '' },
      ],
      disks.map((one) => [
        ...[one.path, one.type, sizeCell(one.bytes), percentCell(one.available_percent)],
        one.inodes === null && one.reason === '' ? 'no table' : percentCell(one.free_inodes_percent),
        one.reason !== ''
          ? warn(one.reason)
          : one.turned_read_only
            ? bad('read-only now')
            : one.read_only
              ? dim('read-only')
              : '',
      ]),
    );
  }
  if (interfaces !== null && interfaces.length > 0) {
    out.line();
    out.table(
      [
        { title: 'interface' },
        { title: 'in', align: 'right' },
        { title: 'out', align: 'right' },
        { title: 'errors', align: 'right' },
        { title: 'dropped', align: 'right' },
      ],
      interfaces.map((one) => [
        one.name,
        sizeCell(one.received_per_sec, '/s'),
        sizeCell(one.sent_per_sec, '/s'),
        one.errors,
        one.dropped,
      ]),
    );
  }
  if (drives.length > 0) {
    out.line();
    out.table(
      [{ title: 'drive' }, { title: 'state' }, { title: 'model', shrink: 'start' }],
      drives.map(({ name, state, model }) => [name, state ?? dim('its driver says none'), model]),
    );
  }
  if (smart.length > 0) {
    out.line();
    out.table(
      [
        { title: 'SMART, by smartd', shrink: 'end' },
        { title: 'replaced', align: 'right' },
        { title: 'unreadable', align: 'right' },
        { title: 'uncorrectable', align: 'right' },
        { title: 'warnings sent', shrink: 'end' },
        { title: 'as of' },
      ],
      smart.map((one) => [
        ...[one.name, one.reallocated ?? '', one.pending ?? '', one.uncorrectable ?? ''],
        one.warnings.length === 0 ? dim('none') : bad(one.warnings.join(', ')),
        dim(one.as_of.slice(0, 10)),
      ]),
    );
  }
  if (units !== null && units.length > 0) {
    out.line();
    for (const { name, description } of units) out.wrapped(bad('  failed  '), `${name}  ${description}`);
  }
  if (logins !== null && logins.length > 0) {
    out.line();
    out.table(
      [{ title: 'last login' }, { title: 'from', shrink: 'start' }, { title: 'at' }],
      logins
        .slice(0, 5)
        .map(({ user, host, line, at }) => [
          user,
          host === '' ? line : host,
          dim(at.slice(0, 16).replace('T', ' ')),
        ]),
    );
  }
  if (missing.length > 0) out.line();
  for (const { what, reason, kind } of missing)
    out.wrapped(kind === 'unread' ? warn('  ! ') : dim('  - '), `${what}: ${reason}`);
  for (const { path, type } of record.not_asked)
    out.wrapped(dim('  - '), `${path}: not asked, ${type} may wait`);
}

export const slow = operation({
  route: 'GET /slow',
  roles: DESK,
  summary: 'The processes that use most CPU, memory or disk right now',
  input: z.strictObject({
    by: z.enum(['cpu', 'memory', 'io']).default('cpu').describe('what they are sorted by'),
    interval_ms: z.coerce
      .number()
      .int()
      .min(100)
      .max(10_000)
      .default(SLOW_MS)
      .describe('how long to measure'),
    limit: z.coerce.number().int().min(1).max(500).default(15).describe('how many'),
  }),
  answer: slowRecord.schema,
  async handle({ desk }, { by, interval_ms: intervalMs, limit }, { caller }) {
    const { processes, ...read } = await desk.use(VITALS).slow(by, intervalMs, limit);
    const programs = await programsOf(desk, processes, caller.left());
    const shown = processes.map(({ start: _, ...one }) => ({ ...one, program: programs.get(one.pid) ?? '' }));
    return slowRecord.assemble({ ts: now(), by, processes: shown, ...read });
  },
  command: {
    name: 'slow',
    summary: 'What is slow right now: the processes that use most CPU, memory or disk',
    options: [
      { flags: '--by <what>', field: 'by' },
      { flags: '--interval <ms>', field: 'interval_ms' },
      { flags: '--limit <count>', field: 'limit' },
    ],
    examples: [
      ['desk slow', 'the fifteen processes that use most CPU, over half a second'],
      ['desk slow --by io --interval 3000', 'who reads and writes most, over three seconds'],
    ],
    print: showSlow,
  },
});

/** Of so many interpreters the script is read, of those with a finding first. */
const MOST_SCRIPTS = 20;

/** What interpreters run, by pid. */
async function programsOf(
  desk: Desk,
  processes: readonly SlowProcess[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const interpreters = processes.filter(({ executable }) => isInterpreter(executable));
  const inspection = desk.find(INSPECTION);
  if (interpreters.length === 0 || inspection === null) return new Map();
  const asked = await desk.state();
  // Columns are read before the next await.
  const state = desk.latest() ?? asked;
  const allowSources = desk.allowSources(state);
  const rows = interpreters.flatMap(({ pid }) => {
    const row = livingRow(state.snapshot.processes, pid);
    return row < 0 ? [] : [processFacts(state, allowSources, row)];
  });
  const found = new Set(
    rows
      .filter(({ findings }) => findings.length > 0)
      .map(({ subject }) => `${subject.pid} ${subject.start}`),
  );
  const wanted = interpreters.map(({ pid, start }) => ({ pid, start, found: found.has(`${pid} ${start}`) }));
  const foundFirst = wanted.toSorted((one, other) => Number(other.found) - Number(one.found));
  return inspection.programs(state.snapshot, foundFirst.slice(0, MOST_SCRIPTS), signal);
}

function showSlow(
  out: Terminal,
  { processes, by, interval_ms: intervalMs, all, passing, io_unread: unread }: SlowAnswer,
): void {
  const rate = (value: number | null) => (value === null ? dim('not read') : `${bytesText(value)}/s`);
  out.table(
    [
      { title: 'pid', align: 'right' },
      { title: 'CPU', align: 'right' },
      { title: 'memory', align: 'right' },
      { title: 'reads', align: 'right' },
      { title: 'writes', align: 'right' },
      { title: '' },
      { title: 'process', shrink: 'end' },
    ],
    processes.map((one) => [
      ...[one.pid, `${one.cpu_percent.toFixed(1)} %`, bytesText(one.resident_bytes)],
      ...[rate(one.read_per_sec), rate(one.written_per_sec), one.state],
      // The script comes from the process; the executable from the kernel.
      one.executable === ''
        ? one.name
        : `${one.name}  ${one.executable}${/ .*/.exec(one.program)?.[0] ?? ''}`,
    ]),
  );
  out.line(
    dim(
      `${processes.length} of ${all} processes by ${by}, over ${intervalMs} ms; ${passing} began or ended meanwhile`,
    ),
  );
  if (processes.some(({ program, executable }) => program === '' && isInterpreter(executable)))
    out.wrapped(
      dim('  '),
      `Scripts are missing where [privacy] command_lines does not allow reading them, or they could not be read; at most ${MOST_SCRIPTS} are read.`,
    );
  if (by === 'io' && processes.every((one) => one.read_per_sec === 0 && one.written_per_sec === 0))
    out.wrapped(
      warn('! '),
      'None of them used a disk in this time; a program that writes now and then is seen over a longer one: --interval 5000.',
    );
  if (unread > 0)
    out.wrapped(
      warn('! '),
      `The disk use of ${plural(unread, 'process', 'processes')} could not be read: for processes of other users it needs root or CAP_SYS_PTRACE.`,
    );
}
