/** Searches in a thread of their own say what the reader says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/desk.ts';
import type { PeopleQuery } from '../../src/records/ledger.ts';
import { openLedger } from '../../src/store/ledger.ts';
import { openLedgerReader } from '../../src/store/ledger-reader.ts';
import { LedgerSearch } from '../../src/store/ledger-search.ts';
import { messagesAlone, NOW, optionsOf } from '../support/ledger.ts';
import { corpus } from '../support/mail-corpus.ts';
import { readHeader } from '../support/message-facts.ts';

const test = suite('searching');
const query = (change: Partial<PeopleQuery>): PeopleQuery => ({
  q: 'example',
  sort: 'rank',
  limit: 3,
  cursor: undefined,
  open: false,
  ...change,
});

const folder = mkdtempSync(join(tmpdir(), 'desk-search-'));
const search = new LedgerSearch(folder);
test.after(async () => {
  await search.close();
  rmSync(folder, { recursive: true });
});

test('nobody is found where there is no ledger', async () => {
  assert.equal(await search.page(query({})), { total: 0, people: [], next: null });
});

test('the same people, pages and refusals of cursors as the reader gives', async () => {
  const ledger = openLedger(folder, optionsOf());
  ledger.commit(
    messagesAlone(
      [...corpus({ messages: 300, people: 90 })].map(({ text }) => readHeader(Buffer.from(text), NOW)),
    ),
  );
  ledger.finish();
  ledger.close();
  const reader = openLedgerReader(folder);
  const first = await search.page(query({}));
  assert.ok(first !== null && first.total > 3 && first.next !== null);
  assert.equal(first, reader.page(query({})));
  const second = query({ cursor: first?.next ?? '' });
  assert.equal(await search.page(second), reader.page(second));
  assert.is(await search.page(query({ cursor: 'mine' })), null);
  const many = await Promise.all(Array.from({ length: 20 }, () => search.page(query({ q: 'ada' }))));
  assert.is(new Set(many.map((page) => page?.total)).size, 1);
  reader.close();
});

test('who come when too many wait are refused, and a ledger that cannot be read says so', async () => {
  const all = await Promise.allSettled(Array.from({ length: 60 }, () => search.page(query({}))));
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as DeskError] : []));
  assert.ok(refused.length > 0 && refused.length < 60);
  assert.ok(refused.every((error) => error instanceof DeskError && error.code === 'unavailable'));
  for (const part of ['', '-wal', '-shm']) rmSync(join(folder, `people.db${part}`), { force: true });
  writeFileSync(join(folder, 'people.db'), 'no database at all'.repeat(100));
  const error = await search.page(query({})).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.instance(error, DeskError);
  assert.match((error as DeskError).message, /^The people ledger .* cannot be read/);
});

test.run();
