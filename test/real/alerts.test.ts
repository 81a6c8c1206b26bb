/** Alerts of a complete service: what a phone gets while targets fail, the service is killed, its disk is full, and in quiet time. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertsAnswer } from '../../src/records/alerts.ts';
import { freePorts } from '../support/free-ports.ts';
import type { Mood } from '../support/ntfy.ts';
import { testsNeeding } from '../support/require.ts';
import { alertsOf, DOWN, failing, inScene, pause, SETTLED_MS, UP } from './alert-scene.ts';
import { ask, makeHome, runDesk, startDesk, startService, until } from './running.ts';

const test = suite('alerts');
const asRoot = testsNeeding(test, 'root', 'namespaces');

test('a port that goes down and comes back: one message each, and they are listed', () =>
  inScene(async ({ ntfy, watched, boot, titles }) => {
    await using service = await boot();
    await pause(SETTLED_MS);
    assert.equal(titles(), []);
    await watched.down();
    await until(() => ntfy.messages.length === 1, 'the alert');
    await pause(SETTLED_MS);
    await watched.up();
    await until(() => ntfy.messages.length === 2, 'what was resolved');
    assert.match(titles()[0] ?? '', DOWN);
    assert.match(titles()[1] ?? '', UP);
    assert.is(ntfy.messages[0]?.priority, 4);
    const { deliveries, targets } = await until(async () => {
      const alerts = await alertsOf(service);
      return alerts.deliveries.length === 2 && alerts;
    }, 'both deliveries');
    assert.equal(
      deliveries.map(({ kind, failed, target }) => [target, kind, failed]),
      [
        ['phone', 'resolved', 0],
        ['phone', 'opened', 0],
      ],
    );
    assert.equal([targets[0]?.reported, targets[0]?.waiting], [0, '']);
  }));

test('the command tests targets, shows them, and says what is wrong', () =>
  inScene(async ({ ntfy, home, boot, titles }) => {
    await using _service = await boot();
    const well = await runDesk(home, ['alert', 'test']);
    assert.equal([well.code, titles()], [0, ['test of the desk']]);
    assert.match(well.stdout, /arrived\s+phone\s+\d+\s+answered 200/);
    ntfy.mood = 503;
    const bad = await runDesk(home, ['alert', 'test', 'phone']);
    assert.is(bad.code, 1);
    assert.match(bad.stdout, /failed\s+phone\s+\d+\s+it answers 503/);
    const other = await runDesk(home, ['alert', 'test', 'pager']);
    assert.match(other.stderr, /"pager" is not a target of alerts\.[\s\S]*phone/);
    const list = await runDesk(home, ['alert']);
    assert.match(list.stdout, /phone\s+ntfy\s+high\s+never\s+0\s+ok/);
  }));

const moods: readonly (readonly [string, Mood | 'down'])[] = [
  ['down', 'down'],
  ['answering 500', 500],
  ['redirecting', 302],
];
for (const [name, mood] of moods)
  test(`a target that is ${name} across a restart of the service: every change arrives once when it is well again`, () =>
    inScene(async ({ ntfy, watched, boot, titles }) => {
      if (mood === 'down') await ntfy.stop();
      else ntfy.mood = mood;
      {
        await using first = await boot();
        await watched.down();
        await failing(first);
      }
      await using second = await boot();
      await failing(second);
      if (mood === 'down') await ntfy.start();
      else ntfy.mood = 'well';
      await until(() => ntfy.messages.length >= 1, 'the alert', 60_000);
      await watched.up();
      await until(() => ntfy.messages.length >= 2, 'what was resolved');
      await pause(SETTLED_MS);
      assert.equal(
        titles().map((title) => (DOWN.test(title) ? 'down' : UP.test(title) ? 'up' : title)),
        ['down', 'up'],
      );
    }));

test('killed between sending and noting it: the message is there once', () =>
  inScene(async ({ ntfy, watched, boot, titles }) => {
    {
      await using first = await boot();
      ntfy.kept = () => first.child.kill('SIGKILL');
      await watched.down();
      await until(() => first.child.signalCode === 'SIGKILL', 'the end of the service');
      assert.is(ntfy.messages.length, 1);
    }
    ntfy.kept = null;
    await using second = await boot();
    await until(
      async () => (await alertsOf(second)).deliveries.length === 1,
      'the delivery that is noted now',
    );
    await watched.up();
    await until(() => ntfy.messages.length >= 2, 'what was resolved');
    await pause(SETTLED_MS);
    assert.equal(titles().length, 2);
    assert.match(titles()[1] ?? '', UP);
  }));

test('an answer that is lost on its way: the message is there once', () =>
  inScene(async ({ ntfy, watched, boot }) => {
    await using service = await boot();
    ntfy.mood = 'lose';
    await watched.down();
    await failing(service);
    ntfy.mood = 'well';
    await until(async () => (await alertsOf(service)).deliveries.length === 1, 'the delivery', 60_000);
    assert.is(ntfy.messages.length, 1);
    assert.is((await alertsOf(service)).deliveries[0]?.failed, 1);
  }));

test('a changed configuration: what was reported is not reported again', () =>
  inScene(async ({ ntfy, watched, home, boot }) => {
    await using service = await boot();
    await watched.down();
    await until(() => ntfy.messages.length === 1, 'the alert');
    appendFileSync(home.config, 'command_lines = true\n');
    service.child.kill('SIGHUP');
    await pause(SETTLED_MS);
    // The next desk has targets once the former has stopped.
    await until(async () => (await alertsOf(service)).targets[0]?.reported === 1, 'what was reported');
    assert.is(ntfy.messages.length, 1);
    await watched.up();
    await until(() => ntfy.messages.length === 2, 'what was resolved');
  }));

test('quiet time: no message, across a restart, and one summary at its end', () =>
  inScene(async ({ ntfy, watched, home, boot, titles }) => {
    {
      await using _first = await boot();
      const begun = await runDesk(home, ['quiet', '30m', '--why', 'kernel update']);
      assert.is(begun.code, 0, begun.stderr);
      assert.match(begun.stdout, /quiet {2}until .* UTC: kernel update/);
      await watched.down();
      await pause(SETTLED_MS);
    }
    await using second = await boot();
    assert.is((await alertsOf(second)).quiet?.why, 'kernel update');
    await pause(SETTLED_MS);
    assert.equal(titles(), []);
    const shown = await runDesk(home, ['quiet']);
    assert.match(shown.stdout, /kernel update/);
    const refused = await runDesk(home, ['quiet', '30m']);
    assert.equal([refused.code, /reason is missing/.test(refused.stderr)], [2, true]);
    const ended = await runDesk(home, ['quiet', 'end']);
    assert.match(ended.stdout, /ended/);
    await until(() => ntfy.messages.length === 1, 'the summary');
    assert.equal(titles(), ['quiet time is over: 1 new, 0 resolved, 1 open']);
    assert.match(ntfy.messages[0]?.message ?? '', /\(kernel update\)[\s\S]*\[high\] Required port/);
  }));

asRoot('a full disk: the alert goes out once, and once there is room it is noted', () =>
  inScene(async ({ ntfy, watched, home, titles }) => {
    mkdirSync(home.state, { recursive: true, mode: 0o700 });
    const inside = ['unshare', '--mount', '--propagation', 'private', 'sh', '-ec'];
    const mounted = `mount -t tmpfs -o mode=700,size=6M tmpfs "${home.state}"\nexec "$@"`;
    const { child, output } = startDesk(home, ['boot'], {
      before: [...inside, mounted, 'sh'],
    });
    const root = () => `/proc/${child.pid}/root${home.state}`;
    try {
      const alerts = async (): Promise<AlertsAnswer> => (await ask(home.ports.control, '/alerts')).json;
      await until(
        () =>
          output.stdout !== '' &&
          alerts().then(
            ({ targets }) => targets.length === 1,
            () => false,
          ),
        'the service',
      );
      execFileSync('sh', ['-c', `dd if=/dev/zero of="${root()}/fill" bs=4k 2>/dev/null || true`]);
      await watched.down();
      await until(() => ntfy.messages.length === 1, 'the alert');
      await pause(SETTLED_MS);
      execFileSync('rm', [`${root()}/fill`]);
      await until(async () => (await alerts()).deliveries.length === 1, 'the note of it', 60_000);
      await watched.up();
      await until(() => ntfy.messages.length === 2, 'what was resolved');
      await pause(SETTLED_MS);
      assert.is(titles().length, 2);
    } finally {
      child.kill('SIGTERM');
      await until(() => child.exitCode !== null || child.signalCode !== null, 'the end of the service');
    }
  }),
);

test('the public site is down: one message, after a second probe', async () => {
  const [port = 0] = await freePorts(1);
  const url = `http://localhost:${port}`;
  await inScene(async ({ ntfy, home, boot, titles }) => {
    const text = readFileSync(home.config, 'utf8').replace(
      /(allow|private) = \[/g,
      `$1 = ["localhost:${port}", `,
    );
    writeFileSync(home.config, `${text}\n[site]\npublic_url = "${url}"\n`);
    await using service = await boot();
    const { sites } = (await service.get('/sites')).json;
    assert.is(sites[0]?.state, 'unknown');
    assert.equal(titles(), []);
    await until(() => ntfy.messages.length > 0, 'the alert');
    await pause(SETTLED_MS);
    assert.equal(titles().length, 1);
    assert.match(titles()[0] ?? '', `high: The site ${url} cannot be reached`);
  });
});

test('a service that is stopped while a client is connected: no message about its own ports', () =>
  inScene(
    async ({ ntfy, home, boot, titles }) => {
      const { office } = home.ports;
      appendFileSync(home.config, `[[ports]]\nname = "office"\nport = ${office}\nrequired = true\n`);
      {
        await using _service = await boot();
        // An unfinished request: the listener closes at once, the service some seconds later.
        const client = connect(office, '127.0.0.1');
        await once(client, 'connect');
        client.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
        client.on('error', () => undefined);
        await pause(500);
      }
      await using _next = await boot();
      await pause(2 * SETTLED_MS);
      assert.equal(titles(), []);
      assert.is(ntfy.messages.length, 0);
    },
    { without: ['public'] },
  ));

test('heartbeats come while rechecks end, and a frozen service is silent', async () => {
  const beats: string[] = [];
  const server = createServer((request, response) => {
    beats.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    response.end('OK');
  });
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const place = `localhost:${port}`;
  const home = await makeHome(
    `[loop]\nmode = "poll"\nrecheck_ms = 200\n[egress]\nallow = ["${place}"]\nprivate = ["${place}"]\n
[[heartbeat]]\nname = "watcher"\nurl = "http://${place}/ping/uuid?status=up"\nevery_sec = 10\n`,
  );
  try {
    await using service = await startService(home);
    await until(() => beats.length >= 1, 'the first beat');
    await until(() => beats.length >= 2, 'the second beat');
    assert.equal(new Set(beats), new Set(['GET /ping/uuid?status=up ']));
    service.child.kill('SIGSTOP');
    await pause(500);
    const frozen = beats.length;
    await pause(11_000);
    assert.is(beats.length, frozen);
    service.child.kill('SIGCONT');
    await until(() => beats.length > frozen, 'a beat after it goes on');
    const { heartbeats } = await alertsOf(service);
    assert.equal([heartbeats[0]?.name, heartbeats[0]?.reason], ['watcher', '']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.run();
