/** Short texts: durations, sentences, suggestions. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { durationMs } from '../../src/base/duration.ts';
import { didYouMean } from '../../src/base/nearest.ts';
import { asSentence, capitalised, withStop } from '../../src/base/sentence.ts';

test('a duration is a whole number and a unit', () => {
  for (const [text, ms] of [
    ['0s', 0],
    ['90s', 90_000],
    ['5m', 300_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
    ['1y', 31_557_600_000],
  ] as const)
    assert.is(durationMs(text), ms, text);
  for (const text of ['', '5', 'm', '-1d', '1.5h', '5 m', '5D', '5min', '9999999999s', '1d1h'])
    assert.ok(Number.isNaN(durationMs(text)), text);
});

test('a sentence has a capital and one stop', () => {
  assert.is(asSentence('move it away'), 'Move it away.');
  assert.is(asSentence('Is it there?'), 'Is it there?');
  assert.is(asSentence(''), '');
  assert.is(capitalised('"x" is'), '"x" is');
  assert.is(withStop('desk boot failed'), 'desk boot failed.');
});

test('suggestions are one question', () => {
  assert.is(didYouMean([]), '');
  assert.is(didYouMean(['pid', 'pids']), 'Did you mean "pid" or "pids"?');
});

test.run();
