/** A listener whose holder is not known: no finding while it comes and goes, a finding when it stays. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fail, failOf } from '../../src/checks/check.ts';
import { unknownLocalListener } from '../../src/checks/unknown-local-listener.ts';
import { memberKey } from '../../src/findings/finding-id.ts';
import { AttributionFilter } from '../../src/findings/flap-filter.ts';

const failAt = (port: number, unattributed = true): Fail =>
  failOf(
    unknownLocalListener,
    {
      subject: { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port, inode: 1 },
      summary: '',
      evidence: {},
      unattributed,
    },
    { confirmed: false },
  );
const key = (port: number): string => memberKey('unknown-local-listener', failAt(port).subject);
const left = (doubts: AttributionFilter, nowMs: number, ...fails: Fail[]): string[] => [
  ...doubts.among(fails, nowMs),
];

test('what stays in doubt for two seconds is left in doubt no longer', () => {
  const doubts = new AttributionFilter();
  assert.equal(left(doubts, 1000, failAt(1), failAt(2, false)), [key(1)]);
  assert.equal(left(doubts, 2999, failAt(1), failAt(3)), [key(1), key(3)]);
  assert.equal(left(doubts, 3000, failAt(1), failAt(3)), [key(3)]);
  assert.equal(left(doubts, 3100, failAt(1)), []);
});

test('what was known in between starts again', () => {
  const doubts = new AttributionFilter();
  left(doubts, 1000, failAt(1));
  assert.equal(left(doubts, 2000, failAt(1, false)), []);
  assert.equal(left(doubts, 5000, failAt(1)), [key(1)]);
  assert.equal(left(doubts, 7000, failAt(1)), []);
});

test('a clock that is set back keeps nothing in doubt for longer', () => {
  const doubts = new AttributionFilter();
  left(doubts, 1_000_000, failAt(1));
  assert.equal(left(doubts, 1000, failAt(1)), [key(1)]);
  assert.equal(left(doubts, 3000, failAt(1)), []);
});

test.run();
