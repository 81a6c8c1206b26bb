/** A banned listener in another network namespace is never signalled, even if a local one looks the same. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Machine } from '../../../src/features/remedies/machine.ts';
import { planFor, shutDown } from '../../../src/features/remedies/shutdown.ts';
import type { Suppression } from '../../../src/policy/law.ts';
import { SMALL_MACHINE } from '../../support/snapshot.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';
import type { ProcessRow } from '../../support/table.ts';

const at = { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 8766, inode: 77 } as const;
const local = findingFrom({ id: 'local', check: 'banned-listener', severity: 'critical', subject: at });
const foreign = (holders: string, pid = 1000) =>
  findingFrom({
    ...{ id: 'foreign', check: 'banned-listener', severity: 'critical', evidenceClass: 'other-namespace' },
    subject: { ...at, namespace: 4026532511 },
    evidence: { holders, pid, executable: '/tmp/evil' },
  });

/** The local listener has the same port, inode and holder as the other one; any request to the kernel is an error. */
function parts(
  finding: ReturnType<typeof foreign>,
  processes: readonly ProcessRow[] = [],
  suppressions: Suppression[] = [],
) {
  const forbidden = (): never => {
    throw new Error('the kernel was asked about local sockets or processes');
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
        findings: [local, finding],
        snapshot: {
          processes: [...SMALL_MACHINE, { pid: 1000, exe: '/tmp/evil' }, ...processes],
          listeners: [{ ...at, holders: [{ pid: 1000, start: '1000', fd: 3 }] }],
        },
      }),
  };
}

test('the refusal reports the namespace and what to do', async () => {
  const held = foreign('1000');
  const { result, text, advice } = await shutDown(held, parts(held));
  assert.is(result, 'refused');
  assert.match(text, /^tcp 0\.0\.0\.0:8766 is in another network namespace \(4026532511\)/);
  assert.match(advice, /ps .* -p 1000/);
  const withoutHolder = foreign('');
  assert.match(
    (await shutDown(withoutHolder, parts(withoutHolder))).advice,
    /^find its holder .*nsenter --target 1000 --net ss /,
  );
});

test('the advice names the container', async () => {
  const inside = { pid: 1001, exe: '/usr/sbin/nginx', cgroup: `/docker/${'a1'.repeat(32)}` };
  for (const finding of [foreign('1001'), foreign('', 1001)])
    assert.match((await shutDown(finding, parts(finding, [inside]))).advice, /docker stop a1a1a1a1a1a1 /);
});

test('an exception for the listener is the reason of the refusal, and a closed listener has no plan', async () => {
  const finding = foreign('1000');
  const suppression: Suppression = {
    ...{ checks: ['banned-listener'], evidenceClass: ['other-namespace'], why: 'the build container' },
    ...{ expiresMs: null, source: 'law', name: '' },
  };
  const planned = await planFor(finding, parts(finding, [], [suppression]));
  assert.is(planned?.plan.kind === 'refuse' && planned.plan.reason, 'allowed');
  assert.is(
    await planFor(finding, { ...parts(finding), sweep: async () => stateFrom({ findings: [local] }) }),
    null,
  );
});

test.run();
