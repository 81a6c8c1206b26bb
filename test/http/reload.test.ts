/** Reload: an unchanged listener keeps its socket, a moved one is bound before the old one closes. */
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import type { Config } from '../../src/config/schema.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { freePorts } from '../support/free-ports.ts';
import { needs } from '../support/require.ts';
import { MY_UID, type Service, startService } from './service.ts';

type Role = keyof Config['listen'];

/** A desk identified by the people of its site, with some listeners at other addresses. */
function deskWith(listen: Partial<Record<Role, Partial<Config['listen'][Role]>>> = {}, group = ''): FakeDesk {
  const config = loopbackConfig({ access: { group } });
  const merged: Record<Role, object> = { ...config.listen };
  for (const [role, parts] of Object.entries(listen) as [Role, object][])
    merged[role] = { ...merged[role], ...parts };
  return new FakeDesk({ ...config, listen: merged as Config['listen'] });
}

const hold = (port = 0): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const addressOf = (server: Server | undefined): string =>
  (server?.address() as AddressInfo | null)?.address ?? '';

/** Which of two desks responds, by its sweep counter. */
async function answeredBy(service: Service, desks: readonly FakeDesk[], port?: number): Promise<number> {
  const before = desks.map(({ sweeps }) => sweeps);
  const answer =
    port === undefined
      ? await service.ask('/status')
      : await new Promise<{ status: number }>((resolve, reject) =>
          get({ host: '127.0.0.1', port, path: '/status', agent: false }, (response) => {
            response.resume().on('end', () => resolve({ status: response.statusCode ?? 0 }));
          }).on('error', reject),
        );
  assert.is(answer.status, 200);
  return desks.findIndex(({ sweeps }, at) => sweeps !== before[at]);
}

const refused = (port: number): Promise<string> =>
  new Promise((resolve) =>
    get({ host: '127.0.0.1', port, path: '/', agent: false }, (response) => {
      response.resume();
      resolve('answered');
    }).on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? '')),
  );

test('an unchanged listener keeps its socket and connections, and responds with the new desk', async () => {
  const [one, two] = [deskWith(), deskWith()];
  const service = await startService(one);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<{ status: number; localPort: number }>((resolve, reject) =>
      get({ host: '127.0.0.1', port: service.port(), path: '/status', agent }, (response) => {
        const localPort = response.socket.localPort ?? 0;
        response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, localPort }));
      }).on('error', reject),
    );
  try {
    const ports = (['control', 'office', 'themed', 'public'] as const).map((role) => service.port(role));
    const before = await ask();
    assert.is(one.sweeps, 1);
    await (await service.listeners.apply(two)).retired;
    const after = await ask();
    assert.equal(after, before);
    assert.equal([one.sweeps, two.sweeps], [1, 1]);
    assert.equal(
      (['control', 'office', 'themed', 'public'] as const).map((role) => two.listener(role).port),
      ports,
    );
    assert.equal([...two.listeners.values()].map(({ role, state }) => `${role} ${state}`).sort(), [
      'control bound',
      'office bound',
      'public bound',
      'remote off',
      'themed bound',
    ]);
  } finally {
    agent.destroy();
    await service.stop();
  }
});

test('no other program can bind an unchanged port during reloads', async () => {
  const service = await startService(deskWith());
  const port = service.port();
  let stolen = 0;
  let tries = 0;
  let polling = true;
  const squatter = (async () => {
    while (polling) {
      tries += 1;
      const got = await hold(port).catch(() => null);
      await new Promise((resolve) => setImmediate(resolve));
      if (got === null) continue;
      stolen += 1;
      await close(got);
    }
  })();
  try {
    for (let at = 0; at < 10; at++) {
      const seen = tries;
      await (await service.listeners.apply(deskWith())).retired;
      while (tries < seen + 3) await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    polling = false;
    await squatter;
    await service.stop();
  }
  assert.is(stolen, 0);
  assert.ok(tries >= 30);
});

test('a moved listener responds at its new address, and the old one is free', async () => {
  const one = deskWith();
  const [port = 0, office = 0] = await freePorts(2);
  const two = deskWith({ control: { port }, office: { port: office }, themed: { enabled: false } });
  const service = await startService(one);
  const old = (['control', 'office', 'themed'] as const).map((role) => service.port(role));
  try {
    await (await service.listeners.apply(two)).retired;
    assert.is(await answeredBy(service, [one, two], port), 1);
    assert.is(service.listeners.address('office')?.port, office);
    assert.is(service.listeners.address('themed'), null);
    assert.is(two.listener('themed').state, 'off');
    for (const gone of old) assert.is(await refused(gone), 'ECONNREFUSED');
  } finally {
    await service.stop();
  }
  for (const freed of [port, office]) await close(await hold(freed));
});

test('a control port held by another program makes the reload fail without changes', async () => {
  const holder = await hold();
  const one = deskWith();
  const [free = 0] = await freePorts(1);
  const two = deskWith({ control: { port: portOf(holder) }, office: { port: free } });
  const service = await startService(one);
  try {
    const stream = await openStream(service);
    try {
      await service.listeners.apply(two);
      assert.unreachable('it was applied');
    } catch (error) {
      assert.instance(error, DeskError);
      assert.match((error as DeskError).message, String(portOf(holder)));
    }
    assert.is(await answeredBy(service, [one, two]), 0);
    assert.is((await service.ask('/', { role: 'office' })).status, 200);
    assert.not.ok(stream.closed);
    assert.is(await refused(free), 'ECONNREFUSED');
    assert.is(two.events.listenerCount('state'), 0);
    stream.destroy();
  } finally {
    await service.stop();
    await close(holder);
  }
});

test('a control address that this machine does not have makes the reload fail too', async () => {
  const service = await startService(deskWith());
  try {
    await service.listeners.apply(deskWith({ control: { host: '192.0.2.1', port: 8080 } })).then(
      () => assert.unreachable('it was applied'),
      (error) => assert.instance(error, DeskError),
    );
    assert.is((await service.ask('/healthz')).status, 200);
  } finally {
    await service.stop();
  }
});

test('the control listener cannot move to an address that another of our listeners still has, and the error says so', async () => {
  const service = await startService(deskWith());
  try {
    const taken = service.port('office');
    const two = deskWith({ control: { port: taken }, office: { enabled: false } });
    // The first desk has the office on port 0, so its port is known only after binding.
    await service.listeners.apply(deskWith({ office: { port: taken } }));
    await service.listeners.apply(two).then(
      () => assert.unreachable('it was applied'),
      (error) => {
        assert.match((error as DeskError).message, 'office listener of this service');
        assert.match((error as DeskError).remedy, '[listen.office]');
      },
    );
    assert.is((await service.ask('/healthz')).status, 200);
  } finally {
    await service.stop();
  }
});

test('two listeners can swap their ports in one reload', async () => {
  const [a = 0, b = 0] = await freePorts(2);
  const service = await startService(deskWith({ office: { port: a }, public: { port: b } }), {
    retryMs: 60_000,
  });
  try {
    const swapped = deskWith({ office: { port: b }, public: { port: a } });
    await service.listeners.apply(swapped);
    assert.equal([service.port('office'), service.port('public')], [b, a]);
    assert.equal([swapped.listener('office').state, swapped.listener('public').state], ['bound', 'bound']);
    assert.is((await service.ask('/', { role: 'office' })).status, 200);
    assert.is((await service.ask('/hostess7.html', { role: 'public' })).status, 404);
  } finally {
    await service.stop();
  }
});

test('"localhost" and its address are the same listener, and both are a valid Host', async () => {
  const [port = 0] = await freePorts(1);
  const service = await startService(deskWith({ control: { host: 'localhost', port } }));
  const bound = addressOf(service.listeners.server('control'));
  const authority = bound.includes(':') ? `[${bound}]:${port}` : `${bound}:${port}`;
  const ask = (host: string) =>
    new Promise<number>((resolve, reject) =>
      get({ host: bound, port, path: '/healthz', agent: false, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on('error', reject),
    );
  try {
    assert.equal(await Promise.all([authority, `localhost:${port}`, 'example'].map(ask)), [200, 200, 421]);
    await service.listeners.apply(deskWith({ control: { host: bound, port } }));
    assert.equal(await Promise.all([authority, `localhost:${port}`].map(ask)), [200, 200]);
    await service.listeners.apply(deskWith({ control: { host: 'localhost', port } }));
    assert.equal(await Promise.all([authority, `localhost:${port}`].map(ask)), [200, 200]);
  } finally {
    await service.stop();
  }
});

async function openStream(service: Service): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(
      {
        host: '127.0.0.1',
        port: service.port(),
        path: '/h7/live',
        agent: false,
        headers: { accept: 'text/event-stream' },
      },
      resolve,
    ).on('error', reject),
  );
  assert.is(response.statusCode, 200);
  return response.on('error', () => undefined).resume();
}

test('old event streams end, and a client that reconnects gets events of the new desk', async () => {
  const [one, two] = [deskWith(), deskWith()];
  const service = await startService(one);
  try {
    const stream = await openStream(service);
    const ended = new Promise<void>((resolve) => stream.once('close', resolve));
    await service.listeners.apply(two);
    await ended;
    assert.ok(stream.complete);
    assert.is(one.events.listenerCount('state'), 0);
    const again = await openStream(service);
    const heard = new Promise((resolve) => again.once('data', resolve));
    two.sweep();
    await heard;
    again.destroy();
  } finally {
    await service.stop();
  }
});

test('a running request is answered by its desk, which is closed afterwards', async () => {
  const [one, two] = [deskWith(), deskWith()];
  const service = await startService(one, { drainMs: 60_000 });
  const release = one.holdSweeps();
  try {
    const under = service.ask('/status');
    while (one.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const { retired } = await service.listeners.apply(two);
    let over = false;
    void retired.then(() => {
      over = true;
    });
    assert.is(await answeredBy(service, [one, two]), 1);
    assert.not.ok(over);
    release();
    assert.is((await under).status, 200);
    await retired;
    assert.is(one.sweeps, 1);
  } finally {
    release();
    await service.stop();
  }
});

test('a request that does not finish is ended at the deadline of the old desk', async () => {
  const one = deskWith();
  const service = await startService(one, { drainMs: 30 });
  const release = one.holdSweeps();
  try {
    const under = service.ask('/status').catch((error: NodeJS.ErrnoException) => error.code);
    while (one.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await (await service.listeners.apply(deskWith())).retired;
    assert.is(await under, 'ECONNRESET');
  } finally {
    release();
    await service.stop();
  }
});

test('sessions of open pages remain valid after a reload', async () => {
  const service = await startService(deskWith());
  try {
    const { code } = (
      await service.post('/session/code', {}, { token: 'control-token-of-the-test' })
    ).json() as {
      code: string;
    };
    const { token } = (await service.post('/session', { code })).json() as { token: string };
    await service.listeners.apply(deskWith());
    assert.is((await service.post('/learn', {}, { token })).status, 200);
  } finally {
    await service.stop();
  }
});

/** A user of this machine other than ours and root, with the name of the primary group. */
function otherUser(): { readonly uid: number; readonly group: string } {
  const rows = (path: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  const groups = new Map(rows('/etc/group').map(([name = '', , gid = '']) => [gid, name]));
  for (const [, , uid = '', gid = ''] of rows('/etc/passwd')) {
    const group = groups.get(gid);
    if (group && Number(uid) > 0 && Number(uid) !== MY_UID) return { uid: Number(uid), group };
  }
  throw new Error('this machine has no user beside us and root');
}

test('read access follows the new configuration', async () => {
  const { uid, group } = otherUser();
  const service = await startService(deskWith(), { peerUid: () => uid, serviceUid: MY_UID });
  try {
    assert.is((await service.ask('/status')).status, 401);
    await service.listeners.apply(deskWith({}, group));
    assert.is((await service.ask('/status')).status, 200);
    await service.listeners.apply(deskWith());
    assert.is((await service.ask('/status')).status, 401);
  } finally {
    await service.stop();
  }
});

needs('IPv6 loopback')(test, 'an IPv6 address in another notation is the same listener', async () => {
  const service = await startService(deskWith({ control: { host: '::1' } }));
  try {
    const { port } = service.listeners.address('control') ?? { port: 0 };
    await service.listeners.apply(deskWith({ control: { host: '0:0:0:0:0:0:0:1' } }));
    assert.is(service.listeners.address('control')?.port, port);
  } finally {
    await service.stop();
  }
});

test.run();
