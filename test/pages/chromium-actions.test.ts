/** Actions of the pages: previewed, confirmed, reported; and refused without the session of `desk open`. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import { acceptanceFor } from '../../src/features/law/accept.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { assertQuiet, axe, type Opened, openPage } from '../support/chromium.ts';
import {
  browserForTests,
  live,
  openSignedIn,
  serveLive,
  sessionFragment,
  settled,
  until,
} from '../support/desk-page.ts';
import { expect } from '../support/expect.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('actions in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
test.after(() => browser?.close());

const HOSTESS = '/hostess7.html';
const button = ({ page }: Opened, act: string) => page.locator(`[data-act=${act}]`);
const dialog = ({ page }: Opened) => page.locator('dialog.confirm[open]');
/** Resolves when the dialog has its content. */
const planned = (opened: Opened) => dialog(opened).locator('.confirm-body[aria-busy=false]').waitFor();
const gone = ({ page }: Opened) => page.locator('dialog.confirm').waitFor({ state: 'detached' });
const focused = ({ page }: Opened) =>
  page.evaluate(`document.activeElement.dataset.act ?? document.activeElement.id`);

it('the hostess’s answer has its values and commands, and survives a reload', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openPage(browser, served.url('/'));
  const { page } = opened;
  await settled(opened);
  await page.locator('#talk-opener').click();
  await until(opened, `document.activeElement.id === 'talk-message'`);
  const ask = page.getByRole('button', { name: 'Ask', exact: true });
  assert.ok(await ask.isDisabled(), 'there is no question yet');
  await page.keyboard.type('How are you?');
  await page.keyboard.press('Enter');
  const said = page.locator('.talked');
  await said.locator('.talk-answer').waitFor();
  assert.match(await said.innerText(), /How are you\?[\s\S]*The desk is well: the grade is gold/);
  assert.ok(served.desk.calls.includes('think How are you?'));
  await said.locator('summary').click();
  const grounds = said.locator('.grounds a');
  assert.equal(await grounds.allInnerTexts(), ['status.grade', 'status.ports_up', 'charge.scar_count']);
  for (const link of await grounds.all()) {
    const target = new URL((await link.getAttribute('href')) ?? '', page.url());
    const answer = await page.request.get(target.href);
    assert.is(answer.status(), 200, target.href);
    if (target.hash !== '' && answer.headers()['content-type']?.includes('html'))
      assert.match(await answer.text(), ` id="${target.hash.slice(1)}"`);
  }
  assert.match(await said.locator('.suggestions').innerText(), /desk status[\s\S]*desk findings/);
  assert.equal(await axe(opened, { within: '#hostess7' }), []);
  assert.ok(await page.locator('.talk-assisted input').isDisabled(), 'there is no assistant');
  // A refusal is shown with the text of the service.
  served.desk.failure = new DeskError('refused', 'She is asked too much at once.', 'Wait for a moment.');
  await page.locator('#talk-message').fill('And then?');
  await ask.click();
  await page.locator('.talk-refusal', { hasText: 'She is asked too much at once.' }).waitFor();
  await page.reload();
  await live(opened);
  assert.is(await page.locator('.talked').count(), 2);
  await page.locator('#talk-message').focus();
  await page.keyboard.press('Escape');
  await page.locator('dialog.talk[open]').waitFor({ state: 'detached' });
  assert.is(await focused(opened), 'talk-opener');
  await assertQuiet(opened, [/the server responded with a status of 4\d\d .*\/h7\/think/]);
});

it('without a session actions are disabled with the reason, and refused by the service', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openPage(browser, served.url(HOSTESS));
  const { page } = opened;
  await live(opened);
  for (const act of ['cook', 'close', 'learn']) {
    assert.ok(await button(opened, act).isDisabled(), act);
    assert.match((await button(opened, act).getAttribute('aria-describedby')) ?? '', /acts-why/);
  }
  assert.match(await page.locator('#acts-why').innerText(), /Run desk open to act from here/);
  const id = served.desk.latest()?.judgement.findings[0]?.id;
  for (const [path, body] of [
    ['/cook', { mode: 'cook' }],
    ['/av/close', {}],
    ['/learn', {}],
    ['/accept', { finding: id, accepts: '0011223344aa', why: 'because' }],
  ] as const) {
    const refused = await page.evaluate(
      `fetch('${path}', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '${JSON.stringify(body)}' })
        .then(async (answer) => [answer.status, (await answer.json()).detail])`,
    );
    const [status, detail] = refused as [number, string];
    assert.is(status, 401, path);
    assert.match(detail, /token/);
  }
  expect(served.desk.calls.filter((call) => /^(cook cook|avClose|learn|accept)/.test(call))).equals([]);
  await assertQuiet(opened, [/status of 401/]);
  // The same holds for the office.
  await page.goto(served.url('/'));
  await live(opened);
  const accepts = button(opened, 'accept');
  assert.ok((await accepts.count()) > 5);
  for (const one of await accepts.all()) assert.ok(await one.isDisabled());
});

it('scar check and dry run need no session, and change nothing', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openPage(browser, served.url(HOSTESS));
  await live(opened);
  await button(opened, 'scar-check').click();
  const result = opened.page.locator('.act-result .state');
  await result.waitFor();
  assert.is(await result.innerText(), 'gate fail');
  await button(opened, 'dry-run').click();
  await planned(opened);
  const text = await dialog(opened).innerText();
  assert.match(text, /This will be done 1[\s\S]*would send SIGTERM to pid 500[\s\S]*This is left to you \d+/);
  assert.is(await dialog(opened).locator('button').count(), 1);
  assert.equal(await axe(opened, { within: 'dialog.confirm' }), []);
  await opened.page.keyboard.press('Escape');
  await gone(opened);
  assert.is(await focused(opened), 'dry-run');
  assert.equal(served.desk.calls, ['scarCheck', 'cook check']);
  await assertQuiet(opened);
});

it('the code of desk open is exchanged once and removed from the address, and a used one is refused', async () => {
  await using served = await serveLive('hostile');
  const fragment = await sessionFragment(served);
  await using opened = await openPage(browser, served.url(`${HOSTESS}${fragment}`));
  await until(opened, `document.querySelector('[data-act=cook]').disabled === false`);
  assert.is(opened.page.url(), served.url(HOSTESS));
  assert.not.match(
    String(await opened.page.evaluate(`document.cookie + JSON.stringify(localStorage)`)),
    /\w{8}/,
  );
  assert.match(await opened.page.locator('#acts-why').innerText(), /Signed in/);
  await opened.page.reload();
  await until(opened, `document.querySelector('[data-act=cook]').disabled === false`);
  // Another tab with the same code.
  const again = await openPage(browser, served.url(`${HOSTESS}${fragment}`));
  const alert = again.page.getByRole('alert').filter({ hasText: 'not signed in' });
  await alert.waitFor();
  assert.ok(await button(again, 'cook').isDisabled());
  assert.is(again.page.url(), served.url(HOSTESS));
  await assertQuiet(again, [/status of 4\d\d .*\/session/]);
  await again.close();
  // A restarted service does not know the token.
  await opened.page.evaluate(`sessionStorage.setItem('desk.token', 'of-another-run')`);
  await button(opened, 'learn').click();
  await planned(opened);
  // What learning would do is public; learning itself is refused.
  await dialog(opened).getByRole('button', { name: 'Learn' }).click();
  await dialog(opened).locator('.refusal', { hasText: 'Run "desk open" again' }).waitFor();
  assert.not.ok(served.desk.calls.includes('learn'));
  await opened.page.keyboard.press('Escape');
  await until(opened, `document.querySelector('[data-act=cook]').disabled`);
});

it('cook: the preview is shown first and then applied once; Escape changes nothing', async () => {
  await using served = await serveLive('hostile');
  await using opened = await openSignedIn(browser, served, HOSTESS);
  const { page } = opened;
  await button(opened, 'cook').click();
  await planned(opened);
  assert.equal(served.desk.calls, ['cook check']);
  assert.match(await dialog(opened).innerText(), /This will be done 1[\s\S]*Nothing else is changed/);
  assert.is(
    await page.evaluate('document.activeElement.textContent'),
    'Cancel',
    'the safe button has the focus',
  );
  await page.keyboard.press('Escape');
  await gone(opened);
  assert.is(await focused(opened), 'cook');
  assert.equal(served.desk.calls, ['cook check']);
  await page.keyboard.press('Enter');
  await planned(opened);
  const release = served.desk.holdSweeps();
  // A state is made for the run: a second click comes while the first is under way.
  const cook = dialog(opened).locator('button[type=submit]');
  await cook.dblclick();
  await until(opened, `document.querySelector('dialog.confirm button[type=submit]')?.disabled !== false`);
  release();
  await page.getByRole('heading', { name: 'Cook: this has happened' }).waitFor();
  assert.match(await dialog(opened).innerText(), /it is down after SIGTERM to pid 500/);
  const banned = served.desk.latest()?.judgement.findings.find(({ check }) => check === 'banned-listener');
  expect(served.desk.calls.filter((call) => call.startsWith('cook cook'))).equals([
    `cook cook ${banned?.id}`,
  ]);
  assert.equal(await axe(opened, { within: 'dialog.confirm' }), []);
  await dialog(opened).getByRole('button', { name: 'Close' }).click();
  await gone(opened);
  assert.is(await focused(opened), 'cook');
  await assertQuiet(opened);
});

it('close avenues: scans everything first, lists the findings, and applies to these only', async () => {
  await using served = await serveLive('hostile');
  const { desk } = served;
  const [listed, found, late] = ['listed before', 'found by this scan', 'come since'].map((summary, at) => ({
    ...(desk.latest()?.judgement.findings.find(({ check }) => check === 'banned-listener') as Finding),
    id: `00112233aabbcc0${at}`,
    summary,
  })) as [Finding, Finding, Finding];
  served.sweep({ findings: [listed] });
  desk.hidden = { findings: [listed, found] };
  await using opened = await openSignedIn(browser, served, HOSTESS);
  const { page } = opened;
  desk.calls.length = 0;
  await button(opened, 'close').click();
  await planned(opened);
  assert.match(
    await dialog(opened).innerText(),
    /This will be done 2\s+listed before[\s\S]+found by this scan/,
  );
  assert.equal(desk.calls, ['avClose check']);
  desk.hidden = {};
  served.sweep({ findings: [listed, found, late] });
  await dialog(opened).locator('button[type=submit]').click();
  await page.getByRole('heading', { name: 'Close avenues: this has happened' }).waitFor();
  assert.equal(desk.calls, ['avClose check', `cook cook ${listed.id} ${found.id}`]);
  await assertQuiet(opened);
});

it('learn: what will be learned is listed first', async () => {
  await using served = await serveLive('healthy');
  await using opened = await openSignedIn(browser, served, HOSTESS);
  await button(opened, 'learn').click();
  await planned(opened);
  assert.match(
    await dialog(opened).innerText(),
    /generation 2 is followed by a new one[\s\S]*program \/usr\/bin\/new/,
  );
  assert.equal(served.desk.calls, []);
  await dialog(opened).getByRole('button', { name: 'Learn' }).click();
  await opened.page.getByRole('heading', { name: 'Learn: this has happened' }).waitFor();
  assert.match(await dialog(opened).innerText(), /Generation 2 is active now, with 3 more entries/);
  assert.equal(served.desk.calls, ['learn']);
  await assertQuiet(opened);
});

it('accept: shows what it suppresses, needs a reason, and remains after its finding has closed', async () => {
  await using served = await serveLive('degraded');
  await using opened = await openSignedIn(browser, served);
  const { page } = opened;
  const [first] = served.scene.parts.findings ?? [];
  await page.locator(`[data-finding="${first?.id}"] [data-act=accept]`).click();
  const reason = dialog(opened).getByLabel('Reason');
  await reason.waitFor();
  assert.match(
    await dialog(opened).innerText(),
    /every finding that matches all of these[\s\S]*deleted-executable/,
  );
  await dialog(opened).getByRole('button', { name: 'Accept' }).click();
  assert.match(await dialog(opened).locator('.refusal').innerText(), /Write down why/);
  assert.is(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
  assert.equal(served.desk.calls, []);
  assert.equal(await axe(opened, { within: 'dialog.confirm' }), []);
  await reason.fill('It was upgraded, and restarts tonight.');
  await dialog(opened)
    .getByLabel(/^Until/)
    .fill('2027-01-02T03:04');
  // The finding is gone before the response arrives.
  served.sweep({ findings: [] });
  await page.locator('[data-finding]').first().waitFor({ state: 'detached' });
  await dialog(opened).getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('heading', { name: 'Accept: this has happened' }).waitFor();
  assert.equal(served.desk.calls, [
    `accept ${first?.id} ${first && acceptanceFor(first).id} It was upgraded, and restarts tonight. 2027-01-02T03:04:00.000Z`,
  ]);
  await page.keyboard.press('Escape');
  await gone(opened);
  await until(opened, `document.activeElement.id === 'content'`);
  await assertQuiet(opened);
});

test.run();
