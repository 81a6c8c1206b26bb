/** Security rules 1 to 4a and 6, each as a statement about the running listeners. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Binding, checkHost } from '../../src/http/guard.ts';
import { RESPONSE_HEADERS } from '../../src/http/headers.ts';
import type { ListenerRole } from '../../src/records/state.ts';
import { urlOf } from '../../src/service/desk-facts.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { MAIL_TOKEN, MY_UID, type Service, startService, TOKEN } from './service.ts';

let service: Service;
let uid: number = MY_UID;

test.before(async () => {
  const config = loopbackConfig({
    site: { names: ['example.org', 'www.example.org'], public_url: 'https://desk.example.net/' },
  });
  service = await startService(new FakeDesk(config), { peerUid: () => uid, serviceUid: MY_UID });
});
test.after(() => service.stop());
test.before.each(() => {
  uid = MY_UID;
});

const ROLES = ['control', 'office', 'themed', 'public'] as const satisfies readonly ListenerRole[];
const LOCAL = ['control', 'office', 'themed'] as const satisfies readonly ListenerRole[];

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

test('rule 1: the valid hosts are the bound address and localhost, with the port', async () => {
  for (const role of ROLES)
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST']) {
      const answer = await service.ask('/', { role, headers: { host: `${host}:${service.port(role)}` } });
      assert.is(answer.status, 200, `${role} ${host}`);
    }
});

test('rule 1: any other host is 421', async () => {
  for (const role of ROLES) {
    const port = service.port(role);
    const others = [
      'evil.example',
      `evil.example:${port}`,
      // Those of an SSH tunnel are below.
      ...(role === 'public' ? ['127.0.0.1', 'localhost', `localhost:${port + 1}`] : []),
      'localhost:0',
      'localhost:65536',
      `localhost:0${port}`,
      'localhost:',
      'localhost:x',
      'evil.example:9999',
      '127.0.0.2:9999',
      'localhost.evil.example:9999',
      `user@localhost:${port}`,
      `localhost.:${port}`,
      `127.1:${port}`,
      `0.0.0.0:${port}`,
      `[::1]:${port}`,
      `localhost:${port},localhost:${port}`,
    ];
    for (const host of others) {
      const answer = await service.ask('/', { role, headers: { host } });
      assert.is(answer.status, 421, `${role} ${host}`);
      assert.not.match(answer.text, 'evil');
    }
  }
});

test('rule 1: through an SSH tunnel a loopback listener has any port, and the same names', async () => {
  for (const role of LOCAL)
    for (const host of ['localhost:9999', '127.0.0.1:1', 'LOCALHOST:65535', 'localhost', '127.0.0.1']) {
      const own = `http://${host.toLowerCase()}`;
      assert.is((await service.ask('/', { role, headers: { host } })).status, 200, `${role} ${host}`);
      assert.is((await service.ask('/', { role, headers: { host, origin: own } })).status, 200, host);
      // Another port of that machine is another site.
      for (const origin of [`http://127.0.0.1:${service.port(role)}`, 'http://localhost:9998', `${own}0`])
        assert.is(
          (await service.ask('/', { role, headers: { host, origin } })).status,
          403,
          `${host} ${origin}`,
        );
    }
  uid = MY_UID + 4711;
  assert.is((await service.ask('/', { headers: { host: 'localhost:9999' } })).status, 401);
});

test('rule 1: missing, empty and doubled Host, HTTP/1.0 and absolute form are 421', async () => {
  const host = `127.0.0.1:${service.port()}`;
  const requests = [
    'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n',
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    'GET /healthz HTTP/1.0\r\n\r\n',
    `GET http://${host}/healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    `GET http://evil.example/healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  ];
  for (const text of requests) assert.is(statusOf(await service.raw(text)), 421, text);
  assert.is(statusOf(await service.raw(`GET /healthz HTTP/1.0\r\nHost: ${host}\r\n\r\n`)), 200);
});

test('rule 1: only the public listener also accepts the names of the site', async () => {
  for (const host of ['example.org', 'www.example.org', 'desk.example.net']) {
    assert.is((await service.ask('/', { role: 'public', headers: { host } })).status, 200, host);
    for (const role of LOCAL)
      assert.is((await service.ask('/', { role, headers: { host } })).status, 421, host);
  }
});

test('rule 1: an in-process request uses the address that is shown to users', () => {
  for (const [host, address] of [
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['::1', '::1'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
  ] as const)
    for (const port of [80, 18_770]) {
      const binding: Binding = { role: 'public', host, address, port, names: [] };
      const check = (asked: string) =>
        checkHost({ rawHeaders: ['Host', asked], url: '/', method: 'GET', socket: {} } as never, binding);
      const asked = new URL(urlOf(host, port)).host;
      assert.is(check(asked), asked, `${host} ${port}`);
      for (const other of ['0.0.0.0', '[::]', '::1'])
        assert.throws(() => check(port === 80 ? other : `${other}:${port}`), /Host/);
    }
});

test('rule 1: on a wildcard listener the host is the address the request was sent to, never the wildcard', () => {
  const binding: Binding = { role: 'public', host: 'every.example', address: '::', port: 18_770, names: [] };
  const check = (asked: string) => () =>
    checkHost(
      {
        rawHeaders: ['Host', asked],
        url: '/',
        method: 'GET',
        socket: { localAddress: '::ffff:192.0.2.7' },
      } as never,
      binding,
    );
  assert.not.throws(check('192.0.2.7:18770'));
  assert.not.throws(check('localhost:18770'));
  for (const asked of ['192.0.2.8:18770', '[::]:18770', '0.0.0.0:18770']) assert.throws(check(asked), /Host/);
});

test('rule 2: proxy headers are 403 on every listener except the public one', async () => {
  const marks = [
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Anything',
    'Via',
    'X-Real-IP',
  ];
  for (const mark of marks) {
    for (const role of LOCAL)
      assert.is((await service.ask('/', { role, headers: { [mark]: '' } })).status, 403, mark);
    assert.is((await service.ask('/', { role: 'public', headers: { [mark]: 'for=1' } })).status, 200, mark);
  }
});

test('rule 3: Origin must be exactly our own', async () => {
  for (const role of ROLES) {
    const own = `http://127.0.0.1:${service.port(role)}`;
    assert.is((await service.ask('/', { role, headers: { origin: own } })).status, 200);
    for (const origin of [
      'null',
      '',
      'http://evil.example',
      `${own}/`,
      `${own}.evil.example`,
      own.replace('http', 'https'),
      `${own}, ${own}`,
      `http://localhost:${service.port(role)}`,
    ]) {
      const expected =
        role === 'public' && origin.startsWith('https://127') && !origin.includes('evil') ? 200 : 403;
      assert.is(
        (await service.ask('/', { role, headers: { origin } })).status,
        expected,
        `${role} ${origin}`,
      );
    }
  }
});

test('rule 3: Sec-Fetch-Site is absent, same-origin, or a top-level navigation', async () => {
  const ask = (headers: Record<string, string>, method = 'GET') =>
    service.ask('/status', { method, headers });
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  assert.is((await ask({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).status, 200);
  for (const site of ['none', 'same-site', 'cross-site']) {
    assert.is((await ask({ 'sec-fetch-site': site, ...navigation })).status, 200, site);
    assert.is((await ask({ 'sec-fetch-site': site })).status, 403, site);
    assert.is(
      (await ask({ 'sec-fetch-site': site, ...navigation, 'sec-fetch-dest': 'iframe' })).status,
      403,
      site,
    );
    assert.is(
      (await ask({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).status,
      403,
      site,
    );
    assert.is((await ask({ 'sec-fetch-site': site, ...navigation }, 'HEAD')).status, 403, site);
    const post = await service.post(
      '/scar/check',
      {},
      { headers: { 'sec-fetch-site': site, ...navigation } },
    );
    assert.is(post.status, 403, site);
  }
  assert.is((await ask({ 'sec-fetch-site': 'unheard-of', ...navigation })).status, 403);
});

test('rule 3: no response has a CORS header, not even to a preflight', async () => {
  const answers = [
    await service.ask('/status', { headers: { origin: 'http://evil.example' } }),
    await service.ask('/cook', {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    }),
    await service.ask('/cook', { method: 'OPTIONS' }),
  ];
  for (const { headers } of answers)
    assert.equal(
      Object.keys(headers).filter((name) => name.startsWith('access-control-')),
      [],
    );
  assert.equal(
    answers.map(({ status }) => status),
    [403, 403, 204],
  );
});

test('rule 4: operations that change something need the control token', async () => {
  const operations = [
    ['/cook', { mode: 'cook' }],
    ['/av/close', {}],
    ['/av/close', { mode: 'check' }],
    ['/field/clear', { mode: 'soft' }],
    ['/quarantine/restore', { id: '00112233aabbccdd' }],
    ['/quarantine/purge', { older_than_sec: 60 }],
    ['/learn', {}],
    ['/learn', { window_min: 30 }],
    ['/baseline/restore', { generation: 1 }],
    ['/baseline/review', {}],
    ['/accept', { finding: '00112233aabbccdd', accepts: '0011223344aa', why: 'known' }],
    ['/session/code', {}],
    ['/tokens/make', { name: 'laptop' }],
    ['/tokens/revoke', { token: 'laptop' }],
  ] as const;
  const before = service.desk.calls.length;
  for (const [path, body] of operations)
    for (const token of [undefined, '', 'wrong', `${TOKEN}x`, TOKEN.slice(1), MAIL_TOKEN]) {
      const answer = await service.post(path, body, token === undefined ? {} : { token });
      assert.is(answer.status, 401, `${path} ${token}`);
      assert.match(answer.headers['www-authenticate'] ?? '', 'Bearer');
    }
  assert.is(service.desk.calls.length, before);
  for (const [path, body] of operations)
    assert.is.not((await service.post(path, body, { token: TOKEN })).status, 401, path);
  assert.equal(service.desk.calls.slice(before), [
    'cook cook',
    'avClose',
    'avClose check',
    'fieldClear soft',
    'restore 00112233aabbccdd',
    'purge {"olderThanSec":60}',
    'learn',
    'learn 30',
    'restore 1',
    'reviewed',
    'accept 00112233aabbccdd 0011223344aa known for ever',
  ]);
});

test('rule 4: operations that change nothing need no token', async () => {
  for (const [path, body] of [
    ['/cook', { mode: 'check' }],
    ['/cook', {}],
    ['/scar/check', {}],
    ['/h7/think', { message: 'hello' }],
    ['/hostess7/think', { message: 'hello' }],
    ['/h7/consult', { message: 'hello' }],
  ] as const)
    assert.is((await service.post(path, body)).status, 200, path);
});

test('rule 4: consult with a remote assistant needs the token, with one on loopback it does not', async () => {
  for (const [base_url, status] of [
    ['https://assistant.example/v1', 401],
    ['http://127.0.0.1:11434', 200],
    ['http://[::1]:11434', 200],
    ['http://127.0.0.1.evil.example', 401],
  ] as const) {
    const other = await startService(new FakeDesk(loopbackConfig({ assistant: { base_url } })));
    try {
      assert.is(
        (await other.post('/h7/consult', { message: 'hello', with_assistant: true })).status,
        status,
        base_url,
      );
      assert.is(
        (await other.post('/h7/consult', { message: 'hello', with_assistant: false })).status,
        200,
        base_url,
      );
    } finally {
      await other.stop();
    }
  }
});

test('rule 4a: another user without the token is 401 on every local listener', async () => {
  uid = MY_UID + 4711;
  for (const role of LOCAL) {
    assert.is((await service.ask('/', { role })).status, 401, role);
    assert.is((await service.ask('/nothing-here', { role })).status, 401, role);
    assert.is((await service.ask('/', { role, token: TOKEN })).status, 200, role);
    assert.is((await service.ask('/', { role, token: MAIL_TOKEN })).status, 401, role);
  }
  assert.is((await service.ask('/', { role: 'public' })).status, 200);
});

test('rule 4a: the other processes of the desk are refused, even with the token', async () => {
  uid = MY_UID + 4713;
  const helper = uid;
  const guarded = await startService(new FakeDesk(), {
    peerUid: () => uid,
    isHelper: (one) => one === helper,
  });
  try {
    for (const role of LOCAL) assert.is((await guarded.ask('/', { role, token: TOKEN })).status, 401, role);
    uid = MY_UID + 4714;
    assert.is((await guarded.ask('/status', { token: TOKEN })).status, 200);
  } finally {
    await guarded.stop();
  }
});

test('rule 4a: root may read, and a peer whose uid the kernel does not report may not', async () => {
  uid = 0;
  assert.is((await service.ask('/status')).status, 200);
  const blind = await startService(new FakeDesk(), {
    peerUid: () => ({ errno: 1, code: 'EPERM', source: 'sock_diag tcp4' }),
  });
  try {
    assert.is((await blind.ask('/status')).status, 401);
    assert.is((await blind.ask('/status', { token: TOKEN })).status, 200);
  } finally {
    await blind.stop();
  }
});

test('rule 4a: the peer is looked up once per connection, with the addresses of both ends', async () => {
  const asked: unknown[][] = [];
  const counted = await startService(new FakeDesk(), {
    peerUid: (...ends) => {
      asked.push(ends.map((end) => (typeof end === 'number' ? 'port' : [...end])));
      return MY_UID;
    },
  });
  try {
    const host = `Host: 127.0.0.1:${counted.port()}\r\n`;
    const twice = `GET /healthz HTTP/1.1\r\n${host}\r\nGET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
    assert.is((await counted.raw(twice)).match(/HTTP\/1\.1 200/g)?.length, 2);
    assert.equal(asked, [[[127, 0, 0, 1], 'port', [127, 0, 0, 1], 'port']]);
  } finally {
    await counted.stop();
  }
});

test('rule 6: every response has the security headers, also errors and malformed requests', async () => {
  const host = `Host: 127.0.0.1:${service.port()}\r\n`;
  const answers = [
    await service.ask('/status'),
    await service.ask('/nothing-here'),
    await service.ask('/cook'),
    await service.ask('/cook', { method: 'OPTIONS' }),
    await service.ask('/status', { method: 'HEAD' }),
    await service.ask('/status', { headers: { host: 'evil.example' } }),
    await service.ask('/', { role: 'public' }),
    await service.ask('/', { role: 'office' }),
  ].map(({ headers }) => headers);
  const rawAnswers = [
    await service.raw('NONSENSE\r\n\r\n'),
    await service.raw(`GET / HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(9000)}\r\n\r\n`),
    await service.raw(`GET /healthz HTTP/1.1\r\n${host}Expect: miracles\r\nConnection: close\r\n\r\n`),
    await service.raw(
      `POST /cook HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ),
  ];
  assert.equal(rawAnswers.map(statusOf), [400, 431, 417, 400]);
  for (const [name, value] of Object.entries(RESPONSE_HEADERS)) {
    for (const headers of answers) {
      const held = headers[name.toLowerCase()] ?? '';
      if (name === 'Content-Security-Policy') assert.match(held, "default-src 'none'");
      else assert.is(held, value, name);
    }
    for (const answer of rawAnswers) assert.ok(answer.includes(`${name}: ${value}\r\n`), name);
  }
  for (const answer of rawAnswers) assert.match(answer, 'application/problem+json');
});

test.run();
