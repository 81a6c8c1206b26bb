/** Binding, failing to bind, retrying, stopping. */
import { get } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import { bindProblem } from '../../src/http/bind-problem.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { stateFrom } from '../support/state.ts';
import { startService } from './service.ts';

const hold = (): Promise<{ server: Server; port: number }> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () =>
      resolve({ server, port: (server.address() as AddressInfo).port }),
    );
  });

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

function configWith(role: 'control' | 'office', port: number) {
  const config = loopbackConfig();
  return { ...config, listen: { ...config.listen, [role]: { enabled: true, host: '127.0.0.1', port } } };
}

test('every listener is reported, also a disabled one', async () => {
  const config = loopbackConfig();
  const themed = { ...config.listen.themed, enabled: false };
  const service = await startService(new FakeDesk({ ...config, listen: { ...config.listen, themed } }));
  try {
    const states = Object.fromEntries([...service.desk.listeners].map(([role, { state }]) => [role, state]));
    assert.equal(states, {
      control: 'bound',
      office: 'bound',
      public: 'bound',
      themed: 'off',
      remote: 'off',
    });
    assert.is(service.listeners.address('themed'), null);
    assert.is(service.desk.listener('office').port, service.port('office'));
  } finally {
    await service.stop();
  }
});

test('a port in use is reported with reason and remedy, the other listeners work, and binding is retried', async () => {
  const held = await hold();
  const service = await startService(new FakeDesk(configWith('office', held.port)), { retryMs: 10 });
  try {
    const { state, reason } = service.desk.listener('office');
    assert.is(state, 'failed');
    assert.match(reason, String(held.port));
    assert.match(reason, '[listen.office]');
    assert.is((await service.ask('/status')).status, 200);
    await close(held.server);
    while (service.desk.listener('office').state !== 'bound')
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.is((await service.ask('/', { role: 'office' })).status, 200);
  } finally {
    await service.stop();
  }
});

test('a control port that another program holds makes the start fail, and nothing is left behind', async () => {
  const held = await hold();
  try {
    await startService(new FakeDesk(configWith('control', held.port)));
    assert.unreachable('it started');
  } catch (error) {
    assert.instance(error, DeskError);
    assert.is((error as DeskError).code, 'refused');
    assert.match((error as DeskError).message, String(held.port));
    assert.match((error as DeskError).remedy, '[listen.control]');
  } finally {
    await close(held.server);
  }
});

test('each bind error has its own remedy', () => {
  const deskState = stateFrom({
    snapshot: {
      listeners: [{ port: 80, executable: '/usr/sbin/nginx', holders: [{ pid: 77, start: '1', fd: 6 }] }],
    },
  });
  const taken = bindProblem('EADDRINUSE', 'office', '127.0.0.1', 80, deskState);
  assert.match(taken.what, '/usr/sbin/nginx (pid 77)');
  const forbidden = bindProblem('EACCES', 'office', '127.0.0.1', 80, null);
  assert.match(forbidden.remedy, 'CAP_NET_BIND_SERVICE');
  assert.match(forbidden.remedy, '[listen.office] port');
  assert.match(
    bindProblem('EADDRNOTAVAIL', 'public', '192.0.2.1', 18770, null).remedy,
    '[listen.public] host',
  );
  assert.match(bindProblem('EMFILE', 'public', '127.0.0.1', 18770, null).what, 'EMFILE');
});

test('an address this machine does not have does not stop the others', async () => {
  const config = loopbackConfig();
  const office = { enabled: true, host: '192.0.2.1', port: 8080, explicitPort: true };
  const service = await startService(new FakeDesk({ ...config, listen: { ...config.listen, office } }));
  try {
    assert.is(service.desk.listener('office').state, 'failed');
    assert.is((await service.ask('/healthz')).status, 200);
  } finally {
    await service.stop();
  }
});

test('stopping lets a running request finish and frees the ports', async () => {
  const service = await startService();
  const [control, office] = [service.port(), service.port('office')];
  const release = service.desk.holdSweeps();
  const under = service.ask('/status');
  while (service.desk.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  const idle = connect(office, '127.0.0.1');
  idle.on('error', () => undefined);
  await new Promise<void>((resolve) => idle.once('connect', () => resolve()));
  const stopped = service.stop();
  release();
  await stopped;
  assert.is((await under).status, 200);
  for (const port of [control, office]) {
    const again = createServer();
    await new Promise<void>((resolve, reject) =>
      again.once('error', reject).listen(port, '127.0.0.1', resolve),
    );
    await close(again);
  }
  idle.destroy();
});

test('a request that does not finish is ended at the deadline', async () => {
  const service = await startService(undefined, { drainMs: 30 });
  const { desk } = service;
  let release = (): void => undefined;
  desk.state = () => new Promise((resolve) => (release = () => resolve(stateFrom())));
  const broken = new Promise<string>((resolve) => {
    get({ host: '127.0.0.1', port: service.port(), path: '/status', agent: false }, () =>
      resolve('answered'),
    ).on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''));
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await service.stop();
  assert.is(await broken, 'ECONNRESET');
  release();
});

test('stopping twice is harmless', async () => {
  const service = await startService();
  await service.stop();
  await service.stop();
});

test.run();
