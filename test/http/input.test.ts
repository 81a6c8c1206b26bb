/** Security rules 5 and 8: bodies, rates, slow and greedy clients; and the table of errors. */
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import { MAX_BODY_BYTES, MAX_DEPTH, parseJson } from '../../src/http/body.ts';
import { PROBLEMS, Problem, problemBody, problemOf } from '../../src/http/errors.ts';
import { RateLimiter } from '../../src/http/rate.ts';
import { SERVER_LIMITS } from '../../src/http/server.ts';
import { problem } from '../../src/records/problem.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { type Answer, type Service, startService } from './service.ts';

let service: Service;
test.before(async () => {
  service = await startService(new FakeDesk());
});
test.after(() => service.stop());

function assertProblem(answer: Answer, status: number): void {
  assert.is(answer.status, status, answer.text);
  assert.match(answer.headers['content-type'] ?? '', 'application/problem+json');
  const body = problem.schema.parse(answer.json());
  assert.is(body.status, status);
  assert.ok(body.detail.length > 10);
}

test('only application/json bodies are accepted', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json+x',
    'application/jsonx',
    'application/json; charset=latin1',
    '',
  ])
    assertProblem(
      await service.post('/h7/think', { message: 'a' }, { headers: { 'content-type': type } }),
      415,
    );
  for (const type of ['application/json', 'Application/JSON', 'application/json; charset=utf-8'])
    assert.is(
      (await service.post('/h7/think', { message: 'a' }, { headers: { 'content-type': type } })).status,
      200,
      type,
    );
});

test('an empty body counts as {} and needs no type', async () => {
  assert.is((await service.ask('/scar/check', { method: 'POST' })).status, 200);
  assert.is((await service.ask('/cook', { method: 'POST' })).status, 200);
  assertProblem(await service.ask('/h7/think', { method: 'POST' }), 422);
});

test('a Content-Encoding is refused', async () => {
  assertProblem(await service.post('/cook', {}, { headers: { 'content-encoding': 'gzip' } }), 415);
  assertProblem(await service.post('/cook', {}, { headers: { 'content-encoding': 'identity' } }), 415);
});

test('a body has at most 16 KiB, declared or streamed', async () => {
  const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
  const headers = { 'content-type': 'application/json' };
  const send = (body: string, more: Record<string, string> = {}) =>
    service.ask('/cook', { method: 'POST', body, headers: { ...headers, ...more } });
  assert.is((await send(padded(MAX_BODY_BYTES))).status, 200);
  assertProblem(await send(padded(MAX_BODY_BYTES + 1)), 413);
  assert.is((await send(padded(MAX_BODY_BYTES), { 'transfer-encoding': 'chunked' })).status, 200);
  assertProblem(await send(padded(MAX_BODY_BYTES + 1), { 'transfer-encoding': 'chunked' }), 413);
  assertProblem(await send(padded(4 * 1024 * 1024), { 'transfer-encoding': 'chunked' }), 413);
});

test('malformed JSON is 400', async () => {
  for (const body of [
    '{',
    'nope',
    '{"message": }',
    '{"message":"a"}{}',
    "{'message':'a'}",
    '\u0000',
    Buffer.from([0x22, 0xff, 0x22]),
  ])
    assertProblem(
      await service.ask('/h7/think', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      }),
      400,
    );
});

test('a query of many parameters is refused before it is read', async () => {
  assertProblem(await service.ask(`/detection?${'a&'.repeat(3_500)}`), 422);
  assertProblem(await service.ask(`/scar/runs?${'limit=1&'.repeat(33)}`), 422);
  assertProblem(await service.ask('/scar/runs?limit=1&limit=2'), 422);
  assert.is((await service.ask('/scar/runs?limit=%31')).status, 200);
});

test('wrong types, missing and unknown keys are 422 with a pointer, and unknown text is not repeated', async () => {
  const bodies: readonly (readonly [unknown, string])[] = [
    [{ message: 7 }, '/message: expected string'],
    [{}, '/message: missing, expected string'],
    [{ message: '' }, '/message: expected at least 1 character.'],
    [{ message: 'a'.repeat(4097) }, '/message: expected at most 4096 characters'],
    [{ message: 'a', extra: 1 }, '/extra'],
    [{ message: 'a', '<script>': 1 }, '/…'],
    [[], 'the whole'],
    [null, 'the whole'],
    ['text', 'the whole'],
  ];
  for (const [body, pointer] of bodies) {
    const answer = await service.post('/h7/think', body);
    assertProblem(answer, 422);
    assert.ok(answer.text.includes(pointer), `${pointer} in ${answer.text}`);
    assert.not.match(answer.text, 'script');
  }
  const poisoned = await service.ask('/h7/think', {
    method: 'POST',
    body: '{"message":"a","__proto__":{"a":1}}',
    headers: { 'content-type': 'application/json' },
  });
  assertProblem(poisoned, 422);
  const burn = await service.post('/cook', { mode: 'burn' });
  assertProblem(burn, 422);
  assert.match(problem.schema.parse(burn.json()).detail, '/mode: expected one of "check", "cook".');
  const since = await service.ask('/detection?since=yesterday');
  assertProblem(since, 422);
  assert.match(since.text, '/since: expected an RFC 3339 time, e.g. ');
});

test('a body has at most 16 levels', async () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  assert.not.throws(() => parseJson(nested(MAX_DEPTH)));
  assert.throws(
    () => parseJson(nested(MAX_DEPTH + 1)),
    (error: Problem) => error.status === 422,
  );
  assert.equal(parseJson(Buffer.from(JSON.stringify({ text: '[[[[[[[[[[[[[[[[[["\\[' }))), {
    text: '[[[[[[[[[[[[[[[[[["\\[',
  });
  assert.throws(
    () => parseJson(Buffer.from('['.repeat(16_000))),
    (error: Problem) => error.status === 422,
  );
});

test('parsing any bytes returns a value or a problem', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 64 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        try {
          parseJson(Buffer.from(bytes));
        } catch (error) {
          assert.instance(error, Problem);
        }
      },
    ),
  );
});

test('an invalid query is 422', async () => {
  for (const path of [
    '/detection?avenue=alley',
    '/detection?severity=loud',
    '/detection?since=yesterday',
    '/detection?severity=low&severity=high',
    '/detection?extra=1',
    '/findings/not-an-id',
  ])
    assertProblem(await service.ask(path), 422);
  assert.is(
    (await service.ask('/detection?avenue=scar&severity=high&since=2026-01-02T03:04:05%2B01:00')).status,
    200,
  );
});

test('405 lists the methods, 404 is for paths that the listener lacks, 406 for media types it does not produce', async () => {
  const wrong = await service.ask('/cook');
  assertProblem(wrong, 405);
  assert.is(wrong.headers.allow, 'OPTIONS, POST');
  const put = await service.ask('/status', { method: 'PUT' });
  assertProblem(put, 405);
  assert.is(put.headers.allow, 'GET, HEAD, OPTIONS');
  for (const path of ['/nothing', '/status/', '/Status', '//status', '/%2e%2e/status', '/hostess7.HTML'])
    assertProblem(await service.ask(path), 404);
  assertProblem(await service.ask('/status', { role: 'public' }), 404);
  assertProblem(await service.post('/cook', {}, { role: 'public' }), 404);
  assertProblem(await service.ask('/version', { role: 'office' }), 404);
  assertProblem(await service.post('/', {}, { role: 'public' }), 405);
  assertProblem(await service.ask('/status', { headers: { accept: 'image/png' } }), 406);
  assertProblem(await service.ask('/', { headers: { accept: 'application/json' } }), 406);
});

test('OPTIONS and HEAD follow HTTP', async () => {
  const options = await service.ask('/h7/charge', { method: 'OPTIONS' });
  assert.is(options.status, 204);
  assert.is(options.headers.allow, 'GET, HEAD, OPTIONS');
  const head = await service.ask('/h7/charge', { method: 'HEAD' });
  assert.is(head.status, 200);
  assert.is(head.text, '');
  assert.ok(Number(head.headers['content-length']) > 100);
  assert.is((await service.ask('*', { method: 'OPTIONS' })).headers.allow, 'GET, HEAD, POST, OPTIONS');
});

test('errors of the desk become their problem records, other errors reveal no internals', async () => {
  for (const [code, status] of [
    ['unavailable', 503],
    ['refused', 409],
    ['usage', 422],
    ['not-found', 404],
  ] as const) {
    service.desk.failure = new DeskError(code, 'It does not go', 'Do something else');
    const answer = await service.post('/h7/think', { message: 'a' });
    assertProblem(answer, status);
    assert.match(answer.text, 'Do something else');
  }
  service.desk.failure = new Error('secret /home/someone/file.ts:12');
  const answer = await service.post('/h7/think', { message: 'a' });
  service.desk.failure = undefined;
  assertProblem(answer, 500);
  assert.not.match(answer.text, /secret|home|\.ts|at /);
  const { instance } = answer.json() as { instance: string };
  assert.ok(service.logged.some((line) => line.includes(instance) && line.includes('secret')));
});

test('a browser gets errors as HTML', async () => {
  const answer = await service.ask('/nothing', {
    role: 'office',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });
  assert.is(answer.status, 404);
  assert.match(answer.headers['content-type'] ?? '', 'text/html');
  assert.match(answer.headers['content-security-policy'] ?? '', "style-src 'self'");
});

test('every problem has a status of its own kind, a title, and the shape of the record', () => {
  for (const [id, [status, title]] of Object.entries(PROBLEMS)) {
    const body = problem.schema.parse(problemBody(new Problem(id as never, 'what to do'), 'urn:x:1'));
    assert.equal([body.status, body.title, body.type], [status, title, `urn:hostess-desk:problem:${id}`]);
  }
  assert.is(new Set(Object.values(PROBLEMS).map(([, title]) => title)).size, Object.keys(PROBLEMS).length);
  assert.is(problemOf('a thrown string').id, 'internal');
});

test('POST is rate-limited per user with Retry-After', async () => {
  const slow = await startService(new FakeDesk(), { postLimit: { burst: 3, perSecond: 0.001 } });
  try {
    const answers: Answer[] = [];
    for (let at = 0; at < 5; at++) answers.push(await slow.post('/scar/check'));
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    );
    assertProblem(answers[4] as Answer, 429);
    assert.ok(Number(answers[4]?.headers['retry-after']) > 0);
    assert.is((await slow.ask('/status')).status, 200);
  } finally {
    await slow.stop();
  }
});

test('tokens of a bucket refill, each caller has its own bucket, and old callers are forgotten', () => {
  let now = 0;
  const limiter = new RateLimiter({ burst: 2, perSecond: 1 }, () => now);
  assert.equal([limiter.take('a'), limiter.take('a'), limiter.take('a'), limiter.take('b')], [0, 0, 1, 0]);
  now = 1000;
  assert.equal([limiter.take('a'), limiter.take('a')], [0, 1]);
  for (let at = 0; at < 5_000; at++) limiter.take(`other ${at}`);
  assert.is(limiter.take('a'), 0);
});

test('slow headers and slow bodies end with 408', async () => {
  const strict = await startService(new FakeDesk(), {
    server: { ...SERVER_LIMITS, headersTimeoutMs: 150, requestTimeoutMs: 300, checkEveryMs: 50 },
  });
  try {
    const host = `Host: 127.0.0.1:${strict.port()}\r\n`;
    assert.match(await strict.raw(`GET /healthz HTTP/1.1\r\n${host}X-Slow: `), /^HTTP\/1\.1 408 /);
    const body = `POST /cook HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`;
    assert.match(await strict.raw(body), /^HTTP\/1\.1 408 /);
    assert.is((await strict.ask('/healthz')).status, 200);
  } finally {
    await strict.stop();
  }
});

test('a client that disconnects during a request affects no other client', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(service.port(), '127.0.0.1', () => {
      socket.write(
        `POST /cook HTTP/1.1\r\nHost: 127.0.0.1:${service.port()}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
      );
      setTimeout(() => socket.destroy(), 20);
    });
    socket.on('close', () => resolve());
  });
  assert.is((await service.ask('/healthz')).status, 200);
  assert.is(
    service.logged.filter((line) => line.includes('request failed') && !line.includes('secret')).length,
    0,
  );
});

test.run();
