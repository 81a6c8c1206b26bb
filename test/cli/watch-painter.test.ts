/** What a terminal shows after only the changed cells were sent is what it shows after all of them. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Style } from '../../src/base/terminal.ts';
import { Painter, type Row } from '../../src/cli/watch/painter.ts';
import { forAllAsync } from '../support/for-all.ts';
import { emulator } from '../support/terminal.ts';

const test = suite('watch: painter');

const styles: readonly Style[] = ['good', 'bad', 'warn', 'dim', 'strong', 'plain'];
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '-', '日', '本', 'é', 'e\u0301', '…', '\u001b', '\u202e', '\u200b'),
    maxLength: 24,
  }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const row: fc.Arbitrary<Row> = fc.record({
  line: fc.array(fc.record({ text, style: fc.constantFrom(...styles) }), { maxLength: 4 }),
  selected: fc.boolean(),
});
const screen = fc.array(row, { maxLength: 7 });

/** Characters and attributes of each cell. */
function cellsOf({ terminal }: ReturnType<typeof emulator>): string[] {
  return Array.from({ length: terminal.rows }, (_, y) =>
    Array.from({ length: terminal.cols }, (_, x) => {
      const cell = terminal.buffer.active.getLine(y)?.getCell(x);
      return cell === undefined
        ? ''
        : `${cell.getChars() || ' '}${cell.getFgColor()}${cell.isBold()}${cell.isDim()}${cell.isInverse()}`;
    }).join('|'),
  );
}

test('after changes the screen is as if painted at once', async () => {
  await forAllAsync(150)(fc.array(screen, { minLength: 1, maxLength: 5 }), async (screens) => {
    const [changed, fresh] = [emulator(20, 6), emulator(20, 6)];
    const painter = new Painter(true);
    for (const rows of screens) await changed.write(painter.paint(rows, 20, 6));
    await fresh.write(new Painter(true).paint(screens.at(-1) ?? [], 20, 6));
    assert.equal(cellsOf(changed), cellsOf(fresh));
  });
});

test('only what changed is sent, within one synchronized update', () => {
  const painter = new Painter(true);
  painter.paint([{ line: ['one'] }, { line: ['count 1'] }], 20, 3);
  assert.is(painter.paint([{ line: ['one'] }, { line: ['count 1'] }], 20, 3), '');
  assert.is(
    painter.paint([{ line: ['one'] }, { line: ['count 2'] }], 20, 3),
    '\u001b[?2026h\u001b[2;7H2\u001b[?2026l',
  );
});

test('another size, or a screen that was forgotten, is painted whole', async () => {
  const painter = new Painter(false);
  painter.paint([{ line: ['one'] }], 10, 2);
  const small = emulator(5, 2);
  await small.write(painter.paint([{ line: ['one two'] }], 5, 2));
  assert.equal(small.lines(), ['one t', '']);
  painter.forget();
  const again = emulator(5, 2);
  await again.write(painter.paint([{ line: ['one two'] }], 5, 2));
  assert.equal(again.lines(), ['one t', '']);
});

test('without colour only the selection has an attribute', () => {
  const painted = new Painter(false).paint(
    [{ line: [{ text: 'x', style: 'bad' }] }, { line: [{ text: 'y', style: 'bad' }], selected: true }],
    4,
    2,
  );
  const sgr = painted.split('\u001b[').flatMap((part) => /^[\d;]*(?=m)/.exec(part) ?? []);
  assert.equal(sgr, ['0;7', '']);
});

test('names from outside send nothing but text', () => {
  const hostile = '\u001b[2J\u001b]0;x\u0007\u009b31m\r\n\u202e';
  const painted = new Painter(true).paint([{ line: [hostile] }], 60, 1);
  assert.not.ok(painted.includes('\u001b[2J'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences
  assert.not.match(painted.replace(/\u001b\[[?\d;]*[A-Za-z]/g, ''), /[\p{Cc}\p{Cf}]/u);
});

test.run();
