/** The two big tables, with 5,000 processes and 300 listeners: sorted, filtered, navigated, refreshed in place. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertFits, assertQuiet, axe, type Opened, openPage } from '../support/chromium.ts';
import { browserForTests, type LiveScene, serveLive, settled, until } from '../support/desk-page.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('tables in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
test.after(() => browser?.close());

type Id = 'processes' | 'listeners';
const section = ({ page }: Opened, id: Id) => page.locator(`section[aria-labelledby=${id}]`);
const grid = ({ page }: Opened, id: Id) => page.locator(`[role=grid][aria-labelledby=${id}]`);
const said = (opened: Opened, id: Id, words: string) =>
  section(opened, id).locator('.table-said', { hasText: words }).waitFor();

async function openTable(served: LiveScene, id: Id, width = 1280): Promise<Opened> {
  if (browser === null) throw new Error('there is no browser');
  const opened = await openPage(browser, served.url('/'), { width });
  await settled(opened);
  await section(opened, id).scrollIntoViewIfNeeded();
  await grid(opened, id).locator('tbody [role=row]').first().waitFor();
  return opened;
}

/** The rendered rows, in order: position and the text of each cell. */
const rowsOf = async ({ page }: Opened, id: Id) =>
  (await page.evaluate(`[...document.querySelectorAll('[role=grid][aria-labelledby=${id}] tbody [role=row]')]
    .map((row) => [Number(row.getAttribute('aria-rowindex')) - 2, ...[...row.children].map((cell) => cell.innerText.trim())])
    .sort((a, b) => a[0] - b[0])`)) as readonly (readonly [number, ...string[]])[];

/** Number of rows, and height and position of the visible ones: none is missing between the first and the last. */
const SIGHT = (id: Id) => `(() => {
  const box = document.querySelector('[role=grid][aria-labelledby=${id}]').getBoundingClientRect();
  const rows = [...document.querySelectorAll('[role=grid][aria-labelledby=${id}] tbody [role=row]')]
    .map((row) => [Number(row.getAttribute('aria-rowindex')), row.getBoundingClientRect()])
    .filter(([, { top, bottom }]) => bottom > box.top && top < box.bottom).sort((a, b) => a[0] - b[0]);
  const last = rows.at(-1);
  return { places: rows.map(([place]) => place), heights: [...new Set(rows.map(([, { height }]) => Math.round(height)))],
    empty: rows.length === 0 ? box.height : box.bottom - last[1].bottom };
})()`;

interface Sight {
  readonly places: readonly number[];
  readonly heights: readonly number[];
  /** px below the last visible row. */
  readonly empty: number;
}

async function assertWhole(opened: Opened, id: Id): Promise<Sight> {
  const sight = (await opened.page.evaluate(SIGHT(id))) as Sight;
  const [from = 0] = sight.places;
  assert.equal(
    sight.places,
    [...sight.places.keys()].map((at) => from + at),
  );
  assert.is(sight.heights.length, 1, 'rows of one height');
  return sight;
}

const head = (opened: Opened, id: Id, name: string) => grid(opened, id).locator('th', { hasText: name });

it('5,000 processes are sorted by each column in both directions, and few of them are rendered', async () => {
  await using served = await serveLive('crowd');
  const opened = await openTable(served, 'processes');
  const { page } = opened;
  await said(opened, 'processes', '5,000 of 5,000 processes');
  assert.is(await grid(opened, 'processes').getAttribute('aria-rowcount'), '5001');
  const columns = await grid(opened, 'processes').locator('th').allInnerTexts();
  assert.is(await grid(opened, 'processes').getAttribute('aria-colcount'), String(columns.length));
  for (const [at, name] of columns.entries()) {
    const th = grid(opened, 'processes').locator('th').nth(at);
    const [first, second] = [await sortedBy(opened, th, at), await sortedBy(opened, th, at)];
    assert.is.not(first, second, `${name}: ${first}`);
    assert.ok((await rowsOf(opened, 'processes')).length < 80, 'rows out of sight are none');
  }
  // Numbers as numbers.
  const pid = head(opened, 'processes', 'Pid');
  await pid.getByRole('button').click();
  if ((await pid.getAttribute('aria-sort')) !== 'ascending') await pid.getByRole('button').click();
  const pids = (await rowsOf(opened, 'processes')).map(([, text]) => Number(text));
  assert.equal(
    pids,
    pids.toSorted((a, b) => a - b),
  );
  assert.is(pids[0], 1);
  assert.equal(await axe(opened, { within: 'section[aria-labelledby=processes]' }), []);
  await page.waitForTimeout(50);
  await assertQuiet(opened);
  await opened.close();
});

/** Sorts by a column once more: the direction it reports, which is that of the visible values. */
async function sortedBy(opened: Opened, th: ReturnType<typeof head>, at: number): Promise<string> {
  await th.getByRole('button').click();
  const direction = (await th.getAttribute('aria-sort')) ?? '';
  const values = (await rowsOf(opened, 'processes')).map((row) => row[at + 1] ?? '');
  const numbers = values.filter((text) => text !== '').map(Number);
  if (!numbers.some(Number.isNaN))
    assert.equal(
      numbers,
      numbers.toSorted((a, b) => (direction === 'ascending' ? a - b : b - a)),
      `column ${at}`,
    );
  return direction;
}

it('the table is filtered by words and kinds, and may have no match', async () => {
  await using served = await serveLive('crowd');
  const opened = await openTable(served, 'processes');
  const filter = opened.page.getByRole('searchbox', { name: 'Filter processes' });
  await filter.fill('postgres');
  await until(
    opened,
    `!document.querySelector('section[aria-labelledby=processes] .table-said').innerText.startsWith('5,000')`,
  );
  const found = await rowsOf(opened, 'processes');
  assert.ok(found.length > 5);
  for (const [, ...cells] of found) assert.match(cells.join(' '), /postgres/);
  await filter.fill('no such name anywhere');
  await said(opened, 'processes', '0 of 5,000 processes');
  assert.match(
    await section(opened, 'processes').locator('.row-detail').innerText(),
    /No process matches the filter/,
  );
  await filter.fill('');
  await section(opened, 'processes').locator('label', { hasText: 'With findings' }).click();
  await until(
    opened,
    `!document.querySelector('section[aria-labelledby=processes] .table-said').innerText.startsWith('0 ')`,
  );
  for (const row of await rowsOf(opened, 'processes')) assert.ok(Number(row.at(-1)) > 0, row.join(' '));
  await section(opened, 'processes').locator('label', { hasText: 'All' }).click();
  await said(opened, 'processes', '5,000 of 5,000 processes');
  await assertQuiet(opened);
  await opened.close();
});

it('the keyboard moves from one end to the other, and a selected row is shown in full', async () => {
  await using served = await serveLive('crowd');
  const opened = await openTable(served, 'processes');
  const { page } = opened;
  const table = grid(opened, 'processes');
  await table.focus();
  /** The current row: its position, and whether it is visible. */
  const current = async () =>
    (await page.evaluate(`(() => {
      const box = document.querySelector('[role=grid][aria-labelledby=processes]');
      const row = document.getElementById(box.getAttribute('aria-activedescendant') ?? '');
      if (row === null) return null;
      const [a, b, head] = [row, box, box.querySelector('thead')].map((one) => one.getBoundingClientRect());
      return [Number(row.getAttribute('aria-rowindex')), a.top >= Math.max(b.top, head.bottom) - 1 && a.bottom <= b.bottom + 1, row.getAttribute('aria-selected')];
    })()`)) as readonly [number, boolean, string] | null;
  for (const [key, place] of [
    ['ArrowDown', 2],
    ['ArrowDown', 3],
    ['ArrowUp', 2],
    ['End', 5001],
    ['ArrowUp', 5000],
    ['Home', 2],
  ] as const) {
    await page.keyboard.press(key);
    await until(
      opened,
      `document.querySelector('[role=grid][aria-labelledby=processes]').hasAttribute('aria-activedescendant')`,
    );
    assert.equal(await current(), [place, true, 'true'], key);
    await assertWhole(opened, 'processes');
  }
  for (const [key, sign] of [
    ['PageDown', 1],
    ['PageDown', 1],
    ['PageUp', -1],
  ] as const) {
    const before = (await current())?.[0] ?? 0;
    await page.keyboard.press(key);
    const [place = 0, inSight] = (await current()) ?? [];
    assert.ok((place - before) * sign > 3 && inSight === true, `${key}: from ${before} to ${place}`);
  }
  const detail = await section(opened, 'processes').locator('.row-detail').innerText();
  assert.match(detail, /Pid[\s\S]*Executable[\s\S]*Confinement[\s\S]*Findings/);
  // Scrolling by wheel or touch: no row is missing.
  for (const part of [0.1, 0.37, 0.9, 1, 0]) {
    await page.evaluate(`(() => {
      const box = document.querySelector('[role=grid][aria-labelledby=processes]');
      box.scrollTop = (box.scrollHeight - box.clientHeight) * ${part};
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 20))));
    })()`);
    const { places, empty } = await assertWhole(opened, 'processes');
    assert.ok(places.length >= 5 && empty < 40, `at ${part}: ${places.length} rows, ${empty} px without`);
  }
  await assertQuiet(opened);
  await opened.close();
});

it('a refresh keeps order, filter, position and the selected row', async () => {
  await using served = await serveLive('healthy');
  const opened = await openTable(served, 'processes');
  const { page } = opened;
  const rows = [...(served.scene.parts.snapshot?.processes ?? [])];
  const pid = head(opened, 'processes', 'Pid');
  await pid.getByRole('button').click();
  if ((await pid.getAttribute('aria-sort')) !== 'descending') await pid.getByRole('button').click();
  await page.getByRole('searchbox', { name: 'Filter processes' }).fill('chromium');
  await said(opened, 'processes', `5 of ${rows.length} processes`);
  await grid(opened, 'processes').focus();
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowDown');
  const detail = section(opened, 'processes').locator('.row-detail');
  const chosen = /Pid\s+(\d+)/.exec(await detail.innerText())?.[1];
  served.sweep({
    snapshot: {
      processes: [...rows, { pid: 40_000, comm: 'chromium', exe: '/usr/lib/chromium/chromium' }],
    },
  });
  await said(opened, 'processes', `6 of ${rows.length + 1} processes`);
  const shown = await rowsOf(opened, 'processes');
  assert.is(shown[0]?.[1], '40000');
  assert.is(await pid.getAttribute('aria-sort'), 'descending');
  assert.is(/Pid\s+(\d+)/.exec(await detail.innerText())?.[1], chosen);
  served.sweep({ snapshot: { processes: rows.filter((row) => String(row.pid) !== chosen) } });
  await said(opened, 'processes', `4 of ${rows.length - 1} processes`);
  assert.match(await detail.innerText(), /Choose a process/);
  await assertQuiet(opened);
  await opened.close();
});

it('a row leads to the page of its process, which is read again on request until the process has ended', async () => {
  await using served = await serveLive('degraded');
  await using opened = await openTable(served, 'processes', 360);
  const { page } = opened;
  await section(opened, 'processes').getByRole('searchbox').fill('backup-agent');
  await said(opened, 'processes', '1 of ');
  await grid(opened, 'processes').locator('tbody [role=row]').first().click();
  await section(opened, 'processes').getByRole('link', { name: '1730' }).click();
  await page.waitForURL(/\/process\/1730$/);
  await settled(opened);
  await assertFits(opened);
  assert.match(await page.locator('main').innerText(), '/usr/local/bin/backup-agent');
  assert.is(await page.locator('[data-finding]').count(), 1);
  const again = page.getByRole('button', { name: 'Read again' });
  const reads = () => served.requests.filter(({ path }) => path.startsWith('/h7/processes/1730')).length;
  assert.is(reads(), 0, 'the page came with its record');
  await again.click();
  await until(opened, `!document.querySelector('.page-head button').disabled`);
  assert.is(reads(), 1);
  const left = served.scene.parts.snapshot?.processes?.filter(({ pid }) => pid !== 1730) ?? [];
  served.sweep({ snapshot: { ...served.scene.parts.snapshot, processes: left } });
  await again.click();
  await page.getByRole('alert').filter({ hasText: 'Process 1730 is not running' }).waitFor();
});

it('300 listeners fit at 360 px, with kinds and the findings of a row', async () => {
  await using served = await serveLive('crowd');
  const opened = await openTable(served, 'listeners', 360);
  const { page } = opened;
  await said(opened, 'listeners', '300 of 300 listeners');
  await assertFits(opened);
  await assertWhole(opened, 'listeners');
  await section(opened, 'listeners').locator('label', { hasText: 'Public' }).click();
  await until(
    opened,
    `!document.querySelector('section[aria-labelledby=listeners] .table-said').innerText.startsWith('300')`,
  );
  for (const row of await rowsOf(opened, 'listeners')) assert.match(row.join(' '), /public/);
  await page.getByRole('searchbox', { name: 'Filter listeners' }).fill('443');
  await grid(opened, 'listeners').locator('tbody [role=row]').first().click();
  await section(opened, 'listeners').locator('.row-detail.chosen').waitFor();
  assert.match(await section(opened, 'listeners').locator('.row-detail').innerText(), /Port\s+\d*443/);
  await assertFits(opened);
  assert.equal(await axe(opened, { within: 'section[aria-labelledby=listeners]' }), []);
  await assertQuiet(opened);
  await opened.close();
});

test.run();
