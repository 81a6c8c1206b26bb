/** The watch on the real kernel: activity of our own actors is reported, by events where permitted, otherwise by polling. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type {
  WatchDelta,
  WatchEvents,
  WatchOptions,
  WatchStart,
} from '../../src/engine/native/watch-types.ts';
import { startActors } from '../support/actor.ts';
import { loader, moduleUrl, programWords } from '../support/entry.ts';
import { startFarm } from '../support/farm.ts';
import { needs, ordinaryUser, projectRoot, testsNeeding } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { addon, build, ends, heard, listens, usual, Watching } from './watching.ts';

const test = suite('watch');
const it = testsNeeding(test, 'compiler', 'proc connector');

interface Report {
  readonly euid: number;
  readonly start: WatchStart;
  readonly born: boolean;
  readonly exited: boolean;
  readonly polls: number;
  readonly refusals: number;
  readonly sockets: number;
}

const nodeWords = (script: string) => programWords(script, import.meta.url);

async function report(command: string, words: readonly string[], options = {}): Promise<Report> {
  const { stdout } = await promisify(execFile)(command, words, {
    cwd: projectRoot,
    timeout: patientMs(120_000),
    ...options,
  });
  return JSON.parse(stdout) as Report;
}

const hex = (text: string) => Buffer.from(text).toString('hex');
it('births, programs, names, users and exits of our own actors are reported', async () => {
  using watching = new Watching();
  assert.is(watching.start.connector, '');
  assert.ok(watching.start.bufferBytes > 0);
  await watching.until('the first pass', ({ delta }) => delta.all);
  const subjects = [
    'plain',
    `name=${hex('renamed')}`,
    'thread=plain',
    ...(process.geteuid?.() === 0 ? ['uid=65534'] : []),
  ];
  await using started = await startActors(subjects);
  for (const [subject] of subjects.entries()) {
    await watching.until(`birth of ${subjects[subject]}`, ({ pids }) => pids.includes(started.pid(subject)));
  }
  await watching.until('the program of the actor', ({ pids }) => pids.includes(started.parent));
  const counted = (kind: keyof WatchEvents, least: number) =>
    watching.until(`${least} events ${kind}`, () => watching.sum(({ events }) => events[kind]) >= least);
  await counted('fork', subjects.length + 2); // the actor, its children and a thread
  await counted('exec', 1);
  await counted('comm', 1);
  if (subjects.length > 3) await counted('id', 1);
  const before = watching.seen.length;
  await started.stop();
  for (const [subject] of subjects.entries())
    await watching.until(`exit of ${subjects[subject]}`, ends(started.pid(subject)), before);
  await counted('exit', subjects.length + 1);
  assert.is(
    watching.sum(({ lost, overruns }) => lost + overruns),
    0,
  );
});

it('a new process is due again without further events, and so is a zombie', async () => {
  using watching = new Watching({ rereadMs: [50, 1500], allMs: 3_600_000 });
  const before = performance.now();
  await using farm = await startFarm(1);
  const pid = farm.pid(0);
  // Only the last period can report it this late.
  await watching.until('the newborn again', ({ pids, atMs }) => pids.includes(pid) && atMs >= before + 1500);
  const stopped = performance.now();
  // Its parent does not wait for it.
  process.kill(pid, 'SIGKILL');
  const { pids } = await watching.until('the exit', ends(pid), watching.seen.length);
  assert.ok(pids.includes(pid), 'it is still there');
  await watching.until('the zombie again', ({ pids, atMs }) => pids.includes(pid) && atMs >= stopped + 1500);
  assert.is(
    watching.sum(({ all }) => Number(all)),
    1,
    'only the first pass',
  );
});

testsNeeding(
  test,
  'compiler',
  'proc connector',
  'python3',
)('a process that was gone when its exit was reported is not due again', async () => {
  using watching = new Watching({ rereadMs: [50, 1500], allMs: 3_600_000, tracepoint: false });
  // The kernel collects its children, before it reports their exits.
  const script = `
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
pid = os.fork()
if pid == 0: os._exit(0)
print(pid, flush=True); sys.stdin.readline()`;
  const parent = spawn('python3', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const pid = Number(line);
    await watching.until('the exit', ({ pids }) => pids.includes(-pid));
    const { mark } = watching;
    const before = performance.now();
    await using later = await startFarm(1);
    // Its last period is later than those of the ended one.
    await watching.until(
      'a later process again',
      ({ pids, atMs }) => pids.includes(later.pid(0)) && atMs >= before + 1500,
    );
    const again = watching.seen.slice(mark).filter(({ pids }) => pids.includes(pid) || pids.includes(-pid));
    assert.is(again.length, 0);
  } finally {
    parent.stdin.end();
    await once(parent, 'exit');
  }
});

test('the pass over everything is repeated', async () => {
  using watching = new Watching({ allMs: 40, tracepoint: false });
  for (let pass = 0; pass < 5; pass++) {
    await watching.until('a pass', ({ delta }) => delta.all, watching.mark);
  }
});

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

async function assertListenersReported(watching: Watching): Promise<void> {
  await watching.until('the first pass', ({ delta }) => delta.all);
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await heard(watching, 6, port, true);
    server.close();
    await once(server, 'close');
    await heard(watching, 6, port, false);
  }
  // A port that was requested by number remains bound when the socket is connected and disconnected.
  const port = await freeUdpPort();
  // Does not keep node running when this fails.
  const socket = createSocket('udp4').bind(port, '127.0.0.1').unref();
  await once(socket, 'listening');
  await heard(watching, 17, port, true);
  socket.connect(9, '127.0.0.1');
  await once(socket, 'connect');
  await heard(watching, 17, port, false);
  socket.disconnect();
  // No cgroup hook runs for this: it waits for the pass over everything.
  const disconnects = watching.start.udp !== '' || watching.start.udpExits === '';
  if (disconnects) await heard(watching, 17, port, true);
  socket.close();
  await once(socket, 'close');
  await heard(watching, 17, port, false);
}

test('listeners that open and close are reported by polling', async () => {
  using watching = new Watching({ tracepoint: false, allMs: 3_600_000 });
  assert.ok(watching.start.tracepoint !== '' && watching.start.udp !== '');
  await assertListenersReported(watching);
  assert.ok(watching.sum(({ polls }) => polls) > 0);
  assert.is(
    watching.sum(({ events }) => events.socket),
    0,
  );
});

test('a listener that only the consumer saw is reported as closed, even if no poll saw it', async () => {
  using watching = new Watching({ tracepoint: false, listenPollMs: 50, allMs: 3_600_000 });
  await watching.until('the first pass', ({ delta }) => delta.all);
  for (let turn = 0; turn < 10; turn++) {
    // Usually between two polls.
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    assert.ok(listens(watching, 17, port));
    watching.mark = watching.seen.length;
    socket.close();
    await heard(watching, 17, port, false);
  }
});

const traced = needs('bpf');

traced(test, 'listeners that open and close are reported by the kernel', async () => {
  using watching = new Watching({ allMs: 3_600_000, listenPollMs: 10 });
  assert.is(watching.start.tracepoint, '');
  await assertListenersReported(watching);
  assert.ok(watching.sum(({ events }) => events.socket) >= 4);
});

traced(test, 'a TCP listener is reported without any poll', async () => {
  // So slow that UDP, where it has to be polled, only has its first scan.
  using watching = new Watching({ allMs: 3_600_000, listenPollMs: 3_600_000 });
  await watching.until('the first pass', ({ delta }) => delta.all);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await heard(watching, 6, port, true);
  server.close();
  await once(server, 'close');
  await heard(watching, 6, port, false);
  assert.ok(watching.sum(({ polls }) => polls) <= 1);
});

traced(test, 'a TCP listener is in a take right after it was opened', async () => {
  using counted = new Counted({ listenPollMs: 3_600_000 });
  await counted.woken(1);
  for (let turn = 0; turn < 50; turn++) {
    counted.take();
    // Without a host, node listens before it returns.
    const server = createServer().listen(0);
    assert.is(counted.take().listeners, true, `opened, turn ${turn}`);
    server.close();
    await once(server, 'close');
  }
});

traced(test, 'connections to a listener are not reported as listeners', async () => {
  const many = 200;
  using watching = new Watching({ allMs: 3_600_000 });
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await heard(watching, 6, port, true);
  for (let made = 0; made < many; made++) await once(connect(port, '127.0.0.1').resume(), 'close');
  server.close();
  await once(server, 'close');
  await heard(watching, 6, port, false);
  // Other programs may open listeners meanwhile.
  assert.ok(watching.sum(({ events }) => events.socket) < many / 2);
});

needs('bpf', 'namespaces')(test, 'listeners of another network namespace are not reported', async () => {
  const many = 200;
  const script = `for (let i = 0; i < ${many}; i++) require('net').createServer().listen(0, '0.0.0.0').unref()`;
  using watching = new Watching({ allMs: 3_600_000 });
  await promisify(execFile)('unshare', ['--net', process.execPath, '-e', script]);
  // One of our own, which is reported after theirs.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  await heard(watching, 6, (server.address() as AddressInfo).port, true);
  server.close();
  await once(server, 'close');
  assert.ok(watching.sum(({ events }) => events.socket) < many);
});

needs('root', 'tree readable by others')(
  test,
  'an ordinary user has polling, and process events where the kernel permits them',
  async () => {
    const found = await report(process.execPath, nodeWords('watch-report.ts'), {
      ...ordinaryUser,
      env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp' },
    });
    assert.is(found.euid, ordinaryUser.uid);
    assert.match(found.start.tracepoint, /\(EPERM\)$/);
    assert.match(found.start.udp, /\(EPERM\)$/);
    assert.ok(found.polls > 0);
    assert.equal([found.refusals, found.sockets], [0, 0]);
    // Before Linux 6.6 only root has the connector, and the reason must be reported.
    if (found.start.connector === '') assert.equal([found.born, found.exited], [true, true]);
    else assert.match(found.start.connector, /^bind.*EPERM/);
  },
);

needs('root', 'namespaces')(
  test,
  'another network namespace has no connector, and the reason is reported',
  async () => {
    const found = await report('unshare', [
      '--net',
      process.execPath,
      ...nodeWords('watch-report.ts'),
      '0.0.0.0',
    ]);
    assert.match(found.start.connector, /network namespace/);
    assert.is(found.start.bufferBytes, 0);
    assert.equal([found.born, found.refusals], [false, 0]);
  },
);

needs('root', 'namespaces')(
  test,
  'another pid namespace gets no acknowledgement, and the reason is reported',
  async () => {
    const words = ['--pid', '--fork', process.execPath, ...nodeWords('watch-report.ts')];
    const found = await report('unshare', words);
    assert.match(found.start.connector, /acknowledgement/);
  },
);

it('lost events are counted and force a resync, and later events are reported again', async () => {
  // Room for about nine events.
  using watching = new Watching({ bufferBytes: 4000, allMs: 3_600_000, tracepoint: false });
  const lossy = (at: number) => watching.seen.slice(at).find(({ delta }) => delta.lost + delta.overruns > 0);
  for (let storm = 0; storm < 50 && !lossy(0); storm++) {
    await (await startFarm(500)).stop();
    await sleep(5);
  }
  const loss = lossy(0);
  assert.ok(loss, 'no event was lost in fifty storms');
  assert.is(loss.delta.resync, true);
  assert.is(loss.delta.processes, true);
  assert.equal(loss.pids, []);
  // A lost birth may be a new process: everything is due again at its periods.
  await watching.until('everything after a loss', ({ delta }) => delta.all, watching.seen.indexOf(loss) + 1);
  const later = watching.seen.length;
  for (let attempt = 0; ; attempt++) {
    await using farm = await startFarm(1);
    const reported = watching
      .until('a birth after the loss', ({ pids }) => pids.includes(farm.pid(0)), later)
      .then(
        () => true,
        () => false,
      );
    if (await Promise.race([reported, sleep(2000, false)])) break;
    assert.ok(attempt < 10, 'no birth was reported after the loss');
  }
});

/** Times that the watch's thread has gone to sleep. */
function sleeps(): number {
  const own = readdirSync('/proc/self/task').filter(
    (task) => readFileSync(`/proc/self/task/${task}/comm`, 'latin1') === 'desk-watch\n',
  );
  assert.is(own.length, 1);
  const status = readFileSync(`/proc/self/task/${own[0]}/status`, 'latin1');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
}

/** A watch whose wakes are counted and that is taken from by hand. */
class Counted implements Disposable {
  wakes = 0;
  readonly start: WatchStart;
  readonly pids = new Int32Array(4096);
  constructor(options: Partial<WatchOptions> = {}) {
    const all = { ...usual, allMs: 3_600_000, ...options };
    this.start = addon.watchStart(all, () => {
      this.wakes++;
    }) as WatchStart;
  }
  async woken(times: number): Promise<void> {
    while (this.wakes < times) await sleep(1);
  }
  take(): WatchDelta {
    return addon.watchTake(this.start.watch, this.pids);
  }
  has(pid: number, { count }: WatchDelta): boolean {
    return this.pids.subarray(0, count).includes(pid);
  }
  [Symbol.dispose](): void {
    addon.watchStop(this.start.watch);
  }
}

it('a storm before a take wakes the consumer once and the thread rarely, and the take has all of it', async () => {
  using counted = new Counted({ tracepoint: false, listenPollMs: 3_600_000 });
  await counted.woken(1);
  const before = sleeps();
  for (let storm = 0; storm < 4; storm++) await (await startFarm(500)).stop();
  const slept = sleeps() - before;
  assert.is(counted.wakes, 1);
  const { events, lost, overruns, all } = counted.take();
  assert.equal([lost, overruns, all], [0, 0, true]);
  assert.ok(events.fork >= 2000 && events.exit >= 2000);
  assert.ok(slept <= (events.fork + events.exit) / 10, `${slept} wake-ups of the thread`);
  await (await startFarm(1)).stop();
  await counted.woken(2);
});

it('a take has what happened just before it', async () => {
  using counted = new Counted();
  await counted.woken(1);
  const { title } = process;
  try {
    for (let turn = 0; turn < 200; turn++) {
      counted.take();
      process.title = `title ${turn}`;
      const taken = counted.take();
      assert.ok(taken.events.comm >= 1 && counted.has(process.pid, taken), `turn ${turn}`);
    }
  } finally {
    process.title = title;
  }
});

it('a process whose birth was read by a take itself is due again', async () => {
  using counted = new Counted({ rereadMs: [300], tracepoint: false, listenPollMs: 3_600_000 });
  await counted.woken(1);
  counted.take();
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] });
  const exit = once(child, 'exit');
  const pid = child.pid as number;
  try {
    assert.ok(counted.has(pid, counted.take()));
    // By then the consumer has taken: only a wake brings the next delta.
    for (let wakes = counted.wakes; ; wakes = counted.wakes) {
      await counted.woken(wakes + 1);
      if (counted.has(pid, counted.take())) break;
    }
  } finally {
    child.stdin.end();
    await exit;
  }
});

test('a watch stops while its consumer has not taken', async () => {
  const before = held();
  for (let turn = 0; turn < 20; turn++) {
    using counted = new Counted({ tracepoint: turn % 2 === 0 });
    await counted.woken(1);
  }
  assert.equal(held(), before);
});

it('more pids than fit cause a resync without a list', async () => {
  let wakes = 0;
  const start = addon.watchStart({ ...usual, allMs: 3_600_000, tracepoint: false }, () => {
    wakes++;
  }) as WatchStart;
  try {
    assert.is(start.connector, '');
    await (await startFarm(30)).stop();
    assert.is(wakes, 1, 'woken once until the delta is taken');
    const few = addon.watchTake(start.watch, new Int32Array(3));
    assert.equal([few.count, few.resync, few.processes, few.all], [0, true, true, true]);
    assert.ok(few.events.fork >= 31);
    assert.ok(few.oldestUs > 0);
    await (await startFarm(1)).stop();
    while (wakes < 2) await sleep(1);
  } finally {
    addon.watchStop(start.watch);
  }
});

/** Threads and descriptors of this process, which a watch must free. */
const held = () => ({
  threads: readdirSync('/proc/self/task').length,
  descriptors: readdirSync('/proc/self/fd').length,
});

test('two hundred starts and stops leave no thread and no descriptor behind', async () => {
  const once = () => {
    using _ = new Watching({ tracepoint: Math.random() < 0.5 });
  };
  once();
  const before = held();
  for (let turn = 0; turn < 200; turn++) once();
  assert.equal(held(), before);
});

function rain(): ChildProcess {
  return spawn('sh', ['-c', 'while read -r _; do :; done & while :; do (:); done'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}

test('a watch can be stopped during constant events, in all states', async () => {
  const storm = rain();
  await once(storm, 'spawn');
  try {
    for (let turn = 0; turn < 60; turn++) {
      using watching = new Watching();
      if (turn % 3 === 1) await sleep(turn % 7);
      if (turn % 3 === 2) await watching.until('anything', () => true);
    }
  } finally {
    process.kill(-(storm.pid as number), 'SIGKILL');
    await once(storm, 'exit');
  }
});

test('a worker that is terminated ends its watch', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    require(${JSON.stringify(join(projectRoot, 'build/Release', build))})
      .watchStart(${JSON.stringify(usual)}, () => {});
    parentPort.postMessage('started');
    setInterval(() => {}, 1000);`;
  const before = held();
  for (let turn = 0; turn < 20; turn++) {
    const worker = new Worker(script, { eval: true });
    await once(worker, 'message');
    await worker.terminate();
  }
  // Node reports the end of a worker a little before its thread is gone.
  for (let turn = 0; turn < 100 && held().threads > before.threads; turn++) await sleep(50);
  assert.is(held().threads, before.threads);
  using again = new Watching();
  await again.until('the first pass', ({ delta }) => delta.all);
});

test('a running watch does not keep node running', async () => {
  const script = `const { addon } = await import(${JSON.stringify(moduleUrl('watching.ts', import.meta.url))});
    addon.watchStart(${JSON.stringify(usual)}, () => {}); console.log('started');`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...loader, '--input-type=module', '-e', script],
    { cwd: projectRoot, timeout: patientMs(60_000) },
  );
  assert.is(stdout, 'started\n');
});

test('invalid arguments throw and start nothing', () => {
  const wake = () => {};
  for (const [options, word] of [
    [{ ...usual, listenPollMs: 0 }, /listenPollMs/],
    [{ ...usual, allMs: 1.5 }, /allMs/],
    [{ ...usual, rereadMs: [10, -1] }, /rereadMs\[1\]/],
    [{ ...usual, rereadMs: Array(9).fill(1) }, /at most 8/],
    [{ ...usual, tracepoint: 'yes' }, /tracepoint/],
    [{ ...usual, bufferBytes: 0 }, /bufferBytes/],
    [null, /options/],
  ] as const) {
    assert.throws(() => addon.watchStart(options as unknown as typeof usual, wake), word);
  }
  assert.throws(() => addon.watchStart(usual, 'wake' as unknown as () => void), /wake/);
  for (const no of [0, 4_000_000, -1])
    for (const call of [addon.watchCpuUs, addon.watchStop]) assert.throws(() => call(no), /watch/);
  assert.throws(() => addon.watchTake(0, new Int32Array(1)), /watch 0 does not exist/);
  using watching = new Watching();
  assert.throws(() => addon.watchTake(watching.start.watch, [] as unknown as Int32Array), /Int32Array/);
});

it('two watches in parallel both report events, and one ends without affecting the other', async () => {
  using first = new Watching();
  {
    using second = new Watching();
    assert.is.not(first.start.watch, second.start.watch);
    await (await startFarm(1)).stop();
    for (const one of [first, second]) await one.until('a birth', ({ delta }) => delta.events.fork > 0);
  }
  const since = first.mark;
  await (await startFarm(1)).stop();
  await first.until('another birth', ({ delta }) => delta.events.fork > 0, since);
});

test('without events every take returns the same frozen delta', () => {
  const options = { ...usual, allMs: 3_600_000, listenPollMs: 3_600_000, tracepoint: false };
  const { watch } = addon.watchStart(options, () => {}) as WatchStart;
  try {
    const pids = new Int32Array(4096);
    const takes = Array.from({ length: 100_000 }, () => addon.watchTake(watch, pids));
    const idle = takes.filter((delta) => Object.isFrozen(delta));
    assert.ok(idle.length > 90_000);
    assert.is(new Set(idle).size, 1);
    const [first] = idle;
    assert.equal([first?.count, first?.processes, first?.all, first?.events.fork], [0, false, false, 0]);
  } finally {
    addon.watchStop(watch);
  }
});

test('a ticker calls at every period, not while the last call waits, and not once it is stopped', async () => {
  for (const period of [0, 1.5, 3_600_001, 'x'])
    assert.throws(() => addon.tickerStart(period as number, () => {}), /periodMs/);
  assert.throws(() => addon.tickerStart(1, null as unknown as () => void), /tick must be a function/);
  let ticks = 0;
  const ticker = addon.tickerStart(2, () => ticks++) as number;
  while (ticks < 20) await sleep(5);
  const before = ticks;
  const untilMs = performance.now() + 50;
  while (performance.now() < untilMs);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(ticks <= before + 2, 'ticks of a time in which nothing could hear them are left out');
  addon.tickerStop(ticker);
  const ended = ticks;
  await sleep(20);
  assert.is(ticks, ended);
  assert.throws(() => addon.tickerStop(ticker), /ticker/);
});

test('a worker that is terminated ends its ticker', async () => {
  const script = `
    const { parentPort } = require('node:worker_threads');
    require(${JSON.stringify(join(projectRoot, 'build/Release', build))}).tickerStart(1, () => {});
    parentPort.postMessage('started');
    setInterval(() => {}, 1000);`;
  const before = held();
  for (let turn = 0; turn < 10; turn++) {
    const worker = new Worker(script, { eval: true });
    await once(worker, 'message');
    await worker.terminate();
  }
  for (let turn = 0; turn < 100 && held().threads > before.threads; turn++) await sleep(50);
  assert.is(held().threads, before.threads);
});

test.run();
