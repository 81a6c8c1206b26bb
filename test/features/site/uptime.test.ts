/** Whether a site is up, from probe to probe, and the arithmetic of uptime: over restarts, suspensions and clocks that are set. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daysOf, pastOf } from '../../../src/features/site/site-report.ts';
import { SiteSpans } from '../../../src/features/site/site-spans.ts';
import {
  afterProbe,
  type Observation,
  type SiteVerdict,
  type Span,
  type Tracked,
  UNTRACKED,
} from '../../../src/features/site/site-state.ts';
import { joined, measure, timelineOf } from '../../../src/features/site/uptime.ts';
import { Uptimes } from '../../../src/features/site/uptimes.ts';
import { openMemoryStore } from '../../../src/service/tables.ts';
import { forAll } from '../../support/for-all.ts';

const test = suite('uptime');

const START = Date.UTC(2026, 0, 2);
const DAY_MS = 86_400_000;
const GAP_MS = 150_000;

/** `wall`, `monotonic`: seconds since the start; by default both clocks agree. */
const seen = (verdict: SiteVerdict, wall: number, monotonic = wall, reason = ''): Observation => ({
  verdict,
  reason: verdict === 'up' ? '' : reason || `failed at ${wall}`,
  wallMs: START + wall * 1000,
  monotonicMs: monotonic * 1000,
});

/** What is stored after these probes, the last state, and the spans as `state from to` in seconds. */
function follow(...all: readonly Observation[]) {
  let tracked: Tracked = UNTRACKED;
  const stored = new Map<string, Span>();
  const states: string[] = [];
  for (const one of all) {
    const step = afterProbe(tracked, one, GAP_MS);
    tracked = step.tracked;
    states.push(tracked.failing === null ? tracked.state : `${tracked.state}?`);
    for (const span of step.spans) stored.set(`${span.state} ${span.fromMs}`, span);
  }
  const spans = [...stored.values()].sort((a, b) => a.fromMs - b.fromMs);
  const seconds = (ms: number): number => (ms - START) / 1000;
  return {
    tracked,
    states,
    spans,
    text: spans.map(({ state, fromMs, toMs }) => `${state} ${seconds(fromMs)} ${seconds(toMs)}`),
  };
}

test('a single failure is repeated before the site counts as down, from the first failure on', () => {
  const flap = follow(seen('up', 0), seen('up', 60), seen('down', 120), seen('up', 125));
  assert.equal(flap.states, ['up', 'up', 'up?', 'up']);
  assert.equal(flap.text, ['up 0 125']);
  const down = follow(
    seen('up', 0),
    seen('down', 60, 60, 'first'),
    seen('down', 65, 65, 'second'),
    seen('down', 125),
    seen('up', 185),
  );
  assert.equal(down.states, ['up', 'up?', 'down', 'down', 'up']);
  assert.equal(down.text, ['up 0 60', 'down 60 185', 'up 185 185']);
  assert.is(down.spans[1]?.reason, 'first');
  const begins = follow(seen('down', 0), seen('down', 5));
  assert.equal([begins.states, begins.text], [['unknown?', 'down'], ['down 0 5']]);
});

test('while the site cannot be asked, and while probes are missing, nothing is known', () => {
  const refused = follow(
    seen('up', 0),
    seen('up', 60),
    seen('unknown', 120),
    seen('up', 180),
    seen('up', 240),
  );
  assert.equal(refused.states, ['up', 'up', 'unknown', 'up', 'up']);
  assert.equal(refused.text, ['up 0 60', 'up 180 240']);
  assert.equal(follow(seen('up', 0), seen('up', 60), seen('up', 600), seen('up', 660)).text, [
    'up 0 60',
    'up 600 660',
  ]);
  // A failure before the pause is not confirmed by one after it.
  const apart = follow(seen('up', 0), seen('down', 60), seen('down', 600), seen('down', 605));
  assert.equal(apart.states, ['up', 'up?', 'up?', 'down']);
  assert.equal(apart.text, ['up 0 60', 'down 600 605']);
});

test('a clock that is set, and a machine that was suspended, leave the time between unknown', () => {
  // An hour is missing on the monotonic clock: CLOCK_MONOTONIC does not count while the machine is suspended.
  assert.equal(follow(seen('up', 0), seen('up', 3660, 60), seen('up', 3720, 120)).text, [
    'up 0 0',
    'up 3660 3720',
  ]);
  const back = follow(seen('up', 3600, 0), seen('up', 3660, 60), seen('up', 120, 120), seen('up', 180, 180));
  assert.equal(back.text, ['up 120 180', 'up 3600 3660']);
  const uptime = pastOf(back.tracked, back.spans, START + 200_000);
  assert.equal(uptime.uptime.day, { up: 1, known: 0.000694 });
  assert.is(uptime.since, '2026-01-02T00:02:00.000Z');
  // A correction of a second changes nothing.
  assert.equal(follow(seen('up', 0), seen('up', 61, 60), seen('up', 120, 120)).text, ['up 0 120']);
});

test('whatever is seen, a span holds no time that was not watched, and up ends where a failure began', () => {
  const verdict = fc.constantFrom<SiteVerdict[]>('up', 'down', 'unknown');
  const step = fc.record({
    verdict,
    passed: fc.integer({ min: 1, max: 400 }),
    /** By how much the wall clock was set meanwhile. */
    set: fc.oneof(fc.constant(0), fc.integer({ min: -90_000, max: 90_000 })),
  });
  forAll(fc.array(step, { maxLength: 40 }), (steps) => {
    let [wall, monotonic] = [0, 0];
    const all = steps.map(({ verdict, passed, set }) => {
      wall += passed + set;
      monotonic += passed;
      return seen(verdict, wall, monotonic);
    });
    const { spans, states } = follow(...all);
    let watchedSec = 0;
    for (const [at, { passed, set }] of steps.entries())
      if (at > 0 && passed * 1000 <= GAP_MS && Math.abs(set) <= 2) watchedSec += passed + set;
    let sum = 0;
    for (const { fromMs, toMs } of spans) sum += toMs - fromMs;
    assert.ok(sum <= watchedSec * 1000, `${sum} ms of ${watchedSec} s`);
    for (const [at, { verdict }] of steps.entries()) {
      if (verdict === 'unknown') assert.is(states[at], 'unknown');
      if (verdict === 'up') assert.is(states[at], 'up');
      if (verdict === 'down') assert.ok(['down', 'up?', 'unknown?'].includes(states[at] ?? ''));
    }
  });
});

/** Seconds in which it was known and up, by looking at each. */
function naively(spans: readonly Span[], from: number, to: number) {
  const covered = (state: Span['state'], at: number): boolean =>
    spans.some((span) => span.state === state && span.fromMs <= at && at < span.toMs);
  let [known, up] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const down = covered('down', at);
    const isUp = !down && covered('up', at);
    if (down || isUp) known += 1;
    if (isUp) up += 1;
  }
  return { knownMs: known, upMs: up };
}

const anySpans = fc.array(
  fc
    .record({
      state: fc.constantFrom('up' as const, 'down' as const),
      fromMs: fc.nat(60),
      length: fc.nat(20),
    })
    .map(({ state, fromMs, length }): Span => ({ state, fromMs, toMs: fromMs + length, reason: '' })),
  { maxLength: 12 },
);

test('time is counted once, down before up, as counting each moment does', () => {
  forAll(anySpans, fc.nat(40), fc.nat(50), (spans, from, length) => {
    const timeline = timelineOf(spans);
    assert.equal(measure(timeline, from, from + length), naively(spans, from, from + length));
  });
});

test('the shares are of known time, at most 1, and 1 only without any time down', () => {
  forAll(anySpans, (spans) => {
    const scaled = spans.map((span) => ({
      ...span,
      fromMs: START - span.fromMs * DAY_MS,
      toMs: START - span.fromMs * DAY_MS + (span.toMs - span.fromMs) * 3_600_000,
    }));
    const { uptime } = pastOf(UNTRACKED, scaled, START);
    for (const { up, known } of Object.values(uptime)) {
      assert.ok(known >= 0 && known <= 1);
      if (up === null) assert.is(known, 0);
      if (up !== null) assert.ok(up >= 0 && up <= 1);
    }
    for (const { up, known } of daysOf(scaled, START)) assert.ok((up ?? 0) <= 1 && known <= 1);
  });
  const hour = 3_600_000;
  const spans: Span[] = [
    { state: 'up', fromMs: START - 90 * DAY_MS, toMs: START - hour - 1, reason: '' },
    { state: 'down', fromMs: START - hour - 1, toMs: START - hour, reason: '' },
    { state: 'up', fromMs: START - hour, toMs: START, reason: '' },
  ];
  const { uptime } = pastOf(UNTRACKED, spans, START);
  assert.equal(uptime.quarter, { up: 0.999999, known: 1 });
  assert.equal(pastOf(UNTRACKED, [], START).uptime.quarter, { up: null, known: 0 });
});

test('the time off is unknown, however short, and a restart does not begin "since" anew', () => {
  const spans: Span[] = [
    { state: 'up', fromMs: START - 8 * 3_600_000, toMs: START - 4 * 3_600_000, reason: '' },
    // Started again after a minute.
    { state: 'up', fromMs: START - 4 * 3_600_000 + 60_000, toMs: START, reason: '' },
  ];
  const now = { ...UNTRACKED, state: 'up' as const, span: spans[1] ?? null };
  const { since, uptime } = pastOf(now, spans, START);
  assert.is(since, new Date(START - 8 * 3_600_000).toISOString());
  assert.equal(uptime.day, { up: 1, known: Math.floor(((8 * 60 - 1) / (24 * 60)) * 1e6) / 1e6 });
  // Off for longer: since the start after it.
  const late = spans.map((span) => (span === spans[0] ? { ...span, toMs: span.toMs - 600_000 } : span));
  assert.is(pastOf(now, late, START).since, new Date(START - 4 * 3_600_000 + 60_000).toISOString());
});

test('times down have beginning, end and reason, the newest first; one that lasts has no end', () => {
  const down = (from: number, to: number, reason: string): Span => ({
    state: 'down',
    fromMs: START + from * 1000,
    toMs: START + to * 1000,
    reason,
  });
  const up = (from: number, to: number): Span => ({ ...down(from, to, ''), state: 'up' });
  const spans = [down(0, 100, 'a'), up(100, 150), down(150, 200, 'b'), down(260, 300, 'c')];
  assert.equal(
    joined(spans).map(({ reason }) => reason),
    ['a', '', 'b'],
  );
  const now = { ...UNTRACKED, state: 'down' as const, span: spans[3] ?? null };
  assert.equal(
    pastOf(now, spans, START + 300_000).downs.map(({ from, to, seconds, reason }) => [
      from.slice(14, 19),
      to?.slice(14, 19) ?? null,
      seconds,
      reason,
    ]),
    [
      ['02:30', null, 150, 'b'],
      ['00:00', '01:40', 100, 'a'],
    ],
  );
  assert.is(pastOf(UNTRACKED, spans, START + 300_000).downs[0]?.to, '2026-01-02T00:05:00.000Z');
});

test('each of 90 days in UTC has its share; today up to now', () => {
  const noon = START + DAY_MS / 2;
  const spans: Span[] = [
    { state: 'up', fromMs: START - DAY_MS, toMs: START - DAY_MS / 4, reason: '' },
    { state: 'down', fromMs: START - DAY_MS / 4, toMs: START, reason: '' },
    { state: 'up', fromMs: START, toMs: noon, reason: '' },
  ];
  const days = daysOf(spans, noon);
  assert.is(days.length, 90);
  assert.equal(days.slice(-3), [
    { day: '2025-12-31', up: null, known: 0 },
    { day: '2026-01-01', up: 0.75, known: 1 },
    { day: '2026-01-02', up: 1, known: 1 },
  ]);
});

test('the store keeps spans over restarts, makes them longer, and forgets what is old', () => {
  const store = openMemoryStore('/nowhere', 'a test', () => undefined);
  const rows = new SiteSpans(store);
  const first = new Uptimes(rows);
  first.observe('shop', seen('up', 0), GAP_MS);
  for (const at of [60, 120, 180]) first.observe('shop', seen('up', at), GAP_MS);
  first.observe('other', seen('down', 180), GAP_MS);
  first.observe('other', seen('down', 185), GAP_MS);
  first.write({ wallMs: START + 200_000, monotonicMs: 200_000 });
  const again = new Uptimes(rows);
  again.observe('shop', seen('up', 400, 10), GAP_MS);
  const texts = (uptimes: Uptimes, site: string) =>
    (uptimes.spans(START - DAY_MS).get(site) ?? []).map(
      ({ state, fromMs, toMs }) => `${state} ${(fromMs - START) / 1000} ${(toMs - START) / 1000}`,
    );
  assert.equal(texts(again, 'shop'), ['up 0 180', 'up 400 400']);
  assert.equal(texts(again, 'other'), ['down 180 185']);
  assert.is(again.trackedOf('other').state, 'unknown');
  // Ninety days later the old spans are gone.
  const later = 92 * 86_400;
  again.observe('shop', seen('up', later, 20), GAP_MS);
  assert.equal(
    rows.list(0).map(({ site, fromMs }) => [site, (fromMs - START) / 1000]),
    [['shop', later]],
  );
  store.close();
});

test('a site that flaps all the time keeps its newest spans, and a store that takes nothing loses none of them', () => {
  const store = openMemoryStore('/nowhere', 'a test', () => undefined);
  const rows = new SiteSpans(store);
  let isFull = true;
  const uptimes = new Uptimes({
    list: (fromMs) => rows.list(fromMs),
    record: (spans, keptFromMs) => !isFull && rows.record(spans, keptFromMs),
  });
  const verdicts = ['up', 'down', 'down'] as const;
  for (let at = 0; at < 30; at += 1) uptimes.observe('shop', seen(verdicts[at % 3] ?? 'up', at * 20), GAP_MS);
  assert.is(rows.list(0).length, 0);
  assert.is(uptimes.spans(0).get('shop')?.length, 20);
  isFull = false;
  for (let at = 30; at < 2_000; at += 1)
    uptimes.observe('shop', seen(verdicts[at % 3] ?? 'up', at * 20), GAP_MS);
  uptimes.write(seen('up', 40_000));
  const kept = rows.list(0);
  assert.is(kept.length, 1_000);
  assert.ok((kept.at(-1)?.toMs ?? 0) >= START + 1_990 * 20_000);
  store.close();
});

test.run();
