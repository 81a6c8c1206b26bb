/** The verdict: every place that shows it agrees, and nothing bad improves any value. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verdictExit } from '../../src/cli/commands/status.ts';
import type { Counts } from '../../src/engine/snapshot.ts';
import { SEVERITIES, type Severity } from '../../src/policy/severity.ts';
import { chargeReport } from '../../src/records/charge-report.ts';
import { downPorts } from '../../src/records/derive.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { detection } from '../../src/records/detection.ts';
import { liveView } from '../../src/records/live.ts';
import { page } from '../../src/records/page.ts';
import { reasonsOf } from '../../src/records/problems.ts';
import { scar } from '../../src/records/scar.ts';
import type { DeskState } from '../../src/records/state.ts';
import {
  GRADES,
  headlineOf,
  TONES,
  type VerdictFacts,
  verdictFrom,
  verdictOf,
} from '../../src/records/verdict.ts';
import { anyParts } from '../support/arbitrary-state.ts';
import { forAllOf } from '../support/for-all.ts';
import { findingFrom, noteFrom, type StateParts, stateFrom } from '../support/state.ts';

const WORSTS: readonly (Severity | null)[] = [null, 'medium', 'high', 'critical'];
const FLAGS = ['virus', 'failing', 'blind', 'elsewhere'] as const;
const LETTERS = ['F', 'D', 'C', 'B', 'A'];

/** Every combination of facts. */
const ALL_FACTS: readonly VerdictFacts[] = WORSTS.flatMap((worst) =>
  Array.from({ length: 2 ** FLAGS.length }, (_, bits) => {
    const [virus, failing, blind, elsewhere] = FLAGS.map((_, at) => (bits & (1 << at)) !== 0);
    return { worst, virus, failing, blind, elsewhere } as VerdictFacts;
  }),
);

const isAtLeastAsBad = (one: VerdictFacts, other: VerdictFacts): boolean =>
  WORSTS.indexOf(one.worst) >= WORSTS.indexOf(other.worst) &&
  FLAGS.every((flag) => one[flag] || !other[flag]);

test('verdictFrom: worse facts never give a better value', () => {
  let compared = 0;
  for (const bad of ALL_FACTS)
    for (const good of ALL_FACTS.filter((facts) => isAtLeastAsBad(bad, facts))) {
      const [worse, better] = [verdictFrom(bad), verdictFrom(good)];
      const where = JSON.stringify([bad, good]);
      assert.ok(Number(worse.ok) <= Number(better.ok), where);
      assert.ok(GRADES.indexOf(worse.grade) <= GRADES.indexOf(better.grade), where);
      assert.ok(TONES.indexOf(worse.tone) <= TONES.indexOf(better.tone), where);
      assert.ok(worse.score[0] <= better.score[0] && worse.score[1] <= better.score[1], where);
      compared++;
    }
  assert.ok(compared > 500);
});

test('verdictFrom: its values are consistent', () => {
  for (const facts of ALL_FACTS) {
    const { ok, grade, tone, score, opening } = verdictFrom(facts);
    assert.is(ok, tone === 'good');
    assert.is(ok, verdictExit({ ok }) === 0);
    assert.is(ok, opening === 'The desk is well');
    if (ok) assert.is(grade, 'gold');
    if (facts.blind) assert.ok(grade !== 'gold');
    if (facts.worst === 'critical') assert.ok(score[1] < 60);
    // A desk that is not ok is gold only if the reason is that something is not reachable.
    if (grade === 'gold' && !ok) assert.ok(facts.elsewhere);
  }
});

/** Every ordered value; higher is better. */
function valuesOf(state: DeskState): Readonly<Record<string, number>> {
  const status = deskStatus.assemble(state);
  const { hostess_charge: charge } = status;
  const { live } = deskHygiene.assemble(state);
  const { axes, score, grade } = charge.war_machine;
  return {
    ok: Number(status.ok),
    grade: GRADES.indexOf(status.grade),
    tone: TONES.indexOf(verdictOf(state).tone),
    issues: -status.issues.length,
    scars: -status.scar_count,
    chargeOk: Number(charge.ok),
    antivirusOk: Number(charge.antivirus.ok),
    learnOk: Number(charge.security_learn.ok),
    openScore: -charge.antivirus.open_score,
    score,
    letter: LETTERS.indexOf(grade),
    gate: Number(scar.assemble(state).gate === 'pass'),
    vectors: live.vectors_clean,
    phi: status.iron.PHI,
    ...Object.fromEntries(Object.entries(axes).map(([name, points]) => [`axis ${name}`, points])),
  };
}

function assertNotBetter(
  worse: StateParts,
  parts: StateParts,
  what: string,
  except: readonly string[] = [],
): void {
  const [after, before] = [valuesOf(stateFrom(worse)), valuesOf(stateFrom(parts))];
  for (const [name, value] of Object.entries(before).filter(([name]) => !except.includes(name)))
    assert.ok((after[name] as number) <= value, `${what}: ${name} went from ${value} to ${after[name]}`);
}

const severity = fc.constantFrom<Severity>(...SEVERITIES);
const always = (holds: (parts: StateParts, one: Severity, many: number) => void) =>
  fc.assert(fc.property(anyParts, severity, fc.integer({ min: 1, max: 400 }), holds), { numRuns: 100 });

test('another finding never gives a better value anywhere', () => {
  always((parts, one) => {
    const findings = [...(parts.findings ?? []), findingFrom({ id: 'f'.repeat(16), severity: one })];
    assertNotBetter({ ...parts, findings }, parts, `a ${one} finding`);
  });
});

test('a finding of a higher severity never gives a better value anywhere', () => {
  always((parts, one) => {
    const higher = SEVERITIES[Math.min(SEVERITIES.indexOf(one) + 1, SEVERITIES.length - 1)] as Severity;
    const withOne = (severity: Severity) => ({
      ...parts,
      findings: [...(parts.findings ?? []), findingFrom({ id: 'f'.repeat(16), severity })],
    });
    assertNotBetter(withOne(higher), withOne(one), `${one} to ${higher}`);
  });
});

test('more unreadable facts never give a better value anywhere', () => {
  always((parts, _one, many) => {
    const hidden = parts.snapshot?.counts?.blindProcesses ?? 0;
    const counts = { ...parts.snapshot?.counts, blindProcesses: hidden + many };
    // Hidden processes are one issue, instead of the ones that result from them.
    assertNotBetter({ ...parts, snapshot: { ...parts.snapshot, counts } }, parts, 'hidden processes', [
      'issues',
    ]);
    const moved = Math.min(many, parts.pass ?? 0);
    const blind = { pass: (parts.pass ?? 0) - moved, blind: (parts.blind ?? 0) + moved };
    assertNotBetter({ ...parts, ...blind }, parts, 'blind pairs');
    assertNotBetter({ ...parts, notes: [...(parts.notes ?? []), noteFrom()] }, parts, 'a note');
    for (const id of ['proc', 'sock_diag tcp4', 'sock_diag udp6', 'sock_diag https4']) {
      const before = [...(parts.snapshot?.probes ?? []), { id, works: true, reason: '', cure: '' }];
      const after = [
        ...(parts.snapshot?.probes ?? []),
        { id, works: false, reason: 'refused: c', cure: 'c' },
      ];
      const having = (probes: typeof before) => ({ ...parts, snapshot: { ...parts.snapshot, probes } });
      // A port that was down is unknown now: not a known fault, so it has no issue.
      const lost = id === 'sock_diag tcp4' && downPorts(stateFrom(having(before))).length > 0;
      assertNotBetter(having(after), having(before), id, lost ? ['issues'] : []);
    }
  });
});

test('processes left out of the list never give a better value anywhere', () => {
  const known = fc.integer({ min: 0, max: 50 });
  forAllOf(100)(anyParts, known, known, (parts, wrapped, free) => {
    const { snapshot = {} } = parts;
    const others = (snapshot.probes ?? []).filter(({ id }) => id !== 'proc');
    const seeing = (works: boolean, counts: Partial<Counts>): StateParts => ({
      ...parts,
      snapshot: {
        ...snapshot,
        counts: { ...snapshot.counts, ...counts },
        probes: [...others, { id: 'proc', works, reason: works ? '' : 'hidepid: c', cure: works ? '' : 'c' }],
      },
    });
    const all = { wrapped, free, wrapBlind: 0, userSpace: wrapped + free, identities: wrapped + free };
    // If others are hidden, our own processes remain, which may all be wrapped, known and readable.
    const own = { wrapped, free: 0, userSpace: wrapped, identities: wrapped, blindProcesses: 0 };
    assertNotBetter(seeing(false, own), seeing(true, { ...all, blindProcesses: 0 }), 'hidepid');
  });
});

test('a list without the processes of other users has shares of 0 and the value blind', () => {
  const probes = [{ id: 'proc', works: false, reason: 'hidepid: c', cure: 'c' }];
  const status = deskStatus.assemble(stateFrom({ snapshot: { probes } }));
  const { axes } = status.hostess_charge.war_machine;
  assert.equal([status.iron.PHI, axes.iron_map, axes.research, axes.secure], [0, 0, 0, 0]);
  assert.match(status.iron.line, /PHI=blind/);
});

test('every place that shows a verdict shows the same one, with a reason exactly when not ok', () => {
  always((parts) => {
    const state = stateFrom(parts);
    const status = deskStatus.assemble(state);
    const { verdict } = page.assemble(state);
    assert.is(status.ok, reasonsOf(state).length === 0);
    assert.is(status.ok, status.issues.length === 0);
    assert.equal([verdict.ok, verdict.grade], [status.ok, status.grade]);
    const live = liveView.assemble({ state, ageMs: 0, before: null });
    assert.equal(
      [live.ok, live.grade, live.tone, live.headline],
      [verdict.ok, verdict.grade, verdict.tone, verdict.headline],
    );
    assert.equal(detection.assemble({ state }).verdict, verdict);
    assert.is(verdict.headline === 'The desk is well', status.ok);
    if (status.scar_count > 0) {
      assert.not(status.ok);
      assert.not(chargeReport.assemble(state).ok);
      assert.is(scar.assemble(state).gate, 'fail');
    }
    const { grade: letter } = status.hostess_charge.war_machine;
    if (status.grade === 'gold') assert.ok(letter === 'A' || letter === 'B', letter);
    if (status.grade === 'bronze') assert.ok(letter === 'D' || letter === 'F', letter);
    if (status.grade === 'lead') assert.is(letter, 'F');
  });
});

const counts = (blindProcesses: number, userSpace: number) => ({
  snapshot: { counts: { blindProcesses, userSpace } },
});
const HEADLINES: readonly (readonly [StateParts, string])[] = [
  [{}, 'The desk is well'],
  [counts(20, 400), 'The desk is well'],
  [counts(2, 4), 'The desk is well'],
  [counts(267, 400), 'Nothing found in what could be seen: 267 of 400 processes are hidden from this user'],
  [
    { ...counts(267, 400), findings: [findingFrom({ severity: 'low' })] },
    'Nothing severe found in what could be seen: 267 of 400 processes are hidden from this user',
  ],
  [
    { ...counts(267, 400), findings: [findingFrom({ severity: 'high' })] },
    'The desk is not well: 1 high scar, 267 of 400 processes are hidden from this user',
  ],
  [
    { findings: [findingFrom({ id: '1' }), findingFrom({ id: '2', severity: 'critical' })] },
    'The desk is not well: 2 scars, the worst critical',
  ],
  [{ snapshot: { listeners: [{ port: 8766 }, { port: 80 }] } }, 'The desk is not well: port 8766 is up'],
  [{ snapshot: { listeners: [] } }, 'The desk is not well: required port 80 is down'],
  [
    {
      snapshot: {
        listeners: [],
        probes: [{ id: 'sock_diag tcp4', works: false, reason: 'refused: c', cure: 'c' }],
      },
    },
    'The desk is not well: the listening sockets (tcp4) could not be read, so which ports are up is unknown: refused',
  ],
  [{ gate: { god: 0 } }, 'The desk is not well: the scar gate is closed'],
  [
    { duties: { law_pack: { configured: true, healthy: false, reason: 'r' } } },
    'The desk is not well: a duty does not run',
  ],
];
for (const [parts, headline] of HEADLINES)
  test(`headline: ${headline}`, () => assert.is(headlineOf(stateFrom(parts)), headline));

test('hidden processes: the issue names them and the remedy, for a user and for root', () => {
  const issueOf = (euid: number) => {
    const { snapshot } = counts(267, 400);
    const { ok, grade, issues } = deskStatus.assemble(
      stateFrom({ snapshot: { ...snapshot, engine: { euid } } }),
    );
    assert.equal([ok, grade, issues.length], [false, 'silver', 1]);
    return issues[0] ?? '';
  };
  assert.match(
    issueOf(1000),
    /267 of 400 processes are hidden from this user; run the desk as a system service/,
  );
  assert.match(
    issueOf(0),
    /267 of 400 processes are hidden from the desk; see which facts and why with desk doctor/,
  );
});

test('with thousands of scars, the most severe are named and the others counted', () => {
  const findings = Array.from({ length: 5009 }, (_, at) =>
    findingFrom({ id: String(at), severity: at === 5000 ? 'critical' : 'medium', summary: `scar ${at}` }),
  );
  const { issues } = deskStatus.assemble(stateFrom({ findings }));
  assert.is(issues.length, 51);
  assert.match(issues[0] ?? '', /^scar 5000;/);
  assert.match(issues[50] ?? '', /^4959 more medium findings;/);
});

test.run();
