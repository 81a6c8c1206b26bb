/** The stable id of a finding. */
import { createHash } from 'node:crypto';
import type { Fail } from './check.ts';
import type { Subject } from './judgement.ts';

/** What makes a subject the same one at the next look: pid + start time, socket inode, file, host. */
function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'process':
      return `process ${subject.pid} ${subject.start}`;
    case 'listener':
      return `listener ${subject.protocol} ${subject.address} ${subject.port} ${subject.inode}`;
    case 'file':
      return `file ${subject.path}`;
    case 'host':
      return `host ${subject.name}`;
    case 'desk':
      return 'desk';
  }
}

/** 16 hex digits of SHA-256 over check and subject. */
export function findingId({ check, subject }: Pick<Fail, 'check' | 'subject'>): string {
  return createHash('sha256')
    .update(`${check.id}\0${subjectKey(subject)}`)
    .digest('hex')
    .slice(0, 16);
}
