/** The startup page: what starts by itself and who vouches for it, accounts, and files of packages. */
import { Accounts } from './accounts-list.tsx';
import { useDesk } from './desk-context.ts';
import { Findings } from './findings.tsx';
import { DeskFrame } from './frame.tsx';
import { PackagesState } from './packages-state.tsx';
import { Empty, number, Section } from './parts.tsx';
import { Starts } from './starts.tsx';

const CHECKS: ReadonlySet<string> = new Set(['startup-entry', 'packaged-file']);

/** Open findings of the checks of this page, as far as the page record has them. */
function FoundHere() {
  const { page } = useDesk();
  const found = page.findings.filter(({ check }) => CHECKS.has(check));
  const left = page.findings_total - page.findings.length;
  return (
    <Section
      id="findings"
      title="Open findings about it"
      aside={<span class="tile-figure">{left > 0 ? `${found.length} or more` : found.length}</span>}
    >
      {found.length === 0 ? (
        <Empty>
          {left > 0
            ? `None of the ${number(page.findings.length)} most severe findings is about it.`
            : 'No open finding is about startup places, accounts or packages.'}
        </Empty>
      ) : (
        <Findings findings={found} total={found.length} />
      )}
      {left > 0 && (
        <p class="soft small">
          This page has the {number(page.findings.length)} most severe findings of all kinds; {number(left)}{' '}
          more are in <a href="/detection">/detection</a>.
        </p>
      )}
    </Section>
  );
}

export const StartupPage = () => (
  <DeskFrame path="/startup.html">
    <div class="page-head">
      <h1>What starts by itself</h1>
      <p class="soft">
        From cron and systemd to the shell profiles of every user: what starts, who vouches for it, and who
        may log in. The tables are read when you see them first and when you ask, not with each recheck.
      </p>
    </div>
    <FoundHere />
    <Starts />
    <Accounts />
    <PackagesState />
  </DeskFrame>
);
