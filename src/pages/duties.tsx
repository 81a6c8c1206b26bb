/** What the hostess is in charge of, her avenues with their checks, and her figures. */
import type { ComponentChildren } from 'preact';
import type { Finding } from '../records/finding-words.ts';
import type { Page } from '../records/page.ts';
import { AcceptButton } from './actions.tsx';
import { openCount } from './avenues.tsx';
import { Severity } from './findings.tsx';
import { KeptOpen } from './kept-open.tsx';
import { Clip, clipped } from './long.tsx';
import {
  Code,
  duration,
  Empty,
  Meaning,
  Pairs,
  plural,
  Section,
  Soft,
  State,
  Table,
  Time,
  type Tone,
  words,
} from './parts.tsx';
import { TERMS } from './terms.ts';

type Charge = Page['status']['hostess_charge'];
type Avenue = Charge['antivirus']['avenues'][number];

const yes = (value: boolean) => (value ? <State tone="good">yes</State> : <State tone="warn">no</State>);
const known = (value: number | null): ComponentChildren => value ?? <Soft>not learned yet</Soft>;

function stateOf({ configured, in_charge: inCharge }: Page['duties'][number]) {
  if (inCharge) return <State tone="good">in charge</State>;
  return configured ? <State tone="bad">does not run</State> : <State tone="calm">not configured</State>;
}

export const Duties = ({ duties }: Pick<Page, 'duties'>) => (
  <Section id="duties" title="In charge of">
    <Meaning>{TERMS.duty}</Meaning>
    <Table
      caption="Duties"
      columns={[{ head: 'Duty', whole: true }, { head: 'State, and why' }]}
      keys={duties.map(({ name }) => name)}
      rows={duties.map((duty) => [
        words(duty.name),
        <>
          {stateOf(duty)} <Soft>{duty.reason}</Soft>
        </>,
      ])}
    />
  </Section>
);

const Found = ({ finding }: { finding: Finding }) => (
  <li data-finding={finding.id}>
    <div class="found-head">
      <Severity of={finding.severity} />
      <strong>
        <Clip text={finding.title} />
      </strong>
    </div>
    {finding.remedy !== '' && <p>{finding.remedy}</p>}
    <KeptOpen name={finding.id} summary="Evidence">
      <Pairs
        rows={[
          ...(clipped(finding.title) === finding.title ? [] : [['in full', finding.title] as const]),
          ['check', finding.check],
          ...Object.entries(finding.evidence).map(([key, value]) => [words(key), value] as const),
          ['may be benign', finding.benign],
          ['first seen', <Time key="at" at={finding.first_seen} />],
          ['id', <Code key="id">{finding.id}</Code>],
        ]}
      />
    </KeptOpen>
    <AcceptButton finding={finding} />
  </li>
);

function checkTone({ findings, blind }: Page['checks'][number]): readonly [Tone, string] {
  if (findings > 0) return ['bad', plural(findings, 'finding')];
  return blind > 0 ? ['warn', `blind for ${blind}`] : ['good', ''];
}

const Checks = ({ checks }: Pick<Page, 'checks'>) => (
  <ul class="checks" aria-label="Checks">
    {checks.map((check) => {
      const [tone, told] = checkTone(check);
      return (
        <li key={check.id} class={tone} data-check={check.id}>
          {check.id}
          {told === '' ? <span class="sr"> quiet</span> : <b> {told}</b>}
        </li>
      );
    })}
  </ul>
);

function AvenueCard({ avenue, page }: { avenue: Avenue; page: Page }) {
  const { id, name, open, detail } = avenue;
  const findings = page.findings.filter((finding) => finding.avenue === id);
  const notes = page.notes.filter((note) => note.avenue === id);
  return (
    <section class="card" aria-labelledby={`avenue-${id}`} data-avenue={id}>
      <div class="card-head">
        <h3 id={`avenue-${id}`}>{words(id)}</h3>
        <State tone={open ? (findings.length > 0 ? 'bad' : 'warn') : 'good'}>
          {open ? 'open' : 'closed'}
        </State>
      </div>
      <p class="soft">{name}</p>
      <Checks checks={page.checks.filter((check) => check.avenue === id)} />
      {findings.length > 0 && (
        <ul class="found">
          {findings.map((finding) => (
            <Found key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <ul class="found">
          {notes.map(({ check, reason, cure, subjects }) => (
            <li key={`${check} ${reason}`}>
              <div class="found-head">
                <State tone="warn">blind</State>
                <strong>{check}</strong> <Soft>{plural(subjects, 'subject')}</Soft>
              </div>
              <p>{reason}</p>
              {cure !== '' && <p class="soft">{cure}</p>}
            </li>
          ))}
        </ul>
      )}
      {findings.length + notes.length === 0 && (
        <Empty>{open ? detail : 'Nothing was found, and everything could be looked at.'}</Empty>
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
      <div class="card-head">
        <h2 id="avenues">Avenues and their checks</h2>
        <Soft>
          {openCount(avenues)} of {avenues.length} open
        </Soft>
      </div>
      <Meaning>{`${TERMS.avenue} ${TERMS.blind}`}</Meaning>
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
      <Section id="learn" title="Learning">
        <Pairs
          rows={[
            ['Everything known', yes(check.full_learned)],
            [
              'Held',
              gate.a === 0 || gate.learned === null ? (
                'generation 0, the empty baseline'
              ) : (
                <>
                  generation {gate.a}, <Time at={gate.learned} />
                </>
              ),
            ],
            ['Vocabulary', known(learn.vocab_total)],
            ['Seen again', known(learn.vocab_correct)],
            ['Rows', known(learn.learned_rows)],
            ['New identities', secure.new_comm],
            [
              'To look through',
              baseline.to_review === 0 ? (
                'nothing'
              ) : (
                <>
                  {baseline.to_review}, see <Code>desk baseline review</Code>
                </>
              ),
            ],
            ['Learning window', baseline.window_open ? <State tone="warn">open</State> : 'closed'],
          ]}
        />
      </Section>
      <Section id="checks" title="Checks">
        <Pairs
          rows={[
            ['Judged', check.mega_N],
            ['Passed', check.pass],
            ['Failed', check.fail],
            ['Blind', page.blind],
            ['Explained', page.excused],
            ['Open score', antivirus.open_score],
            ['Last recheck', duration(recheck.last_us)],
            ['Median', duration(recheck.p50_us)],
            ['Mode', forever.on ? `${forever.mode}, continuously` : 'on demand'],
            ...(recheck.event_reason === '' ? [] : [['Why polled', recheck.event_reason] as const]),
          ]}
        />
      </Section>
      <Section id="listen" title="Listening and connections">
        <Pairs
          rows={[
            ['Public listeners', antivirus.public_n],
            ['Injections', antivirus.inject],
            ['Off the allowlist (:443)', secure.outside_h],
            ['Assistant processes', secure.assistant_pids],
            ['Residue of our own', secure.field_dirt],
            ['Wrapped processes', `${antivirus.spv_wrapped} of ${antivirus.spv_pids}`],
          ]}
        />
      </Section>
    </div>
  );
}
