/** What could not be read, as blindness: of a whole table, or of one source. */
import { familyOf } from '../base/addresses.ts';
import { CURES } from '../engine/cures.ts';
import { isRefusal, type Refusal } from '../engine/native/types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Blindness, Report } from './check.ts';
import type { Subject } from './subjects.ts';

/** Subjects of these kinds, for `Blindness.hides`. */
export const ofKind =
  (...kinds: readonly Subject['kind'][]) =>
  ({ kind }: Subject): boolean =>
    kinds.includes(kind);

const procProbe = ({ probes }: Snapshot) => probes.find(({ id, works }) => id === 'proc' && !works);

/** The process list could not be read: there is no row to be blind about. Null when it could. */
export function processListBlindness(snapshot: Snapshot): Blindness | null {
  const proc = procProbe(snapshot);
  if (snapshot.processes.count > 0 || proc === undefined) return null;
  return { reason: 'the process list could not be read', cure: proc.cure, hides: ofKind('process') };
}

/** Processes of other users are hidden (hidepid): there are more than those that were judged. Null when none are hidden. */
export function hiddenBlindness(snapshot: Snapshot): Blindness | null {
  const proc = procProbe(snapshot);
  if (snapshot.processes.count === 0 || proc === undefined) return null;
  return {
    reason: 'processes of other users are hidden',
    cure: proc.cure,
    hides: (subject) => subject.kind === 'process' && subject.uid !== snapshot.engine.euid,
  };
}

/** Where /proc shows a part only, any parent may be unseen. Null when it shows everything. */
export function parentBlindness(snapshot: Snapshot): Blindness | null {
  const proc = procProbe(snapshot);
  if (proc === undefined) return null;
  return {
    reason: 'only a part of the processes can be seen, so any parent may be missing',
    cure: proc.cure,
    subjects: Math.max(1, snapshot.processes.count),
    hides: ofKind('process'),
  };
}

const DUMP = /^sock_diag (?<protocol>tcp|udp)(?<family>[46])$/;

/** One for each socket dump that the kernel refused. */
export function dumpBlindness({ probes }: Snapshot): readonly Blindness[] {
  const found: Blindness[] = [];
  for (const { id, works, cure } of probes) {
    // Called for every check about listeners at every recheck, when nearly always all of them work.
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
export const UNREAD = { reason: 'some processes hide facts this check needs', cure: CURES.facts } as const;

/** Whether the kernel, or a mount, keeps a source from us, which is reported then. `what` begins the sentence. */
export function isBlind<T>(
  value: T | Refusal,
  what: string,
  report: Report,
  hides: NonNullable<Blindness['hides']>,
): value is Refusal {
  if (!isRefusal(value)) return false;
  const closed = value.code === 'EACCES' || value.code === 'EPERM';
  report.blind({
    reason: `${what} could not be read (${value.code})`,
    cure: closed ? CURES.readable : 'see desk doctor',
    hides,
  });
  return true;
}

/**
 * Two readings of a source, so that what comes or goes between them does not fail; null when one was refused, which is reported. The
 * first serves as both where `again` says that it shows nothing to confirm.
 */
export async function readTwice<T>(
  read: () => Promise<T | Refusal>,
  what: string,
  report: Report,
  hides: NonNullable<Blindness['hides']>,
  again: (first: T) => boolean = () => true,
): Promise<readonly [before: T, now: T] | null> {
  const before = await read();
  if (isBlind(before, what, report, hides)) return null;
  const now = again(before) ? await read() : before;
  return isBlind(now, what, report, hides) ? null : [before, now];
}

/** The cure when nothing is learned; in a fresh state folder the desk does it automatically. */
export const LEARN = 'learn what runs with desk secure learn once, unless the first use is still going on';
