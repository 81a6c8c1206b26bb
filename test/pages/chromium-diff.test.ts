/** The page about changes in Chromium: read once and on request, another period, links, 360 pixels. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertFits, assertQuiet, axe, openPage } from '../support/chromium.ts';
import { browserForTests, serveLive, settled, until } from '../support/desk-page.ts';
import { expect } from '../support/expect.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('diff page in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
test.after(() => browser?.close());

const ROWS = 'section[aria-labelledby=changes] tbody tr';

it('changes are read once, and again for another period or on request; each kind says what is not known', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openPage(browser, served.url('/diff.html'));
  await settled(opened);
  const { page } = opened;
  await until(opened, `document.querySelectorAll('${ROWS}').length === 8`);
  const reads = () => served.requests.map(({ path }) => path).filter((path) => path.startsWith('/diff?'));
  for (let at = 0; at < 3; at += 1) {
    served.sweep();
    await page.waitForTimeout(120);
  }
  expect(reads()).equals(['/diff?since=24h']);
  assert.ok(served.desk.calls.includes('diff 1440 min'));
  await page.locator('label', { hasText: '7 days' }).click();
  await until(
    opened,
    `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('since=7d'))`,
  );
  await settled(opened);
  await page.getByRole('button', { name: 'Read again' }).click();
  await settled(opened);
  expect(reads()).equals(['/diff?since=24h', '/diff?since=7d', '/diff?since=7d']);
  const text = (await page.locator('main').innerText()).replace(/\s+/g, ' ');
  for (const said of [
    'A deleted program runs',
    'example.org',
    '12 short-lived',
    'nothing seen',
    'did not run',
  ])
    assert.ok(text.includes(said), `${said}: ${text}`);
  for (const to of ['/findings/0011223344556677', '/startup.html#starts', '/#listeners'])
    assert.ok((await page.locator(`main a[href="${to}"]`).count()) > 0, to);
  assert.is(await page.locator('nav a[aria-current=page]').innerText(), 'Changes');
  await assertQuiet(opened);
});

it('it fits 360 pixels, and a desk on which nothing has changed says so', async () => {
  await using served = await serveLive('empty');
  await using opened = await openPage(browser, served.url('/diff.html'), { width: 360 });
  await settled(opened);
  await opened.page.locator('.listed-none', { hasText: 'Nothing has changed.' }).waitFor();
  await assertFits(opened);
  assert.equal(await axe(opened), []);
  assert.is(await opened.page.locator('.diff-groups .state.good').count(), 8);
  await assertQuiet(opened);
});

test.run();
