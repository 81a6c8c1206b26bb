import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { Subject } from '../../src/checks/subjects.ts';
import { cook, type Findings, restored, unconfirmed } from '../../src/findings/cook.ts';
import { type Finding, MOST_PIDS } from '../../src/findings/finding.ts';
import { findingKey, memberKey } from '../../src/findings/finding-id.ts';
import type { Severity } from '../../src/policy/severity.ts';
import { expect } from '../support/expect.ts';
import { forAll } from '../support/for-all.ts';

const check = CHECKS.find(({ id }) => id === 'orphan-helper');
if (check === undefined) throw new Error('no checks');

const failOf = (pid: number, severity: Severity = 'medium'): Fail => ({
  check,
  avenue: 'inject_clip',
  severity,
  subject: { kind: 'process', pid, start: '5', comm: 'c', executable: '/e', identity: `/e${pid}`, uid: 0 },
  summary: 's',
  evidence: {},
  evidenceClass: '',
  confirmed: false,
  unattributed: false,
  early: false,
  remedy: 'do this; then that',
});

const seen = (fails: readonly Fail[], hidden = (_check: string, _subject: Subject) => false) => ({
  fails,
  hidden,
});

/** Another process of one program. */
const oneOf = (pid: number, parts: Partial<Fail['subject']> & object = {}): Fail => ({
  ...failOf(pid),
  subject: { ...failOf(pid).subject, identity: '/one', start: String(pid), ...parts } as Subject,
});

const keyOf = ({ subject }: Pick<Fail | Finding, 'subject'>) => memberKey(check.id, subject);

test('a fail becomes a finding when it was seen twice', () => {
  const awaited = unconfirmed(new Map(), [failOf(1), failOf(2)]);
  assert.equal(new Set([...awaited.values()].map(keyOf)), new Set([keyOf(failOf(1)), keyOf(failOf(2))]));
  const cooked = cook(new Map(), seen([failOf(2), failOf(3)]), awaited, 't1');
  assert.equal(cooked.findings.map(keyOf), [keyOf(failOf(2))]);
  assert.equal(cooked.opened, cooked.findings);
  assert.equal(
    cooked.unconfirmed.map(keyOf),
    [keyOf(failOf(3))],
    'a separate finding: nothing is learned from it',
  );
  assert.equal(cook(new Map(), seen([failOf(3, 'low')]), awaited, 't1').unconfirmed, []);
});

test('another socket on the same endpoint confirms a listener, a socket on another endpoint does not', () => {
  const listens = (inode: number, port = 8766): Fail => ({
    ...failOf(1),
    subject: { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port, inode },
  });
  const awaited = unconfirmed(new Map(), [listens(1)]);
  const cooked = cook(new Map(), seen([listens(2), listens(3, 8767)]), awaited, 't1');
  assert.equal(cooked.findings.map(keyOf), [keyOf(listens(2))]);
  assert.equal(cooked.unconfirmed.map(keyOf), [keyOf(listens(3, 8767))]);
});

test('firstSeen is kept, lastSeen is updated, and a finding closes when its fail is gone', () => {
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

test('a finding stays open unchanged while its check is blind', () => {
  const first = cook(
    new Map(),
    seen([failOf(1), failOf(2)]),
    unconfirmed(new Map(), [failOf(1), failOf(2)]),
    't1',
  );
  const blind = seen([], (_check, subject) => subject.kind === 'process' && subject.pid === 1);
  const second = cook(first.open, blind, new Set(), 't2');
  expect(second.findings.map((finding) => [keyOf(finding), finding.lastSeen])).equals([
    [keyOf(failOf(1)), 't1'],
  ]);
  assert.is(second.closed.length, 1);
});

test('equal fails of one program and user are one finding, whose id is stable while its members change', () => {
  const fails = [oneOf(9), oneOf(10), oneOf(11)];
  const first = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't1');
  expect(
    first.opened.map(({ members, subject }) => [members, subject.kind === 'process' && subject.pid]),
  ).equals(
    [[{ count: 3, pids: [9, 10, 11] }, 9]],
    'the oldest is its subject, though its start has fewer digits',
  );
  const second = cook(first.open, seen([oneOf(11), oneOf(12)]), new Set(), 't2');
  assert.equal([second.opened, second.closed], [[], []]);
  expect(second.findings.map(({ id, firstSeen, members }) => [id, firstSeen, members])).equals([
    [first.findings[0]?.id, 't1', { count: 2, pids: [11, 12] }],
  ]);
  const third = cook(second.open, seen([]), new Set(), 't3');
  expect(third.closed.map(({ id }) => id)).equals([first.findings[0]?.id]);
  const again = cook(third.open, seen([oneOf(40)]), unconfirmed(third.open, [oneOf(40)]), 't4');
  assert.is(again.opened[0]?.id, first.findings[0]?.id, 'the same when it comes again');
});

test('equal fails confirm each other, even if each process is seen only once', () => {
  const awaited = unconfirmed(new Map(), [oneOf(9), failOf(1)]);
  const { findings, keys } = cook(new Map(), seen([oneOf(10), failOf(2)]), awaited, 't1');
  expect(findings.map(({ members }) => members)).equals([{ count: 1, pids: [10] }]);
  assert.equal(
    [[...keys.opened.keys()], [...keys.once.keys()]],
    [[findingKey(oneOf(10))], [findingKey(failOf(2))]],
  );
});

test('a finding that lingers is unchanged and shows the last fail', () => {
  const first = cook(new Map(), seen([oneOf(9)]), unconfirmed(new Map(), [oneOf(9)]), 't1');
  const lingers = { ...seen([]), lingers: (key: string) => key === findingKey(oneOf(9)) };
  const second = cook(first.open, lingers, new Set(), 't2');
  assert.equal([second.findings, second.closed, [...second.keys.shown]], [first.findings, [], []]);
  const third = cook(second.open, { ...lingers, fails: [oneOf(12)] }, new Set(), 't3');
  assert.equal(third.findings[0]?.members, { count: 1, pids: [12] });
  assert.equal(cook(third.open, seen([]), new Set(), 't4').keys.closed, [findingKey(oneOf(9))]);
});

test('a different user, severity or evidence is a different finding; equal critical fails are one', () => {
  const environment = CHECKS.find(({ id }) => id === 'preload-environment');
  if (environment === undefined) throw new Error('no check');
  const preloads = (pid: number, library: string): Fail => ({
    ...oneOf(pid),
    check: environment,
    evidence: { LD_PRELOAD: library },
  });
  const fails = [
    ...[oneOf(1), oneOf(2, { uid: 7 }), { ...oneOf(3), severity: 'high' as const }],
    ...[preloads(4, '/opt/p.so'), preloads(5, '/opt/p.so'), preloads(6, '/tmp/evil.so')],
    ...[7, 8].map((pid): Fail => ({ ...oneOf(pid), severity: 'critical' })),
  ];
  const { findings } = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't');
  assert.equal(findings.map(({ members }) => members.pids).sort(), [[1], [2], [3], [4, 5], [6], [7, 8]]);
});

test('five thousand members are one finding with a bounded list of pids', () => {
  const fails = Array.from({ length: 5000 }, (_, at) => oneOf(at + 1));
  const { findings, unconfirmed: once } = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't');
  assert.equal([findings.length, once.length, findings[0]?.members.count], [1, 0, 5000]);
  assert.is(findings[0]?.members.pids.length, MOST_PIDS);
});

test('a waiting fail opens no finding and keeps an open one, at any severity', () => {
  const fails = [oneOf(1)];
  const first = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't1');
  const milder: Fail = { ...oneOf(1), severity: 'low' };
  const waiting = new Set([keyOf(milder)]);
  assert.equal(unconfirmed(first.open, [milder], waiting).size, 0);
  const second = cook(first.open, { ...seen([milder]), waiting }, new Set(), 't2');
  assert.equal([second.opened.length, second.closed.length, second.findings[0]?.severity], [0, 0, 'medium']);
});

test('an id is SHA-256 over check and subject, and a finding from the store keeps its id', () => {
  const fails = [failOf(7)];
  const { findings } = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't');
  const hash = createHash('sha256')
    .update(findingKey(failOf(7)))
    .digest('hex');
  assert.is(findings[0]?.id, hash.slice(0, 16));
  const { open } = restored(findings.map((finding) => ({ ...finding, id: 'as stored' })));
  assert.is(cook(open, seen(fails), new Set(), 't2').findings[0]?.id, 'as stored');
});

test('when stored findings have become one, the oldest stays open and the others close', () => {
  const fails = [oneOf(1)];
  const [finding] = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't2').findings;
  if (finding === undefined) throw new Error('no finding');
  const stored = [
    { ...finding, id: 'later' },
    { ...finding, id: 'first', subject: oneOf(2).subject, firstSeen: 't1' },
  ];
  const { open, superseded } = restored(stored);
  expect([...open.values()].map((held) => held.finding.id)).equals(['first']);
  expect(superseded.map(({ id }) => id)).equals(['later']);
});

test('a remedy never contains a semicolon, and a low finding is not a scar', () => {
  const fails = [failOf(1, 'low'), failOf(2, 'high')];
  const { findings } = cook(new Map(), seen(fails), unconfirmed(new Map(), fails), 't');
  expect(findings.map(({ severity, scar }) => [severity, scar])).equals([
    ['high', true],
    ['low', false],
  ]);
  assert.ok(findings.every(({ remedy }) => !remedy.includes(';')));
});

test('over any history, a finding opens after two consecutive samples and is in the newest one', () => {
  const pids = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 });
  forAll(fc.array(fc.tuple(pids, pids), { maxLength: 12 }), (rechecks) => {
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
      const held = new Set([...open.values()].map(({ finding }) => keyOf(finding)));
      for (const key of cooked.closed.map(keyOf)) assert.ok(held.has(key) && !newestKeys.has(key));
      open = cooked.open;
    }
  });
});

test.run();
