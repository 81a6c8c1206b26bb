/** The pages of a real service in real Chromium: changes on the machine appear and disappear. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startActors } from '../support/actor.ts';
import { assertQuiet, openPage } from '../support/chromium.ts';
import { browserForTests, live, until as untilShown } from '../support/desk-page.ts';
import { freePorts } from '../support/free-ports.ts';
import { needs } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { makeHome, startService, until } from './running.ts';

const test = suite('pages of a real service');
const browser = await browserForTests();
test.after(() => browser?.close());

/** Shows the evidence of every finding. */
const OPEN = `for (const one of document.querySelectorAll('[data-finding] details')) one.open = true`;

/** Time for a recheck on a busy machine. */
const WITHIN = { timeout: patientMs(60_000) } as const;
const never = '[banned]\nshut_down = "never"\n';
const portOf = (port: number) => `${never}[[ports]]\nname = "shop"\nport = ${port}\nrequired = true\n`;

needs('chromium')(
  test,
  'a port is shown as up while a listener runs, and as down after it ends',
  async () => {
    const [port = 0] = await freePorts(1);
    await using service = await startService(await makeHome(portOf(port)));
    await using opened = await openPage(browser, `http://127.0.0.1:${service.home.ports.office}/`);
    const { page } = opened;
    await live(opened);
    const shown = (up: 'yes' | 'no') =>
      page.waitForSelector(`[data-port="${port}"][data-up="${up}"]`, WITHIN);
    const issue = page.locator('section[aria-labelledby=verdict] ol', { hasText: `port ${port}` });
    await shown('no');
    await issue.waitFor(WITHIN);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    try {
      await shown('yes');
      await issue.waitFor({ state: 'detached', ...WITHIN });
      const table = page.locator('section[aria-labelledby=listeners]');
      await table.scrollIntoViewIfNeeded();
      await table.getByRole('searchbox').fill(String(port));
      await table
        .locator('tbody [role=row]', { hasText: String(port) })
        .first()
        .waitFor(WITHIN);
      assert.match(await table.locator('tbody').innerText(), String(process.pid));
    } finally {
      await once(server.close(), 'close');
    }
    await shown('no');
    await issue.waitFor(WITHIN);
    await assertQuiet(opened);
    await service.stop();
    await page.waitForSelector('[data-link="disconnected"]', WITHIN);
    assert.match(await page.locator('.banner').innerText(), /does not answer|ended the event stream/);
  },
);

needs('chromium', 'compiler')(
  test,
  'the finding of a process with a deleted file appears and disappears with it, and another finding is accepted',
  async () => {
    // A new desk learns running programs automatically, and would learn this one.
    await using service = await startService(await makeHome(never, { used: true }));
    const code = (await service.post('/session/code', {}, service.bearer)).json.code as string;
    await using opened = await openPage(
      browser,
      `http://127.0.0.1:${service.home.ports.office}/#code=${code}`,
    );
    const { page } = opened;
    await live(opened);
    await untilShown(opened, `sessionStorage.getItem('desk.token') !== null`);
    // This machine may have many findings, and some are folded.
    const unfold = () =>
      page.evaluate(`for (const one of document.querySelectorAll('.fold')) one.open = true`);
    const cardOf = (pid: number) => page.locator('[data-finding]', { hasText: `process ${pid} (` });
    const appears = async (pid: number) => {
      const card = cardOf(pid).filter({ hasText: 'and that file was deleted' }).first();
      await card.waitFor({ state: 'attached', ...WITHIN });
      await unfold();
      return card;
    };
    {
      await using actors = await startActors(['deleted']);
      const card = await appears(actors.pid(0));
      // If other findings precede it, it is drawn again in another list, with its evidence folded.
      const evidenceShown = async () => {
        await unfold();
        await page.evaluate(OPEN);
        const text = await card.innerText();
        return /executable\s+\S*actor/.test(text) && /fate\s+unlinked/.test(text);
      };
      await until(evidenceShown, 'its evidence');
      await actors.stop();
      await card.waitFor({ state: 'detached', ...WITHIN });
      assert.is(await cardOf(actors.pid(0)).count(), 0);
    }
    await using actors = await startActors(['deleted']);
    const card = await appears(actors.pid(0));
    const id = await card.getAttribute('data-finding');
    await card.locator('[data-act=accept]').click();
    const dialog = page.locator('dialog.confirm[open]');
    await dialog.getByLabel('Reason').fill('A test of the pages runs it.');
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('heading', { name: 'Accept: this has happened' }).waitFor(WITHIN);
    await page.keyboard.press('Escape');
    await page.locator(`[data-finding="${id}"]`).waitFor({ state: 'detached', ...WITHIN });
    await until(async () => {
      const { json } = await service.get('/detection');
      return !json.findings.some((finding: { id: string }) => finding.id === id);
    }, 'a detection record without what was accepted');
    await page.goto(`http://127.0.0.1:${service.home.ports.office}/hostess7.html`);
    await live(opened);
    await page.locator('[data-act=dry-run]').click();
    await page.locator('dialog.confirm[open] .confirm-body[aria-busy=false]').waitFor(WITHIN);
    assert.match(await page.locator('dialog.confirm').innerText(), /A dry run changes nothing/);
    await assertQuiet(opened);
  },
);

test.run();
