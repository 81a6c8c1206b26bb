/** What a snapshot could not see of a kind of subject: blind for every check about it, in this one place. */
import { familyOf } from '../base/addresses.ts';
import { CURES } from '../engine/cures.ts';
import type { Refusal } from '../engine/native/types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Blindness } from './check.ts';

/** The process list could not be read: there is no row to be blind about. Null when it could. */
export function processListBlindness({ processes, probes }: Snapshot): Blindness | null {
  const proc = probes.find(({ id }) => id === 'proc');
  if (processes.count > 0 || proc === undefined || proc.works) return null;
  return {
    reason: 'the process list could not be read',
    cure: proc.cure,
    hides: ({ kind }) => kind === 'process',
  };
}

/** Processes of other users are hidden (hidepid): there are more than those that were judged. Null when none are hidden. */
export function hiddenBlindness({ processes, probes, engine }: Snapshot): Blindness | null {
  const proc = probes.find(({ id }) => id === 'proc');
  if (processes.count === 0 || proc === undefined || proc.works) return null;
  return {
    reason: 'processes of other users are hidden',
    cure: proc.cure,
    hides: (subject) => subject.kind === 'process' && subject.uid !== engine.euid,
  };
}

const DUMP = /^sock_diag (?<protocol>tcp|udp)(?<family>[46])$/;

/** One for each socket dump that the kernel refused. */
export function dumpBlindness({ probes }: Snapshot): readonly Blindness[] {
  const found: Blindness[] = [];
  for (const { id, works, cure } of probes) {
    // Asked for every check about listeners at every recheck, when nearly always all of them work.
    if (works) continue;
    const dump = DUMP.exec(id)?.groups;
    if (dump === undefined) continue;
    found.push({
      reason: `the ${dump.protocol} sockets of IPv${dump.family} could not be listed`,
      cure,
      hides: (subject) =>
        subject.kind === 'listener' &&
        subject.namespace === undefined &&
        subject.protocol === dump.protocol &&
        familyOf(subject.address) === Number(dump.family),
    });
  }
  return found;
}

/** Facts of some processes were not read. */
export const UNREAD = {
  reason: 'some processes hide facts this check needs',
  cure: CURES.facts,
} as const;

/** A source that the kernel, or a mount, keeps from us. `what` begins the sentence. */
export function refusedBlindness(what: string, { code }: Refusal): Blindness {
  const closed = code === 'EACCES' || code === 'EPERM';
  return {
    reason: `${what} could not be read (${code})`,
    cure: closed ? CURES.readable : 'see desk doctor',
  };
}

/** What cures that nothing is learned: in a fresh state folder the desk does it by itself. */
export const LEARN = 'learn what runs with desk secure learn once, unless the first use is still going on';
