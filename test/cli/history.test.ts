/** The history of findings, by subject. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { bySubject } from '../../src/cli/commands/history.ts';

const listener = (inode: number, port = 80) =>
  JSON.stringify({ kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port, inode });

const past = (finding: string, subject: string, parts: object = {}) => ({
  ...{ finding, check: 'public-listener', severity: 'high' as const, subject, summary: finding },
  ...{ state: 'closed' as const, first: '2026-01-02T10:00', last: '2026-01-02T10:01', opened: 1, closed: 1 },
  ...parts,
});

test('sockets of one endpoint are one subject with one history', () => {
  const stored = [
    past('newest', listener(3), { first: '2026-01-02T12:00', state: 'open', closed: 0 }),
    past('elsewhere', listener(9, 81)),
    past('older', listener(2)),
    past('oldest', listener(1), { opened: 2, closed: 2 }),
  ];
  assert.equal(
    bySubject(stored).map(({ finding, state, first, opened, closed }) => [
      finding,
      state,
      first,
      opened,
      closed,
    ]),
    [
      ['newest', 'open', '2026-01-02T10:00', 4, 3],
      ['elsewhere', 'closed', '2026-01-02T10:00', 1, 1],
    ],
  );
});

test.run();
