/**
 * How a check goes over its subjects: every one whose facts were read is visited, every one whose facts were not is
 * reported blind, in this one place.
 */
import type { Listener, Snapshot } from '../engine/snapshot.ts';
import type { Report } from './check.ts';
import { isPresent } from './subjects.ts';

/** Calls `visit` for each present process whose `needs` (FACT_* bits) were read; the others are blind. */
export function eachProcess(
  snapshot: Snapshot,
  report: Report,
  needs: number,
  visit: (row: number) => void,
): void {
  const table = snapshot.processes;
  const proc = snapshot.probes.find(({ id }) => id === 'proc');
  if (table.count === 0 && proc !== undefined && !proc.works) {
    const hides = ({ kind }: { kind: string }) => kind === 'process';
    report.blind({ reason: 'the process list could not be read', cure: proc.cure, hides });
    return;
  }
  const unread = new Set<number>();
  for (let row = 0; row < table.count; row++) {
    if (!isPresent(table, row)) continue;
    if (((table.columns.seen[row] ?? 0) & needs) === needs) visit(row);
    else unread.add(table.columns.pid[row] ?? 0);
  }
  if (unread.size > 0)
    report.blind({
      reason: 'some processes hide facts this check needs',
      cure: 'see desk doctor, or run as root on the host',
      subjects: unread.size,
      hides: (subject) => subject.kind === 'process' && unread.has(subject.pid),
    });
}

/** Calls `visit` for each listener; a socket dump that the kernel refused is blind. */
export function eachListener(snapshot: Snapshot, report: Report, visit: (listener: Listener) => void): void {
  for (const listener of snapshot.listeners) visit(listener);
  for (const { id, works, cure } of snapshot.probes) {
    const dump = /^sock_diag (?<protocol>tcp|udp)(?<family>[46])$/.exec(id)?.groups;
    if (works || dump === undefined) continue;
    report.blind({
      reason: `the ${dump.protocol} sockets of IPv${dump.family} could not be listed`,
      cure,
      hides: (subject) =>
        subject.kind === 'listener' &&
        subject.protocol === dump.protocol &&
        subject.address.includes(':') === (dump.family === '6'),
    });
  }
}
