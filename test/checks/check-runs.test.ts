/** A check that throws in any of its functions is blind, and the verdicts of all other checks are unchanged. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check, Fail, FailParts, RuleCheck } from '../../src/checks/check.ts';
import { CheckRuns } from '../../src/checks/check-runs.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { NO_RESIDUE } from '../../src/checks/residue.ts';
import { type BlindRule, flag } from '../../src/checks/rule.ts';
import { Gathering, type Verdicts } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import { FACT } from '../../src/engine/native/types.ts';
import { failing, verdictsOf } from '../../src/features/inspection/judge.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { forAllOf } from '../support/for-all.ts';
import { judgeBy } from '../support/judge.ts';
import { factsFrom, mapping, mappings, PEEK_CHECKS, processFrom } from '../support/peek.ts';
import { recheckFrom } from '../support/recheck.ts';
import { SMALL_MACHINE, snapshotFrom } from '../support/snapshot.ts';

const law = lawOf(configSchema.parse({}));
/** Almost every check fails or is blind for something here. */
const snapshot = snapshotFrom({
  processes: [
    ...SMALL_MACHINE,
    { pid: 1000, exe: '/tmp/x' },
    { pid: 1001, exe: '/memfd:a (deleted)', comm: 'kworker/0:1', uid: 0 },
    { pid: 1002, exe: '/home/u/.x/c', comm: 'bash', tracer: 1000, ppid: 77 },
    { pid: 1003, exe: '/usr/bin/gone (deleted)' },
    { pid: 1004, state: 'Z' },
    { pid: 1005, refused: FACT.exe, seen: FACT.stat | FACT.status },
  ],
  listeners: [
    { port: 8766 },
    { port: 22, address: '0.0.0.0' },
    { port: 1234 },
    { port: 99, holders: [], owner: 'ownerless', executable: '' },
  ],
  probes: [{ id: 'sock_diag udp6', works: false, reason: 'x', cure: 'y' }] as never,
});
const context = { snapshot, law, known: null, residue: NO_RESIDUE, baseline: null };

const thrown = (): never => {
  throw new TypeError('undefined; is\nnot a function');
};
const REASON = 'the check failed: undefined, is not a function';

/** The parts of a check of tier 1, each with the way it is broken. */
const BREAKS: Readonly<Record<string, (check: RuleCheck) => RuleCheck>> = {
  rule: (check) => ({ ...check, rule: thrown }),
  explain: (check) => ({ ...check, explain: thrown }),
  'text of a fail': (check) => ({
    ...check,
    explain: (...asked) => ({
      ...check.explain(...asked),
      summary: '',
      get evidence() {
        return thrown();
      },
    }),
  }),
  given: (check) => ({ ...check, given: thrown }),
  blindness: (check) => ({ ...check, blindness: thrown }),
  cure: (check) =>
    withBlind(check, { when: { kind: 'constant', value: true }, reason: 'x', cure: thrown, hides: false }),
  parameter: (check) =>
    withBlind(check, { when: flag({ name: 'broken', of: thrown }), reason: 'x', cure: '', hides: false }),
};

function withBlind(check: RuleCheck, blind: BlindRule<never>): RuleCheck {
  return {
    ...check,
    rule: (...asked) => {
      const rule = check.rule(...asked);
      return { ...rule, blind: [blind, ...(rule.blind ?? [])] } as typeof rule;
    },
  };
}

const failsOf = ({ fails }: Verdicts, id: string): readonly Omit<Fail, 'check'>[] =>
  fails.filter(({ check }) => check.id === id).map(({ check: _, ...fail }) => fail);

/** The verdicts of all checks except one. */
const butOf = (verdicts: Verdicts, broken: string) =>
  CHECKS.filter(({ id }) => id !== broken).map(({ id }) => [
    id,
    failsOf(verdicts, id),
    verdicts.notes.filter(({ check }) => check === id),
  ]);

function runsThatLog() {
  const logged: unknown[] = [];
  return { runs: new CheckRuns(() => performance.now(), { error: (about) => logged.push(about) }), logged };
}

const whole = judgeBy(CHECKS, context);
const rules = CHECKS.filter((check): check is RuleCheck => 'rule' in check);

for (const [part, broken] of Object.entries(BREAKS))
  test(`tier 1: ${part} of one check throws, and only that check is blind`, () => {
    for (const check of rules) {
      const { runs, logged } = runsThatLog();
      const now = judgeBy(
        CHECKS.map((one) => (one === check ? broken(check) : one)),
        context,
        runs,
      );
      assert.equal(butOf(now, check.id), butOf(whole, check.id), check.id);
      const before = failsOf(whole, check.id);
      const notes = now.notes.filter((note) => note.check === check.id && note.reason === REASON);
      const byRow = ['explain', 'text of a fail', 'given'].includes(part);
      if (byRow && before.length === 0) assert.equal([notes, logged], [[], []], check.id);
      else {
        assert.equal([failsOf(now, check.id), notes.length, logged.length], [[], 1, 1], check.id);
        assert.is(notes[0]?.subjects, byRow ? before.length : 1, check.id);
        // An open finding of this check does not expire.
        for (const { subject } of before) assert.ok(now.hidden(check.id, subject), check.id);
      }
      if (byRow) assert.is(now.pass + now.fail + now.blind, whole.pass + whole.fail + whole.blind, check.id);
      assert.is(runs.totals.get(check.id)?.errors, notes.length);
    }
  });

test('tier 1: a check without rows that throws keeps its open findings', () => {
  for (const check of CHECKS.filter((one) => 'judge' in one)) {
    const { runs } = runsThatLog();
    const subject = { kind: 'host', name: 'x' } as const;
    const broken: Check = {
      ...check,
      judge: (_, report) => {
        report.fail({ subject, summary: 'x', evidence: {} });
        thrown();
      },
    };
    const now = judgeBy(
      CHECKS.map((one) => (one === check ? broken : one)),
      context,
      runs,
    );
    assert.equal(butOf(now, check.id), butOf(whole, check.id));
    assert.equal([failsOf(now, check.id).length, now.hidden(check.id, subject)], [1, true]);
  }
});

test('when checks throw for some rows, all other rows and checks are judged exactly', () => {
  forAllOf(60)(fc.subarray(rules), fc.subarray([0, 1, 2, 3, 7, 8, 9, 10, 11, 12]), (chosen, rows) => {
    const { runs } = runsThatLog();
    const now = judgeBy(
      CHECKS.map(
        (one): Check =>
          chosen.includes(one as RuleCheck)
            ? {
                ...(one as RuleCheck),
                explain: (about, row) =>
                  rows.includes(row) ? thrown() : (one as RuleCheck).explain(about, row),
              }
            : one,
      ),
      context,
      runs,
    );
    assert.is(now.pass + now.fail + now.blind, whole.pass + whole.fail + whole.blind);
    const ids = chosen.map(({ id }) => id);
    const kept = (all: Verdicts) => all.fails.filter(({ check }) => !ids.includes(check.id)).length;
    assert.is(kept(now), kept(whole));
    const lost = whole.fail - now.fail;
    assert.is(now.blind - whole.blind, lost);
  });
});

test('a check that throws is logged once for each message, for any thrown value', () => {
  const { runs, logged } = runsThatLog();
  const check = { id: 'x' };
  const nothing = Object.create(null) as object;
  for (const error of [new Error('a'), new Error('a'), 'a', new Error('b'), nothing, nothing, undefined])
    runs.run(check, () => {
      throw error;
    });
  assert.is(logged.length, 4);
  assert.equal(runs.totals.get('x')?.errors, 7);
  for (let at = 0; at < 1000; at++) runs.failed(check, new Error(`message ${at} ${'x'.repeat(1000)}`));
  assert.ok(logged.length <= 256);
  assert.ok(runs.failed(check, new Error('x'.repeat(5000))).reason.length < 300);
});

test('a check that throws does not stop a recheck: its findings remain open, and other findings open', async () => {
  const { runs, logged } = runsThatLog();
  let broken = false;
  const checks = CHECKS.map(
    (check): Check =>
      check.id === 'odd-executable-path' && 'explain' in check
        ? { ...check, rule: (...asked) => (broken ? thrown() : check.rule(...asked)) }
        : check,
  );
  let now = law;
  const recheck = recheckFrom({ checks, runs, law: () => now, sweep: async () => snapshot });
  const idsOf = (findings: readonly Finding[]) => findings.map(({ id }) => id).sort();
  const { judgement: first } = await recheck.run(null);
  assert.ok(first.findings.some(({ check }) => check === 'odd-executable-path'));
  broken = true;
  now = { ...law };
  for (let round = 0; round < 2; round++) {
    const { judgement } = await recheck.run(null);
    assert.equal(idsOf(judgement.findings), idsOf(first.findings));
    assert.ok(judgement.notes.some(({ reason }) => reason === REASON));
  }
  assert.is(logged.length, 1);
  const totals = [...runs.totals].map(([id, { seconds }]) => [id, Number.isFinite(seconds) && seconds >= 0]);
  assert.ok(totals.every(([, good]) => good));
  for (const id of ['batch', 'traced', 'preload-file']) assert.ok((runs.totals.get(id)?.runs ?? 0) >= 3, id);
});

test('tier 2: a check that throws is blind for that process only, and other checks are unchanged', () => {
  const facts = factsFrom({
    maps: {
      writableCode: mappings(mapping('', 'rwxp')),
      deletedCode: { ...mappings(mapping('/x (deleted)')), replaced: false },
    },
    environment: { LD_PRELOAD: '/tmp/p.so' },
  });
  const [subject, other] = [processFrom(), processFrom({ pid: 701 })];
  const whole = verdictsOf(PEEK_CHECKS, [facts, facts], { law, subject });
  assert.ok(whole.fails.length >= 3);
  for (const check of PEEK_CHECKS) {
    const { runs, logged } = runsThatLog();
    const checks = PEEK_CHECKS.map((one) => (one === check ? { ...one, peek: thrown } : one));
    const found = failing(checks, facts, { law, subject }, runs);
    assert.is(found.get(check.id)?.reason, REASON);
    const now = verdictsOf(checks, [facts, facts], { law, subject }, runs);
    assert.equal(butOf(now, check.id), butOf(whole, check.id));
    assert.equal(
      [failsOf(now, check.id), now.hidden(check.id, subject), now.hidden(check.id, other), logged.length],
      [[], true, false, 1],
    );
  }
  // It threw in the first scan only: its fails in the second one are neither confirmed nor passed.
  const fails = whole.fails.map(({ check }) => check.id);
  for (const check of PEEK_CHECKS.filter(({ id }) => fails.includes(id))) {
    let asked = 0;
    const once = {
      ...check,
      peek: (...args: Parameters<typeof check.peek>) => (asked++ === 0 ? thrown() : check.peek(...args)),
    };
    const { pass, fail, blind } = verdictsOf([once], [facts, facts], { law, subject }, runsThatLog().runs);
    assert.equal([pass, fail, blind], [0, 0, 1], check.id);
  }
});

test('a blind scope that throws makes all of its check blind, and nothing of other checks', async () => {
  const { runs, logged } = runsThatLog();
  const gathering = new Gathering({ confirmed: true, runs });
  const [check, other] = CHECKS as readonly [Check, Check];
  gathering.blind(check, { reason: 'x', cure: '', hides: thrown });
  await gathering.wait(other, async (report) => {
    report.pass();
    await Promise.resolve();
  });
  const { hidden, blind, pass } = gathering.verdicts();
  const { subject } = { subject: processFrom() } as Pick<FailParts, 'subject'>;
  assert.equal([hidden(check.id, subject), hidden(other.id, subject), blind, pass], [true, false, 1, 1]);
  await gathering.wait(other, async () => thrown());
  assert.equal([gathering.verdicts().hidden(other.id, subject), logged.length], [true, 2]);
});

test.run();
