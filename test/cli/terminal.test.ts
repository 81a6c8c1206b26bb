import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bad, cells, dim, escapeTerminal, fit, Terminal } from '../../src/base/terminal.ts';

const test = suite('terminal');

const printed = (
  work: (terminal: Terminal) => void,
  env: Record<string, string> = {},
  isTTY = false,
): string => {
  let text = '';
  const stream = {
    isTTY,
    columns: 80,
    write(part: string) {
      text += part;
    },
  };
  work(new Terminal(stream, env));
  return text;
};

const hostile: readonly [string, string, string][] = [
  ['escape sequence', '\u001b[2J', '\\x1b[2J'],
  ['title change', '\u001b]0;x\u0007', '\\x1b]0;x\\x07'],
  ['one-byte CSI', '\u009b31m', '\\x9b31m'],
  ['newline, return, tab', 'a\nb\rc\td', 'a\\nb\\rc\\td'],
  ['backspace and delete', 'ab\u0008\u007f', 'ab\\x08\\x7f'],
  ['right-to-left override', 'exe.\u202efdp', 'exe.\\u{202e}fdp'],
  ['isolates', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['zero width', 'pay\u200bpal\ufeff', 'pay\\u{200b}pal\\u{feff}'],
  ['soft hyphen', 'a\u00adb', 'a\\xadb'],
  ['line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['tag characters', '\u{e0041}', '\\u{e0041}'],
  ['variation selector', 'a\ufe0f', 'a\\u{fe0f}'],
  ['hangul filler', '\u3164', '\\u{3164}'],
  ['lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
];

test('lines that are printed together are one write, also when one of them throws', () => {
  const writes: string[] = [];
  const out = new Terminal({ write: (text: string) => void writes.push(text) }, {});
  out.together((whole) => {
    whole.line('one');
    whole.json({ two: 2 });
  });
  out.line('three');
  assert.throws(() =>
    out.together((whole) => {
      whole.line('four');
      throw new Error('no five');
    }),
  );
  assert.equal(writes, ['one\n{"two":2}\n', 'three\n', 'four\n']);
});

for (const [name, text, shown] of hostile)
  test(`shows ${name} visibly`, () => assert.is(escapeTerminal(text), shown));

test('leaves ordinary text of any script alone', () => {
  for (const text of ['/usr/bin/bash', 'Grüße', '日本語', 'עברית', '\u{1f600}'])
    assert.is(escapeTerminal(text), text);
});

test('printed text contains no control character except the newline at the end of each line', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (texts) => {
      for (const text of [
        printed((terminal) => terminal.line(...texts)),
        printed((terminal) => terminal.wrapped('x ', texts.join(' '))),
        printed((terminal) =>
          terminal.table(
            [{ title: 'a', shrink: 'end' }],
            texts.map((one) => [one]),
          ),
        ),
        printed((terminal) => terminal.json(texts)),
      ]) {
        assert.ok(text.endsWith('\n'));
        assert.not.match(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }
      assert.is(printed((terminal) => terminal.line(...texts)).split('\n').length, 2);
      assert.is(
        printed((terminal) =>
          terminal.table(
            [{ title: '' }],
            texts.map((one) => [one]),
          ),
        ).split('\n').length,
        texts.length + 1,
      );
    }),
  );
});

test('escaped JSON parses to the same value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const isTTY of [true, false])
        assert.equal(JSON.parse(printed((terminal) => terminal.json({ text }), {}, isTTY)), { text });
    }),
  );
});

test('colour is used only on a terminal, and not with NO_COLOR or TERM=dumb', () => {
  const line = (terminal: Terminal) => terminal.line(bad('x'));
  assert.match(printed(line, {}, true), '\u001b[31m');
  assert.is(printed(line, {}, false), 'x\n');
  assert.is(printed(line, { NO_COLOR: '1' }, true), 'x\n');
  assert.is(printed(line, { TERM: 'dumb' }, true), 'x\n');
});

test('the width of text counts two cells for wide characters and none for combining marks', () => {
  assert.is(cells('abc'), 3);
  assert.is(cells('日本'), 4);
  assert.is(cells('e\u0301'), 1);
  for (const emoji of ['✅', '⚡', '🙂']) assert.is(cells(emoji), 2, emoji);
});

test('shortened text fits and keeps the requested end', () => {
  assert.is(fit('/usr/lib/long/path', 8, true), '…ng/path');
  assert.is(fit('abcdef', 4), 'abc…');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
      assert.ok(cells(fit(text, width)) <= width);
      assert.ok(cells(fit(text, width, true)) <= width);
    }),
  );
});

test('without a terminal nothing is truncated or wrapped', () => {
  const path = `/${'x '.repeat(200)}end`;
  const text = printed((terminal) => {
    terminal.wrapped('  ', path);
    terminal.table([{ title: '', shrink: 'start' }], [[path]]);
  });
  assert.equal(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.trim()),
    [path, path],
  );
});

const EVENTS = [
  [{ title: '' }, { title: '' }, { title: '' }, { title: '' }, { title: '', shrink: 'start' }],
  [
    [
      '2026-11-30T23:44:12.123+00:00',
      'medium',
      'closed, opened 2 times',
      'b60ac2afc602f767',
      `tcp 127.0.0.1:27148 is held by ${'node '.repeat(20)}and was never learned`,
    ],
    ['2026-11-30T23:43:01.000Z', 'low', 'open', '94d015a647b490e2', 'short'],
  ],
] satisfies Parameters<Terminal['table']>;

test('where the columns of a table have no room, its rows go on in a further line: ids and texts stay whole', () => {
  const shown = (terminal: Terminal) => terminal.together((out) => out.table(...EVENTS));
  const lines = printed(shown, { NO_COLOR: '1' }, true).trimEnd().split('\n');
  for (const line of lines) assert.ok(cells(line) <= 80, line);
  assert.match(
    lines[0] ?? '',
    /^ {2}2026-11-30 23:44 {2}medium {2}closed, opened 2 times {2}b60ac2afc602f767$/,
  );
  assert.match(lines[1] ?? '', /^ {6}tcp 127\.0\.0\.1:27148 is held by node/);
  assert.ok(lines.join(' ').replace(/ +/g, ' ').includes('node node and was never learned'), 'whole');
  assert.match(lines.at(-1) ?? '', /--json has all of it/);
});

test('programs get each row of a table whole, in one line', () => {
  const text = printed((terminal) => terminal.together((out) => out.table(...EVENTS)));
  const lines = text.trimEnd().split('\n');
  assert.is(lines.length, EVENTS[1].length);
  EVENTS[1].forEach((row, at) => {
    for (const cell of row) assert.ok(lines[at]?.includes(cell), cell);
  });
});

test('a table that fits is not said to be shortened', () => {
  const text = printed((out) => out.together((whole) => whole.table([{ title: 'a' }], [['b']])), {}, true);
  assert.not.match(text, /--json/);
});

test('no table is wider than the terminal', () => {
  const columns = fc.record(
    {
      title: fc.constantFrom('', 'pid', 'executable'),
      align: fc.constant('right' as const),
      shrink: fc.constantFrom('start' as const, 'end' as const),
    },
    { requiredKeys: ['title'] },
  );
  const cell = fc.array(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(columns, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(cell, { minLength: 8, maxLength: 8 }), { maxLength: 4 }),
      fc.integer({ min: 40, max: 200 }),
      (heads, rows, width) => {
        const words = rows.map((row) => row.map((one) => one.join(' ')));
        const text = printed((terminal) => terminal.table(heads, words), { COLUMNS: String(width) });
        for (const line of text.trimEnd().split('\n')) assert.ok(cells(line) <= width, line);
      },
    ),
  );
});

test('a time that is shortened is a local one', () => {
  const { TZ } = process.env;
  // An hour before UTC.
  process.env.TZ = 'Etc/GMT-1';
  try {
    const times = ['2026-11-30T23:41:41.123Z', '2026-12-01T04:41:41.123+01:00', '2026-99-99T99:99:99Z'];
    const text = printed(
      (terminal) =>
        terminal.table(
          [{ title: 'at' }, { title: 'what', shrink: 'end' }],
          times.map((at) => [at, 'x'.repeat(80)]),
        ),
      { COLUMNS: '40' },
    );
    assert.match(text, /^ {2}2026-12-01 00:41 /m);
    assert.match(text, /^ {2}2026-12-01 04:41 /m);
    assert.match(text, '2026-99-99T99:99:99Z');
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('a table aligns its columns and fits the width', () => {
  const text = printed(
    (terminal) =>
      terminal.table(
        [{ title: 'pid', align: 'right' }, { title: 'exe', shrink: 'end' }, { title: 'why' }],
        [
          [1, `/${'x'.repeat(200)}/end`, 'short'],
          [12345, '/bin/sh', dim('longer reason')],
        ],
      ),
    { COLUMNS: '100' },
  );
  const lines = text.trimEnd().split('\n');
  for (const line of lines) assert.ok(cells(line) <= 100, line);
  assert.match(lines[1] ?? '', /x\/end/);
  assert.is(lines[1]?.indexOf('short'), lines[2]?.indexOf('longer reason'));
});

test.run();
