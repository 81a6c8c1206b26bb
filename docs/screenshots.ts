/** Takes the pictures of docs/gallery.md in real Chromium (`npm run docs -- --screenshots`). */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { TOKEN } from '../test/http/service.ts';
import { buildPages } from '../test/support/built-pages.ts';
import { openPage, startChromium } from '../test/support/chromium.ts';
import { FakeAssistant, streamWords } from '../test/support/fake-assistant.ts';
import { sampledBefore } from '../test/support/scene-history.ts';
import { SCENE_NOW } from '../test/support/scenes.ts';
import { type ServedScene, serveScene } from '../test/support/served-scene.ts';
import { PICTURES, type Picture, SIZES, TERMINALS } from './gallery.ts';
import { terminalHtml } from './terminal-picture.ts';

/** Of WebP, 0 to 100. */
const QUALITY = 70;
/** How long the desk of a scene has run, seconds. */
const RUNS_SEC = { empty: 40, others: 8 * 86_400 } as const;
/** Of the themed page. */
const THEME = {
  ...{ accent: '#0b5cad', ground: '#e9f0f7', ink: '#12202e', soft: '#465666', line: '#c9d6e3' },
  ...{ radius: 18, font: 'serif' },
  dark: {
    accent: '#7cc0ff',
    ground: '#0b1521',
    card: '#122031',
    ink: '#e8f0f8',
    soft: '#a6b7c9',
    line: '#263a50',
  },
} as const;
/** What the flyout is asked. */
const QUESTION = 'Is the desk well, and what should I do?';
/** An assistant that asks the right query, and then makes a number up. */
const ERRS = [
  'QUERY 1: processes order by -threads limit 3\nANSWER\n',
  'The program with the most threads is {1.comm}, with {1.threads} of them.\n\n',
  'Nothing needs doing today, but I would look at the 4711 processes.',
];

/**
 * What a picture waits for: the page follows the service, and its charts and tables are there; then two frames and
 * a rest in which nothing moves any more.
 */
const SETTLED = `(async () => {
  await document.fonts.ready;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const look = () => document.body.innerHTML.length + ' ' + document.documentElement.scrollHeight;
  for (let before = '', still = 0; still < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    await frame();
    const now = look();
    still = now === before ? still + 1 : 0;
    before = now;
  }
})()`;

/** Listeners whose pages follow the service; a refusal is none of these. */
const FOLLOWS: ReadonlySet<string> = new Set(['office', 'themed']);

/** As `desk open` asks for it. */
async function sessionCode({ service }: ServedScene): Promise<string> {
  const answer = await service.post('/session/code', {}, { token: TOKEN });
  return (answer.json() as { readonly code: string }).code;
}

type Browser = Awaited<ReturnType<typeof startChromium>>;

async function take(browser: Browser, served: ServedScene, { of, size, scheme }: Picture): Promise<Buffer> {
  const { width } = SIZES[size];
  const most = of.most ?? SIZES[size].most;
  const code = of.signedIn ? `#code=${await sessionCode(served)}` : '';
  const opened = await openPage(browser, served.url(`${of.path}${code}`, of.role), {
    width,
    height: 900,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    nowMs: SCENE_NOW,
  });
  const { page } = opened;
  try {
    if (FOLLOWS.has(of.role) && of.page !== 'problem') await page.waitForSelector('[data-link="live"]');
    await page.evaluate(SETTLED);
    if (of.page === 'talk' || of.page === 'consult') {
      const ask = page.getByRole('textbox').first();
      await ask.fill(QUESTION);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      if (of.page === 'consult') await page.waitForSelector('.talk-suspects');
      await page.evaluate(SETTLED);
      // A caret blinks.
      await page.evaluate('document.activeElement.blur()');
    }
    // Its tables are read when they come into sight.
    if (of.page === 'startup') {
      for (const id of ['starts', 'accounts', 'packages']) {
        await page.locator(`#${id}`).scrollIntoViewIfNeeded();
        await page.evaluate(SETTLED);
      }
      await page.evaluate('scrollTo(0, 0)');
    }
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ width, height: Math.min(height, most) });
    await page.evaluate(SETTLED);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    return Buffer.from(data, 'base64');
  } finally {
    await opened.close();
  }
}

async function takeTerminal(browser: Browser, picture: (typeof TERMINALS)[number]): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    await page.setContent(await terminalHtml(picture));
    const box = await page.locator('pre').boundingBox();
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', {
      ...{ format: 'webp', quality: QUALITY, captureBeyondViewport: true },
      ...(box !== null && { clip: { ...box, scale: 1 } }),
    });
    return Buffer.from(data, 'base64');
  } finally {
    await page.close();
  }
}

/** Takes the pictures whose path holds `part` into `docs`, and removes those that are named no more; bytes of all taken. */
export async function takeScreenshots(docs: URL, part = ''): Promise<number> {
  buildPages();
  mkdirSync(new URL('pages/', docs), { recursive: true });
  const named = new Set([...PICTURES, ...TERMINALS].map(({ path }) => path));
  for (const name of readdirSync(new URL('pages/', docs)))
    if (!named.has(`pages/${name}`)) rmSync(new URL(`pages/${name}`, docs));
  const wanted = PICTURES.filter(({ path }) => path.includes(part));
  let bytes = 0;
  const browser = await startChromium();
  const assistant = await new FakeAssistant().start();
  try {
    for (const [scene, consulted] of [...new Set(wanted.map(({ scene: name }) => name))].flatMap((name) => [
      [name, false] as const,
      [name, true] as const,
    ])) {
      const pictures = wanted.filter(
        ({ scene: name, of }) => name === scene && (of.page === 'consult') === consulted,
      );
      if (pictures.length === 0) continue;
      await using served = await serveScene(scene, {
        standsAt: SCENE_NOW,
        usualPorts: true,
        config: { theme: THEME, ...(consulted && assistant.config()) },
      });
      if (consulted) served.sweep({ assistant: { place: 'here' } });
      assistant.manner = scene === 'hostile' ? 'evil' : (response) => streamWords(response, ERRS);
      const state = await served.desk.state();
      served.desk.sampled = sampledBefore(state, scene === 'empty' ? RUNS_SEC.empty : RUNS_SEC.others);
      // The same moment again and again: nothing moves, and the pages stay live.
      const telling = setInterval(() => served.desk.events.emit('state', state), 1_000);
      for (const picture of pictures) {
        const taken = await take(browser, served, picture);
        writeFileSync(new URL(picture.path, docs), taken);
        bytes += taken.length;
        console.log(`docs/${picture.path}  ${Math.round(taken.length / 1000)} KB`);
      }
      clearInterval(telling);
    }
    for (const picture of TERMINALS.filter(({ path }) => path.includes(part))) {
      const taken = await takeTerminal(browser, picture);
      writeFileSync(new URL(picture.path, docs), taken);
      bytes += taken.length;
      console.log(`docs/${picture.path}  ${Math.round(taken.length / 1000)} KB`);
    }
  } finally {
    await browser.close();
    await assistant.stop();
  }
  return bytes;
}
