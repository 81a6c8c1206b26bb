/** A digest on its way to a target: once a day over restarts, from a store that can be read, and only once it is stored. */
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIFF, type DiffApi } from '../../../src/desk/diff.ts';
import type { Token } from '../../../src/desk/token.ts';
import { EgressGuard } from '../../../src/egress/guard.ts';
import { TargetDelivery } from '../../../src/features/alerts/delivery.ts';
import { DeskAlerts } from '../../../src/features/alerts/desk-alerts.ts';
import { Digests } from '../../../src/features/alerts/digests.ts';
import { SavedAlerts } from '../../../src/features/alerts/saved.ts';
import { senderOf } from '../../../src/features/alerts/senders.ts';
import { NOTHING_SAVED, type TargetSaved } from '../../../src/features/alerts/target-state.ts';
import { AlertTurn } from '../../../src/features/alerts/turn.ts';
import { diffOf } from '../../../src/features/diff/groups.ts';
import { openStore } from '../../../src/service/tables.ts';
import type { Access } from '../../../src/store/store.ts';
import { diffRows, eventfulDay } from '../../support/diff.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';
import { memoryFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { item, open } from './items-of.ts';
import { webhook } from './webhook.ts';

const test = suite('digests');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RULES = { host: 'box', groupMs: 0, remindMs: DAY_MS, least: 'medium' } as const;
const local = (...of: readonly [number, number, number, number, number]) => new Date(...of).getTime();
const log = pino({ level: 'silent' });

/** One target that is delivered to a webhook, and a disk that takes so many more writes. */
async function scene(evenWhenQuiet = false) {
  const hook = await webhook();
  const config = hook.configWith({}, {});
  const store = openStore(memoryFolder('desk-alerts-'));
  const disk = { takes: Number.POSITIVE_INFINITY };
  const access: Access = {
    ...{ store, records: true, failure: '', trouble: '', gone: false },
    read: (operation, work) => store.read(operation, work),
    write: (operation, work) => store.write(operation, work),
    record: (operation, work) => {
      disk.takes -= 1;
      return disk.takes >= 0 && store.record(operation, work);
    },
  };
  const saved = new SavedAlerts(access);
  const clock = { nowMs: local(2026, 2, 5, 7, 0), ranMs: DAY_MS };
  const asked: (readonly [number, number])[] = [];
  const day = { happens: true, settled: true, readable: true };
  const api: DiffApi = {
    settled: () => day.settled,
    between: async (sinceMs, untilMs) => {
      asked.push([sinceMs, untilMs]);
      return day.readable
        ? day.happens
          ? eventfulDay()
          : diffOf(diffRows())
        : diffOf(diffRows({ changes: null, findings: null }));
    },
  };
  const boot = (before: TargetSaved = saved.target('hook') ?? NOTHING_SAVED) => {
    const [target] = config.alerts.to as [(typeof config.alerts.to)[number]];
    const delivery = new TargetDelivery({
      ...{ target, saved, log, before, rules: RULES, quiet: () => null },
      sender: senderOf(target, { egress: new EgressGuard(config.egress), remindHours: 24, mail: () => null }),
    });
    const { at, to } = config.alerts.digest;
    const digests = new Digests({
      ...{ at, to, evenWhenQuiet, host: 'box', diff: () => api, open: () => 3, nowMs: () => clock.nowMs },
      ranMs: () => clock.ranMs,
    });
    delivery.step();
    return { delivery, make: () => digests.make([delivery]) };
  };
  return { ...hook, clock, asked, day, disk, saved, boot };
}

/** So many have arrived, and that is noted: a service that ends before that may send it again. */
const arrived = (
  { got }: Awaited<ReturnType<typeof scene>>,
  { delivery }: { readonly delivery: TargetDelivery },
  count: number,
) => until(() => got.length === count && delivery.shown.waiting === '', `message ${count}`);

test('a target gets one digest a day, over restarts and a clock that is set back', async () => {
  await using of = await scene();
  let desk = of.boot();
  await desk.make();
  assert.equal(of.asked, [], 'before its time');
  of.clock.nowMs += HOUR_MS;
  await desk.make();
  await arrived(of, desk, 1);
  const firstMs = of.clock.nowMs - 5_000;
  assert.equal(of.asked, [[firstMs - DAY_MS, firstMs]]);
  assert.is(of.got[0]?.kind, 'digest');
  for (const byMs of [60_000, -2 * HOUR_MS, 5 * HOUR_MS]) {
    of.clock.nowMs += byMs;
    await desk.make();
    await desk.delivery.stop();
    desk = of.boot();
    await desk.make();
  }
  assert.is(of.asked.length, 1);
  of.clock.nowMs = local(2026, 2, 6, 9, 30);
  await desk.make();
  await arrived(of, desk, 2);
  // It covers the time since the last one.
  assert.equal(of.asked[1], [firstMs, of.clock.nowMs - 5_000]);
  assert.is.not(of.got[0]?.id, of.got[1]?.id);
  await desk.delivery.stop();
});

test('one that does not arrive is the same one after a restart', async () => {
  await using of = await scene();
  of.answers.splice(0, 1, 500, 200);
  of.clock.nowMs += HOUR_MS;
  const desk = of.boot();
  await desk.make();
  await until(() => desk.delivery.shown.reason !== '', 'a failed attempt');
  await desk.delivery.stop();
  const next = of.boot();
  await next.make();
  await arrived(of, next, 1);
  assert.is(of.asked.length, 1);
  await next.delivery.stop();
  assert.equal(
    of.got.map(({ kind }) => kind),
    ['digest'],
  );
});

test('a day without changes is silent, unless it was asked for; the next one covers both days', async () => {
  for (const evenWhenQuiet of [false, true]) {
    await using of = await scene(evenWhenQuiet);
    of.day.happens = false;
    of.clock.nowMs += HOUR_MS;
    const desk = of.boot();
    await desk.make();
    if (evenWhenQuiet) await arrived(of, desk, 1);
    assert.is(of.got[0]?.title, evenWhenQuiet ? 'box: digest: nothing has changed' : undefined);
    await desk.make();
    assert.is(of.asked.length, 1, 'asked once a day');
    of.day.happens = true;
    of.clock.nowMs += DAY_MS;
    await desk.make();
    await arrived(of, desk, evenWhenQuiet ? 2 : 1);
    const [sinceMs, untilMs] = of.asked[1] as readonly [number, number];
    assert.is(untilMs - sinceMs, evenWhenQuiet ? DAY_MS : 2 * DAY_MS);
    await desk.delivery.stop();
  }
});

test('after a start it waits until everything was looked at, ten minutes at most', async () => {
  await using of = await scene();
  of.clock.nowMs += HOUR_MS;
  Object.assign(of.clock, { ranMs: 30_000 });
  of.day.settled = false;
  const desk = of.boot();
  await desk.make();
  assert.equal(of.asked, []);
  of.clock.ranMs = 600_000;
  await desk.make();
  await arrived(of, desk, 1);
  await desk.delivery.stop();
});

test('while the store cannot be read no day is marked, and the next turn tries again', async () => {
  await using of = await scene();
  of.clock.nowMs += HOUR_MS;
  of.day.readable = false;
  const desk = of.boot();
  await desk.make();
  await desk.make();
  assert.is(of.asked.length, 2);
  assert.is(desk.delivery.digestState, null);
  of.day.readable = true;
  await desk.make();
  await arrived(of, desk, 1);
  const [firstMs] = of.asked.map(([, untilMs]) => untilMs);
  // A day that ends so has none; the next one covers both.
  of.day.readable = false;
  for (const hour of [8, 23]) {
    of.clock.nowMs = local(2026, 2, 6, hour, 59);
    await desk.make();
  }
  const before = of.asked.length;
  of.clock.nowMs = local(2026, 2, 7, 0, 30);
  await desk.make();
  assert.is(of.asked.length, before, 'it is over with the day');
  of.day.readable = true;
  of.clock.nowMs = local(2026, 2, 7, 8, 0);
  await desk.make();
  await arrived(of, desk, 2);
  assert.equal(of.asked.at(-1), [firstMs, of.clock.nowMs - 5_000]);
  await desk.delivery.stop();
});

test('on a full disk it waits, alerts do not wait behind it, and a kill gives no second one', async () => {
  await using of = await scene();
  of.clock.nowMs += HOUR_MS;
  const desk = of.boot();
  of.disk.takes = 0;
  await desk.make();
  desk.delivery.observe(open(item('a', { severity: 'critical' })));
  await arrived(of, desk, 1);
  assert.equal(
    of.got.map(({ kind }) => kind),
    ['opened'],
  );
  // A reload hands over what is not stored; it is as little stored there.
  const left = await desk.delivery.stop();
  assert.ok(left?.digest?.waiting);
  const next = of.boot(left as TargetSaved);
  next.delivery.observe(open());
  await arrived(of, next, 2);
  assert.equal(
    of.got.map(({ kind }) => kind),
    ['opened', 'resolved'],
  );
  await next.delivery.stop();
  // Of a kill only the store is left: it knows of no digest, and none has gone.
  of.disk.takes = Number.POSITIVE_INFINITY;
  const last = of.boot();
  await last.make();
  await until(() => of.got.some(({ kind }) => kind === 'digest'), 'the digest');
  await until(() => last.delivery.shown.waiting === '', 'its delivery is noted');
  await last.make();
  assert.is(of.got.filter(({ kind }) => kind === 'digest').length, 1);
  await last.delivery.stop();
});

test('one that is stored, but not that it goes, waits and goes with the same id', async () => {
  await using of = await scene();
  of.clock.nowMs += HOUR_MS;
  const desk = of.boot();
  // The digest of the day; then the disk is full.
  of.disk.takes = 1;
  await desk.make();
  desk.delivery.observe(open(item('a')));
  await arrived(of, desk, 1);
  assert.is(of.got[0]?.kind, 'opened');
  const id = of.saved.target('hook')?.digest?.waiting?.message.id;
  assert.ok(id);
  of.disk.takes = Number.POSITIVE_INFINITY;
  desk.delivery.step();
  await arrived(of, desk, 2);
  assert.equal([of.got[1]?.kind, of.got[1]?.id], ['digest', id]);
  assert.equal(of.saved.target('hook')?.digest?.waiting, null);
  await desk.delivery.stop();
});

test('what is open in a digest is everything that is open, not what was reported to the target', async () => {
  await using hook = await webhook();
  const config = hook.configWith({ least: 'critical' }, { at: '00:00' });
  const api: DiffApi = { settled: () => true, between: async () => eventfulDay() };
  const host = {
    ...{ config, log, egress: new EgressGuard(config.egress), provide: () => undefined },
    store: openStore(memoryFolder('desk-alerts-')),
    find: ({ id }: Token<unknown>) => (id === DIFF.id ? api : null),
  };
  const alerts = new DeskAlerts(host as never, new AlertTurn());
  try {
    await alerts.settle();
    await until(() => alerts.facts().alerts.targets.length === 1, 'the target');
    await alerts.refresh();
    assert.is(alerts.facts().alerts.targets[0]?.waiting, '', 'what is open is not known yet');
    const findings = [
      findingFrom({ severity: 'low' }),
      findingFrom({ severity: 'high', id: '8899aabbccddeeff' }),
    ];
    // Nothing was learned yet: alerts leave these out.
    alerts.observe(stateFrom({ findings }));
    await alerts.refresh();
    const [digest] = await until(() => hook.got.length === 1 && hook.got, 'the digest');
    assert.equal([digest?.kind, digest?.open], ['digest', 2]);
    assert.match(digest?.text ?? '', '2 open when this was made: desk findings');
    assert.is(alerts.facts().alerts.targets[0]?.reported, 0);
  } finally {
    await alerts.stop();
  }
});

test.run();
