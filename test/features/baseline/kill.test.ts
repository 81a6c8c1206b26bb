/** kill -9 at every step of the pipeline and in the middle of its transaction: after a restart a run is there whole, or not at all. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../../src/store/database.ts';
import { openTables, type Tables } from '../../support/baseline.ts';
import { loader, moduleUrl } from '../../support/entry.ts';
import { Learner } from '../../support/learner.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { projectRoot } from '../../support/require.ts';

const test = suite('the gate under kill -9');
const root = memoryFolder('desk-gate-kill-');
test.after(() => rmSync(root, { recursive: true, force: true }));

const learnerModule = moduleUrl('../../support/learner.ts', import.meta.url);

/** Ends itself by SIGKILL at `place`: at the n-th look at the clock (two for each step), or within the write of the run. */
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
  const moment = await learner.look();
  armed = true;
  if (what === 'learn') await learner.learning.learnOnce();
  else {
    const run = learner.learning.gate.run('cook');
    learner.learning.gate.note({ opened: moment.judgement.findings, closed: [], open: moment.judgement.findings, at: 'then' }, 0, false);
    await run;
  }
  process.stdout.write('alive');
`;

async function killed(folder: string, what: 'learn' | 'cook', place: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [...loader, '--input-type=module', '-e', script, folder, what, place],
    { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  assert.equal([out, signal], ['', 'SIGKILL'], `${what} ${place}`);
}

/** A folder whose first use is over, with one run of the gate. */
async function lived(): Promise<string> {
  const folder = mkdtempSync(join(root, 'g-'));
  const learner = new Learner(folder);
  await learner.turn();
  learner.close();
  return folder;
}

const within = <T>(folder: string, work: (store: Tables) => T): T => {
  const store = openTables(folder, { recover: false });
  try {
    return work(store);
  } finally {
    store.access.store.close();
  }
};

const residueOf = (folder: string): number => {
  const database = openDatabase(join(folder, 'desk.db'));
  try {
    return database.number('SELECT count(*) FROM residue');
  } finally {
    database.close();
  }
};

// #1 is the start of a run; then two for each step: cook, scar check, gate, and of a dirty run cook-off and scar recheck.
const clocks = (last: number): string[] => Array.from({ length: last }, (_, at) => `clock ${at + 1}`);

for (const place of [...clocks(11), 'record', 'steps', 'committed'])
  test(`a dirty run, killed at ${place}`, async () => {
    const folder = await lived();
    const held = within(folder, (store) => store.baseline.rows(1).length);
    await killed(folder, 'cook', place);
    within(folder, (store) => {
      assert.is(store.access.store.recovered, null);
      assert.is(store.baseline.standing().god, 1);
      assert.is(store.baseline.verifyHeld()?.state, 'sound');
      assert.equal([store.baseline.standing().baseline.generation, store.baseline.rows(1).length], [1, held]);
      const whole = place === 'committed';
      assert.is(store.gate.list(10).length, whole ? 2 : 1);
      assert.is(store.findings.open()?.length, whole ? 1 : 0);
      if (whole) assert.is(store.gate.list(1)[0]?.steps.length, 5);
    });
    assert.is(residueOf(folder), place === 'committed' ? 2 : 0);
  });

for (const place of [...clocks(7), 'record', 'steps', 'rows', 'committed'])
  test(`learning, killed at ${place}`, async () => {
    const folder = await lived();
    await killed(folder, 'learn', place);
    within(folder, (store) => {
      assert.is(store.baseline.standing().god, 1);
      assert.is(store.baseline.verifyHeld()?.state, 'sound');
      const whole = place === 'committed';
      assert.is(store.baseline.standing().baseline.generation, whole ? 2 : 1);
      assert.is(store.gate.list(10).length, whole ? 2 : 1);
      assert.is(store.baseline.rows(2).length, whole ? 5 : 0);
      assert.not.ok(store.baseline.standing().firstUse);
    });
  });

for (const place of ['record', 'steps', 'rows', 'committed'])
  test(`the first use, killed at ${place}, comes once all the same`, async () => {
    const folder = mkdtempSync(join(root, 'f-'));
    within(folder, () => undefined);
    const firstScript = script.replace('await learner.learning.learnOnce()', 'await learner.turn()');
    const child = spawn(
      process.execPath,
      [...loader, '--input-type=module', '-e', firstScript, folder, 'learn', place],
      { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const [, signal] = (await once(child, 'close')) as [number | null, string | null];
    assert.is(signal, 'SIGKILL');
    const learner = new Learner(folder);
    try {
      assert.is(learner.store.baseline.standing().firstUse, place !== 'committed');
      await learner.turn();
      assert.is(learner.store.baseline.standing().baseline.generation, 1);
      assert.is(learner.store.baseline.verifyHeld()?.state, 'sound');
      assert.not.ok(learner.store.baseline.standing().firstUse);
    } finally {
      learner.close();
    }
  });

test.run();
