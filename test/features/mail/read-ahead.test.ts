/** Message files are read ahead on a thread: the same facts as on this thread, every file once. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Mailbox } from '../../../src/features/mail/ledger/types.ts';
import { MessageReader } from '../../../src/features/mail/message-reader.ts';
import {
  type FileList,
  filesIn,
  NO_MESSAGE,
  namesOf,
  readAhead,
  type Stretch,
} from '../../../src/features/mail/read-ahead.ts';
import { forAll } from '../../support/for-all.ts';
import { NOW } from '../../support/ledger.ts';
import { corpus } from '../../support/mail-corpus.ts';
import { columnsOf, factsOf, type MessageFacts, readHeader, TEST_KEY } from '../../support/message-facts.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('reading ahead');
const root = tempFolder('desk-ahead-');

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

test('columns return the facts that were stored in them', () => {
  forAll(fc.array(facts, { maxLength: 20 }), (messages) =>
    assert.equal(factsOf(columnsOf(messages)), messages),
  );
});

const messages = [...corpus({ messages: 700, people: 90, seed: 5 })];
const folder = join(root, 'many');
const names: string[] = [];
test.before(() => {
  mkdirSync(folder);
  // Few messages under many names: 5,600 files.
  for (let copy = 0; copy < 8; copy += 1)
    for (const { number, text } of messages) {
      names.push(`${copy}-${number}`);
      writeFileSync(join(folder, `${copy}-${number}`), text);
    }
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  names.splice(4321, 0, 'fifo', 'absent');
});

interface List extends FileList {
  readonly name: string;
}
/** In the format of a folder listing. */
function listOf(name: string, files: readonly string[]): List {
  const begins = new Uint32Array(files.length + 1);
  files.forEach((file, at) => {
    begins[at + 1] = (begins[at] as number) + file.length + 1;
  });
  return { name, directory: folder, names: files.map((file) => `${file}\0`).join(''), begins };
}
const all = async (lists: readonly List[], pauseMs: number): Promise<Stretch<List>[]> => {
  const batches: Stretch<List>[] = [];
  for await (const batch of readAhead(new MessageReader(TEST_KEY), lists, NOW)) {
    batches.push(batch);
    await delay(pauseMs);
  }
  return batches;
};

test('every file is read once and in order, other files are skipped, also with a slow caller', async () => {
  const expected = new Map(
    messages.map(({ number, text }) => [String(number), readHeader(Buffer.from(text), NOW)]),
  );
  const lists = [
    listOf('empty', []),
    // More than one batch.
    listOf('many', [...names, ...names, ...names]),
    listOf('few', names.slice(0, 10)),
    listOf('no messages', names.slice(4321, 4323)),
    { ...listOf('gone', names.slice(0, 3)), directory: join(root, 'gone') },
  ];
  const position = new Map(lists.map(({ name }) => [name, 0]));
  const ended: string[] = [];
  let batches = 0;
  for (const { list, from, states, messages: found, last } of await all(lists, 20)) {
    assert.is(from, position.get(list.name), 'reading continues where it stopped');
    batches += 1;
    position.set(list.name, from + states.length);
    const facts = found.flatMap(factsOf);
    for (const [index, state] of states.entries()) {
      const file = namesOf(list, from + index, from + index + 1).slice(0, -1);
      const isMessage = list.name !== 'gone' && !/^(?:fifo|absent)$/.test(file);
      assert.is(state, isMessage ? 0 : NO_MESSAGE);
      if (isMessage) assert.equal(facts.shift(), expected.get(file.slice(file.lastIndexOf('-') + 1)));
    }
    assert.is(facts.length, 0);
    assert.ok(!ended.includes(list.name));
    if (last) ended.push(list.name);
  }
  assert.ok(batches > lists.length);
  assert.equal(
    ended,
    lists.map(({ name }) => name),
  );
  for (const list of lists) assert.is(position.get(list.name), filesIn(list), list.name);
});

test('a reader is locked while it reads, and abandoning the reading releases it', async () => {
  assert.equal(await all([], 0), []);
  const reader = new MessageReader(TEST_KEY);
  const idle = (): boolean => {
    try {
      reader.take();
      return true;
    } catch {
      return false;
    }
  };
  const batches = readAhead(reader, [listOf('many', names)], NOW);
  const first = batches.next();
  assert.throws(() => reader.take(), /busy reading files/);
  assert.throws(() => reader.add(Buffer.from('From: a@b.example'), NOW), /busy reading files/);
  assert.throws(() => reader.read(folder, '', NOW, 0), /busy reading files/);
  void batches.return();
  await first;
  while (!idle()) await delay(10);
});

test.run();
