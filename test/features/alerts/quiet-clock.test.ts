/** When quiet time ends: by the wall clock, and where that is set, by how long the service has run. */
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { QuietClock } from '../../../src/features/alerts/quiet-clock.ts';
import { SavedAlerts } from '../../../src/features/alerts/saved.ts';
import { openStore } from '../../../src/service/tables.ts';
import { GuardedStore } from '../../../src/store/guarded.ts';
import type { Store } from '../../../src/store/store.ts';
import { expect } from '../../support/expect.ts';
import { fullWhile } from '../../support/learner.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const test = suite('quiet time');
const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 2, 12);

/** A service whose wall clock a test sets; `for 30m` was asked for at its start. */
class Scene {
  readonly folder = memoryFolder('desk-quiet-');
  nowMs = START;
  monotonicMs = 0;
  store!: Store;
  quiet!: QuietClock;
  refuses = false;

  constructor() {
    this.#boot();
    assert.ok(this.quiet.set({ sinceMs: START, untilMs: START + 30 * MINUTE_MS, why: 'update' }));
  }

  #boot(): void {
    this.store = openStore(this.folder, { recover: true, clockMs: () => this.monotonicMs });
    const store = fullWhile(() => this.refuses)(this.store);
    const saved = new SavedAlerts(new GuardedStore(store, pino({ level: 'silent' })));
    this.quiet = new QuietClock(saved, () => this.nowMs);
  }

  pass(minutes: number): this {
    this.nowMs += minutes * MINUTE_MS;
    this.monotonicMs += minutes * MINUTE_MS;
    return this;
  }

  /** Off for this long; the monotonic clock begins again, and the wall clock may be wrong. */
  reboot(offMinutes: number, clockMinutes = 0): this {
    this.store.write('clock', () => this.store.clock.save());
    this.store.close();
    this.nowMs += (offMinutes + clockMinutes) * MINUTE_MS;
    this.monotonicMs = 0;
    this.#boot();
    return this;
  }

  /** Minutes until it ends; null when it is over. */
  get left(): number | null {
    const { now } = this.quiet;
    if (now !== null) assert.ok(now.sinceMs <= this.nowMs && now.why === 'update');
    return now && Math.round((now.untilMs - this.nowMs) / MINUTE_MS);
  }
}

test('it ends on time, also while the desk does not run', () => {
  const scene = new Scene();
  expect(scene.quiet.now).equals({ sinceMs: START, untilMs: START + 30 * MINUTE_MS, why: 'update' });
  assert.is(scene.pass(29).left, 1);
  assert.is(scene.pass(1).left, null);
  // It does not come back with the clock.
  scene.nowMs = START;
  assert.is(scene.left, null);
  assert.is(scene.reboot(0).left, null);
  assert.is(new Scene().pass(10).reboot(10).left, 10);
  assert.is(new Scene().pass(10).reboot(25).left, null);
});

test('a clock that is set back neither ends it nor makes it longer', () => {
  for (const backMinutes of [5, 60, 10 * 24 * 60]) {
    const scene = new Scene().pass(10);
    scene.nowMs -= backMinutes * MINUTE_MS;
    assert.is(scene.left, 20);
    // Not by restarts either.
    assert.is(scene.pass(10).reboot(0).left, 10);
    assert.is(scene.pass(9).left, 1);
    assert.is(scene.pass(2).left, null);
  }
});

test('after a reboot with a wrong clock it goes on, and ends on time once the clock is right', () => {
  const scene = new Scene().pass(5).reboot(1, -30 * 365 * 24 * 60);
  assert.is(scene.left, 25);
  scene.nowMs += 30 * 365 * 24 * 60 * MINUTE_MS;
  assert.is(scene.left, 24);
  scene.nowMs += 24 * MINUTE_MS;
  assert.is(scene.left, null);
});

test('another end counts from then on, and what the store refuses does not hold', () => {
  const scene = new Scene().pass(10);
  const longer = { sinceMs: START, untilMs: scene.nowMs + 60 * MINUTE_MS, why: 'update' };
  scene.refuses = true;
  assert.not(scene.quiet.set(longer));
  assert.is(scene.left, 20);
  scene.refuses = false;
  assert.ok(scene.quiet.set(longer));
  scene.nowMs -= 300 * MINUTE_MS;
  assert.is(scene.left, 60);
  assert.ok(scene.quiet.set(null));
  assert.is(scene.left, null);
});

test.run();
