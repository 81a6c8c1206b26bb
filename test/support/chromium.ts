/**
 * Real Chromium (Debian package `chromium`), headless, by playwright-core. A test asks for it by `needs('chromium')`.
 *
 * Scripts for pages are texts: functions compiled by tsx use helpers that no page has. They are injected over the DevTools
 * protocol, to which a page's own content security policy does not apply: the served policy is tested.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import * as assert from 'uvu/assert';

const FLAGS = [
  ...['--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** No name resolves: every request of a page or the browser to another host fails and is recorded. */
const onlyTo = (hosts: readonly string[]): string =>
  `--host-resolver-rules=${['MAP * ~NOTFOUND', ...hosts.map((host) => `EXCLUDE ${host}`)].join(' , ')}`;

/**
 * One for a whole test file; `close()` it in `test.after`. Its profile is a fresh folder that goes with it. It reaches only `hosts`,
 * and accepts certificates with the keys `pins` (base64 of the SHA-256 of a SubjectPublicKeyInfo) without an authority.
 */
export function startChromium({
  hosts = ['127.0.0.1'],
  pins = [],
}: Readonly<Partial<Record<'hosts' | 'pins', readonly string[]>>> = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: [
      ...[...FLAGS, onlyTo(hosts)],
      ...(pins.length > 0 ? [`--ignore-certificate-errors-spki-list=${pins.join(',')}`] : []),
    ],
    // Root has no sandbox to run in.
    chromiumSandbox: process.geteuid?.() !== 0,
  });
}

export interface View {
  /** CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** False: scripts of the page do not run. */
  readonly javaScript?: boolean;
  /** The current time of the page, milliseconds since the epoch; it is fixed. Default: the clock of the machine. */
  readonly nowMs?: number;
}

const WIDE = { width: 1280, height: 900 } as const;

/** Events of a tab since it was opened; the lists grow while it is open. */
export interface Seen {
  /** Warnings and errors of the console. */
  readonly console: string[];
  /** Exceptions that no one caught. */
  readonly errors: string[];
  /** Addresses asked for that are not of the origin that was opened. */
  readonly elsewhere: string[];
  /** Failed requests, except those that the page aborted. */
  readonly failed: string[];
  /** Texts of dialogs (alert, confirm, prompt), which are dismissed. */
  readonly dialogs: string[];
  /** Requests to its own origin: `GET /status`. */
  readonly requests: string[];
}

/** What the page itself observed, since its document was loaded. */
interface Observed {
  /** Directive of the content security policy, and what it blocked. */
  readonly violations: readonly string[];
  /** Layout shifts, except those within half a second after input, each with the elements that moved. */
  readonly shifts: readonly { readonly value: number; readonly nodes: readonly string[] }[];
  /** First contentful paint, ms after the navigation began; null while nothing was painted. */
  readonly firstPaintMs: number | null;
}

export interface Opened {
  readonly page: Page;
  readonly seen: Seen;
  /** Not available while scripts of the page do not run. */
  observed(): Promise<Observed>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Records what only the page can observe; runs before any script of it. */
const OBSERVER = `(() => {
  const observed = { violations: [], shifts: [], get firstPaintMs() {
    return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null;
  } };
  Object.defineProperty(globalThis, 'observedByPage', { value: () => JSON.stringify(observed) });
  addEventListener('securitypolicyviolation', (event) =>
    observed.violations.push(event.effectiveDirective + ': ' + (event.blockedURI || event.sample)));
  const name = (node) => !node ? 'gone' : node.nodeType !== 1 ? 'text in ' + name(node.parentNode)
    : node.tagName.toLowerCase() + (node.id && '#' + node.id) + [...node.classList].map((word) => '.' + word).join('');
  new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) observed.shifts.push({ value, nodes: sources.map(({ node }) => name(node)) });
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

/** A context of its own (storage, settings), in which several tabs may be opened. */
export function openContext(browser: Browser, view: View = {}): Promise<BrowserContext> {
  const { width, height, colorScheme = 'light', reducedMotion = 'no-preference', javaScript = true } = view;
  return browser.newContext({
    viewport: { width: width ?? WIDE.width, height: height ?? WIDE.height },
    colorScheme,
    reducedMotion,
    javaScriptEnabled: javaScript,
    locale: 'en-GB',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
  });
}

/** Opens a tab of a context; resolves when the page and its initial resources are loaded. */
export async function openTab(context: BrowserContext, url: string, view: View = {}): Promise<Opened> {
  const page = await context.newPage();
  if (view.nowMs !== undefined) await page.clock.setFixedTime(view.nowMs);
  const seen: Seen = { console: [], errors: [], elsewhere: [], failed: [], dialogs: [], requests: [] };
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      seen.console.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => seen.errors.push(error.stack ?? error.message));
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const asked = request.url();
    if (asked.startsWith(`${origin}/`))
      seen.requests.push(`${request.method()} ${asked.slice(origin.length)}`);
    else if (!/^(?:data|blob|about):/.test(asked)) seen.elsewhere.push(asked);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED') seen.failed.push(`${request.method()} ${request.url()}: ${why}`);
  });
  await page.addInitScript(OBSERVER);
  await page.goto(url, { waitUntil: 'load' });
  return {
    page,
    seen,
    observed: async () =>
      view.javaScript === false
        ? { violations: [], shifts: [], firstPaintMs: null }
        : (JSON.parse((await page.evaluate('observedByPage()')) as string) as Observed),
    close: () => page.close(),
    [Symbol.asyncDispose]: () => page.close(),
  };
}

/** A tab in a context of its own; closing it closes both. */
export async function openPage(browser: Browser, url: string, view: View = {}): Promise<Opened> {
  const context = await openContext(browser, view);
  try {
    const opened = await openTab(context, url, view);
    const close = () => context.close();
    return { ...opened, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await context.close();
    throw error;
  }
}

/**
 * Fails when anything unexpected was reported. `expected` are console texts that belong to
 * the test (Chromium itself writes a line for each answer above 399).
 */
export async function assertQuiet(opened: Opened, expected: readonly RegExp[] = []): Promise<void> {
  const { console, errors, elsewhere, failed, dialogs } = opened.seen;
  const { violations } = await opened.observed();
  const unexpected = console.filter((line) => !expected.some((words) => words.test(line)));
  assert.equal(
    { console: unexpected, errors, elsewhere, failed, dialogs, violations },
    { console: [], errors: [], elsewhere: [], failed: [], dialogs: [], violations: [] },
    opened.page.url(),
  );
}

/** Sum of the layout shifts so far; above `most` it fails, and names what moved. */
export async function assertStill(opened: Opened, most: number): Promise<number> {
  const { shifts } = await opened.observed();
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const moved = shifts.map(({ value, nodes }) => `${value.toFixed(4)} ${nodes.join(', ')}`);
  assert.ok(sum <= most, `${opened.page.url()}: layout shift ${sum.toFixed(4)}\n${moved.join('\n')}`);
  return sum;
}

/** Fails when the document scrolls sideways, with the elements that stick out. */
export async function assertFits({ page }: Opened): Promise<void> {
  const out = (await page.evaluate(STICKING_OUT)) as readonly string[];
  assert.equal(out, [], `${page.url()} scrolls sideways`);
}

/** Elements beyond the right edge, where the document itself scrolls sideways: elements with their own scrolling are ignored. */
const STICKING_OUT = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return ['the document is ' + scrollWidth + ' wide in ' + clientWidth,
    ...[...document.body.querySelectorAll('*')].filter((node) => node.getBoundingClientRect().right > clientWidth + 1)
      .slice(0, 8).map((node) => node.tagName.toLowerCase() + '.' + node.className + ' ' + node.textContent.trim().slice(0, 40))];
})()`;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeRule {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary: string }[];
}

/**
 * What axe-core finds wrong, each as text; empty when nothing. `within`: a CSS selector. By all of its rules, or only by those
 * that concern colours: two colour schemes of one document differ in nothing else.
 */
export async function axe(
  { page }: Opened,
  { within, only }: { readonly within?: string; readonly only?: 'colours' } = {},
): Promise<readonly string[]> {
  await page.evaluate(`if (!globalThis.axe) { ${AXE} }`);
  const root = within === undefined ? 'document' : JSON.stringify(within);
  const rules = only === undefined ? '' : `runOnly: ['color-contrast', 'link-in-text-block'],`;
  const violations = (await page.evaluate(
    `axe.run(${root}, { ${rules} resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as readonly AxeRule[];
  return violations.map(({ id, impact, help, nodes }) => {
    const places = nodes
      .slice(0, 5)
      .map(
        ({ target, failureSummary }) =>
          `  ${target.join(' ')}\n    ${failureSummary.replace(/\s*\n\s*/g, ' ')}`,
      );
    return [`${id} (${impact}), ${nodes.length} times: ${help}`, ...places].join('\n');
  });
}
