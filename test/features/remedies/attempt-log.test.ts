/** Thousands of listeners of one user write a bounded number of log lines, and another user's one is still logged. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AttemptLog, MOST_LINES, WINDOW_MS } from '../../../src/features/remedies/attempt-log.ts';

function scene() {
  const state = { clock: 0, lines: [] as string[] };
  const log = new AttemptLog(
    ({ uid }, message) => state.lines.push(`${uid}: ${message}`),
    () => state.clock,
  );
  return { log, state };
}

test('of 2,000 lines about one user some are written and the others are counted', () => {
  const { log, state } = scene();
  for (let at = 0; at < 2_000; at++) log.line(1000, 'attempt', { at }, 'refused');
  log.line(1001, 'attempt', {}, 'closed');
  log.line(1000, 'signal', {}, 'SIGTERM');
  assert.is(state.lines.length, MOST_LINES + 2);
  assert.equal(state.lines.slice(-2), ['1001: closed', '1000: SIGTERM']);
  log.flush();
  assert.is(state.lines.length, MOST_LINES + 2, 'the minute is not over');
  state.clock += WINDOW_MS;
  log.flush();
  assert.is(
    state.lines.at(-1),
    `1000: ${2_000 - MOST_LINES} more lines about banned listeners within a minute`,
  );
  log.line(1000, 'attempt', {}, 'refused again');
  assert.is(state.lines.at(-1), '1000: refused again');
});

test('at the end all omitted lines are counted, and thousands of users share one limit', () => {
  const { log, state } = scene();
  for (let uid = 0; uid < 5_000; uid++) log.line(uid, 'signal', {}, 'SIGTERM');
  const before = state.lines.length;
  assert.ok(before < 400, `${before} lines`);
  log.flush(true);
  assert.is(state.lines.length, before + 1);
  assert.match(state.lines.at(-1) ?? '', /^others: \d+ more signals/);
});

test.run();
