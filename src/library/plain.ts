/** Rows of a sweep as plain values. A snapshot's columns are overwritten two sweeps later: call these before any await. */
import { textOf } from '../engine/bytes.ts';
import { FACT, WRAP_STATE } from '../engine/native/types.ts';
import { isKernelThread, WRAPS } from '../engine/process-states.ts';
import type { Listener as Held, ProcessTable, Snapshot } from '../engine/snapshot.ts';
import type { Finding as Found, Judgement } from '../findings/finding.ts';
import type { Evaluation, Finding, Listener, Process, Sweep } from './types.ts';

const OWNER = { held: 'known', ownerless: 'none', blind: 'unknown' } as const;

/** The process of a row; null when it ended during the sweep. */
export function processAt(table: ProcessTable, row: number): Process | null {
  const { columns } = table;
  const state = columns.state[row] ?? 0;
  if (state === 0) return null;
  const seen = columns.seen[row] ?? 0;
  const known = <T>(fact: number, value: T | undefined): T | null =>
    (seen & fact) === 0 ? null : (value ?? null);
  return {
    pid: columns.pid[row] ?? 0,
    parent: known(FACT.stat, columns.ppid[row]),
    uid: known(FACT.status, columns.uid[row]),
    name: textOf(table.comm(row)),
    executable: textOf(table.exe(row)),
    state: String.fromCharCode(state),
    start: String(columns.start[row] ?? 0n),
    threads: known(FACT.stat, columns.threads[row]),
    kernel: isKernelThread(table, row),
    confinement: WRAPS[columns.wrapState[row] ?? WRAP_STATE.notApplicable] ?? 'none',
  };
}

export function processesOf(table: ProcessTable): readonly Process[] {
  const processes: Process[] = [];
  for (let row = 0; row < table.count; row++) {
    const process = processAt(table, row);
    if (process !== null) processes.push(process);
  }
  return processes;
}

export const listenerOf = ({
  protocol,
  address,
  port,
  scope,
  inode,
  executable,
  ...held
}: Held): Listener => ({
  ...{ protocol, address, port, scope, inode },
  creator: held.creatorUid,
  owners: held.holders.map(({ pid, start, fd }) => ({ pid, start, descriptor: fd })),
  owner: OWNER[held.owner],
  executable,
});

export const sweepOf = (snapshot: Snapshot): Sweep => ({
  generation: snapshot.generation,
  at: new Date(snapshot.at.epochMs),
  us: snapshot.sweepUs,
  backend: snapshot.engine.backend,
  processes: processesOf(snapshot.processes),
  listeners: snapshot.listeners.map(listenerOf),
  gaps: snapshot.probes.filter(({ works }) => !works).map(({ id, reason, cure }) => ({ id, reason, cure })),
});

const findingOf = ({ id, check, severity, summary, evidence, benign, remedy, members }: Found): Finding => ({
  ...{ id, check, severity, summary, evidence, benign, remedy },
  pids: members.pids,
});

export const evaluationOf = (
  { generation, at }: Snapshot,
  { findings, notes, everyTier }: Judgement,
  checks: readonly string[],
): Evaluation => ({
  generation,
  at: new Date(at.epochMs),
  checks,
  findings: findings.map(findingOf),
  ...{ pass: everyTier.pass, fail: everyTier.fail, blind: everyTier.blind },
  gaps: notes.map(({ check, reason, cure }) => ({ id: check, reason, cure })),
});
