/** Ports of the running service: bound, taken, forbidden, required, banned, and free after it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { freePorts } from '../support/free-ports.ts';
import { needs, ordinaryUser, portTaken } from '../support/require.ts';
import { gradeIfWell, isHidden, makeHome, startService, statusWith } from './running.ts';

const test = suite('ports');

test('SIGTERM ends the service with its streams and connections, and frees the ports', async () => {
  const service = await startService(await makeHome());
  const { ports } = service.home;
  const stream = createConnection(ports.control, '127.0.0.1');
  const idle = createConnection(ports.office, '127.0.0.1');
  stream.on('error', () => {});
  idle.on('error', () => {});
  stream.write(
    `GET /h7/live HTTP/1.1\r\nHost: 127.0.0.1:${ports.control}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  await once(stream, 'data');
  const code = await Promise.race([
    service.stop(),
    new Promise((resolve) => setTimeout(resolve, 10_000, 'still running after 10 s').unref()),
  ]);
  assert.is(code, 0, service.output.stderr);
  assert.equal([ports.control, ports.office, ports.public].filter(portTaken), []);
  stream.destroy();
  idle.destroy();
  await service[Symbol.asyncDispose]();
});

test('an office port that another program holds is reported, and the service runs', async () => {
  const home = await makeHome();
  const holder = createServer().listen(home.ports.office, '127.0.0.1');
  await once(holder, 'listening');
  try {
    await using service = await startService(home);
    const status = await statusWith(service, ({ ports_up, ports_n }) => ports_up === ports_n);
    assert.match(status.hostess_charge.improvements, new RegExp(`${home.ports.office}`));
    assert.not.match(status.issues.join(' '), new RegExp(`${home.ports.office}`));
    assert.match((await service.get('/readyz')).text, /listener\.office/);
    assert.match(service.output.stdout, new RegExp(`office.*${home.ports.office}`));
  } finally {
    await once(holder.close(), 'close');
  }
});

needs(
  'root',
  'privileged ports',
  'port 80 free',
  'tree readable by others',
)(test, 'a user who may not bind port 80 finds the reason and the remedy in the record', async () => {
  const office = '[listen.office]\nport = 80\n';
  const home = await makeHome(office, { without: ['office'], uid: ordinaryUser.uid });
  await using service = await startService(home, { user: ordinaryUser });
  const status = await statusWith(service, ({ ports_up }) => ports_up === 2);
  assert.is(status.ok, false);
  const message = status.issues.filter((message: string) => /\b80\b/.test(message)).join(' ');
  assert.match(message, /EACCES|permission|root|CAP_NET_BIND_SERVICE/i);
  assert.match(message, /CAP_NET_BIND_SERVICE|\[listen\.office\]|root/, 'with its remedy');
  assert.ok(await service.alive());
});

needs('port 80 free')(
  test,
  "the interface's sample: three of seven ports up, the required web server on port 80 down",
  async () => {
    const [extra = 0, ...down] = await freePorts(4);
    const other = createServer().listen(extra, '127.0.0.1');
    await once(other, 'listening');
    const home = await makeHome();
    const desk = {
      web: 80,
      control: home.ports.control,
      public: home.ports.public,
      extra,
      one: down[0],
      two: down[1],
      three: down[2],
    };
    const ports = Object.entries(desk).map(
      ([name, port]) => `[[ports]]\nname = "${name}"\nport = ${port}\nrequired = ${name === 'web'}\n`,
    );
    const { ports: listen } = home;
    writeFileSync(
      home.config,
      `[listen.control]\nport = ${listen.control}\n[listen.public]\nport = ${listen.public}\n[listen.office]\nenabled = false\n${ports.join('')}`,
    );
    try {
      await using service = await startService(home);
      const json = await statusWith(service, ({ ports_up }) => ports_up === 3);
      const scars = JSON.stringify((await service.get('/scar')).json.c);
      assert.equal(
        [json.ports_up, json.ports_n, json.ok, json.grade],
        [3, 7, false, gradeIfWell(json.issues)],
        scars,
      );
      const issues = json.issues.filter((message: string) => !isHidden(message));
      assert.is(issues.length, 1);
      assert.match(issues[0], /\bport 80\b/);
      const charge = json.hostess_charge;
      assert.is(charge.ok, !json.issues.some(isHidden));
      expect(charge.issues.filter((message: string) => !isHidden(message))).equals([]);
      assert.is(json.scar_count, 0);
    } finally {
      await once(other.close(), 'close');
    }
  },
);

needs('port 8766 free')(
  test,
  'a listener on port 8766 is reported as the virus until it is gone',
  async () => {
    await using service = await startService(await makeHome('[banned]\nshut_down = "never"\n'), {}, [
      '--no-loop',
    ]);
    const virus = async () => (await service.get('/av')).json.datacenter_port_8766;
    const quiet = await virus();
    assert.equal([quiet.up, quiet.is_virus, quiet.status], [false, true, 'inactive']);
    const server = createServer().listen(8766, '127.0.0.1');
    await once(server, 'listening');
    // A child holds it, so that the test itself is never the one that is signalled.
    const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
    const holder = spawn('cat', [], { stdio: ['pipe', 'ignore', 'inherit', fd] });
    try {
      await once(holder, 'spawn');
      await once(server.close(), 'close');
      const loud = await virus();
      assert.equal([loud.up, loud.is_virus, loud.status], [true, true, 'active']);
      const status = (await service.get('/status')).json;
      assert.equal([status.ok, status.grade], [false, 'lead']);
      assert.match(status.issues.join(' '), /8766/);
      const found = (await service.get('/detection')).json.findings;
      assert.ok(found.some((finding: { check: string }) => finding.check === 'banned-listener'));
    } finally {
      holder.stdin?.end();
      await once(holder, 'exit');
    }
    assert.is((await virus()).up, false);
    const { grade, issues } = (await service.get('/status')).json;
    assert.is(grade, gradeIfWell(issues));
  },
);

test.run();
