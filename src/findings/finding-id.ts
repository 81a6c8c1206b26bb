/** What makes two fails the same finding, its id, and which of its members a fail is. */
import { createHash } from 'node:crypto';
import type { Fail } from '../checks/check.ts';
import type { ListenerSubject, Subject } from '../checks/subjects.ts';
import { type Classed, classKey, isGrouped } from './finding-class.ts';

/** Of a listener in another network namespace than ours. */
const elsewhere = ({ namespace }: ListenerSubject): string =>
  namespace === undefined ? '' : ` in ${namespace}`;

/** Equal for the same subject in every recheck: pid + start time, socket inode, file and what is in it, host. */
function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'process':
      return `process ${subject.pid} ${subject.start}`;
    case 'listener':
      return `listener ${subject.protocol} ${subject.address} ${subject.port} ${subject.inode}${elsewhere(subject)}`;
    case 'file':
      return `file ${subject.path}${subject.content === undefined ? '' : ` ${subject.content}`}`;
    case 'host':
      return `host ${subject.name}`;
    case 'desk':
      return 'desk';
  }
}

/** The same for the same subject failing the same check: the key of a member of a finding. */
export const memberKey = (check: string, subject: Subject): string => `${check}\0${subjectKey(subject)}`;

/** The same for fails that are one finding: processes of one user that fail in the same class (`isGrouped`), else one subject. */
export const findingKey = (classed: Classed): string =>
  classed.subject.kind === 'process' && isGrouped(classed)
    ? classKey(classed)
    : memberKey(classed.check.id, classed.subject);

/** Of a listener: the same for another socket on the same address and port. Null for everything else. */
export const endpointKey = (check: string, subject: Subject): string | null =>
  subject.kind === 'listener'
    ? `${check}\0endpoint ${subject.protocol} ${subject.address} ${subject.port}${elsewhere(subject)}`
    : null;

/** Stable id of a finding: 16 hex digits of SHA-256 over its key. */
export const idOfKey = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16);

export const findingId = (classed: Classed): string => idOfKey(findingKey(classed));

/** The id of one member alone: that of every finding before equal ones were one, and of an acceptance that holds for one process only. */
export const memberId = ({ check, subject }: Pick<Classed, 'check' | 'subject'>): string =>
  idOfKey(memberKey(check.id, subject));

/** The id of a finding in its evidence class alone: for an acceptance of a class that cannot be written as a condition. */
export function classedId(classed: Classed): string {
  const { check, subject, evidenceClass } = classed;
  if (subject.kind === 'process' && isGrouped(classed)) return findingId(classed);
  return idOfKey(`${memberKey(check.id, subject)}\0${evidenceClass}`);
}

interface FailKeys {
  readonly finding: string;
  readonly member: string;
  readonly endpoint: string | null;
}

const known = new WeakMap<Fail, FailKeys>();

/** The keys of a fail, made once for each: every recheck needs those of a fail that is kept. */
export function keysOf(fail: Fail): FailKeys {
  const before = known.get(fail);
  if (before !== undefined) return before;
  const { check, subject } = fail;
  const [member, endpoint] = [memberKey(check.id, subject), endpointKey(check.id, subject)];
  const keys = { finding: findingKey(fail), member, endpoint };
  known.set(fail, keys);
  return keys;
}
