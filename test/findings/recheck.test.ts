/** Which findings a recheck keeps open, on hand-made snapshots. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedVerdicts } from '../../src/checks/cached-verdicts.ts';
import { friedProcess } from '../../src/checks/fried-process.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { processSubject } from '../../src/checks/subjects.ts';
import { Gathering } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { type Finding, type Judgement, MOST_PIDS } from '../../src/findings/finding.ts';
import { memberId, memberKey } from '../../src/findings/finding-id.ts';
import type { Recheck, Rechecked } from '../../src/findings/recheck.ts';
import type { Law } from '../../src/policy/law.ts';
import { checkOf } from '../support/judge.ts';
import { recheckFrom } from '../support/recheck.ts';
import { SMALL_MACHINE, snapshotFrom } from '../support/snapshot.ts';
import { findingFrom } from '../support/state.ts';
import { type ProcessRow, tableFrom } from '../support/table.ts';

const plain = lawOf(configSchema.parse({}));
const check = checkOf('traced');

const { subject } = findingFrom();
const held: Finding = findingFrom({ id: memberId({ check, subject }), evidenceClass: '' });

const recheckWith = (law: () => Law, cached: CachedVerdicts, sweep = () => snapshotFrom()): Recheck =>
  recheckFrom({ law, cached, sweep: async () => sweep(), open: [held] });

test('a finding whose check is blind stays open until the law explains it', async () => {
  const cached = new CachedVerdicts();
  const gathering = new Gathering({ confirmed: true });
  gathering.blind(check, { reason: 'refused', cure: '', hides: () => true });
  cached.set('traced', gathering.verdicts());
  let law = plain;
  const recheck = recheckWith(() => law, cached);
  assert.equal((await recheck.run(null)).judgement.findings, [held]);
  law = {
    ...plain,
    suppressions: [{ checks: ['traced'], why: 'ours', expiresMs: null, source: 'accepted', name: '' }],
  };
  assert.equal((await recheck.run(null)).closed, [held]);
});

test('a cached fail is evaluated against the current law', async () => {
  const cached = new CachedVerdicts();
  const gathering = new Gathering({ confirmed: true });
  gathering.report(check).fail({ subject, summary: 's', evidence: {} });
  cached.set('traced', gathering.verdicts());
  let law = plain;
  const recheck = recheckWith(() => law, cached);
  const first = await recheck.run(null);
  assert.equal([first.judgement.findings.length, first.judgement.suppressed.length], [1, 0]);
  const expiresMs = first.snapshot.at.epochMs;
  const suppression = { checks: ['traced'], why: 'ours', source: 'law', name: '' } as const;
  law = { ...plain, suppressions: [{ ...suppression, expiresMs: expiresMs + 1 }] };
  const second = await recheck.run(null);
  assert.equal(
    second.judgement.suppressed.map(({ severity, source, why }) => [severity, source, why]),
    [['medium', 'law', 'ours']],
  );
  assert.equal([second.closed.length, second.judgement.everyTier], [1, { pass: 1, fail: 0, blind: 0 }]);
  law = { ...plain, suppressions: [{ ...suppression, expiresMs }] };
  assert.is((await recheck.run(null)).opened.length, 1, 'at its end it counts again');
});

test('cached fails are evaluated again when an exception expires, the clock goes back, or the fail changes', async () => {
  const cached = new CachedVerdicts();
  const say = (evidenceClass: string): void => {
    const gathering = new Gathering({ confirmed: true });
    gathering.report(check).fail({ subject, summary: 's', evidence: {}, evidenceClass });
    cached.set('traced', gathering.verdicts());
  };
  say('a');
  const { at } = snapshotFrom();
  const suppression = {
    checks: ['traced'],
    evidenceClass: ['a'],
    why: 'ours',
    source: 'law',
    name: '',
  } as const;
  const law = { ...plain, suppressions: [{ ...suppression, expiresMs: at.epochMs }] };
  let nowMs = at.epochMs - 1;
  const recheck = recheckWith(
    () => law,
    cached,
    () => ({ ...snapshotFrom(), at: { ...at, epochMs: nowMs } }),
  );
  const found = async () => (await recheck.run(null)).judgement.findings.length;
  assert.equal([await found(), await found()], [0, 0]);
  nowMs++;
  assert.equal([await found(), await found()], [1, 1]);
  nowMs--;
  assert.is(await found(), 0);
  say('b');
  assert.is(await found(), 1);
});

test('an uncertain fail neither opens a finding nor changes an open one, until it persists', async () => {
  const cached = new CachedVerdicts();
  const update = (unattributed: boolean, severity: 'medium' | 'high') => {
    const gathering = new Gathering({ confirmed: true });
    gathering.report(check).fail({ subject, summary: 's', evidence: {}, severity, unattributed });
    cached.set('traced', gathering.verdicts());
  };
  let nowMs = 1_000_000;
  const recheckOf = (open: readonly Finding[]) =>
    recheckFrom({ cached, open, sweep: async () => snapshotFrom({ at: { epochMs: nowMs, offsetMin: 0 } }) });
  const severities = async (recheck: Recheck) =>
    (await recheck.run(null)).judgement.findings.map(({ severity }) => severity);
  update(true, 'high');
  const [fresh, open] = [recheckOf([]), recheckOf([held])];
  assert.equal([await severities(fresh), await severities(open)], [[], [held.severity]]);
  nowMs += 2_000;
  assert.equal([await severities(fresh), await severities(open)], [['high'], ['high']]);
  update(false, 'high');
  assert.equal(await severities(recheckOf([])), ['high']);
});

test('a zombie fails after it was seen dead for the time limit; one that was dead before the first recheck fails at once', async () => {
  const [pid, start] = [1000, 1n];
  let nowMs = 1_000_000;
  const recheckOf = () =>
    recheckFrom({
      checks: [friedProcess],
      sweep: async () => snapshotFrom({ at: { epochMs: nowMs }, processes: [...SMALL_MACHINE, row] }),
    });
  const found = async (recheck: Recheck) =>
    (await recheck.run(null)).judgement.findings.map(({ check }) => check);
  let row: ProcessRow = { pid, start, state: 'S' };
  const recheck = recheckOf();
  assert.equal(await found(recheck), []);
  row = { pid, start, state: 'Z' };
  assert.equal(await found(recheck), []);
  nowMs += 59_999;
  assert.equal(await found(recheck), []);
  nowMs += 1;
  assert.equal(await found(recheck), ['fried-process']);
  assert.equal(await found(recheckOf()), ['fried-process']);
});

/** Rechecks the snapshots in `processes` with all checks, 10 ms apart. */
function recheckOf(
  processes: () => readonly ProcessRow[],
  law: () => Law = () => plain,
  open: readonly Finding[] = [],
) {
  const clock = { epochMs: 1_000_000 };
  const recheck = recheckFrom({
    checks: CHECKS,
    ...{ law, open },
    sweep: async () => {
      clock.epochMs += 10;
      return snapshotFrom({ at: clock, processes: [...SMALL_MACHINE, ...processes()] });
    },
  });
  return { recheck, clock };
}

const odd = ({ findings }: Judgement) => findings.filter(({ check: id }) => id === 'odd-executable-path');
const inTmp = (pid: number): ProcessRow => ({ pid, start: BigInt(pid), exe: '/tmp/forks', comm: 'forks' });

test('all members of a finding are known, not only those that it names; a later process with the pid of one is none of them', async () => {
  const pids = Array.from({ length: MOST_PIDS + 6 }, (_, at) => 1000 + at);
  let rows = pids.map(inTmp);
  const { recheck } = recheckOf(() => rows);
  const memberOf = ({ judgement, snapshot: { processes } }: Rechecked, pid: number) => {
    const key = memberKey('odd-executable-path', processSubject(processes, processes.rowOf(pid)));
    return odd(judgement).some(({ id }) => judgement.members.get(id)?.has(key));
  };
  const all = await recheck.run(null);
  assert.is(odd(all.judgement).length, 1);
  assert.ok(pids.every((pid) => memberOf(all, pid)));
  assert.is(memberOf(all, 500), false);
  rows = [...pids.slice(1).map(inTmp), { pid: 1000, start: 9n, exe: '/usr/bin/other', comm: 'other' }];
  const later = await recheck.run(null);
  assert.equal([memberOf(later, 1000), memberOf(later, 1001)], [false, true]);
});

test('the members of a finding that stays open by itself are not those that have their pids later', async () => {
  let pid = 1000;
  let other: readonly ProcessRow[] | null = null;
  const { recheck } = recheckOf(() => other ?? [inTmp(pid++)]);
  // It ends and comes again, so it stays open when it ends the next time.
  for (const rows of [null, [], null]) {
    other = rows;
    await recheck.run(null);
  }
  const last = pid - 1;
  other = [{ pid: last, start: 9_000_000n, exe: '/usr/bin/other', comm: 'other' }];
  const { judgement, closed } = await recheck.run(null);
  const [finding] = odd(judgement);
  assert.equal([closed.length, finding?.members.pids.includes(last)], [0, true], 'it names the pid');
  const members = judgement.members.get(finding?.id ?? '');
  const keyOf = (row: ProcessRow) => memberKey('odd-executable-path', processSubject(tableFrom([row]), 0));
  assert.equal(
    [members?.has(keyOf(inTmp(last))), ...other.map((row) => members?.has(keyOf(row)))],
    [true, false],
  );
});

test('a process with a new pid in every recheck is a finding from the second recheck on', async () => {
  let pid = 1000;
  let there = true;
  let law = plain;
  const { recheck, clock } = recheckOf(
    () => (there ? [inTmp(pid++)] : []),
    () => law,
  );
  const [first] = odd((await recheck.run(null)).judgement);
  assert.is(first?.severity, 'medium', 'two samples are enough');
  there = false;
  assert.is((await recheck.run(null)).closed.length, 1);
  there = true;
  const back = await recheck.run(null);
  assert.equal([back.opened.map(({ id }) => id), odd(back.judgement).length], [[first?.id], 1]);
  there = false;
  for (const _ of Array.from({ length: 10 })) assert.is((await recheck.run(null)).closed.length, 0);
  clock.epochMs += 60_000;
  assert.is((await recheck.run(null)).closed.length, 1, 'gone for a minute');
  clock.epochMs += 60_000;
  law = { ...plain };
  assert.is((await recheck.run(null)).opened.length, 0);
});

test('a program that comes and goes stays open over a change of the law and a restart, until it was not seen for a minute', async () => {
  let pid = 1000;
  let there = true;
  let law = plain;
  const before = recheckOf(
    () => (there ? [inTmp(pid++)] : []),
    () => law,
  );
  for (const shown of [true, false, true]) {
    there = shown;
    await before.recheck.run(null);
  }
  there = false;
  law = { ...plain };
  const { judgement, closed } = await before.recheck.run(null);
  assert.equal([closed.length, odd(judgement).length], [0, 1]);
  const restart = () => recheckOf(() => (there ? [inTmp(pid++)] : []), undefined, odd(judgement));
  const after = restart();
  assert.is((await after.recheck.run(null)).closed.length, 0);
  there = true;
  assert.is((await after.recheck.run(null)).opened.length, 0, 'it goes on');
  there = false;
  after.clock.epochMs += 59_000;
  assert.is((await after.recheck.run(null)).closed.length, 0);
  after.clock.epochMs += 60_000;
  assert.is((await after.recheck.run(null)).closed.length, 1);
  // One that does not come back closes, too.
  const gone = restart();
  assert.is((await gone.recheck.run(null)).closed.length, 0);
  gone.clock.epochMs += 60_000;
  assert.is((await gone.recheck.run(null)).closed.length, 1);
});

test('a process seen in every second recheck, in one sample of it, is a finding, and accepting it closes it at once', async () => {
  let passes = 0;
  let law = plain;
  const { recheck } = recheckOf(
    () => (passes++ % 2 === 0 ? [inTmp(1000 + passes)] : []),
    () => law,
  );
  const seenOnce = await recheck.run(null);
  assert.is(odd(seenOnce.judgement).length, 0);
  const again = await recheck.run(null);
  assert.is(odd(again.judgement).length, 1);
  assert.is((await recheck.run(null)).closed.length, 0);
  const suppression = { checks: ['odd-executable-path'], why: 'ours', source: 'law', name: '' } as const;
  law = { ...plain, suppressions: [{ ...suppression, expiresMs: null }] };
  assert.equal(odd((await recheck.run(null)).judgement), []);
});

test('a process that starts between the two samples of a recheck, and stays, does not come and go: its finding closes when it ends', async () => {
  const other: ProcessRow = { pid: 1000, start: 1000n, exe: '/tmp/other', comm: 'other' };
  const samples = [[other], [other, inTmp(1001)], [other, inTmp(1001)], [other]];
  const { recheck } = recheckOf(() => samples.shift() ?? []);
  assert.is((await recheck.run(null)).opened.length, 1, 'the other one');
  const [opened] = (await recheck.run(null)).opened;
  assert.is(opened?.subject.kind === 'process' && opened.subject.pid, 1001);
  assert.equal(
    (await recheck.run(null)).closed.map(({ id }) => id),
    [opened?.id],
  );
});

test.run();
