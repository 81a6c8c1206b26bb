/** UDP by hooks of the root cgroup: what is reported and what is not, on real sockets; what others attach; that nothing stays attached. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket, type Socket, type SocketType } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiled } from '../support/compile.ts';
import { programWords } from '../support/entry.ts';
import { type Need, needs, projectRoot } from '../support/require.ts';
import { heard, listens, Watching } from './watching.ts';

const test = suite('udp hooks');
const NEVER = 3_600_000;

/** Where cgroup v2 is mounted, alone or beside version 1. */
const root = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((path) => existsSync(`${path}/cgroup.procs`));

/** A watch that has made its first pass, without polls or further passes. */
async function quiet(options = {}): Promise<Watching> {
  const watching = new Watching({ allMs: NEVER, listenPollMs: 1, ...options });
  await watching.until('the first pass', ({ delta }) => delta.all);
  return watching;
}
const sockets = (watching: Watching): number => watching.sum(({ events }) => events.socket);
const polls = (watching: Watching): number => watching.sum((delta) => delta.polls);

async function bound(type: SocketType, host: string): Promise<Socket> {
  // Does not keep node running when a test fails.
  const socket = createSocket(type).bind(0, host).unref();
  await once(socket, 'listening');
  return socket;
}
async function closed(socket: Socket): Promise<void> {
  socket.close();
  await once(socket, 'close');
}
/** The first line that a child writes, as words. */
async function said({ stdout }: ChildProcess): Promise<string[]> {
  if (stdout === null) throw new Error('no output');
  const [line] = (await once(createInterface(stdout), 'line')) as [string];
  return line.split(' ');
}
const python = (script: string): ChildProcess =>
  spawn('python3', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });

const here = (...wanted: readonly Need[]) => needs('UDP by cgroup hooks', ...wanted);

for (const [type, host] of [
  ['udp4', '127.0.0.1'],
  ['udp4', '0.0.0.0'],
  ['udp6', '::1'],
  ['udp6', '::'],
] as const) {
  here('IPv6 loopback')(test, `${type} on ${host}: bind, connect and close, without any poll`, async () => {
    using watching = await quiet();
    for (const connects of [false, true]) {
      const socket = await bound(type, host);
      const { port } = socket.address();
      await heard(watching, 17, port, true);
      if (connects) {
        socket.connect(9, type === 'udp4' ? '127.0.0.1' : '::1');
        await once(socket, 'connect');
        await heard(watching, 17, port, false);
      }
      await closed(socket);
      if (!connects) await heard(watching, 17, port, false);
    }
    assert.is(polls(watching), 0);
  });
}

here('compiler', 'IPv6 loopback')(test, 'UDP-Lite is reported like UDP', async () => {
  using watching = await quiet();
  const child = spawn(compiled('udplite.cc'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const ports = await Promise.race([said(child), exit.then(() => [])]);
  for (const port of ports) await heard(watching, 17, Number(port), true);
  child.stdin.end();
  await exit;
  if (ports.length > 0) await heard(watching, 17, Number(ports[0]), false);
});

here()(test, 'a bind is reported within 5 ms', async () => {
  using watching = await quiet();
  const took: number[] = [];
  for (let turn = 0; turn < 21; turn++) {
    await sleep(20);
    const since = watching.seen.length;
    const socket = createSocket('udp4').unref();
    const before = performance.now();
    socket.bind(0, '127.0.0.1');
    const { atMs } = await watching.until('a bind', ({ delta }) => delta.listeners, since);
    took.push(atMs - before);
    await closed(socket);
  }
  took.sort((a, b) => a - b);
  assert.ok((took[10] as number) <= 5, `median ${took[10]} ms`);
});

here('python3')(test, 'a socket that is closed while it is passed on is reported', async () => {
  using watching = await quiet();
  // The only descriptor is in a message that is never received.
  const child = python(`
import socket, sys
a, b = socket.socketpair()
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0))
port = s.getsockname()[1]
socket.send_fds(a, [b"x"], [s.fileno()]); s.close()
print(port, flush=True); sys.stdin.readline()
a.close(); b.close(); print("closed", flush=True); sys.stdin.readline()`);
  const [port] = await said(child);
  await heard(watching, 17, Number(port), true);
  child.stdin?.write('\n');
  await heard(watching, 17, Number(port), false);
  child.stdin?.end();
  await once(child, 'exit');
});

here('python3')(
  test,
  'a port without bind(2) is found by the pass over everything, not by an event',
  async () => {
    using watching = new Watching({ allMs: 300, listenPollMs: 1 });
    await watching.until('the first pass', ({ delta }) => delta.all);
    const child = python(`
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b"x", ("127.0.0.1", 9))
print(s.getsockname()[1], flush=True); sys.stdin.readline()`);
    const [port] = await said(child);
    watching.mark = watching.seen.length;
    await watching.until(
      'the port',
      ({ delta }) => delta.all && listens(watching, 17, Number(port)),
      watching.mark,
    );
    child.stdin?.end();
    await once(child, 'exit');
    // Its end is an event again.
    await heard(watching, 17, Number(port), false);
    assert.is(polls(watching), 0);
  },
);

const CLIENTS = 300;
here('python3')(test, 'clients that connect without bind(2) cause no event', async () => {
  using watching = await quiet();
  execFileSync('python3', [
    '-c',
    `
import socket
for _ in range(${CLIENTS}):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s: s.connect(("127.0.0.1", 9)); s.send(b"x")`,
  ]);
  const socket = await bound('udp4', '127.0.0.1');
  await heard(watching, 17, socket.address().port, true);
  await closed(socket);
  assert.ok(sockets(watching) < CLIENTS);
});

here('namespaces', 'python3')(test, 'UDP sockets of another network namespace are not reported', async () => {
  using watching = await quiet();
  execFileSync('unshare', [
    '--net',
    'python3',
    '-c',
    `
import socket
for _ in range(${CLIENTS}):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s: s.bind(("0.0.0.0", 0))`,
  ]);
  const socket = await bound('udp4', '127.0.0.1');
  await heard(watching, 17, socket.address().port, true);
  await closed(socket);
  assert.ok(sockets(watching) < CLIENTS);
});

here()(test, 'two watches at once are both told, and one goes on when the other ends', async () => {
  using first = await quiet();
  {
    using second = await quiet();
    const socket = await bound('udp4', '127.0.0.1');
    const { port } = socket.address();
    await Promise.all([heard(first, 17, port, true), heard(second, 17, port, true)]);
    await closed(socket);
    await Promise.all([heard(first, 17, port, false), heard(second, 17, port, false)]);
  }
  const socket = await bound('udp4', '127.0.0.1');
  await heard(first, 17, socket.address().port, true);
  await closed(socket);
  assert.is(polls(first), 0);
});

here('compiler')(
  test,
  'the program of another cgroup still denies, and what it permits is reported',
  async () => {
    using watching = await quiet();
    const folder = `${root}/desk-test-${process.pid}`;
    mkdirSync(folder);
    try {
      const child = spawn(compiled('cgroup_hooks.cc'), ['deny', folder], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const [denied, port] = await said(child);
      assert.is(Number(denied), 1, 'EPERM');
      await heard(watching, 17, Number(port), true);
      child.stdin.end();
      await once(child, 'exit');
      await heard(watching, 17, Number(port), false);
    } finally {
      rmdirSync(folder);
    }
  },
);

/** Ids of the cgroup links that a process holds. */
function linksOf(pid: number): string[] {
  const folder = `/proc/${pid}/fdinfo`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      const text = readFileSync(`${folder}/${fd}`, 'latin1');
      return /^link_type:\tcgroup$/m.test(text) ? (/^link_id:\t(\d+)$/m.exec(text)?.slice(1) ?? []) : [];
    } catch {
      return []; // the descriptor of the list itself is gone
    }
  });
}
const alive = (links: readonly string[]): number =>
  Number(execFileSync(compiled('cgroup_hooks.cc'), ['links', ...links], { encoding: 'utf8' }));

here('compiler')(test, 'nothing stays attached when a watch ends or its process is killed', async () => {
  const before = linksOf(process.pid);
  const watching = await quiet();
  const own = linksOf(process.pid).filter((id) => !before.includes(id));
  assert.is(own.length, 5);
  assert.is(alive(own), 5);
  watching[Symbol.dispose]();
  assert.is(alive(own), 0);

  const child = spawn(process.execPath, programWords('idle-watch.ts', import.meta.url), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await said(child);
  const killed = linksOf(child.pid as number);
  assert.is(alive(killed), 5);
  child.kill('SIGKILL');
  await once(child, 'exit');
  for (let wait = 0; wait < 100 && alive(killed) > 0; wait++) await sleep(20);
  assert.is(alive(killed), 0);
});

here('namespaces')(
  test,
  'where only a part of the cgroups is visible UDP is polled, and the reason is reported',
  async () => {
    const folder = `${root}/desk-test-part-${process.pid}`;
    mkdirSync(folder);
    try {
      const watch = [process.execPath, ...programWords('idle-watch.ts', import.meta.url)];
      const script = `echo 0 > ${folder}/cgroup.procs && exec unshare --cgroup --mount sh -c 'umount ${root} && mount -t cgroup2 none ${root} && exec "$@"' sh "$@"`;
      const child = spawn('sh', ['-c', script, 'sh', ...watch], {
        cwd: projectRoot,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const { udp } = JSON.parse((await said(child)).join(' ')) as { udp: string };
      child.stdin.end();
      await once(child, 'exit');
      assert.match(udp, /only a part of the cgroups is visible/);
    } finally {
      rmdirSync(folder);
    }
  },
);

test.run();
