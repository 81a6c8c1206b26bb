/** Every endpoint responds according to its schema, on exactly the listeners of the table. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { z } from 'zod';
import { LISTENER_ROLES, type ListenerRole } from '../../src/config/schema.ts';
import type { PublicContext } from '../../src/desk/context.ts';
import type { AnyOperation } from '../../src/desk/operation.ts';
import { PEOPLE } from '../../src/desk/people.ts';
import { MAIL } from '../../src/features/mail/api.ts';
import { OPERATIONS } from '../../src/features/table.ts';
import { PUBLIC_OPERATIONS } from '../../src/http/public-app.ts';
import type { FindingDetail } from '../../src/records/finding-detail.ts';
import type { Forgotten } from '../../src/records/mail.ts';
import type { People, Who } from '../../src/records/people.ts';
import type { ScarRuns } from '../../src/records/scar.ts';
import { FakeDesk, loopbackConfig, personFrom } from '../support/fake-desk.ts';
import { findingFrom, noteFrom } from '../support/state.ts';
import { graphOf } from './import-graph.ts';
import { MAIL_TOKEN, type Service, startService, TOKEN } from './service.ts';

const ID = '00112233aabbccdd';

/** How to call the endpoints that need input. `code` is made by the test. */
const INPUTS: Readonly<
  Record<string, { readonly path?: string; readonly body?: unknown; readonly status?: number }>
> = {
  finding: { path: `/findings/${ID}` },
  'one-process': { path: '/h7/processes/500?start=500' },
  'process-page': { path: '/process/500' },
  'field-clear': { body: { mode: 'soft' }, status: 409 },
  'accept-undo': { body: { id: '0011223344aa' } },
  'quarantine-restore': { body: { id: ID }, status: 404 },
  'quarantine-purge': { body: { older_than_sec: 0 } },
  accept: { body: { finding: ID, accepts: '0011223344aa', why: 'known' } },
  'baseline-restore': { body: { generation: 1 } },
  query: { body: { query: 'processes where threads > 0 group by wrap' } },
  think: { body: { message: 'how are you' } },
  'hostess-think': { body: { message: 'how are you' } },
  consult: { body: { message: 'how are you', with_assistant: true } },
  'consult-prompt': { body: { message: 'how are you' } },
  'search-docs': { path: '/h7/docs?q=scar' },
  mcp: { body: { jsonrpc: '2.0', id: 1, method: 'ping' }, status: 409 },
  'token-make': { body: { name: 'laptop' } },
  'token-revoke': { body: { token: 'spare' } },
  'alert-test': { body: {} },
  'quiet-begin': { body: { for: '30m', why: 'test' } },
  asset: { path: '/assets/style.css' },
  who: { path: '/email/api/who?email=ada%40example.org' },
  'mail-forget': { body: { email: 'ada@example.org' } },
  'mail-export': { body: { format: 'vcard' } },
};

let service: Service;
let remoteToken = '';
test.before(async () => {
  const desk = new FakeDesk(loopbackConfig({ listen: { remote: { enabled: true } } }));
  remoteToken = desk.remote.tokens.make('test', 3_600_000).token;
  desk.remote.tokens.make('spare', 3_600_000);
  desk.parts = {
    findings: [findingFrom(), findingFrom({ id: '1122', severity: 'low', avenue: 'scar' })],
    notes: [noteFrom()],
  };
  desk.findings.set(ID, {
    finding: findingFrom(),
    history: [{ at: '2026-01-02T03:04:05.000+00:00', event: 'opened' }],
  });
  service = await startService(desk, { remoteLimits: {} });
});
test.after(() => service.stop());

const pathOf = (endpoint: AnyOperation) => INPUTS[endpoint.id]?.path ?? endpoint.path;

const newCode = async (): Promise<{ code: string }> => {
  const { code } = (await service.post('/session/code', {}, { token: TOKEN })).json() as { code: string };
  return { code };
};

const tokenOf = (role: ListenerRole): string =>
  role === 'public' ? MAIL_TOKEN : role === 'remote' ? remoteToken : TOKEN;

async function call(endpoint: AnyOperation, role: ListenerRole) {
  const token = tokenOf(role);
  if (endpoint.method === 'GET') return service.ask(pathOf(endpoint), { role, token });
  const code = endpoint.id === 'session' && (await newCode());
  return service.post(pathOf(endpoint), code || (INPUTS[endpoint.id]?.body ?? {}), { role, token });
}

for (const endpoint of OPERATIONS)
  test(`${endpoint.id} responds according to its schema on its listeners`, async () => {
    for (const role of endpoint.roles) {
      const answer = await call(endpoint, role);
      assert.is(answer.status, INPUTS[endpoint.id]?.status ?? 200, `${role}: ${answer.text.slice(0, 300)}`);
      if (answer.status !== 200) continue;
      if (endpoint.answer === 'page') {
        assert.is(answer.headers['content-type'], 'text/html; charset=utf-8');
        assert.match(answer.text, /^<!doctype html>\n<html lang="en">/);
      } else if (endpoint.answer === 'asset' || endpoint.answer === 'style') {
        assert.is(answer.headers['content-type'], 'text/css; charset=utf-8');
      } else if (endpoint.answer === 'metrics') {
        assert.match(answer.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
        assert.match(answer.text, /^desk_generation \d+$/m);
      } else {
        assert.is(answer.headers['content-type'], 'application/json; charset=utf-8');
        if (endpoint.answer !== 'document') (endpoint.answer as z.ZodType).parse(answer.json());
      }
    }
  });

test('the limit of gate runs is applied, and an invalid one is refused', async () => {
  const run = {
    at: '2026-01-02T03:04:05.000+00:00',
    mode: 'check',
    state: 'fail',
    scarCount: 2,
    god: 1,
    steps: [],
  } as const;
  service.desk.runs = [run, { ...run, mode: 'scar', state: 'pass', scarCount: 0 }];
  const runs = async (query: string) =>
    ((await service.ask(`/scar/runs${query}`)).json() as ScarRuns).runs.map(
      ({ mode, gate }) => `${mode} ${gate}`,
    );
  assert.equal(await runs(''), ['check fail', 'scar pass']);
  assert.equal(await runs('?limit=1'), ['check fail']);
  for (const limit of ['0', '-1', '1.5', '201', 'x', ''])
    assert.is((await service.ask(`/scar/runs?limit=${limit}`)).status, 422, limit);
  service.desk.runs = null;
});

test('cook applies to the confirmed findings, and refuses malformed ids', async () => {
  const { desk } = service;
  const cook = (findings: unknown, token = TOKEN) =>
    service.post('/cook', { mode: 'cook', findings }, { token });
  assert.is((await cook([ID])).status, 200);
  assert.is(desk.calls.at(-1), `cook cook ${ID}`);
  const calls = desk.calls.length;
  assert.is((await cook(['../x'])).status, 422);
  assert.is((await cook(Array(501).fill(ID))).status, 422);
  assert.is((await cook([ID], 'wrong')).status, 401);
  assert.is(desk.calls.length, calls);
});

test('a finding says what accepting it would suppress', async () => {
  const { accept } = (await service.ask(`/findings/${ID}`)).json() as FindingDetail;
  assert.is(accept.effect, 'explained');
  assert.equal(accept.covers, [
    { key: 'check', value: 'traced' },
    { key: 'identity', value: '/usr/sbin/sshd' },
    { key: 'uid', value: '0' },
    { key: 'severity', value: 'medium or less' },
  ]);
});

test('every other path of a listener is 404', async () => {
  const table = OPERATIONS;
  for (const role of LISTENER_ROLES) {
    const here = new Set(table.filter(({ roles }) => roles.includes(role)).map(({ path }) => path));
    for (const { path } of table.filter(({ path }) => !here.has(path))) {
      assert.is(
        (
          await service.ask(path.replace('{id}', ID).replace('{name}', 'style.css'), {
            role,
            token: role === 'remote' ? remoteToken : TOKEN,
          })
        ).status,
        404,
        `${role} ${path}`,
      );
      const posted = role === 'remote' ? 405 : 404;
      assert.is((await service.post(path, {}, { role, token: TOKEN })).status, posted, `${role} ${path}`);
    }
  }
});

/** One raw request on a separate connection. */
async function asBytes(target: string, method = 'GET') {
  const host = `127.0.0.1:${service.port()}`;
  const text = await service.raw(
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  return { status: Number(first.split(' ')[1]), lines, body: text.slice(end + 4) };
}

test('a path matches only exactly as it is written', async () => {
  for (const path of ['/status', '/status?', '/status#x', '/?x', '/?/status'])
    assert.is((await asBytes(path)).status, 200, path);
  for (const path of ['/status?x=1', '/status?/h7/charge'])
    assert.is((await asBytes(path)).status, 422, path);
  for (const path of [
    '/Status',
    '/status/',
    '//status',
    '/./status',
    '/%73tatus',
    '/status%3Fx',
    '/status;x',
    '/GET /status',
    '/findings',
    '/findings/',
    '/findings/0123456789abcdef/x',
    '/__proto__',
  ])
    assert.is((await asBytes(path.replace(' ', '%20'))).status, 404, path);
  // Matched by the router, and refused by the schema of the parameter.
  assert.is((await asBytes('/findings/%30123456789abcdeX')).status, 422);
});

test('a response has each header once, and HEAD has the headers of GET', async () => {
  for (const path of ['/status', '/', '/metrics', '/healthz', '/nothing-here']) {
    const [get, head] = [await asBytes(path), await asBytes(path, 'HEAD')];
    const names = get.lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
    assert.equal(names, [...new Set(names)], path);
    for (const name of ['content-length', 'content-type', 'content-security-policy'])
      assert.ok(names.includes(name), `${path} ${name}`);
    assert.ok(get.body.length > 0);
    assert.is(head.body, '', path);
    assert.is(head.status, get.status, path);
    assert.equal(
      head.lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()),
      names,
      path,
    );
    assert.ok(get.lines.includes(`Content-Length: ${Buffer.byteLength(get.body, 'latin1')}`), path);
  }
});

test('a GET of a POST endpoint is 405', async () => {
  for (const { path, method, roles } of OPERATIONS)
    if (method === 'POST')
      assert.is((await service.ask(path, { role: roles[0] as ListenerRole })).status, 405, path);
});

test('the embedded charge report equals /h7/charge of the same snapshot, and so do the wrap counts', async () => {
  service.desk.keepsState = true;
  service.desk.sweep();
  const status = await service.ask('/status');
  const charge = await service.ask('/h7/charge');
  const av = await service.ask('/av');
  service.desk.keepsState = false;
  assert.equal((status.json() as { hostess_charge: unknown }).hostess_charge, charge.json());
  const { antivirus } = charge.json() as unknown as { antivirus: { spv_wrapped: number; spv_pids: number } };
  const { live } = av.json() as unknown as { live: { wrapped: number; pids: number } };
  assert.equal([antivirus.spv_wrapped, antivirus.spv_pids], [live.wrapped, live.pids]);
});

test('a hundred concurrent requests cost one sweep', async () => {
  const { desk } = service;
  const before = desk.sweeps;
  const release = desk.holdSweeps();
  const paths = ['/status', '/h7/charge', '/av', '/scar', '/'];
  const hundred = Array.from({ length: 100 }, (_, at) => service.ask(paths[at % paths.length] as string));
  while (desk.waiting < 100) await new Promise((resolve) => setTimeout(resolve, 2));
  release();
  const answers = await Promise.all(hundred);
  assert.ok(answers.every(({ status }) => status === 200));
  assert.is(desk.sweeps - before, 1);
});

test('an unchanged snapshot is not assembled again', async () => {
  service.desk.keepsState = true;
  const state = service.desk.sweep();
  let reads = 0;
  Object.defineProperty(state.desk.site, 'name', { get: () => `read ${++reads}` });
  const first = await service.ask('/h7/charge');
  const second = await service.ask('/h7/charge');
  service.desk.keepsState = false;
  assert.is(first.text, second.text);
  assert.is(reads, 1);
});

test('detection filters findings, counts are those of the snapshot', async () => {
  const whole = (await service.ask('/detection')).json() as {
    findings: unknown[];
    notes: unknown[];
    counts: unknown;
  };
  assert.is(whole.findings.length, 2);
  const medium = (await service.ask('/detection?severity=medium&avenue=inject_clip')).json() as typeof whole;
  assert.is(medium.findings.length, 1);
  assert.equal(medium.counts, whole.counts);
  const later = (await service.ask('/detection?since=2030-01-01T00:00:00Z')).json() as typeof whole;
  assert.is(later.findings.length, 0);
});

test('an unknown finding is 404', async () => {
  assert.is((await service.ask('/findings/ffffffffffffffff')).status, 404);
});

test('readyz is 503 and lists its parts while a part is down', async () => {
  service.desk.ready = false;
  const answer = await service.ask('/readyz');
  service.desk.ready = true;
  assert.is(answer.status, 503);
  assert.is((answer.json() as { ready: boolean }).ready, false);
});

test('the ledger needs a token on every listener, and reports MAIL when it is empty', async () => {
  for (const role of ['control', 'office', 'public'] as const) {
    for (const path of ['/email/api/people', '/email/api/who?email=a%40example.org']) {
      assert.is((await service.ask(path, { role })).status, 401, `${role} ${path}`);
      assert.is((await service.ask(path, { role, token: MAIL_TOKEN })).status, 200, `${role} ${path}`);
      const control = (await service.ask(path, { role, token: TOKEN })).status;
      assert.is(control, role === 'public' ? 401 : 200, `${role} ${path}`);
    }
    assert.is((await service.ask('/email/api/who?email=nobody', { role, token: MAIL_TOKEN })).status, 422);
    assert.is((await service.ask('/email/api/who', { role, token: MAIL_TOKEN })).status, 422);
  }
  const people = (
    await service.ask('/email/api/people', { role: 'public', token: MAIL_TOKEN })
  ).json() as object;
  assert.equal(
    { ...people, ts: '' },
    { ts: '', word: 'MAIL', finite: true, total: 0, people: [], next: null },
  );
});

test('public_people opens the list of names and domains on the public listener, but never the lookup', async () => {
  const desk = new FakeDesk(loopbackConfig({ mail: { public_people: true } }));
  desk.ledger.set('ada@example.org', personFrom());
  const open = await startService(desk);
  try {
    const listed = await open.ask('/email/api/people?sort=sent&q=a', { role: 'public' });
    assert.is(listed.status, 200);
    assert.equal((listed.json() as { people: unknown[] }).people, [{ name: 'Ada', domain: 'example.org' }]);
    assert.equal(desk.calls, ['people {"q":"a","sort":"name","limit":100,"open":true}']);
    const searches = await Promise.all(
      Array.from({ length: 12 }, () => open.ask('/email/api/people?q=a', { role: 'public' })),
    );
    assert.ok(
      searches.some(({ status }) => status === 429),
      'all callers without a token share few searches',
    );
    assert.is((await open.ask('/email/api/people?q=a', { role: 'public', token: MAIL_TOKEN })).status, 200);
    // The control token grants nothing there.
    const control = await open.ask('/email/api/people', { role: 'public', token: TOKEN });
    assert.equal((control.json() as { people: unknown[] }).people, [{ name: 'Ada', domain: 'example.org' }]);
    const whole = await open.ask('/email/api/people', { role: 'public', token: MAIL_TOKEN });
    assert.is((whole.json() as People).people[0]?.email, 'ada@example.org');
    assert.is((await open.ask('/email/api/people', { role: 'control' })).status, 401);
    assert.is((await open.ask('/email/api/who?email=a%40example.org', { role: 'public' })).status, 401);
    assert.is(
      (await open.ask('/email/api/who?email=a%40example.org', { role: 'public', token: TOKEN })).status,
      401,
    );
  } finally {
    await open.stop();
  }
});

test('a person is looked up by the address as stored in the ledger, and can be forgotten', async () => {
  service.desk.ledger.set('ada@example.org', personFrom());
  const found = (
    await service.ask('/email/api/who?email=Ada%40Example.org', { token: MAIL_TOKEN })
  ).json() as Who;
  assert.is(found.email, 'ada@example.org');
  assert.is(found.person?.first_seen?.slice(0, 4), '2024');
  const cursor = await service.ask('/email/api/people?cursor=mine', { token: MAIL_TOKEN });
  assert.is(cursor.status, 422);
  assert.is(
    (await service.post('/mail/forget', { email: 'ada@example.org' }, { token: MAIL_TOKEN })).status,
    401,
  );
  const gone = await service.post('/mail/forget', { email: 'ada@example.org' }, { token: TOKEN });
  assert.is((gone.json() as Forgotten).forgotten, true);
  assert.is(service.desk.ledger.size, 0);
});

test('a code opens a session once, and the session has the rights of the control token', async () => {
  const { code } = await newCode();
  const opened = await service.post('/session', { code }, { role: 'office' });
  assert.is(opened.status, 200);
  const { token } = opened.json() as { token: string };
  assert.is.not(token, TOKEN);
  assert.is((await service.post('/learn', {}, { token, role: 'office' })).status, 200);
  assert.is((await service.post('/session', { code })).status, 401);
  assert.is((await service.post('/session', { code: 'made up' })).status, 401);
});

test('the public pages reveal nothing of the machine', async () => {
  for (const path of ['/', '/email/']) {
    const { text } = await service.ask(path, { role: 'public' });
    assert.not.match(text, /18772|127\.0\.0\.1|generation|node|pid|sshd|grade/i);
  }
});

const CALLS =
  /\.(check|cook|avClose|fieldClear|learn|restore|reviewed|accept|setListener|issueCode|close|forget|export)\(|\bdesk\.(?:use|find)\((?!PEOPLE\)|STATUS_PAGE\)|checked\(token\)\))/;

test('the public listener imports no control code', () => {
  const files = [...graphOf(new URL('../../src/http/public-app.ts', import.meta.url))];
  assert.ok(files.some((file) => file.endsWith('/mail/public-operations.ts')) && files.length > 10);
  const own =
    /\/src\/(?:desk\/(?:context|input|operation|people|sites-seen|token)|operations\/public-pages|features\/public|features\/(?:mail|site)\/public-operations)\.ts$/;
  for (const file of files) {
    assert.not.match(file, /\/http\/(desk-service|listeners|live)\.ts$/);
    const isOwn = own.test(file);
    assert.ok(isOwn || !/\/src\/(?:desk|operations|features)\//.test(file), file);
    // Of the engine only numbers and texts: bounds, remedies, time formats.
    assert.not.match(
      file,
      /\/src\/(?:engine(?!\/(?:bounds|rest|cures|time)\.)|service|store|state-folder|privileges|cli|egress|base\/http-exchange\.)/,
      file,
    );
    const text = readFileSync(new URL(file), 'utf8');
    if (!file.endsWith('/http/tokens.ts')) assert.not.match(text, CALLS, file);
  }
  const control = [...graphOf(new URL('../../src/features/table.ts', import.meta.url))];
  assert.ok(control.some((file) => CALLS.test(readFileSync(new URL(file), 'utf8'))));
});

test('the public listener has only the operations that name it, and gives them only the readable part of the desk', async () => {
  const public_ = (list: readonly AnyOperation<never>[]) =>
    list.filter(({ roles }) => roles.includes('public')).map(({ id }) => id);
  assert.equal(public_(PUBLIC_OPERATIONS), public_(OPERATIONS));
  assert.is(PUBLIC_OPERATIONS.length, public_(PUBLIC_OPERATIONS).length);
  const desk = new FakeDesk();
  const seen: PublicContext[] = [];
  const [front] = PUBLIC_OPERATIONS.filter(({ id }) => id === 'public-page') as unknown as [
    { handle: (context: PublicContext) => unknown },
  ];
  const { handle } = front;
  try {
    front.handle = (context) => {
      seen.push(context);
      return handle(context);
    };
    const own = await startService(desk);
    await own.ask('/', { role: 'public' });
    await own.stop();
  } finally {
    front.handle = handle;
  }
  const given = seen[0]?.desk as PublicContext['desk'];
  assert.equal(Object.keys(given).sort(), ['config', 'find', 'latest', 'state', 'use']);
  assert.ok(given.use(PEOPLE));
  assert.throws(() => given.use(MAIL as never), /not for the public listener/);
  assert.throws(() => given.find(MAIL as never), /not for the public listener/);
  assert.equal(Object.keys(seen[0]?.service ?? {}).sort(), ['asset', 'countSearch', 'publicPages']);
});

test.run();
