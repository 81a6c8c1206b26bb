/** Held processes and their sockets: identity, what they hold, and which processes are never signalled. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Held, SIGNAL, type SocketKey } from '../../src/engine/native/act-types.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Refusal } from '../../src/engine/native/types.ts';
import type { WatchStart } from '../../src/engine/native/watch-types.ts';
import { startActors } from '../support/actor.ts';
import { needs } from '../support/require.ts';

const test = suite('act');
const { addon } = loadNative();
const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'errno' in value;

function hold(pid: number): Held {
  const held = addon.holdProcess(pid);
  if (isRefusal(held)) throw new Error(`${pid}: ${held.code}`);
  return held;
}

/** Field 22 of the stat line, proc_pid_stat(5). */
const startOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')[19] ?? '';

/** The socket of a listening server of this process. */
function keyOf(server: Server): SocketKey {
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const inode = Number(/socket:\[(\d+)\]/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]);
  return { protocol: 6, family: 4, port: (server.address() as AddressInfo).port, inode };
}

/** The one unconnected UDP socket of this process that is bound to the port. */
function boundInode(port: number): number {
  const sockets = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [Number(/socket:\[(\d+)\]/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1])];
    } catch {
      return [];
    }
  });
  const bound = sockets.filter(
    (inode) => inode > 0 && addon.socketListens({ protocol: 17, family: 4, port, inode }),
  );
  assert.is(bound.length, 1);
  return bound[0] as number;
}

/** A watch whose socket trace records makers. */
function startWatch(): WatchStart {
  const options = { listenPollMs: 1000, rereadMs: [1000], allMs: 10_000, tracepoint: true };
  const watch = addon.watchStart(options, () => {});
  if (isRefusal(watch)) throw new Error(watch.code);
  assert.equal([watch.tracepoint, watch.makers], ['', '']);
  return watch;
}

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('a held process has start time, uid, executable and its relation to us', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const kin = { [process.pid]: 'self', [process.ppid]: 'ancestor', [child.pid ?? 0]: 'descendant' };
  try {
    for (const [pid, relation] of Object.entries(kin)) {
      const held = addon.holdProcess(Number(pid));
      // For an ordinary user the parent may belong to another user.
      if (isRefusal(held)) {
        assert.ok(['EACCES', 'EPERM'].includes(held.code) && Number(pid) === process.ppid, held.code);
        continue;
      }
      assert.equal([held.pid, held.kin, held.ourPidNamespace], [Number(pid), relation, true]);
      assert.is(String(held.start), startOf(held.pid));
      assert.is(Buffer.from(held.executable).toString(), readlinkSync(`/proc/${pid}/exe`));
      addon.releaseProcess(held.handle);
    }
    const self = hold(process.pid);
    assert.equal([self.uid, self.euid, self.kernelThread], [process.getuid?.(), process.geteuid?.(), false]);
    addon.releaseProcess(self.handle);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test('an unused pid and a thread id are refused, and arguments are checked', () => {
  const none = addon.holdProcess(4_194_303);
  assert.is(isRefusal(none) && none.code, 'ESRCH');
  const thread = readdirSync('/proc/self/task')
    .map(Number)
    .find((tid) => tid !== process.pid);
  assert.ok(isRefusal(addon.holdProcess(thread ?? 0)));
  assert.throws(() => addon.holdProcess(0), /pid must be/);
  assert.throws(() => addon.hasExited(999_999), /held process \d+ does not exist/);
  const self = hold(process.pid);
  const socket = { protocol: 6, family: 4, port: 1, inode: 1 } as const;
  assert.throws(() => addon.signalHolder(self.handle, 1 as 9, socket), /signal must be 15/);
  assert.throws(() => addon.signalHolder(self.handle, 9, { ...socket, family: 5 as 4 }), /family/);
  assert.throws(() => addon.signalHolder(self.handle, 9, { ...socket, port: 65_536 }), /socket\.port/);
  assert.throws(() => addon.socketListens({} as SocketKey), /socket\.protocol/);
  addon.releaseProcess(self.handle);
  assert.throws(() => addon.releaseProcess(self.handle), /held process \d+ does not exist/);
});

test('this process, its ancestors and its children are never signalled, even when they hold the socket', async () => {
  const server = await listening();
  const socket = keyOf(server);
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const child = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  await once(child, 'spawn');
  try {
    for (const pid of [process.pid, child.pid ?? 0]) {
      const held = hold(pid);
      for (const signal of [SIGNAL.term, SIGNAL.kill])
        assert.equal(addon.signalHolder(held.handle, signal, socket), {
          outcome: 'forbidden',
          refusal: null,
        });
      addon.releaseProcess(held.handle);
    }
    assert.is(child.exitCode, null);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await once(server.close(), 'close');
  }
});

needs('bpf')(
  test,
  'a listener is attributed to its maker and to processes with the user and executable of the maker; without a maker, by creator uid only',
  async () => {
    const { watch } = startWatch();
    const server = await listening();
    const { inode } = keyOf(server);
    const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
    const stdio = ['ignore', 'ignore', 'ignore', fd] as const;
    const same = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: [...stdio] });
    const other = spawn('sleep', ['60'], { stdio: [...stdio] });
    await Promise.all([once(same, 'spawn'), once(other, 'spawn')]);
    const uid = process.getuid?.() ?? 0;
    const holderState = (pid = 0, creator = uid) => addon.holderStanding(pid, inode, creator);
    const all = (creator = uid) => [process.pid, same.pid, other.pid].map((pid) => holderState(pid, creator));
    try {
      assert.equal(addon.socketMaker(inode), { pid: process.pid, uid, start: BigInt(startOf(process.pid)) });
      assert.equal(all(), ['maker', 'shares-maker', 'other']);
      assert.equal(all(uid + 1), ['other', 'other', 'other'], 'another user created it');
      for (const gone of [holderState(4_194_303), addon.holdsSocket(4_194_303, inode)])
        assert.is(isRefusal(gone) && gone.code, 'ESRCH');
      const holds = (pid = 0, socket = inode) => addon.holdsSocket(pid, socket);
      assert.equal([holds(process.pid), holds(other.pid), holds(process.pid, 1)], [true, true, false]);
      addon.watchStop(watch);
      assert.is(addon.socketMaker(inode), null);
      assert.equal(all(), ['creator-uid', 'creator-uid', 'creator-uid']);
      assert.equal(all(uid + 1), ['other', 'other', 'other']);
    } finally {
      for (const child of [same, other]) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await once(server.close(), 'close');
    }
  },
);

needs('bpf')(
  test,
  'the maker of a UDP socket is known from bind to close if the kernel has the hooks, and unknown otherwise',
  async () => {
    const { watch, udp } = startWatch();
    const uid = process.getuid?.() ?? 0;
    const maker = udp === '' ? { pid: process.pid, uid, start: BigInt(startOf(process.pid)) } : null;
    try {
      for (const peer of [false, true]) {
        const socket = createSocket('udp4').bind(0, '127.0.0.1');
        await once(socket, 'listening');
        const inode = boundInode(socket.address().port);
        assert.equal(addon.socketMaker(inode), maker);
        if (peer) {
          socket.connect(9, '127.0.0.1');
          await once(socket, 'connect');
        }
        socket.close();
        await once(socket, 'close');
        assert.is(addon.socketMaker(inode), null, peer ? 'connected' : 'without a peer');
      }
    } finally {
      addon.watchStop(watch);
    }
  },
);

needs('bpf', 'python3')(
  test,
  'a watch knows the makers that its predecessor recorded and sockets that listen again, but none from before a gap',
  async () => {
    const server = await listening();
    const before = keyOf(server).inode;
    let { watch } = startWatch();
    const handOver = (): void => {
      const next = startWatch().watch;
      addon.watchStop(watch);
      watch = next;
    };
    const own = await listening();
    const { inode } = keyOf(own);
    const { fd } = (own as unknown as { _handle: { fd: number } })._handle;
    // The same socket in another process, which stops listening (tcp_disconnect()) and listens again.
    const script =
      'import socket, sys; s = socket.socket(fileno=3); next(sys.stdin); s.shutdown(2); print(); next(sys.stdin); s.listen(); print(); sys.stdin.read()';
    const heir = spawn('python3', ['-u', '-c', script], { stdio: ['pipe', 'pipe', 'inherit', fd] });
    const step = async (): Promise<void> => {
      heir.stdin?.write('\n');
      await once(heir.stdout as NodeJS.ReadableStream, 'data');
    };
    const maker = () => addon.socketMaker(inode)?.pid ?? null;
    try {
      assert.is(addon.socketMaker(before), null, 'older than the watch');
      assert.is(maker(), process.pid);
      const next = startWatch().watch;
      assert.is(maker(), process.pid, 'while both run');
      addon.watchStop(next);
      assert.is(maker(), process.pid, 'the newer one has ended');
      handOver();
      assert.is(maker(), process.pid, 'the older one has ended');
      assert.is(addon.socketMaker(before), null);
      await step();
      assert.is(maker(), null, 'it does not listen');
      handOver();
      await step();
      assert.is(maker(), heir.pid, 'another process listens');
      handOver();
      assert.is(maker(), heir.pid);
      addon.watchStop(watch);
      const unwatched = maker();
      ({ watch } = startWatch());
      assert.is(unwatched, null, 'no watch runs');
      assert.is(maker(), null, 'no watch ran for a while');
    } finally {
      addon.watchStop(watch);
      heir.kill('SIGKILL');
      await once(heir, 'exit');
      for (const one of [server, own]) await once(one.close(), 'close');
    }
  },
);

needs('bpf', 'python3')(test, 'no maker is missed while a new watch replaces the old one', async () => {
  const script = `import os, socket, sys, threading
end = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(1), end.set())).start()
made = []
while not end.wait(0.001) and len(made) < 900:
    made.append(socket.create_server(("127.0.0.1", 0)))
    if len(made) == 1: print("ready")
print(*(os.fstat(one.fileno()).st_ino for one in made))
sys.stdin.read()`;
  let { watch } = startWatch();
  const child = spawn('python3', ['-u', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    assert.is((await lines.next()).value, 'ready');
    for (let round = 0; round < 10; round++) {
      const next = startWatch().watch;
      addon.watchStop(watch);
      watch = next;
    }
    child.stdin.write('.');
    const inodes = String((await lines.next()).value)
      .split(' ')
      .map(Number);
    assert.ok(inodes.length > 10, `${inodes.length} listeners`);
    assert.equal([...new Set(inodes.map((inode) => addon.socketMaker(inode)?.pid))], [child.pid]);
  } finally {
    addon.watchStop(watch);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test('a socket counts as listening until it is closed, on its own port and protocol only', async () => {
  const server = await listening();
  const socket = keyOf(server);
  assert.is(addon.socketListens(socket), true);
  assert.is(addon.socketListens({ ...socket, inode: socket.inode + 1 }), false);
  assert.is(addon.socketListens({ ...socket, protocol: 17 }), false);
  assert.is(addon.socketListens({ ...socket, family: 6 }), false);
  await once(server.close(), 'close');
  assert.is(addon.socketListens(socket), false);

  const datagrams = createSocket('udp4').bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  const { port } = datagrams.address();
  assert.ok(boundInode(port) > 0);
  datagrams.close();
});

test('the holders of a socket are found by their descriptors, each once', async () => {
  const root = addon.openRoot('/proc') as number;
  const server = await listening();
  const { inode } = keyOf(server);
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const child = spawn('sleep', ['60'], { stdio: ['ignore', fd, fd, fd] });
  await once(child, 'spawn');
  try {
    const other = await listening();
    const asked = Uint32Array.of(inode, keyOf(other).inode, 4_294_967_295).sort();
    const found = addon.socketHolders(root, asked);
    if (isRefusal(found)) throw new Error(found.code);
    const pidsOf = (target: number) => found[asked.indexOf(target)]?.pids;
    assert.equal(
      pidsOf(inode),
      [process.pid, child.pid ?? 0].sort((a, b) => a - b),
    );
    assert.equal([pidsOf(keyOf(other).inode), pidsOf(4_294_967_295)], [[process.pid], []]);
    await once(other.close(), 'close');
    assert.equal(addon.socketHolders(root, new Uint32Array()), []);
    for (const wrong of [Uint32Array.of(2, 1), Uint32Array.of(1, 1)])
      assert.throws(() => addon.socketHolders(root, wrong), /ascend/);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await once(server.close(), 'close');
    addon.closeRoot(root);
  }
});

test('a held process that has ended is reported as ended, whatever has its pid now', async () => {
  const root = addon.openRoot('/proc') as number;
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const held = hold(pid);
  assert.is(addon.hasExited(held.handle), false);
  assert.is(String(addon.processStart(root, pid)), startOf(pid));
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.is(addon.hasExited(held.handle), true);
  addon.releaseProcess(held.handle);
  const start = addon.processStart(root, pid);
  assert.ok(isRefusal(start) || start !== held.start);
  addon.closeRoot(root);
});

needs('compiler', 'root', 'namespaces')(
  test,
  'a process in a child pid namespace is recognised',
  async () => {
    await using actors = await startActors(['unshare=pid', 'plain']);
    for (const [subject, ours] of [
      [0, false],
      [1, true],
    ] as const) {
      const held = hold(actors.pid(subject));
      assert.is(held.ourPidNamespace, ours);
      addon.releaseProcess(held.handle);
    }
  },
);

needs('root')(test, 'a kernel thread is recognised and never signalled', () => {
  const held = addon.holdProcess(2);
  // In a container pid 2 is an ordinary process, or missing.
  if (isRefusal(held)) return;
  const flags = Number(
    readFileSync('/proc/2/stat', 'latin1')
      .replace(/^.*\) /, '')
      .split(' ')[6],
  );
  assert.is(held.kernelThread, (flags & 0x200000) !== 0);
  const socket = { protocol: 6, family: 4, port: 1, inode: 1 } as const;
  assert.is(addon.signalHolder(held.handle, 15, socket).outcome, 'forbidden');
  addon.releaseProcess(held.handle);
});

test.run();
