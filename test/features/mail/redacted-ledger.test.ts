/** The ledger gets data without any password known at that time, from every reader. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Redactor } from '../../../src/base/redactor.ts';
import type { Ledger } from '../../../src/features/mail/ledger/ledger.ts';
import type { LedgerBatch, Mailbox } from '../../../src/features/mail/ledger/types.ts';
import { MessageReader } from '../../../src/features/mail/message-reader.ts';
import { RedactedLedger } from '../../../src/features/mail/redacted-ledger.ts';
import { bytesIn, freshIn, NOW, rowsOf, withLedger } from '../../support/ledger.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('redacted ledger');
const root = tempFolder('desk-redacted-');

const ME = 'me@desk.example';
const FIRST = 'correct-horse-battery';
const SECOND = 'staple.of.another.day';

let counter = 0;
const readBy = (reader: MessageReader, ...from: string[]): LedgerBatch => {
  for (const one of from) {
    counter += 1;
    reader.add(Buffer.from(`From: ${one}\nTo: ${ME}\nMessage-ID: <${counter}@x>\n\n`), NOW);
  }
  return { messages: [reader.take()], place: null, units: { read: [], gone: [] } };
};

test('addresses, names and folders contain no password, also none that became known between two commits', () => {
  const folder = freshIn(root);
  const redactor = new Redactor(FIRST);
  withLedger(folder, (inner) => {
    const ledger = new RedactedLedger(inner, redactor);
    const reader = new MessageReader(inner.messageKey);
    ledger.commit(readBy(reader, `Ada ${FIRST} <ada@example.org>`, `Eve <${FIRST}@example.com>`));
    ledger.commit(readBy(reader, `Bob <bob@example.org>`));
    redactor.add(SECOND);
    // The reader has Bob's text in its table from before.
    const more = readBy(
      reader,
      `Bob <bob@example.org>`,
      `Bob ${SECOND} <bob@example.org>`,
      `x@${SECOND}.example`,
    );
    const place = { source: 's', folder: `in ${FIRST}`, place: '{}' };
    ledger.commit({ ...more, place, units: { read: [7], gone: [] } });
    ledger.keepFolders('s', [`in ${FIRST}`]);
    assert.equal([...ledger.units('s', `in ${FIRST}`)], [7]);
    ledger.finish();
  });
  assert.equal(
    rowsOf(folder).map(({ address, names }) => [address, names]),
    [
      ['ada@example.org', ['Ada [removed]']],
      ['bob@example.org', ['Bob', 'Bob [removed]']],
    ],
  );
  for (const secret of [FIRST, SECOND]) assert.not.ok(bytesIn(folder).includes(secret));
});

test('the data of alternating readers is cleaned once per reader', () => {
  const taken: (readonly (Mailbox | null)[])[] = [];
  const inner = {
    commit: ({ messages }: LedgerBatch) => taken.push(...messages.map(({ mailboxes }) => mailboxes)),
  } as unknown as Ledger;
  const ledger = new RedactedLedger(inner, new Redactor(FIRST));
  const [one, other] = [new MessageReader(new Uint8Array(16)), new MessageReader(new Uint8Array(16))];
  for (const name of ['a', 'b', 'c']) {
    ledger.commit(readBy(one, `${name}@one.example`));
    ledger.commit(readBy(other, `${name}@other.example`));
  }
  assert.is(new Set(taken).size, 2);
  assert.equal(
    taken[0]?.map((box) => box?.address),
    ['a@one.example', ME, 'b@one.example', 'c@one.example'],
  );
});

test.run();
