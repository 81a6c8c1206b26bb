/** Deceptive names, everywhere the pages show them: plain text without invisible characters. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertFits, assertQuiet, type Opened, openPage } from '../support/chromium.ts';
import { browserForTests, DESK_PAGES, openSignedIn, serveLive, settled } from '../support/desk-page.ts';
import { HOSTILE_PEOPLE, INJECTED } from '../support/hostile-words.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('hostile names in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
test.after(() => browser?.close());

/** Elements that a hostile name would create if it were markup; and invisible characters. */
const MADE = `(() => {
  const invisible = /[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]/u;
  const made = [...document.querySelectorAll('.${INJECTED}, iframe, object, embed, base, #app img, #app script, #app style')]
    .map((node) => 'element ' + node.outerHTML.slice(0, 80));
  const said = new Set(['title', 'aria-label', 'aria-valuetext', 'aria-description', 'alt', 'data-head', 'datetime', 'place' + 'holder']);
  for (const node of document.querySelectorAll('*'))
    for (const { name, value } of node.attributes) {
      if (name.startsWith('on') || name === 'srcdoc') made.push('attribute ' + name + '=' + value.slice(0, 80));
      if (['href', 'src', 'action', 'formaction'].includes(name) && !/^(?:https?:|mailto:|\\/(?![/\\\\])|#|data:,$)/.test(value))
        made.push('target ' + value.slice(0, 80));
      if (said.has(name) && invisible.test(value)) made.push('unseen in ' + name + ': ' + escape(value).slice(0, 120));
    }
  const texts = document.createTreeWalker(document.getElementById('app') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    if (invisible.test(node.data)) made.push('unseen in <' + node.parentNode.nodeName + '>: ' + escape(node.data).slice(0, 120));
  return made;
})()`;

async function assertHarmless(opened: Opened): Promise<void> {
  assert.equal(await opened.page.evaluate(MADE), [], opened.page.url());
}

/** Opens everything that is collapsed. */
const UNFOLD = `for (const one of document.querySelectorAll('details')) one.open = true`;

it('every page shows hostile names as text, with everything expanded, wide and at 360 px', async () => {
  await using served = await serveLive('hostile');
  for (const { role, path, follows } of Object.values(DESK_PAGES)) {
    await using opened = await openPage(browser, served.url(path, role), { width: 360 });
    await settled(opened, follows);
    await opened.page.evaluate(UNFOLD);
    await assertHarmless(opened);
    await assertFits(opened);
    await assertQuiet(opened);
  }
});

it('the office marks direction, zero-width and control characters', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openPage(browser, served.url('/'));
  await settled(opened);
  await opened.page.evaluate(UNFOLD);
  const text = (await opened.page.locator('#content').innerText()).replace(/\s+/g, ' ');
  for (const shown of ['⟨U+202E⟩', '⟨U+200B⟩', '␛[31m', `<img class=${INJECTED}`, '</script><script'])
    assert.ok(text.includes(shown), shown);
});

it('table rows and their details show hostile names as text', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openPage(browser, served.url('/'));
  const { page } = opened;
  await settled(opened);
  for (const [id, query] of [
    ['processes', '/'],
    ['listeners', '/'],
  ] as const) {
    const grid = page.locator(`[role=grid][aria-labelledby=${id}]`);
    await grid.scrollIntoViewIfNeeded();
    await grid.locator('tbody [role=row]').first().waitFor();
    await page.locator(`section[aria-labelledby=${id}] input[type=search]`).fill(query);
    await page.locator(`section[aria-labelledby=${id}] label`, { hasText: 'With findings' }).click();
    await grid.focus();
    let seen = '';
    for (let at = 0; at < 12; at += 1) {
      await page.keyboard.press('ArrowDown');
      seen += await page.locator(`section[aria-labelledby=${id}] .row-detail`).innerText();
    }
    assert.match(seen, INJECTED);
    assert.match(seen, /⟨U\+202E⟩/);
    await assertHarmless(opened);
  }
  await assertQuiet(opened);
});

it('people of the ledger and their cards show hostile names as text', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openSignedIn(browser, served, '/email/', { width: 360 });
  const { page } = opened;
  const rows = page.locator('.person-row');
  await rows.first().waitFor();
  assert.is(await rows.count(), HOSTILE_PEOPLE.length);
  for (let at = 0; at < HOSTILE_PEOPLE.length; at += 1) {
    await rows.nth(at).click();
    await page.locator('dialog.person[open]').waitFor();
    await assertHarmless(opened);
    await assertFits(opened);
    const targets = (await page.evaluate(
      `[...document.querySelectorAll('dialog.person a')].map((link) => link.protocol)`,
    )) as readonly string[];
    assert.ok(targets.length > 0 && targets.every((protocol) => protocol === 'mailto:'), targets.join(' '));
    await page.keyboard.press('Escape');
    await page.locator('dialog.person[open]').waitFor({ state: 'detached' });
  }
  // The desk of the scene has no address that contains a space.
  await assertQuiet(opened, [/ 422 .*who\?email=%22/]);
});

it('the hostess’s answer, its evidence and commands show hostile names as text', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openPage(browser, served.url('/#hostess7'), { width: 360 });
  const { page } = opened;
  await settled(opened);
  const question = `<img class=${INJECTED} src=x onerror=alert(1)> \u202eyes\u200b?`;
  await page.locator('#talk-message').fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const answer = page.locator('.talk-answer');
  await answer.waitFor();
  assert.match(await answer.innerText(), /⟨U\+202E⟩/);
  await page.evaluate(UNFOLD);
  await assertHarmless(opened);
  await assertFits(opened);
  await page.reload();
  await page.locator('.talk-answer').waitFor();
  await assertHarmless(opened);
  await assertQuiet(opened);
});

it('the dialogs of actions show hostile names as text', async () => {
  await using served = await serveLive('hostile');
  const office = await openSignedIn(browser, served, '/');
  await office.page.evaluate(UNFOLD);
  for (const at of [0, 3]) {
    await office.page.locator('[data-act=accept]').nth(at).click();
    await office.page.locator('dialog.confirm textarea').waitFor();
    await assertHarmless(office);
    await office.page.keyboard.press('Escape');
  }
  await assertQuiet(office);
  await office.close();
  await using hostess = await openSignedIn(browser, served, '/hostess7.html', { width: 360 });
  for (const act of ['dry-run', 'cook', 'learn']) {
    await hostess.page.locator(`[data-act=${act}]`).click();
    await hostess.page.locator('dialog.confirm .confirm-body[aria-busy=false]').waitFor();
    await hostess.page.evaluate(UNFOLD);
    await assertHarmless(hostess);
    await assertFits(hostess);
    await hostess.page.keyboard.press('Escape');
    await hostess.page.locator('dialog.confirm').waitFor({ state: 'detached' });
  }
  await assertQuiet(hostess);
});

test.run();
