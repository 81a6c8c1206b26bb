/** The allow source of a listener agrees with the checks that judge it. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allowSourcesOf } from '../../src/checks/allowed-listeners.ts';
import { publicListener } from '../../src/checks/public-listener.ts';
import { listenerKey } from '../../src/checks/subjects.ts';
import { unknownLocalListener } from '../../src/checks/unknown-local-listener.ts';
import { configSchema } from '../../src/config/schema.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { AllowedListener } from '../../src/policy/law.ts';
import { forAllOf } from '../support/for-all.ts';
import { judgeBy } from '../support/judge.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const test = suite('vouched listeners');

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const port = fc.constantFrom(22, 80, 5353, 40_000);
const protocol = fc.constantFrom('tcp' as const, 'udp' as const);
const executable = fc.constantFrom('', '/usr/sbin/sshd', '/usr/bin/node');
const listener = fc.record({
  port,
  protocol,
  address: fc.constantFrom('127.0.0.1', '0.0.0.0', '::1', '::'),
  executable,
  holders: fc.constantFrom([{ pid: 500, start: '500', fd: 3 }], []),
});
const allowed: fc.Arbitrary<AllowedListener> = fc.record({
  ports: fc.array(port, { minLength: 1, maxLength: 2 }),
  protocol,
  scope: fc.constantFrom('loopback' as const, 'public' as const, 'any' as const),
  executable,
  why: fc.constant('w'),
  expiresMs: fc.constantFrom(null, NOW - 1, NOW, NOW + 1),
});
/** The listeners that were learned. */
const learned = fc.nat({ max: 63 });

test('exactly the listeners that fail have no allow source, for any listeners and law', () => {
  const law = lawOf(configSchema.parse({}));
  let [failed, vouched] = [0, 0];
  forAllOf(300)(
    fc.array(listener, { maxLength: 6 }),
    fc.array(allowed, { maxLength: 3 }),
    learned,
    (parts, allowedListeners, bits) => {
      const listeners = parts.map((part, at) => ({
        ...part,
        inode: 100 + at,
        owner: part.holders.length > 0 ? ('held' as const) : ('ownerless' as const),
        executable: part.holders.length > 0 ? part.executable : '',
      }));
      const snapshot = snapshotFrom({ at: { epochMs: NOW }, listeners });
      const keys = snapshot.listeners.map((one) => listenerKey(snapshot, one));
      const known = {
        identities: new Set<bigint>(),
        listeners: new Set(keys.filter((_, at) => ((bits >> at) & 1) === 1)),
        classes: new Set<string>(),
      };
      const context = { snapshot, law: { ...law, allowedListeners }, known };
      const { fails } = judgeBy([publicListener, unknownLocalListener], context);
      const named = new Set(fails.map(({ subject }) => 'inode' in subject && subject.inode));
      allowSourcesOf(context).forEach((allowSource, at) => {
        const inode = 100 + at;
        if (allowSource !== '') {
          vouched += 1;
          assert.not.ok(named.has(inode), `${keys[at]} is vouched for by ${allowSource} and fails`);
          return;
        }
        const one = snapshot.listeners[at];
        // UDP beyond loopback on ephemeral ports is ignored.
        if (one?.protocol === 'udp' && one.scope === 'public' && one.port >= 32_768) return;
        failed += 1;
        assert.ok(named.has(inode), `nothing vouches for ${keys[at]}, which does not fail`);
      });
    },
  );
  assert.ok(failed > 50 && vouched > 50, `${failed} ${vouched}`);
});

test('the law comes before the baseline as the allow source, and is the only one without a baseline', () => {
  const snapshot = snapshotFrom({ listeners: [{ port: 22, address: '0.0.0.0' }, { port: 23 }] });
  const law = lawOf(configSchema.parse({}));
  const entry = { protocol: 'tcp', scope: 'any', executable: '', why: 'w', expiresMs: null } as const;
  const mine = { ...law, allowedListeners: [{ ...entry, ports: [22] }] };
  const known = {
    identities: new Set<bigint>(),
    listeners: new Set(snapshot.listeners.map((one) => listenerKey(snapshot, one))),
    classes: new Set<string>(),
  };
  assert.equal(allowSourcesOf({ snapshot, law: mine, known }), ['law', 'baseline']);
  assert.equal(allowSourcesOf({ snapshot, law: mine, known: null }), ['law', '']);
});

test.run();
