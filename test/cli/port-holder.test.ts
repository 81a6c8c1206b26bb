/** The control token is sent only to a port held by root, this user or the owner of the state folder. */
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client, type ClientOptions } from '../../src/cli/client.ts';
import { holderOf, type KernelCalls } from '../../src/cli/port-holder.ts';
import { Failure } from '../../src/desk/failure.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { cook } from '../../src/features/gate/operations.ts';
import { status } from '../../src/operations/status.ts';
import { cli } from '../support/cli.ts';
import { needs, ordinaryUser } from '../support/require.ts';

const test = suite('port holder');
const { addon } = loadNative();
const token = 't'.repeat(43);
const own = process.geteuid?.() ?? 0;

interface Asked {
  readonly authorization: string | undefined;
}

/** Runs `work` with a JSON server on loopback, created while this process has the given effective uid. */
async function withServer<T>(
  uid: number,
  host: string,
  work: (port: number, asked: readonly Asked[]) => Promise<T>,
): Promise<T> {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    asked.push({ authorization: request.headers.authorization });
    const status = request.headers.authorization === undefined ? 401 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ title: 'No token', detail: 'Show one.', status }));
  });
  if (uid !== own) process.seteuid?.(uid);
  try {
    server.listen(0, host);
    await once(server, 'listening');
  } finally {
    if (uid !== own) process.seteuid?.(own);
  }
  try {
    return await work((server.address() as AddressInfo).port, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const clientFor = (port: number, more: Partial<ClientOptions> = {}): Client =>
  new Client({ host: '127.0.0.1', port, token, timeoutMs: 5000, ...more });

async function failure(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, Failure);
  return error as Failure;
}

test('the token is sent to our own listener, on an address and on a wildcard', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0', '::'])
    await withServer(own, host, async (port, asked) => {
      await clientFor(port).ask(status, {});
      assert.equal(asked, [{ authorization: `Bearer ${token}` }], host);
    });
  await withServer(own, 'localhost', async (port, asked) => {
    await clientFor(port, { host: 'localhost' }).ask(status, {});
    assert.is(asked[0]?.authorization, `Bearer ${token}`);
  });
});

needs('root')(
  test,
  'the token is not sent to a listener of another user, whose uid is reported',
  async () => {
    for (const host of ['127.0.0.1', '0.0.0.0', '::'])
      await withServer(ordinaryUser.uid, host, async (port, asked) => {
        const failed = await failure(clientFor(port).ask(cook, { mode: 'cook' }));
        assert.is(failed.exitCode, 4);
        assert.match(failed.message, `uid ${ordinaryUser.uid}`);
        assert.equal(asked, [], host);
        // The owner of the state folder knows the token already.
        await clientFor(port, { owner: ordinaryUser.uid }).ask(status, {});
        assert.is(asked[0]?.authorization, `Bearer ${token}`);
      });
  },
);

needs('root')(
  test,
  'the command does not send the token of its state folder to a listener of another user',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'desk-holder-'));
    try {
      await withServer(ordinaryUser.uid, '127.0.0.1', async (port, asked) => {
        writeFileSync(join(folder, 'desk.toml'), `[listen.control]\nport = ${port}\n`);
        mkdirSync(join(folder, 'state'), { mode: 0o700 });
        writeFileSync(join(folder, 'state/control.token'), `${token}\n`, { mode: 0o600 });
        const env = { DESK_CONFIG: join(folder, 'desk.toml'), DESK_STATE: join(folder, 'state') };
        const { code, err } = await cli(['secure', 'learn', 'once', '--json'], env);
        assert.is(code, 4);
        assert.match(err, `uid ${ordinaryUser.uid}`);
        assert.equal(asked, []);
        chownSync(join(folder, 'state'), ordinaryUser.uid, ordinaryUser.gid);
        await cli(['secure', 'learn', 'once', '--json'], env);
        assert.is(asked[0]?.authorization, `Bearer ${token}`);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test('without the addon, or when the kernel does not report the holder, no token is sent and the refusal has the reason', async () => {
  const blind: KernelCalls = {
    ...addon,
    layout: addon.layout,
    listSockets: () => ({
      listeners: 0,
      connections: 0,
      refusals: [{ errno: 1, code: 'EPERM', source: 'sock_diag tcp4' }],
    }),
    peerUid: () => own,
  };
  const kernels: readonly [() => Promise<KernelCalls>, string][] = [
    [() => Promise.reject(new Error('The native build is missing.')), 'native build is missing'],
    [async () => blind, 'EPERM'],
  ];
  for (const [kernel, why] of kernels)
    await withServer(own, '127.0.0.1', async (port, asked) => {
      const failed = await failure(clientFor(port, { kernel }).ask(status, {}));
      assert.equal(asked, [{ authorization: undefined }]);
      assert.match(failed.remedy, why);
    });
});

test('a connection that is not accepted yet is checked again before the token is sent', async () => {
  await withServer(own, '127.0.0.1', async (port, asked) => {
    let attempts = 0;
    const late: KernelCalls = {
      ...addon,
      peerUid: (...ends) => {
        attempts += 1;
        return attempts < 4
          ? { errno: 107, code: 'ENOTCONN', source: 'sock_diag peer' }
          : addon.peerUid(...ends);
      },
    };
    await clientFor(port, { kernel: async () => late }).ask(status, {});
    assert.is(attempts, 4);
    assert.equal(asked, [{ authorization: `Bearer ${token}` }]);
  });
});

test('without a token the kernel is not asked', async () => {
  await withServer(own, '127.0.0.1', async (port) => {
    const kernel = (): Promise<KernelCalls> => Promise.reject(new Error('asked'));
    const failed = await failure(clientFor(port, { token: undefined, kernel }).ask(status, {}));
    assert.not.match(failed.remedy, 'asked');
  });
});

test('the process that accepted the connection is checked too, and a port without a listener is unknown', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [{ destroy(): void }];
  if (socket.connecting) await once(socket, 'connect');
  try {
    const trusted = new Set([0, own]);
    const lent: KernelCalls = { ...addon, peerUid: addon.peerUid };
    assert.equal(holderOf(lent, socket, trusted), { kind: 'trusted' });
    assert.equal(holderOf({ ...lent, peerUid: () => 4242 }, socket, trusted), {
      kind: 'stranger',
      uid: 4242,
    });
    const closing = new Promise((resolve) => server.close(resolve));
    assert.is(holderOf(lent, socket, trusted).kind, 'unknown');
    accepted.destroy();
    socket.destroy();
    await closing;
  } finally {
    accepted.destroy();
    socket.destroy();
    server.close();
  }
});

test.run();
