/** Large folders are read by a thread: the same facts, in the same order, and nothing is left behind when reading stops. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Packer, Unpacker } from '../../src/mail/message-parcel.ts';
import { MessageReader } from '../../src/mail/message-reader.ts';
import { ReadAhead, type StretchAt } from '../../src/mail/read-ahead.ts';
import type { Mailbox } from '../../src/store/ledger-types.ts';
import { NOW } from '../support/ledger.ts';
import { corpus } from '../support/mail-corpus.ts';
import { columnsOf, factsOf, type MessageFacts, readHeader, TEST_KEY } from '../support/message-facts.ts';

const test = suite('reading ahead');
const root = mkdtempSync(join(tmpdir(), 'desk-ahead-'));
test.after(() => rmSync(root, { recursive: true, force: true }));

const mailbox: fc.Arbitrary<Mailbox> = fc.constantFrom(
  { address: 'ada@example.org', name: 'Ada' },
  { address: 'bob@example.org', name: '' },
  { address: 'josé@example.org', name: '“Zoë” \\ 東京' },
);
const facts: fc.Arbitrary<MessageFacts> = fc.record(
  {
    key: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    atMs: fc.option(fc.integer({ min: 315_532_800_000, max: NOW })),
    from: fc.array(mailbox, { maxLength: 3 }),
    to: fc.array(mailbox, { maxLength: 5 }),
    copied: fc.array(mailbox, { maxLength: 5 }),
    list: fc.boolean(),
    automated: fc.boolean(),
  },
  { noNullPrototype: true },
);

test('columns hold what was put into them', () => {
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 20 }), (messages) =>
      assert.equal(factsOf(columnsOf(messages)), messages),
    ),
  );
});

test('parcels hold what was put into them, of one list of mailboxes that grows, and of others', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(facts, fc.boolean()), { maxLength: 12 }), (steps) => {
      const [packer, unpacker] = [new Packer(), new Unpacker()];
      let mailboxes: (Mailbox | null)[] = [];
      for (const [one, anew] of steps) {
        if (anew) mailboxes = [null];
        const columns = columnsOf([one]);
        const before = mailboxes.length;
        mailboxes.push(...columns.mailboxes);
        const named = columns.named.map((place) => place + before);
        const parcel = structuredClone(packer.pack({ ...columns, named, mailboxes }));
        assert.is(JSON.parse(parcel.people).length, 2 * (mailboxes.length - parcel.first));
        assert.equal(factsOf(unpacker.unpack(parcel)), [one]);
      }
    }),
  );
});

const messages = [...corpus({ messages: 700, people: 90, seed: 5 })];
const paths: string[] = [];
test.before(() => {
  const folder = join(root, 'many');
  mkdirSync(folder);
  // Few messages under many names: 5,600 files.
  for (let copy = 0; copy < 8; copy += 1)
    for (const { number, text } of messages) {
      const path = join(folder, `${copy}-${number}`);
      writeFileSync(path, text);
      paths.push(path);
    }
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  paths.splice(4321, 0, join(folder, 'fifo'), join(folder, 'absent'));
});

const plain = (stretches: readonly StretchAt[]) => {
  const read: [string, unknown][] = [];
  const looked = new Uint8Array(paths.length);
  for (const { messages: found, states, from } of stretches) {
    const rows = factsOf(found)[Symbol.iterator]();
    states.forEach((state, index) => {
      looked[from + index] = (looked[from + index] as number) + 1;
      if (state === 0) read.push([paths[from + index] as string, rows.next().value]);
    });
    assert.ok(rows.next().done);
  }
  const place = new Map(paths.map((path, index) => [path, index]));
  read.sort(([a], [b]) => (place.get(a) as number) - (place.get(b) as number));
  return { read, looked };
};

test('both threads together read what this thread reads alone, every file once, past what is no message', async () => {
  const reader = new MessageReader(TEST_KEY);
  const states = reader.read(paths.map((path) => `${path}\0`).join(''), NOW, 600_000);
  const alone = [{ states, messages: reader.take(), from: 0 }];
  const ahead = new ReadAhead(TEST_KEY, NOW, paths.length);
  const stretches: StretchAt[] = [];
  for (let tries = 0; tries < 50 && ahead.byThread < 2; tries += 1) {
    stretches.length = 0;
    for (const stretch of ahead.stretches(paths)) {
      stretches.push(stretch);
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  ahead.close();
  assert.ok(ahead.byThread >= 2, 'the thread read nothing');
  const { read, looked } = plain(stretches);
  assert.ok(looked.every((times) => times === 1));
  assert.is(read.length, paths.length - 2);
  assert.equal(read, plain(alone).read);
  assert.equal(
    ((read[0] as [string, unknown])[1] as MessageFacts).from,
    readHeader(Buffer.from(messages[0]?.text ?? ''), NOW).from,
  );
});

test('few files need no thread; one that was asked and is not waited for ends', async () => {
  const few = new ReadAhead(TEST_KEY, NOW, 10);
  assert.is([...few.stretches(paths.slice(0, 10))].length, 1);
  assert.is(few.byThread, 0);
  few.close();
  const threads = () => readdirSync('/proc/self/task').length;
  // Of the test before one may still be ending.
  let before = threads();
  for (let now = before, same = 0; same < 10; before = now) {
    await new Promise((done) => setTimeout(done, 20));
    now = threads();
    same = now === before ? same + 1 : 0;
  }
  const stopped = new ReadAhead(TEST_KEY, NOW, paths.length);
  for (const _ of stopped.stretches(paths)) {
    await new Promise((done) => setTimeout(done, 500));
    break;
  }
  assert.ok(threads() > before);
  stopped.close();
  for (let tries = 0; tries < 100 && threads() > before; tries += 1)
    await new Promise((done) => setTimeout(done, 50));
  assert.ok(threads() <= before);
});

test.run();
