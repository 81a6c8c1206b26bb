import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AVENUE_IDS } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { Verdicts } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { judgementOf } from '../../src/findings/judgement.ts';
import type { Severity } from '../../src/policy/severity.ts';
import { expect } from '../support/expect.ts';
import { judgeBy as judge } from '../support/judge.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const known = { identities: new Set<bigint>(), listeners: new Set<string>(), classes: new Set<string>() };
const context = {
  snapshot: snapshotFrom({ processes: [], listeners: [] }),
  law: lawOf(configSchema.parse({})),
  known,
};
const quiet = judge(
  CHECKS.filter(({ id }) => id !== 'orphan-parent'),
  context,
);

const judgementFrom = (generation: number, verdicts: Verdicts, findings: readonly Finding[]) =>
  judgementOf({
    generation,
    checks: CHECKS,
    quick: verdicts,
    everyTier: verdicts,
    notes: verdicts.notes,
    suppressed: [],
    findings,
    members: new Map(),
  });

const finding = (severity: Severity, avenue: Finding['avenue'] = 'inject_clip'): Finding => ({
  id: `${severity}-${avenue}`,
  check: 'traced',
  avenue,
  severity,
  subject: { kind: 'desk' },
  members: { count: 1, pids: [] },
  summary: 's',
  evidence: {},
  about: null,
  evidenceClass: '',
  firstSeen: 'a',
  lastSeen: 'a',
  benign: 'b',
  remedy: 'r',
  scar: severity !== 'low',
});

test('the six avenues are in order, and closed without open findings', () => {
  const judgement = judgementFrom(7, quiet, []);
  expect(judgement.avenues.map(({ id }) => id)).equals([...AVENUE_IDS]);
  assert.ok(judgement.avenues.every(({ open }) => !open));
  assert.is(judgement.quietShare, 1);
  assert.is(judgement.generation, 7);
});

test('the open score weighs 1, 3, 9, 27', () => {
  const severities: Severity[] = ['low', 'medium', 'high', 'critical'];
  assert.is(
    judgementFrom(
      1,
      quiet,
      severities.map((s) => finding(s)),
    ).openScore,
    40,
  );
});

test('a low finding opens its avenue and is not a scar; a scar opens the scar avenue too', () => {
  const open = (findings: Finding[]) =>
    judgementFrom(1, quiet, findings)
      .avenues.filter((avenue) => avenue.open)
      .map(({ id }) => id);
  assert.equal(open([finding('low', 'new_comm')]), ['new_comm']);
  assert.equal(open([finding('medium', 'public_listen')]), ['public_listen', 'scar']);
});

test('a note opens its avenue, lowers the quiet share and has its remedy', () => {
  const unlearned = judge(CHECKS, { ...context, snapshot: snapshotFrom({}), known: null });
  const judgement = judgementFrom(1, unlearned, []);
  const avenue = judgement.avenues.find(({ id }) => id === 'secure_learn');
  assert.ok(avenue?.open);
  assert.match(avenue?.detail ?? '', /empty baseline/);
  assert.ok(judgement.quietShare < 1 && judgement.quietShare > 0);
  assert.is(judgement.scars.length, 0);
});

test('what a later scan may read is in the judgement, and not in its notes', () => {
  const missed = [{ place: 'shell', path: '/' }];
  const note = { check: 'startup-entry', avenue: 'new_comm', reason: 'r', cure: '', subjects: 1 } as const;
  const judgement = judgementFrom(1, { ...quiet, notes: [{ ...note, missed }] }, []);
  expect(judgement.missed).equals(missed);
  expect(judgement.notes).equals([note]);
});

test('blind checks with the same remedy list it once', () => {
  const note = (check: string, reason: string, cure: string) => ({
    ...{ check, reason, cure, subjects: 1 },
    avenue: 'inject_clip' as const,
  });
  const notes = [
    note('a', 'x hides', 'be root'),
    note('b', 'y is shut', ''),
    note('c', 'z hides', 'be root'),
  ];
  const [avenue] = judgementFrom(
    1,
    { ...quiet, notes: [...notes, note('d', 'x hides', 'be root')] },
    [],
  ).avenues;
  assert.is(avenue?.detail, 'x hides, z hides (be root), y is shut');
});

test.run();
