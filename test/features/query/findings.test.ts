/** Findings of the past, from a store: ever, at, since. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HISTORY } from '../../../src/features/history/index.ts';
import { answer } from '../../../src/features/query/api.ts';
import { parse } from '../../../src/query/parse.ts';
import { within } from '../../support/baseline.ts';
import { FakeDesk } from '../../support/fake-desk.ts';
import { findingFrom } from '../../support/state.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('findings in queries');
const root = tempFolder('desk-query-');

const HOUR = 3_600_000;
const now = Math.floor(Date.now() / 1000) * 1000;
const ago = (hours: number): string => new Date(now - hours * HOUR).toISOString();

const ids = { open: '00000000000000aa', closed: '00000000000000bb', twice: '00000000000000cc' };
const one = (id: string, hours: number) =>
  findingFrom({ id, check: `check-${id.slice(-2)}`, firstSeen: ago(hours), lastSeen: ago(hours) });

/** `open` since 10 h; `closed` from 8 h to 4 h; `twice` from 9 h to 7 h and since 3 h. */
async function withHistory(
  work: (
    asked: (query: string) => Promise<{ readonly found: string[]; readonly sentence: string }>,
  ) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(root, 'f-'));
  let done: Promise<void> = Promise.resolve();
  within(folder, ({ findings }) => {
    const [open, closed, twice] = [one(ids.open, 10), one(ids.closed, 8), one(ids.twice, 9)];
    findings.record([
      { opened: [open], closed: [], at: ago(10) },
      { opened: [twice], closed: [], at: ago(9) },
      { opened: [closed], closed: [], at: ago(8) },
      { opened: [], closed: [twice], at: ago(7) },
      { opened: [], closed: [closed], at: ago(4) },
      { opened: [twice], closed: [], at: ago(3) },
    ]);
    const stored = new Map(
      [null, 11, 9.5, 8.5, 7.5, 6, 3.5, 1].map((hours) => {
        const atSec = hours === null ? null : Math.floor((now - hours * HOUR) / 1000);
        return [atSec, findings.stored(100, atSec)] as const;
      }),
    );
    const events = findings.events(100);
    const first = findings.firstEvent();
    const desk = new FakeDesk();
    desk.parts = { findings: [open, twice] };
    desk.provide(HISTORY, {
      ...desk.use(HISTORY),
      events: () => events,
      firstEvent: () => first,
      stored: (_limit, atSec) => stored.get(atSec) ?? null,
      readable: () => true,
    });
    done = work(async (query) => {
      const { result, sentence } = await answer(desk, parse(query), null);
      return { found: result.rows.map(({ key }) => String(key[0]).slice(-2)).sort(), sentence };
    });
  });
  await done;
}

test('ever adds closed findings, with the time at which they closed', () =>
  withHistory(async (asked) => {
    assert.equal((await asked('findings')).found, ['aa', 'cc']);
    assert.equal((await asked('findings ever')).found, ['aa', 'bb', 'cc']);
    assert.equal((await asked('findings ever where state = closed')).found, ['bb']);
    assert.equal((await asked(`findings ever where closed > "${ago(5)}"`)).found, ['bb']);
    assert.equal((await asked('findings ever where closed is none')).found, ['aa', 'cc']);
    assert.equal((await asked(`findings ever since "${ago(9.5)}"`)).found, ['bb', 'cc']);
  }));

test('at shows what was open then, also what opened again later', () =>
  withHistory(async (asked) => {
    for (const [hours, found] of [
      [11, []],
      [9.5, ['aa']],
      [8.5, ['aa', 'cc']],
      [7.5, ['aa', 'bb', 'cc']],
      [6, ['aa', 'bb']],
      [3.5, ['aa']],
      [1, ['aa', 'cc']],
    ] as const)
      assert.equal((await asked(`findings at "${ago(hours)}"`)).found, found, `${hours} h ago`);
    assert.match(
      (await asked(`findings at "${ago(11)}"`)).sentence,
      /^No findings are known; the history begins at /,
    );
  }));

test('events are rows with their times', () =>
  withHistory(async (asked) => {
    const { found } = await asked('finding_events where event = closed');
    assert.is(found.length, 2);
    assert.is((await asked(`finding_events since "${ago(4.5)}"`)).found.length, 2);
    assert.match((await asked('finding_events since 30d')).sentence, /the history begins at/);
  }));

test.run();
