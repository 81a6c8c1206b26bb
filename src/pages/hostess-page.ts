/** The charge report for people: duties, checks, axes, avenues, the scar gate, learning. */
import type { ChargeReport } from '../records/charge-report.ts';
import { scarsText } from '../records/derive.ts';
import type { Moment } from '../records/moment.ts';
import { avenueTable } from './avenues.ts';
import { type Html, html, type Value } from './html.ts';
import { link, OFFICE_NAV, page, pairs, state, table } from './layout.ts';

const yes = (value: boolean): Html => (value ? state('good', 'yes') : state('warn', 'no'));
const known = (value: number | null): Value => value ?? html`<span class="soft">not learned yet</span>`;

function duties(charge: ChargeReport, { desk }: Moment): Html {
  const rows = Object.entries(charge.in_charge).map(([name, inCharge]) => {
    const duty = desk.duties[name as keyof typeof desk.duties];
    const word = inCharge
      ? state('good', 'in charge')
      : duty.configured
        ? state('bad', 'does not run')
        : state('warn', 'not configured');
    return [name.replaceAll('_', ' '), word, duty.reason];
  });
  return table('Duties', [{ head: 'Duty' }, { head: 'State' }, { head: 'Why' }], rows);
}

const axes = (charge: ChargeReport): Html =>
  table(
    'Axes of 0 to 100; one that is not configured is 0 and left out of the score',
    [{ head: 'Axis' }, { head: 'Points', number: true }, { head: '' }],
    Object.entries(charge.war_machine.axes).map(([name, points]) => [
      name.replaceAll('_', ' '),
      points,
      html`<meter min="0" max="100" value="${points}" aria-label="${name}">${points}</meter>`,
    ]),
  );

function gate({ desk: { gate, baseline }, judgement }: Moment): Html {
  const run = gate.lastRun;
  return html`<p>The gate is ${gate.state === 'pass' ? state('good', 'passed') : state('bad', 'failed')}, GOD is ${gate.god}.</p>
${pairs([
  [
    'A, held',
    baseline.generation === 0
      ? 'generation 0, the empty baseline'
      : `generation ${baseline.generation}, learned ${baseline.learnedAt}`,
  ],
  ['B, observed', `observation ${gate.observation}`],
  ['C, residue', judgement.scars.length === 0 ? 'nothing' : scarsText(judgement.scars.length)],
])}
${
  run === null
    ? html`<p class="soft">The gate has not run yet. <code>desk scar check</code> runs it.</p>`
    : table(
        `Last run, ${run.at}`,
        [{ head: 'Step' }, { head: 'State' }, { head: 'ms', number: true }, { head: 'What' }],
        run.steps.map(({ step, ok, ms, detail }) => [
          step,
          ok ? state('good', 'good') : state('bad', 'failed'),
          ms.toFixed(2),
          detail,
        ]),
      )
}`;
}

/** What was learned and deserves a look. */
const reviewOf = ({ desk: { baseline } }: Moment): Value =>
  baseline.toReview === 0 ? 0 : html`${baseline.toReview}, see <code>desk baseline review</code>`;

/** The hostess page of `charge`, which must be the record of `moment`. */
export function hostessPage(moment: Moment, charge: ChargeReport): Html {
  const { check, learn, antivirus, security_learn: secure, war_machine: score } = charge;
  const content = html`<section aria-labelledby="charge">
<h1 id="charge">${charge.she} is ${charge.ok ? state('good', 'ok') : state('bad', 'not ok')}</h1>
<p>${charge.charge_line}</p>
${charge.issues.length > 0 && html`<ul>${charge.issues.map((issue) => html`<li>${issue}</li>`)}</ul>`}
<p class="soft">Measured at ${charge.ts}.</p>
</section>
<section aria-labelledby="axes"><h2 id="axes">Score ${score.score}, grade ${score.grade}</h2>${axes(charge)}</section>
<section aria-labelledby="duties"><h2 id="duties">In charge of</h2>${duties(charge, moment)}</section>
<div class="grid">
<section aria-labelledby="checks"><h2 id="checks">Checks</h2>${pairs([
    ['Judged', check.mega_N],
    ['Passed', check.pass],
    ['Failed', check.fail],
    ['Blind', moment.judgement.blind],
    ['Last recheck', `${moment.desk.recheck.lastUs} µs`],
    ['Mode', check.mode],
  ])}</section>
<section aria-labelledby="listen"><h2 id="listen">Listening and connections</h2>${pairs([
    ['Public listeners', antivirus.public_n],
    ['Injections', antivirus.inject],
    ['Open score', antivirus.open_score],
    ['Off the allowlist', secure.outside_h],
    ['Residue of our own', secure.field_dirt],
  ])}</section>
<section id="learn" aria-labelledby="learning"><h2 id="learning">Learning</h2>${pairs([
    ['Everything known', yes(check.full_learned)],
    ['Identities held', known(learn.vocab_total)],
    ['Seen again', known(learn.vocab_correct)],
    ['Rows', known(learn.learned_rows)],
    ['New identities', secure.new_comm],
    ['To look through', reviewOf(moment)],
  ])}</section>
</div>
<section aria-labelledby="avenues"><h2 id="avenues">Avenues</h2>${avenueTable(antivirus.avenues)}<p class="soft"><code>${antivirus.detail}</code></p></section>
<section aria-labelledby="gate"><h2 id="gate">Scar gate</h2>${gate(moment)}</section>
<section aria-labelledby="talk"><h2 id="talk">Talking to her</h2>${pairs([
    ['Her', html`<code>${charge.talk.her}</code>`],
    ['With the assistant', html`<code>${charge.talk.assistant_to_her}</code>`],
    ['This report', html`<code>${charge.talk.charge}</code>`],
    ['Live', link(charge.pages.live)],
  ])}</section>
<p class="soft">${charge.philosophy}</p>
<p class="soft">${charge.law}</p>`;
  return page(
    {
      title: `Hostess ${charge.ok ? 'ok' : 'not ok'}, ${score.grade}`,
      path: '/hostess7.html',
      nav: OFFICE_NAV,
      foot: `Generation ${moment.snapshot.generation}.`,
    },
    content,
  );
}
