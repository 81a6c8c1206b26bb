/** Generations are sealed, chained and verified; a gate run is one transaction; the first use happens once per folder. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sealOf } from '../../../src/features/baseline/seal.ts';
import { generationFrom, inDatabase, recordRun, rowFrom, runFrom, within } from '../../support/baseline.ts';
import { expect } from '../../support/expect.ts';
import { forAll } from '../../support/for-all.ts';
import { findingFrom } from '../../support/state.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const test = suite('baseline in the store');
const root = memoryFolder('desk-baseline-');

const folder = (): string => mkdtempSync(join(root, 'b-'));

/** Changes the database directly, as a user with a shell could while the desk runs. */
const byHand = (path: string, ...statements: readonly string[]): void =>
  inDatabase(path, (database) => statements.forEach((statement) => void database.script(statement)));

const invalid = Uint8Array.of(0x2f, 0xff, 0x00, 0xfe);
const rows = [
  rowFrom('/usr/bin/a', { detail: '["a?0"]' }),
  rowFrom('not text', { key: invalid }),
  rowFrom('public tcp 22 /usr/sbin/sshd', { kind: 'listener', review: true }),
  rowFrom('traced, medium: /usr/bin/a', {
    kind: 'class',
    key: Buffer.from('traced\0/usr/bin/a\0\0medium'),
    review: true,
  }),
];
const plain = ({ kind, key, text, detail, review }: (typeof rows)[number]) => ({
  kind,
  key: [...key],
  text,
  detail,
  review,
});
const sorted = (list: readonly (typeof rows)[number][]) =>
  list.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

test('a generation is read back byte for byte, also after a restart', () => {
  const path = folder();
  within(path, (store) => {
    assert.is(store.baseline.addGeneration(generationFrom(rows)), 1);
    assert.equal(store.baseline.state().baseline, {
      generation: 1,
      learnedAt: '2026-01-02T03:04:05.000+00:00',
      identities: 2,
      seenAgain: 0,
      rows: 4,
      toReview: 2,
    });
  });
  within(path, (store) => {
    assert.equal(sorted(store.baseline.rows(1)), sorted(rows));
    assert.is(store.baseline.state().god, 1);
    assert.is(store.baseline.verifyHeld()?.state, 'sound');
    assert.is(store.baseline.generations().at(-1)?.digest.length, 64);
  });
  assert.is(statSync(join(path, 'baseline.key')).mode & 0o777, 0o600);
  assert.is(statSync(join(path, 'baseline.key')).size, 32);
  assert.not.ok(readdirSync(path).some((name) => name.endsWith('.tmp')));
});

const manualChanges: readonly (readonly [string, string])[] = [
  ['a row added', "INSERT INTO generation_rows VALUES (1, 'identity', x'2f65', '/e', '', 0, 0, 0)"],
  ['a row removed', "DELETE FROM generation_rows WHERE kind = 'listener'"],
  ['a key changed', "UPDATE generation_rows SET key = x'2f78' WHERE kind = 'listener'"],
  ['a text changed', "UPDATE generation_rows SET text = 'x' WHERE kind = 'listener'"],
  ['a detail changed', "UPDATE generation_rows SET detail = '[\"x?0\"]' WHERE text = '/usr/bin/a'"],
  ['a review mark removed', 'UPDATE generation_rows SET review = 0'],
  ['other privileges', "UPDATE generations SET privilege = 'uid 0' WHERE number = 1"],
  ['another time', "UPDATE generations SET learned_at = '2030-01-01T00:00:00Z' WHERE number = 1"],
  ['another way of learning', "UPDATE generations SET how = 'auto' WHERE number = 1"],
  ['another digest', "UPDATE generations SET digest = replace(digest, substr(digest, 1, 1), 'g')"],
  [
    'rows in the empty generation',
    "INSERT INTO generation_rows VALUES (0, 'identity', x'2f', '/', '', 0, 0, 0)",
  ],
];

for (const [name, statement] of manualChanges)
  test(`a manual change of the database is detected, also by an open store: ${name}`, () => {
    const path = folder();
    within(path, (store) => {
      store.baseline.addGeneration(generationFrom(rows));
      const { revision } = store.baseline.state();
      assert.is(store.baseline.verifyHeld()?.state, 'sound');
      byHand(path, statement);
      assert.is.not(store.baseline.state().revision, revision);
      const at = name === 'rows in the empty generation' ? 0 : 1;
      assert.is(store.baseline.verify(at)?.state, 'tampered', store.baseline.verify(at)?.detail);
    });
    within(path, (store) =>
      assert.is(store.baseline.verify(name === 'rows in the empty generation' ? 0 : 1)?.state, 'tampered'),
    );
  });

test('a seal made with another key or for another parent does not verify', () => {
  const path = folder();
  within(path, (store) => {
    store.baseline.addGeneration(generationFrom(rows));
    store.baseline.addGeneration(generationFrom(rows, { parent: 1 }));
    const [, first, second] = store.baseline.generations();
    if (first === undefined || second === undefined) throw new Error('no generations');
    byHand(
      path,
      `UPDATE generations SET digest = '${sealOf(Buffer.alloc(32), '', second, rows)}' WHERE number = 2`,
    );
    assert.is(store.baseline.verifyHeld()?.state, 'tampered');
    byHand(path, `UPDATE generations SET digest = '${second.digest}' WHERE number = 2`);
    assert.is(store.baseline.verifyHeld()?.state, 'sound');
    byHand(path, `UPDATE generations SET digest = '${'0'.repeat(64)}' WHERE number = 1`);
    assert.is(store.baseline.verifyHeld()?.state, 'tampered');
  });
});

test('an older generation activated manually is detected although its digest verifies', () => {
  const path = folder();
  within(path, (store) => {
    store.baseline.addGeneration(generationFrom(rows));
    store.baseline.addGeneration(generationFrom(rows.slice(0, 1), { parent: 1 }));
    byHand(
      path,
      'UPDATE generations SET authoritative = 0',
      'UPDATE generations SET authoritative = 1 WHERE number = 1',
    );
    assert.is(store.baseline.verify(1)?.state, 'sound');
    assert.match(store.baseline.verifyHeld()?.detail ?? '', 'newest');
  });
});

test('without an authoritative generation GOD is 0, and the store still opens', () => {
  const path = folder();
  within(path, (store) => store.baseline.addGeneration(generationFrom(rows)));
  byHand(path, 'UPDATE generations SET authoritative = 0');
  within(path, (store) => {
    assert.is(store.baseline.state().god, 0);
    assert.is(store.baseline.verifyHeld()?.state, 'tampered');
  });
});

test('a lost key is reported and is not recreated silently', () => {
  const path = folder();
  const key = join(path, 'baseline.key');
  within(path, (store) => {
    store.baseline.addGeneration(generationFrom(rows));
    chmodSync(key, 0o644);
    assert.is(store.baseline.verifyHeld()?.state, 'key-lost');
    chmodSync(key, 0o600);
    assert.is(store.baseline.verifyHeld()?.state, 'sound');
    writeFileSync(key, Buffer.alloc(31));
    assert.is(store.baseline.verifyHeld()?.state, 'key-lost');
    rmSync(key);
  });
  within(path, (store) => {
    assert.is(store.baseline.verifyHeld()?.state, 'key-lost');
    assert.not.ok(existsSync(key));
    // Starting again is always possible: the empty generation needs no key.
    assert.is(store.baseline.verify(0)?.state, 'sound');
    store.baseline.addGeneration(generationFrom([], { how: 'restored', parent: 0 }));
    assert.is(store.baseline.verifyHeld()?.state, 'sound');
    assert.is(store.baseline.verify(1)?.state, 'tampered');
  });
});

test('the digest depends on the set of rows, not on their order, and differs for different sets', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  const row = fc
    .record({
      kind: fc.constantFrom('identity' as const, 'listener' as const, 'class' as const),
      text,
      detail: text,
    })
    .map(({ kind, text: key, detail }) => rowFrom(key, { kind, detail }));
  const distinct = fc.uniqueArray(row, { maxLength: 6, selector: ({ kind, text: key }) => `${kind} ${key}` });
  const key = Buffer.alloc(32, 7);
  const about = { number: 1, parent: 0, privilege: 'p', learnedAt: 't', how: 'learned' as const };
  const seal = (list: readonly ReturnType<typeof rowFrom>[]) => sealOf(key, 'parent', about, list);
  forAll(distinct, distinct, (some, others) => {
    assert.is(seal(some), seal([...some].reverse()));
    const same = JSON.stringify(sorted(some)) === JSON.stringify(sorted(others));
    assert.is(seal(some) === seal(others), same);
  });
});

test('a gate run stores findings, residue, marks, generation and window in one transaction or not at all', () => {
  const path = folder();
  const finding = findingFrom();
  const change = { opened: [finding], closed: [], at: 'then' };
  const residue = [
    {
      finding: finding.id,
      owner: '',
      severity: 'high',
      kind: 'identity' as const,
      key: Buffer.from('/evil'),
    },
  ];
  within(path, (store) => {
    store.baseline.addGeneration(generationFrom(rows));
    store.baseline.openWindow(1, 2);
    store.baseline.keepWindowRows([rowFrom('/usr/bin/w')]);
    const breaking = function* () {
      yield rowFrom('/usr/bin/new');
      throw new Error('in the middle');
    };
    assert.throws(
      () =>
        recordRun(
          store,
          runFrom({
            changes: [change],
            residue,
            seen: rows.slice(0, 1),
            generation: generationFrom([], { parent: 1, rows: breaking() }),
            closesWindow: 'learned',
          }),
        ),
      /middle/,
    );
    assert.equal(store.gate.list(5), []);
    assert.equal(store.findings.open(), []);
    assert.is(store.baseline.state().baseline.generation, 1);
    assert.is(store.baseline.state().baseline.seenAgain, 0);
    assert.ok(store.baseline.state().window);
    assert.is(store.baseline.windowRows().length, 1);

    const made = recordRun(
      store,
      runFrom({
        changes: [change],
        residue,
        seen: rows.slice(0, 1),
        generation: generationFrom([rowFrom('/usr/bin/new')], { parent: 1 }),
        closesWindow: 'learned',
      }),
    );
    assert.is(made, 2);
    assert.is(store.gate.list(5).length, 1);
    assert.equal(store.findings.open(), [finding]);
    assert.is(store.baseline.rows(1).filter(({ seen }) => seen).length, 1);
    assert.is(store.baseline.state().window, null);
    assert.equal(store.baseline.windowRows(), []);
  });
});

test('a gate run with residue in its new generation is rejected', () => {
  const path = folder();
  within(path, (store) => {
    const residue = [
      {
        finding: 'f',
        owner: '',
        severity: 'high',
        kind: 'identity' as const,
        key: Buffer.from('/usr/bin/a'),
      },
    ];
    assert.throws(() => recordRun(store, runFrom({ residue, generation: generationFrom(rows) })), /residue/);
    assert.is(store.baseline.state().baseline.generation, 0);
    assert.equal(store.gate.list(5), []);
    assert.is(store.baseline.state().god, 1);
    assert.ok(store.baseline.state().firstUse);
  });
});

test('reviewed rows need no second review in the next generation', () => {
  within(folder(), (store) => {
    store.baseline.addGeneration(generationFrom(rows));
    assert.is(store.baseline.toReview().rows.length, 2);
    store.baseline.markReviewed();
    assert.is(store.baseline.state().baseline.toReview, 0);
    const other = rowFrom('public tcp 23 /usr/sbin/telnetd', { kind: 'listener', review: true });
    store.baseline.addGeneration(generationFrom([...rows, other], { parent: 1 }));
    expect(store.baseline.toReview().rows.map(({ text }) => text)).equals([other.text]);
    assert.is(store.baseline.verifyHeld()?.state, 'sound');
  });
});

test('rows of very old generations are deleted, and verification reports it', () => {
  within(folder(), (store) => {
    for (let number = 1; number <= 102; number++)
      store.baseline.addGeneration(generationFrom(rows.slice(0, 1), { parent: number - 1 }));
    assert.equal(store.baseline.rows(2), []);
    assert.is(store.baseline.rows(3).length, 1);
    assert.not.ok(store.baseline.generations()[2]?.kept);
    assert.match(store.baseline.verify(2)?.detail ?? '', 'deleted');
    assert.is(store.baseline.verifyHeld()?.state, 'sound');
  });
});

test('only one learning window is open at a time, and its end can be moved', () => {
  const path = folder();
  within(path, (store) => {
    store.baseline.openWindow(10, 20);
    store.baseline.openWindow(15, 40);
    const { number, ...window } = store.baseline.state().window ?? { number: 0 };
    assert.equal(window, { openedMs: 10, untilMs: 40 });
    store.baseline.keepWindowRows([rowFrom('/w')]);
    store.baseline.keepWindowRows([rowFrom('/w'), rowFrom('/v')]);
  });
  within(path, (store) => {
    expect(store.baseline.windowRows().map(({ text }) => text)).equals(['/v', '/w']);
  });
});

const deletions: readonly (readonly [string, (name: string) => boolean])[] = [
  ['the database', (name) => name.startsWith('desk.db')],
  ['the database and its mark', (name) => /^desk\.(db|store)/.test(name)],
  ['all but the key', (name) => name !== 'baseline.key'],
  ['all but the lock', (name) => name !== 'desk.lock'],
  ['all but the mail token', (name) => name !== 'mail.token'],
];

for (const [name, isDeleted] of deletions)
  test(`the first use is not repeated after deleting ${name}`, () => {
    const path = folder();
    within(path, (store) => {
      assert.ok(store.baseline.state().firstUse);
      store.baseline.addGeneration(generationFrom(rows, { how: 'first use' }));
      assert.not.ok(store.baseline.state().firstUse);
    });
    for (const other of ['desk.lock', 'mail.token']) writeFileSync(join(path, other), '', { mode: 0o600 });
    for (const file of readdirSync(path).filter(isDeleted)) rmSync(join(path, file));
    within(path, (store) => {
      assert.not.ok(store.baseline.state().firstUse);
      assert.ok(store.access.store.recovered);
      store.baseline.addGeneration(generationFrom(rows));
      assert.is(store.access.store.recovered, null);
    });
    within(path, (store) => assert.is(store.access.store.recovered, null));
  });

test('a folder that was emptied completely counts as new', () => {
  const path = folder();
  within(path, (store) => store.baseline.addGeneration(generationFrom(rows)));
  for (const file of readdirSync(path)) rmSync(join(path, file));
  within(path, (store) => {
    assert.is(store.access.store.recovered, null);
    assert.ok(store.baseline.state().firstUse);
  });
});

test('foreign files in a new folder do not prevent the first use', () => {
  const path = folder();
  writeFileSync(join(path, 'desk.toml'), '');
  within(path, (store) => {
    assert.is(store.access.store.recovered, null);
    assert.ok(store.baseline.state().firstUse);
  });
});

test('after a kill between the first learning and the removal of its mark, the next start removes the mark', () => {
  const path = folder();
  within(path, (store) => store.baseline.addGeneration(generationFrom(rows)));
  writeFileSync(join(path, 'desk.first-use'), '', { mode: 0o600 });
  within(path, (store) => assert.not.ok(store.baseline.state().firstUse));
  assert.not.ok(existsSync(join(path, 'desk.first-use')));
});

test('a restored empty generation does not count as learned', () => {
  const path = folder();
  within(path, () => undefined);
  rmSync(join(path, 'desk.db'));
  within(path, (store) => {
    assert.ok(store.access.store.recovered);
    store.baseline.addGeneration(generationFrom([], { how: 'restored' }));
    assert.ok(store.access.store.recovered);
  });
  within(path, (store) => assert.ok(store.access.store.recovered));
});

test.run();
