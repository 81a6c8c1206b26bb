/**
 * W1: from a snapshot to the painted page that shows it, step by step: a process of its own opens and closes a listener on one of
 * the desk's ports beside the running service, and the office page is open in Chromium.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../test/support/free-ports.ts';
import { firstPaint, openBrowser, openTab } from '../browser.ts';
import { startDoor } from '../door.ts';
import { type Change, changeOf, STEPS, WHOLE } from '../page-steps.ts';
import { startBuilt } from '../service.ts';
import { atMost, CannotRun, type Case, type Comparison, type Options } from './case.ts';

const WARM_UP = 4;
const LEAST_CHANGES = 100;
const FIRST_PAINT_MS = 300;
const LOADS = 20;
/**
 * Pause between two changes, so that the page becomes idle: longer than the interval between two fetches of the client, and varying, so
 * that changes happen at any point between two turns of the loop.
 */
const restMs = (change: number): number => 300 + ((change * 61) % 200);

interface Round {
  readonly changes: readonly Change[];
  readonly paints: readonly number[];
}

async function measure(passes: number): Promise<Round> {
  const [port = 0] = await freePorts(1);
  const own = `[[ports]]\nname = "door"\nport = ${port}\nrequired = false\n`;
  await using service = await startBuilt(`${own}[banned]\nshut_down = "never"\n`);
  const url = `http://127.0.0.1:${service.home.ports.office}/`;
  const browser = await openBrowser();
  try {
    const paints: number[] = [];
    for (let load = 0; load < LOADS; load += 1) paints.push(await firstPaint(browser, url));
    const tab = await openTab(browser, url);
    using door = startDoor();
    const changes: Change[] = [];
    for (let pass = 0; pass < WARM_UP + passes; pass += 1) {
      await delay(restMs(pass));
      const opens = pass % 2 === 0;
      const shown = await tab.watch(`[data-port="${port}"][data-up="${opens ? 'yes' : 'no'}"]`);
      const madeAt = await (opens ? door.open(port) : door.close());
      const change = changeOf(port, madeAt, await shown());
      if (pass >= WARM_UP) changes.push(change);
    }
    return { changes, paints };
  } finally {
    await browser.close();
  }
}

function comparisonsOf(rounds: readonly Round[]): Comparison[] {
  const raw = (of: (change: Change) => number) =>
    rounds.map(({ changes }) => changes.map((change) => Math.round(of(change) * 10) / 10));
  const shown = { unit: 'ms', warmUp: WARM_UP, goals: [] };
  return [
    {
      ...shown,
      name: WHOLE,
      a: 'from the moment whose snapshot has the change to the frame that shows it, in Chromium',
      rawA: raw(({ whole }) => whole),
    },
    ...STEPS.map(([step, a]) => ({
      ...shown,
      name: step,
      partOf: WHOLE,
      a,
      rawA: raw((change) => change[step]),
    })),
    {
      ...shown,
      name: 'listen(2) or close(2) to painted page',
      a: 'the same from the outside: also until the loop has seen the change',
      rawA: raw(({ outside }) => outside),
    },
    {
      name: 'first contentful paint',
      goals: [atMost('value', FIRST_PAINT_MS)],
      unit: 'ms',
      a: 'of the office page on loopback in a fresh profile, since the navigation began',
      rawA: rounds.map(({ paints }) => paints.map((ms) => Math.round(ms * 10) / 10)),
      warmUp: 0,
    },
  ];
}

const snapshotToPage: Case = {
  id: 'snapshot-to-page',
  target: 'W1',
  minutes: 9,
  title: 'From a snapshot to the page that shows it',
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds, passes }: Options) {
    const found: Round[] = [];
    try {
      for (let round = 0; round < rounds; round += 1)
        found.push(await measure(Math.max(passes, LEAST_CHANGES)));
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      const goals = [atMost('value', FIRST_PAINT_MS)];
      return { facts: {}, comparisons: [{ name: WHOLE, goals, unit: 'ms', notRun: error.message }] };
    }
    return {
      facts: {
        browser: 'chromium, headless, software rendering',
        changes: found.reduce((sum, { changes }) => sum + changes.length, 0),
        overtaken: found.flatMap(({ changes }) => changes).filter(({ overtaken }) => overtaken).length,
      },
      comparisons: comparisonsOf(found),
    };
  },
};

export default snapshotToPage;
