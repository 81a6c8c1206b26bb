/** Checks pages in Chromium: properties of every page, with any content. */
import * as assert from 'uvu/assert';
import { assertFits, assertQuiet, assertStill, axe, type Opened, openPage } from './chromium.ts';
import { DESK_PAGES, type LiveScene, serveLive, settled } from './desk-page.ts';
import type { SceneName } from './scenes.ts';

type Browser = Parameters<typeof openPage>[0];

/** The tolerated layout shift score: too small to be visible. */
const SHIFT = 0.01;

export type Name = keyof typeof DESK_PAGES;

const ground = ({ page }: Opened) => page.evaluate('getComputedStyle(document.body).backgroundColor');

interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  /** Checked in the other colour scheme too. */
  readonly both?: true;
}

/** Every rule in both schemes and at both widths; colours do not depend on the width. */
const VIEWS: readonly View[] = [
  { width: 1280, colorScheme: 'light', both: true },
  { width: 360, colorScheme: 'dark' },
];

/** Checks an open page. */
async function judge(opened: Opened, name: Name, { width, colorScheme, both }: View): Promise<void> {
  const { follows } = DESK_PAGES[name];
  await settled(opened, follows);
  await assertStill(opened, SHIFT);
  if (width < 500) await assertFits(opened);
  assert.equal(await axe(opened), [], `${name}, ${width} px, ${colorScheme}`);
  if (both) {
    const before = await ground(opened);
    await opened.page.emulateMedia({ colorScheme: 'dark' });
    // Colours fade over.
    await opened.page.waitForTimeout(300);
    assert.not.equal(await ground(opened), before);
    assert.equal(await axe(opened, { only: 'colours' }), [], `${name}, ${width} px, dark`);
    await opened.page.emulateMedia({ colorScheme });
  }
  await assertQuiet(opened);
}

/** Pages of one listener, one after the other in one tab. */
async function judgeAll(
  browser: Browser,
  served: LiveScene,
  names: readonly Name[],
  view: View,
): Promise<void> {
  let opened: Opened | undefined;
  for (const name of names) {
    const { role, path } = DESK_PAGES[name];
    const url = served.url(path, role);
    if (opened !== undefined && new URL(opened.page.url()).origin === new URL(url).origin)
      await opened.page.goto(url, { waitUntil: 'load' });
    else {
      await opened?.close();
      opened = await openPage(browser, url, { ...view, height: 900 });
    }
    await judge(opened, name, view);
  }
  await opened?.close();
}

/** Opens `names` in `scene`, at both widths and in both schemes. */
export async function lookAt(browser: Browser, scene: SceneName, names: readonly Name[]): Promise<void> {
  await using served = await serveLive(scene);
  await Promise.all(VIEWS.map((view) => judgeAll(browser, served, names, view)));
}

/** Pages that show the state. */
export const OF_THE_MOMENT: readonly Name[] = [
  'office',
  'hostess',
  'startup',
  'process',
  'diff',
  'links',
  'mail',
  'themed',
];
