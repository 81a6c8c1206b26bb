/** Findings with their evidence, and notes of what could not be seen. */
import type { ComponentChildren } from 'preact';
import { aboutRows, alike, type Finding, membersText, subjectText } from '../records/finding-words.ts';
import type { Page } from '../records/page.ts';
import { KeptOpen } from './kept-open.tsx';
import { Clip, clipped, Folded } from './long.tsx';
import { Empty, Pairs, plural, State, Time, type Tone, words } from './parts.tsx';

type Note = Page['notes'][number];

const TONES: Readonly<Record<Finding['severity'], Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'calm',
};

export const Severity = ({ of }: { of: Finding['severity'] }) => <State tone={TONES[of]}>{of}</State>;

/** Who a process is, as pairs; what could not be read is left out. */
const aboutPairs = (about: NonNullable<Finding['about']>): [string, ComponentChildren][] =>
  aboutRows(about).map(([name, text]) => [
    name,
    name === 'started' ? (
      <Time key={name} at={text} />
    ) : name === 'command line' ? (
      <code key={name}>{text}</code>
    ) : (
      text
    ),
  ]);

/** Banned listeners that are down: who each was, how it ended, how to allow it. */
export function ShutDown({ all }: { all: Page['shut_down'] }) {
  return (
    <ul class="findings">
      {all.map(({ at, finding, summary, executable, about, allow }) => (
        <li key={`${at} ${finding}`} class="finding calm-edge" data-shut-down={finding}>
          <div class="finding-head">
            <State tone="calm">shut down</State>
            <h3>
              <Clip text={summary} />
            </h3>
          </div>
          <KeptOpen name={`down ${finding}`} summary="Who it was, and how to allow it">
            <Pairs
              rows={[
                ...(about === null ? [['executable', executable] as [string, string]] : aboutPairs(about)),
                ['allow it in law.toml', <pre key="allow">{allow}</pre>],
              ]}
            />
          </KeptOpen>
          <div class="finding-foot">
            <span class="soft small">
              <Time at={at} />,{' '}
              <a
                href={`/findings/${encodeURIComponent(finding)}`}
                aria-label={`Record of finding ${finding}`}
              >
                {finding}
              </a>
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Everything that was read, as pairs; what is empty is left out. */
function evidenceOf({
  check,
  avenue,
  subject,
  members,
  evidence,
  about,
  evidence_class,
  last_seen,
  title,
}: Finding) {
  const rows: [string, ComponentChildren][] = [['subject', subjectText(subject)]];
  if (clipped(title) !== title) rows.unshift(['in full', title]);
  if (subject.kind === 'process') {
    if (subject.identity !== subject.executable) rows.push(['identity', subject.identity]);
    if (subject.uid !== null && about === null) rows.push(['uid', String(subject.uid)]);
    if (members.count > 1) rows.push(['processes', membersText(members)]);
  }
  if (about !== null) rows.push(...aboutPairs(about));
  for (const [name, value] of Object.entries(evidence))
    if (value !== '') rows.push([words(name), String(value)]);
  if (evidence_class !== '') rows.push(['class', evidence_class]);
  rows.push(['check', <code key="check">{check}</code>], ['avenue', words(avenue)]);
  rows.push(['last seen', <Time key="last" at={last_seen} />]);
  return rows;
}

interface CardProps {
  readonly finding: Finding;
  /** What can be done about it here. */
  readonly action?: ComponentChildren;
  /** The listener answers `/findings/ID`. */
  readonly linked?: boolean;
}

/** One finding: how bad, what, what to do; its evidence folded away. */
export function FindingCard({ finding, action, linked = true }: CardProps) {
  const { id, severity, title, remedy, benign, first_seen, members, scar } = finding;
  return (
    <li class={`finding ${TONES[severity]}-edge`} data-finding={id} data-severity={severity}>
      <div class="finding-head">
        <Severity of={severity} />
        <h3>
          <Clip text={title} />
        </h3>
      </div>
      <p class="finding-do">
        <Clip text={remedy || 'Nothing is known that could be done; look at the evidence.'} />
      </p>
      <KeptOpen name={id} summary="Evidence and why it may be benign">
        <Pairs rows={[['may be benign', benign || 'no reason is known'], ...evidenceOf(finding)]} />
      </KeptOpen>
      <div class="finding-foot">
        <span class="soft small">
          since <Time at={first_seen} />
          {members.count > 1 && `, ${members.count} processes`}
          {scar && ', a scar'}
          {', '}
          {linked ? (
            <a href={`/findings/${encodeURIComponent(id)}`} aria-label={`Record of finding ${id}`}>
              {id}
            </a>
          ) : (
            <code>{id}</code>
          )}
        </span>
        {action}
      </div>
    </li>
  );
}

/** Findings that are open on the page; the others are folded. */
const FIRST = 6;

interface FindingsProps {
  /** The most severe first. */
  readonly findings: readonly Finding[];
  readonly total: number;
  readonly action?: (finding: Finding) => ComponentChildren;
}

export function Findings({ findings, total, action }: FindingsProps) {
  const list = (part: readonly Finding[]) => (
    <ul class="findings">
      {part.map((finding) => (
        <FindingCard key={finding.id} finding={finding} action={action?.(finding)} />
      ))}
    </ul>
  );
  return (
    <>
      {findings.length === 0 ? (
        <Empty>Nothing is found: every check that could look is satisfied.</Empty>
      ) : (
        <Folded items={findings} first={FIRST} more={(count) => plural(count, 'more finding')} list={list} />
      )}
      {total > findings.length && (
        <p>
          And {total - findings.length} more in <a href="/detection">/detection</a>.
        </p>
      )}
    </>
  );
}

/** What could not be seen and what would cure that; checks with the same reason are shown together. */
export function Notes({ notes, total }: { notes: readonly Note[]; total: number }) {
  const kinds = alike(notes, ({ reason, cure }) => JSON.stringify([reason, cure]));
  if (kinds.length === 0) return <Empty>Everything that the checks ask for could be read.</Empty>;
  return (
    <>
      <ul class="notes">
        {kinds.map((same) => {
          const [{ reason, cure }] = same;
          return (
            <li key={reason + cure}>
              <p>
                <Clip text={reason} />
              </p>
              {cure !== '' && (
                <p class="finding-do">
                  <Clip text={cure} />
                </p>
              )}
              <p class="soft small">
                {'Blind: '}
                {same
                  .map(({ check, subjects }) => (subjects > 1 ? `${check} (${subjects})` : check))
                  .join(', ')}
              </p>
            </li>
          );
        })}
      </ul>
      {total > notes.length && (
        <p>
          And {total - notes.length} more in <a href="/detection">/detection</a>.
        </p>
      )}
    </>
  );
}
