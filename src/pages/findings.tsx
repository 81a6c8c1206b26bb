/** Findings with their evidence, and notes of what could not be seen. */

import type { ComponentChildren } from 'preact';
import { plural } from '../base/plural.ts';
import { aboutRows, alike, type Finding } from '../records/finding-words.ts';
import type { Page } from '../records/page.ts';
import { AcceptButton } from './actions.tsx';
import { useDesk } from './desk-context.ts';
import { FindingPlaces, ProcessLink, SubjectLink } from './links-to.tsx';
import { Clip, clipped, Folded, KeptOpen } from './long.tsx';
import { Origin } from './origin.tsx';
import { Empty, Pairs, State, Time, type Tone, words } from './parts.tsx';

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

/** `5000: 12, 13 and 4998 more`, each with its page. */
const Members = ({ of: { count, pids } }: { of: Finding['members'] }) => (
  <>
    {count}:{' '}
    {pids.map((pid, at) => (
      <span key={pid}>
        {at > 0 && ', '}
        <ProcessLink of={{ pid }}>{pid}</ProcessLink>
      </span>
    ))}
    {count > pids.length && ` and ${count - pids.length} more`}
  </>
);

/** Everything that was read, as pairs; what is empty is left out. */
function evidenceOf(finding: Finding): Rows {
  const { check, avenue, subject, members, evidence, about, evidence_class, last_seen, title } = finding;
  const rows: Rows = [['subject', <SubjectLink key="subject" finding={finding} />]];
  if (clipped(title) !== title) rows.unshift(['in full', title]);
  if (subject.kind === 'process') {
    if (subject.identity !== subject.executable) rows.push(['identity', subject.identity]);
    if (subject.uid !== null && about === null) rows.push(['uid', String(subject.uid)]);
    if (members.count > 1) rows.push(['processes', <Members key="members" of={members} />]);
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
    <li
      id={`finding-${id}`}
      class={`finding ${TONES[severity]}-edge`}
      data-finding={id}
      data-severity={severity}
    >
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
          <FindingPlaces finding={finding} />
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

/** Checks of which the page has no finding, because others are more severe. */
function NotListed({ findings }: { findings: readonly Finding[] }) {
  const { page } = useDesk();
  const shown = new Set(findings.map(({ severity, check }) => `${severity} ${check}`));
  const rest = page.finding_groups.filter(({ severity, check }) => !shown.has(`${severity} ${check}`));
  if (rest.length === 0) return null;
  return (
    <ul class="lined">
      {rest.map(({ severity, check, about, count }) => (
        <li key={`${severity} ${check}`}>
          <Severity of={severity} />{' '}
          <a href={`/detection?severity=${severity}`}>{plural(count, 'finding')}</a> of <code>{check}</code>:{' '}
          {about}
        </li>
      ))}
    </ul>
  );
}

export const FindingList = ({ findings }: { findings: readonly Finding[] }) => (
  <ul class="findings">
    {findings.map((finding) => (
      <FindingCard key={finding.id} finding={finding} />
    ))}
  </ul>
);

/** Findings of one check and severity. */
interface Group {
  readonly key: string;
  readonly severity: Finding['severity'];
  readonly check: string;
  /** Those that the page has. */
  readonly shown: readonly [Finding, ...Finding[]];
}

export const groupsOf = (findings: readonly Finding[]): readonly Group[] =>
  alike(findings, ({ severity, check }) => `${severity} ${check}`).map((shown) => {
    const [{ severity, check }] = shown;
    return { key: `${severity} ${check}`, severity, check, shown };
  });

/** A group of so many is closed; fewer are shown one by one. */
const MANY = 4;
/** Findings of a group that are shown when it is opened; the others are folded. */
const FIRST_OF_GROUP = 10;

/** `listed`: only the findings that are given count, not all of their check. */
function FindingGroup({ group, listed = false }: { group: Group; listed?: boolean | undefined }) {
  const { page } = useDesk();
  const { key, severity, check, shown } = group;
  const known = page.finding_groups.find((one) => one.severity === severity && one.check === check);
  const count = listed ? shown.length : Math.max(known?.count ?? 0, shown.length);
  if (count < MANY) return <FindingList findings={shown} />;
  return (
    <KeptOpen
      name={`group ${key}`}
      class={`finding-group ${TONES[severity]}-edge`}
      summary={
        <>
          <Severity of={severity} /> <strong>{plural(count, 'finding')}</strong> of <code>{check}</code>
          <span class="group-about">{known?.about}</span>
          <span class="soft small">
            <Clip text={shown[0].title} /> and {count - 1} more
          </span>
        </>
      }
    >
      <Folded
        items={shown}
        first={FIRST_OF_GROUP}
        more={(rest) => plural(rest, 'more finding')}
        list={(part) => <FindingList findings={part} />}
      />
      {count > shown.length && (
        <p class="soft small">
          {count - shown.length} more of this check are in{' '}
          <a href={`/detection?severity=${severity}`}>/detection</a>.
        </p>
      )}
    </KeptOpen>
  );
}

/** Groups that are in sight; the others are folded. */
const FIRST = 6;

interface Grouped {
  readonly findings: readonly Finding[];
  /** Only these count, not all of their checks. */
  readonly listed?: boolean | undefined;
}

export const FindingGroups = ({ findings, listed }: Grouped) => (
  <Folded
    items={groupsOf(findings)}
    first={FIRST}
    more={(count) => `Findings of ${plural(count, 'more check')}`}
    list={(part) => (
      <div class="finding-groups">
        {part.map((group) => (
          <FindingGroup key={group.key} group={group} listed={listed} />
        ))}
      </div>
    )}
  />
);

/** `findings`: the most severe of `total`, first. */
export const Findings = ({ findings, total, listed }: Grouped & { total: number }) => (
  <>
    {findings.length === 0 ? (
      <Empty>Nothing is found: every check that could read its evidence passed.</Empty>
    ) : (
      <FindingGroups findings={findings} listed={listed} />
    )}
    {total > findings.length && <NotListed findings={findings} />}
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
                {'Could not check: '}
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
