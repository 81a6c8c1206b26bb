/** What is known of a process in words: for its page and its command. */
import { PROCESSES } from './process-columns.ts';
import type { ProcessDetail } from './process-detail.ts';
import { wordsOf } from './table-cells.ts';

export const NOT_KNOWN = 'not known';

/** A value of the process table. */
export const cellText = (row: ProcessDetail['row'], key: keyof typeof PROCESSES.columns): string =>
  wordsOf(PROCESSES.columns[key], row[key], NOT_KNOWN);

export function userText({ row, about, effective_uid: euid }: ProcessDetail): string {
  const { uid } = row;
  if (uid === null) return NOT_KNOWN;
  const name = about === null || about.user === '' ? `uid ${uid}` : `${about.user} (uid ${uid})`;
  return euid === null || euid === uid ? name : `${name}, with the rights of uid ${euid}`;
}

/** Where `returns` says that nothing was found to start it again. */
const RETURNS: Readonly<Record<ProcessDetail['returns'], string>> = {
  yes: '',
  not_found: 'No known startup place names it, and all were read.',
  unknown: 'Not known: ',
  none: 'It is about no process.',
};

export const returnsText = ({ returns, returns_reason: reason }: ProcessDetail): string =>
  RETURNS[returns] + (returns === 'unknown' ? `${reason}.` : '');

export const namespaceText = ({ inode, differs }: ProcessDetail['namespaces'][number]): string =>
  inode === null ? NOT_KNOWN : `${inode}${differs === null ? '' : differs ? ', its own' : ', that of pid 1'}`;
