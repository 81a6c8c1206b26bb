/** Pages in real Chromium: what works without scripts, what they load, and reduced motion. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertQuiet, openPage } from '../support/chromium.ts';
import { browserForTests, DESK_PAGES, serveLive, settled } from '../support/desk-page.ts';
import type { Name } from '../support/page-looks.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('pages in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
test.after(() => browser?.close());

/** Content that must be readable with and without scripts. */
const FACTS: Readonly<Record<Name, readonly RegExp[]>> = {
  office: [
    /The desk is not well/,
    /Grade \w+/,
    /Required port 80/,
    /certificate/,
    /deleted/,
    /could not be seen/i,
  ],
  hostess: [/[Dd]esk|[Hh]ostess/, /cook/, /desk open/, /avenue/i],
  startup: [/What starts by itself/, /\/startup/, /desk accounts/, /desk packages/, /No open finding/],
  process: [/systemd/, /Parents and children/, /Right now/, /\/usr\/lib\/systemd\/systemd/],
  diff: [/What has changed/, /\/diff/, /desk diff/, /Accounts and groups/],
  links: [/magazine/i, /https:\/\/magazine\.example/, /desk /],
  mail: [/8 people are known/, /imap/, /desk people/],
  themed: [/The desk is not well/, /Required port 80|office/, /deleted/],
  public: [/Welcome/],
  'public mail': [/Mail/],
  docs: [/\/status/, /\/cook/],
};

it('without scripts the core facts are shown, and every action is disabled', async () => {
  await using served = await serveLive('degraded');
  for (const [name, { path, role }] of Object.entries(DESK_PAGES)) {
    await using opened = await openPage(browser, served.url(path, role), { width: 360, javaScript: false });
    const text = (await opened.page.locator('body').innerText()).replace(/\s+/g, ' ');
    for (const fact of FACTS[name as Name]) assert.match(text, fact, `${name}: ${text.slice(0, 2_000)}`);
    const enabled = opened.page.locator(
      'main :is(button:not([popovertarget]), input, select, textarea):enabled',
    );
    assert.equal(await enabled.allInnerTexts(), [], name);
    await assertQuiet(opened);
  }
});

it('a word of the interface is explained without scripts, by the keyboard and by a pointer, in sight at 360 pixels', async () => {
  await using served = await serveLive('degraded');
  for (const javaScript of [false, true]) {
    await using opened = await openPage(browser, served.url('/'), { width: 360, javaScript });
    const { page } = opened;
    const button = page.getByRole('button', { name: 'What is meant by “Known-good gate”' });
    const text = page.locator('#term-gate');
    assert.is(await text.isVisible(), false);
    await button.focus();
    await page.keyboard.press('Enter');
    await text.waitFor({ state: 'visible' });
    const box = await text.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
    await page.keyboard.press('Escape');
    await text.waitFor({ state: 'hidden' });
    await button.click();
    await text.waitFor({ state: 'visible' });
    assert.match(await text.innerText(), 'unexplained');
  }
});

it('all pages load at most 120 KB of compressed scripts, and nothing inline', async () => {
  await using served = await serveLive('healthy');
  const { page, close } = await openPage(browser, served.url('/'));
  await page.waitForSelector('[data-chart="recheck"] [role=slider]');
  const loaded = (await page.evaluate(SCRIPTS)) as readonly (readonly [string, number, number])[];
  assert.equal(loaded.map(([name]) => name).sort(), ['pages.js', 'plot.js']);
  const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(bytes > 10_000 && bytes <= 120_000, `${bytes} bytes`);
  for (const [name, encoded, decoded] of loaded) assert.ok(encoded < decoded / 2, `${name} comes compressed`);
  await close();
  const { text, headers } = await served.service.ask('/', { role: 'office' });
  const policy = headers['content-security-policy'] ?? '';
  assert.match(policy, /default-src 'none'|default-src 'self'/);
  assert.not.match(policy, /unsafe|\*|https?:/);
  assert.not.match(text, /<[^>]+\s(?:style|on\w+)=|<style/i);
});

it('with reduced motion nothing moves', async () => {
  await using served = await serveLive('degraded');
  for (const path of ['/', '/hostess7.html', '/email/']) {
    await using opened = await openPage(browser, served.url(path), { reducedMotion: 'reduce' });
    await settled(opened);
    const moving = await opened.page.evaluate(MOVING);
    assert.equal(moving, [], path);
  }
});

/** Name, bytes over the wire, and bytes of each script that was loaded. */
const SCRIPTS = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  .map(({ name, encodedBodySize, decodedBodySize }) => [name.replace(/^.*\\//, ''), encodedBodySize, decodedBodySize])`;

/** Elements whose style moves them for longer than a tenth of a second. */
const MOVING = `[...document.querySelectorAll('*')].filter((node) => {
  const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(node);
  const long = (text) => text.split(',').some((one) => parseFloat(one) * (one.trim().endsWith('ms') ? 1 : 1000) > 100);
  return (animationName !== 'none' && long(animationDuration)) || long(transitionDuration) || scrollBehavior === 'smooth';
}).map((node) => node.tagName + '.' + node.className)`;

test.run();
