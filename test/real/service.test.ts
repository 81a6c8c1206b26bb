/** The service end to end: a real `desk boot` with requests over real sockets. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needs } from '../support/require.ts';
import { ask, calm, isHidden, makeHome, runDesk, type Service, startService, until } from './running.ts';

const test = suite('service');

type Method = 'GET' | 'POST';
/** Each with the keys of its answer. Features of a later version have their final shape, or a refusal that names the version. */
const endpoints: readonly (readonly [Method, string, keys: string, body?: object, statuses?: number[]])[] = [
  ['GET', '/status', 'ts ok grade issues ports_up constellation hostess_charge iron'],
  ['GET', '/av', 'ts word live datacenter_port_8766 cli'],
  ['GET', '/h7/charge', 'ts word in_charge check antivirus war_machine'],
  ['GET', '/h7/live', 'ts generation recheck_us age_ms counts findings_open'],
  ['GET', '/detection', 'ts word generation counts avenues findings notes'],
  ['GET', '/scar', 'ts word kit scar_count gate god a b c last'],
  ['POST', '/scar/check', 'scar_count gate god steps'],
  ['POST', '/scar/check', 'scar_count steps', {}],
  ['POST', '/cook', 'word steps remedies scar_count gate god', {}],
  ['POST', '/h7/think', 'word answer grounds suggestions', { message: 'how are you?' }],
  ['POST', '/hostess7/think', 'word answer grounds', { message: 'ports?' }],
  ['POST', '/h7/consult', 'word assistant assistant_note', { message: 'ports?', with_assistant: false }],
  ['GET', '/healthz', ''],
  ['GET', '/readyz', 'ready parts'],
  ['GET', '/version', 'version engine'],
  ['GET', '/openapi.json', 'openapi paths components'],
  ['GET', '/quarantine', 'word action folder files'],
  ['GET', '/baseline/diff', 'word a b added gone'],
];
/** Endpoints that need the token. */
const guarded: typeof endpoints = [
  ['POST', '/cook', 'steps remedies', { mode: 'cook' }],
  ['GET', '/email/api/people', 'word finite total people next'],
  ['GET', '/email/api/who?email=a%40example.org', 'word email found person'],
  ['POST', '/av/close', 'steps remedies', {}],
  ['POST', '/field/clear', 'steps remedies', { mode: 'soft' }],
  ['POST', '/quarantine/purge', 'word action folder files', { older_than_sec: 0 }],
  ['POST', '/quarantine/restore', '', { id: '0123456789abcdef' }, [404]],
  ['POST', '/learn', '', {}, [200, 409]],
  ['POST', '/baseline/restore', '', { generation: 99 }, [404]],
  ['POST', '/baseline/review', 'generation rows', {}],
  ['POST', '/accept', '', { finding: '0123456789abcdef', accepts: '0011223344aa', why: 'test' }, [404, 503]],
];
const pages = {
  control: ['/', '/hostess7.html', '/startup.html', '/links.html', '/email/', '/docs'],
  office: ['/', '/hostess7.html', '/startup.html', '/links.html', '/email/'],
  public: ['/', '/email/'],
} as const;

/** One service for the tests that allow no recheck between two requests; the first of them starts it. */
let calmService: Promise<Service> | undefined;
const shared = (): Promise<Service> => (calmService ??= makeHome(calm).then((home) => startService(home)));
test.after(async () => (await calmService)?.[Symbol.asyncDispose]());

async function answersEverything(service: Service): Promise<void> {
  const calls = [
    ...endpoints.map((call) => [call, {}] as const),
    ...guarded.map((call) => [call, service.bearer] as const),
  ];
  for (const [[method, path, keys, body, statuses = [200]], headers] of calls) {
    const call = (sent: Readonly<Record<string, string>>) =>
      method === 'GET' ? service.get(path, { headers: sent }) : service.post(path, body, sent);
    const answer = await call(headers);
    assert.ok(statuses.includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`);
    const missing = keys.split(' ').filter((key) => key !== '' && !(key in answer.json));
    assert.equal(missing, [], `${method} ${path}`);
    assert.is(answer.headers['x-content-type-options'], 'nosniff');
    if (headers === service.bearer)
      assert.is((await call({})).status, 401, `${method} ${path} without token`);
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
}

test('the first status after the start report contains the listeners that the report names', async () => {
  const { ports_up, ports_n, issues } = (await (await shared()).get('/status')).json;
  assert.equal([ports_up, ports_n, issues.filter((issue: string) => !isHidden(issue))], [3, 3, []]);
});

test('records of one snapshot agree, and links to the desk itself work', async () => {
  const service = await shared();
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

test('the embedded public site is probed soon after the start', async () => {
  await using service = await startService(await makeHome());
  const probed = async () => (await service.get('/status')).json.atomic.https === 200;
  await until(probed, 'atomic.https 200 of the embedded public page', 6_000);
});

test('a hundred concurrent requests cause few sweeps', async () => {
  const service = await shared();
  const generation = async () => (await service.get('/h7/live')).json.generation as number;
  // Its first scans and helpers cause sweeps too, and a scan may be silent for seconds before it ends: then another burst counts.
  const sweeps: number[] = [];
  while (sweeps.length < 8 && Math.min(...sweeps) > 2) {
    await until(async () => {
      const earlier = await generation();
      await sleep(2_000);
      return (await generation()) === earlier;
    }, 'the end of its own sweeps');
    const before = await generation();
    const answers = await Promise.all(Array.from({ length: 100 }, () => service.get('/status')));
    sweeps.push((await generation()) - before);
    assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  }
  assert.ok(Math.min(...sweeps) <= 2, `sweeps of each burst: ${sweeps.join(', ')}`);
});

test('every endpoint and page answers (from src or dist, like the tests themselves)', async () => {
  await answersEverything(await shared());
});

// `test:all` from the sources also tests the built command; with dist the test above does so.
if (process.env.DESK_TEST_ENTRY !== 'dist')
  needs('dist')(test, 'every endpoint and page answers (dist)', async () => {
    await using service = await startService(await makeHome(calm), { entry: 'dist' });
    await answersEverything(service);
  });

test('without the loop each single request sweeps, and concurrent requests share a sweep', async () => {
  await using service = await startService(await makeHome(), {}, ['--no-loop']);
  const generation = async () => (await service.get('/h7/live')).json.generation as number;
  const first = await generation();
  assert.ok((await generation()) > first, 'a lone request is fresh');
  const before = await generation();
  await Promise.all(Array.from({ length: 100 }, () => service.get('/status')));
  const swept = (await generation()) - before - 1;
  assert.ok(swept >= 1 && swept < 100, `${swept} sweeps for a hundred requests`);
});

test('every command in a record can be run as printed', async () => {
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
