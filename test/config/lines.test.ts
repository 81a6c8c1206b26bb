/** The line of each key, and the cost of a hostile document. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keyLines, lineOf } from '../../src/config/lines.ts';

const test = suite('lines of keys');

test('a key of a hundred thousand parts costs no more than one of a few dozen', () => {
  const parts = Array.from({ length: 100_000 }, () => 'x');
  for (const text of [`\n${parts.join('.')} = 1`, `\n[${parts.join('.')}]`, `\n[[${parts.join('.')}]]`]) {
    const lines = keyLines(text);
    assert.ok(lines.size < 100, String(lines.size));
    assert.is(lineOf(lines, parts.slice(0, 40)), 2);
  }
});

test('a key of thirty parts has its line number', () => {
  const parts = Array.from({ length: 30 }, (_, at) => `k${at}`);
  const lines = keyLines(`[${parts.slice(0, 15).join('.')}]\n${parts.slice(15).join('.')} = 1`);
  assert.is(lines.get(parts.slice(0, 15).join('\0')), 1);
  assert.is(lines.get(parts.join('\0')), 2);
});

test.run();
