/** The office page: whether the desk is well, and if not what to do. */
import { plural } from '../base/plural.ts';
import { LISTENERS } from '../records/listener-columns.ts';
import { PROCESSES } from '../records/process-columns.ts';
import { AlertsSection } from './alerts.tsx';
import { BigTable } from './big-table.tsx';
import { Charts } from './charts.tsx';
import { useDesk } from './desk-context.ts';
import { Findings, Notes, ShutDown } from './findings.tsx';
import { DeskFrame } from './frame.tsx';
import { Clip, Folded } from './long.tsx';
import { Machine } from './machine.tsx';
import { NotSetUp } from './not-set-up.tsx';
import { Glance } from './office-glance.tsx';
import { Section } from './parts.tsx';
import { Talk, TalkOpener } from './talk.tsx';
import { improvementsOf, Verdict } from './verdict.tsx';

/** Steps that are open; the others are folded. */
const FIRST = 8;

function Improvements() {
  const { page } = useDesk();
  const steps = improvementsOf(page.status.hostess_charge.improvements);
  if (steps.length === 0) return null;
  return (
    <Section id="improvements" title="What could be better">
      <Folded
        items={steps}
        first={FIRST}
        more={(count) => plural(count, 'more step')}
        list={(part) => (
          <ul class="lined">
            {part.map((step) => (
              <li key={step}>
                <Clip text={step} />
              </li>
            ))}
          </ul>
        )}
      />
    </Section>
  );
}

export function OfficePage() {
  const { page, actions } = useDesk();
  return (
    <DeskFrame path="/">
      <Verdict>
        <TalkOpener />
      </Verdict>
      <Glance />
      <Machine />
      <Section
        id="findings"
        title="Findings"
        term="scar"
        aside={<span class="tile-figure">{page.findings_total}</span>}
      >
        <Findings findings={page.findings} total={page.findings_total} />
        {page.findings_total > 0 && (
          <p class="soft small">
            {actions?.signedIn ? (
              'Accepting asks for a reason, and shows beforehand what it would cover.'
            ) : (
              <>
                To accept from here, run <code>desk open</code>; in a terminal:{' '}
                <code>desk accept ID --why "…"</code>.
              </>
            )}
          </p>
        )}
      </Section>
      {page.shut_down.length > 0 && (
        <Section id="shut-down" title="Banned listeners that are down">
          <ShutDown all={page.shut_down} />
        </Section>
      )}
      <Charts />
      <AlertsSection />
      <BigTable table={PROCESSES} />
      <BigTable table={LISTENERS} />
      <Section
        id="notes"
        title="What could not be seen"
        term="blind"
        aside={<span class="tile-figure">{page.notes_total}</span>}
      >
        <Notes notes={page.notes} total={page.notes_total} />
      </Section>
      <Improvements />
      <NotSetUp />
      <Talk />
    </DeskFrame>
  );
}
