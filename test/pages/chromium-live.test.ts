/** Pages follow the desk: changes are shown, a lost connection is reported and restored, many tabs are one client. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHECKS } from '../../src/checks/index.ts';
import type { Finding } from '../../src/findings/finding.ts';
import {
  assertQuiet,
  assertStill,
  type Opened,
  openContext,
  openPage,
  openTab,
} from '../support/chromium.ts';
import { browserForTests, live, serveLive, settled, until } from '../support/desk-page.ts';
import { testsNeeding } from '../support/require.ts';
import { SCENE_NOW, sceneOf } from '../support/scenes.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('live pages in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
test.after(() => browser?.close());

const { parts } = sceneOf('healthy', SCENE_NOW);
const LISTENERS = parts.snapshot?.listeners ?? [];
const without = (gone: number) => ({
  snapshot: { listeners: LISTENERS.filter(({ port }) => port !== gone) },
});
const all = { snapshot: { listeners: LISTENERS } };
const [FINDING] = sceneOf('degraded', SCENE_NOW).parts.findings ?? [];

const shows = ({ page }: Opened, selector: string) => page.waitForSelector(selector, { state: 'attached' });
const link = ({ page }: Opened, state: string) =>
  page.waitForSelector(`[data-link="${state}"]`, { timeout: patientMs(40_000) });

for (const [role, path] of [
  ['office', '/'],
  ['themed', '/'],
] as const)
  it(`${role}: a port going down and up is shown, and a required one makes the desk not well`, async () => {
    await using served = await serveLive('healthy');
    await using opened = await openPage(browser, served.url(path, role));
    await live(opened);
    await shows(opened, '[data-port="443"][data-up="yes"]');
    served.sweep(without(443));
    await shows(opened, '[data-port="443"][data-up="no"]');
    served.sweep(without(22));
    await shows(opened, '[data-port="22"][data-up="no"]');
    await shows(opened, '[data-port="443"][data-up="yes"]');
    await opened.page.getByRole('heading', { name: 'The desk is not well' }).waitFor();
    assert.match(
      await opened.page.locator('section[aria-labelledby=verdict] ol').first().innerText(),
      /Required port 22/,
    );
    await until(opened, `document.title.includes('not ok')`);
    served.sweep(all);
    await shows(opened, '[data-port="22"][data-up="yes"]');
    await opened.page.getByRole('heading', { name: 'The desk is well' }).waitFor();
    await assertQuiet(opened);
  });

it('a finding appears with its evidence and disappears; figures change without a layout shift', async () => {
  if (browser === null || FINDING === undefined) return;
  await using served = await serveLive('healthy');
  await using opened = await openPage(browser, served.url('/'));
  const { page } = opened;
  await settled(opened);
  served.sweep({ recheckUs: 4_321 });
  await until(opened, `document.querySelector('[data-recheck]').textContent === '4.3 ms'`);
  await assertStill(opened, 0.01);
  served.sweep({ findings: [FINDING] });
  const card = page.locator(`[data-finding="${FINDING.id}"]`);
  await card.waitFor();
  assert.match(await card.innerText(), FINDING.summary);
  await card.locator('summary').click();
  assert.match(await card.innerText(), /class\s+deleted/);
  // Expanded parts stay expanded while the page updates.
  served.sweep({ recheckUs: 5_432 });
  await until(opened, `document.querySelector('[data-recheck]').textContent === '5.4 ms'`);
  assert.is(await card.locator('details[open]').count(), 1);
  served.sweep({ findings: [] });
  await card.waitFor({ state: 'detached' });
  assert.match(await page.locator('section[aria-labelledby=findings]').innerText(), /Nothing is found/);
  await assertQuiet(opened);
});

it('a silent service is shown as stale, a stopped one as disconnected, a restored one as live, without lost changes', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openPage(browser, served.url('/'));
  const { page } = opened;
  await settled(opened);
  const resumed: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/h7/live')) resumed.push(request.headers()['last-event-id']);
  });
  served.silence();
  await link(opened, 'stale');
  assert.match(
    await page.locator('.banner').innerText(),
    /Nothing has come from the service for \d s or longer/,
  );
  served.restore();
  await link(opened, 'live');
  assert.is(await page.locator('.banner').count(), 0);
  assert.equal(resumed, [], 'the same stream');
  served.cut();
  await link(opened, 'disconnected');
  assert.match(await page.locator('.banner').innerText(), /does not answer|ended the event stream/);
  assert.is(await page.locator('.banner').getAttribute('role'), 'alert');
  assert.ok(await page.locator('[data-port="443"]').isVisible(), 'what was known is still to be read');
  served.sweep(without(443));
  served.restore();
  await link(opened, 'live');
  await shows(opened, '[data-port="443"][data-up="no"]');
  assert.is(await page.locator('.banner').count(), 0);
  const last = resumed.at(-1) ?? '';
  assert.match(last, /^\w+-\d+$/, 'it asks for what came after the last event');
  await assertQuiet(opened, [/net::ERR_/]).catch((error: Error) => {
    // Requests without an answer are what this test is about.
    assert.equal(opened.seen.errors, [], error.message);
    assert.ok(opened.seen.failed.every((line) => line.includes('127.0.0.1')));
  });
});

it('evidence stays expanded when its finding moves into the collapsed list and back', async () => {
  if (browser === null || FINDING === undefined) return;
  const many = Array.from(
    { length: 9 },
    (_, at): Finding => ({
      ...FINDING,
      id: `00112233aabbcc0${at}`,
      severity: 'medium',
      summary: `number ${at}`,
    }),
  );
  const [first, ...rest] = many as [Finding, ...Finding[]];
  // Each of another check: several of one are one group.
  const checks = CHECKS.map(({ id }) => id).filter((id) => id !== first.check);
  const others = rest.map((one, at): Finding => ({ ...one, check: checks[at] ?? '', severity: 'high' }));
  await using served = await serveLive('healthy');
  served.sweep({ findings: [first] });
  await using opened = await openPage(browser, served.url('/'));
  await settled(opened);
  const card = opened.page.locator(`[data-finding="${first.id}"]`);
  const folded = opened.page.locator(`.fold [data-finding="${first.id}"]`);
  await card.locator('summary').click();
  served.sweep({ findings: [...others, first] });
  await folded.waitFor({ state: 'attached' });
  assert.is(await card.locator('details[open]').count(), 1);
  served.sweep({ findings: [first] });
  await folded.waitFor({ state: 'detached' });
  assert.is(await card.locator('details[open]').count(), 1);
  await card.locator('summary').click();
  served.sweep({ recheckUs: 6_543 });
  await until(opened, `document.querySelector('[data-recheck]').textContent === '6.5 ms'`);
  assert.is(await card.locator('details[open]').count(), 0);
  await assertQuiet(opened);
});

const TABS = 20;

it('twenty tabs share one stream and fetch the page once; another tab leads when the first closes', async () => {
  await using served = await serveLive('healthy');
  const context = await openContext(browser, { width: 800, height: 500 });
  const tabs: Opened[] = [];
  for (let at = 0; at < TABS; at += 1)
    tabs.push(await openTab(context, served.url(at < 4 ? '/' : '/hostess7.html')));
  await Promise.all(tabs.map((tab) => live(tab)));
  assert.is(served.streams, 1);
  // A new tab fetches its history and its tables.
  await Promise.all(tabs.slice(0, 4).map((tab) => settled(tab)));
  const before = served.requests.length;
  const down = (tab: Opened, port: number, up: string) =>
    shows(tab, `[data-port="${port}"][data-up="${up}"]`);
  const changes = 6;
  for (let at = 0; at < changes; at += 1) {
    served.sweep(at % 2 === 0 ? without(443) : all);
    await Promise.all(tabs.slice(0, 4).map((tab) => down(tab, 443, at % 2 === 0 ? 'no' : 'yes')));
  }
  const asked = served.requests.slice(before).filter(({ path }) => path === '/h7/page');
  assert.ok(
    asked.length >= changes && asked.length <= 3 * changes,
    `${asked.length} readings of ${changes} changes`,
  );
  assert.is(served.requests.slice(before).filter(({ stream }) => stream).length, 0, 'no further stream');
  const [first, ...others] = tabs;
  await first?.close();
  await Promise.all(others.slice(0, 3).map((tab) => live(tab)));
  served.sweep(without(443));
  await Promise.all(others.slice(0, 3).map((tab) => down(tab, 443, 'no')));
  assert.is(served.streams, 1);
  for (const tab of others) await assertQuiet(tab);
  await context.close();
});

test.run();
