/** Unusual requests: tunnels, upgrades, garbage, clients that disconnect; and idle connections. */
import { connect, type Socket } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SERVER_LIMITS } from '../../src/http/server.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { MY_UID, type Service, startService, TOKEN } from './service.ts';

let service: Service;
let uid = MY_UID;
test.before(async () => {
  service = await startService(new FakeDesk(), {
    server: { ...SERVER_LIMITS, lingerMs: 100 },
    peerUid: () => uid,
    serviceUid: MY_UID,
  });
});
test.after(() => service.stop());
test.before.each(() => {
  uid = MY_UID;
});

const host = (): string => `Host: 127.0.0.1:${service.port()}\r\n`;
const statuses = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.resume();
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

test('CONNECT is 405 with Allow and the common response headers', async () => {
  for (const [role, allow] of [
    ['control', 'GET, HEAD, POST, OPTIONS'],
    ['public', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const answer = await service.raw(
      'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n',
      role,
    );
    assert.equal(statuses(answer), ['405'], role);
    assert.ok(answer.includes(`\r\nAllow: ${allow}\r\n`), answer);
    assert.match(answer, 'X-Frame-Options: DENY');
    assert.match(answer, 'urn:hostess-desk:problem:method-refused');
  }
});

test('an upgrade is answered as a plain request, and the connection is closed', async () => {
  const upgrade = `${host()}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
  const next = `GET /healthz HTTP/1.1\r\n${host()}\r\n`;
  const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  for (const text of [
    `GET /healthz HTTP/1.1\r\n${upgrade}\r\n`,
    `GET /healthz HTTP/1.1\r\n${upgrade}\r\n${next}`,
    `POST /cook HTTP/1.1\r\n${upgrade}${body}`,
  ]) {
    const answer = await service.raw(text);
    assert.equal(statuses(answer), ['200']);
    assert.match(answer, /\r\nConnection: close\r\n/i);
  }
});

test('garbage after a request does not suppress its response', async () => {
  const one = `GET /healthz HTTP/1.1\r\n${host()}\r\n`;
  const post = `POST /cook HTTP/1.1\r\n${host()}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  assert.equal(statuses(await service.raw(`${one}NONSENSE\r\n\r\n`)), ['200', '400']);
  assert.equal(statuses(await service.raw(`${one}${post}NONSENSE\r\n\r\n`)), ['200', '200', '400']);
  const release = service.desk.holdSweeps();
  const slow = service.raw(`GET /status HTTP/1.1\r\n${host()}\r\nNONSENSE\r\n\r\nMORE\r\n`);
  while (service.desk.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  release();
  assert.equal(statuses(await slow), ['200', '400']);
});

test('endless garbage after a request is answered once', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  const release = service.desk.holdSweeps();
  try {
    const socket = await opened(service.port());
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.write(`GET /status HTTP/1.1\r\n${host()}\r\n`);
    while (service.desk.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    for (let at = 0; at < 40; at++) {
      socket.write('NONSENSE\r\n\r\n');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    release();
    await closed(socket);
    assert.equal(statuses(answer), ['200', '400']);
    assert.equal(warnings, []);
  } finally {
    release();
    process.off('warning', warned);
  }
});

test('garbage in a body gives one 400', async () => {
  const broken = `POST /cook HTTP/1.1\r\n${host()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnope\r\n`;
  assert.equal(statuses(await service.raw(broken)), ['400']);
});

test('a client that keeps its connection open after the last response is disconnected', async () => {
  for (const text of ['NONSENSE\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n']) {
    const socket = connect({ port: service.port(), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(text);
    // It keeps its side open: only the server can close the connection.
    await new Promise<void>((resolve) =>
      socket
        .on('error', () => undefined)
        .resume()
        .once('end', resolve),
    );
    const connections = () =>
      new Promise<number>((resolve) =>
        service.listeners.server('control')?.getConnections((_error, count) => resolve(count)),
      );
    while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
  }
});

test('a client that resets the connection before its response does not cause a warning', async () => {
  const before = service.logged.length;
  const release = service.desk.holdSweeps();
  const socket = await opened(service.port());
  socket.write(`GET /status HTTP/1.1\r\n${host()}\r\n`);
  while (service.desk.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  socket.resetAndDestroy();
  const news = () =>
    service.logged.slice(before).map((line) => JSON.parse(line) as { level: number; msg: string });
  while (!news().some(({ msg }) => msg === 'the client left'))
    await new Promise((resolve) => setTimeout(resolve, 2));
  release();
  assert.is((await service.ask('/healthz')).status, 200);
  assert.equal(
    news().filter(({ level }) => level > 30),
    [],
  );
});

test('a thousand headers do not hide one that a rule reads', async () => {
  const filler = 'a:\r\n'.repeat(1100);
  const hidden = async (head: string, body = ''): Promise<string[]> =>
    statuses(await service.raw(`${head} HTTP/1.1\r\n${filler}${host()}Connection: close\r\n${body}`));
  const json = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  assert.equal(await hidden('GET /healthz', '\r\n'), ['200']);
  for (const mark of ['X-Forwarded-For: 1.2.3.4', 'Forwarded: for=1', 'Via: x', 'X-Real-IP: 1.2.3.4'])
    assert.equal(await hidden('GET /healthz', `${mark}\r\n\r\n`), ['403'], mark);
  assert.equal(await hidden('GET /healthz', 'Origin: http://evil.example\r\n\r\n'), ['403']);
  assert.equal(await hidden('GET /healthz', 'Sec-Fetch-Site: cross-site\r\n\r\n'), ['403']);
  assert.equal(await hidden('POST /cook', `Content-Encoding: gzip\r\n${json}`), ['415']);
  assert.equal(await hidden('POST /cook', json.replace('application/json', 'text/plain')), ['415']);
  assert.equal(await hidden('POST /cook', json), ['200']);
  assert.equal(await hidden('POST /learn', json), ['401']);
  assert.equal(await hidden('POST /learn', `Authorization: Bearer ${TOKEN}\r\n${json}`), ['200']);
  assert.equal(await hidden('GET /healthz', `${host()}\r\n`), ['421']);
});

test('a user without read access may have few connections, the rest is for readers', async () => {
  const held: { socket: Socket; isOpen: boolean }[] = [];
  const hold = async () => {
    const entry = { socket: await opened(service.port()), isOpen: true };
    entry.socket.once('close', () => {
      entry.isOpen = false;
    });
    held.push(entry);
  };
  const open = () => held.filter(({ isOpen }) => isOpen).length;
  try {
    uid = MY_UID + 4711;
    for (let at = 0; at < 150; at++) await hold();
    while (open() > SERVER_LIMITS.perStranger) await new Promise((resolve) => setTimeout(resolve, 5));
    uid = MY_UID;
    assert.is((await service.ask('/healthz')).status, 200);
    for (let at = 0; at < 40; at++) await hold();
    assert.is((await service.ask('/healthz')).status, 200);
    // Another user without read access has a share too, and so has this one after a while.
    for (const asker of [MY_UID + 4712, MY_UID + 4711]) {
      uid = asker;
      let status = 0;
      while (status === 0)
        status = await service.ask('/healthz', { token: TOKEN }).then(
          (answer) => answer.status,
          () => 0,
        );
      assert.is(status, 200);
    }
  } finally {
    for (const { socket } of held) socket.destroy();
  }
});

test('the public listener does not distinguish users', async () => {
  uid = MY_UID + 4711;
  const held: Socket[] = [];
  try {
    for (let at = 0; at < 4 * SERVER_LIMITS.strangers; at++) held.push(await opened(service.port('public')));
    assert.is((await service.ask('/', { role: 'public' })).status, 200);
  } finally {
    for (const socket of held) socket.destroy();
  }
});

test.run();
