/** A listener with an unknown holder: no finding while it flaps, a finding when it persists. */
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
const left = (filter: AttributionFilter, nowMs: number, ...fails: Fail[]): string[] => [
  ...filter.among(fails, nowMs),
];

test('a fail is held back for two seconds at most', () => {
  const filter = new AttributionFilter();
  assert.equal(left(filter, 1000, failAt(1), failAt(2, false)), [key(1)]);
  assert.equal(left(filter, 2999, failAt(1), failAt(3)), [key(1), key(3)]);
  assert.equal(left(filter, 3000, failAt(1), failAt(3)), [key(3)]);
  assert.equal(left(filter, 3100, failAt(1)), []);
});

test('a holder that was known in between restarts the period', () => {
  const filter = new AttributionFilter();
  left(filter, 1000, failAt(1));
  assert.equal(left(filter, 2000, failAt(1, false)), []);
  assert.equal(left(filter, 5000, failAt(1)), [key(1)]);
  assert.equal(left(filter, 7000, failAt(1)), []);
});

test('setting the clock back does not extend the period', () => {
  const filter = new AttributionFilter();
  left(filter, 1_000_000, failAt(1));
  assert.equal(left(filter, 1000, failAt(1)), [key(1)]);
  assert.equal(left(filter, 3000, failAt(1)), []);
});

test.run();
