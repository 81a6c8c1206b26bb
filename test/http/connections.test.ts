/** Limits of connections (security rule 8): shares, pipelines, unread responses, and what is released when they end. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Connections, type Origin } from '../../src/http/connections.ts';
import { peerName } from '../../src/http/peer.ts';
import { ReadTurns } from '../../src/http/read-turns.ts';
import { SERVER_LIMITS } from '../../src/http/server.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { stateFrom } from '../support/state.ts';
import { until } from '../support/until.ts';
import { type Service, startService, TOKEN } from './service.ts';

/** Two users with read access, and one without. */
const READER = 4242;
const ROOT = 0;
const STRANGER = 4711;
let uid = READER;
let service: Service;

test.before.each(async () => {
  uid = READER;
  service = await startService(undefined, { peerUid: () => uid, serviceUid: READER });
});

test.after.each(() => service.stop());

const request = (path: string, port: number, count = 1, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}\r\n`.repeat(count);

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Everything a socket receives, and whether it is closed. */
function watched(socket: Socket) {
  const seen = { text: '', closed: false };
  socket.on('data', (chunk) => {
    seen.text += chunk;
  });
  socket.on('close', () => {
    seen.closed = true;
  });
  return seen;
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);

test('requests of a closed connection are released, and nothing waits for their responses', async () => {
  await service.stop();
  // A reload that waits for any of the requests would take a minute.
  service = await startService(undefined, { drainMs: 60_000 });
  const { desk } = service;
  const release: (() => void)[] = [];
  desk.state = () => new Promise((resolve) => release.push(() => resolve(stateFrom())));
  const port = service.port();
  for (let at = 0; at < 4; at++) {
    const socket = await opened(port);
    socket.write(request('/status', port, SERVER_LIMITS.unanswered));
    await until(() => release.length === (at + 1) * SERVER_LIMITS.unanswered, 'every request arrived');
    socket.destroy();
    await once(socket, 'close');
  }
  await sleep(20);
  const { retired } = await service.listeners.apply(new FakeDesk(desk.config));
  const outcome = await Promise.race([retired.then(() => 'retired'), sleep(2_000, 'still waits')]);
  assert.is(outcome, 'retired');
  for (const answer of release) answer();
  await sleep(20);
  assert.is((await service.ask('/healthz')).status, 200);
  assert.equal(
    service.logged.filter((line) => /"level":(50|60)/.test(line)),
    [],
  );
});

test('errors of requests whose connection closed have no stack trace; other errors keep theirs', async () => {
  const { desk } = service;
  let waiting = 0;
  desk.state = () => {
    waiting += 1;
    return new Promise(() => undefined);
  };
  const port = service.port();
  let frames = 0;
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (error, sites) => {
    if (error.message === 'aborted') frames += sites.length;
    return String(error);
  };
  try {
    const socket = await opened(port);
    socket.write(request('/status', port, 4));
    await until(() => waiting === 4, 'the requests arrived');
    socket.destroy();
    await once(socket, 'close');
    await sleep(50);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
  assert.is(frames, 0);
  assert.match(new Error('other').stack ?? '', /connections\.test/);
});

test('connections that open together are all served, and a stop waits for their requests', async () => {
  await service.stop();
  service = await startService(undefined, { drainMs: 10_000 });
  const port = service.port();
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
  const seen = sockets.map((socket) => watched(socket));
  for (const socket of sockets) socket.on('error', () => undefined).write(request('/healthz', port));
  await until(() => seen.every(({ text }) => statuses(text)[0] === '200'), 'every one is answered');
  const answers: (() => void)[] = [];
  service.desk.state = () => new Promise((resolve) => answers.push(() => resolve(stateFrom())));
  const asking = sockets.slice(50, 60);
  for (const socket of asking) socket.write(request('/status', port));
  await until(() => answers.length === asking.length, 'the requests arrived');
  let stopped = false;
  const stop = service.stop().then(() => {
    stopped = true;
  });
  await until(() => seen.filter(({ closed }) => closed).length === 90, 'the idle ones are closed');
  assert.not(stopped);
  for (const answer of answers) answer();
  await stop;
  for (const { text } of seen.slice(50, 60)) assert.equal(statuses(text), ['200', '200']);
});

test('a client with too many unanswered requests is disconnected, the others are answered', async () => {
  const { desk } = service;
  let waiting = 0;
  desk.state = () => {
    waiting += 1;
    return new Promise(() => undefined);
  };
  const port = service.port();
  const socket = await opened(port);
  const seen = watched(socket);
  socket.write(request('/status', port, 1_400));
  await until(() => seen.closed, 'the connection is closed');
  assert.is(waiting, SERVER_LIMITS.unanswered);
  assert.is((await service.ask('/healthz')).status, 200);
});

test('pipelined requests are answered in order, up to the limit', async () => {
  const port = service.port();
  const socket = await opened(port);
  const seen = watched(socket);
  const count = SERVER_LIMITS.unanswered;
  socket.write(request('/healthz', port, count - 1) + request('/healthz', port, 1, 'Connection: close\r\n'));
  await until(() => seen.closed, 'the connection is closed');
  assert.equal(statuses(seen.text), Array(count).fill('200'));
});

test('a caller without read access gets one response per connection', async () => {
  uid = STRANGER;
  const port = service.port();
  for (const [more, status] of [
    ['', '401'],
    [`Authorization: Bearer ${TOKEN}\r\n`, '200'],
  ] as const) {
    const socket = await opened(port);
    const seen = watched(socket);
    socket.write(request('/healthz', port, 50, more));
    await until(() => seen.closed, 'the connection is closed');
    assert.equal(statuses(seen.text), [status]);
    assert.match(seen.text, /^Connection: close\r$/m);
  }
});

test('with 200 idle connections of one user, every listener still answers him and others', async () => {
  for (const role of ['control', 'office', 'themed', 'public'] as const) {
    const port = service.port(role);
    const path = role === 'control' ? '/healthz' : '/';
    uid = READER;
    const held = await Promise.all(Array.from({ length: 200 }, () => opened(port)));
    for (const asker of [READER, ROOT, STRANGER]) {
      uid = asker;
      const answer = await service.ask(path, { role, token: TOKEN });
      assert.is(answer.status, 200, `${role}, uid ${asker}`);
    }
    for (const socket of held) socket.destroy();
  }
});

test('a caller with a full share loses the connection that was idle longest, not the oldest one', async () => {
  await service.stop();
  service = await startService(undefined, { server: { ...SERVER_LIMITS, perCaller: 2 } });
  const port = service.port();
  const first = await opened(port);
  const second = await opened(port);
  const [seenFirst, seenSecond] = [watched(first), watched(second)];
  await sleep(20);
  first.write(request('/healthz', port, 1));
  await until(() => statuses(seenFirst.text).length === 1, 'an answer');
  const third = await opened(port);
  await until(() => seenSecond.closed, 'the other one is closed');
  assert.not(seenFirst.closed);
  for (const socket of [first, third]) socket.destroy();
});

test('a caller whose connections all have pending requests gets no further one; another caller does', async () => {
  const { desk } = service;
  const state = desk.state.bind(desk);
  let waiting = 0;
  desk.state = () => {
    waiting += 1;
    return new Promise(() => undefined);
  };
  const port = service.port();
  const held: Socket[] = [];
  for (let at = 0; at < SERVER_LIMITS.perCaller; at++) {
    const socket = await opened(port);
    socket.write(request('/status', port));
    held.push(socket);
  }
  await until(() => waiting === SERVER_LIMITS.perCaller, 'all wait');
  const refused = await service.ask('/healthz').then(
    () => 'answered',
    () => 'refused',
  );
  assert.is(refused, 'refused');
  desk.state = state;
  uid = ROOT;
  assert.is((await service.ask('/status')).status, 200);
  for (const socket of held) socket.destroy();
});

/** Connections without sockets; `busy` ones have a request that waits. */
function table(limits: Partial<typeof SERVER_LIMITS>) {
  const connections = new Connections({ ...SERVER_LIMITS, ...limits }, new ReadTurns(SERVER_LIMITS));
  const destroyed: string[] = [];
  const come = (caller: string, { busy = false, kind = 'reader' as Origin['kind'] } = {}): boolean => {
    const socket = {
      once: () => undefined,
      pause: () => undefined,
      isPaused: () => false,
      resume: () => undefined,
      destroy: () => destroyed.push(caller),
    } as unknown as Socket;
    const arrival = { open: () => socket, close: () => undefined };
    const taken = connections.admit({ caller, kind }, arrival, () => true);
    const response = { once: () => response, prependOnceListener: () => response, req: { complete: true } };
    if (busy && taken) connections.accepts({ socket } as never, response as never);
    return taken;
  };
  return { come, destroyed };
}

test('a full listener closes a connection of the caller with the most connections', () => {
  const { come, destroyed } = table({ connections: 6, perCaller: 5 });
  for (let at = 0; at < 5; at++) assert.ok(come('greedy'));
  assert.ok(come('a'));
  assert.equal(destroyed, []);
  for (const caller of ['b', 'c', 'greedy']) assert.ok(come(caller));
  assert.equal(destroyed, ['greedy', 'greedy', 'greedy']);
});

test('a caller with many busy connections does not displace callers with few, and is displaced by them', () => {
  const { come, destroyed } = table({ connections: 6, perCaller: 5 });
  for (let at = 0; at < 4; at++) assert.ok(come('greedy', { busy: true }));
  assert.ok(come('a'));
  assert.ok(come('b'));
  assert.not(come('greedy'));
  assert.equal(destroyed, []);
  assert.ok(come('c'));
  assert.equal(destroyed, ['greedy']);
});

test('new connections per second are limited for users without read access and for visitors, not for readers', () => {
  const { come } = table({ connections: 10_000, perCaller: 10_000 });
  const count = (caller: string, kind: Origin['kind'], tries: number) =>
    Array.from({ length: tries }, () => come(caller, { kind })).filter(Boolean).length;
  assert.is(count('a', 'reader', 2_000), 2_000);
  assert.ok(count('b', 'visitor', 2_000) < 1_000);
  const { burst } = SERVER_LIMITS.strangerRate;
  assert.ok(count('b', 'stranger', 10 * burst) < 3 * burst);
  assert.is(count('c', 'stranger', 1), 1);
});

test('callers of other machines are counted by IPv4 address and by IPv6 network', () => {
  const of = (address: string) => peerName({ kind: 'remote' }, address);
  assert.is(of('::ffff:192.0.2.1'), of('192.0.2.1'));
  assert.is.not(of('192.0.2.1'), of('192.0.2.2'));
  assert.is(of('2001:db8:0:1::1'), of('2001:db8:0:1:ffff::2'));
  assert.is.not(of('2001:db8:0:1::1'), of('2001:db8:0:2::1'));
});

test('a client that does not read its responses is disconnected', async () => {
  await service.stop();
  service = await startService(undefined, {
    server: { ...SERVER_LIMITS, unanswered: 100, perCaller: 1, unreadMs: 1500, checkEveryMs: 50 },
  });
  const port = service.port();
  const socket = await opened(port);
  socket.pause();
  // More than the kernel keeps for a client that reads nothing.
  socket.write(request('/openapi.json', port, 64));
  await sleep(100);
  // Sending bytes that are not a request does not count as reading.
  const dribble = setInterval(() => socket.write('\r\n'), 50);
  // As long as it waits for the client, the caller's only connection is in use.
  const asked = () =>
    service.ask('/healthz').then(
      () => true,
      () => false,
    );
  assert.not(await asked());
  let answered = false;
  for (let tries = 0; !answered && tries < 200; tries++) {
    await sleep(50);
    answered = await asked();
  }
  clearInterval(dribble);
  assert.ok(answered);
  socket.destroy();
});

test('an idle connection is closed, even if it sends bytes that are not a request', async () => {
  await service.stop();
  service = await startService(undefined, {
    server: { ...SERVER_LIMITS, idleMs: 150, waitMs: 300, checkEveryMs: 50 },
  });
  for (const first of ['', request('/healthz', service.port())]) {
    const socket = await opened(service.port());
    const seen = watched(socket);
    socket.write(first);
    const dribble = setInterval(() => socket.write('\r\n'), 50);
    await until(() => seen.closed, 'the connection is closed');
    clearInterval(dribble);
  }
});

test('when every connection is busy, the longest request is ended after a while', async () => {
  const { come, destroyed } = table({ connections: 3, graceMs: 50 });
  for (const caller of ['a', 'b', 'c']) assert.ok(come(caller, { busy: true }));
  assert.not(come('d'));
  await sleep(80);
  assert.ok(come('d'));
  assert.equal(destroyed, ['a']);
});

test.run();
