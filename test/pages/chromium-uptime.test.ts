/** The status page in real Chromium: narrow and wide, light and dark, without scripts, with hostile names. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../http/service.ts';
import { assertFits, assertQuiet, assertStill, axe, openPage } from '../support/chromium.ts';
import { browserForTests } from '../support/desk-page.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { HOSTILE, INJECTED } from '../support/hostile-words.ts';
import { needs } from '../support/require.ts';
import { statusPage, watchedSite } from '../support/site.ts';

const test = suite('status page');
const browser = await browserForTests();
test.after(() => browser?.close());

const WELL = [
  watchedSite({ name: 'Shop' }),
  watchedSite({
    name: 'Wiki',
    state: 'down',
    downs: [
      { from: '2026-01-02T03:00:00.000Z', to: null, seconds: 240, reason: 'x' },
      { from: '2025-12-20T08:00:00.000Z', to: '2025-12-20T13:05:00.000Z', seconds: 18_300, reason: 'x' },
    ],
  }),
  watchedSite({ name: 'Mail', state: 'unknown', since: null, probed: null, downs: [] }),
];
const SETS = {
  plain: statusPage('Services of example.org', WELL),
  hostile: statusPage(
    HOSTILE.everything,
    [HOSTILE.everything, HOSTILE.markup, HOSTILE.long, HOSTILE.attribute].map((name) =>
      watchedSite({ name }),
    ),
  ),
};

for (const [name, page] of Object.entries(SETS))
  needs('chromium')(test, `${name}: it fits, says nothing on the console, and is accessible`, async () => {
    if (browser === null) return;
    const desk = new FakeDesk();
    desk.statusPage = page;
    const service = await startService(desk);
    try {
      for (const width of [360, 1280])
        for (const colorScheme of ['light', 'dark'] as const) {
          const url = `http://127.0.0.1:${service.port('public')}/uptime`;
          await using opened = await openPage(browser, url, { width, colorScheme });
          await assertFits(opened);
          await assertStill(opened, 0);
          assert.equal(await axe(opened), []);
          await assertQuiet(opened);
          assert.is(await opened.page.locator(`.${INJECTED}`).count(), 0);
          assert.is(await opened.page.locator('script').count(), 0);
          assert.is(await opened.page.locator('.uptime-bars title').count(), 90 * page.sites.length);
          const folder = process.env.DESK_TEST_PICTURES;
          if (folder)
            await opened.page.screenshot({
              path: `${folder}/${name}-${width}-${colorScheme}.png`,
              fullPage: true,
            });
        }
    } finally {
      await service.stop();
    }
  });

needs('chromium')(
  test,
  'the bars have the colours of their states, and the times down open without a script',
  async () => {
    if (browser === null) return;
    const desk = new FakeDesk();
    desk.statusPage = SETS.plain;
    const service = await startService(desk);
    try {
      const url = `http://127.0.0.1:${service.port('public')}/uptime`;
      await using opened = await openPage(browser, url, { javaScript: false });
      const { page } = opened;
      const item = page.locator('.uptime-downs li').first();
      assert.is(await item.isVisible(), false);
      await page.locator('summary').first().click();
      assert.is(await item.isVisible(), true);
      await using scripted = await openPage(browser, url);
      const fills = (await scripted.page.evaluate(
        "['up', 'down', 'none'].map((name) => getComputedStyle(document.querySelector('.uptime-bars .' + name)).fill)",
      )) as string[];
      assert.is(new Set(fills).size, 3);
      assert.not.ok(fills.includes('rgb(0, 0, 0)'));
    } finally {
      await service.stop();
    }
  },
);

test.run();
