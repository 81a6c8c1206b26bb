/** What waits for a store that takes nothing: the oldest findings stay, and no stored finding is left open. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MOST_WAITING, WaitingChanges } from '../../src/learn/waiting-changes.ts';
import { findingFrom } from '../support/moment.ts';

const test = suite('waiting changes');
const AT = '2026-01-02T03:04:05.000+00:00';

test('beyond the bound the newest go, opening and closing together, counted once', () => {
  const waiting = new WaitingChanges();
  // It is stored as open already: its closing must be written.
  const stored = findingFrom({ id: 'f'.repeat(16), severity: 'low' });
  const findings = Array.from({ length: MOST_WAITING }, (_, at) =>
    findingFrom({ id: at.toString(16).padStart(16, '0'), severity: 'low' }),
  );
  for (const [at, finding] of findings.entries()) {
    waiting.add({ opened: [finding], closed: at === 0 ? [stored] : [], at: AT }, at);
    waiting.add({ opened: [], closed: [finding], at: AT }, at);
  }
  const opened = waiting.changes.flatMap((change) => change.opened.map(({ id }) => id));
  const closed = waiting.changes.flatMap((change) => change.closed.map(({ id }) => id));
  assert.ok(opened.length + closed.length <= MOST_WAITING);
  assert.is(opened[0], findings[0]?.id);
  assert.ok(closed.includes(stored.id));
  assert.ok(opened.every((id) => closed.includes(id)));
  assert.ok(waiting.dropped[0]);
});

test.run();
