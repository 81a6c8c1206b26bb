/** W2: the process table of the office page at 5,000 rows in Chromium: a frame while it scrolls, a sort, a filter. */
import { SCENE_NOW } from '../../test/support/scenes.ts';
import { serveScene } from '../../test/support/served-scene.ts';
import { openBrowser } from '../browser.ts';
import { atMost, CannotRun, type Case, type Comparison } from './case.ts';

/** A frame at 60 a second. */
const FRAME_MS = 16.7;
const LEAST_PASSES = 100;
const WARM_UP = 12;
/** Fast scrolling: 14,400 pixels a second, a third of the visible rows are new in each frame. */
const SCROLL_PX = 240;
/** Every visible row is new in each frame, as when the scroll bar is dragged. */
const JUMP_PX = 1_777;

/**
 * Works on the grid of the table, `count` times each, and gives ms: `scroll` and `jump` from the scroll event of a frame to a task
 * after that frame (drawing, layout, painting), `sort` and `filter` from the event to the changed document with its layout made. Waiting for a
 * frame is not included.
 */
const WORK = `(async (count) => {
  const grid = document.querySelector('[role=grid].processes');
  const section = grid.closest('section');
  const box = section.querySelector('input[type=search]');
  const buttons = [...grid.querySelectorAll('th button')];
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const after = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
  const changed = () => new Promise((resolve) => {
    const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
    observer.observe(section, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const timed = async (act) => {
    for (let rest = 0; rest < 3; rest += 1) await frame();
    const seen = changed();
    const began = performance.now();
    act();
    await seen;
    grid.getBoundingClientRect();
    return performance.now() - began;
  };
  const type = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  const fill = (words) => { type.call(box, words); box.dispatchEvent(new InputEvent('input', { bubbles: true })); };

  let began = 0;
  grid.addEventListener('scroll', () => { began = performance.now(); }, { capture: true });
  const far = grid.scrollHeight - grid.clientHeight;
  const scrolled = async (step) => {
    const times = [];
    for (let at = 0; at < count; at += 1) {
      grid.scrollTop = (at * step) % far;
      // Scroll events are dispatched at the beginning of a frame, before its callbacks.
      await frame();
      await after();
      times.push(performance.now() - began);
    }
    grid.scrollTop = 0;
    await frame();
    return times;
  };
  const scroll = await scrolled(${SCROLL_PX});
  const jump = await scrolled(${JUMP_PX});
  const sort = [];
  for (let at = 0; at < count; at += 1) sort.push(await timed(() => buttons[at % buttons.length].click()));
  const filter = [];
  const queries = ['n', 'no', 'nod', 'node', '1', '12', 'sleeping', 'usr bin', 'zzz'];
  for (let at = 0; at < count; at += 1)
    filter.push(await timed(() => fill(at % 2 === 0 ? queries[(at / 2) % queries.length] : '')));
  return { scroll, jump, sort, filter, rows: Number(grid.getAttribute('aria-rowcount')) - 1, drawn: grid.querySelectorAll('tbody tr').length };
})`;

interface Worked {
  readonly scroll: readonly number[];
  readonly jump: readonly number[];
  readonly sort: readonly number[];
  readonly filter: readonly number[];
  readonly rows: number;
  readonly drawn: number;
}

async function measure(passes: number): Promise<Worked> {
  const browser = await openBrowser();
  try {
    await using served = await serveScene('crowd', { standsAt: SCENE_NOW });
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(served.url('/'), { waitUntil: 'load' });
    const grid = page.locator('[role=grid].processes');
    await grid.scrollIntoViewIfNeeded();
    await grid.locator('tbody tr').first().waitFor();
    return (await page.evaluate(`${WORK}(${WARM_UP + passes})`)) as Worked;
  } finally {
    await browser.close();
  }
}

const GOALS = [atMost('value', FRAME_MS)] as const;
const KINDS = [
  [
    'scroll',
    'a frame while scrolling',
    'from the scroll event to a task after its frame: rows drawn, laid out and painted; 240 pixels a frame',
    GOALS,
  ],
  ['jump', 'a frame while its bar is dragged', 'the same with every row in sight new in each frame', []],
  [
    'sort',
    'a sort',
    'from the click on a column to the changed document, laid out; another column each time',
    GOALS,
  ],
  ['filter', 'a filter', 'from the typed words to the changed document, laid out', GOALS],
] as const;

const longTable: Case = {
  id: 'long-table',
  target: 'W2',
  minutes: 2,
  title: 'The process table at 5,000 rows',
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds, passes }) {
    const found: Worked[] = [];
    try {
      for (let round = 0; round < rounds; round += 1)
        found.push(await measure(Math.max(passes, LEAST_PASSES)));
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      const notRun = error.message;
      return {
        facts: {},
        comparisons: KINDS.map(([, name]) => ({ name, goals: GOALS, unit: 'ms', notRun })),
      };
    }
    return {
      facts: {
        browser: 'chromium, headless, software rendering',
        rows: found[0]?.rows ?? 0,
        drawn: found[0]?.drawn ?? 0,
      },
      comparisons: KINDS.map(
        ([kind, name, a, goals]): Comparison => ({
          name,
          goals,
          a,
          unit: 'ms',
          rawA: found.map((one) => one[kind].slice(WARM_UP).map((ms) => Math.round(ms * 100) / 100)),
          warmUp: WARM_UP,
        }),
      ),
    };
  },
};

export default longTable;
