/** The themed page: the same status in a simple layout, in the colours of the user's theme. */
import { useDesk } from './desk-context.ts';
import { Severity } from './findings.tsx';
import { DeskFrame } from './frame.tsx';
import { Clip } from './long.tsx';
import { Avenues, PortList, SiteFacts, SiteState } from './office-glance.tsx';
import { Empty, Section } from './parts.tsx';
import { Verdict } from './verdict.tsx';

/** Findings that are named; this listener has no page for the others. */
const NAMED = 10;

export function ThemedPage() {
  const { page } = useDesk();
  const more = page.findings_total - Math.min(page.findings.length, NAMED);
  return (
    <DeskFrame path="/" nav={[]}>
      <div class="themed">
        <Verdict />
        <div class="themed-columns">
          <Section id="ports" title="Ports">
            <PortList page={page} />
          </Section>
          <Section id="avenues" title="Areas of checks" term="avenue">
            <Avenues avenues={page.status.hostess_charge.antivirus.avenues} />
          </Section>
          <Section id="site" title="Site" aside={<SiteState site={page.site} />}>
            <SiteFacts site={page.site} />
          </Section>
          <Section
            id="findings"
            title="Findings"
            aside={<span class="tile-figure">{page.findings_total}</span>}
          >
            {page.findings.length === 0 && <Empty>Nothing is found.</Empty>}
            <ul class="lined">
              {page.findings.slice(0, NAMED).map(({ id, severity, summary }) => (
                <li key={id} data-finding={id}>
                  <Severity of={severity} /> <Clip text={summary} />
                </li>
              ))}
            </ul>
            {more > 0 && <p class="soft">And {more} more at the desk office.</p>}
          </Section>
        </div>
      </div>
    </DeskFrame>
  );
}
