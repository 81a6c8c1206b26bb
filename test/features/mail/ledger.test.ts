/** The people ledger: independent of order, batches and repeats; removal, the size limit, pages and cursors. */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLedgerReader } from '../../../src/features/mail/ledger/reader.ts';
import { cleanName } from '../../../src/features/mail/people/name.ts';
import { LONGEST_CURSOR, PEOPLE_ORDERS, type PeopleQuery } from '../../../src/records/ledger.ts';
import { expect } from '../../support/expect.ts';
import { forAllOf } from '../../support/for-all.ts';
import { bytesIn, freshIn, messagesAlone, NOW, rowsOf, withLedger } from '../../support/ledger.ts';
import { corpus } from '../../support/mail-corpus.ts';
import { columnsOf, type MessageFacts, readHeader } from '../../support/message-facts.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const test = suite('people ledger');
const root = memoryFolder('desk-ledger-');

const ME = 'me@desk.example';
const DAY = 86_400_000;

const message = (lines: string): MessageFacts => readHeader(Buffer.from(`${lines}\n\n`), NOW);
let counter = 0;
/** A message with its own id, dated the given number of days ago. */
const mail = (from: string, to: string, daysAgo: number, more = ''): MessageFacts => {
  counter += 1;
  const date = new Date(NOW - daysAgo * DAY).toUTCString();
  return message(`From: ${from}\nTo: ${to}\nDate: ${date}\nMessage-ID: <${counter}@test>\n${more}`.trimEnd());
};

const ledgerOf = (messages: readonly MessageFacts[], change = {}): string => {
  const folder = freshIn(root);
  withLedger(
    folder,
    (ledger) => {
      ledger.commit(messagesAlone(messages));
      ledger.finish();
    },
    change,
  );
  return folder;
};
const personIn = (folder: string, address: string) => rowsOf(folder).find((one) => one.address === address);

test('received, sent and copied messages and the first contact are counted per person', () => {
  const folder = ledgerOf([
    mail(`Ada <ada@example.org>`, ME, 10),
    mail(ME, 'Ada Lovelace <ADA@Example.ORG>', 9, 'Cc: Bob <bob@example.org>'),
    mail('Ada Lovelace <ada@example.org>', `${ME}, carol@example.org`, 8, 'Cc: bob@example.org'),
    mail(ME, 'dora@example.org', 7, 'Cc: dora@example.org, ada@example.org'),
    mail(ME, ME, 6),
  ]);
  const facts = rowsOf(folder).map(({ address, received, sent, copied, firstContact, names }) => [
    address.split('@')[0],
    received,
    sent,
    copied,
    firstContact,
    names.join('|'),
  ]);
  assert.equal(facts, [
    ['ada', 2, 1, 1, 'in', 'Ada Lovelace|Ada'],
    ['bob', 0, 0, 2, 'out', 'Bob'],
    ['carol', 0, 0, 1, 'beside', ''],
    ['dora', 0, 1, 0, 'out', ''],
  ]);
  assert.equal(personIn(folder, 'ada@example.org')?.firstMs, NOW - 10 * DAY);
  assert.equal(personIn(folder, 'ada@example.org')?.lastMs, NOW - 7 * DAY);
});

test('an address is a list or program if all of its messages or the address itself say so', () => {
  const folder = ledgerOf([
    mail('only@example.org', 'devel@lists.example', 5, 'List-Id: <devel.lists.example>\nPrecedence: bulk'),
    mail('both@example.org', 'devel@lists.example', 5, 'List-Id: <devel.lists.example>'),
    mail('both@example.org', ME, 4),
    mail('robot@example.org', ME, 4, 'Auto-Submitted: auto-generated'),
    mail('away@example.org', ME, 4, 'Auto-Submitted: auto-replied'),
    mail('away@example.org', ME, 3, 'Auto-Submitted: no'),
    mail('no-reply@example.org', ME, 3),
    mail(ME, 'noreply@shop.example', 3),
  ]);
  const flags = Object.fromEntries(
    rowsOf(folder).map(({ address, list, automated }) => [address.split('@')[0], [list, automated]]),
  );
  assert.equal(flags, {
    away: [false, false],
    both: [false, false],
    devel: [false, false],
    'no-reply': [false, true],
    noreply: [false, true],
    only: [true, false],
    robot: [false, true],
  });
});

test('people you wrote to rank first, then recent and frequent ones, programs and lists last', () => {
  const folder = ledgerOf([
    ...Array.from({ length: 9 }, (_, n) => mail('noreply@shop.example', ME, n)),
    mail(ME, 'old.friend@example.org', 900),
    mail('stranger@example.org', ME, 1),
    ...Array.from({ length: 5 }, (_, n) => mail('often@example.org', ME, 2 + n)),
    ...Array.from({ length: 8 }, (_, n) => mail('once.often@example.org', ME, 1500 + n)),
    mail(ME, 'friend@example.org', 30),
    mail('lister@example.org', 'l@lists.example', 0, 'List-Id: <l>'),
  ]);
  const reader = openLedgerReader(folder);
  const order = [...reader.all()].map(({ address }) => address.split('@')[0]);
  reader.close();
  expect(order.filter((name) => name !== 'l')).equals([
    'friend',
    'old.friend',
    'often',
    'stranger',
    'once.often',
    'noreply',
    'lister',
  ]);
});

/** Messages with few people, names and times, so that many combinations occur. */
const facts = fc
  .record({
    from: fc.constantFrom(
      ME,
      'ada@example.org',
      'Ada Lovelace <ada@example.org>',
      'Ada Lovelace <ada@examp1e.org>',
      'noreply@exannple.org',
      'Bob Byrne <bob@firma.example>',
      'Bob Byrne <bob@other.example>',
    ),
    to: fc.subarray([
      ME,
      'ada@example.org',
      'Ada L <ada@example.org>',
      'bob@firma.example',
      'carol@firmb.example',
      'Bob Byrne <bob2@firma.example>',
    ]),
    cc: fc.subarray(['dora@example.org', 'ada@example.org', 'eve@firma.exampel']),
    day: fc.option(fc.integer({ min: 0, max: 9 })),
    id: fc.integer({ min: 0, max: 30 }),
    list: fc.boolean(),
    robot: fc.boolean(),
  })
  .map(({ from, to, cc, day, id, list, robot }) =>
    message(
      [
        `From: ${from}`,
        ...(to.length > 0 ? [`To: ${to.join(', ')}`] : []),
        ...(cc.length > 0 ? [`Cc: ${cc.join(', ')}`] : []),
        ...(day === null ? [] : [`Date: ${new Date(NOW - day * DAY).toUTCString()}`]),
        `Message-ID: <${id}@x>`,
        ...(list ? ['List-Id: <l>'] : []),
        ...(robot ? ['Auto-Submitted: auto-generated'] : []),
      ].join('\n'),
    ),
  );

test('the rows do not depend on order, batches, repeats and settling', () => {
  forAllOf(60)(
    fc.array(facts, { minLength: 1, maxLength: 40 }),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 7 }), fc.boolean()), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.nat(),
    (messages, cuts, seed) => {
      const inOrder = rowsOf(ledgerOf(messages));
      // Every message at least once, some twice, in another order.
      const shuffled = [...messages, ...messages.filter((_, index) => (index + seed) % 3 === 0)]
        .map((one, index) => ({ one, by: Math.imul(index + 1, (seed | 1) * 2654435761) >>> 0 }))
        .sort((a, b) => a.by - b.by)
        .map(({ one }) => one);
      const folder = freshIn(root);
      let at = 0;
      for (let turn = 0; at < shuffled.length; turn += 1) {
        const [, size, finish] = cuts[turn % cuts.length] as [number, number, boolean];
        withLedger(folder, (ledger) => {
          ledger.commit(messagesAlone(shuffled.slice(at, at + size)));
          if (finish) ledger.finish();
        });
        at += size;
      }
      withLedger(folder, (ledger) => ledger.finish());
      assert.equal(rowsOf(folder), inOrder);
    },
  );
});

test('an address with hundreds of names keeps the same eight in any order', () => {
  const many = Array.from({ length: 300 }, (_, n) => mail(`Robot for ${n} <notify@example.org>`, ME, n % 50));
  const [one, other] = [ledgerOf(many), freshIn(root)];
  withLedger(other, (ledger) => {
    for (const each of [...many].reverse()) {
      ledger.commit(messagesAlone([each]));
      ledger.finish();
    }
  });
  assert.equal(rowsOf(other), rowsOf(one));
  assert.is(rowsOf(one)[0]?.names.length, 8);
});

test('warnings depend on whom you wrote to, also when you write later', () => {
  const folder = freshIn(root);
  const warnings = () =>
    Object.fromEntries(
      rowsOf(folder).map(({ address, warnings: list }) => [
        address,
        list.map(({ kind, about }) => `${kind} ${about}`),
      ]),
    );
  withLedger(folder, (ledger) => {
    const read = (...messages: MessageFacts[]) => {
      ledger.commit(messagesAlone(messages));
      ledger.finish();
    };
    read(
      mail('Grace Hopper <grace@examp1e.org>', ME, 5),
      mail('Grace Hopper <g.hopper@mail.example>', ME, 5),
      mail('x@exampe.org', ME, 5),
    );
    assert.equal(Object.values(warnings()).flat(), []);
    read(mail(ME, '"Hopper, Grace" <grace@example.org>', 1));
    assert.equal(warnings(), {
      'g.hopper@mail.example': ['lookalike-name grace@example.org'],
      'grace@examp1e.org': ['lookalike-domain example.org', 'lookalike-name grace@example.org'],
      'grace@example.org': [],
      'x@exampe.org': ['lookalike-domain example.org'],
    });
    // Someone you write to is not a stranger.
    read(mail(ME, 'g.hopper@mail.example', 0));
    assert.equal(warnings()['g.hopper@mail.example'], []);
    assert.ok(ledger.forget('grace@example.org'));
    assert.equal(warnings()['x@exampe.org'], []);
    assert.equal(warnings()['grace@examp1e.org'], ['lookalike-name g.hopper@mail.example']);
  });
});

test('a removal leaves no data of a person, and only newer mail adds them again', () => {
  const folder = freshIn(root);
  const old = Array.from({ length: 40 }, (_, n) => mail('Marie Zetetic <zetetic@example.org>', ME, n + 1));
  withLedger(folder, (ledger) => {
    const reader = openLedgerReader(folder);
    ledger.commit(
      messagesAlone([
        ...old,
        mail('"zetetic@example.org via Docs" <docs@example.com>', ME, 2),
        mail('other@example.org', 'zetetic@example.org', 3),
      ]),
    );
    ledger.finish();
    assert.is(reader.who('zetetic@example.org')?.received, 40);
    assert.ok(bytesIn(folder).includes('zetetic'));
    writeFileSync(join(folder, 'people.db.damaged-20250101T000000Z'), 'zetetic@example.org');
    assert.ok(ledger.forget('Zetetic@EXAMPLE.org'));
    assert.is(reader.who('zetetic@example.org'), null);
    assert.not.ok(/zetetic/i.test(bytesIn(folder)), 'bytes of the person are left in the files');
    assert.not.ok(ledger.forget('zetetic@example.org'));
    reader.close();
  });
  withLedger(folder, (ledger) => {
    // Older mail from another source, and mail without a time.
    ledger.commit(
      messagesAlone([
        mail('Marie <zetetic@example.org>', ME, 100),
        message(`From: zetetic@example.org\nTo: ${ME}\nMessage-ID: <t>`),
        mail('"Zetetic@example.org via Sheets" <sheets@example.com>', ME, 90),
        ...old,
      ]),
    );
    ledger.finish();
    assert.is(personIn(folder, 'zetetic@example.org'), undefined);
    assert.equal(personIn(folder, 'sheets@example.com')?.names, []);
    assert.not.ok(
      /zetetic/i.test(bytesIn(folder)),
      'bytes of the person are left in the name of another person',
    );
    ledger.commit(messagesAlone([mail('Z <zetetic@example.org>', ME, -0.5)]));
    ledger.finish();
    const again = personIn(folder, 'zetetic@example.org');
    assert.is(again?.received, 1);
    assert.equal(again?.names, ['Z']);
    assert.is(again?.firstMs, NOW + DAY / 2);
  });
});

test('a full ledger drops the lowest ranks and counts them', () => {
  const folder = freshIn(root);
  withLedger(
    folder,
    (ledger) => {
      for (let n = 0; n < 300; n += 1) {
        ledger.commit(
          messagesAlone([
            mail(n % 3 === 0 ? ME : `p${n}@example.org`, n % 3 === 0 ? `p${n}@example.org` : ME, 300 - n),
          ]),
        );
        assert.ok(ledger.totals().people <= 120);
      }
      ledger.finish();
      assert.equal(ledger.totals(), { people: 120, messages: 300, leftOut: 180 });
    },
    { maxPeople: 120 },
  );
  const rows = rowsOf(folder);
  assert.is(rows.length, 120);
  assert.is(rows.filter(({ sent }) => sent > 0).length, 100, 'people you wrote to are kept');
  assert.ok(
    rows.filter(({ sent }) => sent === 0).every(({ lastMs }) => (lastMs ?? 0) > NOW - 40 * DAY),
    'recent people are kept',
  );
});

test('messages beyond the limit of remembered messages are not counted', () => {
  const folder = freshIn(root);
  const ten = Array.from({ length: 10 }, (_, n) => mail(`p${n}@example.org`, ME, n));
  withLedger(
    folder,
    (ledger) => {
      assert.is(ledger.commit(messagesAlone(ten)), 6);
      assert.is(ledger.commit(messagesAlone(ten)), 0);
      ledger.finish();
      assert.is(ledger.totals().people, 6);
      assert.ok(ledger.totals().leftOut > 0);
    },
    { maxMessages: 6 },
  );
});

const large = ledgerOf(
  [...corpus({ messages: 900, people: 250, seed: 3 })].map(({ text }) => readHeader(Buffer.from(text), NOW)),
);
const query = (change: Partial<PeopleQuery>): PeopleQuery => ({
  q: '',
  sort: 'rank',
  limit: 7,
  cursor: undefined,
  open: false,
  ...change,
});

for (const sort of PEOPLE_ORDERS)
  for (const open of [false, true])
    test(`pages by ${sort}${open ? ', open' : ''} contain every person once, in order`, () => {
      const reader = openLedgerReader(large);
      const everyone = rowsOf(large);
      for (const q of ['', 'example', 'muller']) {
        const seen: string[] = [];
        const people = [];
        let cursor: string | undefined;
        do {
          const page = reader.page(query({ sort, open, q, cursor }));
          assert.ok(page);
          assert.ok(page.people.length <= 7);
          people.push(...page.people);
          seen.push(...page.people.map(({ address }) => address));
          assert.ok(page.total >= page.people.length);
          if (page.next === null) assert.is(seen.length, page.total);
          cursor = page.next ?? undefined;
        } while (cursor !== undefined);
        if (q === '') assert.is(seen.length, everyone.length);
        if (q === 'muller')
          assert.ok(
            people.length > 3 &&
              people.every(({ names }) => names.some((name) => name.includes('Müller')) || open),
          );
        if (!open) assert.is(new Set(seen).size, seen.length);
        const keys = {
          first_seen: 'firstMs',
          last_seen: 'lastMs',
          received: 'received',
          sent: 'sent',
        } as const;
        if (sort in keys) {
          const values = people.map((one) => one[keys[sort as keyof typeof keys]] ?? -1);
          assert.equal(
            values,
            [...values].sort((a, b) => b - a),
          );
        }
      }
      reader.close();
    });

test('a ledger that was moved away is no longer written', () => {
  const folder = freshIn(root);
  withLedger(folder, (ledger) => {
    ledger.commit(messagesAlone([mail('a@example.org', ME, 1)]));
    ledger.finish();
    renameSync(join(folder, 'people.db'), join(folder, 'away'));
    assert.throws(() => ledger.finish(), /was moved or removed/);
    assert.throws(() => ledger.forget('a@example.org'), /was moved or removed/);
    writeFileSync(join(folder, 'people.db'), '', { mode: 0o600 });
    assert.throws(() => ledger.finish(), /was moved or removed/);
  });
});

test('a name that grows by case folding does not break paging', () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
  const folder = ledgerOf(
    ['\ufdfa', '\u{1f600}', '"', '\ud55c', 'a'].map((piece, n) => {
      const address = `${n}@${long}`;
      const box = { address, name: cleanName(piece.repeat(128), address) };
      return { ...mail('x@example.org', ME, n), from: [box] };
    }),
  );
  const reader = openLedgerReader(folder);
  for (const open of [false, true]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = reader.page(query({ sort: 'name', open, limit: 1, cursor }));
      seen.push(...(page?.people ?? []).map(({ name }) => name));
      assert.ok((page?.next ?? '').length <= LONGEST_CURSOR);
      cursor = page?.next ?? undefined;
    } while (cursor !== undefined);
    assert.is(new Set(seen).size, 5);
  }
  reader.close();
});

test('the open form shows no local parts, not even in cursors', () => {
  const folder = ledgerOf([
    mail('Secretlocal <secretlocal@example.org>', ME, 2),
    mail('"secretlocal@example.org" <another@example.org>', ME, 2),
    mail('Ada (secretlocal@example.org) Lovelace <third@example.org>', ME, 2),
    mail(ME, 'Grace Hopper <secretlocal2@example.org>', 2),
    mail('Grace Hopper <g@example.net>', ME, 2),
  ]);
  const reader = openLedgerReader(folder);
  for (const sort of PEOPLE_ORDERS) {
    let cursor: string | undefined;
    do {
      const page = reader.page(query({ sort, open: true, limit: 1, cursor }));
      // After the seal, which looks random.
      const shown =
        JSON.stringify(page) +
        Buffer.from(page?.next ?? '', 'base64url')
          .subarray(12)
          .toString('latin1');
      assert.not.match(shown, /secretlocal/i);
      assert.not.match(shown, '@');
      cursor = page?.next ?? undefined;
    } while (cursor !== undefined);
  }
  assert.is(reader.page(query({ q: 'secretlocal', open: true }))?.total, 0);
  assert.is(reader.page(query({ q: 'secretlocal2' }))?.total, 1);
  assert.is(reader.page(query({ q: 'EXAMPLE.net', open: true }))?.total, 1);
  reader.close();
});

test('cursors of another query or ledger and changed cursors are refused', () => {
  const reader = openLedgerReader(large);
  const next = reader.page(query({ q: 'example' }))?.next as string;
  assert.ok(reader.page(query({ q: 'example', cursor: next })));
  for (const wrong of [{ q: '' }, { q: 'example', sort: 'name' as const }, { q: 'example', open: true }])
    assert.is(reader.page(query({ ...wrong, cursor: next })), null);
  for (let at = 0; at < next.length; at += 1) {
    const other = next[at] === 'A' ? 'B' : 'A';
    assert.is(
      reader.page(query({ q: 'example', cursor: next.slice(0, at) + other + next.slice(at + 1) })),
      null,
    );
  }
  for (const cursor of ['', 'x', '%', `${next}A`, 'A'.repeat(100_000)])
    assert.is(reader.page(query({ q: 'example', cursor })), null);
  const otherLedger = openLedgerReader(ledgerOf([mail('a@example.org', ME, 1)]));
  assert.is(otherLedger.page(query({ q: 'example', cursor: next })), null);
  otherLedger.close();
  reader.close();
});

test('without a ledger the reader is empty, and it finds a new or replaced ledger', () => {
  const folder = freshIn(root);
  const reader = openLedgerReader(folder);
  assert.is(reader.who('a@example.org'), null);
  assert.equal(reader.page(query({})), { total: 0, people: [], next: null });
  assert.equal(reader.totals(), { people: 0, messages: 0, leftOut: 0 });
  assert.equal([...reader.all()], []);
  assert.equal(readdirSync(folder), []);
  withLedger(folder, (ledger) => {
    ledger.commit(messagesAlone([mail('a@example.org', ME, 1)]));
    ledger.finish();
  });
  assert.is(reader.who('a@example.org')?.received, 1);
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  assert.is(reader.who('a@example.org'), null);
  reader.close();
});

test('only the owner can read the files of the ledger', () => {
  const folder = freshIn(root);
  withLedger(folder, (ledger) => {
    ledger.commit(messagesAlone([mail('a@example.org', ME, 1)]));
    for (const name of readdirSync(folder)) assert.is(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    assert.ok(readdirSync(folder).includes('people.db-wal'));
  });
});

test('a damaged ledger is set aside with a reason, and a new one is started', () => {
  const folder = ledgerOf([mail('a@example.org', ME, 1)]);
  writeFileSync(
    join(folder, 'people.db'),
    'this is no database, whatever its name may say about it'.repeat(100),
  );
  withLedger(folder, (ledger) => {
    assert.match(ledger.recovered, 'all mail is read again');
    assert.is(ledger.totals().people, 0);
    assert.is(ledger.commit(messagesAlone([mail('b@example.org', ME, 1)])), 1);
  });
  assert.ok(readdirSync(folder).some((name) => name.startsWith('people.db.damaged-')));
  withLedger(folder, (ledger) => {
    assert.is(ledger.recovered, '');
    assert.is(ledger.totals().people, 1);
  });
});

test('after a change of own addresses all mail is read again, and removed people stay removed', () => {
  const folder = freshIn(root);
  const batch = {
    messages: [columnsOf([mail('a@example.org', ME, 1), mail('b@example.org', ME, 1)])],
    place: { source: 's', folder: 'f', place: '{}' },
    units: { read: [1, 2], gone: [] },
  };
  withLedger(folder, (ledger) => {
    ledger.commit(batch);
    ledger.finish();
    ledger.forget('b@example.org');
    assert.equal([...ledger.units('s', 'f')], [1, 2]);
  });
  withLedger(folder, (ledger) => assert.is(ledger.place('s', 'f'), '{}'), {
    own: ['I.Myself@work.example', ME.toUpperCase(), 'nonsense'],
  });
  withLedger(
    folder,
    (ledger) => {
      assert.is(ledger.place('s', 'f'), null);
      assert.equal([...ledger.units('s', 'f')], []);
      assert.equal(ledger.totals(), { people: 0, messages: 0, leftOut: 0 });
      assert.is(ledger.commit(batch), 2);
      ledger.finish();
    },
    { own: ['a@example.org'] },
  );
  expect(rowsOf(folder).map(({ address, sent }) => [address, sent])).equals([[ME, 1]]);
});

test('units belong to a folder, and units without a folder are an error', () => {
  const folder = freshIn(root);
  withLedger(folder, (ledger) => {
    const place = { source: 's', folder: 'f', place: '1' };
    const big = 2 ** 53 - 1;
    ledger.commit({ messages: [], place, units: { read: [3, big, 7], gone: [] } });
    ledger.commit({
      messages: [],
      place: { ...place, folder: 'g' },
      units: { read: [3], gone: [] },
    });
    ledger.commit({
      messages: [],
      place: { ...place, place: '2' },
      units: { read: [9], gone: [7, 8] },
    });
    expect([...ledger.units('s', 'f')].sort((a, b) => a - b)).equals([3, 9, big]);
    assert.is(ledger.place('s', 'f'), '2');
    ledger.keepFolders('s', ['g']);
    assert.equal([...ledger.units('s', 'f')], []);
    assert.equal(ledger.folders('s'), ['g']);
    assert.throws(
      () => ledger.commit({ messages: [], place: null, units: { read: [1], gone: [] } }),
      RangeError,
    );
  });
});

test.run();
