/** In which unit systemd put a process: cgroups(7), /proc/PID/cgroup. Pure. */
import { dirname } from 'node:path';

/** Of the hierarchy that systemd keeps: the only one, or the named one of version 1. */
const LINE = /^\d+:(?:name=systemd)?:(\/.*)$/m;

const groupOf = (text: string): string => LINE.exec(text)?.[1] ?? '';

/**
 * Whether a process is in a unit beside the own one: a user's manager and a container make groups of any name, but only below their own.
 * `own`, `other`: texts of /proc/PID/cgroup. False where the own process is in no service.
 */
export function inUnitBeside(own: string, other: string, unit: string): boolean {
  const group = groupOf(own);
  return group.endsWith('.service') && groupOf(other) === `${dirname(group)}/${unit}`;
}
