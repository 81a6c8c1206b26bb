/** The guard over real sockets: a name is resolved once, all its addresses are checked, and the peer must be one of them. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Allowlist } from '../../src/egress/allowlist.ts';
import { EgressGuard } from '../../src/egress/guard.ts';
import { freePorts } from '../support/free-ports.ts';

const test = suite('egress guard');

interface Listening extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
  readonly sockets: Set<Socket>;
}

async function listening(host = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .resume();
  });
  await once(server.listen(0, host), 'listening');
  return {
    server,
    port: (server.address() as { port: number }).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** A guard whose resolver returns these answers in order, and counts the calls. */
function guarded(places: readonly string[], answers: readonly (readonly string[])[], priv = places) {
  const calls: string[] = [];
  const dialled: string[] = [];
  const noted: string[] = [];
  const guard = new EgressGuard(
    { allow: places, private: priv },
    {
      resolver: async (host) => {
        calls.push(host);
        return answers[Math.min(calls.length, answers.length) - 1] ?? [];
      },
      dial: (address, port) => {
        dialled.push(`${address} ${port}`);
        return connect({ host: address, port });
      },
      resolved: (host, port, addresses) => noted.push(`${host} ${port} ${addresses}`),
    },
  );
  return { guard, calls, dialled, noted };
}

test('a listed host is resolved once, connected to, counted, and reported to the connection check', async () => {
  await using there = await listening();
  const place = `desk.example:${there.port}`;
  const { guard, calls, dialled, noted } = guarded([place], [['127.0.0.1', '127.0.0.1']]);
  const connection = await guard.connect('Desk.example', there.port);
  assert.ok(connection.ok);
  if (!connection.ok) return;
  assert.equal([connection.address, connection.host], ['127.0.0.1', 'Desk.example']);
  assert.is(connection.socket.remotePort, there.port);
  assert.equal([calls.length, dialled.length], [1, 1]);
  assert.equal(noted, [`Desk.example ${there.port} 127.0.0.1`]);
  assert.equal(guard.totals, { connections: { [place]: 1 }, refusals: {} });
  connection.socket.destroy();
});

test('a host that is not listed is neither resolved nor connected to', async () => {
  const { guard, calls, dialled } = guarded(['desk.example:443'], [['127.0.0.1']]);
  for (const [host, port] of [
    ['desk.example', 80],
    ['other.example', 443],
    ['127.0.0.1', 443],
    ['desk.example.', 443],
    ['x@desk.example', 443],
  ] as const) {
    assert.not.ok((await guard.connect(host, port)).ok);
    assert.not.ok((await guard.resolve(host, port)).ok);
  }
  assert.equal([calls, dialled], [[], []]);
  assert.equal(guard.totals.refusals, {
    'port-not-listed': 2,
    'not-listed': 2,
    'ip-literal': 2,
    'trailing-dot': 2,
    'user-info': 2,
  });
});

test('one address that is not public refuses the whole answer, at any position', async () => {
  const bad = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fd00::1',
    '224.0.0.1',
    'nonsense',
  ];
  for (const address of bad)
    for (const answer of [[address], ['93.184.215.14', address], [address, '93.184.215.14']]) {
      const { guard, dialled, noted } = guarded(['desk.example:443'], [answer], []);
      const result = await guard.connect('desk.example', 443);
      assert.not.ok(result.ok);
      if (result.ok) continue;
      assert.match(result.code, /^(?:private|reserved)-address$/);
      assert.match(result.reason, address);
      assert.equal([dialled, noted], [[], []], address);
    }
});

test('an answer with any private address among any public ones is refused', async () => {
  const octet = fc.nat(255);
  const open = fc
    .tuple(fc.integer({ min: 11, max: 99 }), octet, octet, octet)
    .map((parts) => parts.join('.'));
  const closed = fc.oneof(
    fc.tuple(octet, octet, octet).map((parts) => `10.${parts.join('.')}`),
    fc.tuple(octet, octet).map((parts) => `192.168.${parts.join('.')}`),
    fc.tuple(octet, octet, octet).map((parts) => `127.${parts.join('.')}`),
    fc.tuple(octet, octet).map(([a, b]) => `::ffff:${a}.0.0.${b}`),
    fc.nat(0xffff).map((word) => `64:ff9b::${word.toString(16)}`),
    fc.nat(0xffff).map((word) => `fe80::${word.toString(16)}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(open, { maxLength: 5 }), closed, fc.nat(5), async (publics, one, at) => {
      const answer = publics.toSpliced(at, 0, one);
      const { guard, dialled } = guarded(['desk.example:443'], [answer], []);
      assert.is((await guard.connect('desk.example', 443)).ok, false);
      assert.equal(dialled, []);
    }),
    { numRuns: 300 },
  );
});

test('a name whose address changes is not resolved a second time', async () => {
  await using trap = await listening();
  const { guard, calls, dialled } = guarded(
    [`desk.example:${trap.port}`],
    [['127.0.0.7', '127.0.0.8'], ['127.0.0.1']],
  );
  // Nothing answers at the first addresses, and still the name is not resolved again.
  const result = await guard.connect('desk.example', trap.port, 400);
  assert.not.ok(result.ok);
  assert.equal(calls, ['desk.example']);
  assert.equal(
    dialled,
    ['127.0.0.7', '127.0.0.8'].map((address) => `${address} ${trap.port}`),
  );
  assert.is(trap.sockets.size, 0);
});

test('the next address is tried when one refuses the connection', async () => {
  await using there = await listening();
  const { guard, calls, dialled } = guarded(
    [`desk.example:${there.port}`],
    [['127.0.0.2', '127.0.0.3', '127.0.0.1']],
  );
  const connection = await guard.connect('desk.example', there.port);
  assert.ok(connection.ok);
  if (connection.ok) {
    assert.is(connection.address, '127.0.0.1');
    connection.socket.destroy();
  }
  assert.equal([calls.length, dialled.length], [1, 3]);
});

test('a connection to an unexpected peer is refused and closed', async () => {
  await using asked = await listening('127.0.0.1');
  await using other = await listening('127.0.0.1');
  let socket: Socket | undefined;
  const place = `desk.example:${asked.port}`;
  for (const to of [other.port, asked.port]) {
    const guard = new EgressGuard(
      { allow: [place], private: [place] },
      {
        resolver: async () => [to === asked.port ? '127.0.0.9' : '127.0.0.1'],
        dial: () => {
          socket = connect({ host: '127.0.0.1', port: to });
          return socket;
        },
      },
    );
    const result = await guard.connect('desk.example', asked.port);
    assert.is(result.ok ? '' : result.code, 'other-peer');
    assert.ok(socket?.destroyed);
    assert.equal(guard.totals, { connections: {}, refusals: { 'other-peer': 1 } });
  }
});

test('errors of the kernel and the resolver are returned with a message', async () => {
  const [port = 0] = await freePorts(1);
  const place = `desk.example:${port}`;
  const refused = await guarded([place], [['127.0.0.1']]).guard.connect('desk.example', port);
  assert.equal(refused.ok || [refused.kind, refused.code], ['network', 'ECONNREFUSED']);
  const empty = await guarded([place], [[]]).guard.connect('desk.example', port);
  assert.is(empty.ok || empty.code, 'ENOTFOUND');
  const failing = new EgressGuard(
    { allow: [place], private: [] },
    { resolver: () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })) },
  );
  const failed = await failing.connect('desk.example', port);
  assert.equal(failed.ok || [failed.code, /no name server answers/.test(failed.reason)], ['EAI_AGAIN', true]);
});

test('a resolver or host that never answers times out, and no socket is left open', async () => {
  const mute = new EgressGuard(
    { allow: ['desk.example:443'], private: [] },
    { resolver: () => new Promise(() => undefined) },
  );
  const unresolved = await mute.connect('desk.example', 443, 50);
  assert.equal(unresolved.ok || [unresolved.code, unresolved.kind], ['timeout', 'network']);
  // A socket that never connects: nothing is sent.
  const { Socket: Unconnected } = await import('node:net');
  const made: Socket[] = [];
  const place = 'desk.example:443';
  const guard = new EgressGuard(
    { allow: [place], private: [place] },
    {
      resolver: async () => ['127.0.0.1', '127.0.0.2'],
      dial: () => {
        const socket = new Unconnected();
        made.push(socket);
        return socket;
      },
    },
  );
  const late = await guard.connect('desk.example', 443, 60);
  assert.is(late.ok || late.code, 'timeout');
  assert.equal(
    made.map(({ destroyed }) => destroyed),
    [true, true],
  );
});

test('a name that is not listed can be resolved, and must be a valid name', async () => {
  const { guard, dialled } = guarded([], [['10.0.0.1', '93.184.215.14']]);
  const name = await guard.lookUp('www.example.org');
  assert.equal(name.ok && name.addresses, ['10.0.0.1', '93.184.215.14']);
  const literal = await guard.lookUp('127.1');
  assert.is(literal.ok || literal.code, 'ip-literal');
  assert.equal(dialled, []);
});

test('the addresses that the guard resolved for a listed host are on the list, with those the list resolved itself', async () => {
  let answer = ['192.0.2.1'];
  const allow = new Allowlist(['moving.example:443', '192.0.2.50:443'], async () => answer);
  await allow.resolve();
  answer = ['192.0.2.2'];
  const guard = new EgressGuard(
    { allow: ['moving.example:443'], private: ['moving.example:443'] },
    { resolver: async () => answer, resolved: (...noted) => allow.note(...noted) },
  );
  assert.equal([allow.has('192.0.2.1', 443), allow.has('192.0.2.2', 443)], [true, false]);
  await guard.resolve('Moving.example', 443);
  assert.equal(
    ['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.2', '192.0.2.50', '192.0.2.3'].map((at) => allow.has(at, 443)),
    [true, true, true, true, false],
  );
  assert.not.ok(allow.has('192.0.2.2', 444));
  for (let index = 0; index < 200; index++) allow.note('moving.example', 443, [`198.51.100.${index}`]);
  assert.equal([allow.has('192.0.2.2', 443), allow.has('198.51.100.199', 443)], [false, true]);
  allow.note('elsewhere.example', 443, ['192.0.2.99']);
  assert.not.ok(allow.has('192.0.2.99', 443));
});

test.run();
