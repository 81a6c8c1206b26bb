/** A user of this machine who may not read: what a browser is shown, what it may load and ask, and what nothing opens. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnyOperation } from '../../src/desk/operation.ts';
import { OPERATIONS } from '../../src/features/table.ts';
import { type Binding, checkPeer } from '../../src/http/guard.ts';
import type { Peers, Readers } from '../../src/http/peer.ts';
import { SERVER_LIMITS } from '../../src/http/server.ts';
import { WRONG_TOKENS } from '../../src/http/wrong-tokens.ts';
import type { ListenerRole } from '../../src/records/state.ts';
import { buildPages } from '../support/built-pages.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { MY_UID, type Service, startService, TOKEN } from './service.ts';

const STRANGER = MY_UID + 4711;
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const LOCAL: readonly ListenerRole[] = ['control', 'office', 'themed'];
/** Connections of strangers follow each other faster here than those of people. */
const often = { burst: 100_000, perSecond: 100_000 };

const test = suite<{ uid: number; service: Service }>('not a reader');
test.before(buildPages);
test.before.each(async (context) => {
  context.uid = STRANGER;
  context.service = await serving('', () => context.uid);
});
test.after.each(({ service }) => service.stop());

const serving = async (group: string, uid: () => number, remote = false): Promise<Service> => {
  return startService(new FakeDesk(loopbackConfig({ access: { group } })), {
    peerUid: () => (remote ? { errno: 1, code: 'EPERM', source: 'sock_diag tcp4' } : uid()),
    server: { ...SERVER_LIMITS, strangerRate: often },
  });
};

test('a browser gets a page that says why and how, programs the problem as before', async ({ service }) => {
  for (const role of LOCAL) {
    const page = await service.ask('/', { role, headers: BROWSER });
    assert.is(page.status, 401);
    assert.match(page.headers['content-type'] ?? '', 'text/html');
    assert.match(page.headers['content-security-policy'] ?? '', "default-src 'none'");
    assert.match(page.text, 'Your user may not read this desk');
    assert.match(page.text, `uid ${STRANGER}`);
    assert.match(page.text, 'sudo usermod -aG desk-readers USER');
    assert.not.match(page.text, /<script(?![^>]*(?:src="\/assets\/pages\.js"|type="application\/json"))/);
    // The themed page takes no session.
    assert.is(page.text.includes('sudo desk open --print'), role !== 'themed', role);
    assert.is(page.text.includes('/assets/pages.js'), role !== 'themed', role);

    const problem = await service.ask('/', { role });
    assert.is(problem.status, 401);
    assert.match(problem.headers['content-type'] ?? '', 'application/problem+json');
    assert.is((problem.json() as { type: string }).type, 'urn:hostess-desk:problem:user-refused');
    assert.is(problem.headers['www-authenticate'], 'Bearer realm="desk"');
  }
});

test('the command that adds the user names the configured group and the user', async () => {
  // Some account that is neither root nor the user of the service.
  const [name = '', , uid = ''] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(
        (fields) => /^[a-z]+$/.test(fields[0] ?? '') && !['0', String(MY_UID)].includes(fields[2] ?? ''),
      ) ?? [];
  const named = await serving('desk readers', () => Number(uid));
  try {
    const { text } = await named.ask('/', { role: 'office', headers: BROWSER });
    assert.match(text, `sudo usermod -aG 'desk readers' ${name}`);
    assert.not.match(text, 'groupadd');
  } finally {
    await named.stop();
  }
});

test('nothing but the page, what it loads and the exchange of a code is open to such a user', async ({
  service,
}) => {
  const open: string[] = [];
  for (const operation of OPERATIONS as readonly AnyOperation[])
    for (const role of LOCAL) {
      const { method, path } = operation;
      if (!operation.roles.includes(role)) continue;
      const at = path.replace('{name}', 'style.css').replace(/\{\w+\}/g, 'x');
      const { status, text } = await service.ask(at, {
        role,
        method,
        ...(method === 'POST' && { body: '{}', headers: { 'content-type': 'application/json' } }),
      });
      if (!(status === 401 && text.includes('user-refused')))
        open.push(`${role} ${method} ${path} ${status}`);
    }
  assert.equal(open.sort(), [
    'control GET /assets/{name} 200',
    'control POST /session 422',
    'office GET /assets/{name} 200',
    'office POST /session 422',
    'themed GET /assets/{name} 200',
  ]);
  assert.equal(service.desk.calls, []);
  for (const path of ['/assets/', '/assets/style.css/x', '/assets//', '/session', '/session/', '//session'])
    assert.is((await service.ask(path, { role: 'office' })).status, 401, path);
});

test('a code or the control token opens a session of such a user, once and with the rules of a browser', async (context) => {
  const { service } = context;
  context.uid = MY_UID;
  const code = async () =>
    ((await service.post('/session/code', {}, { token: TOKEN })).json() as { code: string }).code;
  const [first, second] = [await code(), await code()];
  context.uid = STRANGER;
  const exchange = (text: string, headers = {}) =>
    service.post('/session', { code: text }, { role: 'office', headers });
  for (const headers of [
    { origin: 'http://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'content-type': 'text/plain' },
    { 'x-forwarded-for': '192.0.2.1' },
  ])
    assert.ok([403, 415].includes((await exchange(first, headers)).status), JSON.stringify(headers));
  for (const text of [first, TOKEN]) {
    const opened = await exchange(text);
    assert.is(opened.status, 200);
    const { token } = opened.json() as { token: string };
    assert.is.not(token, TOKEN);
    const page = await service.ask('/h7/page', { role: 'office', token });
    assert.is(page.status, 200);
  }
  assert.is((await exchange(first)).status, 401, 'used');
  assert.is((await service.ask('/h7/page', { role: 'office' })).status, 401);
  // Wrong ones are limited; a right one is answered whatever others send.
  const answers = [];
  for (let count = 0; count < WRONG_TOKENS.burst + 5; count += 1) answers.push((await exchange('no')).status);
  assert.is(answers.at(-1), 429);
  assert.is((await exchange(second)).status, 200);
  assert.is(service.logged.filter((line) => line.includes('wrong tokens for a session')).length, 1);
});

test('a caller on another machine loads the style sheet of the page, and may not exchange a code', () => {
  const peers = { of: () => ({ kind: 'remote' }) } as unknown as Peers;
  const readers = { isHelper: () => false, includes: () => false } as unknown as Readers;
  const ask = (method: string, open: boolean) => () =>
    checkPeer({ method } as IncomingMessage, { role: 'office' } as Binding, null, peers, readers, open);
  ask('GET', true)();
  assert.throws(ask('POST', true), 'comes from another machine');
  assert.throws(ask('GET', false), 'comes from another machine');
});

test('where the kernel does not report the uid, the page says so and offers the same', async () => {
  const blind = await serving('', () => 0, true);
  try {
    const { text } = await blind.ask('/', { role: 'office', headers: BROWSER });
    assert.match(text, 'The kernel did not report which user asks.');
    assert.match(text, 'sudo desk open --print');
    assert.not.match(text, 'usermod');
  } finally {
    await blind.stop();
  }
});

test.run();
