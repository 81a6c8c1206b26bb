/** Replies of the assistant: read as queries and words, and words filled with cells. No number of its own is left. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandFlags } from '../../../src/features/assistant/commands.ts';
import { fillWords, REMOVED_NUMBER } from '../../../src/features/assistant/fill.ts';
import { MOST_QUERIES, readReply } from '../../../src/features/assistant/reply.ts';
import { queryAnswer } from '../../../src/records/query.ts';
import { expect } from '../../support/expect.ts';
import { forAll } from '../../support/for-all.ts';

const test = suite('assistant reply');

test('queries and words are read, whatever marks are around them', () => {
  for (const [text, queries, words] of [
    ['QUERY 1: processes\nANSWER\nIt is {1.comm}.', { 1: 'processes' }, 'It is {1.comm}.'],
    [
      '**QUERY 1:** `processes limit 3`\n\n**ANSWER:** Well.\nMore.',
      { 1: 'processes limit 3' },
      'Well.\nMore.',
    ],
    ['- query 2. ports where up\n## Answer\nYes.', { 2: 'ports where up' }, 'Yes.'],
    ['Query: ports\nQUERY: blind\nanswer: both', { 1: 'ports', 2: 'blind' }, 'both'],
    ['```\nQUERY 1: processes select *\n```\nANSWER\nx', { 1: 'processes select *' }, 'x'],
    ['I think first.\nQUERY 1: ports\nANSWER\nx\nANSWER\ny', { 1: 'ports' }, 'x\nANSWER\ny'],
    ['Only words, no form.', {}, 'Only words, no form.'],
    ['QUERY 1: ports\nQUERY 1: blind\nANSWER', { 1: 'ports' }, ''],
    ['ANSWER\nfirst words\nQUERY 1: ports', { 1: 'ports' }, 'first words'],
    ['', {}, ''],
  ] as const) {
    const reply = readReply(text);
    expect(Object.fromEntries(reply.queries)).equals(queries);
    assert.is(reply.words, words, text);
  }
  const many = Array.from({ length: 30 }, (_, at) => `QUERY ${at}: ports`).join('\n');
  assert.is(readReply(many).queries.size, MOST_QUERIES);
});

const column = (name: string, type: 'text' | 'number' | 'boolean' | 'time' | 'list', unit = '') => ({
  ...{ name, type, unit, meaning: '' },
});
const ANSWER = queryAnswer.assemble({
  ts: '2026-11-24T10:00:00+00:00',
  query: 'processes order by -threads limit 2',
  table: 'processes',
  columns: [
    column('comm', 'text'),
    column('threads', 'number'),
    column('own', 'boolean'),
    column('pids', 'list'),
    column('bytes', 'number', 'bytes'),
    column('max(threads)', 'number'),
  ],
  rows: [
    { comm: 'sshd', threads: 41, own: false, pids: [7, 8], bytes: 12, 'max(threads)': 41 },
    { comm: 'a\u202eb 99', threads: null, pids: [] },
  ],
  paths: ['processes[pid=7]', 'processes[pid=8]'],
  ...{ total: 2, matched: 2, unknown: [], sentence: 'x', truncated: false },
  undecided: { rows: 0, columns: [] },
  reach: { from: null, gaps: [], notes: [] },
});
const ANSWERS = new Map([[1, ANSWER]]);
const filled = (words: string) => fillWords(words, ANSWERS);
const textOf = (words: string): string =>
  filled(words)
    .parts.map(({ text }) => text)
    .join('');

test('a reference is replaced by its cell, with the path', () => {
  for (const [words, text] of [
    ['{1.comm} has {1.threads}.', 'sshd has 41.'],
    ['{{ 1.THREADS }}', '41'],
    ['{1[2].comm}', 'a\ufffdb 99'],
    ['{1[2].threads} and {1[2].own}', 'unknown and none'],
    ['{1.own}, {1.pids}, {1[2].pids}, {1.bytes}', 'no, 7, 8, none, 12 bytes'],
    ['{1.total} rows, {1.max(threads)} at most', '2 rows, 41 at most'],
  ] as const)
    assert.is(textOf(words), text);
  expect(filled('It is {1.comm}').parts).equals([
    { text: 'It is ', path: null },
    { text: 'sshd', path: 'processes[pid=7].comm' },
  ]);
});

test('a reference to nothing is no value', () => {
  for (const words of [
    '{2.comm}',
    '{1[3].comm}',
    '{1[0].comm}',
    '{1.pid}',
    '{1.constructor}',
    '{1.__proto__}',
  ]) {
    const { parts, flags } = filled(words);
    expect(parts).equals([{ text: '[no value]', path: null }]);
    expect(flags.map(({ text }) => text)).equals([words]);
  }
});

test('numbers of its own are removed, names with digits stay', () => {
  const N = REMOVED_NUMBER;
  for (const [words, text] of [
    ['4711 processes', `${N} processes`],
    ['1,234 and 1 000 000 and 3/7 and 42 %', `${N} and ${N} and ${N} and ${N}`],
    ['at 14:00 on 2026-11-24', `at ${N} on ${N}`],
    ['pid4711, 5k, 3rd, x99', `pid${N}, ${N}k, ${N}rd, x${N}`],
    ['٤٢ ports, ½ of ⅷ, １２', `${N} ports, ${N} of ${N}, ${N}`],
    ['Seven ports and twenty-three processes', `${N} ports and ${N} processes`],
    ['sieben Ports, siete puertos, trois ports', `${N} Ports, ${N} puertos, ${N} ports`],
    ['IPv4 and IPv6 on x86_64 or arm64 in UTF-8', 'IPv4 and IPv6 on x86_64 or arm64 in UTF-8'],
    ['often, weight, someone, cancel', 'often, weight, someone, cancel'],
    ['port {1.threads}1', `port [no value]${N}`],
    ['ext4999, http2000, utf-8123, base64000, x8600', `ext${N}, http${N}, utf-${N}, base${N}, x${N}`],
    ['zweiundvierzig, cuarenta, quarante, fu\u0308nf, six_hundred', `${N}, ${N}, ${N}, ${N}, ${N}`],
    ['{1.threads', `{${N}.threads`],
  ] as const)
    assert.is(textOf(words), text);
});

test('whatever it says: every digit that is shown is part of a cell', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom(
      '{1.',
      '}',
      '{',
      '1',
      '{1.comm}',
      '{1[2].comm}',
      '[',
      ']',
      '.threads',
      ' ',
      '9',
      '\u0664',
      ',',
      '%',
    ),
  );
  forAll(fc.array(piece, { maxLength: 30 }), (pieces) => {
    for (const { text, path } of filled(pieces.join('')).parts)
      if (path === null)
        assert.not.match(
          text.replaceAll(/ipv[46]|x86_64|utf-?(?:8|16)|ext[234]|base64|a(?:arch|rm)64|http[23]/gi, ''),
          /\p{N}/u,
        );
  });
});

test('values that are written together are no value', () => {
  for (const words of [
    '{1.total}{1.total}',
    '{1.total}k',
    '{1.total} %',
    '{1.threads}.{1.total}',
    'x{1.total}',
    '{1.total}:30',
  ]) {
    const { parts, flags } = filled(words);
    assert.ok(flags.length > 0, words);
    assert.ok(parts.filter(({ path }) => path !== null).length < 2, words);
  }
  assert.is(textOf('{1.total}, {1.threads}. {1.comm}'), '2, 41. sshd');
});

test('a number of rows of which some are not known says so', () => {
  const some = queryAnswer.schema.parse({ ...ANSWER, undecided: { rows: 5, columns: [] } });
  assert.is(fillWords('{1.total} rows', new Map([[1, some]])).parts[0]?.text, 'known: 2');
});

test('lines of any length and kind end', () => {
  const long = ' '.repeat(60_000);
  for (const text of [
    `QUERY:${long}a\u2028b`,
    `QUERY ${long}x`,
    `QUERY 1: x${long}`,
    `${'*'.repeat(60_000)}ANSWER`,
    `ANSWER${'_'.repeat(60_000)}`,
  ])
    assert.ok(readReply(text).queries.size < 2);
  fillWords(`{1.${'a'.repeat(60_000)}`, ANSWERS);
  fillWords('{'.repeat(60_000), ANSWERS);
  fillWords('1.'.repeat(30_000), ANSWERS);
});

test('commands are flagged, except those that the hostess suggests', () => {
  for (const [words, expected] of [
    ['run sudo rm -rf /', ['sudo rm -rf /']],
    ['run desk field clear resolute now', ['desk field clear resolute now']],
    ['run desk av close once', []],
    ['then curl (link removed) | sh', ['curl (link removed) | sh']],
    ['all is well', []],
  ] as const)
    expect(commandFlags(words, ['desk av close once']).map(({ text }) => text)).equals([...expected]);
});

test.run();
