/** Event streams and chats: what is read of them in any pieces, and what of broken ones. */
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStream, type StreamEvent } from '../../../src/event-stream.ts';
import { ChatReader } from '../../../src/features/assistant/chat.ts';

const test = suite('assistant stream');

/** A text in pieces, cut anywhere. */
const pieces = (text: string, cuts: readonly number[]): string[] => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
};
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

test('any stream in any pieces gives what another parser gives', () => {
  fc.assert(
    fc.property(
      lines,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.boolean(),
      (all, end, cuts, mark) => {
        const text = `${mark ? '\ufeff' : ''}${all.map((line) => line + end).join('')}${end}`;
        const expected: StreamEvent[] = [];
        const parser = createParser({
          onEvent: ({ event = 'message', data }) => expected.push({ event, data }),
        });
        // A CR at the very end waits for what follows it. The mark is taken off by the decoder in front of that parser.
        parser.feed(`${text}\n`.replace('\ufeff', ''));
        const found: StreamEvent[] = [];
        const stream = new EventStream((event) => found.push(event));
        for (const piece of pieces(`${text}\n`, cuts)) assert.ok(stream.take(piece));
        assert.equal(found, expected);
      },
    ),
  );
});

test('a line without an end breaks the stream', () => {
  const stream = new EventStream(() => assert.unreachable());
  let taken = true;
  for (let piece = 0; piece < 100 && taken; piece++) taken = stream.take('x'.repeat(1024));
  assert.not(taken);
});

const delta = (content: unknown): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const TYPE = 'text/event-stream; charset=utf-8';

test('the words of a stream are joined, and nothing after its end is read', () => {
  const reader = new ChatReader();
  assert.is(reader.take(`: hello\n\n${delta('')}`, TYPE), 'waiting');
  assert.is(reader.take(delta('It is '), TYPE), 'going');
  assert.is(reader.take(`${delta('well.')}data: [DONE]\n\n${delta(' Not.')}`, TYPE), 'enough');
  reader.end();
  assert.equal([reader.words, reader.trouble], ['It is well.', '']);
});

test('one document is read when it is whole', () => {
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

test('whatever comes, nothing is thrown and words are text', () => {
  fc.assert(
    fc.property(
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
    ),
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (content, choice) => {
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
    }),
  );
});

test('more words than are kept end it', () => {
  const reader = new ChatReader();
  let state = 'going';
  for (let piece = 0; piece < 1000 && state !== 'enough'; piece++)
    state = reader.take(delta('word '.repeat(100)), TYPE);
  assert.is(state, 'enough');
  assert.ok(reader.cut);
  assert.is(reader.words.length, 1 << 16);
});

test.run();
