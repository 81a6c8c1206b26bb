/** Stored minutes of the desk: kept across restarts, for a week, and safe from kill -9. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StoredSamples } from '../../../src/features/history/stored-samples.ts';
import { form } from '../../../src/service/tables.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/database-file.ts';
import { GuardedStore } from '../../../src/store/guarded.ts';
import { allTables, openTables, type Tables, within as tablesIn } from '../../support/baseline.ts';
import { loader, moduleUrl } from '../../support/entry.ts';
import { sampleFrom } from '../../support/sample.ts';
import { siteLine } from '../../support/site.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('stored samples');
const root = tempFolder('desk-samples-');

/** The start of ten minutes. */
const START = 1_767_322_800;
const WEEK = 604_800;
const folder = (): string => mkdtempSync(join(root, 's-'));
const within = <T>(path: string, work: (store: Tables) => T): T => tablesIn(path, work, false);

test('minutes survive a restart unchanged; one that is recorded again replaces the first', () => {
  const path = folder();
  const first = sampleFrom({ at: START, temp_c: null });
  const second = sampleFrom({ at: START + 60, recheck_us: 40.5, temp_c: -3.5 });
  within(path, ({ samples }) => {
    samples.record(sampleFrom({ at: START, pids: 1 }));
    samples.record(second);
    samples.record(first);
  });
  within(path, ({ samples }) => {
    assert.equal(samples.list(START - 60, START + 60, 60), [first, second]);
    assert.equal(samples.list(START, START + 60, 60), [second]);
    assert.equal(samples.list(START - 60, START + 59, 60), [first], 'no later minutes');
  });
});

test('ten minutes have means, maxima of recheck, findings and scars, and ignore unread sensors', () => {
  const path = folder();
  within(path, ({ samples }) => {
    for (let minute = 0; minute < 12; minute += 1)
      samples.record(
        sampleFrom({
          at: START + 60 * minute,
          pids: minute,
          recheck_us: 10 * minute,
          recheck_max_us: 100 - minute,
          findings: minute === 3 ? 7 : 0,
          temp_c: minute === 0 ? null : 40,
        }),
      );
    const [ten, rest, ...more] = samples.list(START - 600, START + 3600, 600);
    assert.is(more.length, 0);
    assert.equal(
      [ten?.at, ten?.pids, ten?.recheck_us, ten?.recheck_max_us, ten?.findings, ten?.temp_c],
      [START, 4.5, 45, 100, 7, 40],
    );
    assert.equal([rest?.at, rest?.pids], [START + 600, 10.5]);
  });
});

test('a week of service time is kept, whatever the wall clock says', () => {
  const path = folder();
  let clockMs = 0;
  const store = openTables(path, { recover: true, clockMs: () => clockMs });
  const keep = (sec: number) => store.samples.record(sampleFrom({ at: START + sec }));
  const kept = (): number[] => store.samples.list(0, START + 20 * 365 * WEEK, 60).map(({ at }) => at - START);
  try {
    keep(0);
    clockMs += 60_000;
    keep(60);
    // Ten years ahead and back: nothing is deleted.
    keep(10 * 52 * WEEK);
    clockMs += 60_000;
    keep(120);
    assert.equal(kept(), [0, 60, 120, 10 * 52 * WEEK]);
    clockMs = WEEK * 1000;
    keep(WEEK);
    assert.equal(kept(), [60, 120, WEEK, 10 * 52 * WEEK]);
  } finally {
    store.access.store.close();
  }
});

test('a minute that repeats after the clock was set back keeps the higher peaks', () => {
  within(folder(), ({ samples }) => {
    samples.record(sampleFrom({ at: START, findings: 7, scars: 2, recheck_max_us: 900, pids: 5 }));
    samples.record(sampleFrom({ at: START, findings: 1, scars: 0, recheck_max_us: 40, pids: 6 }));
    const [row] = samples.list(0, START, 60);
    assert.equal([row?.findings, row?.scars, row?.recheck_max_us, row?.pids], [7, 2, 900, 6]);
  });
});

test('a store of an earlier version is migrated with all of its data', () => {
  const path = folder();
  within(path, ({ site }) => site.record(siteLine()));
  const file = join(path, 'desk.db');
  const database = openDatabase(file);
  database.script(`DROP TABLE diff_facts; DROP TABLE diff_changes; DROP TABLE diff_looks; DROP TABLE diff_counts; DROP TABLE site_spans; DROP TABLE alert_targets; DROP TABLE alert_deliveries; DROP TABLE quiet_time; DROP TABLE package_seals; DROP TABLE package_scan; DROP TABLE startup_vouched; DROP TABLE startup_missed; DROP TABLE samples; DROP TABLE dropped; DROP TABLE shutdowns; DROP INDEX findings_by_share; DROP INDEX findings_by_change;
    ALTER TABLE findings DROP COLUMN first_changed; ALTER TABLE findings DROP COLUMN changed_sec;
    ALTER TABLE findings DROP COLUMN members; ALTER TABLE findings DROP COLUMN about; PRAGMA user_version = 4`);
  migrate(
    database,
    file,
    form.migrations.filter(({ version }) => version <= 4),
  );
  assert.is(database.number('PRAGMA user_version'), 4);
  database.close();
  within(path, (store) => {
    assert.is(store.access.store.recovered, null);
    assert.equal(store.site.list(9), [siteLine()]);
    store.samples.record(sampleFrom({ at: START }));
    assert.is(store.samples.list(0, START, 60).length, 1);
  });
});

test('a failing store reports trouble and returns no rows', () => {
  const path = folder();
  within(path, ({ access: { store } }) => {
    const log = pino({ level: 'silent' });
    const guarded = new GuardedStore(store, log);
    const samples = new StoredSamples(guarded);
    samples.record(sampleFrom({ at: START }));
    assert.is(samples.list(0, START, 60).length, 1);
    const database = openDatabase(join(path, 'desk.db'));
    database.script('ALTER TABLE samples RENAME TO gone');
    samples.record(sampleFrom({ at: START + 60 }));
    assert.equal(samples.list(0, START + 60, 60), []);
    assert.match(guarded.trouble, 'the store fails');
    database.script('ALTER TABLE gone RENAME TO samples');
    database.close();
    samples.record(sampleFrom({ at: START + 60 }));
    assert.is(samples.list(0, START + 60, 60).length, 2);
    assert.is(guarded.trouble, '');
    // Samples of a command that runs beside the service are not recorded.
    const beside = allTables(new GuardedStore(store, log, { records: false }));
    beside.samples.record(sampleFrom({ at: START + 120 }));
    assert.is(samples.list(0, START + 120, 60).length, 2);
  });
});

const script = `
  const { openTables } = await import(${JSON.stringify(moduleUrl('../../support/baseline.ts', import.meta.url))});
  const { sampleFrom } = await import(${JSON.stringify(moduleUrl('../../support/sample.ts', import.meta.url))});
  const { samples } = openTables(process.argv[1]);
  for (let minute = 1; minute <= 100000; minute += 1) {
    samples.record(sampleFrom({ at: ${START} + 60 * minute }));
    process.stdout.write(minute + '\\n');
  }
`;

test('kill -9 loses no stored minute', async () => {
  const path = folder();
  const writer = spawn(process.execPath, [...loader, '--input-type=module', '-e', script, path], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const closed = once(writer, 'close');
  writer.stdout.setEncoding('utf8');
  writer.stdout.on('data', (part: string) => {
    text += part;
    if (text.split('\n').length > 20) writer.kill('SIGKILL');
  });
  await closed;
  const acknowledged = Number(text.slice(0, text.lastIndexOf('\n')).split('\n').at(-1));
  assert.ok(acknowledged >= 20);
  within(path, (store) => {
    assert.is(store.access.store.recovered, null);
    const last = START + 60 * acknowledged;
    const kept = store.samples.list(last - WEEK, last, 60);
    assert.is(kept.length, Math.min(acknowledged, WEEK / 60));
    assert.is(kept.at(-1)?.at, last);
  });
});

test.run();
