/** What could not be checked never has its good value, and the issues report it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blindClasses } from '../../src/records/coverage.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { page } from '../../src/records/page.ts';
import { chargeIssues, reasonsOf } from '../../src/records/problems.ts';
import { expect } from '../support/expect.ts';
import { type StateParts, stateFrom } from '../support/state.ts';

const probe = (
  id: string,
  what = 'the kernel refuses the dump (EPERM)',
  cure = 'allow AF_NETLINK sockets',
) => ({ id, works: false, reason: `${what}: ${cure}`, cure });
const EPERM = { source: 'preload', code: 'EPERM', errno: 1 } as const;

const CLASSES: readonly (readonly [string, StateParts, string])[] = [
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

test('a desk that read everything has no blind class', () => {
  assert.equal(blindClasses(stateFrom()), []);
  assert.equal(chargeIssues(stateFrom()), []);
});

for (const [id, parts, says] of CLASSES) {
  test(`blind class ${id}: listed with its reason (${says})`, () => {
    const found = blindClasses(stateFrom(parts)).find((one) => one.id === id);
    assert.ok(found, `no class ${id}`);
    assert.ok(found.reason.includes(says), found.reason);
  });
}

test('an issue says what could not be checked, why, and the remedy', () => {
  assert.equal(chargeIssues(stateFrom({ snapshot: { probes: [probe('sock_diag tcp4')] } })), [
    'The listening sockets (tcp4) could not be read, so which ports are up is unknown: the kernel refuses the dump (EPERM); allow AF_NETLINK sockets.',
  ]);
});

const kindsOf = (parts: StateParts) => reasonsOf(stateFrom(parts)).map(({ kind }) => kind);

test('a required port that could not be checked is blind; one that is down is an issue', () => {
  assert.equal(kindsOf({ snapshot: { listeners: [] } }), ['port']);
  const unseen = stateFrom({ snapshot: { listeners: [], probes: [probe('sock_diag tcp6')] } });
  expect(reasonsOf(unseen).map(({ kind }) => kind)).equals(['blind']);
  const { issues } = deskStatus.assemble(unseen);
  const { ports, verdict } = page.assemble(unseen);
  assert.equal([verdict.tone, verdict.grade, verdict.ok], ['bad', 'silver', false]);
  const office = ports.find(({ name }) => name === 'office');
  assert.equal([office?.known, office?.issue], [false, issues[0]]);
});

test('a port has the same issue in every record, and an optional port that is down has none', () => {
  const down = stateFrom({ snapshot: { listeners: [] } });
  const { issues } = deskStatus.assemble(down);
  expect(
    page
      .assemble(down)
      .ports.map(({ issue }) => issue)
      .filter((issue) => issue !== ''),
  ).equals(issues);
});

const hiding = (hidden: number, euid: number): StateParts => ({
  snapshot: {
    engine: { euid },
    counts: { userSpace: 40, blindProcesses: hidden, descriptorsBlind: 39, wrapBlind: 40 },
  },
});

test('hidden processes are one reason, and their consequences are not listed again', () => {
  assert.equal(kindsOf(hiding(39, 1000)), ['blind']);
  assert.equal(kindsOf(hiding(2, 1000)), ['blind', 'blind']);
});

test('root is not advised to run as root', () => {
  for (const hidden of [2, 39])
    for (const { text } of reasonsOf(stateFrom(hiding(hidden, 0)))) assert.not.match(text, /as root/);
});

test.run();
