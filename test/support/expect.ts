/** Deep equality in one line where a callback makes the value: `expect(rows.map(({ pid }) => pid)).equals([1, 2])`. */
import * as assert from 'uvu/assert';

export const expect = (actual: unknown) => ({
  equals: (expected: unknown, message?: string): void => assert.equal(actual, expected, message),
});
