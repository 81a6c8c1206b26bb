/** Changes queued while the store fails: the oldest findings stay, dropped ones are counted or reconciled. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FindingChanges } from '../../../src/features/history/index.ts';
import {
  AT_ONCE,
  MOST_LINES,
  MOST_WAITING,
  WaitingChanges,
} from '../../../src/features/history/waiting-changes.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { findingFrom } from '../../support/state.ts';

const test = suite('waiting changes');
const AT = '2026-01-02T03:04:05.000+00:00';

const many = (count: number, parts: Partial<Finding> = {}, first = 0): readonly Finding[] =>
  Array.from({ length: count }, (_, at) =>
    findingFrom({ id: (first + at).toString(16).padStart(16, '0'), severity: 'low', ...parts }),
  );

/** All queued changes, taken in the same way as the store takes them. */
function taken(waiting: WaitingChanges): readonly FindingChanges[] {
  const all: FindingChanges[] = [];
  for (let { next } = waiting; next.length > 0; { next } = waiting) {
    const size = next.reduce((sum, { opened, closed }) => sum + opened.length + closed.length, 0);
    assert.ok(size <= AT_ONCE);
    all.push(...next);
    waiting.shift(next.length);
  }
  assert.is(waiting.size, 0);
  return all;
}

const countOf = (waiting: WaitingChanges): number =>
  waiting.unwritten.reduce((sum, { count }) => sum + count, 0);

test('without a bound nothing is dropped, however large one scan is, and the order is kept', () => {
  const waiting = new WaitingChanges();
  const findings = many(3 * MOST_WAITING);
  waiting.add({ opened: findings, closed: [], at: AT }, 1);
  waiting.add({ opened: [], closed: findings, at: AT }, 2);
  for (let line = 0; line <= MOST_LINES; line += 1)
    waiting.addLine({ finding: 'a', at: AT, event: String(line) });
  assert.is(waiting.lines.length, MOST_LINES + 1);
  const all = taken(waiting);
  assert.equal(
    all.flatMap(({ opened }) => opened.map(({ id }) => id)),
    findings.map(({ id }) => id),
  );
  assert.equal(
    all.flatMap(({ closed }) => closed.map(({ id }) => id)),
    findings.map(({ id }) => id),
  );
  assert.is(countOf(waiting) + waiting.unwrittenLines, 0);
  assert.not(waiting.torn);
});

test('beyond the bound the newest findings are dropped, opening and closing together, and counted once', () => {
  const waiting = new WaitingChanges();
  // It is already stored as open: its closing must be written.
  const stored = findingFrom({ id: 'f'.repeat(16), severity: 'low' });
  const findings = many(MOST_WAITING);
  for (const [at, finding] of findings.entries()) {
    waiting.add({ opened: [finding], closed: at === 0 ? [stored] : [], at: AT }, at);
    waiting.add({ opened: [], closed: [finding], at: AT }, at);
    waiting.bound();
  }
  const size = waiting.size;
  const all = taken(waiting);
  const opened = all.flatMap((change) => change.opened.map(({ id }) => id));
  const closed = all.flatMap((change) => change.closed.map(({ id }) => id));
  assert.ok(size <= MOST_WAITING);
  assert.is(opened[0], findings[0]?.id);
  assert.ok(closed.includes(stored.id));
  assert.ok(opened.every((id) => closed.includes(id)));
  assert.is(countOf(waiting), MOST_WAITING - opened.length);
});

test('closings beyond the bound are written by the reconciliation after all other changes', () => {
  const waiting = new WaitingChanges();
  const stored = many(MOST_WAITING + 30, { severity: 'critical' });
  waiting.add({ opened: [], closed: stored, at: AT }, 1);
  waiting.bound();
  const closed = new Set(taken(waiting).flatMap((change) => change.closed.map(({ id }) => id)));
  assert.is(closed.size, MOST_WAITING);
  // They are in the store: nothing is lost.
  assert.is(countOf(waiting), 0);
  assert.ok(waiting.torn);
  waiting.reconciled(
    stored.filter(({ id }) => !closed.has(id)),
    [],
    AT,
  );
  assert.not(waiting.torn);
  assert.is(taken(waiting).flatMap((change) => change.closed).length, 30);
});

test('a finding opened beyond the bound is counted when it closes, and stored if it is open after the failure', () => {
  const waiting = new WaitingChanges();
  const findings = many(MOST_WAITING + 40, { severity: 'high' });
  waiting.add({ opened: findings, closed: [], at: AT }, 1);
  waiting.bound();
  assert.is(countOf(waiting), 0);
  const [gone, remaining] = [findings.slice(-40, -10), findings.slice(-10)];
  waiting.add({ opened: [], closed: gone, at: AT }, 2);
  assert.equal(waiting.unwritten, [{ check: findings[0]?.check, severity: 'high', count: 30 }]);
  const stored = taken(waiting).flatMap((change) => change.opened);
  assert.ok(waiting.torn);
  waiting.reconciled(stored, [...stored, ...remaining], AT);
  assert.equal(
    taken(waiting).flatMap((change) => change.opened.map(({ id }) => id)),
    remaining.map(({ id }) => id),
  );
  assert.is(countOf(waiting), 30);
});

test.run();
