/**
 * Opens the page of the remote listener in Chromium as a person does, and prints what it shows: walk-page.ts URL PIN PICTURE ID < TOKEN.
 * PIN: of the certificate that the browser may accept (test/support/chromium.ts). ID: a finding that must be shown. packaging/walk.ts runs
 * it on the machine that looks.
 */
import { text } from 'node:stream/consumers';
import { openTab, startChromium } from '../test/support/chromium.ts';

const [url = '', pin = '', picture = '', id = ''] = process.argv.slice(2);
const token = (await text(process.stdin)).trim();
const browser = await startChromium({ hosts: [new URL(url).hostname], pins: [pin] });
try {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    viewport: { width: 1100, height: 800 },
  });
  await using opened = await openTab(context, url);
  const { page, seen } = opened;
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.locator('[data-link=live]').waitFor();
  await page.locator(`[data-finding="${id}"]`).waitFor();
  await page.screenshot({ path: picture });
  const { violations } = await opened.observed();
  const faults = [...seen.errors, ...seen.elsewhere, ...violations];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  console.log((await page.locator('main').innerText()).replace(/\s+/g, ' '));
} finally {
  await browser.close();
}
