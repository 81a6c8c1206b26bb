/** Which established :443 connections of desk processes leave for places the allowlist does not name. */
import type { Allowlist } from '../../egress/allowlist.ts';
import { deskProcesses } from '../../engine/desk-processes.ts';
import type { Snapshot } from '../../engine/snapshot.ts';

/** Established :443 connections held by desk processes, and how many of them go to addresses off the list. */
export function countEgress(
  snapshot: Pick<Snapshot, 'engine' | 'programs' | 'connections'>,
  allow: Pick<Allowlist, 'has'>,
): { deskHttps: number; outside: number } {
  const desk = deskProcesses(snapshot);
  const mine = snapshot.connections.filter(({ holders }) => holders.some(({ pid }) => desk.has(pid)));
  return {
    deskHttps: mine.length,
    outside: mine.filter(({ address, port }) => !allow.has(address, port)).length,
  };
}
