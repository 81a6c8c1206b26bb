/** The startup page in Chromium: read on demand and never by itself, filtered, with links to findings; on paper; by keyboard. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertFits, assertQuiet, axe, type Opened, openPage } from '../support/chromium.ts';
import { browserForTests, type LiveScene, serveLive, settled, until } from '../support/desk-page.ts';
import { expect } from '../support/expect.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('startup page in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
test.after(() => browser?.close());

const section = ({ page }: Opened, id: string) => page.locator(`section[aria-labelledby=${id}]`);
const rows = (opened: Opened, id: string) => section(opened, id).locator('tbody tr');
const count = (opened: Opened, id: string, want: number) =>
  until(opened, `document.querySelectorAll('section[aria-labelledby=${id}] tbody tr').length === ${want}`);

async function openStartup(served: LiveScene, view: object = {}): Promise<Opened> {
  if (browser === null) throw new Error('there is no browser');
  const opened = await openPage(browser, served.url('/startup.html'), view);
  await settled(opened);
  for (const id of ['starts', 'accounts', 'packages']) {
    await section(opened, id).scrollIntoViewIfNeeded();
    await section(opened, id).locator('.listed-box[aria-busy=false]').waitFor();
  }
  await settled(opened);
  return opened;
}

const reads = (served: LiveScene): string[] =>
  served.requests
    .map(({ path }) => path)
    .filter((path) => /^\/(?:startup|accounts|packages)(?:\?|$)/.test(path));

it('each table is read once, however many rechecks there are, and again on request', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openStartup(served);
  const once = ['/startup?show=unvouched&fresh=false', '/accounts?show=active', '/packages?fresh=false'];
  expect(reads(served)).equals(once);
  for (let at = 0; at < 5; at += 1) {
    served.sweep();
    await opened.page.waitForTimeout(120);
  }
  for (const id of ['packages', 'starts']) await section(opened, id).scrollIntoViewIfNeeded();
  await settled(opened);
  expect(reads(served)).equals(once);
  assert.not.ok(served.desk.calls.includes('startup scan'), 'no full pass by itself');
  assert.not.ok(served.desk.calls.includes('packages verify'), 'no comparison by itself');
  await section(opened, 'starts').getByRole('button', { name: 'Read again' }).click();
  await until(
    opened,
    `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('fresh=true'))`,
  );
  await settled(opened);
  assert.ok(served.desk.calls.includes('startup scan'));
  await section(opened, 'packages').getByRole('button', { name: 'Compare now' }).click();
  await settled(opened);
  assert.ok(served.desk.calls.includes('packages verify'));
  await assertQuiet(opened);
});

it('an address that names a file shows what it starts, whoever vouches for it', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openPage(browser, served.url('/startup.html?find=nginx#starts'));
  await settled(opened);
  await section(opened, 'starts').scrollIntoViewIfNeeded();
  await count(opened, 'starts', 2);
  assert.is(await section(opened, 'starts').getByRole('searchbox').inputValue(), 'nginx');
  await assertQuiet(opened);
});

it('what nothing vouches for comes first, everything on request; filters combine', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openStartup(served);
  const starts = section(opened, 'starts');
  await count(opened, 'starts', 4);
  assert.match(await starts.innerText(), 'A package vouches for 4 more');
  await starts.locator('label', { hasText: 'everything' }).click();
  await count(opened, 'starts', 8);
  await starts.locator('select').nth(0).selectOption('ada');
  await count(opened, 'starts', 1);
  assert.match(await rows(opened, 'starts').innerText(), 'sync-notes');
  await starts.locator('select').nth(0).selectOption('');
  await starts.getByRole('searchbox').fill('nginx');
  await count(opened, 'starts', 2);
  await starts.locator('select').nth(1).selectOption('crontab');
  await count(opened, 'starts', 0);
  assert.match(await starts.innerText(), 'No entry matches the filter');
  await starts.getByRole('searchbox').fill('');
  await count(opened, 'starts', 1);
  assert.match(await starts.locator('[role=status]').innerText(), '1 of 8 entries');
  await assertQuiet(opened);
});

it('an entry with an open finding links to it; what could not be read is named', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openStartup(served);
  const link = (id: string) =>
    section(opened, id).locator('a[href^="/findings/"]').first().getAttribute('href');
  assert.is(await link('starts'), '/findings/f005ba11f005ba11');
  assert.is(await link('packages'), '/findings/5ca1ab1e5ca1ab1e');
  for (const id of ['starts', 'accounts'])
    assert.match(await section(opened, id).locator('.not-read').innerText(), /1 not read/);
  assert.match(await rows(opened, 'accounts').first().innerText(), /no password/);
  await assertQuiet(opened);
});

it('with all tables read nothing is cut off or inaccessible, wide and narrow, light and dark', async () => {
  for (const scene of ['hostile', 'degraded'] as const) {
    await using served = await serveLive(scene);
    for (const view of [
      { width: 1280, colorScheme: 'light' },
      { width: 360, colorScheme: 'dark' },
    ]) {
      await using opened = await openStartup(served, view);
      if (view.width < 500) await assertFits(opened);
      assert.equal(await axe(opened), [], `${scene}, ${view.width} px`);
      await assertQuiet(opened);
    }
  }
});

it('unknown is shown as unknown', async () => {
  await using served = await serveLive('degraded');
  await using opened = await openStartup(served);
  assert.match(await section(opened, 'starts').innerText(), /not watched.*ENOSPC/s);
  const bob = await rows(opened, 'accounts').filter({ hasText: 'bob' }).innerText();
  assert.match(bob, /not known.*password not known, SSH keys not known/s);
  assert.not.match(bob, /none recorded/);
  assert.match(await section(opened, 'packages').innerText(), /not all compared/);
  await assertQuiet(opened);
});

it('many entries are drawn step by step, and a refusal is shown', async () => {
  await using served = await serveLive('crowd');
  await using opened = await openStartup(served);
  await count(opened, 'starts', 50);
  const starts = section(opened, 'starts');
  await starts.getByRole('button', { name: 'Show 200 more' }).click();
  await count(opened, 'starts', 250);
  served.cut();
  await starts.getByRole('button', { name: 'Read again' }).click();
  await starts.getByText('The service does not answer').waitFor();
  await count(opened, 'starts', 250);
});

it('everything is reached and used by the keyboard', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openStartup(served);
  const { page } = opened;
  await section(opened, 'starts').getByRole('searchbox').focus();
  const seen: string[] = [];
  for (let at = 0; at < 14; at += 1) {
    seen.push(
      String(
        await page.evaluate(
          `document.activeElement.getAttribute('aria-label') ?? document.activeElement.closest('label, button')?.textContent ?? document.activeElement.tagName`,
        ),
      ),
    );
    await page.keyboard.press('Tab');
  }
  for (const stop of ['Filter entries', 'Read again', 'any user', 'any place', 'most severe first'])
    assert.ok(
      seen.some((one) => one.includes(stop)),
      `${stop}: ${seen.join(' | ')}`,
    );
});

it('on paper the tables are whole, without controls', async () => {
  await using served = await serveLive('degraded');
  await using opened = await openStartup(served);
  const { page } = opened;
  await page.emulateMedia({ media: 'print' });
  for (const part of ['button', 'select', 'input[type=search]'])
    for (const one of await page.locator(`main ${part}`).all()) assert.not.ok(await one.isVisible(), part);
  const cut = await page.evaluate(
    `[...document.querySelectorAll('.listed-box, .listed')].filter((box) => box.scrollHeight > box.clientHeight + 2).length`,
  );
  assert.is(cut, 0);
  assert.ok(await page.locator('.not-read li').first().isVisible(), 'what was not read is printed');
});

it('the public listener has neither the page nor its records', async () => {
  await using served = await serveLive('healthy');
  for (const path of ['/startup.html', '/startup', '/accounts', '/packages']) {
    assert.is((await served.service.ask(path, { role: 'public' })).status, 404, path);
    assert.is((await served.service.ask(path, { role: 'themed' })).status, 404, path);
    assert.is((await served.service.ask(path, { role: 'office' })).status, 200, path);
  }
  const { text } = await served.service.ask('/', { role: 'public' });
  assert.not.match(text, /startup/i);
});

it('the evidence of a finding says whether something would start it again: read once, when it is opened', async () => {
  await using served = await serveLive('hostile');
  if (browser === null) throw new Error('there is no browser');
  await using opened = await openPage(browser, served.url('/'), {});
  await settled(opened);
  const asked = () => served.requests.filter(({ path }) => path.startsWith('/findings/')).length;
  assert.is(asked(), 0);
  const card = opened.page.locator('[data-finding]').first();
  await card.locator('summary', { hasText: 'Evidence' }).click();
  const said = card.locator('.origin dt', { hasText: /^(?:starts again|runs now)$/ });
  await said.first().waitFor();
  served.sweep();
  await opened.page.waitForTimeout(200);
  assert.is(asked(), 1);
  await assertQuiet(opened);
});

test.run();
