/** Reads the digest of the file that a process runs, or that lies at its path once the process has ended. */
import type { Logger } from 'pino';
import { isLossy } from '../../base/visible-text.ts';
import { imageKey } from '../../checks/content.ts';
import type { ProcessSubject } from '../../checks/subjects.ts';
import type { Note } from '../../privileges/child.ts';
import { type DigestAnswer, Helper } from './helper.ts';

/** A large file on a slow disk takes this long, and on a busy machine thrice as long; what takes longer counts as unread. */
const DEADLINE_MS = 10_000;
const MOST_MS = 30_000;

export type DigestHelper = Pick<Helper, 'digest' | 'digestAt' | 'close'>;

export const digestHelper = (note?: Note): DigestHelper =>
  new Helper({ deadlineMs: DEADLINE_MS, mostMs: MOST_MS, ...(note && { note }) });

interface Wanted {
  readonly subject: ProcessSubject;
  /** `imageKey` of the file that it ran when it was looked at. */
  readonly key: string;
  readonly ended?: true;
}

/**
 * The digest; "" when it cannot be read. `gone` is called when the process has ended: it gives another one that still runs the
 * file, which is the answer then.
 */
export async function readDigest<Other>(
  { subject, key, ended }: Wanted,
  helper: DigestHelper,
  log: Logger,
  gone: () => Other | undefined,
): Promise<string | Other> {
  const { pid, start, executable } = subject;
  // Another file than was looked at says nothing of that one.
  const digestIn = (answer: DigestAnswer): string =>
    answer.kind === 'digest' && imageKey(answer.content) === key ? answer.content.sha256 : '';
  let answer: DigestAnswer = ended ? { kind: 'gone' } : await helper.digest(pid, start);
  const sha256 = digestIn(answer);
  if (sha256 !== '') return sha256;
  const other = answer.kind === 'gone' ? gone() : undefined;
  if (other !== undefined) return other;
  // Its process runs no more, or something else; the file may still lie where it lay.
  if ((answer.kind === 'gone' || answer.kind === 'digest') && isWholePath(executable))
    answer = await helper.digestAt(executable, pid, start);
  const found = digestIn(answer);
  if (found === '') log.debug({ executable, answer }, 'the content of a program was not read');
  return found;
}

/** It was not unlinked, and no byte of it was lost when it became text. */
const isWholePath = (path: string): boolean =>
  path.startsWith('/') && !path.endsWith(' (deleted)') && !isLossy(path);
