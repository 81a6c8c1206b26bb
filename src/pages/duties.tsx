/** What the hostess is in charge of, her avenues with their checks, and her figures. */

import type { ComponentChildren } from 'preact';
import { plural } from '../base/plural.ts';
import type { Page } from '../records/page.ts';
import { FindingGroups, Notes } from './findings.tsx';
import { Unset } from './not-set-up.tsx';
import { openCount } from './office-glance.tsx';
import { Code, duration, Empty, Section, Soft, State, Table, Time, words } from './parts.tsx';
import { Term } from './term.tsx';

type Charge = Page['status']['hostess_charge'];
type Avenue = Charge['antivirus']['avenues'][number];

const yes = (value: boolean) => (value ? <State tone="good">yes</State> : <State tone="warn">no</State>);
const known = (value: number | null): ComponentChildren => value ?? <Soft>not learned yet</Soft>;

function stateOf({ configured, in_charge: inCharge }: Page['duties'][number]) {
  if (inCharge) return <State tone="good">in charge</State>;
  return configured ? <State tone="bad">does not run</State> : <State tone="calm">not configured</State>;
}

const DutyTable = ({ caption, duties }: Pick<Page, 'duties'> & { caption: string }) => (
  <Table
    caption={caption}
    columns={[{ head: 'Duty', class: 'whole' }, { head: 'State, and why' }]}
    keys={duties.map(({ name }) => name)}
    rows={duties.map((duty) => [
      words(duty.name),
      <>
        {stateOf(duty)} <Soft>{duty.reason}</Soft>
      </>,
    ])}
  />
);

export function Duties({ duties }: Pick<Page, 'duties'>) {
  const unset = duties.filter(({ configured }) => !configured);
  return (
    <Section id="duties" title="What it takes care of" term="duty">
      <DutyTable caption="Duties" duties={duties.filter(({ configured }) => configured)} />
      <Unset count={unset.length} names={unset.map(({ name }) => words(name)).join(', ')}>
        <DutyTable caption="Duties that are not configured" duties={unset} />
      </Unset>
    </Section>
  );
}

const Check = ({ id, findings, blind }: Page['checks'][number]) => (
  <li class={findings > 0 ? 'bad' : blind > 0 ? 'warn' : 'good'} data-check={id}>
    {id}
    {findings + blind === 0 ? (
      <span class="sr"> quiet</span>
    ) : (
      <b> {findings > 0 ? plural(findings, 'finding') : `could not check ${blind}`}</b>
    )}
  </li>
);

function AvenueCard({ avenue, page }: { avenue: Avenue; page: Page }) {
  const { id, name, open, detail } = avenue;
  const findings = page.findings.filter((finding) => finding.avenue === id);
  const notes = page.notes.filter((note) => note.avenue === id);
  return (
    <section class="card" aria-labelledby={`avenue-${id}`} data-avenue={id}>
      <div class="row apart card-head">
        <h3 id={`avenue-${id}`}>{words(id)}</h3>
        <State tone={open ? (findings.length > 0 ? 'bad' : 'warn') : 'good'}>
          {open ? 'open' : 'closed'}
        </State>
      </div>
      <p class="soft">{name}</p>
      <ul class="row small checks" aria-label="Checks">
        {page.checks
          .filter((check) => check.avenue === id)
          .map((check) => (
            <Check key={check.id} {...check} />
          ))}
      </ul>
      {findings.length > 0 && <FindingGroups findings={findings} />}
      {notes.length > 0 && <Notes notes={notes} total={notes.length} />}
      {findings.length + notes.length === 0 && (
        <Empty>{open ? detail : 'Nothing was found, and everything could be read.'}</Empty>
      )}
    </section>
  );
}

export function AvenueCards({ page }: { page: Page }) {
  const { avenues, detail } = page.status.hostess_charge.antivirus;
  const more = page.findings_total - page.findings.length;
  const moreNotes = page.notes_total - page.notes.length;
  return (
    <section aria-labelledby="avenues" class="avenues">
      <div class="row apart card-head">
        <div class="termed">
          <h2 id="avenues">Checks by area</h2>
          <Term of="avenue" about="Checks by area" at="avenues" />
        </div>
        <Soft>
          {openCount(avenues)} of {avenues.length} open
        </Soft>
      </div>
      {(more > 0 || moreNotes > 0) && (
        <p>
          Shown are the most severe; {more} more findings and {moreNotes} more notes are in{' '}
          <a href="/detection">/detection</a>.
        </p>
      )}
      <div class="grid">
        {avenues.map((avenue) => (
          <AvenueCard key={avenue.id} avenue={avenue} page={page} />
        ))}
      </div>
      <p class="soft small">
        <Code>{detail}</Code>
      </p>
    </section>
  );
}

/** Counts, learning, listening. */
export function Figures({ page }: { page: Page }) {
  const { check, learn, antivirus, security_learn: secure, forever } = page.status.hostess_charge;
  const { gate, baseline, recheck } = page;
  return (
    <div class="grid">
      <Section
        id="learn"
        title="Learning"
        term="baseline"
        rows={[
          ['Everything known', yes(check.full_learned)],
          [
            'Held',
            gate.a === 0 || gate.learned === null
              ? 'generation 0, the empty baseline'
              : [`generation ${gate.a}, `, <Time key="learned" at={gate.learned} />],
          ],
          ['Known programs', known(learn.vocab_total)],
          ['Of these seen again', known(learn.vocab_correct)],
          ['All rows', known(learn.learned_rows)],
          ['Unknown programs', secure.new_comm],
          [
            'To review',
            baseline.to_review === 0
              ? 'nothing'
              : [`${baseline.to_review}, see `, <Code key="review">desk baseline review</Code>],
          ],
          ['Learning window', baseline.window_open ? <State tone="warn">open</State> : 'closed'],
        ]}
      />
      <Section
        id="checks"
        title="Checks"
        term="explained"
        rows={[
          ['Judged', check.mega_N],
          ['Passed', check.pass],
          ['Failed', check.fail],
          ['Could not check', page.blind],
          ['Explained', page.excused],
          ['Open score', antivirus.open_score],
          ['Last recheck', duration(recheck.last_us)],
          ['Median', duration(recheck.p50_us)],
          ['Mode', forever.on ? `${forever.mode}, continuously` : 'on demand'],
          ...(recheck.event_reason === '' ? [] : [['Why polled', recheck.event_reason] as const]),
        ]}
      />
      <Section
        id="listen"
        title="Listening and connections"
        term="openScore"
        rows={[
          ['Public listeners', antivirus.public_n],
          ['Injections', antivirus.inject],
          ['Off the allowlist (:443)', secure.outside_h],
          ['Assistant processes', secure.assistant_pids],
          ['Residue of our own', secure.field_dirt],
          ['Confined processes', `${antivirus.spv_wrapped} of ${antivirus.spv_pids}`],
        ]}
      />
    </div>
  );
}
