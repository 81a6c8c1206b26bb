import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail } from '../../src/checks/check.ts';
import { findingKey } from '../../src/checks/finding-id.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { Finding, Severity, Subject } from '../../src/checks/judgement.ts';
import { byKey, cook, type Findings, unconfirmed } from '../../src/gate/cook.ts';

const check = CHECKS[0];
if (check === undefined) throw new Error('no checks');

const failOf = (pid: number, severity: Severity = 'medium'): Fail => ({
  check,
  avenue: 'inject_clip',
  severity,
  subject: { kind: 'process', pid, start: '5', comm: 'c', executable: '/e', identity: '/e', uid: 0 },
  summary: 's',
  evidence: {},
  evidenceClass: '',
  pairs: 1,
  confirmed: false,
  doubtful: false,
  early: false,
  remedy: 'do this; then that',
});

const seen = (fails: readonly Fail[], hidden = (_check: string, _subject: Subject) => false) => ({
  fails,
  hidden,
});

const keyOf = ({ subject }: Pick<Fail | Finding, 'subject'>) => findingKey(check.id, subject);

test('a fail seen once is no finding, seen twice it is', () => {
  const awaited = unconfirmed(new Map(), [failOf(1), failOf(2)]);
  assert.is(awaited.size, 2);
  const cooked = cook(new Map(), seen([failOf(2), failOf(3)]), awaited, 't1');
  assert.equal(cooked.findings.map(keyOf), [keyOf(failOf(2))]);
  assert.equal(cooked.opened, cooked.findings);
  assert.equal(
    cooked.unconfirmed.map(keyOf),
    [keyOf(failOf(3))],
    'told apart, for nothing is learned from it',
  );
  assert.equal(cook(new Map(), seen([failOf(3, 'low')]), awaited, 't1').unconfirmed, []);
});

test('another socket on the same endpoint confirms a listener, one elsewhere does not', () => {
  const listens = (inode: number, port = 8766): Fail => ({
    ...failOf(1),
    subject: { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port, inode },
  });
  const awaited = unconfirmed(new Map(), [listens(1)]);
  const cooked = cook(new Map(), seen([listens(2), listens(3, 8767)]), awaited, 't1');
  assert.equal(cooked.findings.map(keyOf), [keyOf(listens(2))]);
  assert.equal(cooked.unconfirmed.map(keyOf), [keyOf(listens(3, 8767))]);
});

test('first seen stays, last seen moves, what is gone closes', () => {
  const first = cook(
    new Map(),
    seen([failOf(1), failOf(2)]),
    unconfirmed(new Map(), [failOf(1), failOf(2)]),
    't1',
  );
  const second = cook(first.open, seen([failOf(1)]), new Set(), 't2');
  assert.equal([second.findings[0]?.firstSeen, second.findings[0]?.lastSeen], ['t1', 't2']);
  assert.is(second.opened.length, 0);
  assert.equal(second.closed.map(keyOf), [keyOf(failOf(2))]);
});

test('a finding its check could not look at stays open as it was', () => {
  const first = cook(
    new Map(),
    seen([failOf(1), failOf(2)]),
    unconfirmed(new Map(), [failOf(1), failOf(2)]),
    't1',
  );
  const blind = seen([], (_check, subject) => subject.kind === 'process' && subject.pid === 1);
  const second = cook(first.open, blind, new Set(), 't2');
  assert.equal(
    second.findings.map((finding) => [keyOf(finding), finding.lastSeen]),
    [[keyOf(failOf(1)), 't1']],
  );
  assert.is(second.closed.length, 1);
});

test('another process with the same pid is another finding', () => {
  const [one, other] = [
    failOf(7),
    { ...failOf(7), subject: { ...failOf(7).subject, start: '6' } as Fail['subject'] },
  ];
  const { findings } = cook(new Map(), seen([one, other]), unconfirmed(new Map(), [one, other]), 't');
  assert.is(new Set(findings.map(({ id }) => id)).size, 2);
});

test('an id is SHA-256 over check and subject, and a finding from the store keeps the one it has', () => {
  const fails = [failOf(7)];
  const { findings } = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't');
  const hash = createHash('sha256').update(`${check.id}\0process 7 5`).digest('hex');
  assert.is(findings[0]?.id, hash.slice(0, 16));
  const stored = byKey(findings.map((finding) => ({ ...finding, id: 'as stored' })));
  assert.is(cook(stored, seen(fails), new Set(), 't2').findings[0]?.id, 'as stored');
});

test('a remedy never carries a semicolon, a low finding is no scar', () => {
  const fails = [failOf(1, 'low'), failOf(2, 'high')];
  const { findings } = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't');
  assert.equal(
    findings.map(({ severity, scar }) => [severity, scar]),
    [
      ['high', true],
      ['low', false],
    ],
  );
  assert.ok(findings.every(({ remedy }) => !remedy.includes(';')));
});

test('over any history: a finding was in two consecutive samples when it opened, and is in the newest one', () => {
  const pids = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(pids, pids), { maxLength: 12 }), (rechecks) => {
      let open: Findings = new Map();
      for (const [first, second] of rechecks) {
        const awaited = unconfirmed(
          open,
          first.map((pid) => failOf(pid)),
        );
        const newest = awaited.size > 0 ? second : first;
        const cooked = cook(open, seen(newest.map((pid) => failOf(pid))), awaited, 't');
        const newestKeys = new Set(newest.map((pid) => keyOf(failOf(pid))));
        for (const key of cooked.findings.map(keyOf)) assert.ok(newestKeys.has(key));
        for (const key of cooked.opened.map(keyOf)) assert.ok(awaited.has(key) && newestKeys.has(key));
        for (const key of cooked.closed.map(keyOf)) assert.ok(open.has(key) && !newestKeys.has(key));
        open = cooked.open;
      }
    }),
  );
});

test.run();
