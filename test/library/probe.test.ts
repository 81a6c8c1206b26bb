/** The library over this machine: what it reads, what it sees change, what it finds. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Probe } from '../../src/library/index.ts';
import type { Delta } from '../../src/library/types.ts';
import { startActors } from '../support/actor.ts';
import { needs } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('library');

test('a sweep has this process and what it listens on, with its owner', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await using probe = new Probe();
  try {
    const { processes, listeners, generation } = await probe.sweep();
    assert.is(generation, 1);
    const own = processes.find(({ pid }) => pid === process.pid);
    assert.equal(
      [own?.parent, own?.uid, own?.executable, own?.kernel],
      [process.ppid, process.getuid?.(), process.execPath, false],
    );
    const found = listeners.find((one) => one.port === port);
    assert.equal([found?.protocol, found?.address, found?.scope], ['tcp', '127.0.0.1', 'loopback']);
    assert.equal([found?.owner, found?.owners.map(({ pid }) => pid)], ['known', [process.pid]]);
    assert.equal(
      (await probe.listeners()).find((one) => one.port === port),
      found,
    );
  } finally {
    server.close();
  }
});

/** Deltas until one satisfies `last`. */
async function deltasUntil(probe: Probe, last: (delta: Delta) => boolean, act: (seen: number) => void) {
  const deltas: Delta[] = [];
  const signal = AbortSignal.timeout(patientMs(20_000));
  for await (const delta of probe.watch({ signal, pollMs: 20 })) {
    deltas.push(delta);
    if (last(delta)) return deltas;
    act(deltas.length);
  }
  throw new Error(`not seen within 20 s: ${JSON.stringify(deltas.slice(1))}`);
}

test('a watch begins with everything, and then shows processes and listeners that come and go', async () => {
  await using probe = new Probe();
  const server = createServer();
  const own = { pid: -1, port: -1 };
  const begin = (seen: number) => {
    if (seen !== 1) return;
    server.listen(0, '127.0.0.1', () => {
      own.port = (server.address() as { port: number }).port;
      const sleep = spawn('sleep', ['0.5'], { stdio: 'ignore' });
      own.pid = sleep.pid ?? -1;
      sleep.once('exit', () => server.close());
    });
  };
  const isChild = ({ pid }: { pid: number }) => pid === own.pid;
  const isOurs = ({ port }: { port: number }) => port === own.port;
  const deltas = await deltasUntil(probe, ({ listeners }) => listeners.removed.some(isOurs), begin);
  const [first, ...rest] = deltas;
  assert.ok(first?.processes.added.some(({ pid }) => pid === process.pid));
  assert.equal([first?.processes.changed, first?.processes.removed], [[], []]);
  assert.ok(rest.some(({ listeners }) => listeners.added.some(isOurs)));
  const started = rest.findIndex(({ processes }) => processes.added.some(isChild));
  const ended = rest.findIndex(({ processes }) => processes.removed.some(isChild));
  assert.ok(started >= 0 && ended > started, JSON.stringify(rest));
});

test('a watch ends by its signal, and by break', async () => {
  await using probe = new Probe();
  const control = new AbortController();
  let seen = 0;
  for await (const _ of probe.watch({ signal: control.signal })) {
    seen += 1;
    control.abort();
  }
  assert.is(seen, 1);
  for await (const _ of probe.watch()) break;
  for await (const _ of probe.watch({ signal: AbortSignal.abort() })) seen += 1;
  assert.is(seen, 1);
});

test('closing ends a watch', async () => {
  const probe = new Probe();
  let seen = 0;
  for await (const _ of probe.watch()) {
    seen += 1;
    setTimeout(() => void probe.close(), 50);
  }
  assert.ok(seen >= 1);
});

test('a time between polls that is none is refused', async () => {
  await using probe = new Probe();
  for (const pollMs of [0, -1, Number.NaN, 2 ** 31]) {
    let refused = '';
    await probe
      .watch({ pollMs })
      .next()
      .catch((error: RangeError) => {
        refused = error.message;
      });
    assert.match(refused, /pollMs is .*, expected 1 to 2147483647/);
  }
});

needs('compiler')(
  test,
  'what runs a deleted program is found, also a child of ours; what could not be seen is named',
  async () => {
    await using actors = await startActors(['deleted', 'plain']);
    await using probe = new Probe();
    const { findings, checks, gaps, pass, fail, blind } = await probe.evaluate();
    const found = findings.filter(
      ({ check, pids }) => check === 'deleted-executable' && pids.includes(actors.pid(0)),
    );
    assert.is(found.length, 1, JSON.stringify(findings));
    assert.match(found[0]?.id ?? '', /^[0-9a-f]{16}$/);
    assert.not(findings.some(({ pids }) => pids.includes(actors.pid(1))));
    assert.ok(pass > 0 && fail > 0);
    assert.is(blind > 0, gaps.length > 0);
    assert.ok(checks.includes('deleted-executable'));
    // Nothing asks for a baseline, which only a service has.
    for (const { id, cure } of gaps) {
      assert.ok(checks.includes(id));
      assert.not.match(cure, /learn/);
    }
  },
);

test('calls at once wait for each other, and none works after closing', async () => {
  const probe = new Probe();
  const [a, b, c] = await Promise.all([probe.sweep(), probe.evaluate(), probe.sweep()]);
  assert.ok(a.generation < b.generation && b.generation < c.generation);
  await probe.close();
  await probe.close();
  let message = '';
  await probe.sweep().catch((error: Error) => {
    message = error.message;
  });
  assert.match(message, 'closed');
});

test.run();
