import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bind } from '../../src/query/bind.ts';
import { parse, parseCondition, parseItems, parseOrder } from '../../src/query/parse.ts';
import { queryText } from '../../src/query/text.ts';
import { type Query, QueryError } from '../../src/query/types.ts';
import { randomFrom } from '../support/random.ts';
import { NOW, queryFrom, TABLE } from './random.ts';

const test = suite('query grammar');

/** The error of a text: its place and what may have been meant. */
function errorOf(work: () => unknown): QueryError {
  try {
    work();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('no error');
}

const bound = (text: string) => bind(parse(text), [TABLE], NOW);

test('every text is a query or a QueryError at a place of it', () => {
  const word = fc.constantFrom(
    ...[
      'things',
      'select',
      'where',
      'group',
      'order',
      'by',
      'limit',
      'since',
      'until',
      'at',
      'ever',
      'and',
      'or',
    ],
    ...[
      'not',
      'is',
      'none',
      'unknown',
      'in',
      'like',
      'contains',
      'n',
      's',
      '-n',
      '(',
      ')',
      ',',
      '=',
      '!=',
      '<',
      '!',
    ],
    ...[
      '"',
      "'",
      '\\',
      '1',
      '-1e9',
      '1e999',
      '*',
      'count',
      'count(',
      'max(n)',
      '\0',
      '\u{1f600}',
      '\ud800',
      'desc',
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(word, { maxLength: 60 }).map((words) => `things ${words.join(' ')}`),
  );
  fc.assert(
    fc.property(text, (one) => {
      for (const read of [parse, parseCondition, parseItems, parseOrder]) {
        try {
          read(one);
        } catch (error) {
          assert.instance(error, QueryError);
          const { at, message } = error as QueryError;
          assert.ok(at >= 0 && at <= one.length, `${at} in ${JSON.stringify(one)}`);
          assert.match(message, /^[A-Z"].*\.$/s);
        }
      }
    }),
    { numRuns: 3000 },
  );
});

/** Without places. */
const bare = (query: Query) =>
  JSON.parse(
    JSON.stringify(query, (key, value) =>
      key === 'at' && typeof value === 'number' ? 0 : key === 'places' ? undefined : value,
    ),
  );

test('the text of a query is read as the same query', () => {
  for (let seed = 1; seed <= 2000; seed += 1) {
    const query = queryFrom(randomFrom(seed));
    const text = queryText(query);
    const read = parse(text);
    assert.equal(bare(read), bare(query), text);
    assert.is(queryText(read), text);
  }
});

test('clauses come in any order, keywords in any case, each once', () => {
  const text = 'things where n > 1 and s = x order by -n, s limit 3';
  assert.is(
    queryText(parse('Things LIMIT 3 Order By N desc, s asc WHERE n>1 AND S=x')),
    queryText(parse(text)),
  );
  assert.is(errorOf(() => parse('things limit 1 limit 2')).at, 15);
});

test('words mean numbers, true and false, and text; quotes make text of all', () => {
  const values = (text: string) => {
    const condition = parseCondition(`s in (${text})`);
    return condition.kind === 'compare' ? condition.values.map(({ value }) => value) : [];
  };
  assert.equal(values('1, -2.5, 1e3, true, "true", \'1\', /usr/bin/x, -0, 2026-01-31, 9007199254740993'), [
    ...[1, -2.5, 1000, true, 'true', '1', '/usr/bin/x', 0, '2026-01-31', '9007199254740993'],
  ]);
  assert.equal(values(String.raw`"a\"b", 'it\'s', "\\"`), ['a"b', "it's", '\\']);
});

test('a column that is called like a clause is a column where one belongs', () => {
  const query = parse('samples select at, count() where at > yesterday group by at order by -at at 2h');
  assert.equal(
    [query.select[0]?.column?.text, query.group[0]?.text, query.order[0]?.item.column?.text, query.at?.text],
    ['at', 'at', 'at', '2h'],
  );
});

test('a column alone is true, and not before a comparison', () => {
  assert.is(
    queryText(parse('things where b and not b or n = 1')),
    'things where b = true and not b = true or n = 1',
  );
  assert.is(
    queryText(parse('things where (n = 1 or b) and s = x')),
    'things where (n = 1 or b = true) and s = "x"',
  );
});

const PLACES: readonly (readonly [
  text: string,
  at: number,
  message: RegExp,
  suggestions?: readonly string[],
])[] = [
  ['', 0, /Expected a table/],
  ['thingz', 0, /Unknown table/, ['things']],
  ['things wher n = 1', 7, /Expected one of select/, ['where']],
  ['things where', 12, /Expected a column/],
  ['things where n', 13, /this value is not/],
  ['things where n ==', 16, /Expected a value/],
  ['things where n ! 1', 15, /"!" alone/, ['!=']],
  ['things where n = "1', 17, /has no end/],
  ['things where n contain 1', 15, /Expected an operator/, ['contains']],
  ['things where rnak = low', 13, /no column of this name/, ['rank']],
  ['things where rank = lwo', 20, /never has this value/, ['low']],
  ['things where rank >= higher', 21, /never has this value/],
  ['things where n = one', 17, /is a number/],
  ['things where n contains 1', 13, /takes =, !=/],
  ['things where tags = 1', 13, /is a list, which takes contains/],
  ['things where seen > soon', 20, /not a time/],
  ['things where n is nothing', 18, /Expected "unknown" or "none"/],
  ['things where (n = 1', 19, /Expected "\)"/],
  ['things where n in 1', 18, /Expected "\("/],
  ['things select count(', 20, /Expected a column/],
  ['things select median(n)', 14, /Unknown aggregate/],
  ['things select sum(s)', 14, /takes a number/],
  ['things select max(b)', 14, /takes a number, a time or text/],
  ['things select n, count()', 14, /has many values in a group/],
  ['things select *, count()', 14, /"\*" has no meaning/],
  ['things group n', 13, /Expected "by"/],
  ['things group by tags', 16, /cannot be grouped by a list/],
  ['things order by tags', 16, /cannot be ordered by a list/],
  ['things order by - n', 16, /without a space/],
  ['things limit 0', 13, /1 to 1000/],
  ['things limit 1001', 13, /1 to 1000/],
  ['things limit 1.5', 13, /whole number/],
  ['things since', 12, /Expected a time/],
  ['things since 2030-01-01', 13, /in the future/],
  ['things since today until yesterday', 25, /later than "until"/],
  ['things ever', 7, /cannot be asked with "ever"/],
  ['things at 2h', 7, /cannot be asked with "at"/],
];
for (const [text, at, message, suggestions = []] of PLACES)
  test(`${text || 'nothing'}: the error is at character ${at + 1}`, () => {
    const error = errorOf(() => bound(text));
    assert.match(error.message, message);
    assert.is(error.at, at);
    for (const one of suggestions) assert.ok(error.suggestions.includes(one), error.suggestions.join());
  });

test('no error repeats what was written', () => {
  for (const text of [
    'evilevil',
    'things evilevil',
    'things where evilevil = 1',
    'things select evilevil(n)',
    'things where rank = evilevil',
  ])
    assert.not.match(errorOf(() => bound(text)).message, /evil/);
});

test('texts, depth, conditions and lists are bounded', () => {
  const and = (count: number) => `things where ${Array.from({ length: count }, () => 'n = 1').join(' and ')}`;
  assert.ok(parse(and(64)));
  assert.match(errorOf(() => parse(and(65))).message, /at most 64 conditions/);
  assert.ok(parse(`things where ${'('.repeat(30)}n = 1${')'.repeat(30)}`));
  assert.match(
    errorOf(() => parse(`things where ${'('.repeat(40)}n = 1${')'.repeat(40)}`)).message,
    /nested more than 32/,
  );
  assert.match(errorOf(() => parse(`things where ${'not '.repeat(40)}n = 1`)).message, /nested more than 32/);
  assert.match(errorOf(() => parse(`things where ${'('.repeat(4000)}`)).message, /nested more than 32/);
  assert.match(
    errorOf(() => parse(`things where s = "${'a'.repeat(4096)}"`)).message,
    /at most 4096 characters/,
  );
  assert.match(errorOf(() => parse(`things select ${'n, '.repeat(40)}n`)).message, /at most 32 entries/);
  assert.match(
    errorOf(() => bound(`things where s contains "${'a'.repeat(257)}"`)).message,
    /at most 256 characters/,
  );
});

test.run();
