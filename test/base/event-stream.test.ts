/** Parser for event streams: any chunking, and hostile streams. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventStream, type StreamEvent } from '../../src/base/event-stream.ts';
import { forAll } from '../support/for-all.ts';

/** Events of a text that arrives in chunks, split anywhere. */
function events(text: string, cuts: readonly number[] = []): StreamEvent[] {
  const found: StreamEvent[] = [];
  const take = eventStream((event) => found.push(event));
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  for (const [index, from] of [0, ...at].entries()) assert.ok(take(text.slice(from, at[index])));
  return found;
}

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
    'DATA: d',
    '',
  ),
  { maxLength: 30 },
);

test('events have a name and data; an event without its closing blank line is dropped', () => {
  assert.equal(events('event: one\ndata: a\ndata:  b\n\n: note\ndata: {"c":1}\n\ndata: d\n'), [
    { event: 'one', data: 'a\n b' },
    { event: 'message', data: '{"c":1}' },
  ]);
});

test('line endings and chunking do not change the events', () => {
  forAll(lines, fc.constantFrom('\r\n', '\r'), fc.array(fc.nat(), { maxLength: 8 }), (all, end, cuts) => {
    const text = (by: string) => `${all.map((line) => line + by).join('')}data: last${by}${by}: end${by}`;
    assert.equal(events(text(end), cuts), events(text('\n')));
  });
});

test('an endless event closes the stream, in one line or in many', () => {
  for (const piece of ['x'.repeat(1024), 'data: x\n'.repeat(1024)]) {
    const take = eventStream(() => assert.unreachable());
    let taken = 0;
    while (taken < 1000 && take(piece)) taken += 1;
    assert.ok(taken < 1000);
    assert.not(take('data: more\n\n'));
  }
});

test('a megabyte of line endings is read within a second', () => {
  for (const end of ['\r', '\n', '\r\n']) {
    const startedMs = performance.now();
    assert.equal(events(end.repeat(1 << 20)), []);
    assert.ok(performance.now() - startedMs < 1000, JSON.stringify(end));
  }
});

test.run();
