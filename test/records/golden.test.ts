/** Hand-computed values of two desks, a quiet one and a faulty one: `test/golden/records/*.json`. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chargeReport } from '../../src/records/charge-report.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import type { DeskState } from '../../src/records/state.ts';
import { findingFrom, noteFrom, stateFrom } from '../support/state.ts';

type Values = Readonly<Record<string, unknown>>;
interface Golden {
  readonly status: Values;
  readonly charge: Values;
  readonly hygiene: Values;
}

const goldenOf = (name: string): Golden =>
  JSON.parse(readFileSync(new URL(`../golden/records/${name}.json`, import.meta.url), 'utf8'));

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, key) => (inner as Record<string, unknown>)[key], value);

const wrapped = { seccomp: 2, noNewPrivs: 1, wrap: 1, uid: 101, exe: '/usr/sbin/daemon' };

const quiet: DeskState = stateFrom({
  config: {
    loop: { mode: 'poll', recheck_ms: 1500 },
    site: {
      public_url: 'https://example.org',
      magazine_url: 'https://example.org/magazine/',
      names: ['example.org', 'www.example.org'],
    },
    identity: { from_name: 'The Desk', address: 'desk@example.org' },
  },
  configDate: '2025-12-31',
  snapshot: {
    generation: 12,
    at: { offsetMin: 60 },
    processes: [
      { pid: 1, uid: 0, comm: 'systemd', exe: '/usr/lib/systemd/systemd' },
      { pid: 2, ppid: 0, uid: 0, comm: 'kthreadd', flags: 0x0020_0000 },
      { pid: 400, comm: 'daemon', ...wrapped },
      { pid: 401, comm: 'daemon', ...wrapped },
      { pid: 402, comm: 'daemon', ...wrapped },
      { pid: 500, uid: 0, comm: 'sshd', exe: '/usr/sbin/sshd' },
      { pid: 700, comm: 'gone', exe: '', state: 'Z' },
      { pid: 800, comm: 'bash', exe: '/usr/bin/bash', tty: 34816 },
      { pid: 900, comm: 'node', exe: '/usr/bin/node' },
    ],
    listeners: [{ port: 18772 }, { port: 80 }, { port: 18770 }],
    machine: { temperatures: [41.2, 61.6], cameras: 1, captureDevices: 2 },
  },
  loop: { on: true, mode: 'poll', pid: 900, periodMs: 1500, cpuShare: 0.0005 },
  recheckUs: 1200,
  recheck: { p50Us: 900, mode: 'forever', pairsPerShard: 30 },
  site: {
    name: 'example.org',
    url: 'https://example.org',
    status: 301,
    magazineOk: true,
    dnsGreen: 2,
    dnsTotal: 2,
    certificateReady: true,
  },
  baseline: { generation: 4, identities: 6, seenAgain: 4, rows: 11, runningKnown: 5 },
  egress: { guardLoaded: true, deskHttps: 2, outside: 0 },
});

const sick: DeskState = stateFrom({
  config: {
    loop: { mode: 'off' },
    site: { public_url: 'https://example.org/', names: ['example.org', 'www.example.org'] },
  },
  snapshot: {
    at: { offsetMin: -390 },
    listeners: [{ port: 18772 }, { port: 22, address: '0.0.0.0', executable: '/usr/sbin/sshd' }],
    counts: { processes: 1000, userSpace: 4, wrapped: 1, free: 2, wrapBlind: 1, identities: 4 },
    probes: [
      { id: 'proc', works: true, reason: '', cure: '' },
      { id: 'lsm', works: false, reason: 'no LSM answers', cure: '' },
    ],
  },
  pass: 60,
  blind: 7,
  findings: [
    findingFrom({ id: 'a', severity: 'critical' }),
    findingFrom({ id: 'b', severity: 'high', check: 'public-listener', avenue: 'public_listen' }),
    findingFrom({
      id: 'c',
      severity: 'low',
      check: 'unknown-local-listener',
      avenue: 'unknown_local',
      remedy: '',
    }),
  ],
  notes: [noteFrom({ check: 'unlearned-process', avenue: 'new_comm' })],
  service: {
    listeners: [
      { role: 'control', host: '127.0.0.1', port: 18772, state: 'bound', reason: '' },
      { role: 'office', host: '127.0.0.1', port: 80, state: 'failed', reason: 'permission denied' },
      { role: 'public', host: '127.0.0.1', port: 18770, state: 'failed', reason: 'permission denied' },
      { role: 'themed', host: '127.0.0.1', port: 18771, state: 'off', reason: '' },
    ],
    fieldDirt: 3,
  },
  duties: { antivirus: { configured: true, healthy: false, reason: 'the sweep is blind' } },
  recheck: { p50Us: 20_000 },
  site: { status: 503, dnsGreen: 1, dnsTotal: 2 },
  baseline: { generation: 1, identities: 9, seenAgain: 2, rows: 9, runningKnown: 2 },
  egress: { guardLoaded: true, deskHttps: 4, outside: 1 },
});

for (const [name, state] of Object.entries({ quiet, sick })) {
  const golden = goldenOf(name);
  const records = { status: deskStatus, charge: chargeReport, hygiene: deskHygiene };
  for (const [word, record] of Object.entries(records)) {
    test(`${name}: ${word} has the values computed by hand`, () => {
      const value = record.assemble(state);
      const expected = golden[word as keyof Golden];
      assert.ok(Object.keys(expected).length > 5);
      const ours = Object.fromEntries(Object.keys(expected).map((path) => [path, at(value, path)]));
      assert.equal(ours, expected);
    });
  }
}

test.run();
