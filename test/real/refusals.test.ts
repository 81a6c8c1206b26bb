/** What the service refuses, while it runs and before it starts: a clear error with its remedy, nothing lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needs, ordinaryUser, projectRoot } from '../support/require.ts';
import { calm, makeHome, runDesk, startService } from './running.ts';

const test = suite('refusals');

const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
const refusals: readonly {
  name: string;
  path: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  status: number;
  tells: RegExp;
}[] = [
  {
    name: 'malformed JSON',
    path: '/h7/think',
    method: 'POST',
    body: '{"message": ',
    status: 400,
    tells: /JSON/,
  },
  {
    name: 'an empty body where one is needed',
    path: '/h7/think',
    method: 'POST',
    body: '',
    status: 422,
    tells: /message|body/i,
  },
  {
    name: 'a wrong type',
    path: '/h7/think',
    method: 'POST',
    body: '{"message": 7}',
    status: 422,
    tells: /message/,
  },
  {
    name: 'an unknown key',
    path: '/cook',
    method: 'POST',
    body: '{"mood": "x"}',
    status: 422,
    tells: /mood|unknown|key/i,
  },
  {
    name: 'an unknown value',
    path: '/cook',
    method: 'POST',
    body: '{"mode": "fry"}',
    status: 422,
    tells: /check/,
  },
  {
    name: 'nesting without end',
    path: '/scar/check',
    method: 'POST',
    body: deep,
    status: 422,
    tells: /deep|level|nest/i,
  },
  {
    name: 'another content type',
    path: '/h7/think',
    method: 'POST',
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
    status: 415,
    tells: /application\/json/,
  },
  {
    name: 'a compressed body',
    path: '/h7/think',
    method: 'POST',
    body: '{}',
    headers: { 'Content-Encoding': 'gzip' },
    status: 415,
    tells: /ncod/,
  },
  {
    name: 'an oversize body',
    path: '/h7/think',
    method: 'POST',
    body: JSON.stringify({ message: 'x'.repeat(17_000) }),
    status: 413,
    tells: /16/,
  },
  { name: 'an unknown path', path: '/nothing', status: 404, tells: /./ },
  { name: 'an unknown method of a path', path: '/status', method: 'DELETE', status: 405, tells: /GET/ },
  { name: 'a malformed address', path: '/email/api/who?email=nobody', status: 422, tells: /email/ },
  { name: 'another host', path: '/status', headers: { Host: 'evil.example' }, status: 421, tells: /./ },
  { name: 'a proxy', path: '/status', headers: { 'X-Forwarded-For': '10.0.0.1' }, status: 403, tells: /./ },
  {
    name: 'another origin',
    path: '/status',
    headers: { Origin: 'https://evil.example' },
    status: 403,
    tells: /./,
  },
  {
    name: 'a wrong token',
    path: '/learn',
    method: 'POST',
    body: '{}',
    headers: { Authorization: 'Bearer wrong' },
    status: 401,
    tells: /token/i,
  },
];

test('bad input: each a clear error with its remedy, and the service lives on', async () => {
  await using service = await startService(await makeHome(calm));
  for (const { name, path, method = 'GET', body, headers = {}, status, tells } of refusals) {
    const sent = path.startsWith('/email/') ? { ...service.bearer, ...headers } : headers;
    const answer = await service.get(path, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: sent,
    });
    assert.is(answer.status, status, `${name}: ${answer.status} ${answer.text}`);
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/, name);
    assert.equal(
      ['type', 'title', 'status', 'detail', 'instance'].filter((key) => !(key in answer.json)),
      [],
      name,
    );
    assert.is(answer.json.status, status);
    assert.match(answer.text + String(answer.headers.allow ?? ''), tells, name);
    assert.not.match(
      answer.text,
      /node_modules|\.ts:|\n {4}at |\/state\//,
      `${name} tells nothing of the inside`,
    );
  }
  assert.ok(await service.alive());
});

/** Everything a refused start must do: end with its code, say what and what to do, leave no stack. */
function refusedClearly(
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
  expected: number,
  ...tells: readonly RegExp[]
) {
  const said = stderr + stdout;
  assert.is(code, expected, said);
  for (const pattern of tells) assert.match(said, pattern);
  assert.not.match(said, /\n\s+at .*:\d+:\d+/, 'no stack trace');
}

test('a bad configuration key names file, key and the nearest known one', async () => {
  using home = await makeHome('[loop]\nrecheckms = 5\nmode = "sometimes"\n');
  refusedClearly(await runDesk(home, ['boot']), 2, /desk\.toml/, /recheckms/, /recheck_ms/, /sometimes/);
});

test('a state folder that cannot be: beneath a file, on a filesystem that refuses', async () => {
  using home = await makeHome();
  writeFileSync(join(home.folder, 'file'), '');
  for (const path of [join(home.folder, 'file/state'), '/sys/desk-state', '/proc/desk-state']) {
    refusedClearly(
      await runDesk(home, ['boot'], { env: { DESK_STATE: path } }),
      4,
      /state folder/,
      new RegExp(path),
      /DESK_STATE/,
    );
  }
});

needs('root')(test, "a state folder of another user, or open to others' writing, is refused", async () => {
  using home = await makeHome();
  mkdirSync(home.state, { mode: 0o700 });
  chownSync(home.state, ordinaryUser.uid, ordinaryUser.gid);
  refusedClearly(await runDesk(home, ['boot']), 4, /uid 65534/, /DESK_STATE/);
  chownSync(home.state, 0, 0);
  chmodSync(home.state, 0o777);
  refusedClearly(await runDesk(home, ['boot']), 4, /writable for others/, /chmod 700/);
});

needs('root', 'tree readable by others')(
  test,
  'a state folder that its owner cannot write is refused by a command that looks for itself',
  async () => {
    using home = await makeHome('', { uid: ordinaryUser.uid });
    chmodSync(home.state, 0o500);
    const status = await runDesk(home, ['status', '--local'], { user: ordinaryUser });
    refusedClearly(status, 4, /not writable.*mode 0500/, /chmod u\+w/);
  },
);

test('a missing native build names the file and the command', async () => {
  using home = await makeHome();
  const copy = join(home.folder, 'tree');
  cpSync(join(projectRoot, 'src'), join(copy, 'src'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(projectRoot, name), join(copy, name));
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'boot'], {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      HOME: home.folder,
      TMPDIR: home.folder,
      DESK_CONFIG: home.config,
      DESK_STATE: home.state,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  refusedClearly({ code, stdout: '', stderr: said }, 4, /desk_\w+\.node/, /npm rebuild|native\/build\.mjs/);
});

test('an impossible mark is refused, never replaced', async () => {
  using home = await makeHome();
  refusedClearly(await runDesk(home, ['boot'], { env: { DESK_MARK: 'z80' } }), 4, /z80/, /x86_64|aarch64/);
});

test('a second service on the same state folder refuses and harms nothing', async () => {
  await using service = await startService(await makeHome());
  using other = await makeHome();
  const second = await runDesk(other, ['boot'], { env: { DESK_STATE: service.home.state } });
  refusedClearly(second, 4, new RegExp(`\\b${service.child.pid}\\b`), /DESK_STATE|stop/i);
  assert.ok(await service.alive());
  assert.is((await service.get('/av')).json.live.atoms.SOUL, 1);
  assert.is(
    (await service.post('/cook', { mode: 'cook' }, service.bearer)).status,
    200,
    'its token still holds',
  );
});

test.run();
