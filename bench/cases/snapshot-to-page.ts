/**
 * W1: from a snapshot to the painted page that shows it, step by step: a process of its own opens and closes a listener on one of
 * the desk's ports beside the running service, and the office page is open in Chromium.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../test/support/free-ports.ts';
import { firstPaint, type Mark, openBrowser, openTab, type Shown } from '../browser.ts';
import { startDoor } from '../door.ts';
import { startBuilt } from '../service.ts';
import { atMost, CannotRun, type Case, type Comparison, type Options } from './case.ts';

const WARM_UP = 4;
const LEAST_CHANGES = 100;
const FIRST_PAINT_MS = 300;
const LOADS = 20;
/**
 * Between two changes the page comes to rest: longer than the client waits between two readings, and of uneven length, so
 * that changes fall everywhere between two turns of the loop.
 */
const restMs = (change: number): number => 300 + ((change * 61) % 200);

const WHOLE = 'snapshot to painted page';
const STEPS = [
  ['told', 'from the snapshot to the event written to the stream: judgement, records'],
  ['arrived', 'to the event parsed in the tab'],
  ['asked', 'to the page record being asked for: the client waits 200 ms between two readings'],
  ['received', 'to the page record parsed'],
  ['drawn', 'to the changed document'],
  ['painted', 'to the frame that has it handed over, up to 16.7 ms for want of a frame'],
] as const;
type Step = (typeof STEPS)[number][0];

/** ms. */
interface Change extends Readonly<Record<Step, number>> {
  readonly whole: number;
  /** From listen(2) or close(2) to the painted page. */
  readonly outside: number;
}

/** @throws Error when a mark is missing */
function changeOf(madeAt: number, { drawn, painted, marks }: Shown): Change {
  const must = (mark: Mark | undefined, what: string): Mark => {
    if (mark === undefined) throw new Error(`the page left no mark of ${what}`);
    return mark;
  };
  const event = must(
    marks.find(({ name, detail }) => name === 'desk:event' && detail.event === 'port'),
    'the port event',
  );
  const { generation } = event.detail;
  const { detail } = must(
    marks.find(
      ({ name, detail }) =>
        name === 'desk:event' && detail.event === 'snapshot' && detail.generation === generation,
    ),
    'its snapshot',
  );
  const received = must(
    marks.findLast(
      ({ name, at, detail }) =>
        name === 'desk:page-received' && at <= drawn && detail.generation >= generation,
    ),
    'the page record',
  );
  const asked = must(
    marks.findLast(({ name, at }) => name === 'desk:page-asked' && at <= received.at),
    'the question for it',
  );
  // Both are whole milliseconds, cut off: on average half of one is lost.
  const made = Date.parse(detail.ts) + 0.5;
  const told = made + detail.age_ms;
  return {
    told: told - made,
    arrived: event.at - told,
    asked: asked.at - event.at,
    received: received.at - asked.at,
    drawn: drawn - received.at,
    painted: painted - drawn,
    whole: painted - made,
    outside: painted - madeAt,
  };
}

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
      const change = changeOf(madeAt, await shown());
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
      facts: { browser: 'chromium, headless, software rendering' },
      comparisons: comparisonsOf(found),
    };
  },
};

export default snapshotToPage;
