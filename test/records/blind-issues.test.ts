/** What could not be looked at is never its good value, and the issues say so. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blindClasses } from '../../src/records/blind-issues.ts';
import { chargeIssues } from '../../src/records/problems.ts';
import { type MomentParts, momentFrom } from '../support/moment.ts';

const probe = (
  id: string,
  what = 'the kernel refuses the dump (EPERM)',
  cure = 'allow AF_NETLINK sockets',
) => ({
  id,
  works: false,
  reason: `${what}: ${cure}`,
  cure,
});
const EPERM = { source: 'preload', code: 'EPERM', errno: 1 } as const;

const CLASSES: readonly (readonly [string, MomentParts, string])[] = [
  [
    'processes',
    { snapshot: { probes: [probe('proc', '/proc hides processes of other users')] } },
    '/proc hides',
  ],
  ['processes', { snapshot: { processes: [] } }, 'no process'],
  ['sockets', { snapshot: { probes: [probe('sock_diag tcp4'), probe('sock_diag udp6')] } }, 'tcp4, udp6'],
  ['connections', { snapshot: { probes: [probe('sock_diag https6')] } }, 'https6'],
  ['holders', { snapshot: { counts: { userSpace: 40, descriptorsBlind: 39 } } }, 'open files'],
  ['confinement', { snapshot: { counts: { userSpace: 40, wrapBlind: 40 } } }, 'confined'],
  ['files', { snapshot: { host: { preload: EPERM } } }, 'preload'],
  [
    'memory',
    { duties: { antivirus: { configured: true, healthy: false, reason: 'no helper' } } },
    'no helper',
  ],
];

test('a desk that saw everything is blind of nothing', () => {
  assert.equal(blindClasses(momentFrom()), []);
  assert.equal(chargeIssues(momentFrom()), []);
});

for (const [id, parts, says] of CLASSES) {
  test(`blind of ${id}: the class and its reason (${says})`, () => {
    const found = blindClasses(momentFrom(parts)).find((one) => one.id === id);
    assert.ok(found, `no class ${id}`);
    assert.ok(found.reason.includes(says), found.reason);
  });
}

test('an issue says what could not be looked at, why, and what would cure it', () => {
  assert.equal(chargeIssues(momentFrom({ snapshot: { probes: [probe('sock_diag tcp4')] } })), [
    'The listening sockets (tcp4) could not be looked at, so which ports are up is unknown: the kernel refuses the dump (EPERM); allow AF_NETLINK sockets.',
  ]);
});

test.run();
