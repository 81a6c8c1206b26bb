/** Normalized addresses, cleaned names and look-alikes: examples and arbitrary text. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressOf, isProgram } from '../../../src/features/mail/people/address.ts';
import { Known, oneSlipApart } from '../../../src/features/mail/people/lookalike.ts';
import { cleanName, folded, openNames } from '../../../src/features/mail/people/name.ts';
import { mixesScripts, oddOf } from '../../../src/features/mail/people/odd.ts';
import { nameSkeleton, skeleton } from '../../../src/features/mail/people/skeleton.ts';
import { forAllOf } from '../../support/for-all.ts';

const test = suite('people');

/** Text with many of the unusual characters found in mail. */
const ODD = [
  '\0',
  '\r\n',
  '\u202e',
  '\u200b',
  '\u2066',
  '\ufeff',
  '\u00ad',
  '"',
  '<',
  '>',
  '@',
  '\\',
  '(',
  ')',
  ',',
  ';',
  '=?',
  '?=',
  'xn--',
  '.',
  'ö',
  'а',
  '\ud800',
  '\u{e0041}',
  '＠',
  '。',
  ' ',
];
const odd = fc
  .array(
    fc.oneof(
      fc.constantFrom(...ODD),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('ada', 'example.org'),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test('addresses have one normal form', () => {
  const table: [string, string | null][] = [
    ['Ada.Lovelace@Example.ORG', 'ada.lovelace@example.org'],
    [' ada@example.org ', 'ada@example.org'],
    ['"ada"@example.org', 'ada@example.org'],
    ['"ada lovelace"@example.org', '"ada lovelace"@example.org'],
    ['"a\\"b"@example.org', '"a\\"b"@example.org'],
    ['"a@b"@example.org', '"a@b"@example.org'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@bücher。example', 'ada@xn--bcher-kva.example'],
    ['jose\u0301@example.org', 'josé@example.org'],
    ["o'neil+tag@example.org", "o'neil+tag@example.org"],
    ['root@localhost', 'root@localhost'],
    [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
    [`${'a'.repeat(65)}@example.org`, null],
    [`${'é'.repeat(33)}@example.org`, null],
    [`a@${'b'.repeat(64)}.example`, null],
    [`a@${'bcd.'.repeat(63)}ee`, null],
    ...[
      '',
      'ada',
      '@example.org',
      'ada@',
      'a b@example.org',
      'a..b@example.org',
      '.a@example.org',
      'a.@example.org',
    ].map((text): [string, null] => [text, null]),
    ...[
      'ada@[192.0.2.1]',
      'ada@192.0.2.1',
      'ada@127.1',
      'ada@0x7f000001',
      'ada@example.org.',
      'ada@exa mple.org',
      'ada@-a.org',
      'ada@１２７.0.0.1',
    ].map((text): [string, null] => [text, null]),
    ...[
      'a\u202eb@example.org',
      'a\u0000b@example.org',
      'a\u200bb@example.org',
      'ada@ex\u200bample.org:25',
      'ada@ex%61mple.ö',
      '""@example.org',
      '"a\n"@example.org',
      'a"b@example.org',
    ].map((text): [string, null] => [text, null]),
  ];
  for (const [text, expected] of table) assert.is(addressOf(text), expected, JSON.stringify(text));
});

test('a normalized address does not change when normalized again', () => {
  forAllOf(2000)(odd, odd, (local, domain) => {
    for (const text of [local, `${local}@${domain}`, `${local}@example.org`, `ada@${domain}`]) {
      const address = addressOf(text);
      if (address === null) continue;
      assert.is(addressOf(address), address);
      assert.not.match(address, /[\p{Cc}\p{Cf}\p{Cs}]/u);
      assert.match(address, /^[^\s].*@[a-z0-9_.-]+$/u);
      assert.ok(Buffer.byteLength(address) <= 254);
    }
  });
});

test('programs are recognized by their address', () => {
  for (const local of [
    'noreply',
    'no-reply',
    'do-not-reply',
    'shop.noreply',
    'MAILER-DAEMON',
    'bounce+123',
    'bounces-list',
    'notifications',
    'postmaster',
    'newsletter',
  ])
    assert.ok(isProgram(`${local.toLowerCase()}@example.org`), local);
  for (const local of ['ada', 'norep', 'alerta', 'bouncer', 'noreplying', 'cronin'])
    assert.not.ok(isProgram(`${local}@example.org`), local);
});

test('names are cleaned', () => {
  const table: [string, string][] = [
    ['  Ada \t Lovelace ', 'Ada Lovelace'],
    ['"Ada Lovelace"', 'Ada Lovelace'],
    ['\'"Ada"\'', 'Ada'],
    ['“Ada”', 'Ada'],
    ["O'Neil", "O'Neil"],
    ['Ada\u202eecalevoL', 'AdaecalevoL'],
    ['A\u200bda\u00ad', 'Ada'],
    ['Ada\r\nBcc: x@example.org', 'Ada Bcc: x@example.org'],
    ['\u001b[31mAda', '[31mAda'],
    ['Jose\u0301', 'José'],
    ['ada@example.org', ''],
    ['<ADA@example.org>', ''],
    ["'ada@example.org'", ''],
    ['\u200b \u2066', ''],
    ['x'.repeat(500), 'x'.repeat(128)],
    [`${'😀'.repeat(200)}`, '😀'.repeat(128)],
  ];
  for (const [text, expected] of table)
    assert.is(cleanName(text, 'ada@example.org'), expected, JSON.stringify(text));
});

test('a cleaned name does not change when cleaned again and has no invisible characters', () => {
  forAllOf(3000)(odd, (text) => {
    const name = cleanName(text);
    assert.is(cleanName(name), name);
    assert.is(name.normalize('NFC'), name);
    assert.not.match(
      name,
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\s\s|^\s|\s$/u,
    );
    assert.ok([...name].length <= 128);
    for (const open of openNames('ada@example.org', [name])) assert.not.match(open, /[@＠﹫]/);
  });
  const huge = `${'A'.repeat(1 << 20)}\u202e`;
  assert.is(cleanName(huge).length, 128);
});

test('folded text ignores case and diacritics', () => {
  for (const [text, found] of [
    ['JOSÉ', 'jose'],
    ['Straße', 'STRASSE'],
    ['Ångström', 'angstrom'],
    ['ＡＤＡ', 'ada'],
    ['ΣΊΣΥΦΟΣ', 'σισυφος'],
  ] as const)
    assert.is(folded(text), folded(found));
});

test('look-alike texts have the same skeleton', () => {
  for (const [a, b] of [
    ['раураl', 'paypal'],
    ['paypa1', 'paypal'],
    ['exarnple', 'example'],
    ['vvikipedia', 'wikipedia'],
    ['gооgle', 'go0gle'],
    ['ｅxample', 'example'],
    ['éxample', 'example'],
    ['ΑDA', 'ada'],
    ['օpen', 'open'],
  ] as const)
    assert.is(skeleton(a), skeleton(b), a);
  assert.is(nameSkeleton('Lovelace, Ada'), nameSkeleton('Ada  LOVELACE'));
  assert.is(nameSkeleton('Ada'), '');
});

test('mixed scripts are reported, except scripts commonly used together', () => {
  for (const word of ['pаypal', 'Αda', 'Ивaн', 'աda']) assert.ok(mixesScripts(word), word);
  for (const word of [
    'paypal',
    'Иван',
    'José',
    '東京タワー',
    'Sonyソニー',
    '한국KR',
    'ada2024',
    '',
    '😀ok',
    'naïve-ß',
  ])
    assert.not.ok(mixesScripts(word), word);
  assert.equal(oddOf('ada@example.org', ['Pаypal Service']), [{ kind: 'mixed-script', about: 'Pаypal' }]);
  assert.equal(oddOf('ada@xn--pypal-4ve.example', []), [{ kind: 'mixed-script', about: 'pаypal' }]);
  assert.equal(oddOf('ada@example.org', ['Ада Lovelace']), [], 'one script per word');
});

test("another person's address in a name is reported, their own is not", () => {
  assert.equal(oddOf('x@evil.example', ['ada@example.org']), [
    { kind: 'address-in-name', about: 'ada@example.org' },
  ]);
  assert.equal(oddOf('x@evil.example', ['Ada (ada＠example.org)']), [
    { kind: 'address-in-name', about: 'ada@example.org' },
  ]);
  assert.equal(oddOf('ada@example.org', ['Ada <ada@Example.org>', 'Ada @ work']), []);
});

test('oneSlipApart agrees with an edit distance of 1', () => {
  /** Optimal string alignment distance, as a plain table. */
  const distance = (a: string, b: string): number => {
    const table = Array.from({ length: a.length + 1 }, (_, i) =>
      Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
    );
    const at = (i: number, j: number): number => table[i]?.[j] as number;
    for (let i = 1; i <= a.length; i += 1)
      for (let j = 1; j <= b.length; j += 1) {
        let least = Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]),
        );
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          least = Math.min(least, at(i - 2, j - 2) + 1);
        (table[i] as number[])[j] = least;
      }
    return at(a.length, b.length);
  };
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  forAllOf(3000)(few, few, (a, b) => assert.is(oneSlipApart(a, b), distance(a, b) === 1));
});

test('domains one edit away from known ones are found, as by comparison with all of them', () => {
  const label = fc.string({ unit: fc.constantFrom('a', 'b', 'o', '0'), minLength: 3, maxLength: 6 });
  forAllOf(500)(fc.array(label, { minLength: 1, maxLength: 12 }), label, (labels, asked) => {
    const known = new Known();
    const domains = labels.map((text) => `${text}.example`);
    for (const domain of domains) known.add(`x@${domain}`, '');
    const domain = `${asked}.example`;
    const like = known.likeDomain(domain);
    const near = domains.filter(
      (each) => each !== domain && (skeleton(each) === skeleton(domain) || oneSlipApart(each, domain)),
    );
    if (domains.includes(domain)) assert.is(like, null);
    else assert.is(like === null, near.length === 0);
  });
  const known = new Known();
  known.add('x@gmail.com', '');
  known.add('x@web.de', '');
  assert.is(known.likeDomain('mail.com'), null, 'a separate provider');
  assert.is(known.likeDomain('gmai1.com'), 'gmail.com');
  assert.is(known.likeDomain('gmial.com'), 'gmail.com');
  assert.is(known.likeDomain('wed.de'), null, 'too short to compare');
});

test.run();
