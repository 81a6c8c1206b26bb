/** Findings and what they are about in a few words, for pages and commands. */
import type { BaselineDiff } from './baseline-diff.ts';
import type { FindingDetail } from './finding-detail.ts';
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
  const { uid, user, parent, ancestors, unit } = about;
  const parents = ancestors.length > 0 ? ancestors : parent === null ? [] : [parent];
  const rows: Row[] = [
    ['process', `${about.name} (pid ${about.pid})`],
    ['executable', about.executable],
    ['user', uid === null ? '' : user === '' ? `uid ${uid}` : `${user} (uid ${uid})`],
    [
      parents.length > 1 ? 'parents' : 'parent',
      parents.map(({ name, pid }) => `${name} (pid ${pid})`).join(' ‹ '),
    ],
    ['unit', unit],
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

/** Who vouches for what would start a process. */
export const VOUCHED_WORDS: Readonly<Record<FindingDetail['startup']['starts'][number]['vouched'], string>> =
  {
    package: 'as its package has it',
    changed: 'changed since its package was installed',
    earlier: 'as it was before its file changed',
    copy: 'a copy of a packaged file',
    none: 'no package vouches for it',
  };

/** What a finding has to do with what starts by itself, as rows. */
export function startupRows({ returns, reason, starts, running }: FindingDetail['startup']): readonly Row[] {
  const again =
    returns === 'unknown' ? `not known: ${reason}` : returns === 'not_found' ? 'no known place names it' : '';
  const rows: Row[] = [
    ['starts again', again],
    ...starts.map(({ path, title, runs, user, when, vouched }): Row => {
      const what = runs === path ? '' : `"${runs}" `;
      return ['starts again', `${path} (${title}): ${what}as ${user}, ${when}; ${VOUCHED_WORDS[vouched]}`];
    }),
    ['runs now', running.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')],
  ];
  return rows.filter(([, text]) => text !== '');
}
