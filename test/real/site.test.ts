/** A complete `desk` and a real TLS site, in a separate network namespace. */
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DeskStatus } from '../../src/records/desk-status.ts';
import type { Site } from '../../src/records/site.ts';
import { expect } from '../support/expect.ts';
import {
  connectedTo,
  NAMESPACE_NEEDS,
  type Namespace,
  namesAsked,
  startNamespace,
} from '../support/namespace.ts';
import { deskIn, type NamespacedDesk } from '../support/namespaced-desk.ts';
import { testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Leaf, makeTestCa, type TestCa } from '../support/test-ca.ts';

const test = suite('site');
const it = testsNeeding(test, ...NAMESPACE_NEEDS, 'openssl');

const ADDRESS = '93.184.215.14';
const PLACE = `${ADDRESS}:443`;

interface Scene {
  readonly namespace: Namespace;
  readonly ca: TestCa;
  readonly desk: NamespacedDesk['run'];
  readonly boot: NamespacedDesk['boot'];
  readonly hygiene: NamespacedDesk['hygiene'];
}

/** `sections` is the configuration after the listeners. */
async function inScene(sections: string, work: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = tempFolder('desk-site-');
  const ca = makeTestCa(folder);
  await using namespace = await startNamespace({
    everywhere: true,
    hosts: { 'good.example': [ADDRESS], 'www.good.example': [ADDRESS] },
  });
  const { run, boot, hygiene } = deskIn(namespace, folder, sections, {
    NODE_EXTRA_CA_CERTS: ca.certificate,
  });
  await work({ namespace, ca, desk: run, boot, hygiene });
}

/** Serves over TLS on port 443 of every address; prints one line when it listens. */
async function serve(
  { namespace }: Scene,
  leaf: Leaf,
  handler: string,
): Promise<{ stop: () => Promise<void> }> {
  const program = `
    const { readFileSync } = require('node:fs');
    const [key, cert] = ${JSON.stringify([leaf.key, leaf.certificate])}.map((path) => readFileSync(path));
    require('node:https').createServer({ key, cert }, (request, response) => { ${handler} })
      .listen(443, '0.0.0.0', () => console.log('listens'));
    process.stdin.on('end', () => process.exit(0)).resume();`;
  const child = namespace.spawn([process.execPath, '-e', program]);
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  return {
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

const SITE = `
[site]
public_url = "https://good.example/"
magazine_url = "https://good.example/magazine/"
names = ["good.example", "www.good.example", "lost.example"]
[egress]
allow = ["good.example:443"]
`;

interface Shown {
  readonly site: Site;
  readonly global_protect: DeskStatus['hostess_charge']['global_protect'];
}

it('the service probes the site at the start, reports what to do, and connects to nothing else', async () => {
  await inScene(SITE, async (scene) => {
    const handler =
      "response.writeHead(request.url === '/' ? 200 : 302, { location: 'https://www.good.example/x' }).end('hi')";
    const leaf = scene.ca.issue(['good.example'], { days: 10 });
    const server = await serve(scene, leaf, handler);
    const capture = await scene.namespace.capture();
    const service = await scene.boot();
    const { stdout, stderr } = await scene.desk(['public', '--json']);
    assert.is(stderr, '');
    const { site, global_protect: protect } = JSON.parse(stdout) as Shown;
    assert.equal([site.configured, site.status, site.ok, site.reason], [true, 200, true, '']);
    expect(site.names.map(({ name, resolves }) => [name, resolves])).equals([
      ['good.example', true],
      ['www.good.example', true],
      ['lost.example', false],
    ]);
    const { verified, days, issuer, chain } = site.certificate ?? {};
    assert.equal([verified, days, issuer, chain], [true, 9, 'Desk Test CA', 2]);
    assert.equal([site.magazine?.status, site.magazine?.ok], [302, true]);
    expect(site.history.map(({ changed, status }) => [changed, status])).equals([['first probe', 200]]);
    assert.equal(
      [protect.ok, protect.dns_green, protect.le_ready, protect.magazine_ok],
      [false, 2, false, true],
    );
    const status = JSON.parse((await scene.desk(['status', '--json'])).stdout) as DeskStatus;
    const { improvements, antivirus, security_learn: learn } = status.hostess_charge;
    assert.match(improvements, 'renew the certificate of good.example, it ends in 9 days');
    assert.match(improvements, 'fix the name lost.example: ');
    assert.match(antivirus.detail, 'outside_h=0');
    assert.is(learn.outside_h, 0);
    assert.equal([status.atomic.https, status.atomic.url], [200, 'https://good.example']);
    expect(status.issues.filter((issue) => issue.includes('good.example'))).equals([]);

    // Another process scans now; only the service records a change. Frozen, because it retries within seconds for the lost name.
    service.signal('SIGSTOP');
    await server.stop();
    const { site: gone } = JSON.parse((await scene.desk(['public', '--local', '--json'])).stdout) as Shown;
    assert.equal([gone.status, gone.ok, gone.history.length], [0, false, 1]);
    assert.match(gone.reason, 'nothing listens there');
    service.signal('SIGCONT');
    assert.is(await service.stop(), 0);
    const again = await scene.boot();
    const people = await scene.desk(['public']);
    assert.is(people.code, 1);
    assert.match(people.stdout, /good\.example {2}no answer/);
    assert.match(people.stdout, /site 200 to no answer/);
    assert.match(people.stdout, /first probe/);
    assert.is(await again.stop(), 0);

    const sent = await capture.stop();
    const outward = connectedTo(sent).filter((place) => !/^127\.0\.0\.1:\d{2,5}$/.test(place));
    assert.equal(outward, [PLACE]);
    assert.equal(namesAsked(sent), ['lost.example']);
  });
});

it('each flag of the site is true with a good site, and false when the site is down', async () => {
  const sections = SITE.replace(', "www.good.example", "lost.example"', '');
  await inScene(sections, async (scene) => {
    const flags = async () => {
      const service = await scene.boot();
      const { hostess_charge: charge } = JSON.parse(
        (await scene.desk(['status', '--json'])).stdout,
      ) as DeskStatus;
      const { ok, le_ready, magazine_ok } = charge.global_protect;
      const { live } = await scene.hygiene();
      assert.is(await service.stop(), 0, service.stderr());
      return { ok, le_ready, magazine_ok, business: live.business };
    };
    const handler = "response.writeHead(200).end('hi')";
    const server = await serve(scene, scene.ca.issue(['good.example'], { days: 90 }), handler);
    assert.equal(await flags(), { ok: true, le_ready: true, magazine_ok: true, business: true });
    await server.stop();
    assert.equal(await flags(), { ok: false, le_ready: false, magazine_ok: false, business: false });
    const short = await serve(scene, scene.ca.issue(['good.example'], { days: 10 }), handler);
    assert.equal(await flags(), { ok: false, le_ready: false, magazine_ok: true, business: false });
    await short.stop();
  });
});

it('a site that never answers delays neither the start nor the end of the service', async () => {
  await inScene(SITE, async (scene) => {
    const server = await serve(scene, scene.ca.issue(['good.example']), '');
    const service = await scene.boot();
    const status = JSON.parse((await scene.desk(['status', '--json'])).stdout) as DeskStatus;
    assert.match(status.issues.join(), 'https://good.example has not been probed yet');
    // A late end has another exit code.
    assert.is(await service.stop(), 0, service.stderr());
    await server.stop();
  });
});

it('a site that is not on the allowlist is reported at the start and as an issue, and not connected to', async () => {
  await inScene('[site]\npublic_url = "https://good.example"\n', async (scene) => {
    const server = await serve(scene, scene.ca.issue(['good.example']), 'response.end()');
    const capture = await scene.namespace.capture();
    const service = await scene.boot();
    const add = 'add "good.example:443" to [egress] allow';
    const status = JSON.parse((await scene.desk(['status', '--json'])).stdout) as DeskStatus;
    assert.match(
      status.issues.join(),
      `https://good.example cannot be reached; "good.example:443" is not listed, ${add}`,
    );
    assert.match(service.stderr(), 'good.example:443');
    assert.is(await service.stop(), 0);
    assert.not.ok(connectedTo(await capture.stop()).includes(PLACE));
    await server.stop();
  });
});

test.run();
