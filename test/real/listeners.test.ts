/** Listeners on every kind of address, with one or several holders: found exactly, and gone after they are closed. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Listener, Snapshot } from '../../src/engine/snapshot.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { startActors } from '../support/actor.ts';
import { compiled } from '../support/compile.ts';
import { expect } from '../support/expect.ts';
import { type Need, needs } from '../support/require.ts';

const test = suite<{ engine: Engine }>('listeners');

test.before((context) => {
  context.engine = new Engine();
});
test.after(async ({ engine }) => {
  await engine.close();
});

const at = (snapshot: Snapshot, protocol: 'tcp' | 'udp', port: number): readonly Listener[] =>
  snapshot.listeners.filter((listener) => listener.protocol === protocol && listener.port === port);

const portOf = (socket: { address(): AddressInfo | string | null }) => (socket.address() as AddressInfo).port;

async function listen(host: string, ipv6Only = false): Promise<Server> {
  const server = createServer();
  server.listen({ host, port: 0, ipv6Only });
  await once(server, 'listening');
  return server;
}

const addresses: readonly {
  host: string;
  family: 4 | 6;
  scope: 'loopback' | 'public';
  needs: readonly Need[];
}[] = [
  { host: '127.0.0.1', family: 4, scope: 'loopback', needs: [] },
  { host: '127.255.255.254', family: 4, scope: 'loopback', needs: [] },
  { host: '0.0.0.0', family: 4, scope: 'public', needs: [] },
  { host: '::1', family: 6, scope: 'loopback', needs: ['IPv6 loopback'] },
  { host: '::', family: 6, scope: 'public', needs: ['IPv6 loopback'] },
  { host: '::ffff:127.0.0.1', family: 6, scope: 'loopback', needs: ['IPv6 loopback'] },
];

for (const { host, family, scope, needs: wanted } of addresses) {
  needs(...wanted)(test, `TCP on ${host}`, async ({ engine }) => {
    const server = await listen(host);
    const port = portOf(server);
    try {
      const found = at(await engine.sweep(), 'tcp', port);
      assert.is(found.length, 1);
      const { address, inode, holders, owner, executable, creatorUid, ...rest } = found[0] as Listener;
      assert.equal([rest.family, address, rest.scope], [family, host, scope]);
      assert.equal([owner, creatorUid, executable], ['held', process.getuid?.(), process.execPath]);
      expect(holders.map(({ pid }) => pid)).equals([process.pid]);
      assert.ok(inode > 0);
    } finally {
      server.close();
      await once(server, 'close');
    }
    assert.equal(at(await engine.sweep(), 'tcp', port), []);
  });

  needs(...wanted)(test, `UDP on ${host}`, async ({ engine }) => {
    const socket = createSocket({ type: family === 4 ? 'udp4' : 'udp6' });
    socket.bind(0, host);
    await once(socket, 'listening');
    const port = portOf(socket);
    try {
      const found = at(await engine.sweep(), 'udp', port);
      expect(found.map(({ address, scope: bound, owner }) => [address, bound, owner])).equals([
        [host, scope, 'held'],
      ]);
      // A connected socket talks to one peer and is no longer a listener.
      socket.connect(9, host.includes('.') ? (family === 4 ? '127.0.0.1' : '::ffff:127.0.0.1') : '::1');
      await once(socket, 'connect');
      assert.equal(at(await engine.sweep(), 'udp', port), []);
    } finally {
      socket.close();
      await once(socket, 'close');
    }
    assert.equal(at(await engine.sweep(), 'udp', port), []);
  });
}

needs('compiler', 'UDP-Lite', 'IPv6 loopback')(
  test,
  'UDP-Lite counts as UDP, on both families',
  async ({ engine }) => {
    const holder = spawn(compiled('udplite.cc'), { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(holder, 'exit');
    const [line] = (await once(holder.stdout, 'data')) as [Buffer];
    const ports = String(line).trim().split(' ').map(Number);
    const found = (snapshot: Snapshot) =>
      ports.map((port) => at(snapshot, 'udp', port).map(({ owner, holders }) => [owner, holders[0]?.pid]));
    assert.ok(ports.every((port) => port > 0));
    assert.equal(found(await engine.sweep()), Array(2).fill([['held', holder.pid]]));
    holder.stdin.end();
    await ended;
    assert.equal(found(await engine.sweep()), [[], []]);
  },
);

test('all holders of a shared socket are found, and leave one by one', async ({ engine }) => {
  const server = await listen('127.0.0.1');
  const port = portOf(server);
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  const heirs = [0, 1].map(() => spawn('cat', [], { stdio: ['pipe', 'ignore', 'inherit', fd] }));
  try {
    await Promise.all(heirs.map((heir) => once(heir, 'spawn')));
    const pids = heirs.map((heir) => heir.pid as number);
    const holders = async () =>
      at(await engine.sweep(), 'tcp', port)
        .flatMap((found) => found.holders.map(({ pid }) => pid))
        .sort((a, b) => a - b);
    const sorted = (list: number[]) => list.sort((a, b) => a - b);
    assert.equal(await holders(), sorted([process.pid, ...pids]));
    server.close();
    await once(server, 'close');
    assert.equal(await holders(), sorted([...pids]), 'the heirs keep it listening');
    heirs[0]?.stdin?.end();
    await once(heirs[0] as NonNullable<(typeof heirs)[0]>, 'exit');
    assert.equal(await holders(), [pids[1]]);
  } finally {
    for (const heir of heirs) heir.stdin?.end();
    server.close();
    await Promise.all(
      heirs
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
        .map((heir) => once(heir, 'exit')),
    );
  }
  assert.equal(at(await engine.sweep(), 'tcp', port), []);
});

test('a listener held only by a thread with its own descriptor table has an owner', async ({ engine }) => {
  await engine.sweep();
  await using actors = await startActors(['thread=apart']);
  const holds = ({ listeners }: Snapshot) =>
    listeners.filter(({ holders }) => holders.some(({ pid }) => pid === actors.pid(0)));
  for (let sweep = 0; sweep < 2; sweep++) {
    const found = holds(await engine.sweep());
    expect(found.map(({ owner, scope, holders }) => [owner, scope, holders.length])).equals([
      ['held', 'loopback', 1],
    ]);
  }
});

test('connections are not listeners', async ({ engine }) => {
  const server = await listen('127.0.0.1');
  const port = portOf(server);
  const client = createConnection(port, '127.0.0.1');
  try {
    const [peer] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    const snapshot = await engine.sweep();
    assert.is(at(snapshot, 'tcp', port).length, 1);
    assert.equal(at(snapshot, 'tcp', client.localPort as number), []);
    (peer[0] as { destroy(): void }).destroy();
  } finally {
    client.destroy();
    server.close();
    await once(server, 'close');
  }
});

test('the totals count listeners by scope', async ({ engine }) => {
  const servers = [await listen('127.0.0.1'), await listen('0.0.0.0')];
  try {
    const { counts, listeners } = await engine.sweep();
    const scoped = (scope: Listener['scope']) =>
      listeners.filter((listener) => listener.scope === scope).length;
    assert.ok(scoped('loopback') > 0 && scoped('public') > 0);
    assert.is(counts.loopbackListeners, scoped('loopback'));
  } finally {
    await Promise.all(servers.map((server) => once(server.close(), 'close')));
  }
});

test.run();
