/** The ledger thread answers as the reader does. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../../src/base/desk-error.ts';
import { openLedger } from '../../../src/features/mail/ledger/ledger.ts';
import { openLedgerReader } from '../../../src/features/mail/ledger/reader.ts';
import { LedgerThread } from '../../../src/features/mail/ledger/thread.ts';
import type { PeopleQuery } from '../../../src/records/ledger.ts';
import { messagesAlone, NOW, optionsOf } from '../../support/ledger.ts';
import { corpus } from '../../support/mail-corpus.ts';
import { readHeader } from '../../support/message-facts.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('ledger thread');
const query = (change: Partial<PeopleQuery>): PeopleQuery => ({
  q: 'example',
  sort: 'rank',
  limit: 3,
  cursor: undefined,
  open: false,
  ...change,
});

const folder = tempFolder('desk-search-');
const thread = new LedgerThread(folder);
const pageOf = (query: PeopleQuery) => thread.ask({ what: 'page', query });
test.after(async () => {
  await thread.close();
  rmSync(folder, { recursive: true });
});

test('without a ledger no person is found', async () => {
  assert.equal(await pageOf(query({})), { total: 0, people: [], next: null });
});

test('the thread returns the same people, pages and cursor refusals as the reader', async () => {
  const ledger = openLedger(folder, optionsOf());
  ledger.commit(
    messagesAlone(
      [...corpus({ messages: 300, people: 90 })].map(({ text }) => readHeader(Buffer.from(text), NOW)),
    ),
  );
  ledger.finish();
  ledger.close();
  const reader = openLedgerReader(folder);
  const first = await pageOf(query({}));
  assert.ok(first !== null && first.total > 3 && first.next !== null);
  assert.equal(first, reader.page(query({})));
  const second = query({ cursor: first?.next ?? '' });
  assert.equal(await pageOf(second), reader.page(second));
  assert.is(await pageOf(query({ cursor: 'mine' })), null);
  const many = await Promise.all(Array.from({ length: 20 }, () => pageOf(query({ q: 'ada' }))));
  assert.is(new Set(many.map((page) => page?.total)).size, 1);
  reader.close();
});

test('the thread returns the same person and totals as the reader', async () => {
  const reader = openLedgerReader(folder);
  const [first] = reader.page(query({ q: '', limit: 1 }))?.people ?? [];
  assert.ok(first);
  assert.equal(await thread.ask({ what: 'who', address: first.address }), first);
  assert.is(await thread.ask({ what: 'who', address: 'none@example.net' }), null);
  assert.equal(await thread.ask({ what: 'totals' }), reader.totals());
  reader.close();
});

test('a ledger that cannot be read is reported', async () => {
  for (const part of ['', '-wal', '-shm']) rmSync(join(folder, `people.db${part}`), { force: true });
  writeFileSync(join(folder, 'people.db'), 'no database at all'.repeat(100));
  const error = await pageOf(query({})).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.instance(error, DeskError);
  assert.match((error as DeskError).message, /^The people ledger .* cannot be read/);
});

test.run();
