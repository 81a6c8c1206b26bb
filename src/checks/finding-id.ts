/** What makes two fails the same finding, and its id. */
import { createHash } from 'node:crypto';
import type { Fail } from './check.ts';
import type { ListenerSubject, Subject } from './judgement.ts';

/** Of a listener in another network namespace than ours. */
const elsewhere = ({ namespace }: ListenerSubject): string =>
  namespace === undefined ? '' : ` in ${namespace}`;

/** What makes a subject the same one at the next look: pid + start time, socket inode, file, host. */
function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'process':
      return `process ${subject.pid} ${subject.start}`;
    case 'listener':
      return `listener ${subject.protocol} ${subject.address} ${subject.port} ${subject.inode}${elsewhere(subject)}`;
    case 'file':
      return `file ${subject.path}`;
    case 'host':
      return `host ${subject.name}`;
    case 'desk':
      return 'desk';
  }
}

/** The same for the same subject failing the same check. */
export const findingKey = (check: string, subject: Subject): string => `${check}\0${subjectKey(subject)}`;

/** Of a listener: the same for another socket on the same address and port. Null for everything else. */
export const endpointKey = (check: string, subject: Subject): string | null =>
  subject.kind === 'listener'
    ? `${check}\0endpoint ${subject.protocol} ${subject.address} ${subject.port}${elsewhere(subject)}`
    : null;

/** Stable id of a finding: 16 hex digits of SHA-256 over its key. */
export const idOfKey = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16);

export const findingId = ({
  check,
  subject,
}: Pick<Fail, 'subject'> & { readonly check: Pick<Fail['check'], 'id'> }): string =>
  idOfKey(findingKey(check.id, subject));
