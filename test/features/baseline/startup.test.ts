/** What starts by itself in the baseline: learned by the first use whatever its severity, recorded once after an upgrade. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Missed } from '../../../src/checks/unread.ts';
import { expect } from '../../support/expect.ts';
import { Learner, MINUTE_MS, refusalOf } from '../../support/learner.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Planted } from '../../support/world.ts';

const test = suite<{ learner: Learner }>('startup in the baseline', {
  learner: undefined as unknown as Learner,
});
test.before.each((context) => {
  context.learner = new Learner(tempFolder('desk-startup-'));
});
test.after.each(({ learner }) => {
  learner.close();
});

const start = (program: number): Planted => ({ program, severity: 'high', check: 'startup-entry' });
const show = (learner: Learner, ...planted: readonly Planted[]): void => {
  learner.world = { programs: [0, 1, 2], listeners: [0], planted };
};
const classes = (learner: Learner) =>
  learner.store.baseline
    .rows(learner.store.baseline.state().baseline.generation)
    .filter(({ kind }) => kind === 'class')
    .map(({ text, review }) => `${text}${review ? ', review' : ''}`)
    .sort();
const last = (learner: Learner) => learner.store.baseline.generations().at(-1)?.how;
async function later(learner: Learner): Promise<void> {
  learner.nowMs += 10 * MINUTE_MS;
  await learner.turn();
}

test('the first use learns it, of any severity, and a person is to review it', async ({ learner }) => {
  show(learner, start(0));
  await learner.turn();
  assert.is(last(learner), 'first use');
  expect(classes(learner)).equals(['startup-entry, high: /usr/bin/p0 of uid 0, review']);
  expect((await learner.look()).judgement.scars).equals([]);
  // What comes later is never learned by itself.
  show(learner, start(0), start(1));
  await later(learner);
  assert.is(last(learner), 'first use');
  expect((await learner.look()).judgement.scars.length).equals(1);
});

test('learning on demand takes it while nothing is held, and not later', async ({ learner }) => {
  show(learner, start(0));
  await learner.turn();
  await learner.learning.restore(0);
  await learner.learning.learnOnce();
  expect(classes(learner)).equals(['startup-entry, high: /usr/bin/p0 of uid 0, review']);
  show(learner, start(0), start(1));
  await learner.look();
  assert.match((await refusalOf(() => learner.learning.learnOnce())).message, 'The gate does not pass');
  // Critical is never learned.
  show(learner, { program: 2, severity: 'critical', check: 'startup-entry' });
  await learner.learning.restore(0);
  assert.match((await refusalOf(() => learner.learning.learnOnce())).message, 'The gate does not pass');
});

test('a baseline from a version without startup entries: they are recorded once, when the gate has no other scar', async ({
  learner,
}) => {
  show(learner);
  await learner.turn();
  const { store } = learner.store.access;
  store.db.run("INSERT INTO startup_missed VALUES ('', '/')");
  store.forget('baseline');
  show(learner, start(0), { program: 1, severity: 'medium' });
  await later(learner);
  assert.is(last(learner), 'first use', 'not while there is another scar');
  show(learner, start(0));
  learner.complete = false;
  await later(learner);
  assert.is(last(learner), 'first use', 'not before everything was scanned');
  learner.complete = true;
  await later(learner);
  assert.is(last(learner), 'content');
  expect(classes(learner)).equals(['startup-entry, high: /usr/bin/p0 of uid 0, review']);
  expect((await learner.look()).judgement.scars).equals([]);
  show(learner, start(0), start(1));
  await later(learner);
  expect(classes(learner).length).equals(1);
  expect((await learner.look()).judgement.scars.length).equals(1);
});

test('where nothing starts by itself, that is recorded too', async ({ learner }) => {
  show(learner);
  await learner.turn();
  const { store } = learner.store.access;
  store.db.run("INSERT INTO startup_missed VALUES ('', '/')");
  store.forget('baseline');
  await later(learner);
  show(learner, start(0));
  await later(learner);
  assert.is(last(learner), 'first use');
  expect(learner.store.baseline.state().unrecorded).equals([]);
});

const file = (program: number, place: string): Planted => ({ ...start(program), place });
const showMissed = (learner: Learner, missed: readonly Missed[], ...planted: readonly Planted[]): void => {
  learner.world = { programs: [0, 1, 2, 3], listeners: [0], planted, missed };
};
const review = (...names: readonly string[]) =>
  names.map((name) => `startup-entry (${name.split(' ')[0]}), high: /usr/bin/${name.split(' ')[1]}, review`);

test('what the first use could not read is recorded as soon as it is read, and nothing else', async ({
  learner,
}) => {
  const bashrc = { place: 'shell', path: '/usr/bin/p1' };
  showMissed(learner, [bashrc, { place: 'cron', path: '/usr/bin' }], file(0, 'unit'));
  await learner.turn();
  assert.is(last(learner), 'first use');
  expect(classes(learner)).equals(review('unit p0'));
  // Also across a restart.
  learner.restart();
  await later(learner);
  assert.is(last(learner), 'first use', 'nothing more was read');
  // One of them is read: that is recorded without a pause, before anything else is due.
  showMissed(learner, [bashrc], file(0, 'unit'), file(2, 'cron'), file(3, 'shell'));
  await learner.turn();
  assert.is(last(learner), 'content');
  expect(classes(learner)).equals(review('cron p2', 'unit p0'));
  expect((await learner.look()).judgement.scars.map(({ id }) => id)).equals([
    'startup-entry high /usr/bin/p3',
  ]);
  expect(learner.store.baseline.state().unrecorded).equals([bashrc]);
  showMissed(learner, [], file(0, 'unit'), file(1, 'shell'), file(2, 'cron'), file(3, 'cron'));
  await later(learner);
  expect(classes(learner)).equals(review('cron p2', 'shell p1', 'unit p0'));
  expect((await learner.look()).judgement.scars.map(({ id }) => id)).equals([
    'startup-entry high /usr/bin/p3',
  ]);
  expect(learner.store.baseline.state().unrecorded).equals([]);
});

test('what gives an error after it hung was not read', async ({ learner }) => {
  const hung = { place: 'shell', path: '/usr/bin/p1' };
  showMissed(learner, [hung], file(0, 'unit'));
  await learner.turn();
  for (const path of ['/usr/bin/p1', '/usr/bin', '/']) {
    showMissed(learner, [], file(0, 'unit'));
    learner.world = { ...learner.world, refused: [{ place: 'shell', path }] };
    await later(learner);
    expect(learner.store.baseline.state().unrecorded).equals([hung]);
  }
  // It is read, and another one is not.
  showMissed(learner, [], file(0, 'unit'), file(1, 'shell'), file(2, 'shell'));
  learner.world = { ...learner.world, refused: [{ place: 'shell', path: '/usr/bin/p3' }] };
  await later(learner);
  expect(classes(learner)).equals(review('shell p1', 'unit p0'));
  expect(learner.store.baseline.state().unrecorded).equals([]);
});

test('where all homes were unknown, one that gives an error stays unrecorded until it is read', async ({
  learner,
}) => {
  showMissed(learner, [{ place: 'shell', path: '/' }], file(0, 'unit'));
  await learner.turn();
  const failed = { place: 'shell', path: '/usr/bin/p1' };
  showMissed(learner, [], file(0, 'unit'), file(2, 'shell'));
  learner.world = { ...learner.world, refused: [failed] };
  await later(learner);
  expect(classes(learner)).equals(review('shell p2', 'unit p0'));
  expect(learner.store.baseline.state().unrecorded).equals([failed]);
  showMissed(learner, [], file(0, 'unit'), file(1, 'shell'), file(2, 'shell'));
  await later(learner);
  expect(classes(learner)).equals(review('shell p1', 'shell p2', 'unit p0'));
});

test('where all homes were unknown, a home that hangs stays unrecorded until it is read', async ({
  learner,
}) => {
  showMissed(learner, [{ place: 'shell', path: '/' }], file(0, 'shell'));
  learner.world = { ...learner.world, planted: [] };
  await learner.turn();
  const hangs = { place: 'shell', path: '/usr/bin/p1' };
  showMissed(learner, [hangs], file(0, 'shell'));
  await later(learner);
  expect(classes(learner)).equals(review('shell p0'));
  expect(learner.store.baseline.state().unrecorded).equals([hangs]);
  // All of them are unknown once more.
  showMissed(learner, [{ place: 'shell', path: '/' }]);
  await later(learner);
  expect(learner.store.baseline.state().unrecorded).equals([hangs]);
  showMissed(learner, [], file(0, 'shell'), file(1, 'shell'));
  await later(learner);
  expect(classes(learner)).equals(review('shell p0', 'shell p1'));
});

test('after an upgrade, what could not be read is not recorded as read', async ({ learner }) => {
  show(learner);
  await learner.turn();
  const { store } = learner.store.access;
  store.db.run("INSERT INTO startup_missed VALUES ('', '/')");
  store.forget('baseline');
  const cron = { place: 'cron', path: '/usr/bin' };
  showMissed(learner, [cron], file(0, 'unit'));
  await later(learner);
  expect(classes(learner)).equals(review('unit p0'));
  expect(learner.store.baseline.state().unrecorded).equals([cron]);
  showMissed(learner, [], file(0, 'unit'), file(1, 'cron'), file(2, 'unit'));
  await later(learner);
  expect(classes(learner)).equals(review('cron p1', 'unit p0'));
});

test('learning from nothing on demand leaves unread what could not be read', async ({ learner }) => {
  show(learner);
  await learner.turn();
  await learner.learning.restore(0);
  const cron = { place: 'cron', path: '/usr/bin' };
  showMissed(learner, [cron], file(0, 'unit'));
  await learner.learning.learnOnce();
  expect(learner.store.baseline.state().unrecorded).equals([cron]);
});

test.run();
