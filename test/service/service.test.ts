/** The service in this process: what a reload keeps, moves and refuses; and how it probes its own site. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { Service } from '../../src/service/service.ts';
import { isHidden } from '../real/running.ts';
import { freePorts } from '../support/free-ports.ts';
import { putMachineLaw } from '../support/machine-law.ts';
import { needs } from '../support/require.ts';

const native = loadNative().addon;

type Listen = Partial<Record<keyof Config['listen'], Partial<Config['listen']['control']>>>;

/** Loaded configuration with these listeners and no other; the loop is off, so that a test alone sweeps. */
const loaded = (listen: Listen) => {
  const off = { office: { enabled: false }, public: { enabled: false }, themed: { enabled: false } };
  const config = configSchema.parse({ loop: { mode: 'off' }, listen: { ...off, ...listen } });
  return { config, path: null, date: '' };
};

async function hold(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const close = async (server: Server): Promise<void> => {
  await once(server.close(), 'close');
};

/** Status of GET, 0 when nothing listens. */
const statusAt = (port: number, path = '/healthz'): Promise<number> =>
  new Promise((resolve) =>
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', () => resolve(0)),
  );

async function withService(
  listen: Listen,
  work: (service: Service, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-service-'));
  const log = pino({ level: 'silent' });
  try {
    const lawPlaces = () => [putMachineLaw(folder)];
    const options = { loaded: loaded(listen), folder, native, log, loop: false, lawPlaces };
    const service = await Service.start(options);
    try {
      await work(service, folder);
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The desk status record. */
const recordAt = (port: number): Promise<{ ok: boolean; issues: string[] }> =>
  new Promise((resolve, reject) =>
    get({ host: '127.0.0.1', port, path: '/status', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject),
  );

test('a reload reports no false issue', async () => {
  const [control = 0, office = 0] = await freePorts(2);
  const listen = { control: { port: control }, office: { enabled: true, port: office } };
  const reported = new Set<string>();
  await withService(listen, async (service) => {
    for (let round = 0; round < 4; round++) {
      const next = loaded(listen);
      next.config.loop.recheck_ms = 500 + round;
      let reloading = true;
      const reloaded = service.reload(next).finally(() => {
        reloading = false;
      });
      while (reloading) for (const issue of (await recordAt(control)).issues) reported.add(issue);
      await reloaded;
    }
  });
  // Other processes of the machine are not our concern.
  assert.equal(
    [...reported].filter((issue) => !/^process \d+ /.test(issue) && !isHidden(issue)),
    [],
  );
});

/** Another program that keeps trying to bind a port and reports each success. */
const squatter = `
  const { createServer } = require('node:net');
  const port = Number(process.argv[1]);
  const again = () => {
    const server = createServer();
    server.once('error', () => setImmediate(again));
    server.listen(port, '127.0.0.1', () => { process.stdout.write('got it\\n'); server.close(again); });
  };
  process.stdout.write('polls\\n');
  again();
`;

test('during reloads no other program gets the control port, and the token stays', async () => {
  const [control = 0, one = 0, two = 0] = await freePorts(3);
  await withService({ control: { port: control }, office: { port: one } }, async (service, folder) => {
    const token = readFileSync(join(folder, 'control.token'), 'utf8');
    const thief = spawn(process.execPath, ['-e', squatter, String(control)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let reported = '';
    thief.stdout.setEncoding('utf8').on('data', (text: string) => {
      reported += text;
    });
    try {
      while (reported === '') await new Promise((resolve) => setTimeout(resolve, 5));
      for (const office of [two, one, two])
        assert.ok(await service.reload(loaded({ control: { port: control }, office: { port: office } })));
    } finally {
      thief.kill();
      await once(thief, 'close');
    }
    assert.is(reported, 'polls\n');
    assert.equal(
      await Promise.all([control, one, two].map((port) => statusAt(port, '/status'))),
      [200, 0, 200],
    );
    assert.is(readFileSync(join(folder, 'control.token'), 'utf8'), token);
  });
});

test('a refused reload changes nothing, and a later valid one is applied', async () => {
  const [control = 0, moved = 0, office = 0] = await freePorts(3);
  const holder = await hold();
  try {
    await withService({ control: { port: control } }, async (service) => {
      const { desk } = service;
      try {
        await service.reload(loaded({ control: { port: portOf(holder) }, office: { port: office } }));
        assert.unreachable('it was taken');
      } catch (error) {
        assert.instance(error, DeskError);
        assert.match((error as DeskError).remedy, '[listen.control]');
      }
      assert.is(service.desk, desk);
      assert.is((await desk.state({ maxAgeMs: 0 })).desk.config, desk.config);
      assert.equal(await Promise.all([control, office].map((port) => statusAt(port))), [200, 0]);
      assert.not.ok(await service.reload(loaded({ control: { port: control } })));
      assert.ok(await service.reload(loaded({ control: { port: moved } })));
      assert.is.not(service.desk, desk);
      assert.equal(await Promise.all([control, moved].map((port) => statusAt(port))), [0, 200]);
      assert.is(service.desk.listener('control').port, moved);
      await desk.state({ maxAgeMs: 0 }).then(
        () => assert.unreachable('the old desk still sweeps'),
        (error) => assert.match(error.message, 'closing'),
      );
    });
    assert.equal(await Promise.all([control, moved].map((port) => statusAt(port))), [0, 0]);
  } finally {
    await close(holder);
  }
});

test('a start that is refused leaves nothing behind', async () => {
  const [free = 0] = await freePorts(1);
  const holder = await hold();
  const folder = mkdtempSync(join(tmpdir(), 'desk-service-'));
  const options = { folder, native, log: pino({ level: 'silent' }), loop: false };
  try {
    const taken = loaded({ control: { port: portOf(holder) } });
    await Service.start({ ...options, loaded: taken }).then(
      () => assert.unreachable('it started'),
      (error) => assert.instance(error, DeskError),
    );
    assert.throws(() => readFileSync(join(folder, 'control.token')), /ENOENT/);
    const service = await Service.start({ ...options, loaded: loaded({ control: { port: free } }) });
    await service.stop();
  } finally {
    await close(holder);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the site answers only while its listener is bound', async () => {
  const [control = 0, free = 0] = await freePorts(2);
  const holder = await hold();
  try {
    const listen = (port: number) => ({ control: { port: control }, public: { port } });
    await withService(listen(portOf(holder)), async (service) => {
      const { site } = service.desk.latest()?.desk ?? {};
      assert.is(site?.status, 0);
      assert.match(site?.reason ?? '', String(portOf(holder)));
      assert.ok(await service.reload(loaded(listen(free))));
      assert.is(service.desk.latest()?.desk.site.status, 200);
    });
  } finally {
    await close(holder);
  }
});

test('a site at "localhost" is probed', async () => {
  const [control = 0, open = 0] = await freePorts(2);
  const listen = { control: { port: control }, public: { host: 'localhost', port: open } };
  await withService(listen, async (service) => assert.is(service.desk.latest()?.desk.site.status, 200));
});

needs('IPv6 loopback')(test, 'a site at an IPv6 address is probed', async () => {
  const [control = 0, open = 0] = await freePorts(2);
  const listen = { control: { port: control }, public: { host: '::1', port: open } };
  await withService(listen, async (service) => assert.is(service.desk.latest()?.desk.site.status, 200));
});

test.run();
