/** The columns of a sweep as the process table tells them: text, times, and null for what was not read. */
import { FRIED_STATES, isKernelThread } from '../checks/subjects.ts';
import { textOf } from '../engine/bytes.ts';
import type { ProcessTable, Snapshot } from '../engine/snapshot.ts';
import { FACT, type ProcessColumns, WRAP_STATE } from '../native/types.ts';
import { once } from './derive.ts';
import type { Moment } from './moment.ts';
import type { ProcessesAsked, ProcessKind, ProcessWrap } from './process-table.ts';
import { offsetTime } from './time.ts';
import { refusedText, wrappedBy } from './wrap-words.ts';

/** The last millisecond that a date can be (ECMA-262, 21.4.1.1). */
const LAST_MS = 8.64e15;

/**
 * What the record is made of: plain lists, one place per process that is there, by pid. The columns of a snapshot are overwritten
 * two sweeps later, so this is asked only about the newest moment of a desk, before anything is waited for.
 */
export function processesOf(moment: Moment): ProcessesAsked {
  const { processes } = moment.snapshot;
  const rows: number[] = [];
  for (let row = 0; row < processes.count; row += 1) if (processes.columns.state[row] !== 0) rows.push(row);
  return processesAt(moment, rows);
}

/** The same of some rows of the columns, which must be of processes that are there. */
export function processesAt(moment: Moment, rows: readonly number[]): ProcessesAsked {
  const { snapshot } = moment;
  const { processes } = snapshot;
  const { columns } = processes;
  const found = findingsOf(moment);
  const read = (column: Int32Array | Uint32Array, fact: number): (number | null)[] =>
    rows.map((row) => (wasRead(columns, row, fact) ? (column[row] ?? 0) : null));
  return {
    moment,
    pid: rows.map((row) => columns.pid[row] ?? 0),
    ppid: read(columns.ppid, FACT.stat),
    uid: read(columns.uid, FACT.status),
    comm: rows.map((row) => textOf(processes.comm(row))),
    executable: rows.map((row) => textOf(processes.exe(row))),
    state: rows.map((row) => String.fromCharCode(columns.state[row] ?? 0)),
    kind: rows.map((row) => kindOf(processes, row)),
    wrap: rows.map((row) => WRAPS.get(columns.wrapState[row] ?? WRAP_STATE.notApplicable) ?? 'none'),
    by: rows.map((row) => byText(columns, row)),
    start: startTimes(snapshot, rows),
    threads: read(columns.threads, FACT.stat),
    own: rows.map((row) => (columns.own[row] === 1 ? 1 : 0)),
    findings: rows.map((row) =>
      found.size === 0 ? 0 : (found.get(`${columns.pid[row]} ${columns.start[row]}`) ?? 0),
    ),
  };
}

export const WRAPS: ReadonlyMap<number, ProcessWrap> = new Map([
  [WRAP_STATE.free, 'free'],
  [WRAP_STATE.wrapped, 'wrapped'],
  [WRAP_STATE.blind, 'blind'],
]);

const wasRead = ({ seen }: ProcessColumns, row: number, fact: number): boolean =>
  ((seen[row] ?? 0) & fact) !== 0;

export function kindOf(table: ProcessTable, row: number): ProcessKind {
  if (isKernelThread(table, row)) return 'kernel';
  return FRIED_STATES.includes(table.columns.state[row] ?? 0) ? 'fried' : 'process';
}

function byText({ wrapState, wrap, refused }: ProcessColumns, row: number): string {
  if (wrapState[row] === WRAP_STATE.wrapped) return wrappedBy(wrap[row] ?? 0);
  return wrapState[row] === WRAP_STATE.blind ? refusedText(refused[row] ?? 0) : '';
}

/** To whole seconds: the clocks of boot and day are read one after the other. Null where unread, or no time at all. */
function startTimes({ at, machine, processes }: Snapshot, rows: readonly number[]): (string | null)[] {
  const { columns } = processes;
  const { uptimeSec, clockTicksPerSecond } = machine;
  if (uptimeSec === null) return rows.map(() => null);
  const bootedSec = at.epochMs / 1000 - uptimeSec;
  return rows.map((row) => {
    if (!wasRead(columns, row, FACT.stat)) return null;
    const epochMs = Math.round(bootedSec + Number(columns.start[row] ?? 0n) / clockTicksPerSecond) * 1000;
    const shown = epochMs + at.offsetMin * 60_000;
    return shown >= 0 && shown <= LAST_MS ? offsetTime({ epochMs, offsetMin: at.offsetMin }) : null;
  });
}

/** Open findings by pid and start of their subject. */
const findingsOf = once(({ judgement }): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const { subject } of judgement.findings) {
    if (subject.kind !== 'process') continue;
    const key = `${subject.pid} ${subject.start}`;
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  return found;
});
