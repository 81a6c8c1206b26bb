/** The words of the assistant, reduced to plain text. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LONGEST_ANSWER, plainText } from '../../../src/features/assistant/plain.ts';

const test = suite('assistant words');

const plain = (raw: string): string => plainText(raw).text;

test('markup is removed, the text is kept', () => {
  for (const [raw, text] of [
    ['# Title\n\n**Bold** and *leaning* and `code`.', 'Title\n\nBold and leaning and code.'],
    ['- one\n* two\n1. three', '- one\n- two\n1. three'],
    ['see [this](https://evil.example/x) now', 'see this now'],
    ['see [this][1]\n\n[1]: https://evil.example', 'see this'],
    ['![pixel](https://evil.example/p.png)', 'pixel'],
    ['go to https://evil.example/x?y=1, or www.evil.example', 'go to (link removed) or (link removed)'],
    ['<b>bold</b><script>alert(1)</script>', 'boldalert(1)'],
    ['<javascript:alert(1)> javascript:alert(1)', '(link removed) (link removed)(1)'],
    ['```sh\nls\n```\nend', 'ls\nend'],
    ['> quoted\n> more', 'quoted\nmore'],
    ['<think>aloud 42</think>It is well.', 'It is well.'],
    ['It is well.<think>and never ends', 'It is well.'],
    ['it may be 42</think>It is well.', 'It is well.'],
    ['[THINK]it may be 42[/THINK]It is well.', 'It is well.'],
    ['It<think>a<think>b</think> is</thinking> well.', 'well.'],
    ['\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', 'red link'],
    ['a\u202eb\u200bc\u0000d', 'abcd'],
    [
      '3 < 4 and 5 > 4, 2*3*4, snake_case_name, spv_free',
      '3 < 4 and 5 > 4, 2*3*4, snake_case_name, spv_free',
    ],
    ['der Stand ist gut: 中文, é, 🙂', 'der Stand ist gut: 中文, é, 🙂'],
  ])
    assert.is(plain(raw as string), text, raw);
});

const markup = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '<',
        '>',
        '[',
        ']',
        '(',
        ')',
        '*',
        '_',
        '`',
        '#',
        '://',
        'http',
        'www.',
        '\u001b[',
        '\u001b]',
        '\u009b',
        '!',
        '<a ',
        '-->',
        '<!--',
        '<think>',
        '\n',
        ' ',
        'javascript:',
        'x',
      ),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

test('plain text has no control characters, tags or links, and does not exceed the length limit', () => {
  fc.assert(
    fc.property(markup, (raw) => {
      const { text } = plainText(raw);
      assert.not.match(text, /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
      assert.not.match(text, /<[/!?]?[a-z]/i);
      assert.not.match(text, '://');
      assert.not.match(text.replaceAll('(link removed)', ''), /\]\([^()\n]*\)/);
      assert.ok(text.length <= LONGEST_ANSWER);
    }),
    { numRuns: 2000, examples: [[']()']] },
  );
});

test('a long answer is cut, but never inside a character', () => {
  for (let pad = 0; pad < 2; pad++) {
    const { text, truncated } = plainText('x'.repeat(pad) + '🙂'.repeat(3000));
    assert.ok(truncated);
    assert.ok(text.length <= LONGEST_ANSWER && !/\p{Cs}/u.test(text));
  }
});

test('hostile nesting is processed quickly', () => {
  for (const piece of [
    '<',
    '[',
    '![',
    '**',
    '`',
    '](',
    '<a ',
    'http://',
    '\u001b[',
    '_',
    '> ',
    '# ',
    '[a][',
    '<!--',
    '(((',
    ' ',
    '\n',
  ])
    plainText(piece.repeat(65_536 / piece.length));
});

test.run();
