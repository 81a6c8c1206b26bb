/** What packages have vouched for, across changes of a file and restarts. */

import pino from 'pino';
import { suite } from 'uvu';
import type { Voucher } from '../../../src/checks/startup.ts';
import { VouchedStarts } from '../../../src/features/startup/vouched.ts';
import { openStore } from '../../../src/service/tables.ts';
import { GuardedStore } from '../../../src/store/guarded.ts';
import { expect } from '../../support/expect.ts';
import { fullWhile, overStore } from '../../support/learner.ts';
import { startupEntry } from '../../support/startup.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const test = suite('vouched starts');

const entries = (kind: Voucher['kind'], ...keys: readonly string[]) =>
  keys.map((key) => startupEntry('crontab', { key, voucher: { kind, configuration: true } }));
const kinds = (vouched: VouchedStarts, kind: Voucher['kind'], ...keys: readonly string[]) =>
  vouched.take(entries(kind, ...keys)).map(({ key, voucher }) => `${key} ${voucher.kind}`);

test('in a changed file what a package vouched for is known, and what is new is not, also after a restart', () => {
  const folder = memoryFolder('desk-vouched-');
  const log = pino({ level: 'silent' });
  const open = () => {
    const store = openStore(folder);
    return { store, vouched: new VouchedStarts(new GuardedStore(store, log, { records: true })) };
  };
  const first = open();
  expect(kinds(first.vouched, 'changed', 'a')).equals(['a changed']);
  expect(kinds(first.vouched, 'package', 'a', 'b')).equals(['a package', 'b package']);
  expect(kinds(first.vouched, 'changed', 'a', 'b', 'new')).equals(['a earlier', 'b earlier', 'new changed']);
  // The new version of the package has one of them alone.
  expect(kinds(first.vouched, 'package', 'b')).equals(['b package']);
  expect(kinds(first.vouched, 'none', 'a', 'b')).equals(['a none', 'b earlier']);
  first.store.close();
  const second = open();
  expect(kinds(second.vouched, 'changed', 'a', 'b')).equals(['a changed', 'b earlier']);
  expect(kinds(second.vouched, 'copy', 'c')).equals(['c copy']);
  expect(kinds(second.vouched, 'changed', 'c')).equals(['c earlier']);
  // A file that is not made to be changed is altered as a whole.
  const unit = startupEntry('systemd-unit', { key: 'b', path: '/etc/planted', voucher: { kind: 'changed' } });
  expect(second.vouched.take([unit])[0]?.voucher.kind).equals('changed');
  second.store.close();
});

test('what the store refuses is kept, and written when the store takes it', () => {
  const folder = memoryFolder('desk-vouched-');
  const log = pino({ level: 'silent' });
  let refuses = true;
  const store = openStore(folder);
  const full = fullWhile(() => refuses)(store);
  const vouched = new VouchedStarts(new GuardedStore(full, log));
  expect(kinds(vouched, 'package', 'a')).equals(['a package']);
  expect(kinds(vouched, 'changed', 'a', 'new')).equals(['a earlier', 'new changed']);
  refuses = false;
  // Nothing is vouched for now: what was refused is written all the same.
  expect(kinds(vouched, 'changed', 'a', 'new')).equals(['a earlier', 'new changed']);
  store.close();
  const again = openStore(folder);
  const next = new VouchedStarts(new GuardedStore(again, log));
  expect(kinds(next, 'changed', 'a', 'new')).equals(['a earlier', 'new changed']);
  again.close();
});

test('a store that cannot be read once is read the next time, and loses nothing', () => {
  const folder = memoryFolder('desk-vouched-');
  const log = pino({ level: 'silent' });
  const store = openStore(folder);
  kinds(new VouchedStarts(new GuardedStore(store, log)), 'package', 'a');
  let fails = true;
  const failing = overStore(store, {
    read: (_operation, work) => {
      if (fails) throw Object.assign(new Error('disk error'), { code: 'SQLITE_IOERR' });
      return work();
    },
  });
  const vouched = new VouchedStarts(new GuardedStore(failing, log));
  expect(kinds(vouched, 'changed', 'a')).equals(['a changed']);
  fails = false;
  expect(kinds(vouched, 'changed', 'a')).equals(['a earlier']);
  store.close();
});

test('where another process keeps the store, nothing is written', () => {
  const store = openStore(memoryFolder('desk-vouched-'));
  const vouched = new VouchedStarts(new GuardedStore(store, pino({ level: 'silent' }), { records: false }));
  kinds(vouched, 'package', 'a');
  expect(kinds(vouched, 'changed', 'a')).equals(['a earlier']);
  expect(store.db.number('SELECT count(*) FROM startup_vouched')).equals(0);
  store.close();
});

test.run();
