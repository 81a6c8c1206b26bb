import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventsOf, type LiveEvent } from '../../bench/live.ts';

const STREAM =
  'retry: 2000\n\nid: 0-1\nevent: finding\ndata: {"event":"open"}\n\n: here\n\nid: 0-2\nevent: scar\ndata: {"scar_count":1}\n\n';
const EVENTS = [
  { event: 'finding', data: { event: 'open' } },
  { event: 'scar', data: { scar_count: 1 } },
];

test('events of a stream are read with any chunking', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
      const found: LiveEvent[] = [];
      let pending = '';
      for (const [index, from] of at.entries()) {
        const { events, rest } = eventsOf(pending + STREAM.slice(from, at[index + 1]));
        if (index + 1 === at.length) break;
        found.push(...events);
        pending = rest;
      }
      assert.equal(found, EVENTS);
      assert.is(pending, '');
    }),
    { seed: 4 },
  );
});

test.run();
