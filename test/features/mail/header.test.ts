/** Headers are parsed into facts: the examples of RFC 5322 and 2047, and arbitrary bytes. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAddresses, readAddresses } from '../../../src/features/mail/address-list.ts';
import { MessageReader } from '../../../src/features/mail/message-reader.ts';
import { addressOf } from '../../../src/features/mail/people/address.ts';
import { cleanName } from '../../../src/features/mail/people/name.ts';
import { expect } from '../../support/expect.ts';
import { forAllOf } from '../../support/for-all.ts';
import { type MessageFacts, readHeader, TEST_KEY } from '../../support/message-facts.ts';
import { dateMs, naiveFacts, sipHash } from '../../support/naive-header.ts';

const test = suite('mail headers');
const NOW = Date.UTC(2026, 0, 1);

const read = (text: string | Buffer): MessageFacts =>
  readHeader(typeof text === 'string' ? Buffer.from(text, 'utf8') : text, NOW);
const boxes = (field: string): string[] =>
  read(`From: ${field}\n\n`).from.map(({ address, name }) => `${name}|${address}`);

test('the address lists of RFC 5322, appendix A, are parsed', () => {
  const table: [string, string[]][] = [
    ['John Doe <jdoe@machine.example>', ['John Doe|jdoe@machine.example']],
    ['"Joe Q. Public" <john.q.public@example.com>', ['Joe Q. Public|john.q.public@example.com']],
    [
      'Mary Smith <mary@x.test>, jdoe@example.org, Who? <one@y.test>',
      ['Mary Smith|mary@x.test', '|jdoe@example.org', 'Who?|one@y.test'],
    ],
    [
      '<boss@nil.test>, "Giant; \\"Big\\" Box" <sysservices@example.net>',
      ['|boss@nil.test', 'Giant; "Big" Box|sysservices@example.net'],
    ],
    [
      'A Group:Ed Jones <c@a.test>,joe@where.test,John <jdoe@one.test>;',
      ['Ed Jones|c@a.test', '|joe@where.test', 'John|jdoe@one.test'],
    ],
    ['Undisclosed recipients:;', []],
    ['Pete(A nice chap) <pete@silly.test>', ['Pete|pete@silly.test']],
    ['jdoe@example.org (John Doe)', ['John Doe|jdoe@example.org']],
    ['"Doe, Jane" <jane@example.org>, "a, b" <c@d.test>', ['Doe, Jane|jane@example.org', 'a, b|c@d.test']],
  ];
  for (const [field, expected] of table) assert.equal(boxes(field), expected, field);
});

test('the fast path gives the same result as the parser for arbitrary address text', () => {
  const piece = fc.constantFrom(
    ...['Ada', 'x', '@', 'b.example', '<', '>', ' ', '  ', '(', ')', '"', "'", ',', '?', 'A:', '=', '+', '/'],
    ...['=?utf-8?q?', '=?utf-8?b?', 'J=C3=BC', 'Sm9zw6k=', '?=', '_', '=40', '=0d=0a', '=?utf-8?q?Ada?='],
    ...['<a@b.example>', 'a@b.example', '(Ada)', '=?x?q?b?=', '=?utf-8?q?=40?=', '"A b"', 'é', '\x1b'],
  );
  forAllOf(5000)(fc.array(piece, { maxLength: 7 }), (pieces) => {
    const text = pieces.join('').trim();
    assert.equal(readAddresses(text), parseAddresses(text), text);
  });
});

test('an address list is split where the parser splits it', () => {
  const piece = fc.constantFrom(
    ...[
      'Ada',
      '@',
      ',',
      ', ',
      '<',
      '>',
      ' ',
      '(',
      ')',
      '"',
      '?',
      '=',
      '=?',
      '=?utf-8?q?',
      '?=',
      '\u2028',
      'é',
    ],
    ...['<a@b.example>', 'a@b.example', '=?utf-8?q?a,b?=', '"c, d" <c@d.example>', '(e, f)'],
  );
  forAllOf(10_000)(fc.array(piece, { maxLength: 9 }), (pieces) => {
    const text = pieces.join('').replaceAll(/ +/g, ' ').trim();
    assert.equal(read(`From: ${text}\n\n`).from, parseAddresses(text), text);
  });
  assert.equal(boxes('Ada <ada@example.org, eve@example.com>'), []);
  // No address, and none made from the stand-in text of the encoded word.
  assert.equal(boxes('=?utf-8?q?a,b?=, Ada a@b.example=?utf-8?q??='), []);
  assert.equal(boxes('=?utf-8?q?a"\u2028?= <a@b.example>, "c@d.example" <e@f.example>'), []);
});

test('encoded words of RFC 2047 are decoded once, and only in names', () => {
  const table: [string, string[]][] = [
    ['=?ISO-8859-1?Q?Andr=E9?= Pirard <pirard@example.org>', ['André Pirard|pirard@example.org']],
    ['=?utf-8?B?QWRh?= =?utf-8?Q?_Lovelace?= <a@example.org>', ['Ada Lovelace|a@example.org']],
    ['"=?utf-8?q?J=C3=BCrgen?=" <j@example.org>', ['Jürgen|j@example.org']],
    // An address within an encoded word is not an address.
    ['=?utf-8?q?Ada_=3Cevil=40example.com=3E?=', []],
    ['=?utf-8?q?evil=40example.com?= <ada@example.org>', ['evil@example.com|ada@example.org']],
    ['=?utf-8?q?Ada?=@example.org', ['|=?utf-8?q?ada?=@example.org']],
    // A decoded word is not decoded again and does not start a field.
    ['=?utf-8?q?=3D=3Futf-8=3Fq=3FX=3F=3D?= <a@example.org>', ['=?utf-8?q?X?=|a@example.org']],
    ['=?utf-8?q?=0d=0aBcc:_x?= <a@example.org>', ['Bcc: x|a@example.org']],
    [
      '=?utf-8?Q?Doe,_Jane?= <j@example.org>, =?utf-8?Q?"?= <q@example.org>',
      ['Doe, Jane|j@example.org', '"|q@example.org'],
    ],
    ['=?no-such-charset?q?Ada?= <a@example.org>', ['Ada|a@example.org']],
    ['=?utf-8?x?Ada?= <a@example.org>', ['=?utf-8?x?Ada?=|a@example.org']],
  ];
  for (const [field, expected] of table) assert.equal(boxes(field), expected, field);
});

test('raw bytes are read as UTF-8 if valid, else as windows-1252', () => {
  assert.equal(boxes('Jürgen <j@example.org>'), ['Jürgen|j@example.org']);
  const latin1 = Buffer.from('From: J\xfcrgen \x80 <j@example.org>, Zo\xeb <z@example.org>\n\n', 'latin1');
  expect(read(latin1).from.map(({ name }) => name)).equals(['Jürgen €', 'Zoë']);
  assert.equal(read('From: ada@bücher.example\n\n').from, [
    { address: 'ada@xn--bcher-kva.example', name: '' },
  ]);
});

test('dates are parsed, and implausible ones are ignored', () => {
  const table: [string, number | null][] = [
    ['Fri, 21 Nov 1997 09:55:06 -0600', Date.UTC(1997, 10, 21, 15, 55, 6)],
    ['21 Nov 97 09:55:06 GMT', Date.UTC(1997, 10, 21, 9, 55, 6)],
    ['Fri, 21 Nov 1997 09(comment):   55  :  06 -0600', null],
    ['Thu, 13 Feb 1969 23:32 -0330 (Newfoundland Time)', Date.UTC(1969, 1, 14, 3, 2)],
    ['1 January 2020 00:00:60 EST', Date.UTC(2020, 0, 1, 5, 1)],
    ['Mon, 32 Jan 2020 00:00:00 +0000', null],
    ['1 Jan 2020 25:00:00 +0000', null],
    ['1 Foo 2020 10:00:00 +0000', null],
    ['', null],
  ];
  for (const [text, expected] of table) {
    assert.is(dateMs(text), expected, text);
    const believed = expected !== null && expected >= Date.UTC(1980, 0, 1) ? expected : null;
    assert.is(read(`Date: ${text}\n\n`).atMs, believed, text);
  }
  const received =
    'Received: from a\n\tby b; Tue, 1 Jul 2003 10:52:37 +0200\nReceived: from c by d; Tue, 1 Jul 2003 08:00:00 +0200\n';
  assert.is(
    read(`${received}Date: Wed, 2 Jul 2003 00:00:00 +0000\n\n`).atMs,
    Date.UTC(2003, 6, 1, 8, 52, 37),
  );
  assert.is(read('Date: Wed, 2 Jul 2003 00:00:00 +0000\n\n').atMs, Date.UTC(2003, 6, 2));
  assert.is(
    read('Received: by b; Fri, 1 Jan 2038 00:00:00 +0000\nDate: Wed, 2 Jul 2003 00:00:00 +0000\n\n').atMs,
    Date.UTC(2003, 6, 2),
  );
  for (const year of [1979, 2027, 9999])
    assert.is(read(`Date: Wed, 2 Jul ${year} 00:00:00 +0000\n\n`).atMs, null);
});

test('mailing lists and automatic mail are recognized', () => {
  const flags = (fields: string) => {
    const { list, automated } = read(`From: a@example.org\n${fields}\n\n`);
    return [list, automated];
  };
  assert.equal(flags('List-Id: Development <devel.example.org>\nPrecedence: bulk'), [true, false]);
  assert.equal(flags('Precedence: bulk'), [false, true]);
  assert.equal(flags('Auto-Submitted: auto-replied (vacation)'), [false, true]);
  assert.equal(flags('AUTO-SUBMITTED:  No'), [false, false]);
  assert.equal(flags('Auto-Submitted: nobody'), [false, true]);
  assert.equal(flags('Return-Path: <>'), [false, true]);
  assert.equal(flags('Return-Path: <a@example.org>'), [false, false]);
});

test('the key of a message is independent of the header layout and differs between messages', () => {
  const key = (text: string) => Buffer.from(read(text).key).toString('hex');
  const plain =
    'From: "Ada Lovelace" <ada@example.org>\nTo: me@desk.example, you@desk.example\nMessage-ID: <1@x>\n\n';
  assert.is(plain.length > 0 && key(plain).length, 32);
  const same = [
    plain.replaceAll('\n', '\r\n'),
    plain.replace('To: me@desk.example, you', 'To:   me@desk.example,\n\t you'),
    plain.replace('<1@x>', '  <1@x>  '),
    plain.replace('Ada Lovelace', 'Ada\t Lovelace'),
    `Received: x\nSubject: [list] x\nX: y\n${plain}`,
    plain.replace('From:', 'FROM :'),
  ];
  for (const text of same) assert.is(key(text), key(plain), text);
  const others = [
    plain.replace('<1@x>', '<2@x>'),
    plain.replace('ada@', 'eve@'),
    plain.replace(', you@desk.example', ''),
    plain.replace(/Message-ID.*\n/, ''),
  ];
  for (const text of others) assert.is.not(key(text), key(plain), text);
  const nameless = 'From: a@example.org\nDate: Wed, 2 Jul 2003 00:00:00 +0000\nSubject: one\n folded\n\n';
  assert.is(key(nameless), key(nameless.replace('one\n folded', 'one folded ')));
  assert.is.not(key(nameless), key(nameless.replace('one', 'two')));
});

test('only lines before the first empty line count, and the first of repeated fields', () => {
  assert.equal(read('From: a@example.org\n\nTo: b@example.org\n').to, []);
  assert.equal(read('\nFrom: a@example.org\n').from, []);
  assert.equal(
    read('From: a@example.org\nFrom: b@example.org\nTo: c@example.org\nTo: d@example.org\n').to.length,
    2,
  );
  assert.equal(read('From: a@example.org\nFrom: b@example.org\n').from.length, 1);
  assert.equal(read('From a@b Thu Jan 1\nnonsense without colon\n: x\nFrom: a@example.org\n').from.length, 1);
});

const TRICKS = [
  'From: ',
  'To: ',
  'Cc: ',
  'Bcc: ',
  'Date: ',
  'Received: ',
  'Message-ID: ',
  'List-Id: ',
  'Return-Path: ',
  '\n',
  '\r\n',
  '\n ',
  '\n\t',
  '\r',
  '\0',
  '"',
  '\\',
  '(',
  ')',
  '<',
  '>',
  '@',
  ',',
  ';',
  ':',
  '=?utf-8?q?',
  '=?utf-8?b?',
  '=?x?q?',
  '=0d=0a',
  '?=',
  '=?=?=?',
  '\u202e',
  '\u200b',
  '\x1b[2J',
  'ada@example.org',
  'ADA@EXAMPLE.ORG',
  '<ada@example.org>',
  'Group: ',
  'a@xn--a',
  '[1.2.3.4]',
  'Ada',
  '2 Jul 2003 00:00:00 +0000',
  '\xff\xfe',
  'а@еxample.org',
];
const hostile = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...TRICKS) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.from(parts.join(''), 'utf8'));
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

function check({ key, atMs, from, to, copied }: MessageFacts): void {
  assert.is(key.byteLength, 16);
  assert.ok(atMs === null || (atMs >= Date.UTC(1980, 0, 1) && atMs <= NOW + 86_400_000));
  assert.ok(from.length + to.length + copied.length <= 200);
  for (const { address, name } of [...from, ...to, ...copied]) {
    assert.is(addressOf(address), address);
    assert.is(cleanName(name, address), name);
    assert.not.match(name + address, /[\p{Cc}\p{Cf}\p{Cs}]/u);
  }
}

test('for any bytes nothing is thrown, addresses and names are normalized, and the result is repeatable', () => {
  const reader = new MessageReader(TEST_KEY);
  forAllOf(4000)(fc.oneof(hostile, bytes), (header) => {
    const facts = readHeader(header, NOW, reader);
    check(facts);
    assert.equal(readHeader(header, NOW, reader), facts, 'what was read before changes nothing');
    assert.equal(facts, naiveFacts(header, NOW, TEST_KEY, readAddresses));
  });
});

const DATE_PARTS = [
  ...[
    '1',
    '31',
    '32',
    '007',
    '2 ',
    ' ',
    '  ',
    '\t',
    '\xa0',
    ' '.repeat(9),
    ' '.repeat(10),
    ':',
    ';',
    ',',
    '-',
  ],
  ...['Jan', 'february', 'SEP ', 'anf', 'Septembers', '97 ', '049', '2003 ', '0085 ', '1999', '20031'],
  ...[
    '09:55',
    ':06',
    '23:59:60',
    '24:00',
    '1:2',
    ' -0600',
    '+0545',
    ' +05',
    'EST',
    ' pdt',
    ' Z',
    ' ESTX',
    '-00a',
  ],
  ...['2 Jul 2003 ', '29 Feb 2000 ', '31 Feb 1900 ', '1 Mar 2100 ', '10:52:37 +0200'],
];
const dates = fc.oneof(
  fc.array(fc.constantFrom(...DATE_PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('', 'Tue, ', '9'),
      fc.date({ min: new Date(0), max: new Date(8e12), noInvalidDate: true }),
      fc.constantFrom(' -0330', '+1400', ' EDT', ' XYZ', ''),
    )
    .map(([before, date, zone]) => before + date.toUTCString().slice(5, -4) + zone),
);

test('dates are parsed as by a naive implementation', () => {
  const far = 8_000_000_000_000_000;
  forAllOf(6000)(dates, fc.constantFrom('Date: ', 'Received: a;x; '), (text, field) => {
    const header = Buffer.from(`${field}${text}\n\n`, 'latin1');
    assert.is(readHeader(header, far).atMs, naiveFacts(header, far, TEST_KEY, readAddresses).atMs);
  });
});

test('the key is SipHash-2-4 with 128 bits and matches the reference vectors', () => {
  // vectors.h of the reference implementation: key 00 to 0f, message 00, 01, … of the given length.
  const table: [number, string][] = [
    [0, 'a3817f04ba25a8e66df67214c7550293'],
    [1, 'da87c1d86b99af44347659119b22fc45'],
    [2, '8177228da4a45dc7fca38bdef60affe4'],
  ];
  for (const [length, expected] of table) {
    const message = Uint8Array.from({ length }, (_, at) => at);
    assert.is(Buffer.from(sipHash(TEST_KEY, message)).toString('hex'), expected);
  }
});

test('the text table restarts when it is full, and people are not mixed up', () => {
  const reader = new MessageReader(TEST_KEY);
  const known = new Set<unknown>();
  for (let round = 0; round < 5; round += 1) {
    for (let n = 0; n < 60; n += 1) {
      const list = Array.from({ length: 900 }, (_, at) => `p${(round * 60 + n) * 900 + at}@example.org`);
      reader.add(Buffer.from(`From: ada@example.org\nTo: ${list.join(',')}\n\n`), NOW);
    }
    const { named, ends, mailboxes } = reader.take();
    known.add(mailboxes);
    const name = (at: number): string | undefined => mailboxes[named[at] as number]?.address;
    for (let n = 0; n < 60; n += 1) {
      const start = n === 0 ? 0 : (ends[3 * n - 1] as number);
      assert.is(name(start), 'ada@example.org');
      assert.is(name(start + 1), `p${(round * 60 + n) * 900}@example.org`);
      assert.is((ends[3 * n + 2] as number) - start, 200);
    }
  }
  assert.ok(known.size > 1);
});

test('the fast path and the parser agree on plain mailboxes', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'B', '.', '-', ' ', "'", 'é', '&', '1'),
    minLength: 1,
    maxLength: 12,
  });
  forAllOf(1500)(word, fc.boolean(), fc.boolean(), (name, quoted, bare) => {
    const box = bare ? 'ada@example.org' : `${quoted ? `"${name}"` : name} <ada@example.org>`;
    // A group is not handled by the fast path and has the same member.
    assert.equal(boxes(`G: ${box};`), boxes(box), box);
  });
});

test('a megabyte of repeated text in any field is processed quickly', () => {
  const MEGABYTE = 1 << 20;
  const filled = (start: string, piece: string): Buffer =>
    Buffer.from(start + piece.repeat(Math.ceil(MEGABYTE / piece.length)));
  const pieces = [
    'a',
    ' ',
    '\n ',
    '"',
    '\\',
    '(',
    '((',
    '<',
    '@',
    'a@',
    '@a',
    ',',
    ';',
    ':',
    'a:',
    '=?',
    '=?utf-8?q?=41?=',
    '=?utf-8?q?',
    '=?utf-8?b?QQ==?= ',
    'a@b.example,',
    '<a@b.example>',
    '"a@b.example" ',
    '\0',
    'G:a@b.example;',
    '\ufeff',
    '.',
    'a.',
    ' a',
    '1 Jan ',
    '; ',
  ];
  for (const start of [
    'From: ',
    'To: x <',
    'Cc: "',
    'Received: ',
    'Date: ',
    'Message-ID: <',
    'X: ',
    '',
    'Return-Path: <',
    'Bcc: (',
    'List-Id: ',
  ])
    for (const piece of pieces) {
      check(readHeader(filled(start, piece), NOW));
      check(readHeader(Buffer.from(`${start}${piece.repeat(60_000 / piece.length)}x\n\n`), NOW));
    }
  const crowd = read(
    `To: ${Array.from({ length: 10_000 }, (_, n) => `P${n} <p${n}@example.org>`).join(', ')}\nCc: late@example.org\n\n`,
  );
  assert.is(crowd.to.length, 200);
  assert.is(crowd.copied.length, 0);
});

test('the memory of the reader is bounded', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const reader = new MessageReader(TEST_KEY);
  let next = 0;
  /** The reader clears its table now and then, so this takes the maximum over many states. */
  const mostResident = (messages: number): number => {
    let most = 0;
    for (const end = next + messages; next < end; next += 1) {
      reader.add(Buffer.from(`From: ${'N'.repeat(100)}${next} <p${next}@example.org>\n\n`), NOW);
      if (next % 1000 === 999) reader.take();
      if (next % 20_000 !== 19_999) continue;
      collect();
      most = Math.max(most, process.memoryUsage.rss());
    }
    return most;
  };
  const first = mostResident(600_000);
  const more = mostResident(600_000);
  assert.ok(more - first < 64 << 20, `${(more - first) >> 20} MiB more`);
});

test.run();
