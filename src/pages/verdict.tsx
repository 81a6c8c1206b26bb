/** The verdict: whether the desk is well, its grade as a medal, and if it is not well what to do. */

import type { ComponentChildren } from 'preact';
import { plural } from '../base/plural.ts';
import { capitalised } from '../base/sentence.ts';
import type { Page } from '../records/page.ts';
import { GRADE_WORDS } from '../records/terms.ts';
import { useDesk } from './desk-context.ts';
import { Clip, Folded } from './long.tsx';
import { duration, Time } from './parts.tsx';
import { Term } from './term.tsx';

type Grade = Page['status']['grade'];

/** Gold, silver, bronze, lead. The word is below it, so no meaning is in the colour alone. */
const Medal = ({ grade }: { grade: Grade }) => (
  <p class={`medal ${grade}`} data-grade={grade}>
    <svg viewBox="0 0 96 112" width="96" height="112" aria-hidden="true">
      <path class="medal-ribbon" d="M28 64 18 108l16-8 14 10 14-10 16 8-10-44Z" />
      <circle class="medal-rim" cx="48" cy="45" r="42" />
      <circle class="medal-dots" cx="48" cy="45" r="37.5" pathLength="72" />
      <circle class="medal-face" cx="48" cy="45" r="32.5" />
      <path
        class="medal-mark"
        transform="translate(21.6 18.6) scale(2.2)"
        d="M4 17h16M6 17a6 6 0 0 1 12 0M12 8V6M10.5 6h3"
      />
    </svg>
    <span>
      <span class="sr">Grade </span>
      {grade}
    </span>
  </p>
);

/** A text in two at a mark; the second half is empty where there is none. */
const split = (text: string, at: number, keep = 0): readonly [string, string] =>
  at < 0 ? [text, ''] : [text.slice(0, at + keep), text.slice(at + 2)];

/** A sentence of `issues` as its two halves: what is wrong, and the remedy with which it ends. */
export const halves = (issue: string) => split(issue, issue.lastIndexOf('; '), 1);

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
          </span>{' '}
          {remedy !== '' && (
            <span class="issue-do">
              <Clip text={remedy} />
            </span>
          )}
        </li>
      );
    })}
  </ol>
);

/** Reasons that are open; the others are folded. */
const FIRST = 5;

function summaryOf({ status, verdict, ports, banned, findings_total, notes_total }: Page): string {
  const down = ports.filter(({ up, known }) => !up && known).length;
  const unknown = ports.filter(({ known }) => !known).length;
  const barred = [banned, ...banned.also].filter(({ state }) => state === 'active').length;
  const parts: readonly (readonly [said: boolean, text: string])[] = [
    [findings_total > 0, plural(findings_total, 'finding')],
    [findings_total === 0 && verdict.ok, 'nothing found'],
    [status.scar_count > 0, plural(status.scar_count, 'scar')],
    [notes_total > 0, `${plural(notes_total, 'note')} on what could not be seen`],
    [down === 0 && unknown === 0, 'all desk ports up'],
    [down > 0, `${plural(down, 'desk port')} down`],
    [unknown > 0, `${plural(unknown, 'desk port')} unknown`],
    [barred > 0, `${plural(barred, 'banned port')} up`],
  ];
  return capitalised(`${parts.flatMap(([said, text]) => (said ? [text] : [])).join(', ')}.`);
}

/** The band at the top of the office and of the themed page. */
export function Verdict({ children }: { children?: ComponentChildren }) {
  const { page, live } = useDesk();
  const { status, verdict, banned } = page;
  // The headline is the verdict and what it rests on.
  const [headline, why] = split(verdict.headline, verdict.headline.indexOf(': '));
  return (
    <section class={`band ${verdict.tone}`} aria-labelledby="verdict">
      <Medal grade={status.grade} />
      <div class="verdict-text">
        <h1 id="verdict">{headline}</h1>
        {why !== '' && (
          <p class="verdict-now">
            <Clip text={`${capitalised(why)}.`} />
          </p>
        )}
        <p class={why === '' ? 'verdict-now' : 'soft'}>{summaryOf(page)}</p>
        <p class="soft">
          Grade {status.grade}: {GRADE_WORDS[status.grade]}. <Term of="grade" about="grade" at="grade" />
        </p>
        <ul class="row verdict-when soft" aria-label="When and how fast">
          <li>
            Measured <Time at={live?.ts ?? page.ts} />
          </li>
          <li>
            Recheck{' '}
            <span class="figure" data-recheck>
              {duration(live?.recheck_us ?? page.recheck.last_us)}
            </span>
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
          <strong>Port {banned.port} will be shut down automatically.</strong>
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
          <Folded
            items={status.issues}
            first={FIRST}
            more={(count) => plural(count, 'more reason')}
            list={(part, from) => <IssueList issues={part} from={from} />}
          />
        </div>
      )}
    </section>
  );
}
