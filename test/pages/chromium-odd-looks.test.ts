/** Pages in real Chromium, wide and narrow, light and dark, with hostile names and with very long content. */
import { suite } from 'uvu';
import { browserForTests } from '../support/desk-page.ts';
import { lookAt, type Name, OF_THE_MOMENT } from '../support/page-looks.ts';
import { needs } from '../support/require.ts';
import type { SceneName } from '../support/scenes.ts';

const test = suite('pages of a desk in trouble');
const browser = await browserForTests();
test.after(() => browser?.close());

const PAGES: readonly (readonly [SceneName, readonly Name[]])[] = [
  ['hostile', [...OF_THE_MOMENT, 'public', 'public mail', 'docs']],
  ['crowd', ['office', 'hostess', 'startup']],
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
