/** `desk query`: what it asks, and where it marks an error. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { marked } from '../../src/cli/commands/query.ts';
import { PROBLEMS } from '../../src/http/errors.ts';
import { cli, FakeService } from '../support/cli.ts';

const test = suite('desk query');
const service = new FakeService();
test.before(() => service.start());
test.after(() => service.stop());

const problem = (detail: string, more: object = {}) => ({
  status: 422,
  body: { type: 'urn:x', title: PROBLEMS.invalid[1], status: 422, detail, instance: 'urn:y', ...more },
});

test('words are one query, and the options are queries too', async () => {
  service.asked.length = 0;
  for (const words of [['ports', 'where', 'port = 80'], ['--tables'], ['--columns', 'ports']])
    await cli(['query', ...words], service.env);
  assert.equal(
    service.asked.map(({ body }) => JSON.parse(body).query),
    [
      'ports where port = 80',
      'tables select name, meaning, history, needs',
      'columns select name, type, unit, meaning, values where table = "ports" limit 1000',
    ],
  );
});

test('a command line that asks nothing, or two things, is refused', async () => {
  for (const words of [
    [],
    ['ports', '--tables'],
    ['--tables', '--columns', 'ports'],
    ['--columns', 'nothing'],
  ]) {
    const { code, err } = await cli(['query', ...words], service.env);
    assert.is(code, 2, words.join(' '));
    assert.match(err, /^desk: /);
  }
});

test('the place of an error is marked below the query, for the answer of a service', async () => {
  const text = 'processes where thraeds > 1';
  service.answer = () =>
    problem('At character 17: "processes" has no column of this name. Did you mean "threads"?', {
      position: 17,
      suggestions: ['threads'],
    });
  const { code, err } = await cli(['query', text], service.env);
  assert.is(code, 2);
  assert.is(
    err,
    [
      'desk: At character 17: "processes" has no column of this name.',
      `  ${text}`,
      `  ${' '.repeat(16)}^`,
      '  Did you mean "threads"?',
      '',
    ].join('\n'),
  );
});

test('other refusals are printed as they are', async () => {
  service.answer = () => problem('This query exceeds the work limit.');
  const { code, err } = await cli(['query', 'processes'], service.env);
  assert.is(code, 2);
  assert.match(err, /exceeds the work limit/);
  assert.not.match(err, /\^/);
});

test('the mark is below its character, whatever is before it', () => {
  const column = (text: string, at: number): number => marked(text, at).split('\n')[1]?.indexOf('^') ?? -1;
  assert.is(marked('ports wher', 6), 'ports wher\n      ^');
  assert.is(marked('a\nb', 2), 'a b\n  ^');
  assert.is(column('"日本" x', 5), 7);
  assert.is(column('\u001b[2J x', 5), 8);
  const long = `${'a'.repeat(500)} wrong ${'b'.repeat(500)}`;
  const [shown = '', mark = ''] = marked(long, 501).split('\n');
  assert.ok(shown.length < 130);
  assert.is(shown[mark.indexOf('^')], 'w');
});

test.run();
