/** Findings with their evidence, and notes of what could not be seen. */
import type { ComponentChildren } from 'preact';
import { aboutRows, alike, type Finding, membersText, subjectText } from '../records/finding-words.ts';
import type { Page } from '../records/page.ts';
import { AcceptButton } from './actions.tsx';
import { Clip, clipped, Folded, KeptOpen } from './long.tsx';
import { Origin } from './origin.tsx';
import { Empty, Pairs, plural, State, Time, type Tone, words } from './parts.tsx';

const TONES: Readonly<Record<Finding['severity'], Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'calm',
};

export const Severity = ({ of }: { of: Finding['severity'] }) => <State tone={TONES[of]}>{of}</State>;

type Rows = [string, ComponentChildren][];

/** Who a process is, as pairs; what could not be read is left out. */
const aboutPairs = (about: NonNullable<Finding['about']>): Rows =>
  aboutRows(about).map(([name, text]) => {
    if (name === 'started') return [name, <Time key={name} at={text} />];
    return [name, name === 'command line' ? <code key={name}>{text}</code> : text];
  });

const Head = ({ state, title }: { state: ComponentChildren; title: string }) => (
  <div class="finding-head">
    {state}
    <h3>
      <Clip text={title} />
    </h3>
  </div>
);

const ToRecord = ({ id }: { id: string }) => (
  <a href={`/findings/${encodeURIComponent(id)}`} aria-label={`Record of finding ${id}`}>
    {id}
  </a>
);

/** Banned listeners that are down: who each was, how it ended, how to allow it. */
export const ShutDown = ({ all }: { all: Page['shut_down'] }) => (
  <ul class="findings">
    {all.map(({ at, finding, summary, executable, about, allow }) => (
      <li key={`${at} ${finding}`} class="finding" data-shut-down={finding}>
        <Head state={<State tone="calm">shut down</State>} title={summary} />
        <KeptOpen name={`down ${finding}`} summary="Which process it was, and how to allow it">
          <Pairs
            rows={[
              ...(about === null ? ([['executable', executable]] as Rows) : aboutPairs(about)),
              ['allow it in law.toml', <pre key="allow">{allow}</pre>],
            ]}
          />
        </KeptOpen>
        <div class="row apart finding-foot">
          <span class="soft small">
            <Time at={at} />, <ToRecord id={finding} />
          </span>
        </div>
      </li>
    ))}
  </ul>
);

/** Everything that was read, as pairs; what is empty is left out. */
function evidenceOf(finding: Finding): Rows {
  const { check, avenue, subject, members, evidence, about, evidence_class, last_seen, title } = finding;
  const rows: Rows = [['subject', subjectText(subject)]];
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

/** One finding: how bad, what, what to do; its evidence folded away. */
function FindingCard({ finding }: { finding: Finding }) {
  const { id, severity, title, remedy, benign, first_seen, members, scar } = finding;
  return (
    <li class={`finding ${TONES[severity]}-edge`} data-finding={id} data-severity={severity}>
      <Head state={<Severity of={severity} />} title={title} />
      <p class="finding-do">
        <Clip text={remedy || 'No remedy is known; check the evidence.'} />
      </p>
      <KeptOpen name={id} summary="Evidence and why it may be benign">
        <Pairs rows={[['may be benign', benign || 'no reason is known'], ...evidenceOf(finding)]} />
        <Origin id={id} />
      </KeptOpen>
      <div class="row apart finding-foot">
        <span class="soft small">
          since <Time at={first_seen} />
          {members.count > 1 && `, ${members.count} processes`}
          {scar && ', a scar'}
          {', '}
          <ToRecord id={id} />
        </span>
        <AcceptButton finding={finding} />
      </div>
    </li>
  );
}

const MoreInRecord = ({ count }: { count: number }) =>
  count > 0 ? (
    <p>
      And {count} more in <a href="/detection">/detection</a>.
    </p>
  ) : null;

/** Findings that are open on the page; the others are folded. */
const FIRST = 6;

export const FindingList = ({ findings }: { findings: readonly Finding[] }) => (
  <ul class="findings">
    {findings.map((finding) => (
      <FindingCard key={finding.id} finding={finding} />
    ))}
  </ul>
);

/** `findings`: the most severe of `total`, first. */
export const Findings = ({ findings, total }: { findings: readonly Finding[]; total: number }) => (
  <>
    {findings.length === 0 ? (
      <Empty>Nothing is found: every check that could read its evidence passed.</Empty>
    ) : (
      <Folded
        items={findings}
        first={FIRST}
        more={(count) => plural(count, 'more finding')}
        list={(part) => <FindingList findings={part} />}
      />
    )}
    <MoreInRecord count={total - findings.length} />
  </>
);

/** What could not be read and how to make it readable; checks with the same reason are shown together. */
export function Notes({ notes, total }: { notes: Page['notes']; total: number }) {
  const kinds = alike(notes, ({ reason, cure }) => JSON.stringify([reason, cure]));
  if (kinds.length === 0) return <Empty>Everything that the checks need could be read.</Empty>;
  return (
    <>
      <ul class="lined notes">
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
      <MoreInRecord count={total - notes.length} />
    </>
  );
}
