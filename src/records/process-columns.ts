/** What is shown of a process, column by column: read from the columns of a sweep, with null for what was not read. */

import { textOf } from '../engine/bytes.ts';
import { FACT, WRAP, WRAP_STATE } from '../engine/native/column-types.ts';
import { isKernelThread, WRAPS, ZOMBIE_STATES } from '../engine/process-states.ts';
import type { ProcessTable, Snapshot } from '../engine/snapshot.ts';
import { offsetTime } from '../engine/time.ts';
import { type Cell, columnOf, type RowOf, tableOf } from './columns.ts';
import type { DeskState } from './state.ts';

const WRAP_WORDS: Readonly<Record<keyof typeof WRAP, string>> = {
  seccomp: 'seccomp',
  nsUser: 'user ns',
  nsPid: 'pid ns',
  nsMnt: 'mount ns',
  nsNet: 'network ns',
  label: 'LSM label',
  bounded: 'fewer capabilities',
};
const WRAP_BITS = Object.entries(WRAP_WORDS).map(
  ([key, word]) => [word, WRAP[key as keyof typeof WRAP]] as const,
);
const REFUSALS = [
  ['stat', FACT.stat],
  ['status', FACT.status],
  ['namespaces', FACT.nsUser | FACT.nsPid | FACT.nsMnt | FACT.nsNet],
  ['label', FACT.label],
  ['threads', FACT.threads],
] as const;

const named = (words: readonly (readonly [string, number])[], bits: number): string =>
  words
    .filter(([, bit]) => (bits & bit) !== 0)
    .map(([word]) => word)
    .join(', ');

/** Letters of proc_pid_stat(5). */
const STATE_WORDS = {
  R: 'running',
  S: 'sleeping',
  D: 'waiting for disk',
  Z: 'zombie',
  T: 'stopped',
  t: 'traced',
  W: 'paging',
  X: 'dead',
  x: 'dead',
  K: 'wakekill',
  P: 'parked',
  I: 'idle',
};

const KINDS = ['process', 'kernel', 'fried'] as const;
/** In the order of WRAP_STATE. */
/** The last millisecond that a date can be (ECMA-262, 21.4.1.1). */
const LAST_MS = 8.64e15;

/** The columns of a snapshot are overwritten two sweeps later: read them from the newest state only, before any await. */
export interface ProcessSource {
  readonly snapshot: Snapshot;
  readonly table: ProcessTable;
  /** When the machine started, seconds since the epoch; null while that is unread. */
  readonly bootedSec: number | null;
  /** Open findings by pid and start of their subject. */
  readonly findings: ReadonlyMap<string, number>;
}

export function processSource({ snapshot, judgement }: DeskState): ProcessSource {
  const findings = new Map<string, number>();
  for (const { subject } of judgement.findings) {
    if (subject.kind !== 'process') continue;
    const key = `${subject.pid} ${subject.start}`;
    findings.set(key, (findings.get(key) ?? 0) + 1);
  }
  const { uptimeSec } = snapshot.machine;
  const bootedSec = uptimeSec === null ? null : snapshot.at.epochMs / 1000 - uptimeSec;
  return { snapshot, table: snapshot.processes, bootedSec, findings };
}

export function livingRows({ count, columns }: ProcessTable): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row += 1) if (columns.state[row] !== 0) rows.push(row);
  return rows;
}

const wasRead = ({ columns }: ProcessTable, row: number, fact: number): boolean =>
  ((columns.seen[row] ?? 0) & fact) !== 0;

const known =
  (key: 'ppid' | 'uid' | 'threads', fact: number) =>
  ({ table }: ProcessSource, row: number): number | null =>
    wasRead(table, row, fact) ? (table.columns[key][row] ?? 0) : null;

function by({ table: { columns } }: ProcessSource, row: number): string {
  if (columns.wrapState[row] === WRAP_STATE.wrapped) return named(WRAP_BITS, columns.wrap[row] ?? 0);
  if (columns.wrapState[row] !== WRAP_STATE.blind) return '';
  return `refused: ${named(REFUSALS, columns.refused[row] ?? 0) || 'its confinement'}`;
}

/** To whole seconds, as ms since the epoch: the clocks of boot and day are read one after the other. Null where unread, or not a time. */
export function startMs(
  { snapshot: { at, machine }, table, bootedSec }: ProcessSource,
  row: number,
): number | null {
  if (bootedSec === null || !wasRead(table, row, FACT.stat)) return null;
  const ticks = Number(table.columns.start[row] ?? 0n);
  const epochMs = Math.round(bootedSec + ticks / machine.clockTicksPerSecond) * 1000;
  const shown = epochMs + at.offsetMin * 60_000;
  return shown >= 0 && shown <= LAST_MS ? epochMs : null;
}

function start(source: ProcessSource, row: number): string | null {
  const epochMs = startMs(source, row);
  return epochMs === null ? null : offsetTime({ epochMs, offsetMin: source.snapshot.at.offsetMin });
}

/** Whether a fact of a process exists and could not be read. */
export const wasRefused = ({ table: { columns } }: ProcessSource, row: number, fact: number): boolean =>
  ((columns.refused[row] ?? 0) & fact) !== 0;

const column = columnOf<ProcessSource>();

export const PROCESSES = tableOf({
  id: 'processes',
  path: '/h7/processes',
  title: 'Processes',
  noun: ['process', 'processes'],
  command: 'desk spv antivirus once',
  columns: {
    pid: column('count', 'process', ({ table }, row) => table.columns.pid[row] ?? 0, {
      head: 'Pid',
      as: 'number',
      to: 'process',
    }),
    ppid: column(
      'count|null',
      'its parent, 0 for none; null where its stat file could not be read',
      known('ppid', FACT.stat),
      { head: 'Parent', as: 'number', to: 'process' },
    ),
    uid: column(
      'count|null',
      'real user; null where its status file could not be read',
      known('uid', FACT.status),
      { head: 'User', as: 'number' },
    ),
    comm: column(
      'text',
      'name; invalid UTF-8 as U+FFFD, here and below',
      ({ table }, row) => textOf(table.comm(row)),
      { head: 'Name' },
    ),
    executable: column(
      'text',
      'path of what it runs; "" without one or unread',
      ({ table }, row) => textOf(table.exe(row)),
      { head: 'Executable', as: 'path', absent: 'none, or unread' },
    ),
    state: column(
      'text',
      'letter of proc_pid_stat(5); ? where it could not be read',
      ({ table }, row) => String.fromCharCode(table.columns.state[row] ?? 0),
      { head: 'State', words: STATE_WORDS },
    ),
    kind: column(
      KINDS,
      'a process, a kernel thread, or (fried) a zombie or dead one',
      ({ table }, row): Cell<typeof KINDS> => {
        if (isKernelThread(table, row)) return 'kernel';
        return ZOMBIE_STATES.includes(table.columns.state[row] ?? 0) ? 'fried' : 'process';
      },
      { head: 'Kind', words: { process: 'process', kernel: 'kernel thread', fried: 'zombie or dead' } },
    ),
    wrap: column(
      WRAPS,
      'its confinement; none: there is nothing to confine',
      ({ table }, row) => WRAPS[table.columns.wrapState[row] ?? WRAP_STATE.notApplicable] ?? 'none',
      { head: 'Confinement', tones: { wrapped: 'good', blind: 'warn' }, and: 'by' },
    ),
    by: column('text', 'of a wrapped one what confines it, of a blind one what was refused; else ""', by),
    start: column('text|null', 'when it started, RFC 3339 to the second; null where that is unread', start, {
      head: 'Started',
      as: 'time',
    }),
    threads: column(
      'count|null',
      'its threads; null where its stat file could not be read',
      known('threads', FACT.stat),
      { head: 'Threads', as: 'number' },
    ),
    own: column(
      'flag',
      '1: the desk itself or a process of its tree',
      ({ table }, row) => (table.columns.own[row] === 1 ? 1 : 0),
      { head: 'Of the desk', words: { 0: 'no', 1: 'yes' } },
    ),
    findings: column(
      'count',
      'open findings about it',
      ({ table: { columns }, findings }, row) =>
        findings.size === 0 ? 0 : (findings.get(`${columns.pid[row]} ${columns.start[row]}`) ?? 0),
      { head: 'Findings', as: 'findings' },
    ),
  },
  order: ['pid', 'comm', 'wrap', 'executable', 'uid', 'ppid', 'state', 'threads', 'start', 'findings'],
  sort: { key: 'findings', descending: true },
  searched: ['pid', 'comm', 'executable', 'uid', 'state', 'wrap', 'by', 'kind'],
  searchHint: 'Filter by name, path, pid, user, state',
  identity: ['pid'],
  picks: [
    ['all', 'All', null],
    ['free', 'Free', ({ wrap }, row) => wrap[row] === 'free'],
    ['wrapped', 'Wrapped', ({ wrap }, row) => wrap[row] === 'wrapped'],
    ['blind', 'Blind', ({ wrap }, row) => wrap[row] === 'blind'],
    ['findings', 'With findings', ({ findings }, row) => (findings[row] ?? 0) > 0],
  ],
});
export type ProcessRow = RowOf<(typeof PROCESSES)['columns']>;
