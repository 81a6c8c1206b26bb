import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { textOf } from '../../src/engine/bytes.ts';
import { Pool, type TaskPool } from '../../src/engine/pool.ts';
import { Engine, type EngineOptions } from '../../src/engine/sweep.ts';
import type { ArgsOf, ResultOf, Task } from '../../src/engine/tasks.ts';
import { writeRoot } from '../fixtures/proc/roots.ts';
import { testedMarks } from '../support/marks.ts';

async function withEngine(options: EngineOptions, use: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = new Engine({ workers: 2, ...options });
  try {
    await use(engine);
  } finally {
    await engine.close();
  }
}

async function rejection(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the promise was expected to reject');
}

test('a sweep shows this process, its listener and the holder of the listener', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await withEngine({}, async (engine) => {
      const snapshot = await engine.sweep();
      const row = snapshot.processes.rowOf(process.pid);
      assert.ok(row >= 0);
      assert.is(snapshot.processes.columns.ppid[row], process.ppid);
      assert.is(snapshot.processes.columns.uid[row], process.getuid?.());
      assert.is(textOf(snapshot.processes.exe(row)), process.execPath);
      const listener = snapshot.listeners.find((one) => one.port === port && one.protocol === 'tcp');
      assert.is(listener?.address, '127.0.0.1');
      assert.is(listener?.scope, 'loopback');
      assert.is(listener?.owner, 'held');
      assert.is(listener?.creatorUid, process.getuid?.());
      assert.is(listener?.executable, process.execPath);
      assert.equal(
        listener?.holders.map(({ pid }) => pid),
        [process.pid],
      );
      assert.is(listener?.holders[0]?.start, String(snapshot.processes.columns.start[row]));
      assert.ok(snapshot.engine.deskPids.includes(process.pid));
      assert.is(
        snapshot.counts.userSpace,
        snapshot.counts.wrapped + snapshot.counts.free + snapshot.counts.wrapBlind,
      );
      assert.ok((snapshot.machine.uptimeSec ?? 0) > 0 && snapshot.machine.clockTicksPerSecond > 0);
      assert.ok(
        Object.isFrozen(snapshot) && Object.isFrozen(snapshot.listeners) && Object.isFrozen(snapshot.counts),
      );
    });
  } finally {
    server.close();
  }
});

test('a hundred concurrent callers share one sweep, and the header has each generation', async () => {
  await withEngine({}, async (engine) => {
    const snapshots = await Promise.all(Array.from({ length: 100 }, () => engine.sweep()));
    assert.is(new Set(snapshots).size, 1);
    assert.is(engine.generation, 1);
    const first = engine.header[1];
    const next = await engine.sweep();
    assert.is(next.generation, 2);
    assert.is(engine.header[0], 2);
    assert.is.not(engine.header[1], first, 'the buffers alternate');
  });
});

test('a snapshot does not change while the next sweep is written', async () => {
  await withEngine({}, async (engine) => {
    const { processes } = await engine.sweep();
    const before = Array.from(processes.columns.pid.subarray(0, processes.count));
    await engine.sweep();
    assert.equal(Array.from(processes.columns.pid.subarray(0, processes.count)), before);
  });
});

test('tiny buffers grow until the whole machine fits', async () => {
  const tiny = { processes: 1, sockets: 0, holders: 1, text: 1 };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await withEngine({ capacity: tiny }, async (engine) => {
      const { processes, listeners } = await engine.sweep();
      assert.ok(processes.count > 1);
      assert.is(textOf(processes.exe(processes.rowOf(process.pid))), process.execPath);
      assert.is(listeners.find((one) => one.port === port)?.holders[0]?.pid, process.pid);
    });
  } finally {
    server.close();
  }
});

/** A pool that answers like the real one, unless `interfere` returns another answer. */
function interfering(
  interfere: (task: Task, real: Pool, args: ArgsOf<Task>) => Promise<never> | null,
  closed: () => void = () => {},
) {
  return (workers: number, mark: string): TaskPool => {
    const real = new Pool(workers, mark);
    return {
      workers,
      run: <T extends Task>(task: T, ...args: ArgsOf<T>): Promise<ResultOf<T>> =>
        interfere(task, real, args) ?? real.run(task, ...args),
      close: async (deadlineMs) => {
        closed();
        await real.close(deadlineMs);
      },
    };
  };
}

/** The first task of a sweep by the workers. */
const begins = (task: Task): boolean => task === 'gather';

test('a failing sweep rejects every caller, and the engine remains usable', async () => {
  let failures = 1;
  const pool = interfering((task) =>
    begins(task) && failures-- > 0 ? Promise.reject(new Error('the worker died')) : null,
  );
  await withEngine({ pool, backend: 'procfs' }, async (engine) => {
    const callers = [engine.sweep(), engine.sweep(), engine.sweep()];
    assert.equal(await Promise.all(callers.map(rejection)), Array(3).fill('the worker died'));
    assert.is(engine.generation, 0);
    assert.is((await engine.sweep()).generation, 1);
  });
});

test('a worker killed during a sweep is replaced', async () => {
  let kills = 1;
  const pool = interfering((task, real) => {
    if (!begins(task) || kills-- <= 0) return null;
    return Promise.all(real.threads.map((thread) => thread.terminate())).then(() => {
      throw new Error('killed');
    });
  });
  await withEngine({ pool, backend: 'procfs' }, async (engine) => {
    await rejection(engine.sweep());
    const { processes } = await engine.sweep();
    assert.ok(processes.rowOf(process.pid) >= 0);
  });
});

test('a hung sweep is ended together with its workers, and the next sweep is complete', async () => {
  let hangs = 1;
  let pools = 0;
  let closed = 0;
  const make = interfering(
    (task) => (begins(task) && hangs-- > 0 ? new Promise<never>(() => {}) : null),
    () => closed++,
  );
  const pool = (workers: number, mark: string) => {
    pools++;
    return make(workers, mark);
  };
  // Long enough for a sweep that starts its workers on a busy machine, with sanitizers.
  await withEngine({ pool, backend: 'procfs', deadlineMs: 10_000 }, async (engine) => {
    assert.match(await rejection(engine.sweep()), /did not end within 10000 ms/);
    assert.is(closed, 1);
    const { generation, processes } = await engine.sweep();
    assert.is(generation, 1);
    assert.is(pools, 2);
    assert.ok(processes.rowOf(process.pid) >= 0);
  });
});

test('connections are read once a second, and their age is reported in between', async () => {
  const asked: boolean[] = [];
  const pool = interfering((task, _, args) => {
    if (begins(task)) asked.push((args as ArgsOf<'gather'>)[0].sockets?.connections === true);
    return null;
  });
  await withEngine({ pool, backend: 'procfs' }, async (engine) => {
    const first = await engine.sweep();
    assert.is(first.connectionsAgeMs, 0);
    // A sweep that finds its tables too small reads again.
    const ofFirst = asked.splice(0);
    const second = await engine.sweep();
    assert.is(second.connectionsAgeMs > 0, !asked.includes(true));
    assert.ok(ofFirst.length > 0 && !ofFirst.includes(false));
  });
});

test('a full pass reads connections that are a second old, even if the counters were read just before', async () => {
  const realNow = performance.now;
  const changes = {
    broken: false,
    resync: false,
    dirty: new Int32Array(0),
    listeners: false,
    connections: false,
    oldestUs: 0,
  };
  try {
    await withEngine({}, async (engine) => {
      await engine.sweep();
      performance.now = () => realNow.call(performance) + 1500;
      await engine.sweep({ ...changes, all: false });
      performance.now = () => realNow.call(performance) + 2000;
      assert.is((await engine.sweep({ ...changes, all: true })).connectionsAgeMs, 0);
    });
  } finally {
    performance.now = realNow;
  }
});

test('a path that cannot be opened fails a probe, without a rejection', async () => {
  await withEngine({ root: '/nonexistent/proc' }, async (engine) => {
    const snapshot = await engine.sweep();
    assert.is(snapshot.counts.processes, 0);
    assert.match(snapshot.probes.find(({ id }) => id === 'proc')?.reason ?? '', /ENOENT/);
    assert.equal(
      snapshot.probes.filter(({ works }) => works),
      [],
    );
    const { tcpActiveOpens, tcpPassiveOpens, ephemeral, uptimeSec } = snapshot.machine;
    assert.equal([tcpActiveOpens, tcpPassiveOpens, ephemeral, uptimeSec], [null, null, null, null]);
  });
});

test('a sweep of a fixture root does not read sockets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-engine-'));
  try {
    await withEngine({ root: writeRoot(folder, 'bare'), sys: join(folder, 'sys') }, async (engine) => {
      const { counts, listeners, probes, processes, machine } = await engine.sweep();
      assert.ok(counts.kernelThreads > 0 && counts.userSpace > 0 && counts.fried > 0);
      assert.ok(processes.rowOf(400) >= 0);
      assert.equal(listeners, []);
      assert.is(machine.cameras, 0);
      assert.equal([machine.tcpActiveOpens, machine.tcpPassiveOpens, machine.ephemeral], [null, null, null]);
      assert.match(probes.find(({ id }) => id === 'sock_diag tcp4')?.reason ?? '', /fixture/);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every CPU build that runs here can be requested, and its workers load it too', async () => {
  for (const mark of testedMarks()) {
    await withEngine({ mark }, async (engine) => {
      const { engine: facts, processes } = await engine.sweep();
      assert.is(facts.mark, mark);
      assert.is(facts.build, `desk_${mark}.node`);
      assert.ok(processes.rowOf(process.pid) >= 0);
    });
  }
});

test('a closed engine rejects sweeps, and closing twice is allowed', async () => {
  const engine = new Engine({ workers: 1 });
  const running = engine.sweep();
  await engine.close();
  assert.is((await running).generation, 1, 'a running sweep is waited for');
  await engine.close();
  assert.match(await rejection(engine.sweep()), /closed/);
});

test('invalid worker counts throw', async () => {
  assert.throws(() => new Pool(0, 'x86_64'), /whole number from 1/);
  assert.throws(() => new Pool(1.5, 'x86_64'), /whole number from 1/);
});

test.run();
