/** What an answer says, and what it may cost. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bind } from '../../src/query/bind.ts';
import { LIMITS, type Limits } from '../../src/query/budget.ts';
import { pathOf } from '../../src/query/item.ts';
import { parse } from '../../src/query/parse.ts';
import { run } from '../../src/query/run.ts';
import { sentenceOf } from '../../src/query/sentence.ts';
import { type Cell, QueryError, type Source, type Table } from '../../src/query/types.ts';

const NOW = Date.UTC(2026, 0, 31, 12);

const TABLE: Table = {
  name: 'dogs',
  meaning: 'dogs',
  noun: ['dog', 'dogs'],
  columns: [
    { name: 'id', type: 'number', unit: '', meaning: 'its number' },
    { name: 'name', type: 'text', unit: '', meaning: 'its name' },
    { name: 'weight', type: 'number', unit: 'kg', meaning: 'its weight' },
    { name: 'size', type: 'text', unit: '', meaning: 'its size', values: ['small', 'big'], ranked: true },
    { name: 'good', type: 'boolean', unit: '', meaning: 'it is good' },
    { name: 'born', type: 'time', unit: '', meaning: 'when it was born' },
    { name: 'tags', type: 'list', unit: '', meaning: 'what it has' },
  ],
  key: ['id'],
  label: 'name',
  time: 'born',
};

const hour = (ago: number): number => NOW - ago * 3_600_000;
const ROWS: readonly (readonly Cell[])[] = [
  [1, 'Rex', 30, 'big', true, hour(1), ['ball']],
  [2, 'Ada', 12.5, 'small', true, hour(30), []],
  [3, 'Bo', null, null, false, hour(50), undefined],
  [4, null, 7, 'small', null, null, null],
  [5, 'Rex', undefined, undefined, true, undefined, ['ball', 7]],
];

const sourceOf = (rows: readonly (readonly Cell[])[], more: Partial<Source> = {}): Source => ({
  ...more,
  length: rows.length,
  read: (name) => {
    const at = TABLE.columns.findIndex((one) => one.name === name);
    return (row) => rows[row]?.[at];
  },
});

function ask(text: string, source = sourceOf(ROWS), limits?: Limits) {
  const bound = bind(parse(text), [TABLE], NOW);
  const result = run(bound, source, limits);
  return {
    ...result,
    ids: result.rows.map(({ key }) => key[0]),
    sentence: sentenceOf(bound, result, source, (ms) => new Date(ms).toISOString()),
    paths: result.rows.map((row) => pathOf(bound, row)),
  };
}

const test = suite('query answers');

const SENTENCES: readonly (readonly [text: string, sentence: string])[] = [
  ['dogs', '5 dogs: Rex (id 1), Ada (id 2), Bo (id 3) and 2 more.'],
  [
    'dogs where weight > 20',
    '1 dog: Rex (id 1); for 1 more it is unknown, because weight could not be read.',
  ],
  [
    'dogs where weight > 90',
    'No dogs are known to match; for 1 it is unknown, because weight could not be read.',
  ],
  ['dogs where weight is unknown', '1 dog: Bo (id 3).'],
  ['dogs where id > 90', 'No dogs match.'],
  [
    'dogs select name order by -weight limit 1',
    'Rex (id 1, weight 30): the first 1 of 5 dogs by weight, descending; weight is unknown for 1 of them.',
  ],
  ['dogs select name where id < 3 order by id limit 1', 'Rex (id 1): the first 1 of 2 dogs by id.'],
  ['dogs select count()', '5 dogs.'],
  ['dogs select count() where id > 90', 'No dogs match.'],
  ['dogs select max(weight)', '30 kg is the greatest weight of 5 dogs; weight is unknown for 1 of them.'],
  ['dogs select avg(weight) where id <= 2', '21.25 kg is the mean of weight of 2 dogs.'],
  [
    'dogs select sum(weight) where id = 3',
    'The sum of weight is unknown: it could not be read of 1 dog; weight is unknown for 1 of them.',
  ],
  ['dogs select sum(weight) where id = 5', 'None of 1 dog has weight.'],
  ['dogs select sum(weight) where id > 90', 'No dogs match, so there is no value for the sum of weight.'],
  ['dogs select distinct(name)', '3 different values of name of 5 dogs; name is unknown for 1 of them.'],
  ['dogs select min(weight), max(weight) where id < 3', '2 dogs: min(weight) 12.5 kg and max(weight) 30 kg.'],
  [
    'dogs group by size order by size',
    '4 groups of 5 dogs by size: small (2), big (1), unknown (1) and 1 more.',
  ],
  ['dogs group by good', '3 groups of 5 dogs by good: yes (3), no (1) and unknown (1).'],
];
for (const [text, sentence] of SENTENCES)
  test(`${text}: one sentence`, () => {
    assert.is(ask(text).sentence, sentence);
  });

test('what is unknown is neither true nor false, and what is none differs from everything', () => {
  assert.equal(ask('dogs where weight = 30').ids, [1]);
  assert.equal(ask('dogs where weight != 30').ids, [2, 4, 5]);
  assert.equal(ask('dogs where not weight = 30').ids, [2, 4, 5]);
  assert.equal(ask('dogs where weight < 0 or not weight < 0').undecided, 1);
  assert.equal(ask('dogs where good and weight > 20').undecided, 0);
  assert.equal(ask('dogs where good or weight > 20').ids, [1, 2, 5]);
  assert.equal(ask('dogs where tags contains 7').ids, [5]);
  assert.equal(ask('dogs where tags contains 7').undecided, 1);
  assert.equal(ask('dogs where tags starts 7').ids, [5]);
  assert.equal(ask('dogs where tags like "%7"').undecided, 1);
  assert.equal(ask('dogs where tags is none').ids, [2, 3]);
  assert.equal(ask('dogs where tags is none').undecided, 1);
  assert.equal(ask('dogs where size >= small').ids, [1, 2, 4]);
  assert.equal(ask('dogs where size > small').ids, [1]);
});

test('known values come first in either direction, then unknown ones, then none', () => {
  assert.equal(ask('dogs order by weight').ids, [4, 2, 1, 3, 5]);
  assert.equal(ask('dogs order by -weight').ids, [1, 2, 4, 3, 5]);
  assert.equal(ask('dogs order by -size, -id').ids, [1, 4, 2, 3, 5]);
});

test('since and until leave what has no known time undecided', () => {
  const { ids, undecided, undecidedBy } = ask('dogs since 31h until 2h');
  assert.equal(
    { ids, undecided, undecidedBy },
    { ids: [2], undecided: 1, undecidedBy: [{ column: 'born', rows: 1 }] },
  );
});

test('a history that does not reach back as far as asked is no answer that reads as no', () => {
  const source = sourceOf([], { fromMs: hour(5) });
  assert.is(
    ask('dogs since 1d', source).sentence,
    'No dogs are known; the history begins at 2026-01-31T07:00:00.000Z, so what was before is not known.',
  );
  assert.is(ask('dogs since 2h', source).sentence, 'No dogs.');
});

test('rows that may be missing are said, and an empty answer is not a no', () => {
  const source = sourceOf([], { gaps: ['the kennel is closed'], notes: ['cats are not counted'] });
  assert.is(
    ask('dogs select count()', source).sentence,
    'No dogs are known; rows may be missing: the kennel is closed; cats are not counted.',
  );
});

test('a row has its path, and a group the query for its rows', () => {
  assert.equal(ask('dogs limit 1').paths, ['dogs[id=1]']);
  assert.equal(ask('dogs where id > 1 group by size, good').paths, [
    'dogs where id > 1 and size = "small" and good = true',
    'dogs where id > 1 and size is unknown and good = false',
    'dogs where id > 1 and size = "small" and good is unknown',
    'dogs where id > 1 and size is none and good = true',
  ]);
  for (const text of [
    'dogs group by size, good',
    'dogs where good or id = 4 group by name',
    'dogs group by born',
  ])
    for (const row of ask(text.replace('group', 'select count() group')).rows.keys()) {
      const whole = ask(text.replace('group', 'select count() group'));
      const path = whole.paths[row] as string;
      assert.is(ask(`${path} limit 1000`).total, whole.rows[row]?.cells[0], path);
    }
});

const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
  return 'answered';
};

const many = (count: number, row: (at: number) => readonly Cell[]): Source => ({
  length: count,
  read: (name) => {
    const at = TABLE.columns.findIndex((one) => one.name === name);
    return (place) => row(place)[at];
  },
});

test('hostile queries end: patterns, conditions, groups, memory and answers are bounded', () => {
  const long = 'a'.repeat(4000);
  const texts = many(5000, (at) => [at, long, at]);
  const stars = `${'%a'.repeat(120)}b`;
  assert.match(
    refused(() => ask(`dogs where name like "${stars}"`, texts)),
    /exceeds the work limit/,
  );
  const conditions = Array.from({ length: 64 }, () => 'name contains "aaaaaaab"').join(' or ');
  assert.match(
    refused(() => ask(`dogs where ${conditions}`, texts)),
    /exceeds the work limit/,
  );
  assert.match(
    refused(() =>
      ask(
        'dogs group by id',
        many(20_000, (at) => [at]),
      ),
    ),
    /more than 10000 groups/,
  );
  const different = many(9000, (at) => [at, `${at} ${long}`]);
  assert.match(
    refused(() => ask('dogs group by name', different)),
    /exceeds the (work|memory) limit/,
  );
  assert.match(
    refused(() => ask('dogs select distinct(name)', different)),
    /exceeds the (work|memory) limit/,
  );
  assert.match(
    refused(() =>
      ask(
        'dogs',
        many(50_000_000, (at) => [at]),
      ),
    ),
    /exceeds the work limit/,
  );
});

test('an answer that would be too long is cut, and says so', () => {
  const { rows, cut, sentence, total } = ask(
    'dogs limit 1000',
    many(2000, (at) => [at, 'x'.repeat(4000)]),
  );
  assert.is(total, 2000);
  assert.is(rows.length + cut, 1000);
  assert.ok(rows.length < 300 && rows.length > 100, String(rows.length));
  assert.match(sentence, new RegExp(`${rows.length} are listed, because the answer would be too long`));
});

test('the work does not depend on the order of rows: the same limits refuse the same queries', () => {
  const limits = { ...LIMITS, steps: 20_000 };
  const rows = Array.from({ length: 3000 }, (_, at): readonly Cell[] => [at, `n${at % 7}`, at]);
  const outcome = (list: typeof rows) =>
    refused(() => ask('dogs where weight >= 0 group by name', sourceOf(list), limits));
  assert.is(outcome(rows), outcome(rows.toReversed()));
});

test.run();
