/** The journal of messages not yet settled: with a continuing reader, failing batches and removed people. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LedgerBatch } from '../../../src/features/mail/ledger/types.ts';
import { MessageReader } from '../../../src/features/mail/message-reader.ts';
import { expect } from '../../support/expect.ts';
import { forAllOf } from '../../support/for-all.ts';
import { bytesIn, freshIn, messagesAlone, NOW, rowsOf, withLedger } from '../../support/ledger.ts';
import { corpus } from '../../support/mail-corpus.ts';
import { columnsOf, TEST_KEY } from '../../support/message-facts.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('ledger journal');
const root = tempFolder('desk-journal-');

const ME = 'me@desk.example';
const DAY = 86_400_000;

const readBy = (reader: MessageReader, ...headers: Uint8Array[]): LedgerBatch => {
  for (const header of headers) reader.add(header, NOW);
  return { ...messagesAlone([]), messages: [reader.take()] };
};
let counter = 0;
/** The header of a message with its own id, dated the given number of days ago. */
const header = (from: string, to: string, daysAgo: number): Buffer => {
  counter += 1;
  const date = new Date(NOW - daysAgo * DAY).toUTCString();
  return Buffer.from(`From: ${from}\nTo: ${to}\nDate: ${date}\nMessage-ID: <${counter}@x>\n\n`);
};

test('a failed batch counts nothing and does not affect queued or later messages', () => {
  const all = [...corpus({ messages: 240, people: 30, seed: 11 })].map(({ text }) => Buffer.from(text));
  const broken = { ...columnsOf([]), times: new Float64Array(1), ends: new Uint32Array(3) };
  const step = fc.record({
    size: fc.integer({ min: 1, max: 12 }),
    fails: fc.boolean(),
    after: fc.constantFrom('', '', 'finish', 'forget', 'new reader'),
  });
  const run = (steps: readonly { size: number; fails: boolean; after: string }[], failing: boolean) => {
    const folder = freshIn(root);
    let at = 0;
    withLedger(folder, (ledger) => {
      let reader = new MessageReader(TEST_KEY);
      for (const { size, fails, after } of steps) {
        const some = all.slice(at, at + size);
        at += size;
        const { messages } = readBy(reader, ...some);
        if (failing && fails)
          assert.throws(
            () => ledger.commit({ ...messagesAlone([]), messages: [...messages, broken] }),
            /16 bytes/,
          );
        assert.is(ledger.commit({ ...messagesAlone([]), messages }), some.length);
        if (after === 'finish') ledger.finish();
        if (after === 'new reader') reader = new MessageReader(TEST_KEY);
        if (after === 'forget') ledger.forget(rowsOf(folder)[0]?.address ?? '');
      }
      ledger.finish();
    });
    return rowsOf(folder);
  };
  forAllOf(25)(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) =>
    assert.equal(run(steps, true), run(steps, false)),
  );
});

test('mail read after a removal writes nothing about the person to a file, not even before settling', () => {
  const folder = freshIn(root);
  const reader = new MessageReader(TEST_KEY);
  const read = (...mail: Parameters<typeof header>) => readBy(reader, header(...mail));
  const person = 'Marie Zetetic <zetetic@example.org>';
  withLedger(folder, (ledger) => {
    ledger.commit(read(person, ME, 9));
    assert.ok(ledger.forget('zetetic@example.org'));
    ledger.commit(read(`Ada <ada@example.org>`, `${ME}, ${person}`, 8));
    assert.not.ok(/zetetic/i.test(bytesIn(folder)), 'older mail is in the journal');
    // Newer mail counts, older mail does not, in any order.
    ledger.commit(read(person, ME, -0.5));
    ledger.commit(read(person, ME, 7));
    ledger.finish();
    expect(rowsOf(folder).map(({ address, received }) => [address, received])).equals([
      ['ada@example.org', 1],
      ['zetetic@example.org', 1],
    ]);
    assert.is(rowsOf(folder)[1]?.firstMs, NOW + DAY / 2);
  });
});

test("a person mentioned only in the user's display name is removed too", () => {
  const folder = freshIn(root);
  const reader = new MessageReader(TEST_KEY);
  withLedger(folder, (ledger) => {
    ledger.commit(readBy(reader, header('zetetic@example.org', ME, 9)));
    ledger.finish();
    ledger.commit(readBy(reader, header(`"for zetetic@example.org" <${ME}>`, ME, 8)));
    assert.ok(ledger.forget('zetetic@example.org'));
    assert.not.ok(/zetetic/i.test(bytesIn(folder)));
  });
});

test.run();
