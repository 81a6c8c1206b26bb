/** Records that depend on the query. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { localTime, offsetTime } from '../../src/engine/time.ts';
import type { GateStep } from '../../src/findings/pipeline.ts';
import { describe } from '../../src/records/describe.ts';
import { detection } from '../../src/records/detection.ts';
import { findingDetail } from '../../src/records/finding-detail.ts';
import { ANSWERS } from '../../src/records/index.ts';
import { liveView } from '../../src/records/live.ts';
import { problem } from '../../src/records/problem.ts';
import { scar, scarCheck } from '../../src/records/scar.ts';
import { version } from '../../src/records/service.ts';
import { expect } from '../support/expect.ts';
import { findingFrom, noteFrom, stateFrom } from '../support/state.ts';

const findings = [
  findingFrom({ id: 'x', severity: 'high', firstSeen: '2026-01-02T03:00:00.000+00:00' }),
  findingFrom({ id: 'y', severity: 'low', avenue: 'scar', firstSeen: '2026-01-02T05:00:00.000+02:00' }),
  findingFrom({ id: 'z', severity: 'high', avenue: 'scar', firstSeen: '2026-01-02T03:00:01.000+00:00' }),
];
const notes = [noteFrom({ avenue: 'scar' }), noteFrom({ avenue: 'public_listen' })];

test('detection: filters by avenue, severity and time; counts are those of the whole state', () => {
  const deskState = stateFrom({ findings, notes, pass: 5, blind: 2 });
  const ask = (filter: object) => {
    const { findings, notes, counts } = detection.assemble({ state: deskState, ...filter });
    assert.equal(counts, { pass: 5, fail: 3, blind: 2 });
    return [findings.map(({ id }) => id).join(''), notes.length];
  };
  assert.equal(ask({}), ['xyz', 2]);
  assert.equal(ask({ avenue: 'scar' }), ['yz', 1]);
  assert.equal(ask({ severity: 'high' }), ['xz', 0]);
  assert.equal(ask({ severity: 'low', avenue: 'scar' }), ['y', 1]);
  // 05:00 in +02:00 is 03:00 UTC: times are compared, not texts.
  assert.equal(ask({ since: '2026-01-02T04:00:01+01:00' }), ['z', 2]);
  assert.throws(
    () => ask({ since: 'yesterday' }),
    (error: unknown) => error instanceof RangeError,
  );
});

test('detection: the egress count has the age of its reading', () => {
  const deskState = stateFrom({
    snapshot: { connectionsAgeMs: 640.4 },
    egress: { deskHttps: 3, outside: 1 },
  });
  assert.equal(detection.assemble({ state: deskState }).egress, { desk_https: 3, outside_h: 1, age_ms: 640 });
});

test('scar: generation 0 was never learned, the last run is null before the first one', () => {
  const fresh = scar.assemble(stateFrom());
  assert.equal(
    [fresh.a, fresh.last, fresh.gate, fresh.god],
    [{ generation: 0, learned: null }, null, 'pass', 1],
  );
  const steps: GateStep[] = [{ step: 'gate', ok: false, ms: 2, detail: 'one scar' }];
  const deskState = stateFrom({
    findings,
    baseline: { generation: 2, learnedAt: '2026-01-01T00:00:00.000+00:00' },
    gate: { observation: 9, lastRun: { at: '2026-01-02T00:00:00.000+00:00', steps } },
  });
  const state = scar.assemble(deskState);
  assert.equal([state.a.generation, state.b.generation, state.scar_count, state.gate], [2, 9, 2, 'fail']);
  expect(state.c.map(({ id }) => id)).equals(['x', 'z']);
  assert.equal(state.last?.steps, steps);
  const { steps: run, last, ...rest } = scarCheck.assemble({ state: deskState, steps });
  const { last: _before, ...now } = state;
  assert.equal([run, last.steps, rest], [steps, steps, now]);
  assert.is(last.at, now.ts, 'the last run is this one');
});

test('live: rates per second against an earlier snapshot; null without one, or when a counter went back', () => {
  const deskState = stateFrom({
    snapshot: { generation: 30, machine: { tcpActiveOpens: 105, tcpPassiveOpens: 3 } },
  });
  const { at, machine } = deskState.snapshot;
  const before = {
    generation: 10,
    // The wall clock was set back by an hour in between: rates use the monotonic clock.
    at: { ...at, epochMs: at.epochMs + 3_600_000, monotonicMs: at.monotonicMs - 4000 },
    machine: { ...machine, tcpActiveOpens: 100, tcpPassiveOpens: 4 },
  };
  assert.equal(liveView.assemble({ state: deskState, ageMs: 12.6, before }).rates, {
    rechecks: 5,
    opened: 1.25,
    accepted: null,
  });
  const alone = liveView.assemble({ state: deskState, ageMs: -3, before: null });
  assert.equal(alone.rates, { rechecks: null, opened: null, accepted: null });
  assert.is(alone.age_ms, 0);
  assert.equal(
    liveView.assemble({ state: deskState, ageMs: 0, before: { ...before, at } }).rates.opened,
    null,
  );
});

test('version: the engine is null before the first sweep', () => {
  const deskState = stateFrom();
  const { service } = deskState.desk;
  assert.is(version.assemble({ service, loop: deskState.desk.loop, state: null }).engine, null);
  assert.equal(
    version.assemble({ service, loop: deskState.desk.loop, state: deskState }).engine?.mark,
    'x86_64',
  );
});

test('problem: only error statuses are accepted', () => {
  const facts = { type: 'about:blank', title: 't', status: 404, detail: 'd', instance: '/x' };
  assert.equal(problem.assemble(facts), facts);
  assert.not(problem.schema.safeParse({ ...facts, status: 200 }).success);
});

test('times are local without offset, or RFC 3339 with a numeric one, across day, year and sign', () => {
  const epochMs = Date.UTC(2024, 1, 29, 23, 59, 59, 7);
  assert.is(localTime({ epochMs, offsetMin: 0 }), '2024-02-29T23:59:59');
  assert.is(localTime({ epochMs, offsetMin: 330 }), '2024-03-01T05:29:59');
  assert.is(offsetTime({ epochMs, offsetMin: 330 }), '2024-03-01T05:29:59.007+05:30');
  assert.is(offsetTime({ epochMs, offsetMin: -570 }), '2024-02-29T14:29:59.007-09:30');
  assert.is(offsetTime({ epochMs: 0, offsetMin: -1 }), '1969-12-31T23:59:00.000-00:01');
});

test('the rows of a finding show the fields of every kind of subject', () => {
  const rows = describe(findingDetail).filter(({ path }) => path.startsWith('finding.subject.'));
  assert.equal(rows.find(({ path }) => path.endsWith('.kind'))?.values, [
    'process',
    'listener',
    'file',
    'host',
    'desk',
  ]);
  for (const key of ['pid', 'identity', 'protocol', 'port', 'namespace', 'path', 'name'])
    assert.is(rows.filter(({ path }) => path === `finding.subject.${key}`).length, 1, key);
});

test('every field of every response has a description', () => {
  for (const answer of ANSWERS)
    for (const { path, meaning } of describe(answer)) assert.ok(meaning !== '', `${answer.name}.${path}`);
});

test.run();
