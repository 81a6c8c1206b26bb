/** Sites of `[[sites]]` against real servers on loopback: what they answer, when they fail, and what follows from it. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../../src/config/schema.ts';
import { SITES, STATUS_PAGE } from '../../../src/desk/sites-seen.ts';
import type { Token } from '../../../src/desk/token.ts';
import { EgressGuard } from '../../../src/egress/guard.ts';
import { DeskSites } from '../../../src/features/site/desk-sites.ts';
import { probeFurther } from '../../../src/features/site/further-probe.ts';
import { FurtherWatch } from '../../../src/features/site/further-watch.ts';
import { deskIssues, improvements } from '../../../src/records/problems.ts';
import { headlineOf, verdictOf } from '../../../src/records/verdict.ts';
import { openMemoryStore } from '../../../src/service/tables.ts';
import { programWords } from '../../support/entry.ts';
import { projectRoot, testsNeeding } from '../../support/require.ts';
import { siteProbe } from '../../support/site.ts';
import { stateFrom } from '../../support/state.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeTestCa } from '../../support/test-ca.ts';

const test = suite('further sites');
const withOpenssl = testsNeeding(test, 'openssl');

async function listening(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      (server as ReturnType<typeof createServer>).closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}

const serving = (answer: RequestListener) => listening(createServer(answer));

const MIB = 1 << 20;
const WANTED = 'all systems ready';
const ANSWERS: Readonly<Record<string, RequestListener>> = {
  '/well': (_request, response) => response.end('fine'),
  '/broken': (_request, response) => response.writeHead(503).end(`${WANTED}`),
  '/moved': (_request, response) => response.writeHead(302, { location: '/broken' }).end(),
  '/text': (_request, response) => response.end(`before ${WANTED} behind`),
  // The text comes in two parts.
  '/split': (_request, response) => {
    response.write(`x${WANTED.slice(0, 5)}`);
    setImmediate(() => setImmediate(() => response.end(WANTED.slice(5))));
  },
  '/last': (_request, response) =>
    response.end(`${'.'.repeat(MIB - WANTED.length)}${WANTED}${'.'.repeat(MIB)}`),
  '/late': (_request, response) => response.end(`${'.'.repeat(MIB - WANTED.length + 1)}${WANTED}`),
  '/endless': (_request, response) => {
    const more = (): boolean => response.writable && response.write('.'.repeat(65_536), () => void more());
    more();
  },
  '/hang': (_request, response) => response.write('begun'),
  '/silent': () => undefined,
  '/cut': (request) => request.socket.destroy(),
};

const resolver = async () => ['127.0.0.1'];

const siteOf = (port: number, path: string, more: object = {}) => ({
  name: path,
  url: `http://shop.example:${port}${path}`,
  ...more,
});

const configOf = (port: number, sites: readonly object[], more: object = {}) => {
  const place = `shop.example:${port}`;
  return configSchema.parse({ sites, egress: { allow: [place], private: [place] }, ...more });
};

test('a site is up with the expected status and text, and down with a reason otherwise', async () => {
  await using there = await serving((request, response) => ANSWERS[request.url ?? '']?.(request, response));
  const text = { expect_text: WANTED };
  const cases: readonly (readonly [path: string, more: object, verdict: string, reason: RegExp | ''])[] = [
    ['/well', {}, 'up', ''],
    ['/moved', {}, 'up', ''],
    ['/moved', { expect_status: 200 }, 'down', /^it answers 302 and not 200, /],
    ['/broken', {}, 'down', /^it answers 503 and not 200-399, /],
    ['/broken', { expect_status: ['500-503', 200] }, 'up', ''],
    ['/well', { expect_status: [204, '301-302'] }, 'down', /^it answers 200 and not 204 or 301-302, /],
    ['/text', text, 'up', ''],
    ['/split', text, 'up', ''],
    ['/well', text, 'down', /^it answers 200 without the expected text, /],
    ['/broken', text, 'down', /^it answers 503 /],
    // In the first MiB, and no byte further.
    ['/last', text, 'up', ''],
    ['/late', text, 'down', /without the expected text/],
    ['/endless', {}, 'up', ''],
    ['/endless', text, 'down', /without the expected text/],
    ['/cut', {}, 'down', /^the server closed the connection/],
  ];
  const config = configOf(
    there.port,
    cases.map(([path, more], at) => ({ ...siteOf(there.port, path, more), name: `${at}` })),
  );
  const guard = new EgressGuard(config.egress, { resolver });
  for (const [at, site] of config.sites.entries()) {
    const [path, more, verdict, reason] = cases[at] ?? ['', {}, '', ''];
    const probe = await probeFurther(guard, site);
    const about = `${path} ${JSON.stringify(more)}: ${JSON.stringify(probe)}`;
    assert.is(probe.verdict, verdict, about);
    if (reason === '') assert.is(probe.reason, '', about);
    else assert.match(probe.reason, reason);
  }
  const gone = await serving(() => undefined);
  await gone[Symbol.asyncDispose]();
  const { sites: closed, egress } = configOf(gone.port, [siteOf(gone.port, '/')]);
  const refused = closed[0] && (await probeFurther(new EgressGuard(egress, { resolver }), closed[0]));
  assert.equal([refused?.verdict, refused?.reason], ['down', 'nothing listens there, start the server']);
  for (const path of ['/hang', '/silent']) {
    const [site] = configOf(there.port, [siteOf(there.port, path)]).sites;
    const probe = site && (await probeFurther(guard, site, 200));
    assert.is(probe?.verdict, 'down', path);
    assert.match(probe?.reason ?? '', /within 0\.2 s/);
  }
});

test('a site that the guard refuses is not asked, and its state is unknown', async () => {
  let requests = 0;
  await using there = await serving((_request, response) => {
    requests += 1;
    response.end();
  });
  const [site] = configOf(there.port, [siteOf(there.port, '/')]).sites;
  if (site === undefined) throw new Error('none');
  const place = `shop.example:${there.port}`;
  for (const [lists, reason] of [
    [{ allow: [], private: [] }, `"${place}" is not listed, add "${place}" to [egress] allow`],
    [{ allow: [place], private: [] }, 'to [egress] private'],
  ] as const) {
    const probe = await probeFurther(new EgressGuard(lists, { resolver }), site);
    assert.equal([probe.verdict, probe.status], ['unknown', 0]);
    assert.match(probe.reason, reason);
  }
  const lost = new EgressGuard(
    { allow: [place], private: [place] },
    { resolver: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) },
  );
  assert.is((await probeFurther(lost, site)).verdict, 'down');
  assert.is(requests, 0);
});

withOpenssl('over TLS the certificate must verify, and its days are known', async () => {
  const folder = tempFolder('desk-sites-');
  const ca = makeTestCa(folder);
  const secure = (names: [string, ...string[]], days: number) => {
    const { key, certificate } = ca.issue(names, { days });
    const files = { key: readFileSync(key), cert: readFileSync(certificate) };
    return listening(createSecure(files, (_request, response) => response.end('hello')));
  };
  await using good = await secure(['shop.example'], 5);
  await using ended = await secure(['shop.example'], -1);
  await using other = await secure(['other.example'], 50);
  const ports = [good.port, ended.port, other.port];
  const places = ports.map((port) => `shop.example:${port}`);
  const config = {
    sites: ports.map((port) => ({ name: `${port}`, url: `https://shop.example:${port}/` })),
    egress: { allow: places, private: places },
  };
  const program = programWords('./further-asked.ts', import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, [...program, JSON.stringify(config)], {
    cwd: projectRoot,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca.certificate },
  });
  const probes = JSON.parse(stdout) as Awaited<ReturnType<typeof probeFurther>>[];
  assert.equal(
    probes.map(({ verdict, status, certificate }) => [verdict, status, certificate?.daysLeft]),
    [
      ['up', 200, 4],
      ['down', 0, -2],
      ['down', 0, 49],
    ],
  );
  assert.match(probes[1]?.reason ?? '', 'has expired');
  assert.match(probes[2]?.reason ?? '', 'for other names');
});

test('a failure is repeated at once, a site that is down is asked at its interval', async () => {
  let isUp = false;
  let requests = 0;
  await using there = await serving((_request, response) => {
    requests += 1;
    response.writeHead(isUp ? 200 : 500).end();
  });
  const config = configOf(there.port, [siteOf(there.port, '/')]);
  const verdicts: string[] = [];
  let wake = (): void => undefined;
  let failures = 0;
  const watch = new FurtherWatch({
    egress: new EgressGuard(config.egress, { resolver }),
    sites: config.sites,
    probed: (_site, { verdict }) => {
      verdicts.push(verdict);
      failures = verdict === 'down' ? failures + 1 : 0;
      wake();
      return failures === 1;
    },
    confirmMs: 1,
    everyMs: 5,
  });
  const next = () => new Promise<void>((resolve) => (wake = resolve));
  await watch.probe();
  await watch.probe();
  assert.is(requests, 2);
  isUp = true;
  const later = next();
  watch.start();
  await later;
  assert.equal(verdicts.slice(0, 3), ['down', 'down', 'up']);
  // Two callers share the probe under way.
  watch.stop();
  const before = requests;
  await watch.probe();
  assert.is(requests, before);
});

/** A desk with these sites; `api` gives what was provided. */
function deskOf(config: ReturnType<typeof configSchema.parse>, role: 'service' | 'local' = 'service') {
  const provided = new Map<string, unknown>();
  const store = openMemoryStore('/nowhere', 'a test', () => undefined);
  let rechecks = 0;
  const sites = new DeskSites(
    {
      config,
      role,
      egress: new EgressGuard(config.egress, { resolver }),
      store,
      recheck: () => {
        rechecks += 1;
      },
      provide: ({ id }: Token<unknown>, api: unknown) => provided.set(id, api),
    } as never,
    async () => undefined,
  );
  const api = <Api>({ id }: Token<Api>): Api => provided.get(id) as Api;
  return { sites, api, store, rechecks: () => rechecks };
}

test('a site that goes down is an issue after the second failure, and comes back', async () => {
  let status = 200;
  await using there = await serving((_request, response) => response.writeHead(status).end());
  const config = configOf(there.port, [siteOf(there.port, '/', { name: 'shop' })]);
  const { sites, api, store, rechecks } = deskOf(config);
  const now = () => {
    const state = stateFrom({ config: { sites: [siteOf(there.port, '/')] }, sites: sites.facts });
    const issues = deskIssues(state).filter((issue) => issue.includes('shop'));
    return { issues, ok: verdictOf(state).ok, headline: headlineOf(state), shown: api(SITES).known()[0] };
  };
  assert.match(now().issues[0] ?? '', 'has not been probed yet; the first probe is running');
  assert.equal([now().shown?.state, now().shown?.probed], ['unknown', null]);
  await sites.probe();
  assert.equal([now().issues, now().ok, now().shown?.state], [[], true, 'up']);
  const before = rechecks();
  await sites.probe();
  assert.is(rechecks(), before);
  status = 500;
  await sites.probe();
  // Once is not enough.
  assert.equal([now().issues, now().ok, now().shown?.state], [[], true, 'up']);
  assert.equal([sites.facts[0]?.isFailing, sites.facts[0]?.state], [true, 'up']);
  await sites.probe();
  const down = now();
  assert.equal([down.ok, down.shown?.state, down.shown?.downs.length], [false, 'down', 1]);
  assert.equal(down.issues, [
    `The site shop (http://shop.example:${there.port}/) is down; it answers 500 and not 200-399, check the log of its server.`,
  ]);
  assert.match(down.headline, 'a site does not answer as it should');
  assert.is(down.shown?.downs[0]?.to, null);
  status = 200;
  await sites.probe();
  const again = now();
  assert.equal([again.issues, again.ok, again.shown?.state], [[], true, 'up']);
  assert.type(again.shown?.downs[0]?.to, 'string');
  sites.stop();
  store.close();
});

test('the public site of [site] is among the sites, by the probes that are made of it', async () => {
  const config = configSchema.parse({
    site: { public_url: 'https://example.org/' },
    status_page: { enabled: true, title: 'Ours', sites: ['example.org'] },
  });
  const { sites, api, store } = deskOf(config);
  const state = () =>
    api(SITES)
      .known()
      .map(({ name, main, state }) => [name, main, state]);
  assert.equal(state(), [['example.org', true, 'unknown']]);
  const at = Date.now();
  sites.mainProbed(siteProbe({ atMs: at }), 0);
  assert.equal(state(), [['example.org', true, 'up']]);
  sites.mainProbed(siteProbe({ atMs: at + 5_000, status: 0, reason: 'no', asked: true }), 5_000);
  assert.equal(state(), [['example.org', true, 'up']]);
  sites.mainProbed(siteProbe({ atMs: at + 10_000, status: 0, reason: 'no' }), 10_000);
  assert.equal(state(), [['example.org', true, 'down']]);
  sites.mainProbed(siteProbe({ atMs: at + 15_000, status: 0, reason: 'not listed', asked: false }), 15_000);
  assert.equal(state(), [['example.org', true, 'unknown']]);
  // It is judged as before: by [site], not among the further ones.
  assert.equal(sites.facts, []);
  sites.stop();
  store.close();
});

test('the status page has the chosen sites in their order, and nothing internal', async () => {
  await using there = await serving((_request, response) => response.writeHead(500).end());
  const config = configOf(
    there.port,
    ['a', 'b', 'secret'].map((name) => ({ ...siteOf(there.port, '/internal-path'), name })),
    { status_page: { enabled: true, title: 'Ours', sites: ['b', 'a'] } },
  );
  const { sites, api, store } = deskOf(config);
  await sites.probe();
  await sites.probe();
  const page = api(STATUS_PAGE).page();
  assert.equal(
    [page?.title, page?.sites.map(({ name, state }) => [name, state])],
    [
      'Ours',
      [
        ['b', 'down'],
        ['a', 'down'],
      ],
    ],
  );
  assert.is(page?.sites[0]?.downs.length, 1);
  const text = JSON.stringify(page);
  for (const inside of ['secret', 'shop.example', 'internal-path', '500', '127.0.0.1', `${there.port}`])
    assert.not.ok(text.includes(inside), inside);
  assert.is(api(STATUS_PAGE).page(), page);
  sites.stop();
  store.close();
  const off = deskOf(configOf(there.port, [siteOf(there.port, '/')]));
  assert.is(off.api(STATUS_PAGE).page(), null);
  off.store.close();
});

test('a command without a service probes each site, twice where it fails', async () => {
  let requests = 0;
  await using there = await serving((_request, response) => {
    requests += 1;
    response.end();
  });
  const { sites, api, store } = deskOf(configOf(there.port, [siteOf(there.port, '/')]), 'local');
  assert.is(sites.facts[0]?.reason, 'see it with desk sites');
  assert.equal(
    (await api(SITES).seen()).map(({ state }) => state),
    ['up'],
  );
  await api(SITES).seen();
  assert.is(requests, 1);
  store.close();
});

test('an ending certificate of a site is an improvement', () => {
  const facts = {
    name: 'shop',
    url: 'https://shop.example/',
    state: 'up' as const,
    isProbed: true,
    isFailing: false,
    reason: '',
    certificateDays: 3,
    advice: ['renew the certificate of shop.example, it ends in 3 days'],
  };
  const state = stateFrom({ sites: [facts] });
  assert.ok(improvements(state).includes('renew the certificate of shop.example, it ends in 3 days'));
  assert.is(verdictOf(state).ok, true);
});

test.run();
