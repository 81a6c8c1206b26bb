/** Real sockets of this process compared with the addon, and the addon compared with the kernel's text tables. */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, constants, existsSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addressText } from '../../src/base/addresses.ts';
import { allocate, columnsOver } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { missing, needs, projectRoot } from '../support/require.ts';

const { addon: native } = loadNative();

interface Row {
  readonly protocol: string;
  readonly family: number;
  readonly address: string;
  readonly port: number;
  readonly inode: number;
  readonly uid: number;
  readonly v6only: boolean;
}

function dump(sockets = 4096) {
  const capacity = { processes: 0, sockets, holders: 0, text: 0 };
  const layout = native.layout(capacity);
  const columns = columnsOver(allocate(layout), layout, capacity);
  const result = native.listSockets(columns.bytes, capacity);
  const { family, protocol, address, port, inode, uid, v6only } = columns.listeners;
  const rows: Row[] = [];
  for (let row = 0; row < Math.min(result.listeners, sockets); row++) {
    const width = family[row] === 4 ? 4 : 16;
    rows.push({
      protocol: protocol[row] === 17 ? 'udp' : 'tcp',
      family: family[row] as number,
      address: addressText(address.subarray(16 * row, 16 * row + width)),
      port: port[row] as number,
      inode: inode[row] as number,
      uid: uid[row] as number,
      v6only: v6only[row] === 1,
    });
  }
  return { result, rows, columns };
}

async function listening(port: number, host: string, more: object = {}): Promise<Server> {
  const server = createServer().listen({ port, host, ...more });
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

test('TCP listeners are found on each kind of address', async () => {
  const cases = [
    { host: '127.0.0.1', family: 4, address: '127.0.0.1', v6only: false, ipv6: false },
    { host: '0.0.0.0', family: 4, address: '0.0.0.0', v6only: false, ipv6: false },
    { host: '::1', family: 6, address: '::1', v6only: null, ipv6: true },
    { host: '::', family: 6, address: '::', v6only: false, ipv6: true },
    { host: '::', family: 6, address: '::', v6only: true, ipv6: true },
  ].filter(({ ipv6 }) => !ipv6 || missing('IPv6 loopback') === null);
  for (const { host, family, address, v6only } of cases) {
    const server = await listening(0, host, { ipv6Only: v6only === true });
    try {
      const port = portOf(server);
      const [row, ...more] = dump().rows.filter((one) => one.protocol === 'tcp' && one.port === port);
      assert.is(more.length, 0);
      assert.is(row?.family, family);
      assert.is(row?.address, address);
      if (v6only !== null) assert.is(row?.v6only, v6only, host);
      assert.is(row?.uid, process.getuid?.());
      assert.is(row?.inode, inodeOf(server));
    } finally {
      await closed(server);
    }
  }
});

/** Inode of a listening server, from its descriptor. */
function inodeOf(server: Server): number {
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  return Number(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]);
}

test('UDP: bound sockets are listeners, connected ones are not', async () => {
  const bound = createSocket('udp4');
  const joined = createSocket('udp4');
  try {
    bound.bind(0, '127.0.0.1');
    await once(bound, 'listening');
    joined.bind(0, '127.0.0.1');
    await once(joined, 'listening');
    const own = joined.address().port;
    assert.ok(dump().rows.some((row) => row.protocol === 'udp' && row.port === own));
    joined.connect(bound.address().port, '127.0.0.1');
    await once(joined, 'connect');
    const { rows } = dump();
    assert.ok(rows.some((row) => row.protocol === 'udp' && row.port === bound.address().port));
    assert.not.ok(rows.some((row) => row.protocol === 'udp' && row.port === own));
  } finally {
    bound.close();
    joined.close();
  }
});

test('a closed listener is no longer listed', async () => {
  const server = await listening(0, '127.0.0.1');
  const inode = inodeOf(server);
  assert.ok(dump().rows.some((row) => row.inode === inode));
  await closed(server);
  assert.not.ok(dump().rows.some((row) => row.inode === inode));
});

/** An address as in /proc/net/tcp{,6}: 32-bit words in host order (proc_pid_net(5)). */
function hexAddress(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  if (endianness() === 'LE')
    for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  return addressText(bytes);
}

function kernelTable(): string[] {
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((file) => {
    const path = `/proc/self/net/${file}`;
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'latin1').trim().split('\n').slice(1);
    return lines.flatMap((line) => {
      const [, local = '', remote = '', state = '', , , , uid = '', , inode = ''] = line.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      const wanted = file.startsWith('tcp') ? state === '0A' : state === '07' && remote.endsWith(':0000');
      if (!wanted) return [];
      return [`${file.slice(0, 3)} ${hexAddress(address)} ${Number.parseInt(port, 16)} ${uid} ${inode}`];
    });
  });
}

test('the dump agrees with /proc/net/{tcp,udp}{,6}', async () => {
  const servers = await Promise.all(
    ['127.0.0.1', '0.0.0.0', '127.0.0.2', '127.255.255.254'].map((host) => listening(0, host)),
  );
  const datagram = createSocket('udp4').bind(0, '127.0.0.1');
  await once(datagram, 'listening');
  try {
    // Other programs open and close sockets between two readings: one pair of readings must agree.
    let [ours, theirs]: [string[], string[]] = [[], ['not read yet']];
    for (let attempt = 0; attempt < 20 && ours.join('\n') !== theirs.join('\n'); attempt++) {
      theirs = kernelTable().sort();
      ours = dump()
        .rows.map(
          ({ protocol, address, port, uid, inode }) => `${protocol} ${address} ${port} ${uid} ${inode}`,
        )
        .sort();
    }
    assert.equal(ours, theirs);
    assert.ok(ours.length >= servers.length + 1);
  } finally {
    await Promise.all(servers.map(closed));
    datagram.close();
  }
});

test('nothing is written beyond the capacity, but everything is counted', async () => {
  const servers = await Promise.all([1, 2, 3].map(() => listening(0, '127.0.0.1')));
  try {
    const { result, columns } = dump(1);
    assert.ok(result.listeners >= 3);
    assert.is(columns.listeners.port.length, 1);
    assert.is(dump(0).rows.length, 0);
    assert.equal(result.refusals, []);
  } finally {
    await Promise.all(servers.map(closed));
  }
});

async function connected(server: Server, host: string): Promise<{ client: Socket; accepted: Socket }> {
  const accepted = once(server, 'connection');
  const client = connect(portOf(server), host);
  await once(client, 'connect');
  return { client, accepted: (await accepted)[0] as Socket };
}

function bytesOfAddress(text: string): Uint8Array {
  if (!text.includes(':')) return Uint8Array.from(text.split('.'), Number);
  const bytes = new Uint8Array(16);
  if (text === '::1') bytes[15] = 1;
  else bytes.set([0xff, 0xff, ...text.replace('::ffff:', '').split('.').map(Number)], 10);
  return bytes;
}

function peerOf(accepted: Socket) {
  return native.peerUid(
    bytesOfAddress(accepted.localAddress as string),
    accepted.localPort as number,
    bytesOfAddress(accepted.remoteAddress as string),
    accepted.remotePort as number,
  );
}

for (const [host, to] of [
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['::', '127.0.0.1'],
  ['::', '::1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
] as const) {
  needs(...(host.includes(':') || to.includes(':') ? (['IPv6 loopback'] as const) : []))(
    test,
    `the uid of a peer: server on ${host}, client to ${to}`,
    async () => {
      const server = await listening(0, host);
      try {
        const { client, accepted } = await connected(server, to);
        try {
          assert.is(peerOf(accepted), process.getuid?.());
          assert.is(peerOf(client), process.getuid?.(), 'the other way round');
        } finally {
          client.destroy();
          accepted.destroy();
        }
      } finally {
        await closed(server);
      }
    },
  );
}

test('a peer that closed its socket has no uid: the kernel would report root', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { client, accepted } = await connected(server, '127.0.0.1');
    const ended = once(accepted, 'end');
    accepted.resume();
    client.destroy();
    await ended;
    const answer = peerOf(accepted);
    accepted.destroy();
    assert.type(answer, 'object');
    assert.ok(['ENOTCONN', 'ENOENT'].includes((answer as { code: string }).code));
  } finally {
    await closed(server);
  }
});

test('without a connection there is no uid: a listener on the requested port is not the peer', async () => {
  const server = await listening(0, '127.0.0.1');
  try {
    const loopback = Uint8Array.of(127, 0, 0, 1);
    const answer = native.peerUid(loopback, 9, loopback, portOf(server));
    assert.is((answer as { code: string }).code, 'ENOENT');
  } finally {
    await closed(server);
  }
});

test('a peer is queried over a separate socket and does not wait for a dump', () => {
  const script = `
    const { readdirSync, readFileSync, readlinkSync } = require('node:fs');
    const addon = require(process.argv[1]);
    const ours = () => {
      const own = readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          return [/^socket:.(\\d+).$/.exec(readlinkSync('/proc/self/fd/' + fd))?.[1]];
        } catch {
          return [];
        }
      });
      const rows = readFileSync('/proc/self/net/netlink', 'latin1').trim().split('\\n').slice(1);
      return rows.map((row) => row.trim().split(/\\s+/)).filter((row) => row[1] === '4' && own.includes(row.at(-1)));
    };
    const capacity = { processes: 0, sockets: 64, holders: 0, text: 0 };
    const bytes = new Uint8Array(addon.layout(capacity).bytes);
    const loopback = Uint8Array.of(127, 0, 0, 1);
    const counts = [ours().length];
    for (let turn = 0; turn < 2; turn++) {
      addon.listSockets(bytes, capacity);
      counts.push(ours().length);
      addon.peerUid(loopback, 9, loopback, 9);
      counts.push(ours().length);
    }
    console.log(JSON.stringify(counts));
  `;
  const file = join(projectRoot, 'build/Release', `desk_${native.mark}.node`);
  const output = execFileSync(process.execPath, ['-e', script, file], { encoding: 'utf8' });
  assert.equal(JSON.parse(output), [0, 1, 2, 2, 2]);
});

/** A row of acceptConnections. */
function rowAt(bytes: Uint8Array, row: number) {
  const [descriptor = -1, family, localPort, remotePort] = new Int32Array(bytes.buffer, row * 48, 4);
  const width = family === 4 ? 4 : 16;
  const address = (at: number) => addressText(bytes.subarray(row * 48 + at, row * 48 + at + width));
  return { descriptor, family, localPort, remotePort, local: address(16), remote: address(32) };
}

for (const [host, family] of [
  ['127.0.0.1', 4],
  ['::1', 6],
] as const) {
  needs(...(family === 6 ? (['IPv6 loopback'] as const) : []))(
    test,
    `connections that wait at ${host} are accepted together, as many as there are rows`,
    async () => {
      const server = await listening(0, host);
      const clients = Array.from({ length: 3 }, () => connect(portOf(server), host));
      const connections = Promise.all(clients.map((client) => once(client, 'connect')));
      // The connections are made in this tick, before node reads its listener.
      await new Promise((resolve) => process.nextTick(resolve));
      const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
      const bytes = new Uint8Array(2 * 48);
      const rows = [];
      for (const expected of [2, 1, 0]) {
        assert.is(native.acceptConnections(fd, bytes), expected);
        for (let row = 0; row < expected; row++) rows.push(rowAt(bytes, row));
      }
      await connections;
      assert.equal(
        rows.map(({ remotePort }) => remotePort).sort(),
        clients.map(({ localPort }) => localPort).sort(),
      );
      for (const { descriptor, ...row } of rows) {
        assert.equal(
          { ...row, remotePort: 0 },
          { family, localPort: portOf(server), remotePort: 0, local: host, remote: host },
        );
        const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
        const { O_NONBLOCK } = constants;
        const O_CLOEXEC = 0o2000000;
        assert.is(Number.parseInt(flags ?? '', 8) & (O_NONBLOCK | O_CLOEXEC), O_NONBLOCK | O_CLOEXEC);
        closeSync(descriptor);
      }
      for (const client of clients) client.destroy();
      await closed(server);
    },
  );
}

test('a socket that does not listen has no connections to accept', () => {
  assert.is(native.acceptConnections(0, new Uint8Array(48)), 0);
  assert.throws(() => native.acceptConnections(-1, new Uint8Array(48)), /listener/);
  assert.throws(() => native.acceptConnections(0, 'rows' as never), /Uint8Array/);
});

test('invalid arguments throw', () => {
  const v4 = Uint8Array.of(127, 0, 0, 1);
  assert.throws(() => native.peerUid(new Uint8Array(5), 1, v4, 1), /4 or 16 bytes/);
  assert.throws(() => native.peerUid(v4, 0, v4, 1), /localPort/);
  assert.throws(() => native.peerUid(v4, 1, v4, 65536), /remotePort/);
  assert.throws(() => native.peerUid(v4, 1, new Uint8Array(16), 1), /same family/);
  assert.throws(() => native.peerUid('127.0.0.1' as never, 1, v4, 1), /Uint8Array/);
  const capacity = { processes: 0, sockets: 10, holders: 0, text: 0 };
  assert.throws(() => native.listSockets(new Uint8Array(8), capacity), /layout\(capacity\)/);
  assert.throws(() => native.listSockets(new Uint8Array(1 << 20), capacity, 1 as never), /boolean/);
});

needs('root')(test, 'established connections to port 443 are listed, others are not', async () => {
  // A loopback address of its own, so that a server on port 443 of another address is not disturbed.
  const server = await listening(443, '127.0.99.43');
  const other = await listening(0, '127.0.0.1');
  try {
    const secure = await connected(server, '127.0.99.43');
    const plain = await connected(other, '127.0.0.1');
    const { result, columns } = dump();
    const seen: string[] = [];
    for (let row = 0; row < (result.connections ?? 0); row++) {
      assert.is(columns.connections.port[row], 443);
      if (columns.connections.family[row] !== 4) continue;
      seen.push(addressText(columns.connections.address.subarray(16 * row, 16 * row + 4)));
    }
    assert.is(seen.filter((address) => address === '127.0.99.43').length, 1);
    assert.is(native.listSockets(columns.bytes, columns.capacity, false).connections, null);
    for (const { client, accepted } of [secure, plain]) {
      client.destroy();
      accepted.destroy();
    }
  } finally {
    await Promise.all([closed(server), closed(other)]);
  }
});

test.run();
