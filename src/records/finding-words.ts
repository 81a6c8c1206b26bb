/** Findings and what they are about in a few words, for pages and commands. */
import type { BaselineDiff } from './baseline-diff.ts';
import type { Page } from './page.ts';

export type Finding = Page['findings'][number];
type About = NonNullable<Finding['about']>;

/** `5000: 12, 13 and 4998 more`. */
export function membersText({ count, pids }: Finding['members']): string {
  const more = count - pids.length;
  return `${count}: ${pids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function subjectText(subject: Finding['subject']): string {
  switch (subject.kind) {
    case 'process':
      return `process ${subject.pid} (${subject.comm}) ${subject.executable}`.trimEnd();
    case 'listener':
      return `${subject.protocol} listener ${subject.address} port ${subject.port}${subject.namespace === undefined ? '' : ` in network namespace ${subject.namespace}`}`;
    case 'file':
      return `file ${subject.path}`;
    case 'host':
      return `host ${subject.name}`;
    case 'desk':
      return 'the desk itself';
  }
}

type Row = readonly [name: string, text: string];

/** Who a process is, as rows; what could not be read is left out. */
export function aboutRows(about: About): readonly Row[] {
  const { uid, user, parent } = about;
  const rows: Row[] = [
    ['process', `${about.name} (pid ${about.pid})`],
    ['executable', about.executable],
    ['user', uid === null ? '' : user === '' ? `uid ${uid}` : `${user} (uid ${uid})`],
    ['parent', parent === null ? '' : `${parent.name} (pid ${parent.pid})`],
    ['started', about.started],
    ['directory', about.directory],
    ['command line', about.command ?? ''],
  ];
  return rows.filter(([, text]) => text !== '');
}

/** Those that are alike together, in the order of the first of each kind. */
export function alike<T>(all: readonly T[], kindOf: (one: T) => string): readonly (readonly [T, ...T[]])[] {
  const kinds = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const kind = kindOf(one);
    const same = kinds.get(kind);
    if (same === undefined) kinds.set(kind, [one]);
    else same.push(one);
  }
  return [...kinds.values()];
}

type Content = BaselineDiff['changed'][number]['running'];

export const contentWords = ({ size, modified, sha256 }: Content): string =>
  `${size} bytes, ${modified}, ${sha256 === '' ? 'digest not read' : `sha256 ${sha256.slice(0, 16)}…`}`;
