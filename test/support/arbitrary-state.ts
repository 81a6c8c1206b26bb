/** Random consistent states, for properties of records. */
import fc from 'fast-check';
import { AVENUE_IDS } from '../../src/checks/check.ts';
import type { Severity } from '../../src/policy/severity.ts';
import type { DeskState } from '../../src/records/state.ts';
import { findingFrom, noteFrom, type StateParts, stateFrom } from './state.ts';

const count = fc.nat({ max: 5000 });
const port = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(80, 8766, 18770, 18772, 22) },
  fc.integer({ min: 1, max: 65535 }),
);
const avenue = fc.constantFrom(...AVENUE_IDS);
/** Any text, with the characters that would break a list of remedies apart. */
const prose = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', ';', 'a; b;', 'stop it.', ' '),
);

const finding = fc
  .record({
    id: fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }).map((id) => id.toString(16).padStart(16, '0')),
    severity: fc.constantFrom<Severity>('low', 'medium', 'high', 'critical'),
    avenue,
    remedy: prose,
    summary: prose,
  })
  .map(findingFrom);
const note = fc.record({ avenue, cure: prose, reason: prose, subjects: count }).map(noteFrom);
const suppressed = fc
  .record({
    severity: fc.constantFrom<Severity>('low', 'medium', 'high', 'critical'),
    avenue,
    summary: prose,
    source: fc.constantFrom('law' as const, 'accepted' as const, 'benign' as const, 'baseline' as const),
    name: prose,
    why: prose,
  })
  .map((parts) => ({ check: 'traced', subject: findingFrom().subject, ...parts }));
const duty = fc
  .record({ configured: fc.boolean(), healthy: fc.boolean(), reason: prose })
  .map(({ configured, healthy, reason }) => ({ configured, healthy: configured && healthy, reason }));

const ports = fc.array(
  fc.record({ name: fc.string({ minLength: 1, maxLength: 9 }), port, required: fc.boolean() }),
  { maxLength: 8 },
);
const listeners = fc.array(
  fc.record({
    port,
    protocol: fc.constantFrom('tcp' as const, 'udp' as const),
    address: fc.constantFrom('127.0.0.1', '0.0.0.0', '::1', '::'),
  }),
  { maxLength: 8 },
);
const state = fc.constantFrom('bound' as const, 'failed' as const, 'off' as const);

export const anyParts: fc.Arbitrary<StateParts> = fc.record({
  config: fc.record(
    {
      loop: fc.record({ mode: fc.constantFrom('event', 'poll', 'off') }),
      site: fc.constantFrom({}, { public_url: 'https://example.org' }),
      ports,
    },
    { requiredKeys: ['loop', 'site'] },
  ),
  configDate: fc.constantFrom('', '2026-01-02'),
  configTrouble: fc.constantFrom('', 'line 3: loop.mode found "x"'),
  officeRefusal: fc.constantFrom('', 'EADDRINUSE', 'EACCES'),
  findings: fc.array(finding, { maxLength: 5 }),
  notes: fc.array(note, { maxLength: 4 }),
  suppressed: fc.array(suppressed, { maxLength: 3 }),
  lawExpired: fc.array(prose, { maxLength: 2 }),
  pass: count,
  blind: count,
  snapshot: fc.record({
    generation: count,
    at: fc.record({
      epochMs: fc.nat({ max: 4_102_444_800_000 }),
      offsetMin: fc.integer({ min: -840, max: 840 }),
    }),
    listeners,
    machine: fc.record({
      temperatures: fc.array(fc.double({ min: -40, max: 120, noNaN: true }), { maxLength: 3 }),
      tcpActiveOpens: count,
      cameras: fc.nat({ max: 3 }),
    }),
    counts: fc.tuple(count, count, count, fc.nat({ max: 100 })).map(([wrapped, free, wrapBlind, hidden]) => ({
      blindProcesses: Math.floor(((wrapped + free + wrapBlind) * hidden * hidden) / 10_000),
      wrapped,
      free,
      wrapBlind,
      userSpace: wrapped + free + wrapBlind,
      identities: Math.floor((wrapped + free) / 2),
    })),
    probes: fc.array(
      fc.record({
        id: fc.constantFrom('proc', 'sock_diag tcp4', 'sock_diag tcp6', 'sock_diag udp4'),
        works: fc.boolean(),
        reason: prose,
        cure: prose,
      }),
      { maxLength: 4 },
    ),
  }),
  service: fc.tuple(state, state, state, state, prose).map(([control, office, themed, site, reason]) => ({
    listeners: [
      { role: 'control' as const, host: '127.0.0.1', port: 18772, state: control, reason },
      { role: 'office' as const, host: '127.0.0.1', port: 80, state: office, reason },
      { role: 'themed' as const, host: '127.0.0.1', port: 18771, state: themed, reason },
      { role: 'public' as const, host: '127.0.0.1', port: 18770, state: site, reason },
    ],
    fieldDirt: reason.length,
  })),
  loop: fc.record({
    on: fc.boolean(),
    mode: fc.constantFrom('off' as const, 'poll' as const, 'event' as const),
    pid: fc.constantFrom(null, 900),
    periodMs: fc.integer({ min: 1, max: 3_600_000 }),
    cpuShare: fc.constantFrom(null, 0, 0.0009, 0.5),
  }),
  recheckUs: count,
  recheck: fc.record({ p50Us: count, pairsPerShard: count }),
  site: fc.record({
    status: fc.constantFrom(0, 200, 301, 404, 500),
    reason: prose,
    dnsGreen: fc.nat({ max: 2 }),
    dnsTotal: fc.constant(2),
    certificateReady: fc.boolean(),
    certificateDays: fc.constantFrom(null, -3, 0, 90),
    certificateEndsMs: fc.constantFrom(null, 1_700_000_000_000),
    probedMs: fc.constantFrom(null, 1_700_000_000_000),
  }),
  mail: fc.record({
    configured: fc.boolean(),
    finite: fc.boolean(),
    people: count,
    messages: count,
    trouble: prose,
    sources: fc.array(
      fc.record({
        source: fc.constantFrom('imap', 'maildir:~/Mail'),
        state: fc.constantFrom(
          'waiting' as const,
          'importing' as const,
          'watching' as const,
          'failed' as const,
        ),
        reason: prose,
        folders: count,
        read: count,
        progress: fc.option(
          fc.record({
            done: count,
            total: count,
            perSec: fc.constantFrom(0, 12.5),
            leftSec: fc.constantFrom(null, 7),
          }),
        ),
        completeMs: fc.constantFrom(null, 1_700_000_000_000),
      }),
      { maxLength: 2 },
    ),
  }),
  baseline: fc.record({
    generation: fc.nat({ max: 3 }),
    identities: count,
    seenAgain: count,
    rows: count,
    runningKnown: count,
    windowOpen: fc.boolean(),
  }),
  gate: fc.record({ god: fc.constantFrom(1, 1, 1, 2), differs: fc.boolean() }),
  egress: fc.record({ guardLoaded: fc.boolean(), deskHttps: count, outside: fc.nat({ max: 2 }) }),
  duties: fc.record({ antivirus: duty, mail_people: duty, trickle_train: duty }),
});

export const anyState: fc.Arbitrary<DeskState> = anyParts.map(stateFrom);
