/** What is stored, folded to one line for each thing; what is not known, and never reads as "nothing changed". */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FactChange } from '../../../src/features/diff/compare.ts';
import { KINDS } from '../../../src/features/diff/facts.ts';
import { diffOf } from '../../../src/features/diff/groups.ts';
import { DIFF_GROUPS, type DiffGroupId, diff } from '../../../src/records/diff.ts';
import { countsText, split, unknownOf } from '../../../src/records/diff-words.ts';
import { diffRows, eventfulDay, factChange, HOUR_MS, SINCE_MS, UNTIL_MS } from '../../support/diff.ts';
import { expect } from '../../support/expect.ts';
import { forAll } from '../../support/for-all.ts';

const test = suite('diff groups');

const at = (hour: number): string => new Date(UNTIL_MS - hour * HOUR_MS).toISOString();

const changesOf = (id: DiffGroupId, parts: Parameters<typeof diffRows>[0]) =>
  diffOf(diffRows(parts)).groups.find((one) => one.id === id)?.changes ?? [];

const events = (id: DiffGroupId, ...changes: readonly FactChange[]) =>
  changesOf(id, { changes }).map(({ event, name, before, after, times }) => [
    event,
    name,
    before,
    after,
    times,
  ]);

test('a day in which nothing has happened is whole and without changes', () => {
  const quiet = diffOf(diffRows());
  assert.is(quiet.happened, 0);
  assert.ok(quiet.readable);
  assert.equal(
    quiet.groups.map(({ id, whole, changes, gaps }) => [id, whole, changes.length, gaps.length]),
    DIFF_GROUPS.map((id) => [id, true, 0, 0]),
  );
});

test('changes of one thing are one line: what it was at first, and what it is at last', () => {
  const one = (before: string | null, after: string | null) =>
    factChange({ kind: 'account', key: 'eve', name: 'eve', before, after });
  expect(events('accounts', one(null, 'a'))).equals([['added', 'eve', '', 'a', 1]]);
  expect(events('accounts', one(null, 'a'), one('a', 'b'))).equals([['added', 'eve', '', 'b', 2]]);
  expect(events('accounts', one(null, 'a'), one('a', null))).equals([['briefly', 'eve', '', '', 2]]);
  expect(events('accounts', one('a', null))).equals([['removed', 'eve', 'a', '', 1]]);
  expect(events('accounts', one('a', 'b'), one('b', 'c'))).equals([['changed', 'eve', 'a', 'c', 2]]);
  // It is as it was: it is not the same as never having changed.
  expect(events('accounts', one('a', 'b'), one('b', 'a'))).equals([['back', 'eve', 'a', 'a', 2]]);
});

test('a listener that closed and opened again is counted, one that another program has is listed', () => {
  const one = (key: string, before: string | null, after: string | null) =>
    factChange({ kind: 'listener', key, name: key, before, after });
  const { groups } = diffOf(
    diffRows({
      changes: [
        one('a', 'nginx', null),
        one('a', null, 'nginx'),
        one('b', 'nginx', null),
        one('b', null, 'nc'),
        // Another program has had it, and it is as before.
        one('c', 'nginx', null),
        one('c', null, 'nc'),
        one('c', 'nc', 'nginx'),
      ],
    }),
  );
  const listeners = groups.find(({ id }) => id === 'listeners');
  expect(listeners?.changes.map(({ event, name }) => [event, name])).equals([
    ['changed', 'b'],
    ['back', 'c'],
  ]);
  expect(listeners?.changes[1]?.after).equals('nginx, in between nc');
  assert.is(listeners?.shortLived, 1);
});

test('a startup file of which one part goes and another comes has changed', () => {
  const part = (key: string, before: string | null, after: string | null) =>
    factChange({ kind: 'startup', key, name: '/etc/crontab', before, after });
  expect(events('startup', part('1', 'old', null), part('2', null, 'new'))).equals([
    ['changed', '/etc/crontab', 'old', 'new', 2],
  ]);
  expect(events('startup', part('1', null, 'x'), part('2', null, 'y'))).equals([
    ['added', '/etc/crontab', '', 'x; y', 2],
  ]);
});

test('what packages have changed is counted by file, and not listed', () => {
  const unit = (key: string, name: string) => factChange({ kind: 'startup', key, name, packaged: true });
  const { groups } = diffOf(diffRows({ changes: [unit('1', '/a'), unit('2', '/a'), unit('3', '/b')] }));
  const startup = groups.find(({ id }) => id === 'startup');
  assert.is(startup?.changes.length, 0);
  assert.is(startup?.packaged, 2);
});

test('a change that was seen long after the last look has the time of both', () => {
  const late = factChange({ kind: 'listener', fromMs: SINCE_MS + 5 * HOUR_MS, atMs: UNTIL_MS - HOUR_MS });
  const early = { ...late, key: 'b', fromMs: SINCE_MS - HOUR_MS };
  expect(changesOf('listeners', { changes: [late, early] }).map((one) => [one.from, one.at])).equals([
    [at(19), at(1)],
    // It may have happened before what was asked for.
    [new Date(SINCE_MS).toISOString(), at(1)],
  ]);
  assert.is(changesOf('listeners', { changes: [factChange({ kind: 'listener' })] })[0]?.from, null);
});

test('a finding is opened, resolved, or both, and has another severity', () => {
  const finding = (id: string, ...turns: readonly boolean[]) => ({
    ...{ id, title: id, check: 'c', severity: 'high' as const },
    turns: turns.map((opened, index) => ({ atMs: UNTIL_MS - (9 - index) * HOUR_MS, opened })),
  });
  const findings = [
    finding('still', true),
    finding('gone', false),
    finding('passed', true, false),
    finding('again', false, true),
    finding('flaps', true, false, true),
  ];
  const changes = [
    factChange({ kind: 'severity', key: 'id', name: 'worse', before: 'low', after: 'critical' }),
  ];
  expect(
    changesOf('findings', { findings, changes }).map(({ event, name, severity, times }) => [
      name,
      event,
      severity,
      times,
    ]),
  ).equals([
    ['worse', 'severity', 'critical', 1],
    ['flaps', 'opened', 'high', 3],
    ['passed', 'passed', 'high', 2],
    ['again', 'opened', 'high', 2],
    ['still', 'opened', 'high', 1],
    ['gone', 'resolved', 'high', 1],
  ]);
});

test('a low finding that opened and was resolved is counted', () => {
  const one = (severity: 'low' | 'medium', ...turns: readonly boolean[]) => ({
    ...{ id: severity, title: severity, check: 'c', severity },
    turns: turns.map((opened) => ({ atMs: UNTIL_MS - HOUR_MS, opened })),
  });
  const findings = [one('low', true, false), one('medium', true, false)];
  const { groups } = diffOf(diffRows({ findings }));
  const [found] = groups;
  assert.equal([found?.changes.map(({ name }) => name), found?.shortLived], [['medium'], 1]);
  assert.is(diffOf(diffRows({ findings: [one('low', true)] })).happened, 1);
});

test('a certificate is near its end within 14 days, or over; one that was not seen is a gap', () => {
  const certificate = (days: number | null) => ({
    name: `${days}`,
    endsMs: days === null ? null : UNTIL_MS + days * 24 * HOUR_MS,
  });
  const { groups } = diffOf(diffRows({ certificates: [15, 14, 1, -1, null].map(certificate) }));
  const found = groups.find(({ id }) => id === 'certificates');
  expect(found?.changes.map(({ name, after }) => [name, after])).equals([
    ['14', '14 days left'],
    ['1', '1 day left'],
    ['-1', 'has ended'],
  ]);
  assert.equal(found?.gaps, ['the certificate of null was not seen']);
  assert.is(found?.whole, false);
});

test('while the desk did not run, what came and went was not seen', () => {
  const pauses = {
    firstMs: SINCE_MS - HOUR_MS,
    pauses: [{ fromMs: UNTIL_MS - 10 * HOUR_MS, toMs: UNTIL_MS - HOUR_MS }],
  };
  const { groups, happened } = diffOf(diffRows({ pauses }));
  assert.equal(
    groups.filter(({ whole }) => !whole).map(({ id }) => id),
    ['findings', 'listeners', 'programs'],
  );
  expect(
    groups.find(({ id }) => id === 'blind')?.changes.map(({ event, from, at: to }) => [event, from, to]),
  ).equals([['off', at(10), at(1)]]);
  assert.is(happened, 1);
});

test('a time before the first record is reported, and is not whole', () => {
  const firstMs = UNTIL_MS - 2 * HOUR_MS;
  const late = diffRows();
  const { groups } = diffOf({
    ...late,
    firstFindingMs: firstMs,
    pauses: { firstMs, pauses: [] },
    looks: new Map([...(late.looks ?? [])].map(([kind, look]) => [kind, { ...look, firstMs }])),
  });
  for (const { id, whole, knownSince } of groups.filter(({ id }) => id !== 'certificates')) {
    assert.is(whole, false, id);
    assert.is(knownSince, at(2), id);
  }
});

test('what could not be compared for a part of the time is a gap, also when it can be compared again', () => {
  const blind = (key: string, before: string | null, after: string | null) =>
    factChange({ kind: 'blind', key, name: 'x', before, after });
  const { groups } = diffOf(
    diffRows({
      changes: [blind('compare listener', null, 'EACCES'), blind('compare listener', 'EACCES', null)],
      troubles: new Map([['account', '/etc/passwd could not be read (EIO)']]),
      unseen: [
        { key: 'check a', name: 'check a', detail: 'refused' },
        { key: 'compare package', name: 'packages', detail: 'all databases refuse' },
      ],
    }),
  );
  expect(
    Object.fromEntries(groups.filter(({ gaps }) => gaps.length > 0).map(({ id, gaps }) => [id, gaps])),
  ).equals({
    accounts: ['/etc/passwd could not be read (EIO)'],
    listeners: ['EACCES'],
    packages: ['all databases refuse'],
    blind: ['not seen all this time: check a, packages (desk query blind)'],
  });
});

test('what was not looked at since this start is compared up to its last look only', () => {
  const lastMs = UNTIL_MS - 5 * HOUR_MS;
  const looks = new Map([...(diffRows().looks ?? [])].map(([kind, look]) => [kind, { ...look, lastMs }]));
  const looked = new Set(['listener', 'program', 'severity', 'blind']);
  const { groups } = diffOf(diffRows({ looks, looked }));
  expect(groups.flatMap(({ id, whole, gaps }) => (whole ? [] : [[id, gaps]]))).equals(
    ['startup', 'accounts', 'packages'].map((id) => [id, ['not compared since 2026-01-03 03:00']]),
  );
  assert.ok(diffOf(diffRows({ looks, untilMs: lastMs })).groups.every(({ whole }) => whole));
});

test('a script with another content has changed, though its line reads the same, also where a package had vouched for it', () => {
  const part = (key: string, before: string | null, after: string | null, packaged = false) =>
    factChange({ kind: 'startup', key, name: '/etc/cron.daily/b', before, after, packaged });
  const edited = [part('1', 'cron, as root', null), part('2', null, 'cron, as root')];
  expect(events('startup', ...edited)).equals([
    ['changed', '/etc/cron.daily/b', 'cron, as root', 'cron, as root', 2],
  ]);
  const taken = { changes: [part('1', 'cron, as root', null, true), part('2', null, 'cron, as root')] };
  const found = diffOf(diffRows(taken)).groups.find(({ id }) => id === 'startup');
  expect(found?.changes.map(({ event }) => event)).equals(['changed']);
  assert.is(found?.packaged, 0);
});

test('a store that cannot be read leaves nothing that reads as quiet', () => {
  const nothing = { findings: null, changes: null, unseen: null, counts: null, looks: null, pauses: null };
  const { groups, readable } = diffOf(diffRows({ ...nothing, firstFindingMs: null }));
  assert.is(readable, false);
  for (const { id, whole, gaps, knownSince } of groups.filter(({ id }) => id !== 'certificates')) {
    assert.is(whole, false, id);
    assert.is(knownSince, null, id);
    assert.ok(gaps.includes('the store could not be read'), id);
  }
});

test('any rows give a valid record, in which no change is lost and every group that is not whole says why', () => {
  const times = fc.integer({ min: SINCE_MS - HOUR_MS, max: UNTIL_MS });
  const detail = fc.option(fc.string({ maxLength: 5 }));
  const change = fc
    .record({
      kind: fc.constantFrom(...KINDS),
      key: fc.constantFrom('a', 'b', 'compare listener'),
      name: fc.string(),
      before: detail,
      after: detail,
      packaged: fc.boolean(),
      fromMs: times,
      atMs: times,
    })
    .map((one) => (one.kind === 'severity' ? { ...one, after: 'high' } : one) as FactChange);
  const rows = fc.record({
    changes: fc.option(fc.array(change, { maxLength: 12 })),
    findings: fc.constantFrom([], null),
    unseen: fc.constantFrom([], null),
    looks: fc.constantFrom(diffRows().looks, null, new Map()),
    troubles: fc.constantFrom(new Map(), new Map([['program', 'why']])),
    pauses: fc.option(
      fc.record({
        firstMs: fc.option(times),
        pauses: fc.array(fc.record({ fromMs: times, toMs: times }), { maxLength: 2 }),
      }),
    ),
  });
  forAll(rows, (some) => {
    const found = diffOf(diffRows(some));
    const { changes, findings, unseen, looks, pauses } = some;
    assert.is(found.readable, ![changes, findings, unseen, looks, pauses].includes(null));
    const record = diff.assemble({ ts: '', ...found });
    diff.schema.parse(record);
    const subject = ({ kind, key, name }: FactChange) => `${kind} ${kind === 'startup' ? name : key}`;
    const unvouched = new Set((changes ?? []).filter(({ packaged }) => !packaged).map(subject));
    const listed = (changes ?? []).filter((one) => unvouched.has(subject(one)));
    const counted = record.groups.flatMap(({ id, changes: of }) =>
      of.filter(({ event }) => event !== 'off' && id !== 'certificates').map(({ times: count }) => count),
    );
    const sum = counted.reduce((all, count) => all + count, 0);
    // Listeners that opened again are counted.
    const again = record.groups.some(({ id, short_lived: count }) => id === 'listeners' && count > 0);
    assert.ok(again ? sum <= listed.length : sum === listed.length);
    for (const group of record.groups)
      assert.is(unknownOf(group, record.since) === '', group.whole, group.id);
  });
});

test('the words: counts of each group, and which groups have nothing to show', () => {
  const record = diff.assemble({ ts: '', ...eventfulDay() });
  expect(Object.fromEntries(record.groups.map((one) => [one.id, countsText(one)]))).equals({
    findings: '1 opened, 1 came and went',
    startup: '1 added, 1 changed by packages',
    accounts: '1 added',
    listeners: '1 opened, 12 short-lived',
    programs: '',
    packages: '1 new version',
    certificates: '1 ends',
    blind: '1 did not run',
  });
  assert.equal(split(record).quiet, []);
  assert.equal(split(diff.assemble({ ts: '', ...diffOf(diffRows()) })).shown, []);
});

test.run();
