/** Answers of the assistant: reduced to plain text and checked against the data it was given. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { flagsOf } from '../../../src/features/assistant/check.ts';
import { LONGEST_ANSWER, PlainStream, plainText } from '../../../src/features/assistant/plain.ts';
import { expect } from '../../support/expect.ts';
import { EVIL } from '../../support/fake-assistant.ts';
import { forAll, forAllOf } from '../../support/for-all.ts';

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

const redact = (text: string): string => text.replaceAll('geheim-1234', '[removed]');

test('streamed text is a prefix of the final text and never contains part of a secret or of a link', () => {
  const words = fc.array(
    fc.oneof(
      fc.constantFrom(
        'well ',
        'desk\n',
        '**so** ',
        'geheim-1234 ',
        '[a b](http://x.example c) ',
        '<b>x</b> ',
        'https://x.example/ ',
        '\n\n',
        '- one\n',
        '<think>a b</think> ',
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 40 },
  );
  forAllOf(500)(words, fc.integer({ min: 1, max: 9 }), (parts, step) => {
    const raw = parts.join('');
    const stream = new PlainStream(redact);
    let given = '';
    for (let at = 0; at < raw.length; at += step) {
      given += stream.next(raw.slice(0, at + step));
      assert.not.match(given, /geheim|:\/\/|<b>/);
    }
  });
  const stream = new PlainStream(redact);
  const raw = 'The desk is well, and the key geheim-1234 is not told here. It ends so. ';
  let given = '';
  for (let at = 1; at <= raw.length; at++) given += stream.next(raw.slice(0, at));
  assert.ok(given.length > 24);
  assert.ok(plain(redact(raw)).startsWith(given));
});

const given = {
  question: 'is it well since 14:00?',
  grounds: [
    { path: 'status.ok', value: true },
    { path: 'status.ports_up', value: 3 },
    { path: 'status.grade', value: 'gold' },
    { path: 'status.ports_n', value: 7 },
    { path: 'live.recheck_ms', value: 2.347 },
    { path: 'status.memory', value: 1234567 },
    { path: 'status.ts', value: '2026-11-22T14:05:09+01:00' },
    { path: 'status.issues', value: ['port 80 is down', 'version 1.2.3'] },
    { path: 'processes[pid=4242].comm', value: 'sshd' },
  ],
  suggestions: ['desk av close once'],
};
const texts = (answer: string): string[] => flagsOf(answer, given).map(({ text }) => text);

test('numbers from the grounds and the question pass, also rounded, split or with a decimal comma', () => {
  for (const answer of [
    '3 of 7 ports are up, 2 issues stand.',
    'It took 2.3 ms, or 2,35 ms, or 2 ms.',
    '1,234,567 bytes, 1.234.567 Bytes, 1 234 567.',
    'Since 14:00, at 14:05 on 2026-11-22, pid 4242 and port 80, version 1.2.3.',
    '1. Look at it.\n2. Wait.\n12) Done.',
    'IPv4 and x86_64 and h7 are words.',
    'status.ok is true and ports_up is 3; ports up: 3.',
    'Wait for [address 5].',
    '٣ of ٧ ports.',
    // Two groups of digits are adjacent there.
    '\u{116dd} of \u{116e1} ports.',
  ])
    assert.equal(texts(answer), [], answer);
});

test('other numbers, other values, unknown paths and commands are flagged', () => {
  for (const [answer, expected] of [
    ['4711 processes.', ['4711']],
    ['2.5 ms', ['2.5']],
    ['at 15:00', ['15:00']],
    ['٤٢ ports', ['٤٢']],
    ['status.ok is false.', ['status.ok is false']],
    ['ok: false', ['ok: false']],
    ['Hostess 7 is right: the grade is still Gold.', []],
    ['The grade is silver, I think.', ['grade is silver']],
    ['status.grade = bronze', ['status.grade = bronze']],
    ['ports up = 7', ['ports up = 7']],
    ['see status.invented and processes[pid=1].wrap', ['status.invented', 'processes[pid=1].wrap']],
    ['run sudo rm -rf /', ['sudo rm -rf /']],
    ['run desk field clear resolute now', ['desk field clear resolute now']],
    ['run desk av close once', []],
    ['then curl (link removed) | sh', ['curl (link removed) | sh']],
  ] as const)
    assert.equal([...texts(answer)].sort(), [...expected].sort(), answer);
  assert.is(flagsOf('ports_up is 7', given)[0]?.reason, 'the ground status.ports_up is 3');
});

test('a path is matched literally, whatever it contains', () => {
  const path = 'listeners[executable="/usr/bin/a-b+(c)"].port';
  const grounds = [{ path, value: 80 }];
  const flagged = (answer: string) => flagsOf(answer, { question: '', grounds }).map(({ text }) => text);
  assert.equal(flagged(`${path} is 81`), [`${path} is 81`]);
  assert.equal(flagged(`${path} is 80`), []);
});

test('a number from the data is never flagged, any other number always is', () => {
  const number = fc.oneof(
    fc.nat(),
    fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => Math.round(value * 1000) / 1000),
  );
  forAll(number, number, (known, other) => {
    const grounds = [{ path: 'a.b', value: known }];
    const flags = (answer: string) => flagsOf(answer, { question: '', grounds });
    assert.equal(flags(`It has ${known} of them.`), []);
    const rounds = [0, 1, 2, 3].some(
      (places) => known.toFixed(places) === String(other) || Number(known.toFixed(places)) === other,
    );
    if (!rounds) expect(flags(`It has ${other} of them.`).map(({ text }) => text)).equals([String(other)]);
  });
});

test('for any answer the check ends with a limited number of flags, each a part of the answer', () => {
  forAll(markup, (raw) => {
    const answer = plain(raw);
    const flags = flagsOf(answer, given);
    assert.ok(flags.length <= 20);
  });
  const answer = plain(EVIL.join(''));
  const found = texts(answer);
  for (const expected of ['4711', 'status.ok is false', 'status.ports_up = 99', 'status.invented[3].field'])
    assert.ok(found.includes(expected), `${expected} of ${JSON.stringify(found)}`);
  assert.ok(found.some((text) => text.startsWith('sudo rm')));
  assert.ok(found.some((text) => text.startsWith('desk field clear')));
});

test.run();
