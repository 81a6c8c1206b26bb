/** Alerts of a desk: what targets are shown while its loop is stuck, and while the store cannot be read. */
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EgressGuard } from '../../../src/egress/guard.ts';
import { DeskAlerts } from '../../../src/features/alerts/desk-alerts.ts';
import { SavedAlerts } from '../../../src/features/alerts/saved.ts';
import { NOTHING_SAVED } from '../../../src/features/alerts/target-state.ts';
import { AlertTurn } from '../../../src/features/alerts/turn.ts';
import { openMemoryStore, openStore } from '../../../src/service/tables.ts';
import { GuardedStore } from '../../../src/store/guarded.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';
import { memoryFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { webhook } from './webhook.ts';

const test = suite('alerts of a desk');
const log = pino({ level: 'silent' });

test('a loop that makes no recheck for twenty seconds is reported while no state comes, and resolved by the next one', async () => {
  await using hook = await webhook();
  const config = hook.configWith({}, { to: [] }, { group_sec: 1 });
  const loop = { on: true, periodMs: 1000, quietMs: 19_000 };
  const host = {
    ...{ config, log, egress: new EgressGuard(config.egress), provide: () => undefined, find: () => null },
    store: openStore(memoryFolder('desk-alerts-')),
    facts: () => ({ loop }),
  };
  const alerts = new DeskAlerts(host as never, new AlertTurn());
  try {
    await alerts.settle();
    await until(() => alerts.facts().alerts.targets.length === 1, 'the target');
    const state = stateFrom({ baseline: { generation: 1 } });
    alerts.observe(state);
    assert.is(alerts.facts().alerts.targets[0]?.pending, 0);
    loop.quietMs = 25_000;
    const [stuck] = await until(() => hook.got.length === 1 && hook.got, 'the alert');
    assert.match(stuck?.title ?? '', /high: The desk has not finished a recheck for 25 s/);
    // The recheck ends.
    loop.quietMs = 0;
    alerts.observe({ ...state });
    const [, over] = await until(() => hook.got.length === 2 && hook.got, 'its end');
    assert.equal([over?.kind, over?.open], ['resolved', 0]);
  } finally {
    await alerts.stop();
  }
});

test('a loop that is stuck before the first state is observed is reported, with the findings of the start', async () => {
  await using hook = await webhook();
  const config = hook.configWith({}, { to: [] }, { group_sec: 1 });
  const state = stateFrom({
    findings: [findingFrom({ severity: 'high', summary: 'traced' })],
    baseline: { generation: 1 },
    // A reason that is not known well before the listeners are bound.
    gate: { god: 2 },
  });
  const host = {
    ...{ config, log, egress: new EgressGuard(config.egress), provide: () => undefined, find: () => null },
    store: openStore(memoryFolder('desk-alerts-')),
    facts: () => ({ loop: { on: true, periodMs: 1000, quietMs: 25_000 } }),
    latest: () => state,
  };
  const alerts = new DeskAlerts(host as never, new AlertTurn());
  try {
    await alerts.settle();
    const [message] = await until(() => hook.got.length === 1 && hook.got, 'the alert');
    assert.match(message?.text ?? '', /The desk has not finished a recheck for 25 s/);
    assert.match(message?.title ?? '', /: 2 new, /);
  } finally {
    await alerts.stop();
  }
});

/** A desk whose disk was full at the start. */
function hostWithoutDisk(hook: Awaited<ReturnType<typeof webhook>>) {
  const config = hook.configWith({}, { to: [] }, { group_sec: 1 });
  return {
    ...{ config, log, egress: new EgressGuard(config.egress), provide: () => undefined, find: () => null },
    store: new GuardedStore(
      openMemoryStore('', 'the disk is full', () => undefined),
      log,
    ),
    facts: () => ({ loop: { on: false, periodMs: 1000, quietMs: 0 } }),
  };
}

test('while the store of before cannot be read, nothing is taken as not reported: no message, and it is a trouble', async () => {
  await using hook = await webhook();
  const host = hostWithoutDisk(hook);
  const alerts = new DeskAlerts(host as never, new AlertTurn());
  try {
    await alerts.settle();
    await until(() => alerts.trouble() !== '', 'the trouble');
    assert.match(alerts.trouble(), /alerts wait until the store can be read/);
    assert.equal(alerts.facts().alerts.targets, []);
  } finally {
    await alerts.stop();
  }
});

test('without a state folder alerts wait for a while only: what is open is sent then, and may be a repetition', async () => {
  await using hook = await webhook();
  const alerts = new DeskAlerts(hostWithoutDisk(hook) as never, new AlertTurn(), { mostWaitMs: 0 });
  try {
    await alerts.settle();
    await until(() => alerts.facts().alerts.targets.length === 1, 'the target');
    assert.is(alerts.trouble(), '');
    alerts.observe(
      stateFrom({ findings: [findingFrom({ severity: 'critical' })], baseline: { generation: 1 } }),
    );
    await until(() => hook.got.length === 1, 'the message');
  } finally {
    await alerts.stop();
  }
});

test('what alerts have sent without a state folder is known after a reload, and when there is room again', async () => {
  await using hook = await webhook();
  const host = hostWithoutDisk(hook);
  const turn = new AlertTurn();
  const [a, b] = ['a', 'b'].map((id) => findingFrom({ id, severity: 'critical' }));
  const stateWith = (...findings: (typeof a)[]) =>
    stateFrom({ findings: findings as NonNullable<typeof a>[], baseline: { generation: 1 } });
  const run = async (given: object, work: (alerts: DeskAlerts) => Promise<unknown>, options = {}) => {
    const alerts = new DeskAlerts(given as never, turn, options);
    try {
      await alerts.settle();
      await until(() => alerts.facts().alerts.targets.length === 1, 'the target');
      await work(alerts);
    } finally {
      await alerts.stop();
    }
  };
  const first = async (alerts: DeskAlerts) => {
    alerts.observe(stateWith(a, b));
    await until(() => alerts.facts().alerts.targets[0]?.sent, 'the message');
  };
  await run(host, first, { mostWaitMs: 0 });
  const second = async (alerts: DeskAlerts) => {
    assert.is(alerts.facts().alerts.targets[0]?.reported, 2);
    alerts.observe(stateWith(a, b));
    assert.is(alerts.facts().alerts.targets[0]?.pending, 0);
  };
  await run(host, second);
  // The disk has what an earlier run reported.
  const store = new GuardedStore(openStore(memoryFolder('desk-alerts-')), log);
  const old = { severity: 'high', check: 'unknown-listener', title: 'old', since: '' } as const;
  new SavedAlerts(store).save('hook', { ...NOTHING_SAVED, reported: { old } }, []);
  const third = async (alerts: DeskAlerts) => {
    alerts.observe(stateWith());
    const [, over] = await until(() => hook.got.length === 2 && hook.got, 'the end of all three');
    assert.equal([over?.kind, over?.title.replace(/.*: /, '')], ['resolved', 'all 3 resolved']);
  };
  await run({ ...host, store }, third);
});

test.run();
