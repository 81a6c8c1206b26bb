import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import type { ProcessAbout } from '../../src/findings/finding.ts';
import type { PastRun } from '../../src/records/scar.ts';
import type { Shutdown } from '../../src/records/shutdowns.ts';
import { form } from '../../src/service/tables.ts';
import { IN_MEMORY, openDatabase } from '../../src/store/database.ts';
import { inDatabase, openTables, recordRun, within } from '../support/baseline.ts';
import { expect } from '../support/expect.ts';
import { forAllOf } from '../support/for-all.ts';
import { PROBED_MS, siteLine } from '../support/site.ts';
import { findingFrom } from '../support/state.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('store');
const root = tempFolder('desk-store-');

const folder = (): string => mkdtempSync(join(root, 's-'));
const findingAbout: ProcessAbout = {
  pid: 500,
  name: 'tool',
  executable: '/opt/tool',
  program: 'tool',
  uid: 1000,
  user: 'ann',
  parent: { pid: 1, name: 'systemd' },
  ancestors: [{ pid: 1, name: 'systemd' }],
  unit: 'ssh.service',
  started: '2026-01-02T03:04:05.000+00:00',
  directory: '/',
  command: null,
};
const at = (minute: number): string => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000+00:00`;
const run = (minute: number, parts: Partial<PastRun> = {}): PastRun => ({
  at: at(minute),
  mode: 'scar',
  state: 'pass',
  scarCount: 0,
  god: 1,
  steps: [{ step: 'cook', ok: true, ms: 1, detail: 'observation 1' }],
  ...parts,
});
/** A run without other changes. */
const alone = (one: PastRun) => ({
  run: one,
  changes: [],
  residue: [],
  seen: [],
  generation: null,
  closesWindow: null,
});

test('a new store holds generation 0, authoritative, empty and unlearned', () => {
  const path = folder();
  within(path, (store) => {
    assert.equal(store.baseline.generations(), [
      {
        number: 0,
        authoritative: true,
        privilege: '',
        learnedAt: '',
        how: '',
        parent: null,
        digest: '',
        kept: true,
      },
    ]);
    const nothing = { identities: 0, seenAgain: 0, rows: 0, toReview: 0 };
    assert.equal(store.baseline.state().baseline, { generation: 0, learnedAt: '', ...nothing });
    assert.ok(store.baseline.state().firstUse);
    assert.is(store.baseline.state().god, 1);
    assert.is(store.gate.last(), null);
    assert.equal(store.findings.open(), []);
    assert.is(store.access.store.recovered, null);
    for (const name of readdirSync(path)) assert.is(statSync(join(path, name)).mode & 0o077, 0, name);
  });
  within(path, (store) => assert.is(store.access.store.recovered, null));
});

test('a second authoritative generation is refused', () => {
  const path = folder();
  within(path, () => undefined);
  const second =
    "INSERT INTO generations (number, authoritative, privilege, learned_at) VALUES (1, 1, 'root', '')";
  inDatabase(path, (database) => assert.throws(() => database.run(second), /UNIQUE/));
});

test('findings open, close and open again, and keep firstSeen', () => {
  const path = folder();
  const finding = findingFrom({ firstSeen: at(1), lastSeen: at(1) });
  within(path, (store) => {
    store.findings.record([{ opened: [finding], closed: [], at: at(1) }]);
    assert.equal(store.findings.open(), [finding]);
    store.findings.record([{ opened: [], closed: [{ ...finding, lastSeen: at(2) }], at: at(3) }]);
    assert.equal(store.findings.open(), []);
    store.findings.record([
      { opened: [{ ...finding, firstSeen: at(5), lastSeen: at(5) }], closed: [], at: at(5) },
    ]);
    store.findings.record([{ opened: [finding], closed: [], at: at(6) }]);
  });
  within(path, (store) => {
    const found = store.findings.finding(finding.id);
    assert.is(found?.finding.firstSeen, at(1));
    expect(found?.history.map(({ event }) => event)).equals(['opened', 'closed', 'opened again']);
    expect(store.findings.events(2).map((event) => event.event)).equals(['opened again', 'closed']);
    assert.is(store.findings.finding('ffffffffffffffff'), undefined);
  });
});

test('the process of a finding is kept with it, and its command line is removed from the file', () => {
  const path = folder();
  const finding = findingFrom();
  const command = 'tool --mode unheard-of-word';
  const about = { ...findingAbout, program: 'tool unheard-of-word', command };
  const shutdown: Shutdown = {
    at: at(1),
    finding: finding.id,
    protocol: 'tcp',
    address: '127.0.0.1',
    port: 8766,
    executable: '/opt/tool',
    uid: 1000,
    ended: 'SIGTERM',
    by: 'policy',
    times: 1,
    about,
  };
  const holds = () =>
    readdirSync(path).some((name) => readFileSync(join(path, name)).includes('unheard-of-word'));
  within(path, (store) => {
    store.findings.record([
      { opened: [finding], closed: [], at: at(1) },
      { finding: finding.id, about },
    ]);
    store.shutdowns.record(shutdown);
    // A later write without a process keeps the known one.
    store.findings.record([{ opened: [], closed: [finding], at: at(2) }]);
  });
  within(path, (store) => {
    assert.equal(store.findings.finding(finding.id)?.finding.about, about);
    expect(store.findings.finding(finding.id)?.history.map(({ event }) => event)).equals([
      'opened',
      'closed',
    ]);
    assert.equal(store.shutdowns.list(5), [shutdown]);
    assert.ok(holds());
    for (const table of [store.findings, store.shutdowns]) table.forgetCommandLines();
    const rest = { ...about, command: null, program: about.name };
    assert.equal(store.findings.finding(finding.id)?.finding.about, rest);
    assert.equal(store.shutdowns.list(5), [{ ...shutdown, about: rest }]);
  });
  assert.not.ok(holds());
});

test('repeated shutdowns are one row, and one user cannot displace the rows of others', () => {
  const path = folder();
  const shutdown = (parts: Partial<Shutdown>): Shutdown => ({
    ...{ at: at(1), finding: 'f', protocol: 'tcp', address: '127.0.0.1', port: 8766, executable: '/opt/a' },
    ...{ uid: 0, ended: 'SIGTERM', by: 'policy', times: 1, about: null },
    ...parts,
  });
  within(path, (store) => {
    store.shutdowns.record(shutdown({ executable: '/opt/first' }));
    for (let time = 0; time < 3; time++) store.shutdowns.record(shutdown({ at: at(2 + time) }));
    for (let program = 0; program < 100; program++)
      store.shutdowns.record(shutdown({ uid: 1000, executable: `/tmp/${program}` }));
    const kept = store.shutdowns.list(1000);
    assert.is(kept.filter(({ uid }) => uid === 1000).length, 40);
    expect(
      kept.filter(({ uid }) => uid === 0).map(({ executable, times, at }) => [executable, times, at]),
    ).equals([
      ['/opt/a', 3, at(4)],
      ['/opt/first', 1, at(1)],
    ]);
  });
});

test('a finding is read back unchanged, with any text', () => {
  const path = folder();
  const store = openTables(path);
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  try {
    forAllOf(25)(
      text,
      text,
      fc.dictionary(text, fc.oneof(text, fc.integer())),
      fc.nat(),
      (comm, summary, evidence, id) => {
        const finding = findingFrom({
          id: id.toString(16).padStart(16, '0'),
          summary,
          evidence,
          subject: {
            kind: 'process',
            pid: 7,
            start: '99',
            comm,
            executable: "/x'; DROP TABLE findings; --",
            identity: comm,
            uid: null,
          },
        });
        store.findings.record([{ opened: [finding], closed: [], at: at(1) }]);
        const kept = store.findings.finding(finding.id)?.finding;
        assert.equal(JSON.parse(JSON.stringify(kept)), JSON.parse(JSON.stringify(finding)));
        store.findings.record([{ opened: [], closed: [finding], at: at(2) }]);
      },
    );
  } finally {
    store.access.store.close();
  }
});

test('attempts are in the history of a known finding, and nowhere else', () => {
  within(folder(), (store) => {
    const finding = findingFrom();
    store.findings.record([{ finding: finding.id, at: at(1), event: 'shutdown by policy: refused' }]);
    store.findings.record([{ opened: [finding], closed: [], at: at(2) }]);
    store.findings.record([{ finding: finding.id, at: at(3), event: 'shutdown by policy: it is down' }]);
    store.findings.record([{ opened: [], closed: [finding], at: at(4) }]);
    assert.equal(store.findings.finding(finding.id)?.history, [
      { at: at(2), event: 'opened' },
      { at: at(3), event: 'shutdown by policy: it is down' },
      { at: at(4), event: 'closed' },
    ]);
    assert.is(store.findings.events(10).length, 3);
  });
});

test('gate runs are kept in order', () => {
  const path = folder();
  within(path, (store) => {
    recordRun(store, alone(run(1)));
    recordRun(store, alone(run(2, { state: 'fail', scarCount: 3, mode: 'cook' })));
    assert.equal(store.gate.last(), run(2, { state: 'fail', scarCount: 3, mode: 'cook' }));
  });
  within(path, (store) => expect(store.gate.list(10).map((kept) => kept.at)).equals([at(2), at(1)]));
});

test('a write of another process is seen', () => {
  const path = folder();
  const [one, other] = [openTables(path), openTables(path)];
  try {
    assert.is(one.gate.last(), null);
    recordRun(other, alone(run(4)));
    assert.is(one.gate.last()?.at, at(4));
  } finally {
    one.access.store.close();
    other.access.store.close();
  }
});

test('a refused write leaves nothing behind', () => {
  const path = folder();
  within(path, (store) => {
    const bad = { ...findingFrom({ id: 'b'.repeat(16) }), summary: null as unknown as string };
    assert.throws(() => store.findings.record([{ opened: [findingFrom(), bad], closed: [], at: at(1) }]));
    assert.equal(store.findings.open(), []);
    store.findings.record([{ opened: [findingFrom()], closed: [], at: at(2) }]);
    assert.is(store.findings.open()?.length, 1);
  });
});

test('migrations are numbered from 1 without gaps', () => {
  assert.equal(
    form.migrations.map(({ version }) => version),
    form.migrations.map((_, index) => index + 1),
  );
});

/** Digests of the schema after each version, as it was released. */
const RELEASED = [
  '6da0f8dc498bf942',
  'f738948f3c86d246',
  '00f399bbb57fe996',
  '175fe4f239953277',
  '7011d763415d07c4',
  '6e1d95818951c96a',
  '7f93c40c02961894',
  '65c105f6e6e9872f',
  '42cc67cd37578b34',
  'b119066dab341cd7',
  'b5ccdafbe8d81937',
  '5d9f8b76ce4c52ac',
  '68d071498caa1685',
  '53b6fa7ad5704018',
  'dcb2827cb8a9bc2f',
];

test('released migrations give the same schema as when they were released, version by version', () => {
  const database = openDatabase(':memory:', IN_MEMORY);
  const schemas = form.migrations.map(({ sql }) => {
    database.script(sql);
    const made = database.all<{ sql: string | null }>('SELECT sql FROM sqlite_schema ORDER BY name');
    const text = made.map((one) => (one.sql ?? '').replace(/\s+/g, ' ')).join('\n');
    return createHash('sha256').update(text).digest('hex').slice(0, 16);
  });
  assert.equal(schemas, RELEASED);
  database.close();
});

test('a database of a newer desk is refused untouched', () => {
  const path = folder();
  within(path, (store) => recordRun(store, alone(run(1))));
  const database = openDatabase(join(path, 'desk.db'));
  database.script('PRAGMA user_version = 99');
  database.close();
  assert.throws(
    () => openTables(path),
    (error: unknown) => error instanceof DeskError && error.code === 'refused' && /99/.test(error.message),
  );
  assert.not.ok(readdirSync(path).some((name) => name.includes('damaged')));
});

const damages: readonly [string, (path: string) => void][] = [
  ['garbage', (path) => writeFileSync(path, 'no database at all '.repeat(500))],
  ['cut short', (path) => truncateSync(path, 6000)],
  [
    'a page overwritten',
    (path) => {
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 4096, 4096 * 4);
      writeFileSync(path, bytes);
    },
  ],
];

for (const [name, damage] of damages)
  test(`a damaged database is moved aside, and the new one reports that until something is learned: ${name}`, () => {
    const path = folder();
    within(path, (store) => recordRun(store, alone(run(1))));
    damage(join(path, 'desk.db'));
    const before = readFileSync(join(path, 'desk.db'));
    assert.throws(
      () => openTables(path, { recover: false }),
      (error: unknown) => error instanceof DeskError && error.code === 'unavailable',
    );
    assert.equal(readFileSync(join(path, 'desk.db')), before);
    const recovered = within(path, (store) => {
      assert.is(store.gate.last(), null);
      assert.is(store.baseline.state().god, 1);
      return store.access.store.recovered;
    });
    assert.ok(recovered);
    assert.equal(readFileSync(join(path, recovered?.setAside ?? '')), before);
    within(path, (store) => assert.equal(store.access.store.recovered, recovered));
  });

test('a deleted database is detected', () => {
  const path = folder();
  within(path, () => undefined);
  rmSync(join(path, 'desk.db'));
  within(path, (store) => {
    assert.ok(store.access.store.recovered);
    assert.is(store.access.store.recovered?.setAside, '');
  });
});

test('a replaced database is detected', () => {
  const [path, other] = [folder(), folder()];
  within(path, () => undefined);
  within(other, () => undefined);
  writeFileSync(join(path, 'desk.db'), readFileSync(join(other, 'desk.db')));
  within(path, (store) => assert.match(store.access.store.recovered?.reason ?? '', 'not the one'));
});

test('a missing folder is a refusal with a remedy', () => {
  const path = join(root, 'nowhere');
  assert.throws(
    () => openTables(path),
    (error: unknown) => error instanceof DeskError && error.remedy.length > 0,
  );
  assert.not.ok(existsSync(path));
});

test('a database that was emptied, with the mark of the folder removed, is reported as lost', () => {
  const path = folder();
  const learnedAt = '2026-01-02T03:04:05Z';
  within(path, (store) =>
    store.baseline.addGeneration({ how: 'first use', privilege: '', learnedAt, parent: 0, rows: [] }),
  );
  within(path, (store) => assert.is(store.access.store.recovered, null));
  rmSync(join(path, 'desk.store'));
  within(path, (store) => assert.is(store.access.store.recovered, null, 'what was learned is there'));
  for (const name of readdirSync(path)) rmSync(join(path, name));
  // An empty database and one from an earlier use are the only files.
  for (const name of ['desk.db', 'desk.lock']) writeFileSync(join(path, name), '', { mode: 0o600 });
  within(path, (store) => {
    assert.match(store.access.store.recovered?.reason ?? '', 'emptied');
    assert.not.ok(store.baseline.state().firstUse);
  });
});

test('a database that is removed while open refuses writes', () => {
  const path = folder();
  within(path, (store) => {
    recordRun(store, alone(run(1)));
    rmSync(join(path, 'desk.db'));
    const learned = { how: 'learned', privilege: '', learnedAt: at(2), parent: 0, rows: [] } as const;
    assert.throws(() => store.baseline.addGeneration(learned), /removed or exchanged/);
    assert.throws(() => recordRun(store, alone(run(2))), /removed or exchanged/);
    writeFileSync(join(path, 'desk.db'), '', { mode: 0o600 });
    assert.throws(
      () => store.findings.record([{ opened: [findingFrom()], closed: [], at: at(3) }]),
      /removed or exchanged/,
    );
    assert.is(store.gate.list(9).length, 1);
  });
});

test('the history of the site survives a restart, newest first, and is limited', () => {
  const path = folder();
  const first = siteLine();
  const second = siteLine({
    atMs: PROBED_MS + 60_000,
    ms: 0,
    changed: 'site 200 to no answer',
    state: { ...first.state, status: 0, reason: 'x', unresolved: ['a.example'], magazine: null },
  });
  within(path, ({ site }) => {
    site.record(first);
    site.record(second);
  });
  within(path, ({ site }) => {
    assert.equal(site.list(10), [second, first]);
    assert.equal(site.list(1), [second]);
  });
  const database = openDatabase(join(path, 'desk.db'));
  database.run("UPDATE site_probes SET number = number + 6000 WHERE changed LIKE 'site%'");
  database.close();
  within(path, ({ site }) => {
    site.record(first);
    expect(site.list(10).map(({ changed }) => changed)).equals(['first probe', 'site 200 to no answer']);
  });
});

test.run();
