/** Files of messages are read ahead on a thread: the same facts as here, every file once. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MessageReader } from '../../src/mail/message-reader.ts';
import { readAhead, type Stretch } from '../../src/mail/read-ahead.ts';
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

/** What was read, by path; and how often each path was looked at. */
const byPath = (stretches: readonly Stretch[]) => {
  const read: [string, MessageFacts][] = [];
  const looked = new Uint8Array(paths.length);
  for (const { messages: found, states, from } of stretches) {
    const rows = factsOf(found);
    states.forEach((state, index) => {
      looked[from + index] = (looked[from + index] as number) + 1;
      if (state === 0) read.push([paths[from + index] as string, rows.shift() as MessageFacts]);
    });
    assert.is(rows.length, 0);
  }
  return { read, looked };
};

test('every file is read once, in order, past what is no message, while the caller takes its time', async () => {
  const stretches: Stretch[] = [];
  for await (const stretch of readAhead(new MessageReader(TEST_KEY), paths, NOW)) {
    stretches.push(stretch);
    await delay(20);
  }
  assert.ok(stretches.length > 1);
  const { read, looked } = byPath(stretches);
  assert.ok(looked.every((times) => times === 1));
  assert.is(read.length, paths.length - 2);
  const texts = new Map(messages.map(({ number, text }) => [String(number), text]));
  for (const [path, facts] of read) {
    const text = texts.get(path.slice(path.lastIndexOf('-') + 1)) as string;
    assert.equal(facts, readHeader(Buffer.from(text), NOW));
  }
});

test('of no files nothing is read; a reader that reads is for nothing else; one that is left alone is done', async () => {
  for await (const _ of readAhead(new MessageReader(TEST_KEY), [], NOW)) assert.unreachable();
  const reader = new MessageReader(TEST_KEY);
  for await (const _ of readAhead(reader, paths, NOW)) {
    assert.throws(() => reader.take(), /reads files/);
    assert.throws(() => reader.add(Buffer.from('From: a@b.example'), NOW), /reads files/);
    assert.throws(() => reader.read(paths, NOW, 0), /reads files/);
    break;
  }
  const idle = (): boolean => {
    try {
      reader.take();
      return true;
    } catch {
      return false;
    }
  };
  while (!idle()) await delay(10);
});

test.run();
