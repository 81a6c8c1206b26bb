/** off-list-egress: an address that is not on the allowlist is resolved again before it is reported. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedVerdicts } from '../../../src/checks/cached-verdicts.ts';
import { CHECKS } from '../../../src/checks/index.ts';
import { EgressWatch } from '../../../src/features/inspection/egress-watch.ts';
import { snapshotFrom } from '../../support/snapshot.ts';

const holders = [{ pid: 900, start: '900', fd: 5 }];
const to = (...addresses: string[]) =>
  snapshotFrom({
    connections: addresses.map((address) => ({
      address,
      holders,
      family: address.includes(':') ? (6 as const) : (4 as const),
    })),
  });

function watching(allowed: Set<string>, onResolve: () => void = () => undefined) {
  const cached = new CachedVerdicts();
  let [resolved, changes] = [0, 0];
  const watch = new EgressWatch({
    checks: CHECKS,
    cached,
    allow: {
      has: (address) => allowed.has(address),
      resolve: async () => {
        resolved++;
        onResolve();
      },
    },
    changed: () => {
      changes++;
    },
  });
  const fails = () => cached.verdicts().fails;
  return { watch, cached, fails, resolved: () => resolved, changes: () => changes };
}

test('an address that is still not allowed after a second resolution is one high finding of the process', async () => {
  const one = watching(new Set(['192.0.2.1']));
  one.watch.watch(to('192.0.2.1', '192.0.2.2', '2001:db8::2'));
  assert.equal([one.fails().length, one.resolved()], [0, 1]);
  assert.ok(await one.watch.settled());
  one.watch.watch(to('192.0.2.1', '192.0.2.2', '2001:db8::2'));
  const [fail] = one.fails();
  assert.is(one.fails().length, 1);
  assert.equal([fail?.check.id, fail?.severity, fail?.confirmed], ['off-list-egress', 'high', true]);
  assert.equal(fail?.evidence, { places: '192.0.2.2:443, [2001:db8::2]:443', connections: 2 });
  assert.is(fail?.subject.kind === 'process' && fail.subject.pid, 900);
  // A new address is not reported at once and does not affect the confirmed ones.
  one.watch.watch(to('192.0.2.2', '192.0.2.3'));
  assert.equal(one.fails()[0]?.evidence, { places: '192.0.2.2:443', connections: 1 });
  await one.watch.settled();
  one.watch.watch(to('192.0.2.2', '192.0.2.3'));
  assert.is(one.fails()[0]?.evidence.connections, 2);
  assert.ok(one.changes() >= 2);
  one.watch.watch(to());
  assert.equal(one.fails(), []);
});

test('an address that an allowed name now resolves to is not a finding', async () => {
  const allowed = new Set<string>();
  const one = watching(allowed, () => {
    allowed.add('192.0.2.9');
  });
  one.watch.watch(to('192.0.2.9'));
  await one.watch.settled();
  one.watch.watch(to('192.0.2.9'));
  const { pass, fail } = one.cached.verdicts();
  assert.equal([pass, fail, one.resolved()], [1, 0, 1]);
  assert.not.ok(await one.watch.settled());
});

test('connections of other processes are not judged, and refused socket dumps are blind', () => {
  const one = watching(new Set());
  one.watch.watch(
    snapshotFrom({ connections: [{ address: '192.0.2.2', holders: [{ pid: 500, start: '500', fd: 1 }] }] }),
  );
  assert.equal([one.cached.verdicts().pass, one.resolved()], [0, 0]);
  const probes = [{ id: 'sock_diag https4', works: false, reason: 'why: cure', cure: 'cure' }];
  one.watch.watch(snapshotFrom({ connections: [], probes }));
  assert.equal(
    one.cached.verdicts().notes.map(({ check, cure }) => [check, cure]),
    [['off-list-egress', 'cure']],
  );
});

test('cached verdicts are the same object until they change', async () => {
  const one = watching(new Set());
  one.watch.watch(to('192.0.2.2'));
  await one.watch.settled();
  one.watch.watch(to('192.0.2.2'));
  const before = one.cached.verdicts();
  assert.is(before.fails.length, 1);
  one.watch.watch(to('192.0.2.2'));
  assert.is(one.cached.verdicts(), before);
  one.watch.watch(to());
  assert.is.not(one.cached.verdicts(), before);
});

test('findings from before the start are kept until the first scan', () => {
  const one = watching(new Set());
  const subject = { kind: 'desk' } as const;
  assert.ok(one.cached.verdicts().hidden('off-list-egress', subject));
  assert.not.ok(one.cached.verdicts().hidden('traced', subject));
  one.watch.watch(to());
  assert.not.ok(one.cached.verdicts().hidden('off-list-egress', subject));
});

test.run();
