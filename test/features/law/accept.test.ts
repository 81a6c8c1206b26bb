/** The exception that accepting a finding writes suppresses the same finding and nothing else. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail } from '../../../src/checks/check.ts';
import { CHECKS } from '../../../src/checks/index.ts';
import { OTHER_NAMESPACE } from '../../../src/checks/other-namespaces.ts';
import type { ProcessSubject, Subject } from '../../../src/checks/subjects.ts';
import { configSchema } from '../../../src/config/schema.ts';
import {
  acceptanceFor,
  acceptanceOf,
  acceptedOf,
  acceptedText,
  exceptionFor,
  withException,
} from '../../../src/features/law/accept.ts';
import { contextOf, readAccepted } from '../../../src/features/law/files.ts';
import { lawOf, NO_FILES } from '../../../src/features/law/law.ts';
import type { Exception } from '../../../src/features/law/schema.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { classedOf, keyEvidence } from '../../../src/findings/finding-class.ts';
import { findingId } from '../../../src/findings/finding-id.ts';
import { bannedSuppression, explanationOf } from '../../../src/findings/suppression.ts';
import { expect } from '../../support/expect.ts';
import { forAllOf } from '../../support/for-all.ts';
import { findingFrom } from '../../support/state.ts';

const config = configSchema.parse({});
const context = contextOf(config, () => undefined);
const NOW = Date.UTC(2026, 5, 1);
const reason = { why: 'known', expiresMs: null, acceptedMs: NOW };

const process = (parts: Partial<ProcessSubject>): Subject => ({
  kind: 'process',
  pid: 5,
  start: '7',
  comm: 'sshd',
  executable: '/usr/sbin/sshd',
  identity: '/usr/sbin/sshd',
  uid: 0,
  ...parts,
});
const listener: Subject = { kind: 'listener', protocol: 'tcp', address: '::', port: 22, inode: 9 };

const conditions = (finding: Partial<Finding>) => {
  const {
    why: _why,
    accepted: _accepted,
    check: _check,
    severity: _severity,
    ...rest
  } = exceptionFor(findingFrom({ evidenceClass: '', ...finding }), reason);
  return rest;
};

const ID = { finding: '00112233aabbccdd' };

/** Reads back what would be written. */
function reread(entries: readonly Exception[]): readonly Exception[] {
  const result = readAccepted(Buffer.from(acceptedText(entries)), context);
  if (!result.ok) throw new Error(JSON.stringify([result.problems, acceptedText(entries)]));
  return result.value.except;
}

test('the subject of a finding becomes the condition', () => {
  const subject = process({});
  assert.equal(conditions({ subject }), { identity: '/usr/sbin/sshd', uid: 0 });
  assert.equal(conditions({ subject, evidenceClass: 'preload' }), {
    identity: '/usr/sbin/sshd',
    uid: 0,
    evidence: 'preload',
  });
  const made = { endpoint: 'tcp [::]:22', creator_uid: 0 };
  const shown = { endpoint: 'tcp [::]:22', creator_uid: '0' };
  const held = { executable: '/usr/sbin/sshd', ...made };
  assert.equal(conditions({ check: 'public-listener', subject: listener, evidence: held }), {
    protocol: 'tcp',
    port: 22,
    executable: '/usr/sbin/sshd',
    shown,
  });
  assert.equal(conditions({ check: 'ownerless-socket', subject: listener, evidence: made }), {
    protocol: 'tcp',
    port: 22,
    shown,
  });
  assert.equal(conditions({ subject: { kind: 'file', path: '/dev/x' } }), { path: '/dev/x' });
  const host: Subject = { kind: 'host', name: 'kernel' };
  assert.equal(conditions({ subject: host, evidenceClass: 'proprietary' }), {
    ...ID,
    evidence: 'proprietary',
  });
});

test('if the subject cannot be written as a condition, the id of the finding is the condition', () => {
  assert.equal(conditions({ check: 'public-listener', subject: listener, evidence: { executable: '' } }), ID);
  assert.equal(conditions({ subject: { kind: 'host', name: 'kernel' } }), ID);
  assert.equal(conditions({ subject: { kind: 'desk' } }), ID);
  for (const name of ['/tmp/*', '/*x', '*', '/tmp/\ufffd', `/${'x'.repeat(4096)}`]) {
    assert.equal(conditions({ subject: process({ identity: name }) }), ID, name);
    assert.equal(conditions({ subject: { kind: 'file', path: name } }), ID, name);
    const evidence = { executable: name };
    assert.equal(conditions({ check: 'public-listener', subject: listener, evidence }), ID, name);
    // An evidence class that cannot be written as a condition: the id covers the finding in this class only.
    const inClass = conditions({ subject: process({}), evidenceClass: name });
    assert.equal(Object.keys(inClass), ['finding'], name);
    assert.is.not(
      inClass.finding,
      conditions({ subject: process({}), evidenceClass: `${name}*` }).finding,
      name,
    );
  }
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('/usr/bin/x', '/usr/bin/x*', '*', '', '/', '\ufffd', '"', '\\', 'a\nb', '#', '\ud800'),
);
const path = fc.oneof(
  text,
  text.map((name) => `/tmp/${name}`),
);
const subjects: fc.Arbitrary<Subject> = fc.oneof(
  fc
    .record({
      identity: path,
      executable: path,
      comm: text,
      pid: fc.nat(9),
      uid: fc.constantFrom(null, 0, 1000),
    })
    .map((parts) => process(parts)),
  fc
    .record({
      port: fc.constantFrom(22, 80),
      inode: fc.nat(3),
      address: fc.constantFrom('127.0.0.1', '0.0.0.0', '::'),
    })
    .map((parts): Subject => ({ ...listener, ...parts }) as Subject),
  path.map((name): Subject => ({ kind: 'file', path: name })),
  fc.constantFrom<Subject>({ kind: 'host', name: 'kernel' }, { kind: 'desk' }),
);
const checks = CHECKS.filter((check) => acceptanceOf({ check: check.id }) === 'explained');
const fails = fc
  .record({
    check: fc.constantFrom(...checks),
    subject: subjects,
    evidenceClass: text,
    executable: path,
    creator_uid: fc.constantFrom(0, 1000),
  })
  .filter(({ check, subject }) => subject.kind !== 'listener' || (check.key ?? []).includes('endpoint'))
  .map(({ check, subject, evidenceClass, executable, creator_uid }) => ({
    check,
    subject,
    evidenceClass,
    evidence: {
      executable,
      ...(subject.kind === 'listener' && {
        endpoint: `tcp ${subject.address}:${subject.port}`,
        creator_uid,
      }),
    },
    avenue: check.avenue,
    severity: check.severity,
    summary: 's',
    remedy: 'r',
    confirmed: true,
  }));

test('the exception is read back unchanged, explains its finding, and explains only findings like it', () => {
  forAllOf(1000)(fails, fails, text, (fail, other, why) => {
    const id = findingId(fail);
    const finding = { ...findingFrom(fail as never), id, check: fail.check.id };
    const written = exceptionFor(finding, { ...reason, why: `because ${why}` });
    const except = reread([written]);
    const law = lawOf(config, { ...NO_FILES, accepted: { except: [...except] } });
    assert.is(explanationOf(fail, law, null, NOW)?.source, 'accepted');
    const explained = explanationOf(other, law, null, NOW)?.source === 'accepted';
    if (!explained || findingId(other) === id) return;
    assert.is(other.check.id, fail.check.id);
    assert.is(other.evidenceClass, fail.evidenceClass);
    assert.equal(keyEvidence(other), keyEvidence(fail));
    const [a, b] = [fail.subject, other.subject];
    assert.is(a.kind, b.kind);
    if (a.kind === 'process' && b.kind === 'process') assert.equal([a.identity, a.uid], [b.identity, b.uid]);
    if (a.kind === 'file' && b.kind === 'file') assert.is(a.path, b.path);
    if (a.kind === 'listener' && b.kind === 'listener')
      assert.equal([a.port, a.address], [b.port, b.address]);
  });
});

test('an entry for a finding without an evidence class covers no fail of the same subject in a class', () => {
  const local = findingFrom({ check: 'public-listener', subject: listener, evidenceClass: '' });
  const evidence = { executable: '/usr/sbin/sshd', endpoint: 'tcp [::]:22', creator_uid: 0 };
  const subjects: readonly (readonly [string, Subject, Fail['evidence']])[] = [
    ['public-listener', listener, evidence],
    ['traced', process({}), {}],
    ['device-node', { kind: 'file', path: '/dev/x' }, {}],
  ];
  for (const [check, subject, shown] of subjects) {
    const finding = { ...local, check, subject, evidence: shown };
    const law = lawOf(config, {
      ...NO_FILES,
      accepted: { except: [...reread([exceptionFor(finding, reason)])] },
    });
    const classes = ['', OTHER_NAMESPACE, 'x'].filter((evidenceClass) => {
      const fail = { ...classedOf(finding), evidenceClass };
      return explanationOf(fail, law, null, NOW)?.source === 'accepted';
    });
    assert.equal(classes, [''], check);
  }
});

const explains = (entry: Partial<Exception>, subject: Subject, check: string): boolean => {
  const law = lawOf(config, {
    ...NO_FILES,
    accepted: { except: [{ why: 'known', ...entry, check } as Exception] },
  });
  const evidence =
    subject.kind === 'listener' ? { executable: '/x', endpoint: subject.address, creator_uid: 0 } : {};
  const fail = { check: { id: check }, subject, evidence, evidenceClass: '', severity: 'medium' } as const;
  return explanationOf(fail, law, null, NOW) !== null;
};

test('an entry of an earlier version covers neither processes of root nor listeners beyond loopback', () => {
  const earlier = { identity: '/usr/sbin/sshd', severity: 'medium' } as const;
  const covered = [0, null, 1000].map((uid) => explains(earlier, process({ uid }), 'traced'));
  assert.equal(covered, [false, false, true]);
  assert.ok(explains({ ...earlier, uid: 0 }, process({}), 'traced'));
  const held = { protocol: 'tcp', port: 22, executable: '/x', severity: 'medium' } as const;
  const at = (address: string) => explains(held, { ...listener, address } as Subject, 'public-listener');
  assert.equal(['127.0.0.1', '::1', '0.0.0.0', '::', '192.0.2.1'].map(at), [true, true, false, false, false]);
});

test('an exempt listener of an earlier version stays exempt; a new one is exempt only at the shown address', () => {
  const { kind: _kind, ...socket } = listener as Extract<Subject, { kind: 'listener' }>;
  const exempts = (entry: Partial<Exception>, address: string) => {
    const accepted = { check: 'banned-listener', why: 'known', protocol: 'tcp', port: 22, ...entry } as const;
    const law = lawOf(config, { ...NO_FILES, accepted: { except: [accepted as Exception] } });
    return bannedSuppression(law, { ...socket, address, executable: '/x', creatorUid: 0 }, NOW) !== null;
  };
  const shown = { endpoint: 'tcp 127.0.0.1:22', creator_uid: '0' };
  const where = ['127.0.0.1', '0.0.0.0'];
  expect(where.map((address) => exempts({}, address))).equals([true, true]);
  expect(where.map((address) => exempts({ shown }, address))).equals([true, false]);
});

test('different evidence changes the id of the acceptance even if the id of the finding is the same', () => {
  const loaded = (library: string) =>
    findingFrom({
      check: 'preload-file',
      subject: { kind: 'file', path: '/etc/ld.so.preload' },
      evidence: { libraries: library, at: library },
    });
  const [shown, since] = [loaded('/opt/a.so'), loaded('/tmp/evil.so')];
  assert.is(findingId(classedOf(shown)), findingId(classedOf(since)));
  const accepted = acceptedOf(exceptionFor(shown, { ...reason, expiresMs: NOW })).id;
  assert.is(acceptanceFor(shown).id, accepted, 'the reason and the end are not part of the id');
  assert.is.not(acceptanceFor(since).id, accepted);
});

test('accepting a finding again replaces the earlier entry', () => {
  const finding = findingFrom({ subject: process({}), evidenceClass: '' });
  const first = exceptionFor(finding, { ...reason, expiresMs: NOW });
  const other = exceptionFor(
    findingFrom({ subject: process({ identity: '/x' }), evidenceClass: '' }),
    reason,
  );
  const second = exceptionFor(finding, { ...reason, why: 'still', acceptedMs: NOW + 1 });
  const entries = withException(withException(withException([], first), other), second);
  assert.equal(reread(entries), [other, second]);
});

test('each check has an acceptance effect: exempt only, never, or explained', () => {
  expect(['banned-listener', 'baseline-tampered', 'traced'].map((check) => acceptanceOf({ check }))).equals([
    'spared',
    'never',
    'explained',
  ]);
});

test.run();
