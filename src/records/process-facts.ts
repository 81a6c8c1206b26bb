/** What a state has of one process, read from its columns at once: these are overwritten two sweeps later. */
import type { AllowSource } from '../checks/allowed-listeners.ts';
import { ancestorsOf, unitOf } from '../checks/origin.ts';
import { type ProcessSubject, processSubject, type Subject } from '../checks/subjects.ts';
import { unlearnedProcess } from '../checks/unlearned-process.ts';
import { textOf } from '../engine/bytes.ts';
import { LOOKUP } from '../engine/native/batch-types.ts';
import { FACT } from '../engine/native/column-types.ts';
import type { Listener, ProcessTable } from '../engine/snapshot.ts';
import type { Finding } from '../findings/finding.ts';
import { memberKey } from '../findings/finding-id.ts';
import { mostSevereFirst } from '../policy/severity.ts';
import { rowOf } from './columns.ts';
import { socketsBlind } from './derive.ts';
import { LISTENERS, listenerSource } from './listener-columns.ts';
import { PROCESSES, processSource } from './process-columns.ts';
import type { ProcessDetail, Relative } from './process-detail.ts';
import type { DeskState } from './state.ts';

const MOST_CHILDREN = 64;

const NAMESPACES = [
  ['user', 'nsUser'],
  ['pid', 'nsPid'],
  ['mount', 'nsMnt'],
  ['network', 'nsNet'],
] as const;

const relativeAt = (table: ProcessTable, row: number): Relative => ({
  pid: table.columns.pid[row] ?? 0,
  start: String(table.columns.start[row] ?? 0n),
  name: textOf(table.comm(row)),
});

/** The row of a process that has not ended; -1 without one. */
export function livingRow(table: ProcessTable, pid: number): number {
  const row = table.rowOf(pid);
  return row < 0 || table.columns.state[row] === 0 ? -1 : row;
}

/** The process that has this pid now; null without one. */
export function relativeOf({ processes }: DeskState['snapshot'], pid: number): Relative | null {
  const row = livingRow(processes, pid);
  return row < 0 ? null : relativeAt(processes, row);
}

/** Of a process its namespaces; 0 in the columns: it could not be read. */
function namespacesOf(table: ProcessTable, row: number): ProcessDetail['namespaces'] {
  const first = livingRow(table, 1);
  return NAMESPACES.map(([kind, key]) => {
    const inode = table.columns[key][row] || null;
    const usual = first < 0 ? null : table.columns[key][first] || null;
    return { kind, inode, differs: inode === null || usual === null ? null : inode !== usual };
  });
}

function childrenOf(table: ProcessTable, pid: number): readonly number[] {
  const { columns, count } = table;
  const rows: number[] = [];
  for (let row = 0; row < count; row += 1)
    if (columns.ppid[row] === pid && columns.state[row] !== 0 && ((columns.seen[row] ?? 0) & FACT.stat) !== 0)
      rows.push(row);
  return rows;
}

function baselineOf({ snapshot, judgement, desk }: DeskState, row: number): ProcessDetail['baseline'] {
  const { columns } = snapshot.processes;
  const isJudged = judgement.checks.some(({ id }) => id === unlearnedProcess.id);
  if (columns.identity[row] === 0n || !isJudged) return 'not-judged';
  if (desk.baseline.generation === 0) return 'nothing-learned';
  return ((columns.lookups[row] ?? 0) & LOOKUP.learned) !== 0 ? 'learned' : 'not-learned';
}

/** Whether a subject is this process, or a listener that it holds. */
function isAbout(subject: Subject, { pid, start }: ProcessSubject, held: ReadonlySet<string>): boolean {
  if (subject.kind === 'process') return subject.pid === pid && subject.start === start;
  return (
    subject.kind === 'listener' &&
    subject.namespace === undefined &&
    held.has(`${subject.protocol} ${subject.port} ${subject.inode}`)
  );
}

/** `pid` must have a row that lives. */
export function processFacts(state: DeskState, allowSources: readonly AllowSource[], row: number) {
  const { snapshot, judgement } = state;
  const { processes: table, listeners } = snapshot;
  const { columns } = table;
  const subject = processSubject(table, row);
  const { pid, start } = subject;
  const holds = ({ holders }: Listener) => holders.some((one) => one.pid === pid && one.start === start);
  const rows = [...listeners.keys()].filter((at) => holds(listeners[at] as Listener));
  const held = new Set(
    rows.map((at) => listeners[at] as Listener).map((one) => `${one.protocol} ${one.port} ${one.inode}`),
  );
  // Of equal fails of one program the oldest is the subject. The pids of a finding name some of the others, which may have ended.
  const isMember = ({ id, check }: Finding): boolean =>
    judgement.members.get(id)?.has(memberKey(check, subject)) ?? false;
  const isOne = (finding: Finding): boolean => isAbout(finding.subject, subject, held) || isMember(finding);
  const source = listenerSource({ state, allowSources });
  const children = childrenOf(table, pid);
  const wasRead = (fact: number) => ((columns.seen[row] ?? 0) & fact) !== 0;
  return {
    subject,
    findings: mostSevereFirst(judgement.findings.filter(isOne)),
    explained: judgement.suppressed.filter((one) => isAbout(one.subject, subject, held)),
    shown: {
      generation: snapshot.generation,
      start,
      row: rowOf(PROCESSES.columns, processSource(state), row),
      unit: unitOf(textOf(table.cgroup(row))),
      controlGroup: textOf(table.cgroup(row)),
      container: columns.container[row] === 1,
      namespaces: namespacesOf(table, row),
      effectiveUid: wasRead(FACT.status) ? (columns.euid[row] ?? null) : null,
      capabilities: wasRead(FACT.status) ? (columns.capEff[row] ?? 0n).toString(16) : '',
      tracer: columns.tracer[row] ?? 0,
      parents: ancestorsOf(table, row).flatMap((one) => relativeOf(snapshot, one.pid) ?? []),
      children: children.slice(0, MOST_CHILDREN).map((at) => relativeAt(table, at)),
      childrenTotal: children.length,
      listeners: rows.map((at) => rowOf(LISTENERS.columns, source, at)),
      listenersKnown: !socketsBlind(state) && wasRead(FACT.descriptors),
      baseline: baselineOf(state, row),
    },
  };
}
