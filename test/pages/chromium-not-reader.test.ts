/** The page of a user who may not read, in Chromium: it fits, is accessible without scripts, and signs a tab in by a code. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MY_UID, type Service, startService, TOKEN } from '../http/service.ts';
import { buildPages } from '../support/built-pages.ts';
import {
  assertFits,
  assertStill,
  axe,
  openContext,
  openPage,
  openTab,
  startChromium,
} from '../support/chromium.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { testsNeeding } from '../support/require.ts';
import { findingFrom } from '../support/state.ts';

const test = suite('not a reader, in Chromium');
const it = testsNeeding(test, 'chromium');
const STRANGER = MY_UID + 4711;
/** `DESK_SHOTS=FOLDER` keeps pictures of the page. */
const shots = process.env.DESK_SHOTS ?? '';

async function serving(work: (service: Service, url: string, code: () => Promise<string>) => Promise<void>) {
  buildPages();
  const desk = new FakeDesk(loopbackConfig());
  desk.parts = { findings: [findingFrom()] };
  desk.keepsState = true;
  desk.sweep();
  const service = await startService(desk, { peerUid: () => STRANGER });
  const code = async () =>
    ((await service.post('/session/code', {}, { token: TOKEN })).json() as { code: string }).code;
  try {
    await work(service, `http://127.0.0.1:${service.port('office')}/`, code);
  } finally {
    await service.stop();
  }
}

it('the page fits wide and narrow screens, reads without scripts, and nothing moves', () =>
  serving(async (_service, url) => {
    const browser = await startChromium();
    try {
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [360, 'light'],
        [1280, 'dark'],
      ] as const) {
        await using opened = await openPage(browser, url, { width, colorScheme });
        const { page } = opened;
        await page.getByRole('heading', { name: 'Your user may not read this desk' }).waitFor();
        await page.getByRole('button', { name: 'Sign in' }).and(page.locator(':enabled')).waitFor();
        await assertFits(opened);
        await assertStill(opened, 0.01);
        assert.equal(await axe(opened), []);
        assert.equal((await opened.observed()).violations, []);
        assert.equal(opened.seen.elsewhere, []);
        if (shots !== '') {
          mkdirSync(shots, { recursive: true });
          await page.screenshot({ path: join(shots, `${width}-${colorScheme}.png`), fullPage: true });
        }
      }
      await using plain = await openPage(browser, url, { javaScript: false });
      // Chromium without scripts by the DevTools protocol parses what is in `noscript` as text, and does not draw it.
      assert.match(await plain.page.content(), 'This field needs JavaScript');
      assert.is(await plain.page.getByRole('button', { name: 'Sign in' }).isDisabled(), true);
      await plain.page.getByText('sudo usermod -aG').waitFor();
    } finally {
      await browser.close();
    }
  }));

it('a pasted address or code opens the page that was asked for, in this tab alone, and no token is in an address', () =>
  serving(async (_service, url, code) => {
    const browser = await startChromium();
    try {
      const context = await openContext(browser);
      await using opened = await openTab(context, `${url}startup.html`);
      const { page, seen } = opened;
      const field = page.getByLabel('Address or code');
      const enter = async (text: string) => {
        await field.fill(text);
        await page.getByRole('button', { name: 'Sign in' }).click();
      };
      await enter('made-up');
      await page.getByRole('alert').getByText('The code is unknown, used or older').waitFor();
      await enter(`desk_${'A'.repeat(43)}`);
      await page.getByRole('alert').getByText('opens the remote listener').waitFor();
      await enter(`http://localhost:1234/#code=${await code()}`);
      await page.getByRole('heading', { name: 'What starts by itself' }).first().waitFor();
      await page.locator('[data-link=live]').waitFor();

      // Other pages, and a reload, in the same tab.
      await page.getByRole('link', { name: 'Links', exact: true }).first().click();
      await page.locator('[data-link=live]').waitFor();
      assert.is(new URL(page.url()).pathname, '/links.html');
      await page.goto(url);
      await page.locator('[data-finding]').first().waitFor();
      assert.match(await page.title(), /^Desk /);

      // Another tab has nothing.
      await using second = await openTab(context, url);
      await second.page.getByLabel('Address or code').waitFor();
      assert.is(await second.page.locator('[data-finding]').count(), 0);
      // The address of "desk open", put into it.
      await second.page.goto(`${url}#code=${await code()}`);
      await second.page.locator('[data-finding]').first().waitFor();
      assert.is(second.page.url(), url);
      assert.equal(seen.errors, []);
      assert.equal(seen.elsewhere, []);
      assert.equal((await opened.observed()).violations, []);
      assert.ok([...seen.requests, ...second.seen.requests].every((asked) => !/code=|token/i.test(asked)));
    } finally {
      await browser.close();
    }
  }));

test.run();
