/** What started a process: its parents, and the unit of its control group. Pure. */
import { textOf } from '../engine/bytes.ts';
import type { ProcessTable } from '../engine/snapshot.ts';

/** Parents that are named, the nearest first. */
export const MOST_ANCESTORS = 8;

export interface NamedProcess {
  readonly pid: number;
  readonly name: string;
}

/** The parents of the process in this row; those that have ended, and theirs, are not known. */
export function ancestorsOf(table: ProcessTable, row: number): readonly NamedProcess[] {
  const { columns } = table;
  const found: NamedProcess[] = [];
  let at = table.rowOf(columns.ppid[row] ?? 0);
  while (at >= 0 && columns.state[at] !== 0 && found.length < MOST_ANCESTORS) {
    found.push({ pid: columns.pid[at] ?? 0, name: textOf(table.comm(at)) });
    at = table.rowOf(columns.ppid[at] ?? 0);
  }
  return found;
}

const MANAGER = /^user@\d+\.service$/;
const SERVICE = /\.service$/;

/**
 * The unit of systemd in the path of a control group: `ssh.service`, `session-3.scope`; of the systemd of a user
 * `user@1000.service/agent.service`. "" outside of units. Below a service or a scope its user may make groups of any name, so what
 * follows them is not read, except below the systemd of a user, who can name any unit there.
 */
export function unitOf(group: string): string {
  const parts = group.split('/').filter((part) => part !== '');
  const at = parts.findIndex((part) => SERVICE.test(part) || part.endsWith('.scope'));
  const unit = parts[at];
  if (unit === undefined || !parts.slice(0, at).every((part) => part.endsWith('.slice'))) return '';
  if (!MANAGER.test(unit)) return unit;
  const inner = parts.slice(at + 1).find((part) => SERVICE.test(part) || part.endsWith('.scope'));
  return inner === undefined ? unit : `${unit}/${inner}`;
}
