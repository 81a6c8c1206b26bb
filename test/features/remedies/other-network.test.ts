/** A banned listener of another network namespace is never signalled, whatever of our own looks like it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Machine } from '../../../src/features/remedies/machine.ts';
import { planFor, shutDown } from '../../../src/features/remedies/shutdown.ts';
import type { Suppression } from '../../../src/policy/law.ts';
import { SMALL_MACHINE } from '../../support/snapshot.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';
import type { ProcessRow } from '../../support/table.ts';

const at = { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 8766, inode: 77 } as const;
const ours = findingFrom({ id: 'ours', check: 'banned-listener', severity: 'critical', subject: at });
const theirs = (holders: string, pid = 1000) =>
  findingFrom({
    ...{ id: 'theirs', check: 'banned-listener', severity: 'critical', evidenceClass: 'other-namespace' },
    subject: { ...at, namespace: 4026532511 },
    evidence: { holders, pid, executable: '/tmp/evil' },
  });

/** Our own listener has the port, the inode and the holder of the other one; who is asked of the kernel is a mistake. */
function parts(
  finding: ReturnType<typeof theirs>,
  processes: readonly ProcessRow[] = [],
  suppressions: Suppression[] = [],
) {
  const forbidden = (): never => {
    throw new Error('the kernel was asked about sockets or processes of our own');
  };
  const machine = {
    native: new Proxy({}, { get: () => forbidden }) as Machine['native'],
    holders: forbidden,
    self: 900,
    sockets: forbidden,
    pause: async () => undefined,
    clockMs: () => 0,
  } as unknown as Machine;
  return {
    machine,
    law: () => ({ bannedPorts: new Set([8766]), suppressions }),
    sweep: async () =>
      stateFrom({
        findings: [ours, finding],
        snapshot: {
          processes: [...SMALL_MACHINE, { pid: 1000, exe: '/tmp/evil' }, ...processes],
          listeners: [{ ...at, holders: [{ pid: 1000, start: '1000', fd: 3 }] }],
        },
      }),
  };
}

test('it is refused, and says where it is and what a person can do', async () => {
  const held = theirs('1000');
  const { result, text, advice } = await shutDown(held, parts(held));
  assert.is(result, 'refused');
  assert.match(text, /^tcp 0\.0\.0\.0:8766 is in another network namespace \(4026532511\)/);
  assert.match(advice, /ps .* -p 1000/);
  const unheld = theirs('');
  assert.match(
    (await shutDown(unheld, parts(unheld))).advice,
    /^find its holder .*nsenter --target 1000 --net ss /,
  );
});

test('of a container the advice names it', async () => {
  const inside = { pid: 1001, exe: '/usr/sbin/nginx', cgroup: `/docker/${'a1'.repeat(32)}` };
  for (const finding of [theirs('1001'), theirs('', 1001)])
    assert.match((await shutDown(finding, parts(finding, [inside]))).advice, /docker stop a1a1a1a1a1a1 /);
});

test('an exception that names it is the reason, and a closed one is gone', async () => {
  const finding = theirs('1000');
  const excuse: Suppression = {
    ...{ checks: ['banned-listener'], evidenceClass: ['other-namespace'], why: 'the build container' },
    ...{ expiresMs: null, source: 'law', name: '' },
  };
  const planned = await planFor(finding, parts(finding, [], [excuse]));
  assert.is(planned?.plan.kind === 'refuse' && planned.plan.reason, 'allowed');
  assert.is(
    await planFor(finding, { ...parts(finding), sweep: async () => stateFrom({ findings: [ours] }) }),
    null,
  );
});

test.run();
