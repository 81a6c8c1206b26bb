/** Conditions that several checks share. */

import { FACT, PF_KTHREAD } from '../engine/native/types.ts';
import { ZOMBIE_STATES } from '../engine/process-states.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../policy/law.ts';
import { UNREAD } from './blindness.ts';
import {
  all,
  always,
  type BlindRule,
  below,
  type Expression,
  equals,
  flag,
  masked,
  member,
  not,
  type Parameter,
  type ProcessColumn,
} from './rule.ts';
import { ageSec } from './subjects.ts';

/** Still there when the sweep read it. */
export const present: Expression<ProcessColumn> = not(equals('state', 0n));

export const facts = (bits: number): Expression<ProcessColumn> => masked('seen', BigInt(bits), BigInt(bits));

const kernelThread: Expression<ProcessColumn> = masked('flags', BigInt(PF_KTHREAD), BigInt(PF_KTHREAD));

/** Zombie or dead. */
export const zombie: Expression<ProcessColumn> = member('state', ZOMBIE_STATES.map(BigInt));

/** A living process of user space, the kind the wrap sweep judges. */
export const userSpace: Expression<ProcessColumn> = all(not(kernelThread), not(zombie));

/** The beginning of a rule about every process, or those of user space, that needs no more than stat says. */
export const EVERY_PROCESS = { subjects: 'processes', needs: FACT.stat, applies: always } as const;
export const USER_SPACE = { ...EVERY_PROCESS, applies: userSpace } as const;

/** What name and executable say (TRAIT). */
export const trait = (bit: number): Expression<ProcessColumn> => masked('traits', BigInt(bit), BigInt(bit));

/** What the process has to be looked up for (LOOKUP): it is done when its row changes, not for each batch. */
export const lookup = (bit: number): Expression<ProcessColumn> => masked('lookups', BigInt(bit), BigInt(bit));

/** The executable is refused to us. That of a process that is about to end is gone, which is not a refusal. */
export const executableRefused: Expression<ProcessColumn> = masked(
  'refused',
  BigInt(FACT.exe),
  BigInt(FACT.exe),
);

/** A process whose executable is refused to us: nothing can be said about its path. */
export const executableUnread: BlindRule<ProcessColumn> = { ...UNREAD, when: executableRefused, hides: true };

/** Whether a named benign cause is on. A cause that covers many rows is compiled, so that they cost nothing. */
export const knowsCause = ({ suppressions }: Law, check: string, name: string): boolean =>
  suppressions.some((one) => one.source === 'benign' && one.name === name && one.checks.includes(check));

const clockUnread: Parameter = {
  name: 'the boot clock is unread',
  of: ({ machine }) => (machine.uptimeSec === null ? 1n : 0n),
};

/** What depends on an age is blind while the boot clock is unread. */
export const ageUnknown = (when: Expression<ProcessColumn>): BlindRule<ProcessColumn> => ({
  when: all(when, flag(clockUnread)),
  reason: 'the boot clock could not be read',
  cure: 'see desk doctor',
  hides: false,
});

/** At least `sec` seconds old, exactly as `ageSec` says; no process is while the boot clock is unread. */
export const olderThan = (sec: number): Expression<ProcessColumn> =>
  below('start', { name: `first start younger than ${sec} s`, of: (snapshot) => youngest(snapshot, sec) });

/** The lowest start, in clock ticks, of a process younger than `sec`. */
function youngest({ machine }: Snapshot, sec: number): bigint {
  if (machine.uptimeSec === null) return 0n;
  const old = (start: number): boolean => (ageSec({ machine }, start) ?? 0) >= sec;
  // The quotient may be off by its rounding: `ageSec` decides.
  let start = Math.max(0, Math.floor((machine.uptimeSec - sec) * machine.clockTicksPerSecond) - 1);
  while (old(start)) start++;
  while (start > 0 && !old(start - 1)) start--;
  return BigInt(start);
}
