/** The daily digest: once for each local day, whatever clocks and restarts do; what it says. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  dayOf,
  digestDue,
  digestMessage,
  digestSince,
  localTimeOf,
  NO_DIGEST,
  withDay,
} from '../../../src/features/alerts/digest.ts';
import { shortened } from '../../../src/features/alerts/message.ts';
import { SavedAlerts } from '../../../src/features/alerts/saved.ts';
import { NOTHING_SAVED, TargetState } from '../../../src/features/alerts/target-state.ts';
import { diffOf } from '../../../src/features/diff/groups.ts';
import { diff } from '../../../src/records/diff.ts';
import { openStore } from '../../../src/service/tables.ts';
import { diffRows, eventfulDay, eventfulRows, factChange } from '../../support/diff.ts';
import { forAll } from '../../support/for-all.ts';
import { memoryFolder } from '../../support/temp-folder.ts';
import { item, open } from './items-of.ts';

const test = suite('digest');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RULES = { host: 'box', groupMs: 5_000, remindMs: DAY_MS, least: 'medium' } as const;
const local = (...of: readonly [number, number, number, number, number]) => new Date(...of).getTime();

function inZone<T>(zone: string, work: () => T): T {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

const due = (days: readonly string[], at: string, ms: number) => digestDue(days, at, localTimeOf(ms));

test('it is due from its time on, once on each local day', () => {
  const day = '2026-03-05';
  assert.not.ok(due([], '08:00', local(2026, 2, 5, 7, 59)));
  assert.ok(due([], '08:00', local(2026, 2, 5, 8, 0)));
  // The machine was off at the hour.
  assert.ok(due([], '08:00', local(2026, 2, 5, 23, 59)));
  assert.not.ok(due([day], '08:00', local(2026, 2, 5, 23, 59)));
  assert.not.ok(due([day], '08:00', local(2026, 2, 6, 7, 59)));
  assert.ok(due([day], '08:00', local(2026, 2, 6, 8, 0)));
  assert.ok(due([], '00:00', local(2026, 2, 5, 0, 0)));
});

test('an hour that the summer time leaves out or repeats gives one digest', () => {
  inZone('Europe/Berlin', () => {
    const times = (from: string, minutes: number) =>
      Array.from({ length: minutes }, (_, at) => Date.parse(from) + 60_000 * at);
    const dueOn = (at: string, all: readonly number[]): string[] => {
      let days: readonly string[] = [];
      return all.flatMap((ms) => {
        if (!due(days, at, ms)) return [];
        const day = dayOf(localTimeOf(ms));
        days = withDay(days, day);
        return [new Date(ms).toISOString()];
      });
    };
    // 02:30 does not exist on 29 March, and is twice on 25 October.
    assert.equal(dueOn('02:30', times('2026-03-28T23:00:00Z', 600)), ['2026-03-29T01:00:00.000Z']);
    assert.equal(dueOn('02:30', times('2026-10-24T22:00:00Z', 600)), ['2026-10-25T00:30:00.000Z']);
  });
});

test('any jumps of the clock and restarts give one digest for each local day on which the desk ran at its time or later', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 40 * HOUR_MS }) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -40 * DAY_MS, max: 40 * DAY_MS }) }),
    fc.record({ kind: fc.constant('restart' as const), ms: fc.integer({ min: 0, max: 3 * DAY_MS }) }),
  );
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  );
  forAll(zone, fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 1439 }), (where, steps, minute) =>
    inZone(where, () => {
      const at = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
      let ms = Date.UTC(2026, 2, 28, 23);
      let state = new TargetState(RULES);
      const sent: string[] = [];
      const ran = new Set<string>();
      for (const { kind, ms: by } of steps) {
        ms += by;
        if (kind === 'restart') state = new TargetState(RULES, JSON.parse(JSON.stringify(state.saved)));
        const now = localTimeOf(ms);
        const clock = new Date(ms);
        if (60 * clock.getHours() + clock.getMinutes() >= minute) ran.add(dayOf(now));
        const { days, coveredMs } = state.saved.digest ?? NO_DIGEST;
        if (digestDue(days, at, now)) {
          assert.ok(digestSince(coveredMs, ms) < ms);
          const facts = { diff: diff.assemble({ ts: '', ...eventfulDay() }), host: 'box', atMs: ms, open: 0 };
          state.digest(dayOf(now), digestMessage(facts), { sinceMs: ms - DAY_MS, untilMs: ms });
        }
        const made = state.make({ monoMs: ms, wallMs: ms }, false);
        if (made === null) continue;
        sent.push(dayOf(now));
        state.delivered();
      }
      assert.equal(sent.toSorted(), [...ran].sort());
    }),
  );
});

test('it goes behind a message that is on its way and what is due, and waits for the end of quiet time', () => {
  const facts = { diff: diff.assemble({ ts: '', ...eventfulDay() }), host: 'box', atMs: 0, open: 1 };
  const state = new TargetState(RULES);
  state.observe(open(item('a')), { monoMs: 0, wallMs: 0 });
  state.digest('2026-03-05', digestMessage(facts), { sinceMs: 50, untilMs: 100 });
  assert.is(state.make({ monoMs: 6_000, wallMs: 6_000 }, false)?.kind, 'opened');
  assert.is(state.make({ monoMs: 7_000, wallMs: 7_000 }, false), null);
  state.delivered();
  assert.is(state.dueMs({ monoMs: 8_000, wallMs: 8_000 }, true), Number.POSITIVE_INFINITY);
  assert.is(state.make({ monoMs: 8_000, wallMs: 8_000 }, true), null);
  assert.is(state.saved.digest?.coveredMs, 50);
  // The next day it has not gone: the newer one takes its place, and covers the same time and more.
  const later = digestMessage({ ...facts, atMs: DAY_MS });
  state.digest('2026-03-06', later, { sinceMs: 50, untilMs: DAY_MS });
  assert.equal(state.make({ monoMs: 9_000, wallMs: 9_000 }, false), later);
  assert.equal(state.saved.digest, { days: ['2026-03-05', '2026-03-06'], coveredMs: DAY_MS, waiting: null });
});

test('a state that an earlier version stored has no digest yet', () => {
  const { digest: _, ...before } = NOTHING_SAVED;
  assert.not.ok('digest' in before);
  const store = openStore(memoryFolder('desk-alerts-'));
  const saved = new SavedAlerts(store);
  saved.save('phone', before as typeof NOTHING_SAVED, []);
  assert.equal(saved.target('phone'), NOTHING_SAVED);
});

test('the text: counts, names without what runs, and what is not known', () => {
  const record = diff.assemble({ ts: '', ...eventfulDay() });
  const { title, text, kind, severity } = digestMessage({ diff: record, host: 'box', atMs: 0, open: 3 });
  assert.equal([kind, severity], ['digest', null]);
  assert.is(
    title,
    'box: digest: findings 2, startup places 1, accounts and groups 1, listeners 1, packages 1, certificates 1, what the desk could not see 1',
  );
  for (const said of [
    'The machine started at 2026-01-03 06:00.',
    'Findings: 1 opened, 1 came and went\nopened: [high] A deleted program runs',
    'Startup places: 1 added, 1 changed by packages\nadded: /etc/cron.d/x\n',
    'Listeners: 1 opened, 12 short-lived\nopened: tcp 0.0.0.0:80',
    'Packages: 1 new version\nnew version: nginx',
    'ends: example.org, 3 days left',
    'did not run: the desk, or the machine, 3 h 0 min',
    'Not all is known of\nfindings: what came and went while the desk did not run was not seen',
    'The machine started at 2026-01-03 06:00.\n3 open when this was made: desk findings\n\n',
  ])
    assert.ok(text.includes(said), `${said}\n\n${text}`);
  assert.not.match(text, 'as root');
  // It may wait for the end of quiet time: what is open then is not known.
  assert.not.match(text, 'open now');
});

test('what is not known and what is open comes first: a long text loses its end', () => {
  const kinds = ['startup', 'account', 'group', 'listener', 'program', 'package', 'severity'] as const;
  const rows = eventfulRows();
  const many = kinds.flatMap((kind) =>
    Array.from({ length: 5 }, (_, at) => factChange({ kind, key: `${at}`, name: `${at}${'x'.repeat(200)}` })),
  );
  const troubles = new Map(kinds.map((kind) => [kind, `it could not be read${'y'.repeat(200)}`]));
  const record = diff.assemble({ ts: '', ...diffOf({ ...rows, changes: many, troubles }) });
  const message = digestMessage({ diff: record, host: 'box', atMs: 0, open: 0 });
  assert.is(message.text.length, 3_500);
  assert.match(message.text, 'Nothing was open when this was made.');
  for (const group of [
    'findings',
    'startup places',
    'listeners',
    'programs that ran for 5 minutes or longer',
    'packages',
  ])
    assert.match(message.text, `\n${group}: `);
  assert.match(message.text, /\nwhat the desk could not see: [^\n]+\n\nFindings: /);
  assert.match(shortened(message).text, /\n\nMore: desk diff$/);
});

test('a day without changes is only called so where all of it is known', () => {
  const titleFor = (parts: Parameters<typeof diffRows>[0]) =>
    digestMessage({
      diff: diff.assemble({ ts: '', ...diffOf(diffRows(parts)) }),
      ...{ host: 'box', atMs: 0, open: 0 },
    }).title;
  assert.is(titleFor({}), 'box: digest: nothing has changed');
  assert.is(
    titleFor({ troubles: new Map([['startup', 'EACCES']]) }),
    'box: digest: nothing seen, not all is known',
  );
  assert.is(
    titleFor({ counts: new Map([['listener', { shortLived: 2, leftOut: 0 }]]) }),
    'box: digest: nothing to list, only counts',
  );
});

test.run();
