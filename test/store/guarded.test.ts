/** The guard of the store: a temporary failure ends with the next successful write. */
import { renameSync } from 'node:fs';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GuardedStore } from '../../src/store/guarded.ts';
import { openTables } from '../support/baseline.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('guarded store');

test('after a full disk, the next successful write clears the failure; a probe does not', () => {
  const folder = tempFolder('desk-guarded-');
  const { store } = openTables(folder).access;
  try {
    const guarded = new GuardedStore(store, pino({ level: 'silent' }));
    const full = () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    assert.not(guarded.write('a write', full, false));
    assert.match(guarded.failure, 'SQLITE_FULL');
    guarded.probe();
    assert.match(guarded.failure, 'SQLITE_FULL');
    assert.ok(guarded.record('another', () => undefined));
    assert.is(guarded.failure, '');
  } finally {
    store.close();
  }
});

test('a file that was gone and is back ends the failure of a write that is not repeated', () => {
  const folder = tempFolder('desk-guarded-');
  const { store } = openTables(folder).access;
  try {
    const guarded = new GuardedStore(store, pino({ level: 'silent' }));
    renameSync(folder, `${folder}-away`);
    assert.not(guarded.write('a write', () => true, false));
    assert.match(guarded.failure, 'removed or exchanged');
    assert.not(guarded.probe());
    assert.match(guarded.failure, 'removed or exchanged');
    renameSync(`${folder}-away`, folder);
    assert.ok(guarded.probe());
    assert.is(guarded.failure, '');
  } finally {
    store.close();
  }
});

test.run();
