/** What the history keeps under a flood, by severity, check, owner and age; and that deleted entries are counted. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explainUnlearned } from '../../../src/checks/allowed-listeners.ts';
import { bannedListener } from '../../../src/checks/banned-listener.ts';
import type { CheckContext } from '../../../src/checks/check.ts';
import { RESIDUE_ROWS } from '../../../src/features/gate/gate-runs.ts';
import { KEPT_SEC, SHARE } from '../../../src/features/history/finding-shares.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import type { Severity } from '../../../src/policy/severity.ts';
import { form } from '../../../src/service/tables.ts';
import { openDatabase, READ_ONLY } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/database-file.ts';
import { openTables, recordRun, type Tables } from '../../support/baseline.ts';
import { snapshotFrom } from '../../support/snapshot.ts';
import { findingFrom } from '../../support/state.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const test = suite('eviction');
const root = memoryFolder('desk-eviction-');

const AT = '2026-01-02T03:04:05.000+00:00';
const within = <T>(work: (store: Tables, folder: string, clock: { ms: number }) => T): T => {
  const folder = mkdtempSync(join(root, 's-'));
  const clock = { ms: 0 };
  const store = openTables(folder, { recover: true, clockMs: () => clock.ms });
  try {
    return work(store, folder, clock);
  } finally {
    store.access.store.close();
  }
};

/** What a check reports about a listener of this uid and program, with the keys that the check itself writes. */
type Explained = Pick<Finding, 'subject' | 'evidence'>;
const explained = new Map<string, Explained>();
function explainedBy(check: string, creatorUid: number, executable: string): Explained {
  const key = [check, creatorUid, executable].join(' ');
  const known = explained.get(key);
  if (known !== undefined) return known;
  const snapshot = snapshotFrom({ listeners: [{ address: '127.0.0.1', creatorUid, executable }] });
  const explain =
    check === bannedListener.id && 'explain' in bannedListener ? bannedListener.explain : explainUnlearned;
  const { subject, evidence } = explain({ snapshot } as CheckContext, 0);
  const parts = { subject, evidence };
  explained.set(key, parts);
  return parts;
}

let number = 0;
/** A listener of a user's program on its own port. */
function listener(
  parts: Partial<Finding> & { readonly uid?: number; readonly program?: string } = {},
): Finding {
  const { uid = 1000, program = '/tmp/flood', check = 'unknown-local-listener', ...own } = parts;
  number += 1;
  const { subject, evidence } = explainedBy(check, uid, program);
  return findingFrom({
    id: number.toString(16).padStart(16, '0'),
    check,
    subject: { ...subject, port: 1024 + (number % 60_000), inode: number } as Finding['subject'],
    evidence,
    severity: 'medium',
    ...own,
  });
}

function openAndClose(store: Tables, findings: readonly Finding[]): void {
  for (let from = 0; from < findings.length; from += 100) {
    const some = findings.slice(from, from + 100);
    store.findings.record([{ opened: some, closed: [], at: AT }]);
    store.findings.record([{ opened: [], closed: some, at: AT }]);
  }
}

const flood = (count: number, parts: Parameters<typeof listener>[0] = {}): Finding[] =>
  Array.from({ length: count }, () => listener(parts));

const keptOf = (store: Tables, findings: readonly Finding[]): Finding[] =>
  findings.filter(({ id }) => store.findings.finding(id) !== undefined);

/** Listeners that one program opens and closes in 30 s: more than the recheck loop can see. */
const FLOOD = 30_000;

test('30 s of opened and closed listeners evict no high or critical finding, and are counted', () => {
  within((store, folder) => {
    const trail = [
      findingFrom({ id: 'f'.repeat(16), check: 'shell-on-socket', severity: 'critical' }),
      findingFrom({ id: 'e'.repeat(16), check: 'deleted-executable', severity: 'high' }),
    ];
    openAndClose(store, trail);
    const listeners = flood(FLOOD);
    openAndClose(store, listeners);
    assert.is(keptOf(store, trail).length, 2);
    assert.equal(
      store.findings.finding('f'.repeat(16))?.history.map(({ event }) => event),
      ['opened', 'closed'],
    );
    const kept = keptOf(store, listeners).length;
    assert.ok(kept >= SHARE.medium && kept <= 1.2 * SHARE.medium, String(kept));
    const { findings, lastAt, checks } = store.findings.dropped();
    assert.equal(findings, { low: 0, medium: FLOOD - kept, high: 0, critical: 0 });
    assert.is(lastAt, AT);
    assert.equal(checks, [{ check: 'unknown-local-listener', severity: 'medium', count: FLOOD - kept }]);
    // The counts survive a restart of the service.
    store.access.store.close();
    const again = openTables(folder);
    assert.equal(again.findings.dropped().findings, findings);
    again.access.store.close();
  });
});

test('a flood of low findings evicts only low ones', () => {
  within((store) => {
    const others = (['medium', 'high', 'critical'] as const).flatMap((severity) => flood(100, { severity }));
    openAndClose(store, others);
    openAndClose(store, flood(5_000, { severity: 'low', scar: false }));
    assert.is(keptOf(store, others).length, others.length);
    const { medium, high, critical } = store.findings.dropped().findings;
    assert.equal([medium, high, critical], [0, 0, 0]);
  });
});

test('a flood of critical findings evicts only repeats of the same check, and the database stays bounded', () => {
  within((store) => {
    const severity: Severity = 'critical';
    const other = findingFrom({ id: 'd'.repeat(16), check: 'memfd-executable', severity });
    // The same check, seen before the flood: one of root, and one of the flooding user with another program.
    const first = [
      listener({ severity, uid: 0, program: '/usr/bin/socat' }),
      listener({ severity, program: '/home/u/backdoor' }),
    ];
    openAndClose(store, [other, ...first]);
    const listeners = flood(5_000, { severity });
    openAndClose(store, listeners);
    assert.is(keptOf(store, [other, ...first]).length, 3);
    // The first finding of the flood stays too.
    assert.ok(store.findings.finding((listeners[0] as Finding).id));
    const kept = keptOf(store, listeners).length;
    assert.ok(kept <= 1.2 * SHARE.critical, String(kept));
    assert.is(store.findings.dropped().findings.critical, 5_000 - kept);
  });
});

test('programs with constantly new names evict only newer rows of their own user', () => {
  within((store) => {
    const severity: Severity = 'high';
    const before = [listener({ severity, uid: 0 }), listener({ severity, program: '/home/u/backdoor' })];
    openAndClose(store, before);
    openAndClose(
      store,
      Array.from({ length: 3_000 }, (_, at) => listener({ severity, program: `/tmp/flood-${at}` })),
    );
    const later = listener({ severity, uid: 33, program: '/usr/bin/dash' });
    openAndClose(store, [later]);
    openAndClose(
      store,
      Array.from({ length: 3_000 }, (_, at) => listener({ severity, program: `/tmp/again-${at}` })),
    );
    assert.is(keptOf(store, [...before, later]).length, 3);
  });
});

test('a flood of banned listeners of one user does not evict the one of root', () => {
  within((store) => {
    const parts = { severity: 'critical', check: 'banned-listener' } as const;
    const programs = (name: string) =>
      Array.from({ length: 150 }, (_, at) => listener({ ...parts, program: `/tmp/${name}-${at}` }));
    const root = listener({ ...parts, uid: 0, program: '/usr/bin/socat' });
    openAndClose(store, [...programs('before'), root, ...programs('after')]);
    assert.is(store.findings.dropped().findings.critical > 0, true);
    assert.ok(store.findings.finding(root.id));
  });
});

test('findings of constantly new uids evict the newest owner, and subordinate uids count as one owner', () => {
  for (const first of [20_000, 100_000])
    within((store) => {
      const severity: Severity = 'critical';
      const before = [listener({ severity, uid: 0 }), listener({ severity, uid: 33 })];
      openAndClose(store, before);
      const others = Array.from({ length: 1_000 }, (_, at) => listener({ severity, uid: first + at }));
      openAndClose(store, others);
      assert.is(keptOf(store, before).length, 2, String(first));
      assert.ok(store.findings.finding((others[0] as Finding).id));
    });
  within((store) => {
    const severity: Severity = 'critical';
    const own = flood(200, { severity, uid: 1000 });
    openAndClose(store, own);
    openAndClose(
      store,
      Array.from({ length: 1_000 }, (_, at) => listener({ severity, uid: 100_000 + at })),
    );
    // 100 rows of uids from 100,000 up are evicted for each row of uid 1000.
    assert.ok(keptOf(store, own).length >= SHARE.critical / 2, String(keptOf(store, own).length));
  });
});

test('high and critical findings are deleted after 90 days of service time, whatever the wall clock says', () => {
  within((store, _folder, clock) => {
    const [old] = flood(1, { severity: 'critical', lastSeen: '2036-01-01T00:00:00.000+00:00' }) as [Finding];
    store.findings.record([{ opened: [old], closed: [], at: AT }]);
    // The wall clock jumps ten years ahead and back; the monotonic clock does not.
    store.findings.record([{ opened: [], closed: [old], at: '2036-01-01T00:00:00.000+00:00' }]);
    const next = flood(3, { severity: 'high' }) as [Finding, Finding, Finding];
    openAndClose(store, [next[0]]);
    assert.ok(store.findings.finding(old.id));
    clock.ms = (KEPT_SEC - 3_600) * 1000;
    openAndClose(store, [next[1]]);
    assert.ok(store.findings.finding(old.id));
    clock.ms = (KEPT_SEC + 3_600) * 1000;
    openAndClose(store, [next[2]]);
    assert.is(store.findings.finding(old.id), undefined);
    assert.is(store.findings.dropped().findings.critical, 1);
    assert.ok(store.findings.finding(next[1].id));
  });
});

test('an open finding is never deleted', () => {
  within((store) => {
    const open = flood(500, { severity: 'low', scar: false });
    store.findings.record([{ opened: open, closed: [], at: AT }]);
    openAndClose(store, flood(2_000, { severity: 'low', scar: false }));
    assert.is(store.findings.open()?.length, 500);
  });
});

test('a flapping finding keeps its first lines and the actions taken on it', () => {
  within((store) => {
    const finding = listener({ severity: 'critical' });
    store.findings.record([{ opened: [finding], closed: [], at: AT }]);
    store.findings.record([{ finding: finding.id, at: AT, event: 'shutdown by policy: it is down' }]);
    for (let turn = 0; turn < 300; turn += 1) {
      store.findings.record([{ opened: [], closed: [finding], at: AT }]);
      store.findings.record([{ opened: [finding], closed: [], at: AT }]);
    }
    const history = store.findings.finding(finding.id)?.history ?? [];
    assert.is(history.length, 100);
    assert.equal(
      history.slice(0, 2).map(({ event }) => event),
      ['opened', 'shutdown by policy: it is down'],
    );
  });
});

test('requested gate runs are kept, others are thinned out across all ages, and deleted runs are counted', () => {
  within((store) => {
    const record = (mode: 'scar' | 'cook', scarCount: number): void => {
      const run = { at: AT, mode, state: 'fail', scarCount, god: 1, steps: [] } as const;
      recordRun(store, { run, changes: [], residue: [], seen: [], generation: null, closesWindow: null });
    };
    record('cook', 1);
    for (let turn = 0; turn < 6_000; turn += 1) record('scar', turn);
    const runs = store.gate.list(10_000);
    assert.is(runs.at(-1)?.mode, 'cook');
    assert.ok(runs.length <= 4_101, String(runs.length));
    assert.ok(runs.some(({ scarCount }) => scarCount < 100));
    assert.is(store.findings.dropped().gateRuns, 6_001 - runs.length);
  });
});

test('residue is bounded by rows, a flood of one user leaves room for others, and deleted rows are counted', () => {
  within((store, folder) => {
    const row = (owner: string, number: number) => ({
      ...{ finding: `${owner} ${number}`, owner, severity: 'high', kind: 'listener' as const },
      key: Buffer.from(`tcp ${number}`),
    });
    const flood = Array.from({ length: 9_000 }, (_, at) => row('1000', at));
    const run = { at: AT, mode: 'scar', state: 'fail', scarCount: 1, god: 1, steps: [] } as const;
    const residue = [...flood, ...flood, row('65534', 1)];
    for (let turn = 0; turn < 3; turn += 1)
      recordRun(store, { run, changes: [], residue, seen: [], generation: null, closesWindow: null });
    const database = openDatabase(join(folder, 'desk.db'), READ_ONLY);
    assert.is(database.number('SELECT count(*) FROM residue'), 3 * RESIDUE_ROWS);
    assert.is(database.number("SELECT count(*) FROM residue WHERE finding = '65534 1'"), 3);
    database.close();
    assert.is(store.findings.dropped().residue, 3 * (flood.length + 1 - RESIDUE_ROWS));
  });
});

test('counts from an earlier database version are kept', () => {
  const folder = mkdtempSync(join(root, 's-'));
  const file = join(folder, 'desk.db');
  writeFileSync(file, '', { mode: 0o600 });
  const before = openDatabase(file);
  migrate(
    before,
    file,
    form.migrations.filter(({ version }) => version <= 6),
  );
  before.run(
    `INSERT INTO dropped VALUES ('finding', 'a', 'high', 'age', 2, ?1), ('gate-run', '', '', 'share', 3, ?1)`,
    AT,
  );
  before.close();
  const store = openTables(folder);
  const { findings, gateRuns, lines, lastAt } = store.findings.dropped();
  assert.equal([findings.high, gateRuns, lines, lastAt], [2, 3, 0, AT]);
  // What goes by age was over long before; runs of the gate and lines are no findings.
  const atSec = Math.floor(Date.parse(AT) / 1000);
  assert.is(store.findings.droppedUntilSec(), atSec - KEPT_SEC);
  store.findings.recordUnwritten([], 4, AT);
  assert.is(store.findings.droppedUntilSec(), atSec - KEPT_SEC);
  store.findings.recordUnwritten([{ check: 'a', severity: 'low', count: 1 }], 0, AT);
  assert.is(store.findings.droppedUntilSec(), atSec);
  assert.is(store.findings.dropped().lines, 4);
  store.access.store.close();
});

test.run();
