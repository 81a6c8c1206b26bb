/** Findings and what they are about in a few words, for pages and commands. */
import type { BaselineDiff } from '../records/baseline-diff.ts';
import type { Page } from '../records/page.ts';

export type Finding = Page['findings'][number];
type About = NonNullable<Finding['about']>;

/** `5000: 12, 13 and 4998 more`. */
export function membersText({ count, pids }: Finding['members']): string {
  const more = count - pids.length;
  return `${count}: ${pids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What a finding is about, in a few words. */
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

/** Who a process is, as rows; what could not be read is left out. */
export const aboutRows = (about: About): readonly (readonly [name: string, text: string])[] => [
  ['process', `${about.name} (pid ${about.pid})`],
  ['executable', about.executable],
  [
    'user',
    about.uid === null ? '' : about.user === '' ? `uid ${about.uid}` : `${about.user} (uid ${about.uid})`,
  ],
  ['parent', about.parent === null ? '' : `${about.parent.name} (pid ${about.parent.pid})`],
  ['started', about.started],
  ['directory', about.directory],
  ['command line', about.command ?? ''],
];

type Content = BaselineDiff['changed'][number]['running'];

/** What is known of the content of a program. */
export const contentWords = ({ size, modified, sha256 }: Content): string =>
  `${size} bytes, ${modified}, ${sha256 === '' ? 'digest not read' : `sha256 ${sha256.slice(0, 16)}…`}`;
