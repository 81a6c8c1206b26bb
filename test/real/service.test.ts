/** The service end to end: a real `desk boot`, asked over real sockets. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needs } from '../support/require.ts';
import { ask, calm, isHidden, makeHome, runDesk, startService, until } from './running.ts';

const test = suite('service');

const endpoints: readonly {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  token?: true;
  status?: readonly number[];
  keys: readonly string[];
}[] = [
  {
    method: 'GET',
    path: '/status',
    keys: ['ts', 'ok', 'grade', 'issues', 'ports_up', 'constellation', 'hostess_charge', 'iron'],
  },
  { method: 'GET', path: '/av', keys: ['ts', 'word', 'live', 'datacenter_port_8766', 'cli'] },
  {
    method: 'GET',
    path: '/h7/charge',
    keys: ['ts', 'word', 'in_charge', 'check', 'antivirus', 'war_machine'],
  },
  {
    method: 'GET',
    path: '/h7/live',
    keys: ['ts', 'generation', 'recheck_us', 'age_ms', 'counts', 'findings_open'],
  },
  {
    method: 'GET',
    path: '/detection',
    keys: ['ts', 'word', 'generation', 'counts', 'avenues', 'findings', 'notes'],
  },
  {
    method: 'GET',
    path: '/scar',
    keys: ['ts', 'word', 'kit', 'scar_count', 'gate', 'god', 'a', 'b', 'c', 'last'],
  },
  { method: 'POST', path: '/scar/check', keys: ['scar_count', 'gate', 'god', 'steps'] },
  { method: 'POST', path: '/scar/check', body: {}, keys: ['scar_count', 'steps'] },
  {
    method: 'POST',
    path: '/cook',
    body: {},
    keys: ['word', 'steps', 'remedies', 'scar_count', 'gate', 'god'],
  },
  { method: 'POST', path: '/cook', body: { mode: 'cook' }, token: true, keys: ['steps', 'remedies'] },
  {
    method: 'POST',
    path: '/h7/think',
    body: { message: 'how are you?' },
    keys: ['word', 'answer', 'grounds', 'suggestions'],
  },
  {
    method: 'POST',
    path: '/hostess7/think',
    body: { message: 'ports?' },
    keys: ['word', 'answer', 'grounds'],
  },
  {
    method: 'POST',
    path: '/h7/consult',
    body: { message: 'ports?', with_assistant: false },
    keys: ['word', 'assistant', 'assistant_note'],
  },
  {
    method: 'GET',
    path: '/email/api/people',
    token: true,
    keys: ['word', 'finite', 'total', 'people', 'next'],
  },
  {
    method: 'GET',
    path: '/email/api/who?email=a%40example.org',
    token: true,
    keys: ['word', 'email', 'found', 'person'],
  },
  { method: 'GET', path: '/healthz', keys: [] },
  { method: 'GET', path: '/readyz', keys: ['ready', 'parts'] },
  { method: 'GET', path: '/version', keys: ['version', 'engine'] },
  { method: 'GET', path: '/openapi.json', keys: ['openapi', 'paths', 'components'] },
  { method: 'POST', path: '/av/close', body: {}, token: true, keys: ['steps', 'remedies'] },
  { method: 'POST', path: '/field/clear', body: { mode: 'soft' }, token: true, keys: ['steps', 'remedies'] },
  { method: 'GET', path: '/quarantine', keys: ['word', 'action', 'folder', 'files'] },
  {
    method: 'POST',
    path: '/quarantine/purge',
    body: { older_than_sec: 0 },
    token: true,
    keys: ['word', 'action', 'folder', 'files'],
  },
  {
    method: 'POST',
    path: '/quarantine/restore',
    body: { id: '0123456789abcdef' },
    token: true,
    status: [404],
    keys: [],
  },
  // Substance of a later version: the final shape, or a refusal that says so.
  { method: 'POST', path: '/learn', body: {}, token: true, status: [200, 409], keys: [] },
  { method: 'GET', path: '/baseline/diff', keys: ['word', 'a', 'b', 'added', 'gone'] },
  {
    method: 'POST',
    path: '/baseline/restore',
    body: { generation: 99 },
    token: true,
    status: [404],
    keys: [],
  },
  { method: 'POST', path: '/baseline/review', body: {}, token: true, keys: ['generation', 'rows'] },
  {
    method: 'POST',
    path: '/accept',
    body: { finding: '0123456789abcdef', accepts: '0011223344aa', why: 'test' },
    token: true,
    status: [404, 503],
    keys: [],
  },
];
const pages = {
  control: ['/', '/hostess7.html', '/links.html', '/email/', '/docs'],
  office: ['/', '/hostess7.html', '/links.html', '/email/'],
  public: ['/', '/email/'],
} as const;

for (const entry of ['src', 'dist'] as const) {
  needs(...(entry === 'dist' ? (['dist'] as const) : []))(
    test,
    `every endpoint and page answers (${entry})`,
    async () => {
      await using service = await startService(await makeHome(calm), { entry });
      for (const { method, path, body, token, status = [200], keys } of endpoints) {
        const headers = token ? service.bearer : {};
        const answer =
          method === 'GET' ? await service.get(path, { headers }) : await service.post(path, body, headers);
        assert.ok(status.includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`);
        assert.equal(
          keys.filter((key) => !(key in answer.json)),
          [],
          `${method} ${path}`,
        );
        assert.is(answer.headers['x-content-type-options'], 'nosniff');
        if (token) {
          const bare = method === 'GET' ? await service.get(path) : await service.post(path, body);
          assert.is(bare.status, 401, `${method} ${path} without token`);
        }
      }
      for (const [role, paths] of Object.entries(pages)) {
        for (const path of paths) {
          const answer = await ask(service.home.ports[role as keyof typeof pages], path);
          assert.is(answer.status, 200, `${role} ${path}`);
          assert.match(String(answer.headers['content-type']), /^text\/html/);
        }
      }
      const beyond = await ask(service.home.ports.public, '/status');
      assert.is(beyond.status, 404, 'the public listener has no control endpoint');
      assert.ok(await service.alive());
    },
  );
}

test('records of one snapshot agree, and links of the desk itself answer', async () => {
  await using service = await startService(await makeHome(calm));
  const generation = async () => (await service.get('/h7/live')).json.generation as number;
  const [status, charge, av] = await until(async () => {
    const before = await generation();
    const answers = await Promise.all(['/status', '/h7/charge', '/av'].map((path) => service.get(path)));
    return (await generation()) === before && answers;
  }, 'three records of one generation');
  assert.equal(status?.json.hostess_charge, charge?.json);
  assert.equal(
    [charge?.json.antivirus.spv_wrapped, charge?.json.antivirus.spv_pids],
    [av?.json.live.wrapped, av?.json.live.pids],
  );
  const { SOUL, ...atoms } = av?.json.live.atoms ?? {};
  assert.is(SOUL, 1);
  for (const [name, value] of Object.entries(atoms)) assert.is(value, status?.json.iron[name]);
  assert.ok(charge?.json.antivirus.spv_pids > 1);
  const { asm } = charge?.json.mail ?? {};
  assert.ok(existsSync(asm.replace(/^~/, homedir())), asm);
  assert.is(basename(asm), (await service.get('/version')).json.engine.build);

  const local = new RegExp(`^http://127\\.0\\.0\\.1:(${Object.values(service.home.ports).join('|')})(/.*)?$`);
  const links = [
    ...Object.values(status?.json.nav),
    ...Object.values(status?.json.whole_stick),
    ...Object.values(charge?.json.pages),
  ] as string[];
  const own = [...new Set(links)].map((link) => local.exec(link)).filter((found) => found !== null);
  assert.ok(own.length > 5);
  for (const [link, port, path = '/'] of own) {
    assert.is((await ask(Number(port), path.replace(/#.*/, ''))).status, 200, link);
  }
});

test('the first status after the start report knows the listeners that the report names', async () => {
  await using service = await startService(await makeHome(calm));
  const { ports_up, ports_n, issues } = (await service.get('/status')).json;
  assert.equal([ports_up, ports_n, issues.filter((issue: string) => !isHidden(issue))], [3, 3, []]);
});

test('the embedded public site is probed soon after the start', async () => {
  await using service = await startService(await makeHome());
  const probed = async () => (await service.get('/status')).json.atomic.https === 200;
  await until(probed, 'atomic.https 200 of the embedded public page', 6_000);
});

test('a hundred concurrent requests cost few sweeps', async () => {
  // Without turns of the loop's own, whose number depends on what else the machine does meanwhile.
  await using service = await startService(await makeHome(calm));
  const generation = async () => (await service.get('/h7/live')).json.generation as number;
  const before = await generation();
  const answers = await Promise.all(Array.from({ length: 100 }, () => service.get('/status')));
  const after = await generation();
  assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  assert.ok(after - before <= 2, `${after - before} sweeps`);
});

test('without the loop each lone request sweeps, and concurrent ones share', async () => {
  await using service = await startService(await makeHome(), {}, ['--no-loop']);
  const generation = async () => (await service.get('/h7/live')).json.generation as number;
  const first = await generation();
  assert.ok((await generation()) > first, 'a lone request is fresh');
  const before = await generation();
  await Promise.all(Array.from({ length: 100 }, () => service.get('/status')));
  const swept = (await generation()) - before - 1;
  assert.ok(swept >= 1 && swept < 100, `${swept} sweeps for a hundred requests`);
});

test('every command that a record prints runs as printed', async () => {
  await using service = await startService(await makeHome());
  const [status, av] = await Promise.all(['/status', '/av'].map((path) => service.get(path)));
  const lines = [
    ...new Set([...Object.values(status?.json.cli), ...Object.values(av?.json.cli)]),
  ] as string[];
  const commands = lines.filter((line) => line.startsWith('desk ') && line !== 'desk boot');
  assert.ok(commands.length >= 8);
  for (const line of commands) {
    const { code, stdout, stderr } = await runDesk(service.home, [...line.split(' ').slice(1), '--json']);
    assert.ok(code === 0 || code === 1 || code === 4, `${line}: exit ${code} ${stderr}`);
    if (code === 4) assert.match(stderr, /\S/, line);
    else assert.type(JSON.parse(stdout), 'object', line);
  }
  assert.ok(await service.alive());
});

test.run();
