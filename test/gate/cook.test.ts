import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail } from '../../src/checks/check.ts';
import { findingId } from '../../src/checks/finding-id.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { Finding, Severity, Subject } from '../../src/checks/judgement.ts';
import { cook, unconfirmed } from '../../src/gate/cook.ts';

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
  remedy: 'do this; then that',
});

const seen = (fails: readonly Fail[], hidden = (_check: string, _subject: Subject) => false) => ({
  fails,
  hidden,
});

const mapOf = (findings: readonly Finding[]) => new Map(findings.map((finding) => [finding.id, finding]));

test('a fail seen once is no finding, seen twice it is', () => {
  const awaited = unconfirmed(new Map(), [failOf(1), failOf(2)]);
  assert.is(awaited.size, 2);
  const cooked = cook(new Map(), seen([failOf(2), failOf(3)]), awaited, 't1');
  assert.equal(
    cooked.findings.map(({ id }) => id),
    [findingId(failOf(2))],
  );
  assert.equal(cooked.opened, cooked.findings);
});

test('first seen stays, last seen moves, what is gone closes', () => {
  const first = cook(
    new Map(),
    seen([failOf(1), failOf(2)]),
    unconfirmed(new Map(), [failOf(1), failOf(2)]),
    't1',
  );
  const second = cook(mapOf(first.findings), seen([failOf(1)]), new Set(), 't2');
  assert.equal([second.findings[0]?.firstSeen, second.findings[0]?.lastSeen], ['t1', 't2']);
  assert.is(second.opened.length, 0);
  assert.equal(
    second.closed.map(({ id }) => id),
    [findingId(failOf(2))],
  );
});

test('a finding its check could not look at stays open as it was', () => {
  const first = cook(
    new Map(),
    seen([failOf(1), failOf(2)]),
    unconfirmed(new Map(), [failOf(1), failOf(2)]),
    't1',
  );
  const blind = seen([], (_check, subject) => subject.kind === 'process' && subject.pid === 1);
  const second = cook(mapOf(first.findings), blind, new Set(), 't2');
  assert.equal(
    second.findings.map(({ id, lastSeen }) => [id, lastSeen]),
    [[findingId(failOf(1)), 't1']],
  );
  assert.is(second.closed.length, 1);
});

test('another process with the same pid is another finding', () => {
  const [one, other] = [
    failOf(7),
    { ...failOf(7), subject: { ...failOf(7).subject, start: '6' } as Fail['subject'] },
  ];
  assert.is.not(findingId(one), findingId(other));
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
      let open: ReadonlyMap<string, Finding> = new Map();
      for (const [first, second] of rechecks) {
        const awaited = unconfirmed(
          open,
          first.map((pid) => failOf(pid)),
        );
        const newest = awaited.size > 0 ? second : first;
        const cooked = cook(open, seen(newest.map((pid) => failOf(pid))), awaited, 't');
        const newestIds = new Set(newest.map((pid) => findingId(failOf(pid))));
        for (const { id } of cooked.findings) assert.ok(newestIds.has(id));
        for (const { id } of cooked.opened) assert.ok(awaited.has(id) && newestIds.has(id));
        for (const { id } of cooked.closed) assert.ok(open.has(id) && !newestIds.has(id));
        open = mapOf(cooked.findings);
      }
    }),
  );
});

test.run();
