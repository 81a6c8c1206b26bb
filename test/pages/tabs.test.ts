/** Tabs in Chromium with a hung leading tab, a service that was gone, a loop that is off, and a code in the address. */
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { APART_MS } from '../../src/pages/browser/again.ts';
import { buildPages } from '../support/built-pages.ts';
import { type Opened, openContext, openTab, startChromium } from '../support/chromium.ts';
import { missing, testsNeeding } from '../support/require.ts';
import { type ServedScene, serveScene } from '../support/served-scene.ts';

const it = testsNeeding(test, 'chromium');

let browser: Browser;
test.before(async () => {
  if (missing('chromium') !== null) return;
  buildPages();
  browser = await startChromium();
});
test.after(() => browser?.close());

async function within(act: (scene: ServedScene, context: BrowserContext) => Promise<void>): Promise<void> {
  await using scene = await serveScene('degraded');
  const context = await openContext(browser);
  try {
    await act(scene, context);
  } finally {
    await context.close();
  }
}

const linked = ({ page }: Opened, state: string): Promise<void> =>
  page.locator(`[data-link="${state}"]`).waitFor();
const timeShown = ({ page }: Opened): Promise<string | null> =>
  page.locator('[data-link] time').getAttribute('datetime');

it('a visible tab takes over from a hung one, which then follows', () =>
  within(async (scene, context) => {
    const end = scene.keepSweeping(500);
    try {
      const leading = await openTab(context, scene.url());
      await linked(leading, 'live');
      const following = await openTab(context, scene.url('/links.html'));
      await linked(following, 'live');
      assert.is(scene.requests.filter(({ stream }) => stream).length, 1);
      const debug = await context.newCDPSession(leading.page);
      await debug.send('Debugger.enable');
      const hung = leading.page.evaluate('debugger').catch(() => undefined);
      await linked(following, 'stale');
      await linked(following, 'live');
      assert.is(scene.requests.filter(({ stream }) => stream).length, 2);
      await debug.send('Debugger.resume');
      await hung;
      await leading.page.waitForFunction(
        `navigator.locks.query().then(({ pending }) => pending.length === 1)`,
      );
      await linked(leading, 'live');
      while (scene.streams > 1) await setTimeout(50);
    } finally {
      end();
    }
  }));

it('a new tab shows what the service sent, not the state of an older tab', () =>
  within(async (scene, context) => {
    const older = await openTab(context, scene.url());
    await linked(older, 'live');
    const remembered = (await timeShown(older)) ?? '';
    scene.cut();
    await linked(older, 'disconnected');
    scene.restore();
    scene.sweep();
    const newer = await openTab(context, scene.url());
    await linked(newer, 'live');
    assert.ok(Date.parse((await timeShown(newer)) ?? '') > Date.parse(remembered));
    // Tabs that had lost the service are notified by the new tab.
    await linked(older, 'live');
  }));

/** From here on no timer of a tab fires that is longer than the maximum retry delay; rendering continues. */
const noWaitEnds = ({ page }: Opened): Promise<unknown> =>
  page.evaluate(
    `{ const begin = setTimeout; globalThis.setTimeout = (end, ms, ...rest) => ms > ${APART_MS} ? 0 : begin(end, ms, ...rest); }`,
  );

/** Resolves when the leading tab has received all messages of this one: it answers an old page with its own. */
const HEARD = `new Promise((resolve) => {
  const channel = new BroadcastChannel('desk');
  channel.onmessage = ({ data }) => data.kind === 'page' && resolve(channel.close());
  channel.postMessage({ kind: 'hello', ts: new Date(0).toISOString() });
})`;

for (const event of ['focus', 'online', 'visibilitychange'] as const)
  it(`a tab that has lost the service retries at once: ${event}`, () =>
    within(async (scene, context) => {
      const opened = await openTab(context, scene.url());
      await linked(opened, 'live');
      await noWaitEnds(opened);
      scene.cut();
      await linked(opened, 'disconnected');
      scene.restore();
      scene.sweep();
      await setTimeout(APART_MS);
      const target = event === 'visibilitychange' ? 'document' : 'window';
      await opened.page.evaluate(`${target}.dispatchEvent(new Event('${event}'))`);
      await linked(opened, 'live');
    }));

it('many tabs that get the focus while the service is gone send one request', () =>
  within(async (scene, context) => {
    // Without sweeps the tabs would be stale after some seconds, however long opening them takes.
    const end = scene.keepSweeping(500);
    try {
      const tabs = [await openTab(context, scene.url())];
      const [leading] = tabs as [Opened];
      await linked(leading, 'live');
      for (let at = 0; at < 5; at += 1) tabs.push(await openTab(context, scene.url('/links.html')));
      await Promise.all(tabs.map((tab) => linked(tab, 'live')));
      await noWaitEnds(leading);
      scene.cut();
      await Promise.all(tabs.map((tab) => linked(tab, 'disconnected')));
      await setTimeout(APART_MS);
      // All of them fetch at the same time. Where the time stood still for the leading tab alone, the others would take over from it.
      for (const tab of tabs.toReversed())
        await tab.page.evaluate('{ const now = performance.now(); performance.now = () => now; }');
      const streams = () => scene.requests.filter(({ stream }) => stream).length;
      const before = streams();
      const look = `for (let time = 0; time < 20; time += 1) for (const name of ['focus', 'online']) dispatchEvent(new Event(name))`;
      for (const tab of tabs) await tab.page.evaluate(look);
      for (const tab of tabs.slice(1)) await tab.page.evaluate(HEARD);
      while (streams() === before) await setTimeout(20);
      assert.is(streams(), before + 1);
      scene.restore();
      for (const tab of tabs) await tab.page.evaluate('delete performance.now');
      await setTimeout(APART_MS);
      await leading.page.evaluate(look);
      await Promise.all(tabs.map((tab) => linked(tab, 'live')));
    } finally {
      end();
    }
  }));

it('a disabled loop is reported as off', () =>
  within(async (scene, context) => {
    scene.sweep({ loop: { on: false, mode: 'off' } });
    const opened = await openTab(context, scene.url());
    await linked(opened, 'stale');
    assert.match(await opened.page.locator('.banner').innerText(), 'The loop is off');
  }));

it('between two rechecks of a long period the page is not stale', () =>
  within(async (scene, context) => {
    scene.sweep({ loop: { mode: 'poll', periodMs: 3_600_000 } });
    const opened = await openTab(context, scene.url());
    await linked(opened, 'live');
    await opened.page.clock.install();
    await opened.page.clock.runFor(60_000);
    assert.is(await opened.page.locator('[data-link]').getAttribute('data-link'), 'live');
  }));

it('a code of desk open in a tab that already shows the desk is exchanged, and a refusal is shown', () =>
  within(async (scene, context) => {
    const opened = await openTab(context, scene.url());
    await linked(opened, 'live');
    await opened.page.evaluate(`location.hash = 'code=${'x'.repeat(20)}'`);
    await opened.page.getByText('not signed in').waitFor();
    assert.is(await opened.page.evaluate('location.hash'), '');
  }));

it('events without the page record do not count as live', () =>
  within(async (scene, context) => {
    const end = scene.keepSweeping(500);
    try {
      const opened = await openTab(context, scene.url());
      const other = await openTab(context, scene.url('/links.html'));
      await linked(other, 'live');
      await context.route('**/h7/page', (route) => route.fulfill({ status: 500, json: { title: 'Broken' } }));
      for (const tab of [opened, other]) {
        await linked(tab, 'stale');
        assert.match(await tab.page.locator('.banner').innerText(), 'Broken');
      }
      await context.unroute('**/h7/page');
      for (const tab of [opened, other]) await linked(tab, 'live');
    } finally {
      end();
    }
  }));

test.run();
