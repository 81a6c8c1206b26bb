/** The law that results from the files, and what it suppresses. */
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail } from '../../../src/checks/check.ts';
import { CHECKS } from '../../../src/checks/index.ts';
import type { Subject } from '../../../src/checks/subjects.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { CAUSE_NAMES } from '../../../src/features/law/causes.ts';
import { contextOf, readLaw } from '../../../src/features/law/files.ts';
import { BUILT_IN, expiredPhrases, lawOf, NO_FILES } from '../../../src/features/law/law.ts';
import { rulesOf } from '../../../src/features/law/rules.ts';
import { classKey } from '../../../src/findings/finding-class.ts';
import { findingId } from '../../../src/findings/finding-id.ts';
import { bannedSuppression, explanationOf, NEVER_SUPPRESSED } from '../../../src/findings/suppression.ts';
import type { Law } from '../../../src/policy/law.ts';
import { expect } from '../../support/expect.ts';
import { forAllOf } from '../../support/for-all.ts';

const config = configSchema.parse({});
const context = contextOf(config, () => 1000);
const NOW = Date.UTC(2026, 5, 1);

function lawFrom(document: unknown): Law {
  const result = readLaw(new TextEncoder().encode(stringify(document)), context);
  if (!result.ok) throw new Error(JSON.stringify([result.problems, document]));
  return lawOf(config, { user: result.value, accepted: { except: [] } });
}

/** An exception as written in a file. */
interface Written {
  readonly check: string | readonly string[];
  readonly executable?: string | readonly string[];
  readonly comm?: string | readonly string[];
  readonly identity?: string;
  readonly uid?: number;
  readonly path?: string | readonly string[];
  readonly port?: number;
  readonly protocol?: string;
  readonly evidence?: string | readonly string[];
  readonly finding?: string;
  readonly why: string;
  readonly expires?: Date;
}

const EXECUTABLES = ['/usr/bin/gdb', '/usr/bin/gdbserver', '/opt/x', '/opt/gdb (deleted)'];
const processes = fc
  .record({
    pid: fc.constantFrom(10, 11),
    comm: fc.constantFrom('gdb', 'x'),
    executable: fc.constantFrom(...EXECUTABLES, ''),
    uid: fc.constantFrom(0, 1000, null),
  })
  .map(
    (parts): Subject => ({
      kind: 'process',
      start: '5',
      identity: parts.executable || `${parts.comm}?0`,
      ...parts,
    }),
  );
const listeners = fc
  .record({ protocol: fc.constantFrom('tcp' as const, 'udp' as const), port: fc.constantFrom(22, 80, 8766) })
  .map((parts): Subject => ({ kind: 'listener', address: '::', inode: 7, ...parts }));
const others = fc.constantFrom<Subject>(
  { kind: 'file', path: '/dev/x' },
  { kind: 'file', path: '/dev/shm/y' },
  { kind: 'host', name: 'kernel' },
  { kind: 'desk' },
);
/** Checks that an exception may name; for a banned listener it exempts but does not explain. */
const ids = CHECKS.map(({ id }) => id).filter((id) => id !== 'baseline-tampered');
const fails: fc.Arbitrary<Fail> = fc
  .record({
    check: fc.constantFrom(...CHECKS),
    subject: fc.oneof(processes, listeners, others),
    executable: fc.constantFrom(...EXECUTABLES, ''),
    evidenceClass: fc.constantFrom('', 'preload', 'audit'),
  })
  .map(({ check, subject, executable, evidenceClass }) => ({
    check,
    subject,
    evidenceClass,
    evidence: subject.kind === 'listener' ? { executable } : {},
    avenue: check.avenue,
    severity: check.severity,
    summary: 's',
    remedy: 'r',
    pairs: 1,
    confirmed: false,
    unattributed: false,
    early: false,
  }));

const oneOrMore = (...texts: string[]) =>
  fc.oneof(
    fc.constantFrom(...texts),
    fc.uniqueArray(fc.constantFrom(...texts), { minLength: 1, maxLength: 2 }),
  );
const executable = oneOrMore(...EXECUTABLES, '/usr/bin/*', '/usr/bin/gdb*', '/o*');
const optional = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(shape, { requiredKeys: [] });
const about = fc.oneof(
  optional({
    executable,
    comm: oneOrMore('gdb', 'g*', 'x'),
    identity: fc.constantFrom('/usr/bin/gdb', 'x?*'),
    uid: fc.constantFrom(0, 1000),
  }),
  optional({ executable, port: fc.constantFrom(22, 8766), protocol: fc.constantFrom('tcp', 'udp') }),
  optional({ path: oneOrMore('/dev/x', '/dev/*') }),
);
const seen: Fail[] = fc.sample(fails, { numRuns: 5, seed: 7 });
const exceptions = fc
  .record({
    check: fc.oneof(
      fc.constantFrom(...ids),
      { weight: 3, arbitrary: fc.subarray(ids, { minLength: 5 }) },
      { weight: 3, arbitrary: fc.constant('*') },
    ),
    about,
    more: fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      optional({
        evidence: oneOrMore('preload', 'a*'),
        finding: fc.constantFrom(...seen.map(findingId)),
        expires: fc.constantFrom(...[-1, 0, 1].map((by) => new Date(NOW + by))),
      }),
    ),
  })
  .map(({ check, about: conditions, more }) => ({ check, ...conditions, ...more }))
  .filter(
    ({ check, expires: _expires, ...conditions }) => check !== '*' || Object.keys(conditions).length > 0,
  );
const documents = fc
  .array(exceptions, { maxLength: 6 })
  .map((entries) => entries.map((entry, at): Written => ({ ...entry, why: `reason ${at}` })));

const some = (wanted: string | readonly string[] | undefined, text: string | undefined): boolean => {
  if (wanted === undefined) return true;
  if (text === undefined) return false;
  for (const one of typeof wanted === 'string' ? [wanted] : wanted) {
    if (one.endsWith('*') ? text.startsWith(one.slice(0, -1)) : text === one) return true;
  }
  return false;
};

/** The reason that suppresses a fail, computed naiveReason from the entries. */
function naiveReason(entries: readonly Written[], fail: Fail): string | null {
  const { check, subject, evidence, evidenceClass } = fail;
  if (['banned-listener', 'baseline-tampered'].includes(check.id)) return null;
  for (const entry of entries) {
    if (entry.expires !== undefined && entry.expires.getTime() <= NOW) continue;
    const checks = typeof entry.check === 'string' ? [entry.check] : entry.check;
    if (!checks.includes('*') && !checks.includes(check.id)) continue;
    const process = subject.kind === 'process' ? subject : undefined;
    const listener = subject.kind === 'listener' ? subject : undefined;
    const program = process ? process.executable : listener ? String(evidence.executable) : undefined;
    if (!some(entry.executable, program) || !some(entry.comm, process?.comm)) continue;
    if (!some(entry.identity, process?.identity)) continue;
    if (entry.uid !== undefined && process?.uid !== entry.uid) continue;
    if (!some(entry.path, subject.kind === 'file' ? subject.path : undefined)) continue;
    if (entry.port !== undefined && listener?.port !== entry.port) continue;
    if (entry.protocol !== undefined && listener?.protocol !== entry.protocol) continue;
    if (!some(entry.evidence, evidenceClass)) continue;
    if (entry.finding !== undefined && findingId(fail) !== entry.finding) continue;
    return entry.why;
  }
  return null;
}

test('a law suppresses exactly what its entries say', () => {
  let suppressed = 0;
  forAllOf(500)(
    documents,
    fc.array(fc.oneof(fails, fc.constantFrom(...seen)), { maxLength: 8 }),
    (entries, judged) => {
      const law = lawFrom({ except: entries });
      for (const fail of judged) {
        const explanation = explanationOf(fail, law, null, NOW);
        const why = explanation?.source === 'benign' ? null : (explanation?.why ?? null);
        assert.is(why, naiveReason(entries, fail), JSON.stringify([entries, fail]));
        if (why !== null) suppressed++;
      }
    },
  );
  assert.ok(suppressed > 50, `only ${suppressed} were suppressed`);
});

test('the law has precedence over the baseline, and an expired exception has no effect', () => {
  const [fail] = seen.filter(({ check }) => !NEVER_SUPPRESSED.has(check.id));
  if (fail === undefined) throw new Error('no fail');
  const known = {
    identities: new Set<bigint>(),
    listeners: new Set<string>(),
    classes: new Set([classKey(fail)]),
  };
  const law = lawFrom({ except: [{ check: fail.check.id, why: 'ours', expires: new Date(NOW) }] });
  assert.is(explanationOf(fail, law, known, NOW - 1)?.why, 'ours');
  assert.is(explanationOf(fail, law, known, NOW)?.source, 'baseline');
  assert.is(explanationOf(fail, law, null, NOW), null);
});

test('nothing explains a banned listener: an exception that names its check only exempts it', () => {
  const listener = {
    protocol: 'tcp',
    address: '::',
    port: 8766,
    inode: 7,
    executable: '/opt/x',
    creatorUid: 0,
  } as const;
  const check = CHECKS.find(({ id }) => id === 'banned-listener');
  if (check === undefined) throw new Error('no check');
  const fail: Fail = {
    ...(seen[0] as Fail),
    check,
    subject: { kind: 'listener', protocol: 'tcp', address: '::', port: 8766, inode: 7 },
    evidence: { executable: '/opt/x' },
    evidenceClass: '',
  };
  const exempts = (entry: Omit<Written, 'why'>) => {
    const law = lawFrom({ except: [{ ...entry, why: 'looked at' }] });
    const known = {
      identities: new Set<bigint>(),
      listeners: new Set<string>(),
      classes: new Set([classKey(fail)]),
    };
    assert.is(explanationOf(fail, law, known, NOW), null);
    return bannedSuppression(law, listener, NOW)?.why === 'looked at';
  };
  assert.ok(exempts({ check: 'banned-listener' }));
  assert.ok(exempts({ check: 'banned-listener', port: 8766, executable: '/opt/*' }));
  assert.ok(exempts({ check: 'banned-listener', finding: findingId(fail) }));
  assert.not.ok(exempts({ check: 'banned-listener', executable: '/opt/y' }));
  assert.not.ok(exempts({ check: 'banned-listener', expires: new Date(NOW) }));
  assert.not.ok(exempts({ check: '*', port: 8766 }));
});

test('the version shows whether the law differs from the default', () => {
  const version = (document: unknown) => lawFrom(document).version;
  assert.is(lawOf(config).version, BUILT_IN);
  assert.is(version({}), BUILT_IN);
  assert.is(version({ thresholds: { zombie_sec: 60 } }), BUILT_IN);
  const changed = [
    version({ thresholds: { zombie_sec: 61 } }),
    version({ learning: { auto: 'system' } }),
    version({ listen: [{ port: 22, why: 'a' }] }),
    version({ listen: [{ port: 22, why: 'b' }] }),
    version({ except: [{ check: 'traced', why: 'a' }] }),
    lawOf(configSchema.parse({ banned: { also: [5] } })).version,
    ...CAUSE_NAMES.map((name) => version({ benign: { [name]: false } })),
  ];
  assert.is(new Set([BUILT_IN, ...changed]).size, changed.length + 1);
  for (const one of changed) assert.match(one, /^law [0-9a-f]{12}$/);
});

test('each benign cause of the catalogue is in force until it is disabled', () => {
  const named = ({ suppressions }: Law) => new Set(suppressions.map(({ name }) => name));
  assert.equal([...named(lawOf(config))].sort(), CAUSE_NAMES);
  for (const name of CAUSE_NAMES) assert.not.ok(named(lawFrom({ benign: { [name]: false } })).has(name));
});

test('expired entries are reported with what to do', () => {
  const law = lawFrom({
    listen: [{ port: 22, why: 'move', expires: new Date(NOW) }],
    except: [
      { check: ['traced', 'fried-process'], why: 'tests', expires: new Date(NOW - 1) },
      { check: 'traced', why: 'later', expires: new Date(NOW + 1) },
    ],
  });
  assert.equal(expiredPhrases(law, NOW), [
    'renew the allowed listener on port 22 (move), which ended 2026-06-01T00:00:00.000Z, or take it out of law.toml',
    'renew the exception for traced, fried-process (tests), which ended 2026-05-31T23:59:59.999Z, or take it out of law.toml',
  ]);
});

test('the rules show no difference for the default law, and each change of a file', () => {
  expect(rulesOf(config, NO_FILES, NOW).filter(({ instead }) => instead !== null)).equals([]);
  const user = readLaw(
    new TextEncoder().encode(
      stringify({
        thresholds: { zombie_sec: 5, orphan_sec: 300 },
        listen: [{ ports: [80, 443], scope: 'public', why: 'web' }],
        except: [{ check: '*', comm: ['gdb', 'x*'], uid: 0, why: 'ours', expires: new Date(NOW) }],
      }),
    ),
    context,
  );
  if (!user.ok) throw new Error(JSON.stringify(user.problems));
  const rules = rulesOf(
    configSchema.parse({ banned: { also: [5] } }),
    { user: user.value, accepted: { except: [] } },
    NOW,
  );
  expect(
    rules
      .filter(({ instead }) => instead !== null)
      .map(({ kind, rule, source, state, instead }) => [kind, rule, source, state, instead]),
  ).equals([
    ['threshold', 'zombie_sec = 5', 'law.toml', 'in force', 'zombie_sec = 60'],
    ['banned', 'port 5', 'configuration', 'in force', ''],
    ['listen', 'public tcp 80,443 any program', 'law.toml', 'in force', ''],
    ['except', 'every check: comm gdb or x*, uid 0', 'law.toml', 'ended', ''],
  ]);
});

test.run();
