/** The status page: on the public and the themed listener alone, kept for a short time, and nothing of its texts is markup. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HOSTILE, INJECTED } from '../support/hostile-words.ts';
import { statusPage, watchedSite } from '../support/site.ts';
import { type Service, startService } from './service.ts';

let service: Service;
test.before(async () => {
  service = await startService();
});
test.after(() => service.stop());

const PATHS = ['/uptime', '/uptime.json'];

test('it is served to everyone on the public listener, and on the themed one', async () => {
  for (const path of PATHS) {
    for (const role of ['public', 'themed'] as const) {
      const { status, text } = await service.ask(path, { role });
      assert.is(status, 200, `${path} ${role}`);
      assert.match(text, 'Services');
    }
    for (const role of ['control', 'office'] as const)
      assert.is((await service.ask(path, { role })).status, 404, `${path} ${role}`);
  }
  const { sites } = (await service.ask('/uptime.json', { role: 'public' })).json() as {
    sites: { name: string; days: unknown[] }[];
  };
  assert.equal(
    sites.map(({ name, days }) => [name, days.length]),
    [['shop', 90]],
  );
});

test('it may be kept for a short time, and is not sent again while nothing changed', async () => {
  for (const path of PATHS) {
    const { headers } = await service.ask(path, { role: 'public' });
    assert.is(headers['cache-control'], 'public, max-age=5');
    const etag = headers.etag ?? '';
    assert.match(etag, /^"[\w-]{22}"$/);
    const again = await service.ask(path, { role: 'public', headers: { 'if-none-match': etag } });
    assert.equal(
      [again.status, again.text, again.headers.etag, again.headers['cache-control']],
      [304, '', etag, 'public, max-age=5'],
    );
    assert.is((await service.ask(path, { role: 'public', headers: { 'if-none-match': '"x"' } })).status, 200);
  }
  // Other answers are not kept by anyone.
  assert.is((await service.ask('/', { role: 'public' })).headers['cache-control'], 'no-store');
});

test('a change of the record changes page and tag', async () => {
  const tag = async () => (await service.ask('/uptime', { role: 'public' })).headers.etag;
  const before = await tag();
  service.desk.statusPage = statusPage('Services', [watchedSite({ state: 'down' })]);
  assert.is.not(await tag(), before);
  assert.match((await service.ask('/uptime', { role: 'public' })).text, '1 of 1 down');
  service.desk.statusPage = statusPage();
});

test('it says what is not known, and never rounds up to 100 %', async () => {
  service.desk.statusPage = statusPage('Services', [
    watchedSite({
      state: 'unknown',
      since: null,
      probed: null,
      uptime: {
        day: { up: 0.999999, known: 1 },
        week: { up: 1, known: 1 },
        month: { up: 0.5, known: 0.25 },
        quarter: { up: null, known: 0 },
      },
    }),
  ]);
  const { text } = await service.ask('/uptime', { role: 'public' });
  assert.match(text, '1 of 1 not known');
  assert.match(text, 'not checked yet');
  const shares = [...text.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)].map(([, span, share]) => [
    span,
    share?.replace(/<[^>]*>/g, ''),
  ]);
  assert.equal(shares, [
    ['24 hours', '99.99 %'],
    ['7 days', '100.00 %'],
    ['30 days', '50.00 % (25.00 % known)'],
    ['90 days', 'not known'],
  ]);
  service.desk.statusPage = statusPage();
});

test('names and titles are texts, whatever they hold', async () => {
  const words = [HOSTILE.everything, HOSTILE.markup, HOSTILE.script, HOSTILE.attribute];
  service.desk.statusPage = statusPage(
    HOSTILE.everything,
    words.map((name) => watchedSite({ name })),
  );
  const { text, headers } = await service.ask('/uptime', { role: 'public' });
  // Values of attributes apart: there the texts are quoted.
  assert.not.match(text.replace(/"[^"]*"/g, '""'), new RegExp(`<[^>]*${INJECTED}`));
  assert.not.match(text, /<script|<img|\u202e|\u200b/);
  assert.match(headers['content-security-policy'] ?? '', "default-src 'none'");
  const data = await service.ask('/uptime.json', { role: 'public' });
  assert.is((data.json() as { sites: { name: string }[] }).sites[1]?.name, HOSTILE.markup);
  service.desk.statusPage = statusPage();
});

test('without a status page there is nothing', async () => {
  service.desk.statusPage = null;
  for (const path of PATHS) {
    const { status, text } = await service.ask(path, { role: 'public' });
    assert.is(status, 404);
    assert.not.match(text, /status_page|shop/);
  }
  service.desk.statusPage = statusPage();
});

test.run();
