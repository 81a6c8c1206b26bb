/** What tests of pages in Chromium share: the listeners' pages, the session of `desk open`, and waiting for live updates. */
import type { Browser } from 'playwright-core';
import type { ListenerRole } from '../../src/records/state.ts';
import { TOKEN } from '../http/service.ts';
import { buildPages } from './built-pages.ts';
import { type Opened, openPage, startChromium, type View } from './chromium.ts';
import { missing } from './require.ts';
import { sampledBefore } from './scene-history.ts';
import type { SceneName } from './scenes.ts';
import { type ServedScene, type ServeOptions, serveScene } from './served-scene.ts';

export interface DeskPage {
  readonly role: ListenerRole;
  readonly path: string;
  /** The script has hydrated it, and it follows the service. */
  readonly follows: boolean;
}

export const DESK_PAGES = {
  office: { role: 'office', path: '/', follows: true },
  hostess: { role: 'office', path: '/hostess7.html', follows: true },
  startup: { role: 'office', path: '/startup.html', follows: true },
  process: { role: 'office', path: '/process/1', follows: true },
  diff: { role: 'office', path: '/diff.html', follows: true },
  links: { role: 'office', path: '/links.html', follows: true },
  mail: { role: 'office', path: '/email/', follows: true },
  themed: { role: 'themed', path: '/', follows: true },
  public: { role: 'public', path: '/', follows: false },
  'public mail': { role: 'public', path: '/email/', follows: false },
  docs: { role: 'control', path: '/docs', follows: false },
} as const satisfies Record<string, DeskPage>;

/** A browser for the tests of one file; undefined without Chromium, when tests that need it do not run. */
export async function browserForTests(): Promise<Browser> {
  if (missing('chromium') !== null) return undefined as never;
  buildPages();
  return startChromium();
}

export interface LiveScene extends ServedScene {
  /** Reports the newest state again and again, as a desk on which nothing changes. The returned function ends that. */
  keepTelling(): () => void;
}

/** A scene with its history, whose desk reports its state each second. */
export async function serveLive(name: SceneName, options: ServeOptions = {}): Promise<LiveScene> {
  const served = await serveScene(name, options);
  served.desk.sampled = sampledBefore(await served.desk.state(), name === 'empty' ? 40 : 8 * 86_400);
  const keepTelling = () => {
    const timer = setInterval(() => {
      const state = served.desk.latest();
      if (state !== null) served.desk.events.emit('state', state);
    }, 1_000);
    return () => clearInterval(timer);
  };
  const end = keepTelling();
  return Object.defineProperties(
    { keepTelling },
    {
      ...Object.getOwnPropertyDescriptors(served),
      [Symbol.asyncDispose]: {
        value: async () => {
          end();
          await served[Symbol.asyncDispose]();
        },
      },
    },
  ) as LiveScene;
}

/** The fragment that `desk open` puts behind an address: a code for one session. */
export async function sessionFragment({ service }: ServedScene): Promise<string> {
  const answer = await service.post('/session/code', {}, { token: TOKEN });
  return `#code=${(answer.json() as { readonly code: string }).code}`;
}

/** A page that follows the service, signed in; resolves when it does both. */
export async function openSignedIn(
  browser: Browser,
  served: ServedScene,
  path = '/',
  view: View = {},
): Promise<Opened> {
  const opened = await openPage(browser, served.url(`${path}${await sessionFragment(served)}`), view);
  await until(opened, `sessionStorage.getItem('desk.token') !== null`);
  await live(opened);
  return opened;
}

/**
 * Polls until an expression is true in the page. Playwright's own `waitForFunction` evaluates within the page, which the content
 * security policy forbids.
 */
export async function until({ page }: Opened, expression: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await page.evaluate(`Boolean(${expression})`)) return;
    await page.waitForTimeout(25);
  }
  throw new Error(`${page.url()}: never true: ${expression}`);
}

export const live = ({ page }: Opened) => page.waitForSelector('[data-link="live"]');

/** Resolves when the page shows what it fetches by itself and nothing has changed in it over a few frames. */
export async function settled(opened: Opened, follows = true): Promise<void> {
  if (follows) await live(opened);
  await opened.page.evaluate(STILL);
}

const STILL = `(async () => {
  await document.fonts.ready;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const many = (selector) => document.querySelectorAll(selector).length;
  const fingerprint = () => [many('*'), many('[aria-busy=true]'), document.documentElement.scrollHeight].join(' ');
  for (let before = '', still = 0, tries = 0; still < 4 && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await frame();
    const now = fingerprint();
    still = now === before ? still + 1 : 0;
    before = now;
  }
})()`;
