/** The hostess page: the charge report for people, the scar gate, and what can be done. */
import { ActionBar } from './actions.tsx';
import { useDesk } from './desk-context.ts';
import { AvenueCards, Duties, Figures } from './duties.tsx';
import { DeskFrame } from './frame.tsx';
import { Clip } from './long.tsx';
import { Code, Link, Section, State, Time, words } from './parts.tsx';
import { ScarGate } from './pipeline.tsx';
import { WarMachine } from './radar.tsx';
import { Term } from './term.tsx';
import { improvementsOf } from './verdict.tsx';

function Verdict() {
  const { page } = useDesk();
  const charge = page.status.hostess_charge;
  const better = improvementsOf(charge.improvements);
  return (
    <header class="verdict">
      <div class="termed">
        <h1>
          {charge.she} is <State tone={charge.ok ? 'good' : 'bad'}>{charge.ok ? 'ok' : 'not ok'}</State>
        </h1>
        <Term of="hostess" about={charge.she} at="hostess" />
      </div>
      <p>{words(charge.charge_line)}</p>
      {charge.issues.length > 0 && (
        <ul class="issues">
          {charge.issues.map((issue) => (
            <li key={issue}>
              <Clip text={issue} />
            </li>
          ))}
        </ul>
      )}
      {better.length > 0 && (
        <details>
          <summary>What could be done ({better.length})</summary>
          <ul>
            {better.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </details>
      )}
      <p class="soft small">
        Measured <Time at={charge.ts} />.
      </p>
    </header>
  );
}

function Talk() {
  const { talk, pages, philosophy, law } = useDesk().page.status.hostess_charge;
  const call = (text: string) => (text === '' ? <Link to="" /> : <Code>{text}</Code>);
  return (
    <Section
      id="talk"
      title="Asking the hostess"
      term="hostess"
      rows={[
        ['Ask her', call(talk.her)],
        ['With the assistant', call(talk.assistant_to_her)],
        ['Her report', call(talk.charge)],
        ['Flyout', <Link key="flyout" to={pages.flyout} />],
        ['Live', <Link key="live" to={pages.live} />],
      ]}
    >
      <p class="philosophy">{philosophy}</p>
      <p class="soft">{law}</p>
    </Section>
  );
}

export function HostessPage() {
  const { page } = useDesk();
  const { grade, score } = page.status.hostess_charge.war_machine;
  return (
    <DeskFrame path="/hostess7.html">
      <Verdict />
      <ActionBar />
      <WarMachine axes={page.axes} grade={grade} score={score} />
      <ScarGate gate={page.gate} />
      <AvenueCards page={page} />
      <Figures page={page} />
      <div class="grid">
        <Duties duties={page.duties} />
        <Talk />
      </div>
    </DeskFrame>
  );
}
