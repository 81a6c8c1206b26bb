/** Reading chat streams, valid and broken. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ChatReader } from '../../../src/features/assistant/chat.ts';
import { forAll } from '../../support/for-all.ts';

const test = suite('assistant stream');

const lines = fc.array(
  fc.constantFrom(
    'data: a',
    'data:b',
    'data',
    'data:  c',
    ': note',
    'event: x',
    'event',
    'id: 7',
    'other: 1',
    'DATA: d',
    'data: :',
    '',
  ),
  { maxLength: 30 },
);

const delta = (content: unknown): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const TYPE = 'text/event-stream; charset=utf-8';

test('the parts of a stream are joined, and nothing after its end is read', () => {
  const reader = new ChatReader();
  assert.is(reader.take(`: hello\n\n${delta('')}`, TYPE), 'waiting');
  assert.is(reader.take(delta('It is '), TYPE), 'going');
  assert.is(reader.take(`${delta('well.')}data: [DONE]\n\n${delta(' Not.')}`, TYPE), 'enough');
  reader.end();
  assert.equal([reader.words, reader.trouble], ['It is well.', '']);
});

test('a single document is read when it is complete', () => {
  const reader = new ChatReader();
  const text = JSON.stringify({
    model: 'm',
    choices: [{ message: { role: 'assistant', content: 'Well.' } }],
  });
  for (const piece of [text.slice(0, 20), text.slice(20)])
    assert.is(reader.take(piece, 'application/json'), 'waiting');
  reader.end();
  assert.equal([reader.words, reader.model, reader.trouble], ['Well.', 'm', '']);
});

test('no input makes the reader throw, and its result is always text', () => {
  forAll(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      lines.map((all) => all.join('\n')),
    ),
    fc.boolean(),
    (text, streams) => {
      const reader = new ChatReader();
      reader.take(streams ? `data: ${text}\n\n` : text, streams ? TYPE : 'application/json');
      reader.end();
      assert.type(reader.words, 'string');
      assert.ok(reader.words.trim() !== '' || reader.trouble !== '');
    },
  );
  forAll(fc.jsonValue(), fc.jsonValue(), (content, choice) => {
    for (const value of [
      { choices: [{ delta: { content } }] },
      { choices: [choice] },
      { choices: choice },
      content,
    ]) {
      const reader = new ChatReader();
      reader.take(`data: ${JSON.stringify(value)}\n\n`, TYPE);
      assert.type(reader.words, 'string');
    }
  });
});

test('a stream longer than the limit is ended', () => {
  const reader = new ChatReader();
  let state = 'going';
  for (let piece = 0; piece < 1000 && state !== 'enough'; piece++)
    state = reader.take(delta('word '.repeat(100)), TYPE);
  assert.is(state, 'enough');
  assert.ok(reader.cut);
  assert.is(reader.words.length, 1 << 16);
});

test.run();
