import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { atLeast, atMost } from '../../bench/cases/case.ts';
import { comparisonsOf } from '../../bench/cases/long-form.ts';
import { isMeasured, linesOf } from '../../bench/print.ts';
import { expect } from '../support/expect.ts';
import { row } from './rows.ts';

const form = {
  test: 'real/some',
  goals: { rounds: [atLeast('value', 100)], 'wrong signals': [atMost('value', 0)] },
};
const figures = [
  { name: 'rounds', value: 100, unit: '' },
  { name: 'wrong signals', value: 0, unit: '' },
  { name: 'turns', value: 7, unit: '' },
];
const ran = { figures, output: ' ok  real/some\n3 passed, 0 failed, 0 skipped\n', seconds: 61.4 };
const text = (changed: Partial<typeof ran>) =>
  linesOf(row(comparisonsOf(form, { ...ran, ...changed }))).join('\n');

test('figures of a test become comparisons, with the goals of their names', () => {
  const made = comparisonsOf(form, ran);
  expect(made.map(({ name }) => name)).equals(['rounds', 'wrong signals', 'turns', 'failed tests', 'time']);
  assert.ok(made.every(isMeasured));
  const printed = text({});
  assert.is(printed.match(/: reached/g)?.length, 3);
  assert.not.match(printed, /MISSED|not run/);
});

test('a wrong signal misses its goal, and so does a failed test whose figures are good', () => {
  assert.match(
    text({ figures: figures.map((one) => ({ ...one, value: 101 })) }),
    /wrong signals: A 101 .*MISSED/,
  );
  const failed = text({ output: '2 passed, 1 failed, 0 skipped\n' });
  assert.match(failed, /failed tests: A 1 .*MISSED/);
  assert.match(text({ output: '' }), /failed tests: A 1 .*MISSED/);
});

test('a long test that was not requested is not run, with the reason', () => {
  const output =
    'skipped  test/real/some.test.ts: 100 rounds: never: needs root\n2 passed, 0 failed, 1 skipped\n';
  const printed = text({ figures: figures.slice(0, 1), output });
  assert.match(printed, 'wrong signals: not run: needs root');
  assert.match(
    text({ figures: [], output: '2 passed, 1 failed, 0 skipped' }),
    /rounds: not run: the test ended/,
  );
});

test.run();
