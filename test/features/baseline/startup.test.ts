/** What starts by itself in the baseline: learned by the first use whatever its severity, recorded once after an upgrade. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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
    .map(({ text, review }) => `${text}${review ? ', review' : ''}`);
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
  store.db.run('INSERT INTO startup_unrecorded VALUES (1)');
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
  store.db.run('INSERT INTO startup_unrecorded VALUES (1)');
  store.forget('baseline');
  await later(learner);
  show(learner, start(0));
  await later(learner);
  assert.is(last(learner), 'first use');
  assert.not(learner.store.baseline.state().lacksStartup);
});

test.run();
