/** Properties of every state. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unknownLinks } from '../../src/checks/startup.ts';
import { acceptanceFor } from '../../src/features/law/accept.ts';
import { answerOf as packagesOf } from '../../src/features/packages/operations.ts';
import { accountsAnswer } from '../../src/features/startup/accounts-answer.ts';
import { answerOf } from '../../src/features/startup/answer.ts';
import { vitalsAnswer } from '../../src/features/vitals/operations.ts';
import type { GateStep } from '../../src/findings/pipeline.ts';
import { accepted, acceptedList, undone } from '../../src/records/accepted.ts';
import { accounts } from '../../src/records/accounts.ts';
import { alerts, alertTest, quietTime } from '../../src/records/alerts.ts';
import { baselineDiff } from '../../src/records/baseline-diff.ts';
import { chargeReport } from '../../src/records/charge-report.ts';
import { type Described, jsonSchema } from '../../src/records/describe.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { detection } from '../../src/records/detection.ts';
import { diff } from '../../src/records/diff.ts';
import { titled } from '../../src/records/finding.ts';
import { findingDetail, startOf } from '../../src/records/finding-detail.ts';
import { history, withBreaks } from '../../src/records/history.ts';
import { ALL } from '../../src/records/index.ts';
import { learned, reviewed } from '../../src/records/learned.ts';
import { liveView } from '../../src/records/live.ts';
import { exported, forgotten, mailCheck, mailState, mailTest } from '../../src/records/mail.ts';
import type { ServerCheck } from '../../src/records/mail-facts.ts';
import { packages } from '../../src/records/packages.ts';
import { page } from '../../src/records/page.ts';
import { openPeople, people, who } from '../../src/records/people.ts';
import { problem } from '../../src/records/problem.ts';
import { processDetail } from '../../src/records/process-detail.ts';
import { livingRow, processFacts } from '../../src/records/process-facts.ts';
import { type Quarantined, quarantine } from '../../src/records/quarantine.ts';
import { queryAnswer } from '../../src/records/query.ts';
import { remoteToken, remoteTokens, remoteView, widget } from '../../src/records/remote.ts';
import { cook, scar, scarCheck, scarRuns } from '../../src/records/scar.ts';
import { healthz, readyz, version } from '../../src/records/service.ts';
import { session, sessionCode } from '../../src/records/session.ts';
import { site } from '../../src/records/site.ts';
import { sites, uptimePage } from '../../src/records/sites.ts';
import { startup } from '../../src/records/startup.ts';
import type { DeskState } from '../../src/records/state.ts';
import { listenerTable, processTable } from '../../src/records/tables.ts';
import { consult, think } from '../../src/records/talk.ts';
import { slow, vitals } from '../../src/records/vitals.ts';
import { anyState } from '../support/arbitrary-state.ts';
import { eventfulDay } from '../support/diff.ts';
import { ACCEPTED, personFrom } from '../support/fake-desk.ts';
import { packageScan } from '../support/packages.ts';
import { sampleFrom } from '../support/sample.ts';
import { siteLine, siteProbe, statusPage, watchedSite } from '../support/site.ts';
import { accountScan, startupScan } from '../support/startup.ts';
import { findingFrom, stateFrom } from '../support/state.ts';
import { vitalsRead } from '../support/vitals.ts';

const RUN = { numRuns: 200, seed: Date.now() };
/** Created once for all properties, because that takes much longer than most of them. */
let published: readonly DeskState[] = [];

const always = (holds: (state: DeskState) => void): void => {
  if (published.length === 0) published = fc.sample(anyState, RUN);
  try {
    for (const state of published) holds(state);
  } catch (error) {
    // Finds and prints the smallest state that violates the property.
    fc.assert(fc.property(anyState, holds), RUN);
    throw error;
  }
};

const AJV = { strict: true, allowUnionTypes: true };
const steps: readonly GateStep[] = [{ step: 'cook', ok: true, ms: 1, detail: 'observation 1, 0 findings' }];
const thought = {
  ...({ understood: 'full', query: null, choices: [] } as const),
  message: 'm',
  answer: 'a',
  grounds: [{ path: 'status.ok', value: true }],
  suggestions: ['desk status'],
};
const person = personFrom({ firstMs: null, warnings: [{ kind: 'mixed-script', about: 'x' }], list: true });
const server: ServerCheck = {
  protocol: 'imap',
  host: 'imap.example.org',
  port: 993,
  configured: true,
  ok: false,
  certificateDays: 12,
  steps: [{ step: 'dns', ok: false, ms: 1.5, detail: 'no such name' }],
};

const entry: Quarantined = {
  id: '00112233aabbccdd',
  name: 'control.token.7.tmp',
  at: '2026-01-02T03:04:05.000+00:00',
  why: 'its run is gone',
  finding: 'f',
  bytes: 44,
  state: 'whole',
};

const remote = { id: '0011aabb', name: 'laptop', made: 'm', expires: 'e', used: null, expired: false };
const remoteListener = {
  state: 'off',
  url: 'https://h/',
  reason: '',
  fingerprint: '',
  certificateEnds: '',
} as const;

/** Every record and answer, assembled from one state. */
const assembled: readonly (readonly [Described, (state: DeskState) => unknown])[] = [
  [deskStatus, (m) => deskStatus.assemble(m)],
  [chargeReport, (m) => chargeReport.assemble(m)],
  [deskHygiene, (m) => deskHygiene.assemble(m)],
  [detection, (state) => detection.assemble({ state })],
  [
    findingDetail,
    (state) =>
      findingDetail.assemble({
        state,
        finding: findingFrom(),
        history: [{ at: '', event: 'opened' }],
        acceptance: acceptanceFor(findingFrom()),
        links: {
          ...unknownLinks('not read'),
          starts: startupScan().entries,
          running: [{ pid: 7, name: 'own' }],
        },
      }),
  ],
  [
    processDetail,
    (state) =>
      processDetail.assemble({
        ts: entry.at,
        ...processFacts(state, [], Math.max(0, livingRow(state.snapshot.processes, 1))).shown,
        ...{ about: null, command: 'unread', package: '', packageReason: 'not read' },
        uses: { intervalMs: 1, cpuPercent: 1, residentBytes: 1, readPerSec: null, writtenPerSec: 2 },
        findings: [titled(findingFrom())],
        explained: [],
        ...{ returns: 'yes', returnsReason: '', starts: startupScan().entries.map(startOf) },
      }),
  ],
  [
    accepted,
    () =>
      accepted.assemble({
        ts: entry.at,
        finding: 'f',
        effect: 'explained',
        id: ACCEPTED.id,
        covers: ACCEPTED.covers,
      }),
  ],
  [acceptedList, () => acceptedList.assemble({ ts: entry.at, entries: [ACCEPTED] })],
  [undone, () => undone.assemble({ ts: entry.at, ...ACCEPTED })],
  [learned, () => learned.assemble({ ts: entry.at, generation: 2, added: 1, windowUntilMs: 1000 })],
  [reviewed, () => reviewed.assemble({ ts: entry.at, generation: 2, rows: 3 })],
  [widget, (state) => widget.assemble({ state, ageMs: 1234.5 })],
  [remoteView, (state) => remoteView.assemble({ state, ageMs: 0, shownId: (id) => `of ${id}` })],
  [remoteTokens, () => remoteTokens.assemble({ ts: entry.at, tokens: [remote], listener: remoteListener })],
  [
    remoteToken,
    () => remoteToken.assemble({ ts: entry.at, token: 'desk_x', entry: remote, listener: remoteListener }),
  ],
  [sessionCode, () => sessionCode.assemble({ word: 'SESSION', code: 'c', expiresSec: 60 })],
  [session, () => session.assemble({ word: 'SESSION', token: 't' })],
  [scar, (m) => scar.assemble(m)],
  [scarCheck, (state) => scarCheck.assemble({ state, steps })],
  [
    scarRuns,
    (state) =>
      scarRuns.assemble({
        state,
        runs: [{ at: entry.at, mode: 'check', state: 'fail', scarCount: 2, god: 1, steps }],
      }),
  ],
  [
    cook,
    (state) =>
      cook.assemble({
        state,
        steps,
        remedies: [{ finding: 'f', remedy: 'r', result: 'x', left: true, done: false, summary: 's' }],
      }),
  ],
  [
    quarantine,
    () => quarantine.assemble({ ts: entry.at, action: 'list', folder: '/state/quarantine', files: [entry] }),
  ],
  [
    baselineDiff,
    (state) =>
      baselineDiff.assemble({
        state,
        generation: 1,
        added: [{ kind: 'identity', text: '/a' }],
        gone: [],
        changed: [],
        learns: [],
        refusal: 'not now',
      }),
  ],
  [accounts, () => accountsAnswer(accountScan(), [], 'all')],
  [packages, () => packagesOf(packageScan(), [], '')],
  [diff, () => diff.assemble({ ts: entry.at, ...eventfulDay() })],
  [vitals, () => vitalsAnswer(vitalsRead(), [])],
  [
    slow,
    () =>
      slow.assemble({ ts: '', by: 'cpu', intervalMs: 500, processes: [], all: 0, passing: 0, ioUnread: 0 }),
  ],
  [startup, () => answerOf(startupScan(), { show: 'all' }, [])],
  [
    alerts,
    () =>
      alerts.assemble({
        ...{ ts: entry.at, quiet: { since: entry.at, until: entry.at, why: 'update' } },
        targets: [
          {
            ...{ name: 'phone', kind: 'ntfy', least: 'high', sent: null, waiting: '', tries: 0 },
            ...{ reason: '', reported: 0, pending: 0 },
          },
        ],
        heartbeats: [{ name: 'watcher', everySec: 60, sent: entry.at, reason: '' }],
        deliveries: [
          {
            ...{ at: entry.at, target: 'phone', kind: 'opened', severity: 'none', title: 't', failed: 1 },
            message: '0011223344556677',
          },
        ],
      }),
  ],
  [
    alertTest,
    () => alertTest.assemble({ ts: entry.at, results: [{ target: 'phone', ok: true, detail: 'd', ms: 1 }] }),
  ],
  [quietTime, () => quietTime.assemble({ ts: entry.at, action: 'show', quiet: null })],
  [
    queryAnswer,
    () =>
      queryAnswer.assemble({
        ts: entry.at,
        query: 'processes',
        table: 'processes',
        columns: [{ name: 'pid', type: 'number', unit: '', meaning: 'process' }],
        rows: [{ pid: 1, comm: null, pids: [1, 'x'], own: true }, {}],
        paths: ['processes[pid=1]', 'processes[pid=2]'],
        ...{ total: 3, matched: 3, sentence: '3 processes.', truncated: true },
        undecided: { rows: 1, columns: [{ column: 'comm', rows: 1 }] },
        unknown: [{ column: 'comm', rows: 1 }],
        reach: { from: null, gaps: ['g'], notes: ['n'] },
      }),
  ],
  [page, (m) => page.assemble(m)],
  [liveView, (state) => liveView.assemble({ state, ageMs: 3.7, before: null })],
  [
    history,
    (state) => {
      const samples = [0, 60, 600].map((sec) => sampleFrom({ at: sec, temp_c: sec === 0 ? null : -1.23456 }));
      return history.assemble({ state, span: '24h', rows: withBreaks(samples, 60, 90) });
    },
  ],
  [processTable, (state) => processTable.assemble(state)],
  [listenerTable, (state) => listenerTable.assemble({ state, allowSources: [] })],
  [site, (state) => site.assemble({ state, probe: siteProbe(), history: [siteLine()] })],
  [sites, () => sites.assemble({ ts: entry.at, sites: [watchedSite()] })],
  [uptimePage, () => statusPage()],
  [think, (state) => think.assemble({ state, ...thought })],
  [consult, (state) => consult.assemble({ state, ...thought, assistant: null, note: 'not configured' })],
  [people, (state) => people.assemble({ state, total: 1, people: [person], next: null })],
  [openPeople, (state) => openPeople.assemble({ state, total: 1, people: [person], next: 'x' })],
  [who, (state) => who.assemble({ state, email: 'a@example.org', person })],
  [mailState, (m) => mailState.assemble(m)],
  [mailCheck, () => mailCheck.assemble({ ts: entry.at, atMs: 0, servers: [server] })],
  [
    mailTest,
    () =>
      mailTest.assemble({
        ts: entry.at,
        ok: true,
        to: 'a@example.org',
        ms: 1,
        detail: 'd',
        messageId: '<1@x>',
      }),
  ],
  [forgotten, () => forgotten.assemble({ ts: entry.at, email: 'a@example.org', forgotten: true })],
  [exported, () => exported.assemble({ ts: entry.at, path: '/state/people.json', people: 1 })],
  [version, (state) => version.assemble({ ...state.desk, state })],
  [readyz, () => readyz.assemble({ ready: false, parts: { store: { ok: false, reason: 'r' } } })],
  [healthz, () => healthz.assemble({ ok: true })],
  [
    problem,
    () => problem.assemble({ type: 'about:blank', title: 't', status: 404, detail: 'd', instance: '/x' }),
  ],
];

test('the cases above cover every record', () => {
  assert.equal(assembled.map(([{ name }]) => name).sort(), ALL.map(({ name }) => name).sort());
});

for (const [record, make] of assembled) {
  let compiled: ValidateFunction | undefined;
  const byJsonSchema = () => (compiled ??= new Ajv2020(AJV).compile(jsonSchema(record)));

  test(`${record.name}: every assembled record matches its strict schema and its JSON Schema`, () => {
    const validate = byJsonSchema();
    always((state) => {
      const value = make(state);
      record.schema.parse(value);
      assert.ok(validate(JSON.parse(JSON.stringify(value))), JSON.stringify(validate.errors));
    });
  });

  test(`${record.name}: an unknown key is refused`, () => {
    const [state] = fc.sample(anyState, 1);
    const value = { ...(make(state as DeskState) as object), more: 1 };
    assert.not(record.schema.safeParse(value).success);
    assert.not(byJsonSchema()(value));
  });
}

test('ok is true exactly when there is no issue, in status and charge', () => {
  // A quiet desk is ok, so the property is not trivially true.
  assert.ok(deskStatus.assemble(stateFrom()).ok);
  always((state) => {
    const status = deskStatus.assemble(state);
    assert.is(status.ok, status.issues.length === 0);
    assert.is(status.hostess_charge.ok, status.hostess_charge.issues.length === 0);
    if (!status.hostess_charge.ok) assert.not(status.ok);
  });
});

test('every issue and every improvement is one clean sentence or phrase', () => {
  always((state) => {
    const { issues, hostess_charge } = deskStatus.assemble(state);
    for (const issue of issues) assert.match(issue, /\S.*\.$/s);
    const steps = hostess_charge.improvements === '' ? [] : hostess_charge.improvements.split('; ');
    assert.equal(steps, [...new Set(steps)]);
    for (const step of steps)
      assert.ok(step.trim() !== '' && !step.includes(';'), hostess_charge.improvements);
  });
});

test('interface rule 2: the wrap counts of charge and hygiene are equal; the atoms equal the iron', () => {
  always((state) => {
    const { antivirus } = chargeReport.assemble(state);
    const { live } = deskHygiene.assemble(state);
    const { iron } = deskStatus.assemble(state);
    assert.equal([antivirus.spv_wrapped, antivirus.spv_pids], [live.wrapped, live.pids]);
    const { SOUL: _, ...atoms } = live.atoms;
    const { EZZIE, ESSIE, PHI, THERMO, temp_C } = iron;
    assert.equal(atoms, { EZZIE, ESSIE, PHI, THERMO, temp_C });
    assert.equal(
      [live.bgf, live.bgl, live.spv_free, live.bgs],
      [iron.bgf, iron.bgl, iron.spv_free, iron.bgs],
    );
  });
});

test('the embedded charge report is the charge report of the same snapshot', () => {
  always((state) => assert.equal(deskStatus.assemble(state).hostess_charge, chargeReport.assemble(state)));
});

test('interface rule 1: port 8766 up makes the grade lead and the desk not ok, and an issue names it', () => {
  let up = 0;
  always((state) => {
    const status = deskStatus.assemble(state);
    const { datacenter_port_8766: virus, live } = deskHygiene.assemble(state);
    assert.is(virus.up, live.datacenter === 'active');
    assert.is(virus.up, status.grade === 'lead');
    if (!virus.up) return;
    up++;
    assert.not(status.ok);
    assert.ok(status.issues.some((issue) => issue.includes('8766')));
  });
  assert.ok(up > 0);
});

test('the gate passes exactly on the clean path with one authority', () => {
  always((state) => {
    const { gate, scar_count, god, c } = scar.assemble(state);
    assert.is(gate === 'pass', scar_count === 0 && god === 1);
    assert.is(c.length, scar_count);
    assert.is(deskStatus.assemble(state).scar_count, scar_count);
  });
});

test('assembling is pure: the same result twice, and the state is unchanged', () => {
  always((state) => {
    const before = JSON.stringify(state.desk);
    assert.equal(deskStatus.assemble(state), deskStatus.assemble(state));
    assert.is(JSON.stringify(state.desk), before);
  });
});

test.run();
