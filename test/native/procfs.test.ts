/** The procfs sweep over the fixture roots: golden files on every CPU build that runs here, and required facts. */
import { once as eventOnce } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadFrom } from '../../src/engine/native/load.ts';
import { FACT, WRAP, WRAP_STATE } from '../../src/engine/native/types.ts';
import { ROOTS, type RootName, SOCKETS, writeRoot } from '../fixtures/proc/roots.ts';
import { testedMarks } from '../support/marks.ts';
import { type Rendered, type Row, renderRoot, renderRow, sweep } from './render.ts';

const BUILDS = fileURLToPath(new URL('../../build/Release', import.meta.url));
const goldenOf = (name: RootName) => new URL(`../golden/procfs/${name}.json`, import.meta.url);
const marks = testedMarks();
const addons = marks.map((mark) => loadFrom(BUILDS, mark).addon);
const addon = addons[0] as (typeof addons)[0];

const test = suite('procfs');
const folder = mkdtempSync(join(tmpdir(), 'desk-proc-'));
const paths = new Map(ROOTS.map((name) => [name, writeRoot(folder, name)]));
const pathOf = (name: RootName) => paths.get(name) as string;
test.after(() => rmSync(folder, { recursive: true, force: true }));

const rendered = new Map<RootName, Rendered>();
const renderOnce = (name: RootName): Rendered => {
  const known = rendered.get(name) ?? renderRoot(addon, pathOf(name), SOCKETS);
  rendered.set(name, known);
  return known;
};
const rowOf = (name: RootName, pid: number): Row => {
  const row = renderOnce(name).rows.find((one) => one.pid === pid);
  if (row === undefined) throw new Error(`${name} has no row of pid ${pid}`);
  return row;
};
const statesOf = (name: RootName, pids: readonly number[]) => pids.map((pid) => rowOf(name, pid).wrapState);

for (const name of ROOTS) {
  for (const [index, mark] of marks.entries()) {
    test(`${name} on ${mark} equals its golden file`, () => {
      const found = renderRoot(addons[index] as typeof addon, pathOf(name), SOCKETS);
      if (process.env.DESK_UPDATE_GOLDEN === '1') {
        writeFileSync(goldenOf(name), `${JSON.stringify(found, null, 1)}\n`);
      }
      assert.equal(found, JSON.parse(readFileSync(goldenOf(name), 'utf8')));
    });
  }

  test(`${name} gives the same result in several shards`, () => {
    for (const shards of [2, 3, 7, 64]) {
      assert.equal(renderRoot(addon, pathOf(name), SOCKETS, shards), renderOnce(name));
    }
  });
}

test('the reference for capabilities has the right source', () => {
  assert.is(renderOnce('bare').reference.source, 'pid 2');
  assert.is(renderOnce('container').reference.source, 'self');
  assert.is(renderOnce('sandbox').reference.source, 'fixed');
  assert.is(renderOnce('sandbox').reference.nsMnt, 0xefff_fff8);
});

test('a process is as confined as its least confined thread', () => {
  const { free, wrapped, blind, notApplicable } = WRAP_STATE;
  assert.equal(statesOf('bare', [600, 610, 620, 630]), [free, wrapped, blind, wrapped]);
  assert.is(rowOf('bare', 600).wrap, 0);
  assert.is(rowOf('bare', 610).wrap, WRAP.seccomp);
  assert.equal(statesOf('bare', [2, 10, 500]), [notApplicable, notApplicable, notApplicable]);
});

test('when the leader has exited, a living thread is read instead', () => {
  const { free, wrapped, blind, notApplicable } = WRAP_STATE;
  const pids = [640, 650, 660, 670, 680];
  assert.equal(statesOf('bare', pids), [free, free, wrapped, notApplicable, blind]);
  assert.equal(
    pids.map((pid) => rowOf('bare', pid).state),
    ['R', 'S', 'S', 'Z', '?'],
  );
  const { exe, cgroup, identity, refused } = rowOf('bare', 640);
  assert.equal([exe, cgroup, identity], ['/opt/app/hidden', '/hidden', '/opt/app/hidden']);
  assert.is(refused, '0');
  assert.ok(renderOnce('bare').holders.includes('12005 640 5'));
  // No visible threads is not proof that there are none.
  const unseen = Number.parseInt(String(rowOf('bare', 680).refused), 2);
  const hidden = FACT.exe | FACT.threads | FACT.descriptors;
  assert.is(unseen & hidden, hidden);
  assert.is(rowOf('bare', 680).identity, 'unseen?1000');
});

test('every reason of confinement counts, and nothing else', () => {
  assert.is(rowOf('bare', 410).wrap, WRAP.seccomp | WRAP.nsMnt | WRAP.bounded);
  assert.equal(
    [700, 701, 702].map((pid) => rowOf('bare', pid).wrap),
    [WRAP.bounded, 0, 0],
  );
  assert.equal(
    [400, 420, 421].map((pid) => rowOf('bare', pid).wrap),
    [0, WRAP.label, 0],
  );
  const all = WRAP.seccomp | WRAP.nsUser | WRAP.nsPid | WRAP.nsMnt | WRAP.nsNet | WRAP.bounded;
  assert.is(rowOf('sandbox', 900).wrap, all);
  assert.is(rowOf('sandbox', 901).wrap, WRAP.nsPid);
  assert.is(rowOf('sandbox', 910).wrap, WRAP.seccomp);
  assert.is(rowOf('container', 7).wrap, WRAP.nsPid);
});

test('a filter and a mount namespace count for a process that lacks a capability or has it only in its own user namespace', () => {
  const held = WRAP.seccomp | WRAP.nsMnt;
  assert.equal(
    [970, 971, 972].map((pid) => rowOf('sandbox', pid).wrap),
    [0, held | WRAP.nsUser, held],
  );
  // It is still a container.
  assert.is(rowOf('sandbox', 970).identity, '/usr/bin/mighty@container');
  // An unknown seccomp mode counts as a filter.
  assert.equal(
    [rowOf('damaged', 35).wrap, ...statesOf('damaged', [22, 35])],
    [WRAP.seccomp, WRAP_STATE.blind, WRAP_STATE.wrapped],
  );
});

test('an identity is made of the executable, the container, and the script of an interpreter', () => {
  assert.is(rowOf('bare', 800).identity, '/usr/bin/python3.11:backup.py');
  assert.is(rowOf('bare', 400).identity, '/usr/sbin/sshd');
  assert.is(rowOf('sandbox', 920).identity, '/usr/bin/python3@container:python3');
  assert.is(rowOf('container', 7).identity, '/usr/local/bin/node@container:node');
  assert.is(rowOf('sandbox', 960).identity, '/usr/bin/halfway@container');
  assert.equal([rowOf('sandbox', 960).wrapState, rowOf('sandbox', 960).wrap], [WRAP_STATE.free, 0]);
  assert.is(rowOf('hostile', 240).identity, 'a) R 1 (b?1000');
  assert.equal(
    [2, 500].map((pid) => rowOf('bare', pid).identity),
    ['', ''],
  );
});

test('a process that cannot be read is never free', () => {
  for (const row of renderOnce('damaged').rows) {
    const seen = Number.parseInt(String(row.seen), 2);
    const wanted = FACT.stat | FACT.status | FACT.nsUser | FACT.nsPid | FACT.nsMnt | FACT.nsNet;
    if (row.wrapState === WRAP_STATE.free) assert.is(seen & wanted, wanted, `pid ${row.pid}`);
  }
  assert.equal(statesOf('damaged', [18, 26, 34]), [WRAP_STATE.free, WRAP_STATE.free, WRAP_STATE.free]);
  assert.is(rowOf('damaged', 27).wrapState, WRAP_STATE.blind);
  assert.is(rowOf('damaged', 10).state, '');
  assert.is(rowOf('damaged', 11).state, '?');
  // Malformed files and files of the wrong kind count as refused; missing files do not.
  const refused = (pid: number) => Number.parseInt(String(rowOf('damaged', pid).refused), 2);
  assert.equal([11, 14, 13].map(refused), [FACT.stat | FACT.descriptors, FACT.status, 0]);
  assert.is(refused(25), FACT.exe | FACT.nsMnt | FACT.descriptors);
});

test('a slice that is too small reports overflow and writes nothing outside it', () => {
  const root = addon.openRoot(pathOf('hostile')) as number;
  const capacity = { processes: 128, sockets: 8, holders: 2, text: 200 };
  const { columns, results } = sweep(addon, root, SOCKETS, 2, capacity);
  addon.closeRoot(root);
  assert.ok(results.every((result) => result.overflow));
  const { exeOffset, exeLength } = columns.processes;
  for (let row = 0; row < capacity.processes / 2; row++) {
    if (exeLength[row] === 0xa5a5_a5a5 || exeLength[row] === 0) continue;
    assert.ok((exeOffset[row] as number) + (exeLength[row] as number) <= capacity.text);
  }
});

test('processes beyond the table are counted, and no row is written beyond its end', () => {
  const root = addon.openRoot(pathOf('bare')) as number;
  const { columns, count } = (() => {
    const capacity = { processes: 3, sockets: 0, holders: 0, text: 64 };
    const bytes = new Uint8Array(new SharedArrayBuffer(addon.layout(capacity).bytes)).fill(0x5a);
    const count = addon.listProcesses(root, bytes, capacity);
    return { columns: bytes, count };
  })();
  addon.closeRoot(root);
  assert.is(count, renderOnce('bare').rows.length);
  assert.is(columns[12], 0x5a);
});

test('invalid arguments throw with a message', () => {
  const root = addon.openRoot(pathOf('bare')) as number;
  const capacity = { processes: 8, sockets: 1, holders: 1, text: 8 };
  const bytes = new Uint8Array(new SharedArrayBuffer(addon.layout(capacity).bytes));
  const shard = (...numbers: [number, number, number]) => addon.sweepShard(root, bytes, capacity, ...numbers);
  assert.throws(() => shard(9, 0, 1), /count must be a whole number from 0 to 8/);
  assert.throws(() => shard(8, 1, 1), /shard must/);
  assert.throws(() => shard(8, 0, 0), /shards must/);
  assert.throws(() => shard(1.5, 0, 1), /count/);
  assert.throws(() => addon.ownersCollect(root, bytes, capacity, 8, 2, 0, 0), /listeners/);
  assert.throws(() => addon.ownersCollect(root, bytes, capacity, 8, 0, 2, 0), /connections/);
  assert.throws(() => addon.ownersCollect(root, bytes, capacity, 8, 0, 0, 0.5), /nowMs/);
  assert.throws(() => addon.ownersWalk(root, bytes, capacity, 8, 0, 0, 1, 1), /shard must/);
  assert.throws(() => addon.rereadRows(root, bytes, capacity, 9, 0, 1), /count/);
  assert.throws(() => addon.listProcesses(root, bytes.subarray(0, 8), capacity), /layout\(capacity\)/);
  assert.throws(() => addon.listProcesses(root, bytes.subarray(1), { ...capacity, text: 0 }), /bytes/);
  assert.throws(() => addon.listProcesses(9999, bytes, capacity), /root 9999 does not exist/);
  assert.throws(() => addon.closeRoot(9999), /does not exist/);
  assert.throws(() => addon.openRoot(7 as unknown as string), /path must be a string/);
  assert.throws(() => addon.hashIdentity('x' as unknown as Uint8Array), /Uint8Array/);
  assert.throws(() => addon.identityOf(bytes, capacity, 8), /row/);
  assert.throws(() => addon.layout({ ...capacity, text: -1 }), /capacity.text/);
  addon.closeRoot(root);
  assert.throws(() => addon.reference(root), /does not exist/);
});

test('workers share roots and fill one buffer, and may be terminated', async () => {
  const path = pathOf('hostile');
  const root = addon.openRoot(path) as number;
  const swept = sweep(addon, root, SOCKETS, 4);
  const { bytes, capacity } = swept.columns;
  const once = Array.from({ length: swept.count }, (_, row) => renderRow(addon, swept, row));
  bytes
    .subarray(addon.layout(capacity).processes[1]?.offset, addon.layout(capacity).listeners[0]?.offset)
    .fill(7);
  const code = `
    const { parentPort, workerData: w } = require('node:worker_threads');
    const addon = require(w.file);
    const turn = () => addon.sweepShard(w.root, w.bytes, w.capacity, w.count, w.shard, 4);
    for (let i = 0; i < 20; i++) turn();
    parentPort.postMessage(turn());
    if (w.endless) for (;;) addon.reference(w.root);
  `;
  const file = join(BUILDS, `desk_${addon.mark}.node`);
  const data = { file, root, bytes, capacity, count: swept.count };
  const workers = [0, 1, 2, 3].map(
    (shard) => new Worker(code, { eval: true, workerData: { ...data, shard, endless: shard >= 2 } }),
  );
  try {
    const answers = await Promise.all(workers.map((worker) => eventOnce(worker, 'message')));
    assert.equal(
      answers.map(([result]) => result),
      swept.results,
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  // The descriptors that the walk of the first sweep saw are cached.
  addon.ownersCollect(root, bytes, capacity, swept.count, SOCKETS.length, 0, 1);
  assert.equal(
    Array.from({ length: swept.count }, (_, row) => renderRow(addon, swept, row)),
    once,
  );
  addon.closeRoot(root);
});

test('a missing root is a refusal', () => {
  assert.equal(addon.openRoot(join(folder, 'nowhere')), {
    errno: 2,
    code: 'ENOENT',
    source: join(folder, 'nowhere'),
  });
});

test('publish stores the buffer index and the generation', () => {
  const header = new Int32Array(new SharedArrayBuffer(8));
  addon.publish(header, 7, 1);
  assert.equal([...header], [7, 1]);
});

test.run();
