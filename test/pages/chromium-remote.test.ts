/** The page of the remote listener in Chromium, over TLS: it asks for a token, shows the desk live, and ends with the token. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../http/service.ts';
import { buildPages } from '../support/built-pages.ts';
import { axe, openTab, startChromium } from '../support/chromium.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { testsNeeding } from '../support/require.ts';
import { findingFrom } from '../support/state.ts';

const test = suite('remote page in Chromium');
const it = testsNeeding(test, 'chromium');

it('a token is entered, what is shown follows the desk, and a revoked token ends it', async () => {
  buildPages();
  const desk = new FakeDesk(loopbackConfig({ listen: { remote: { enabled: true } } }));
  desk.parts = {
    findings: [findingFrom({ summary: 'canary in a summary', evidence: { command: 'canary' } })],
  };
  desk.keepsState = true;
  desk.sweep();
  const { token } = desk.remote.tokens.make('browser', 3_600_000);
  const service = await startService(desk);
  const browser = await startChromium();
  const url = `https://127.0.0.1:${service.port('remote')}/`;
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, serviceWorkers: 'block' });
    await using opened = await openTab(context, url);
    const { page, seen } = opened;
    await page.getByLabel('Token').fill(`${token}x`);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('alert').getByText('The token is not valid').waitFor();
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('[data-link=live]').waitFor();
    await page.locator('[data-finding]').waitFor();
    assert.is(await page.locator('[data-finding]').count(), 1);
    assert.not.match(await page.content(), 'canary');
    assert.ok(!page.url().includes('desk_'));
    assert.equal(await axe(opened), []);

    // The same tab signs in by itself after a reload.
    await page.reload();
    await page.locator('[data-finding]').waitFor();
    desk.parts = { findings: [findingFrom(), findingFrom({ id: '1122334455667788', severity: 'critical' })] };
    desk.sweep();
    const shown = desk.remote.ids.shown('1122334455667788');
    await page.locator(`[data-finding="${shown}"]`).waitFor();
    assert.is(await page.locator('[data-finding="1122334455667788"]').count(), 0);
    // A link to a finding leads to it, also after a reload.
    await page.getByRole('link', { name: `Link to finding ${shown}` }).click();
    assert.is(new URL(page.url()).hash, `#finding-${shown}`);
    await page.reload();
    await page.locator(`#finding-${shown}`).waitFor();

    desk.remote.tokens.revoke('browser');
    await page.getByLabel('Token').waitFor();
    assert.is(await page.locator('[data-finding]').count(), 0);
    await page.reload();
    await page.getByLabel('Token').waitFor();
    assert.equal((await opened.observed()).violations, []);
    assert.equal(seen.errors, []);
    assert.equal(seen.elsewhere, []);
  } finally {
    await browser.close();
    await service.stop();
    await desk.remote.close();
  }
});

test.run();
