/** The verdict: whether the desk is well, and if not what to do. */
import type { ComponentChildren } from 'preact';
import type { Page } from '../records/page.ts';
import { useDesk } from './desk-context.ts';
import { Clip, Folded } from './long.tsx';
import { GRADES, Medal } from './medal.tsx';
import { duration, plural, Time } from './parts.tsx';

/** The headline as its two halves: the verdict, and what it rests on. */
export function headlineOf({ verdict: { headline } }: Page): readonly [verdict: string, why: string] {
  const at = headline.indexOf(': ');
  return at < 0 ? [headline, ''] : [headline.slice(0, at), headline.slice(at + 2)];
}

/** A sentence of `issues` as its two halves: what is wrong, and the remedy with which it ends. */
export function halves(issue: string): readonly [what: string, remedy: string] {
  const at = issue.lastIndexOf('; ');
  return at < 0 ? [issue, ''] : [issue.slice(0, at + 1), issue.slice(at + 2)];
}

/** `improvements` of the charge report, one each. */
export const improvementsOf = (text: string): string[] => text.split('; ').filter((one) => one !== '');

/** Each reason for not being well, numbered, with its remedy. */
const IssueList = ({ issues, from }: { issues: readonly string[]; from: number }) => (
  <ol class="reasons" start={from + 1}>
    {issues.map((issue, at) => {
      const [what, remedy] = halves(issue);
      return (
        <li key={at}>
          <span class="issue-number" aria-hidden="true">
            {from + at + 1}
          </span>
          <span class="issue-what">
            <Clip text={what} />
          </span>
          {remedy !== '' && (
            <>
              {' '}
              <span class="issue-do">
                <Clip text={remedy} />
              </span>
            </>
          )}
        </li>
      );
    })}
  </ol>
);

/** Reasons that stand open; the others are folded. */
const FIRST = 5;

export const Issues = ({ issues }: { issues: readonly string[] }) => (
  <Folded
    items={issues}
    first={FIRST}
    more={(count) => plural(count, 'more reason')}
    list={(part, from) => <IssueList issues={part} from={from} />}
  />
);

/** How long the last recheck took, as it comes. */
export function Recheck() {
  const { page, live } = useDesk();
  return (
    <span class="figure" data-recheck>
      {duration(live?.recheck_us ?? page.recheck.last_us)}
    </span>
  );
}

function summaryOf({ status, verdict, ports, banned, findings_total, notes_total }: Page): string {
  const down = ports.filter(({ up, known }) => !up && known).length;
  const unknown = ports.filter(({ known }) => !known).length;
  const barred = [banned, ...banned.also].filter(({ state }) => state === 'active').length;
  const seen = [
    ...(findings_total > 0 ? [plural(findings_total, 'finding')] : verdict.ok ? ['Nothing found'] : []),
    ...(status.scar_count > 0 ? [plural(status.scar_count, 'scar')] : []),
    ...(notes_total > 0 ? [`${plural(notes_total, 'note')} on what could not be seen`] : []),
    ...(down === 0 && unknown === 0 ? ['all desk ports up'] : []),
    ...(down > 0 ? [`${plural(down, 'desk port')} down`] : []),
    ...(unknown > 0 ? [`${plural(unknown, 'desk port')} unknown`] : []),
    ...(barred > 0 ? [`${plural(barred, 'banned port')} up`] : []),
  ];
  const text = `${seen.join(', ')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The band at the top of the office and of the themed page. */
export function Verdict({ children }: { children?: ComponentChildren }) {
  const { page, live } = useDesk();
  const { status, verdict, banned } = page;
  const [headline, why] = headlineOf(page);
  return (
    <section class={`band ${verdict.tone}`} aria-labelledby="verdict">
      <Medal grade={status.grade} />
      <div class="verdict-text">
        <h1 id="verdict">{headline}</h1>
        {why !== '' && (
          <p class="verdict-now">
            <Clip text={`${why.charAt(0).toUpperCase()}${why.slice(1)}.`} />
          </p>
        )}
        <p class={why === '' ? 'verdict-now' : 'soft'}>{summaryOf(page)}</p>
        <p class="soft">
          Grade {status.grade}: {GRADES[status.grade]}.
        </p>
        <ul class="verdict-when soft" aria-label="When and how fast">
          <li>
            Measured <Time at={live?.ts ?? page.ts} />
          </li>
          <li>
            Recheck <Recheck />
          </li>
          <li>
            Median <span class="figure">{duration(page.recheck.p50_us)}</span>
          </li>
        </ul>
        <span class="sr" role="status">{`${headline}, grade ${status.grade}`}</span>
      </div>
      {children !== undefined && <div class="verdict-side">{children}</div>}
      {banned.pending.length > 0 && (
        <div class="pending" role="alert">
          <strong>Port {banned.port} will be shut down by itself.</strong>
          <ul>
            {banned.pending.map((advice, at) => (
              <li key={at}>
                <Clip text={advice} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {status.issues.length > 0 && (
        <div class="verdict-issues">
          <h2>What is wrong, and what to do</h2>
          <Issues issues={status.issues} />
        </div>
      )}
    </section>
  );
}
