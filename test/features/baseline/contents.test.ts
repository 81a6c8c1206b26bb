/** File contents of programs in the baseline: recorded once after an upgrade, kept in each generation, learned on demand. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Known } from '../../../src/checks/check.ts';
import type { Content } from '../../../src/checks/content.ts';
import { passesOnDemand, withKnownContents } from '../../../src/features/baseline/contents.ts';
import { detailOf, detailText } from '../../../src/features/baseline/identity-detail.ts';
import { rowsBy } from '../../../src/features/baseline/observation.ts';
import type { BaselineRow } from '../../../src/features/baseline/rows.ts';
import type { DeskState } from '../../../src/records/state.ts';
import { expect } from '../../support/expect.ts';
import { Learner, MINUTE_MS, refusalOf } from '../../support/learner.ts';
import { processFrom } from '../../support/peek.ts';
import { findingFrom } from '../../support/state.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { programOf } from '../../support/world.ts';

const test = suite<{ learner: Learner; folder: string }>('contents in the baseline', {
  learner: undefined as unknown as Learner,
  folder: '',
});
test.before.each((context) => {
  context.folder = tempFolder('desk-contents-');
  context.learner = new Learner(context.folder);
});
test.after.each(({ learner }) => {
  learner.close();
});

const content = (digit: string): Content => ({
  device: '8:1',
  inode: digit,
  size: 100,
  modifiedNs: '1',
  changedNs: '1',
  sha256: digit.repeat(64),
});

/** Gives programs 0, 1, … the contents made from these digits. */
function give(learner: Learner, ...digits: string[]): void {
  const running = new Map(digits.map((digit, program) => [programOf(program), [content(digit)]]));
  learner.contents = { running: () => running, read: async () => undefined };
  learner.renew();
}

const heldContents = (learner: Learner) =>
  learner.store.baseline
    .rows(learner.store.baseline.state().baseline.generation)
    .filter(({ kind }) => kind === 'identity')
    .map((row) => [row.text, detailOf(row).contents.map(({ inode }) => inode), row.review && !row.reviewed]);

/** Learns programs 0 and 1, opens a learning window and returns the learned contents. */
async function withOpenWindow(learner: Learner) {
  give(learner, 'a', 'b');
  await learner.turn();
  await learner.learning.openWindow(5);
  return heldContents(learner);
}

const last = (learner: Learner) => learner.store.baseline.generations().at(-1)?.how;

test('with a baseline that has only paths, running contents are recorded once after a clean gate and listed for review', async ({
  learner,
}) => {
  await learner.turn();
  assert.is(last(learner), 'first use');
  learner.nowMs += 10 * MINUTE_MS;
  learner.world = { programs: [0, 2], listeners: [0], planted: [{ program: 2, severity: 'high' }] };
  give(learner, 'a', 'b', 'c');
  await learner.turn();
  assert.is(last(learner), 'first use', 'not while there is a scar');
  learner.nowMs += 10 * MINUTE_MS;
  learner.world = { programs: [0, 2], listeners: [0], planted: [] };
  learner.complete = false;
  await learner.turn();
  assert.is(last(learner), 'first use', 'not before all processes were inspected');
  learner.complete = true;
  learner.nowMs += 10 * MINUTE_MS;
  await learner.turn();
  assert.is(last(learner), 'content');
  // Program 1 does not run and program 2 is not learned: no content is recorded for them.
  assert.equal(heldContents(learner), [
    [programOf(0), ['a'], true],
    [programOf(1), [], false],
  ]);
  assert.is(learner.store.baseline.verifyHeld()?.state, 'sound');
  // A different content is never recorded automatically, nor is one that appears later.
  learner.world = { programs: [0, 1], listeners: [0], planted: [] };
  give(learner, 'd', 'e');
  for (let turn = 0; turn < 3; turn++) {
    learner.nowMs += 10 * MINUTE_MS;
    await learner.turn();
  }
  expect(heldContents(learner).map(([, contents]) => contents)).equals([['a'], []]);
  const difference = await learner.learning.difference();
  expect(difference.changed.map(({ text, learned, running }) => [text, learned.inode, running.inode])).equals(
    [[programOf(0), 'a', 'd']],
  );
  // After learning on demand both contents are known.
  const { added } = await learner.learning.learnOnce();
  assert.is(added, 1);
  assert.equal(heldContents(learner), [
    [programOf(0), ['d', 'a'], false],
    [programOf(1), ['e'], false],
  ]);
});

test('the first use learns contents with their programs, without review', async ({ learner }) => {
  give(learner, 'a', 'b');
  await learner.turn();
  assert.equal(heldContents(learner), [
    [programOf(0), ['a'], false],
    [programOf(1), ['b'], false],
  ]);
});

test('a changed program does not block learning on demand, any other scar does', async ({ learner }) => {
  const scar = (check: string) => findingFrom({ check, severity: 'medium', scar: true });
  const state = (...scars: ReturnType<typeof scar>[]) =>
    ({ judgement: { scars }, desk: { gate: { god: 1 } } }) as unknown as DeskState;
  assert.ok(passesOnDemand(state(scar('changed-program')), new Map()));
  assert.not.ok(passesOnDemand(state(scar('changed-program'), scar('traced')), new Map()));
  await learner.turn();
  learner.world = { programs: [0, 1], listeners: [0], planted: [{ program: 1, severity: 'high' }] };
  await refusalOf(() => learner.learning.learnOnce());
});

test('the end of a learning window does not learn a changed program, learning on demand does', async ({
  learner,
}) => {
  const before = await withOpenWindow(learner);
  give(learner, 'c', 'b');
  learner.world = {
    programs: [0, 1, 2],
    listeners: [0],
    planted: [{ program: 0, severity: 'medium', check: 'changed-program' }],
  };
  await learner.turn();
  learner.nowMs += 6 * MINUTE_MS;
  await learner.turn();
  assert.is(learner.store.baseline.state().window, null);
  assert.equal(heldContents(learner), before);
  await learner.learning.learnOnce();
  assert.equal(heldContents(learner)[0], [programOf(0), ['c', 'a'], false]);
});

test('the end of a learning window does not learn contents whose digest is not read yet', async ({
  learner,
}) => {
  const before = await withOpenWindow(learner);
  // A different size is a certain change, the same size is pending: neither is a finding in this state.
  const pending: Content = { ...content('c'), sha256: '' };
  const larger: Content = { ...pending, inode: 'd', size: 101 };
  const running = new Map([
    [programOf(0), [pending]],
    [programOf(1), [larger]],
  ]);
  learner.contents = { running: () => running, read: async () => undefined };
  learner.renew();
  await learner.turn();
  learner.nowMs += 6 * MINUTE_MS;
  await learner.turn();
  assert.is(learner.store.baseline.state().window, null);
  assert.equal(heldContents(learner), before);
});

test('system-installed programs are learned automatically with their digest', async ({ learner }) => {
  const path = '/usr/bin/env';
  let sha256 = '';
  const programs = [0, 1].map((program) => [programOf(program), [content('a')]] as const);
  learner.contents = {
    running: () => new Map([...programs, [path, [{ ...content('e'), sha256 }]]]),
    read: async () => {
      sha256 = 'e'.repeat(64);
    },
  };
  learner.renew();
  await learner.turn();
  learner.nowMs += 2 * 24 * 60 * MINUTE_MS;
  const [firstSeen, subject] = [
    '2026-01-02T03:04:05+00:00',
    processFrom({ executable: path, identity: path }),
  ];
  const unlearned = findingFrom({
    check: 'unlearned-process',
    severity: 'low',
    subject,
    firstSeen,
    scar: false,
  });
  learner.law = { ...learner.law, autoLearn: 'system' };
  const original = learner.look.bind(learner);
  learner.look = async () => {
    const state = await original();
    const { findings } = state.judgement;
    return { ...state, judgement: { ...state.judgement, findings: [...findings, unlearned] } };
  };
  await learner.turn();
  assert.is(last(learner), 'auto');
  const row = learner.store.baseline
    .rows(learner.store.baseline.state().baseline.generation)
    .find(({ text }) => text === path);
  assert.is(row && detailOf(row).contents[0]?.sha256, 'e'.repeat(64));
});

test('a row of a learned program adds no unknown content, a row of a new program keeps its own', () => {
  const row = (executable: string, key: string, ...contents: Content[]): BaselineRow => ({
    kind: 'identity',
    key: Buffer.from(key),
    text: key,
    detail: detailText({ executable, blind: [], contents }),
    review: false,
  });
  const known = {
    contents: new Map([
      ['/usr/bin/python3', [content('a')]],
      ['/usr/bin/old', []],
    ]),
  } as unknown as Known;
  const touched = { ...content('a'), changedNs: '9' };
  const rows = rowsBy([
    row(
      '/usr/bin/python3',
      '/usr/bin/python3:new.py',
      { ...content('c'), sha256: '' },
      content('d'),
      touched,
    ),
    row('/usr/bin/new', '/usr/bin/new', content('e')),
    row('/usr/bin/old', '/usr/bin/old', content('f')),
  ]);
  const brought = [...withKnownContents(rows, known).values()].map((one) => detailOf(one).contents);
  assert.equal(brought, [[touched], [content('e')], [content('f')]]);
});

test.run();
