/** Printed pages: always in light colours, without buttons, with collapsed lists expanded. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertQuiet, openPage } from '../support/chromium.ts';
import { browserForTests, DESK_PAGES, serveLive, settled } from '../support/desk-page.ts';
import { needs } from '../support/require.ts';

const test = suite('pages on paper');
const browser = await browserForTests();
test.after(() => browser?.close());

for (const name of ['office', 'hostess', 'startup', 'themed'] as const)
  needs('chromium')(
    test,
    `${name}: printed in light colours, without buttons, with nothing collapsed`,
    async () => {
      await using served = await serveLive('hostile');
      const { path, role } = DESK_PAGES[name];
      await using opened = await openPage(browser, served.url(path, role), { colorScheme: 'dark' });
      const { page } = opened;
      await settled(opened);
      const colour = (of: string) => page.evaluate(`getComputedStyle(document.body).${of}`);
      const dark = await colour('color');
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 718, height: 1000 });
      assert.is.not(await colour('color'), dark);
      assert.is(await colour('backgroundColor'), 'rgb(255, 255, 255)');
      for (const part of ['button', 'nav', 'dialog', '.window', '.fold > summary'])
        for (const one of await page.locator(part).all()) assert.not.ok(await one.isVisible(), part);
      const findings = await page.locator('[data-finding] :is(h3, strong)').all();
      const least = { office: 30, hostess: 30, startup: 2, themed: 0 }[name];
      assert.ok(findings.length >= least, `${findings.length} findings`);
      for (const one of findings) assert.ok(await one.isVisible());
      assert.is(
        await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
        true,
      );
      await assertQuiet(opened);
    },
  );

test.run();
