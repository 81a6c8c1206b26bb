/** Links from one thing that the desk knows to the page of another. */
import type { ComponentChildren } from 'preact';
import type { FindingDetail } from '../records/finding-detail.ts';
import { type Finding, subjectText, VOUCHED_WORDS } from '../records/finding-words.ts';
import { Clip } from './long.tsx';
import { Link } from './parts.tsx';

interface Named {
  readonly pid: number;
  /** Clock ticks after boot; without it the link leads to the process that has the pid then. */
  readonly start?: string | undefined;
}

const processPath = ({ pid, start }: Named): string =>
  `/process/${pid}${start === undefined ? '' : `?start=${start}`}`;

export const ProcessLink = ({ of, children }: { of: Named; children?: ComponentChildren }) => (
  <a href={processPath(of)}>{children ?? `process ${of.pid}`}</a>
);

/** Where the startup page shows what a file starts. */
const startupPath = (path: string): string => `/startup.html?find=${encodeURIComponent(path)}#starts`;

/** The process that a finding is about, or that holds its listener; null without one. */
function processOf({ subject, about }: Finding): Named | null {
  if (subject.kind === 'process') return subject;
  return about === null ? null : { pid: about.pid, start: about.start };
}

/** The file of the startup place that a finding is about; null without one. */
const startupOf = ({ subject, check }: Finding): string | null =>
  subject.kind === 'file' && check === 'startup-entry' ? subject.path : null;

/** What a finding is about, with a link to its page where it has one. */
export function SubjectLink({ finding }: { finding: Finding }) {
  const { subject } = finding;
  const [process, startup] = [processOf(finding), startupOf(finding)];
  const text = <Clip text={subjectText(subject)} />;
  if (subject.kind === 'process') return <ProcessLink of={subject}>{text}</ProcessLink>;
  if (startup !== null) return <Link to={startupPath(startup)}>{text}</Link>;
  if (process === null) return text;
  return (
    <>
      {text}, <ProcessLink of={process} />
    </>
  );
}

/** The pages of what a finding is about, for the line below it. */
export function FindingPlaces({ finding }: { finding: Finding }) {
  const [process, startup] = [processOf(finding), startupOf(finding)];
  return (
    <>
      {process !== null && (
        <>
          {', '}
          <ProcessLink of={process} />
        </>
      )}
      {startup !== null && (
        <>
          {', '}
          <Link to={startupPath(startup)}>startup place</Link>
        </>
      )}
    </>
  );
}

/** What would start a process, each with a link to its startup place. */
export const StartedBy = ({ starts }: { starts: FindingDetail['startup']['starts'] }) => (
  <ul class="plain">
    {starts.map(({ path, title, runs, user, when, vouched }) => (
      <li key={[path, runs, when].join('\n')}>
        <Link to={startupPath(path)}>{path}</Link> ({title}):{' '}
        {runs !== path && (
          <>
            <code>
              <Clip text={runs} />
            </code>{' '}
          </>
        )}
        as {user}, {when}; {VOUCHED_WORDS[vouched]}
      </li>
    ))}
  </ul>
);
