/** A banned listener of another network namespace: told, never signalled. Its holder is not in our view of the sockets. Pure. */
import type { Finding, ListenerSubject } from '../../checks/judgement.ts';
import { endpointText } from '../../checks/subjects.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import { adviceFor, containerAdvice } from './advice.ts';
import { keptUp, type PlanParts, type Refused } from './plan.ts';

export interface ForeignSubject extends ListenerSubject {
  readonly namespace: number;
  /** Of its holder, "" when that is unknown. */
  readonly executable: string;
  readonly creatorUid: number;
}

/** Undefined for a finding about anything else. */
export function foreignSubject({ subject, evidence }: Finding): ForeignSubject | undefined {
  if (subject.kind !== 'listener' || subject.namespace === undefined) return undefined;
  const { executable = '', creator_uid = -1 } = evidence;
  return {
    ...subject,
    namespace: subject.namespace,
    executable: String(executable),
    creatorUid: Number(creator_uid),
  };
}

export function refuseElsewhere(
  { evidence }: Finding,
  subject: ForeignSubject,
  snapshot: Snapshot,
  law: PlanParts['law'],
): Refused {
  const kept = keptUp(law, subject, snapshot);
  if (kept !== null) return kept;
  const { port, namespace } = subject;
  const holders = String(evidence.holders ?? '')
    .split(' ')
    .filter((pid) => pid !== '')
    .map(Number);
  const within = Number(evidence.pid ?? 0);
  const inside = `find its holder as root with nsenter --target ${within} --net ss -lnp 'sport = :${port}' and end it`;
  return {
    kind: 'refuse',
    reason: 'other-network',
    text: `${endpointText(subject)} is in another network namespace (${namespace}), where no process is signalled`,
    advice:
      containerAdvice(snapshot, [...holders, within]) ??
      (holders.length > 0 ? adviceFor(snapshot, subject, holders) : inside),
  };
}
