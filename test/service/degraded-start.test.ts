/** What a service keeps in its state folder, and what it removes when it stops. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Held } from '../../src/service/degraded-start.ts';
import { tablesOf } from '../../src/service/tables.ts';
import { IN_MEMORY, openDatabase } from '../../src/store/database.ts';
import type { Store } from '../../src/store/store.ts';
import { recordRun, runFrom } from '../support/baseline.ts';
import { findingFrom } from '../support/state.ts';

const test = suite('degraded start');

for (const foreign of [false, true])
  test(`a stopping service removes only its own control token; the token is ${foreign ? 'another' : 'its own'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'desk-held-'));
    try {
      const held = new Held(folder, pino({ level: 'silent' }));
      const path = join(folder, 'control.token');
      const other = `${'x'.repeat(43)}\n`;
      if (foreign) writeFileSync(path, other);
      held.release();
      assert.is(existsSync(path), foreign);
      if (foreign) assert.is(readFileSync(path, 'utf8'), other);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

test('what the first desk writes while another replaces it is stored once and in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-held-'));
  const log = pino({ level: 'silent' });
  const AT = '2026-01-02T03:04:05.000+00:00';
  const findings = ['1', '2', '3'].map((digit) => findingFrom({ id: digit.repeat(16) }));
  const [early, late, last] = findings as [(typeof findings)[0], (typeof findings)[0], (typeof findings)[0]];
  const linesOf = (store: Store) =>
    tablesOf(store)
      .findings.events(100)
      .map(({ finding, event }) => `${finding[0]} ${event}`)
      .toReversed();
  try {
    const path = join(folder, 'desk.db');
    writeFileSync(path, '', { mode: 0o600 });
    const foreign = openDatabase(path, IN_MEMORY);
    foreign.script('BEGIN EXCLUSIVE');
    const held = new Held(folder, log);
    const memory = held.store;
    const { findings: written } = tablesOf(memory);
    assert.is.not(memory.temporary, '');
    written.record([{ opened: [early], closed: [], at: AT }]);
    assert.is(await held.again(), null);
    foreign.script('ROLLBACK');
    foreign.close();

    // No desk can be created on it: the first one continues.
    const refused = (await held.again()) as Store;
    held.refused(refused);
    written.record([{ finding: early.id, at: AT, event: 'a remedy' }]);

    const store = (await held.again()) as Store;
    // Another desk has read it meanwhile.
    written.record([{ opened: [late], closed: [], at: AT }]);
    written.record([{ opened: [], closed: [late], at: AT }]);
    written.record([{ finding: early.id, at: AT, event: 'another remedy' }]);
    recordRun(tablesOf(memory), runFrom({ changes: [{ opened: [last], closed: [early], at: AT }] }));
    held.recovered(store);
    assert.equal(linesOf(store), [
      ...['1 opened', '1 a remedy', '2 opened', '2 closed', '1 another remedy', '3 opened', '1 closed'],
    ]);
    assert.equal(
      tablesOf(store)
        .findings.open()
        ?.map(({ id }) => id),
      [last.id],
    );
    held.release();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('many records of a degraded start are copied in batches, in order, without blocking other work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-held-'));
  const AT = '2026-01-02T03:04:05.000+00:00';
  try {
    const path = join(folder, 'desk.db');
    writeFileSync(path, '', { mode: 0o600 });
    const foreign = openDatabase(path, IN_MEMORY);
    foreign.script('BEGIN EXCLUSIVE');
    const held = new Held(folder, pino({ level: 'silent' }));
    const findings = Array.from({ length: 1_500 }, (_, at) =>
      findingFrom({ id: at.toString(16).padStart(16, '0') }),
    );
    tablesOf(held.store).findings.record([{ opened: findings, closed: [], at: AT }]);
    foreign.script('ROLLBACK');
    foreign.close();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    const store = (await held.again()) as Store;
    clearInterval(timer);
    assert.ok(turns > 3, `${turns}`);
    held.recovered(store);
    assert.equal(
      tablesOf(store)
        .findings.events(2_000)
        .map(({ finding }) => finding)
        .toReversed(),
      findings.map(({ id }) => id),
    );
    held.release();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
