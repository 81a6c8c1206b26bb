/** The results of a site probe: facts, advice, history. A fake resolver and servers on loopback stand in for the network. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../../src/config/schema.ts';
import { EgressGuard } from '../../../src/egress/guard.ts';
import { probedFacts, siteFacts } from '../../../src/features/site/facts.ts';
import { lineAfter } from '../../../src/features/site/history.ts';
import { probeSite, siteTargets } from '../../../src/features/site/probe.ts';
import { SiteWatch } from '../../../src/features/site/site-watch.ts';
import { chargeReport } from '../../../src/records/charge-report.ts';
import { deskIssues, improvements } from '../../../src/records/problems.ts';
import { site } from '../../../src/records/site.ts';
import type { SiteLine, SiteProbe } from '../../../src/records/site-probe.ts';
import { expect } from '../../support/expect.ts';
import { forAll } from '../../support/for-all.ts';
import { PROBED_MS, siteLine, siteProbe } from '../../support/site.ts';
import { stateFrom } from '../../support/state.ts';

const test = suite('site probe');

/** The embedded public page does not answer. */
const SILENT = { status: 0, reason: '' };

async function serving(
  status: (path: string) => number,
): Promise<{ server: Server; port: number } & AsyncDisposable> {
  const server = createServer((request, response) =>
    response.writeHead(status(request.url ?? ''), { location: 'http://127.0.0.1:1/' }).end(),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return {
    server,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const answers: Readonly<Record<string, readonly string[]>> = {
  'desk.example': ['127.0.0.1'],
  'open.example': ['93.184.215.14', '2606:2800:21f:cb07::1'],
  'inside.example': ['10.0.0.1'],
};
const resolver = async (host: string): Promise<readonly string[]> => {
  const found = answers[host];
  if (found === undefined) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
  return found;
};

test('a probe reports site, magazine and each name according to the egress rules', async () => {
  await using there = await serving((path) => (path === '/magazine/' ? 308 : 204));
  const place = `desk.example:${there.port}`;
  const config = configSchema.parse({
    site: {
      public_url: `http://${place}`,
      magazine_url: `http://${place}/magazine/`,
      names: [
        'desk.example',
        'open.example:443',
        'inside.example:443',
        'inside.example',
        'lost.example',
        '127.0.0.1:80',
        '[::1]',
        '::1',
      ],
    },
    egress: { allow: [place, 'open.example:443', 'inside.example:443'], private: [place] },
  });
  const guard = new EgressGuard(config.egress, { resolver });
  const probe = await probeSite(guard, siteTargets(config), PROBED_MS);
  assert.equal([probe.status, probe.reason, probe.redirect], [204, '', 'http://127.0.0.1:1/']);
  assert.equal(probe.magazine, { url: `http://${place}/magazine/`, status: 308, reason: '' });
  assert.equal(
    probe.names.map(({ name, resolves, addresses }) => [name, resolves, addresses]),
    [
      ['desk.example', true, 1],
      ['open.example', true, 2],
      // Listed but not public; with a port that is not listed the name is only resolved.
      ['inside.example', false, 0],
      ['inside.example', true, 1],
      ['lost.example', false, 0],
    ],
  );
  assert.match(probe.names[2]?.reason ?? '', 'add "inside.example:443" to [egress] private');
  assert.is(probe.certificate, null);
  const facts = siteFacts(probedFacts(config, probe, true), probe.url, SILENT);
  assert.equal(
    [
      facts.configured,
      facts.status,
      facts.dnsGreen,
      facts.dnsTotal,
      facts.magazineOk,
      facts.certificateReady,
    ],
    [true, 204, 3, 5, true, false],
  );
  assert.equal(guard.totals.connections, { [place]: 2 });
});

test('an unlisted site is not contacted, and the issue says what to add', async () => {
  const config = configSchema.parse({ site: { public_url: 'https://www.example.org/' } });
  const guard = new EgressGuard(config.egress, { resolver });
  const probe = await probeSite(guard, siteTargets(config), PROBED_MS);
  const facts = siteFacts(probedFacts(config, probe, true), 'https://www.example.org', SILENT);
  const [issue, ...more] = deskIssues(stateFrom({ config: { site: config.site }, site: facts })).filter(
    (one) => one.includes('site'),
  );
  assert.equal(more, []);
  assert.is(
    issue,
    'The site https://www.example.org cannot be reached; "www.example.org:443" is not listed, add "www.example.org:443" to [egress] allow.',
  );
});

test('a failing server is reported with its status, and before the first scan no result is reported', async () => {
  await using there = await serving(() => 503);
  const place = `desk.example:${there.port}`;
  const config = configSchema.parse({
    site: { public_url: `http://${place}/` },
    egress: { allow: [place], private: [place] },
  });
  const probe = await probeSite(new EgressGuard(config.egress, { resolver }), siteTargets(config), PROBED_MS);
  const issueOf = (one: SiteProbe | null) =>
    deskIssues(
      stateFrom({
        config: { site: config.site },
        site: siteFacts(probedFacts(config, one, true), `http://${place}`, SILENT),
      }),
    ).find((issue) => issue.includes(place));
  assert.match(issueOf(probe) ?? '', /answers 503; it answers 503, check the log of its server\.$/);
  assert.match(issueOf(null) ?? '', 'has not been probed yet; ');
});

test('problems of names, certificate and magazine become improvements with what to do', () => {
  const config = configSchema.parse({ site: { public_url: 'https://example.org' } });
  const of = (probe: SiteProbe) => {
    const facts = siteFacts(probedFacts(config, probe, true), 'https://example.org', SILENT);
    const deskState = stateFrom({ config: { site: config.site }, site: facts });
    return {
      facts,
      steps: improvements(deskState),
      protect: chargeReport.assemble(deskState).global_protect,
    };
  };
  const healthy = of(siteProbe());
  assert.equal(
    [
      healthy.steps.filter((step) => /example/.test(step)),
      healthy.protect.ok,
      healthy.protect.le_ready,
      healthy.protect.dns_green,
    ],
    [[], true, true, 2],
  );
  const certificate = siteProbe().certificate;
  if (certificate === null) throw new Error('none');
  for (const [daysLeft, ready, words] of [
    [15, true, ''],
    [14, false, 'renew the certificate of example.org, it ends in 14 days'],
    [1, false, 'renew the certificate of example.org, it ends in 1 day'],
    [-1, false, 'renew the certificate of example.org, it has ended'],
  ] as const) {
    const { facts, steps, protect } = of(siteProbe({ certificate: { ...certificate, daysLeft } }));
    assert.equal([facts.certificateReady, facts.certificateDays, protect.le_ready], [ready, daysLeft, ready]);
    expect(steps.filter((step) => step.includes('certificate'))).equals(words === '' ? [] : [words]);
  }
  const failing = of(
    siteProbe({
      names: [
        {
          name: 'www.example.org',
          resolves: false,
          addresses: 0,
          reason: 'the name does not resolve',
        },
      ],
      magazine: {
        url: 'https://example.org/m',
        status: 0,
        reason: 'nothing listens there, start the server',
      },
    }),
  );
  assert.ok(failing.steps.includes('fix the name www.example.org: the name does not resolve'));
  assert.ok(
    failing.steps.includes(
      'check the magazine https://example.org/m: nothing listens there, start the server',
    ),
  );
  assert.equal([failing.protect.ok, failing.protect.magazine_ok], [false, false]);
});

test('the history gets a line for each change and one each hour', () => {
  const at = (minutes: number, parts: Partial<SiteProbe> = {}) =>
    siteProbe({ atMs: PROBED_MS + minutes * 60_000, ms: minutes, ...parts });
  const lines: SiteLine[] = [];
  const note = (probe: SiteProbe): string | null => {
    const line = lineAfter(lines[0] ?? null, probe);
    if (line !== null) lines.unshift(line);
    return line?.changed ?? null;
  };
  assert.is(note(at(0)), 'first probe');
  assert.is(note(at(5)), null);
  assert.is(note(at(10, { status: 0, reason: 'nothing listens there' })), 'site 200 to no answer');
  assert.is(note(at(15, { status: 0, reason: 'the host cannot be reached' })), 'the host cannot be reached');
  assert.is(note(at(20)), 'site no answer to 200');
  assert.is(note(at(79)), null);
  assert.is(note(at(80)), '');
  const names = [
    { name: 'www.example.org', resolves: false, addresses: 0, reason: 'x' },
    ...siteProbe().names.slice(0, 1),
  ];
  assert.is(note(at(85, { names })), 'www.example.org lost');
  assert.is(note(at(90)), 'www.example.org resolves');
  const renewed = {
    ...siteProbe().certificate,
    validTo: '2026-06-11T00:00:00.000Z',
    daysLeft: 150,
  } as SiteProbe['certificate'];
  assert.is(note(at(95, { certificate: renewed })), 'certificate until 2026-03-13 to until 2026-06-11');
  assert.is(note(at(100, { certificate: renewed, magazine: null })), 'magazine 301 to not configured');
  // One day less is not a change, a clock set back by more than an hour is one.
  const later = { ...renewed, daysLeft: 149 } as SiteProbe['certificate'];
  assert.is(note(at(105, { certificate: later, magazine: null })), null);
  assert.is(note(at(-400, { certificate: later, magazine: null })), '');
  assert.is(
    note(at(-395, { url: 'https://other.example', certificate: null, magazine: null, names: [] })),
    'first probe',
  );
});

test('equal probes within an hour add no history line, and different ones name the change', () => {
  const probe = fc.record({
    status: fc.constantFrom(0, 200, 301, 503),
    reason: fc.constantFrom('', 'a', 'b'),
    names: fc.array(
      fc.record({
        name: fc.constantFrom('a.example', 'b.example'),
        resolves: fc.boolean(),
        addresses: fc.nat(3),
        reason: fc.string(),
      }),
      { maxLength: 3 },
    ),
    certificate: fc.constantFrom(null, siteProbe().certificate),
    magazine: fc.constantFrom(null, siteProbe().magazine),
  });
  forAll(probe, probe, (one, other) => {
    const first = lineAfter(null, siteProbe(one));
    assert.is(first?.changed, 'first probe');
    const kept = JSON.parse(JSON.stringify(first)) as SiteLine;
    assert.is(lineAfter(kept, siteProbe({ ...one, atMs: PROBED_MS + 60_000, ms: 7 })), null);
    const next = lineAfter(kept, siteProbe({ ...other, atMs: PROBED_MS + 60_000 }));
    if (one.status !== other.status) assert.match(next?.changed ?? '', 'site ');
    if (next !== null) assert.ok(next.changed !== '');
  });
});

test('the record shows the scan and the history', () => {
  const record = site.assemble({
    state: stateFrom({
      config: { site: { public_url: 'https://example.org' } },
      site: { status: 200, name: 'example.org' },
    }),
    probe: siteProbe(),
    history: [siteLine()],
  });
  site.schema.parse(record);
  assert.equal([record.ok, record.ms, record.probed?.slice(0, 19)], [true, 41.3, '2026-01-02T03:04:05']);
  assert.equal([record.certificate?.days, record.magazine?.ok, record.names.length], [69, true, 2]);
  assert.equal(record.history[0]?.resolved, 2);
});

interface Watching {
  readonly watch: SiteWatch;
  readonly lines: SiteLine[];
  scans: number;
}

function watching(port: number, everyMs = 300_000, now: () => number = Date.now): Watching {
  const place = `desk.example:${port}`;
  const lines: SiteLine[] = [];
  const state: Watching = {
    lines,
    scans: 0,
    watch: new SiteWatch({
      egress: new EgressGuard({ allow: [place], private: [place] }, { resolver }),
      targets: { url: `http://${place}/`, magazine: '', names: [] },
      history: { list: (limit) => lines.slice(0, limit), record: (line) => void lines.unshift(line) },
      probed: () => {
        state.scans++;
      },
      everyMs,
      againMs: 1,
      now,
    }),
  };
  return state;
}

test('overlapping scans are merged, each scan is reported, and changes are recorded', async () => {
  let status = 200;
  await using there = await serving(() => status);
  const one = watching(there.port);
  await Promise.all([one.watch.probe(), one.watch.probe()]);
  assert.equal([one.scans, one.watch.latest?.status, one.lines.length], [1, 200, 1]);
  await one.watch.probe();
  status = 500;
  await one.watch.probe();
  assert.equal([one.scans, one.lines.map(({ changed }) => changed)], [3, ['site 200 to 500', 'first probe']]);
  // Another process that continues this history does not start it again.
  const next = watching(there.port);
  next.lines.push(...one.lines);
  await next.watch.probe();
  assert.is(next.lines.length, 2);
});

test('scans repeat until stopped, and a scan still running then is not reported', async () => {
  await using there = await serving(() => 200);
  const one = watching(there.port, 5);
  one.watch.start();
  const ticking = setInterval(() => undefined, 1_000);
  for (let waited = 0; one.scans < 3 && waited < 10_000; waited += 10)
    await new Promise((done) => setTimeout(done, 10));
  assert.ok(one.scans >= 3);
  const last = one.watch.probe();
  one.watch.stop();
  const { scans } = one;
  await last;
  await new Promise((done) => setTimeout(done, 50));
  clearInterval(ticking);
  assert.is(one.scans, scans);
});

test('a failed scan is repeated soon, not after the full period', async () => {
  let status = 503;
  await using there = await serving(() => status);
  const one = watching(there.port, 3_600_000);
  one.watch.start();
  await one.watch.probe();
  const keep = setInterval(() => undefined, 50);
  try {
    while (one.scans < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    status = 200;
    while (one.watch.latest?.status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
  } finally {
    clearInterval(keep);
    one.watch.stop();
  }
});

test('without a configured site nothing is probed', async () => {
  const one = new SiteWatch({
    egress: new EgressGuard({ allow: [], private: [] }),
    targets: siteTargets(configSchema.parse({})),
    history: { list: () => [], record: () => assert.unreachable() },
    probed: () => assert.unreachable(),
  });
  assert.not.ok(one.wanted);
  await one.probe();
  assert.is(one.latest, null);
});

test.run();
