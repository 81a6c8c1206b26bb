/** Pages in real Chromium, wide and narrow, light and dark, of a desk that is new, well, or not quite well. */
import { suite } from 'uvu';
import { browserForTests } from '../support/desk-page.ts';
import { lookAt, type Name, OF_THE_MOMENT } from '../support/page-looks.ts';
import { needs } from '../support/require.ts';
import type { SceneName } from '../support/scenes.ts';

const test = suite('pages of a desk as it should be');
const browser = await browserForTests();
test.after(() => browser?.close());

const PAGES: readonly (readonly [SceneName, readonly Name[]])[] = [
  ['empty', OF_THE_MOMENT],
  ['healthy', ['office', 'hostess', 'startup', 'diff', 'mail']],
  ['degraded', ['office', 'hostess', 'startup', 'mail', 'themed']],
];

for (const [scene, names] of PAGES)
  needs('chromium')(
    test,
    `${scene}: no console messages, no layout shift, nothing cut off, no accessibility violation, light and dark`,
    async () => {
      if (browser !== null) await lookAt(browser, scene, names);
    },
  );

test.run();
