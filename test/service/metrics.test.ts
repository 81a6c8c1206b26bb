/** The memory that /metrics reports: its parts fit into the wholes that contain them, and each moves with what it counts. */
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Pool } from '../../src/engine/pool.ts';
import { Engine, type EngineOptions } from '../../src/engine/sweep.ts';
import { memoryOf } from '../../src/service/memory.ts';
import { Metrics } from '../../src/service/metrics.ts';
import { needs } from '../support/require.ts';

const test = suite('metrics');

const MIB = 2 ** 20;
const SMALL = { processes: 64, sockets: 64, holders: 256, text: 16 * 1024 };

/** Swept once; reads a metric by its name and labels as they are printed. */
async function withMetrics(
  options: EngineOptions,
  work: (read: () => Promise<(name: string) => number>, engine: Engine) => Promise<void>,
): Promise<void> {
  const engine = new Engine({ capacity: SMALL, workers: 2, deadlineMs: 60_000, ...options });
  try {
    await engine.sweep();
    const metrics = new Metrics(
      {
        latest: () => null,
        parts: () => ({}),
        events: () => null,
        loop: () => ({ cpuUs: () => 0, missed: 0 }),
        looks: () => null,
        loopFacts: () => ({ on: false, quietMs: 0 }),
        remoteCertificateEnds: () => null,
        peeks: () => ({ inspections: 0, killed: 0, broken: 0 }),
        checks: () => new Map(),
        egress: () => ({ connections: {}, refusals: {} }),
        memory: () => ({ ...engine.memory, storeCacheBytes: 2 * MIB }),
      },
      { version: '0', build: engine.native.mark, backend: engine.backend },
    );
    await work(async () => {
      const lines = (await metrics.read()).text
        .split('\n')
        .map((line) => line.split(' ') as [string, string]);
      const values = new Map(lines.map(([name, value]) => [name, Number(value)]));
      return (name) => {
        const value = values.get(name);
        assert.ok(value !== undefined, `${name} is missing`);
        return value as number;
      };
    }, engine);
  } finally {
    await engine.close();
  }
}

test('the parts of the memory fit into the wholes that contain them', async () => {
  await withMetrics({}, async (read) => {
    const of = await read();
    assert.ok(of('nodejs_heap_size_used_bytes') <= of('nodejs_heap_size_total_bytes'));
    const part = (name: string) => of(`desk_engine_memory_bytes{part="${name}"}`);
    for (const name of ['columns', 'table']) assert.ok(part(name) > 0, name);
    assert.ok(part('columns') + part('bitmaps') <= of('desk_array_buffers_bytes'));
    assert.ok(of('desk_array_buffers_bytes') <= of('nodejs_external_memory_bytes'));
    assert.ok(part('table') + part('texts') <= of('desk_native_heap_used_bytes'));
    assert.ok(
      of('desk_group_memory_bytes{kind="proportional"}') <= of('desk_group_memory_bytes{kind="resident"}'),
    );
    assert.ok(of('nodejs_heap_size_used_bytes') <= of('desk_group_memory_bytes{kind="resident"}'));
  });
});

test('a buffer that grows is seen in each figure that includes it', async () => {
  await withMetrics({}, async (read) => {
    const before = await read();
    const kept = Buffer.alloc(32 * MIB, 1);
    const after = await read();
    for (const name of ['desk_array_buffers_bytes', 'nodejs_external_memory_bytes'])
      assert.ok(after(name) - before(name) >= 31 * MIB, name);
    assert.ok(
      after('desk_group_memory_bytes{kind="resident"}') -
        before('desk_group_memory_bytes{kind="resident"}') >=
        16 * MIB,
    );
    assert.is(kept.length, 32 * MIB);
  });
});

test('columns and table grow with the capacity, and malloc has the table', async () => {
  const read: number[][] = [];
  const larger = { processes: 65_536, sockets: 1024, holders: 4096, text: 4 * MIB };
  for (const capacity of [SMALL, larger])
    await withMetrics({ capacity }, async (now) => {
      const of = await now();
      const part = (name: string) => of(`desk_engine_memory_bytes{part="${name}"}`);
      read.push([part('columns'), part('table')]);
      // What others have freed meanwhile is not in it: only a lower bound is known.
      assert.ok(of('desk_native_heap_used_bytes') >= part('table'));
    });
  const [small, large] = read as [number[], number[]];
  for (const at of [0, 1]) assert.ok((large[at] as number) - (small[at] as number) >= 4 * MIB, `${at}`);
});

test('workers exist, and their heaps are counted, only while there is work', async () => {
  const pool = (workers: number, mark: string) => new Pool(workers, mark, { idleMs: 1000 });
  await withMetrics({ backend: 'procfs', pool }, async (read, engine) => {
    const of = await read();
    assert.ok(of('desk_workers') >= 1);
    assert.ok(of('desk_worker_heap_bytes') >= MIB);
    while ((await read())('desk_workers') > 0) await delay(50);
    assert.is((await read())('desk_worker_heap_bytes'), 0);
    const { processes } = await engine.sweep();
    assert.ok(processes.rowOf(process.pid) >= 0);
    assert.ok((await read())('desk_workers') >= 1);
  });
});

needs('bpf')(test, 'BPF maps and the texts of the iterator are counted', async () => {
  await withMetrics({ backend: 'bpf' }, async (read, engine) => {
    const of = await read();
    assert.ok(of('desk_engine_memory_bytes{part="texts"}') > 0);
    if (engine.native.bpfState().iterator === 'open_coded') assert.ok(of('desk_bpf_maps_bytes') > 0);
    assert.is(of('desk_workers'), 0);
  });
});

test('a process that has ended counts nothing', () => {
  assert.equal(memoryOf([2 ** 22 + 1]), { residentBytes: 0, proportionalBytes: 0 });
});

test.run();
