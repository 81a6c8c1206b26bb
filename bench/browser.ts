/** Real Chromium for cases that measure pages. Times are ms since the epoch, of the clock that the service reads too. */
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../test/support/chromium.ts';
import { missing } from '../test/support/require.ts';
import { CannotRun } from './cases/case.ts';

export interface Mark {
  readonly name: string;
  readonly at: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a mark holds is looked into by who reads it
  readonly detail: any;
}

/** A change of the page that a case waited for. */
export interface Shown {
  /** The document contained it: seen by a MutationObserver, at the end of the task that drew it. */
  readonly drawn: number;
  /** Its frame was presented: a task after the next animation frame. */
  readonly painted: number;
  /** Marks of the page since it was waited for. */
  readonly marks: readonly Mark[];
}

export interface Tab {
  readonly page: Page;
  /** Waits from now on for an element that `selector` finds; what is returned waits for the change itself. */
  watch(selector: string): Promise<() => Promise<Shown>>;
}

/**
 * Runs before any script of the page. A browser keeps its own epoch since it started; `skew` is what the clock of the machine
 * is ahead of it, measured when the millisecond changes.
 */
const PROBE = `(() => {
  const own = () => performance.timeOrigin + performance.now();
  const skewOnce = () => {
    const before = Date.now();
    for (;;) { const wall = Date.now(); if (wall !== before) return wall - own(); }
  };
  let skew = 0;
  const marks = [];
  new PerformanceObserver((list) => {
    for (const { name, startTime, detail } of list.getEntries())
      if (name.startsWith('desk:')) marks.push({ name, startTime, detail });
  }).observe({ type: 'mark', buffered: true });
  const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const seen = (selector) => new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      resolve(own());
    });
    observer.observe(document.getElementById('app'),
      { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(own());
    port2.postMessage(0);
  }));
  let waiting;
  globalThis.deskBench = {
    watch(selector) {
      skew = Math.min(skewOnce(), skewOnce(), skewOnce());
      marks.length = 0;
      waiting = (async () => {
        const drawn = await seen(selector);
        const after = await painted();
        // Observers of marks are notified in a separate task.
        await rest(50);
        return { drawn: drawn + skew, painted: after + skew, marks: marks.map(({ name, startTime, detail }) =>
          ({ name, at: performance.timeOrigin + startTime + skew, detail })) };
      })();
    },
    shown: () => waiting,
  };
})()`;

/** @throws CannotRun where there is no Chromium */
export async function openBrowser(): Promise<Browser> {
  const reason = missing('chromium');
  if (reason !== null) throw new CannotRun(reason);
  return startChromium();
}

/** Opens a tab whose page follows the service. */
export async function openTab(browser: Browser, url: string): Promise<Tab> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(PROBE);
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForSelector('[data-link="live"]');
  return {
    page,
    watch: async (selector) => {
      await page.evaluate(`deskBench.watch(${JSON.stringify(selector)})`);
      return async () => (await page.evaluate('deskBench.shown()')) as Shown;
    },
  };
}

/** First contentful paint of a page in a fresh profile, ms since its navigation began. */
export async function firstPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'load' });
    return (await page.evaluate(`new Promise((resolve) => new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime);
    }).observe({ type: 'paint', buffered: true }))`)) as number;
  } finally {
    await context.close();
  }
}
