/** The remote listener: who is answered, with what, and what ends when a token does. */
import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnyOperation } from '../../src/desk/operation.ts';
import { OPERATIONS } from '../../src/features/table.ts';
import { REMOTE_OPERATIONS } from '../../src/http/remote-app.ts';
import { REMOTE_LIMITS } from '../../src/http/server.ts';
import { WRONG_TOKENS } from '../../src/http/wrong-tokens.ts';
import { exchange } from '../support/exchange.ts';
import { FakeDesk, loopbackConfig, personFrom } from '../support/fake-desk.ts';
import { attack, hostileVectors } from '../support/remote-vectors.ts';
import { findingFrom } from '../support/state.ts';
import { until } from '../support/until.ts';
import { graphOf } from './import-graph.ts';
import { MAIL_TOKEN, type Service, startService, TOKEN } from './service.ts';

const HOUR = 3_600_000;

type Remote = Readonly<Record<string, unknown>>;

/** Requests follow each other faster here than those of people. */
const often = { burst: 100_000, perSecond: 100_000 };
const FAST = { visitorRate: often, allVisitorsRate: often };

async function serving(
  remote: Remote,
  work: (service: Service, token: string) => Promise<void>,
  desk = new FakeDesk(loopbackConfig({ listen: { remote: { enabled: true, ...remote } } })),
): Promise<void> {
  const { token } = desk.remote.tokens.make('test', HOUR);
  desk.sweep();
  const service = await startService(desk, { remoteLimits: { ...REMOTE_LIMITS, ...FAST } });
  try {
    await work(service, token);
  } finally {
    await service.stop();
    await desk.remote.close();
  }
}

const hostOf = (service: Service): string => `127.0.0.1:${service.port('remote')}`;

/** A connection that asks for events and stays. */
async function stream(service: Service, token: string) {
  const seen = { text: '', closed: false };
  const socket: TLSSocket = connect(
    { host: '127.0.0.1', port: service.port('remote'), rejectUnauthorized: false },
    () =>
      socket.write(
        `GET /events HTTP/1.1\r\nHost: ${hostOf(service)}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      ),
  );
  socket.on('data', (chunk) => {
    seen.text += chunk;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    seen.closed = true;
  });
  await until(() => seen.text.includes('event: snapshot') || seen.closed, 'the stream');
  return seen;
}

test('hostile requests reach no operation and nothing of a person', () =>
  serving({}, async (service, token) => {
    service.desk.ledger.set(
      'canary@example.org',
      personFrom({ address: 'canary@example.org', name: 'Canary' }),
    );
    const before = service.desk.calls.length;
    const vectors = hostileVectors(hostOf(service), {
      remote: token,
      control: TOKEN,
      mail: MAIL_TOKEN,
      made: `desk_${'A'.repeat(43)}`,
    });

    const { outcomes, bodies } = await attack(
      { host: '127.0.0.1', port: service.port('remote'), secure: true },
      vectors,
    );
    assert.ok(outcomes.length > 300);
    assert.equal(
      outcomes.filter(({ right }) => !right),
      [],
    );
    assert.equal(service.desk.calls.slice(before), []);
    assert.not.match(bodies, /canary/i);
    assert.ok(outcomes.some(({ status }) => status === 429));
    // Whatever came from this address, a right token is answered.
    assert.is((await service.ask('/view.json', { role: 'remote', token })).status, 200);
  }));

test('only TLS 1.2 and later, and nothing in clear text', () =>
  serving({}, async (service) => {
    const port = service.port('remote');
    assert.is(
      await exchange(
        { host: '127.0.0.1', port, secure: false },
        `GET / HTTP/1.1\r\nHost: ${hostOf(service)}\r\n\r\n`,
      ),
      '',
    );
    const versions = await Promise.all(
      (['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const).map(
        (version) =>
          new Promise<string>((resolve) => {
            const socket = connect(
              {
                host: '127.0.0.1',
                port,
                rejectUnauthorized: false,
                minVersion: version,
                maxVersion: version,
                ciphers: 'DEFAULT@SECLEVEL=0',
              },
              () => {
                resolve(socket.getProtocol() ?? '');
                socket.destroy();
              },
            );
            socket.on('error', () => resolve('refused'));
          }),
      ),
    );
    assert.equal(versions, ['refused', 'TLSv1.2', 'TLSv1.3']);
  }));

test('the certificate is the own one, and its fingerprint is logged', () =>
  serving({}, async (service) => {
    const shown = await new Promise<string>((resolve, reject) => {
      const socket = connect(
        { host: '127.0.0.1', port: service.port('remote'), rejectUnauthorized: false },
        () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.destroy();
        },
      );
      socket.on('error', reject);
    });
    assert.match(shown, /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    assert.ok(service.logged.some((line) => line.includes('"role":"remote"') && line.includes(shown)));
    const made = (await service.post('/tokens/make', { name: 'other' }, { token: TOKEN })).json() as {
      listener: { fingerprint: string };
    };
    assert.is(made.listener.fingerprint, shown);
  }));

test('a revoked token ends its event streams and idle connections, and not those of others', () =>
  serving({}, async (service, token) => {
    const other = service.desk.remote.tokens.make('other', HOUR).token;
    const [mine, kept] = [await stream(service, token), await stream(service, other)];
    const revoked = await service.post('/tokens/revoke', { token: 'test' }, { token: TOKEN });
    assert.is(revoked.status, 200);
    await until(() => mine.closed, 'the stream');
    assert.is((await service.ask('/view.json', { role: 'remote', token })).status, 401);
    service.desk.sweep();
    assert.is(kept.closed, false);
    assert.is((await service.ask('/view.json', { role: 'remote', token: other })).status, 200);
  }));

test('an expired token is refused, and what it had open ends by itself', () =>
  serving({}, async (service) => {
    const short = service.desk.remote.tokens.make('short', 15_000).token;
    const seen = await stream(service, short);
    assert.match(seen.text, 'event: snapshot');
    await until(() => seen.closed, 'the stream');
    assert.is((await service.ask('/view.json', { role: 'remote', token: short })).status, 401);
  }));

test('events show what other machines may see, and no more', () =>
  serving({}, async (service, token) => {
    const seen = await stream(service, token);
    const about = findingFrom({
      summary: 'canary in a summary',
      evidence: { command: 'canary --evidence' },
      remedy: 'canary',
    });
    service.desk.parts = { findings: [about] };
    service.desk.sweep();
    service.desk.events.emit('finding', about, 'open');
    await until(() => seen.text.includes('event: finding'), 'the stream');
    assert.not.match(seen.text, 'canary');
    // The id is a digest of what the finding is about, which a guess could be compared with.
    const shown = service.desk.remote.ids.shown(about.id);
    const view = (await service.ask('/view.json', { role: 'remote', token })).text;
    for (const text of [seen.text, view]) {
      assert.match(text, `"id":"${shown}"`);
      assert.not.match(text, about.id);
    }
  }));

test('wrong tokens are limited by address, with Retry-After, and logged together', () =>
  serving({}, async (service, token) => {
    const ask = (text: string) => service.ask('/view.json', { role: 'remote', token: text });
    const answers = [];
    for (let count = 0; count < WRONG_TOKENS.burst + 5; count += 1) answers.push(await ask('desk_wrong'));
    assert.equal(
      answers.slice(0, WRONG_TOKENS.burst).map(({ status }) => status),
      Array(WRONG_TOKENS.burst).fill(401),
    );
    const last = answers.at(-1);
    assert.is(last?.status, 429);
    assert.ok(Number(last?.headers['retry-after']) >= 1);
    assert.ok(answers.every(({ headers }) => headers.connection === 'close'));
    assert.is((await ask(token)).status, 200);
    assert.is(service.logged.filter((line) => line.includes('wrong tokens')).length, 1);
    assert.ok(!service.logged.some((line) => line.includes('desk_wrong') || line.includes(token)));
  }));

test('behind a trusted proxy: plain HTTP is answered, clients are counted by X-Forwarded-For', () =>
  serving({ tls: false, trusted_proxies: ['127.0.0.1'], names: ['desk.example'] }, async (service, token) => {
    const ask = (text: string, from: string, more = {}) =>
      service.ask('/view.json', {
        role: 'remote',
        token: text,
        headers: { host: 'desk.example', 'x-forwarded-for': from, ...more },
      });
    assert.is((await ask(token, '203.0.113.7')).status, 200);
    assert.is((await ask(token, '203.0.113.7', { origin: 'https://desk.example' })).status, 200);
    assert.is((await ask(token, '203.0.113.7', { origin: 'http://desk.example' })).status, 403);
    assert.is((await ask(token, '203.0.113.7', { 'x-forwarded-host': 'evil.example' })).status, 200);
    // The name that a proxy says it was asked for is not the Host.
    assert.is(
      (await ask(token, '203.0.113.7', { host: 'evil.example', 'x-forwarded-host': 'desk.example' })).status,
      421,
    );
    for (let count = 0; count < WRONG_TOKENS.burst; count += 1)
      await ask('wrong', '198.51.100.1, 203.0.113.7');
    assert.is((await ask('wrong', '203.0.113.7')).status, 429);
    // What a client writes before its own address does not make it another one.
    assert.is((await ask('wrong', '192.0.2.200, 203.0.113.7')).status, 429);
    assert.is((await ask('wrong', '203.0.113.8')).status, 401);
    assert.is((await ask('wrong', '203.0.113.7, 127.0.0.1')).status, 429);
    // A network of IPv6 is one client.
    for (let count = 0; count < WRONG_TOKENS.burst; count += 1)
      await ask('wrong', `[2001:db8::${count + 1}]:443`);
    assert.is((await ask('wrong', '2001:db8::ffff')).status, 429);
    assert.is((await ask(token, '203.0.113.7')).status, 200);
  }));

test('without TLS only a trusted proxy is answered', () =>
  serving({ tls: false, trusted_proxies: ['192.0.2.1'] }, async (service, token) => {
    for (const path of ['/', '/view.json', '/assets/style.css']) {
      const answer = await service.ask(path, { role: 'remote', token });
      assert.is(answer.status, 403, path);
      assert.match(answer.text, 'trusted_proxies');
    }
  }));

test('a name is valid as it is and with the port of the listener; one with a port only so', () =>
  serving({ names: ['Desk.example', 'other.example:8443', '[2001:db8::1]'] }, async (service, token) => {
    const port = service.port('remote');
    const status = async (host: string) =>
      (await service.ask('/view.json', { role: 'remote', token, headers: { host } })).status;
    for (const host of [
      'desk.example',
      `DESK.example:${port}`,
      'other.example:8443',
      '[2001:db8::1]',
      `[2001:db8::1]:${port}`,
    ])
      assert.is(await status(host), 200, host);
    for (const host of ['desk.example:1', 'other.example', `other.example:${port}`, '[2001:db8::2]'])
      assert.is(await status(host), 421, host);
  }));

test('no token of another listener opens the remote one, and its token opens no other', () =>
  serving({}, async (service, token) => {
    for (const wrong of [TOKEN, MAIL_TOKEN])
      assert.is((await service.ask('/view.json', { role: 'remote', token: wrong })).status, 401);
    for (const path of ['/learn', '/session/code', '/tokens/make'])
      assert.is((await service.post(path, {}, { token })).status, 401, path);
    for (const role of ['control', 'public'] as const)
      assert.is((await service.ask('/email/api/people', { role, token })).status, 401, role);
  }));

test('a broken pair of files leaves the listener down, with what is wrong and what to do', () =>
  serving({ certificate: '/nonexistent/desk.crt', key: '/nonexistent/desk.key' }, async (service) => {
    const { state, reason } = service.desk.listener('remote');
    assert.is(state, 'failed');
    assert.match(reason, /\[listen\.remote\] certificate does not exist; put it at \/nonexistent\/desk\.crt/);
    assert.is((await service.ask('/status')).status, 200);
  }));

test('the widget is the same on control and office', () =>
  serving({}, async (service, token) => {
    service.desk.keepsState = true;
    service.desk.sweep();
    const of = async (role: 'control' | 'office' | 'remote') => {
      const answer = await service.ask('/widget.json', { role, ...(role === 'remote' && { token }) });
      return { ...(answer.json() as object), age_sec: 0 };
    };
    assert.equal(await of('control'), await of('office'));
    assert.equal(await of('control'), await of('remote'));
    for (const value of Object.values(await of('remote'))) assert.is.not(typeof value, 'object');
  }));

const idsOf = (list: readonly AnyOperation<never>[]) =>
  list.filter(({ roles }) => roles.includes('remote')).map(({ id }) => id);

test('the remote listener serves only reading operations that name it', () => {
  assert.equal(idsOf(REMOTE_OPERATIONS), idsOf(OPERATIONS));
  assert.is(REMOTE_OPERATIONS.length, idsOf(REMOTE_OPERATIONS).length);
  assert.ok(REMOTE_OPERATIONS.every(({ method, token }) => method === 'GET' && token === undefined));
});

const CONTROL_CODE =
  /\.(cook|avClose|fieldClear|learn|reviewed|setListener|issueCode|forget|export|revoke|configRefused|reloadLaw)\(|\bdesk\.(?:use|find)\(/;

test('the application of the remote listener imports no control code', () => {
  const files = [...graphOf(new URL('../../src/http/remote-app.ts', import.meta.url))];
  const own =
    /\/src\/(?:desk\/(?:context|input|operation|people|token)|operations\/(?:public-pages|remote)|features\/remote-only)\.ts$/;
  for (const file of files) {
    assert.ok(own.test(file) || !/\/src\/(?:desk|operations|features)\//.test(file), file);
    assert.not.match(
      file,
      /\/src\/(?:service|store|state-folder|privileges|cli|egress|base\/http-exchange\.)/,
      file,
    );
    if (/\/operations\/public-pages\.ts$|\/http\/tokens\.ts$/.test(file)) continue;
    assert.not.match(readFileSync(new URL(file), 'utf8'), CONTROL_CODE, file);
  }
});

test.run();
