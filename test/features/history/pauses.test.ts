/** When the desk did not run, by the minutes that it has stored. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StoredSamples } from '../../../src/features/history/stored-samples.ts';
import { openMemoryStore } from '../../../src/service/tables.ts';
import { sampleFrom } from '../../support/sample.ts';

const test = suite('pauses');
const START = 1_767_322_800;
const minutes = (minute: number): number => START + 60 * minute;

const samplesAt = (...at: readonly number[]): StoredSamples => {
  const samples = new StoredSamples(openMemoryStore('', 'for a test', () => undefined));
  for (const minute of at) samples.record(sampleFrom({ at: minutes(minute) }));
  return samples;
};

const shown = (samples: StoredSamples, from: number, to: number) => {
  const found = samples.pauses(minutes(from), minutes(to));
  const minuteOf = (sec: number): number => (sec - START) / 60;
  return found?.pauses.map(({ fromSec, toSec }) => [minuteOf(fromSec), minuteOf(toSec)]);
};

test('a pause is from the end of a minute to the start of the next one, of three minutes and more', () => {
  const samples = samplesAt(0, 1, 2, 4, 30, 31);
  assert.equal(shown(samples, 0, 33), [[5, 30]]);
  // It began before the time that is asked for, or has not ended at its end.
  assert.equal(shown(samples, 10, 33), [[5, 30]]);
  assert.equal(shown(samples, 0, 20), [[5, 20]]);
  assert.equal(shown(samples, 30, 33), []);
  assert.equal(shown(samples, 0, 50), [
    [5, 30],
    [32, 50],
  ]);
  assert.is(samples.pauses(minutes(0), minutes(50))?.firstSec, START);
});

test('without a minute nothing is known', () => {
  assert.equal(samplesAt().pauses(START, START + 600), { firstSec: null, pauses: [] });
});

test.run();
