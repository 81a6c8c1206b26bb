import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inDatabase, type Tables, within as tablesIn } from '../../support/baseline.ts';
import { moduleUrl, runScript } from '../../support/entry.ts';
import { Learner } from '../../support/learner.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const test = suite('the gate under kill -9');
const root = memoryFolder('desk-gate-kill-');

const learnerModule = moduleUrl('../../support/learner.ts', import.meta.url);

/** Sends itself SIGKILL at `place`: at the n-th reading of the clock (two per step), or during the write of the run. */
const script = `
  const { Learner, overStore } = await import(${JSON.stringify(learnerModule)});
  const [folder, what, place] = process.argv.slice(1);
  let armed = false;
  let clock = 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  const at = (here) => { if (armed && here === place) die(); };
  let rows = 0;
  const learner = new Learner(folder, {
    clockMs: () => { if (armed) at('clock ' + ++clock); return performance.now(); },
    dress: (store) => overStore(store, {
      db: {
        ...store.db,
        run(sql, ...values) {
          if (sql.startsWith('INSERT INTO gate_runs')) at('steps');
          if (sql.startsWith('INSERT INTO generation_rows') && armed && rows++ === 1) at('rows');
          store.db.run(sql, ...values);
        },
      },
      write(operation, work) {
        if (operation !== 'recordRun') return store.write(operation, work);
        at('record');
        const made = store.write(operation, work);
        at('committed');
        return made;
      },
    }),
  });
  learner.world = what === 'learn'
    ? { programs: [0, 1, 2, 3], listeners: [0], planted: [] }
    : { programs: [0, 1], listeners: [0], planted: [{ program: 0, severity: 'high' }] };
  const state = await learner.look();
  armed = true;
  if (what === 'learn') await learner.learning.learnOnce();
  else {
    const run = learner.learning.gate.run('cook');
    learner.learning.gate.note({ opened: state.judgement.findings, closed: [], open: state.judgement.findings, at: 'then' }, 0, false);
    await run;
  }
  process.stdout.write('alive');
`;

async function killed(folder: string, what: 'learn' | 'cook', place: string, text = script): Promise<void> {
  const { out, signal } = await runScript(text, folder, what, place);
  assert.equal([out, signal], ['', 'SIGKILL'], `${what} ${place}`);
}

/** A folder after its first use, with one gate run. */
async function folderAfterFirstUse(): Promise<string> {
  const folder = mkdtempSync(join(root, 'g-'));
  const learner = new Learner(folder);
  await learner.turn();
  learner.close();
  return folder;
}

const within = <T>(folder: string, work: (store: Tables) => T): T => tablesIn(folder, work, false);

const residueOf = (folder: string): number =>
  inDatabase(folder, (database) => database.number('SELECT count(*) FROM residue'));

// #1 is the start of a run; then two per step: cook, scar check, gate, and in a run with scars also cook-off and scar recheck.
const clocks = (last: number): string[] => Array.from({ length: last }, (_, at) => `clock ${at + 1}`);

for (const place of [...clocks(11), 'record', 'steps', 'committed'])
  test(`a gate run with scars killed at ${place} is stored completely or not at all`, async () => {
    const folder = await folderAfterFirstUse();
    const held = within(folder, (store) => store.baseline.rows(1).length);
    await killed(folder, 'cook', place);
    within(folder, (store) => {
      assert.is(store.access.store.recovered, null);
      assert.is(store.baseline.state().god, 1);
      assert.is(store.baseline.verifyHeld()?.state, 'sound');
      assert.equal([store.baseline.state().baseline.generation, store.baseline.rows(1).length], [1, held]);
      const committed = place === 'committed';
      assert.is(store.gate.list(10).length, committed ? 2 : 1);
      assert.is(store.findings.open()?.length, committed ? 1 : 0);
      if (committed) assert.is(store.gate.list(1)[0]?.steps.length, 5);
    });
    assert.is(residueOf(folder), place === 'committed' ? 2 : 0);
  });

for (const place of [...clocks(7), 'record', 'steps', 'rows', 'committed'])
  test(`learning killed at ${place} is stored completely or not at all`, async () => {
    const folder = await folderAfterFirstUse();
    await killed(folder, 'learn', place);
    within(folder, (store) => {
      assert.is(store.baseline.state().god, 1);
      assert.is(store.baseline.verifyHeld()?.state, 'sound');
      const committed = place === 'committed';
      assert.is(store.baseline.state().baseline.generation, committed ? 2 : 1);
      assert.is(store.gate.list(10).length, committed ? 2 : 1);
      assert.is(store.baseline.rows(2).length, committed ? 5 : 0);
      assert.not.ok(store.baseline.state().firstUse);
    });
  });

for (const place of ['record', 'steps', 'rows', 'committed'])
  test(`the first use killed at ${place} still happens exactly once`, async () => {
    const folder = mkdtempSync(join(root, 'f-'));
    within(folder, () => undefined);
    const firstScript = script.replace('await learner.learning.learnOnce()', 'await learner.turn()');
    await killed(folder, 'learn', place, firstScript);
    using learner = new Learner(folder);
    assert.is(learner.store.baseline.state().firstUse, place !== 'committed');
    await learner.turn();
    assert.is(learner.store.baseline.state().baseline.generation, 1);
    assert.is(learner.store.baseline.verifyHeld()?.state, 'sound');
    assert.not.ok(learner.store.baseline.state().firstUse);
  });

test.run();
