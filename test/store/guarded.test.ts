/** The guard of the store: a failure that was temporary ends with the next write that succeeds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GuardedStore } from '../../src/store/guarded.ts';
import { openStore } from '../../src/store/store.ts';

const test = suite('guarded store');
const AT = '2026-01-02T03:04:05.000+00:00';

test('after a full disk, the next write ends every failure by it; a probe does not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-guarded-'));
  const store = openStore(folder);
  try {
    const guarded = new GuardedStore(store, pino({ level: 'silent' }));
    const openWindow = store.openWindow.bind(store);
    store.openWindow = () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    assert.not(guarded.openWindow(1, 2));
    assert.match(guarded.failure, 'SQLITE_FULL');
    store.openWindow = openWindow;
    guarded.probe();
    assert.match(guarded.failure, 'SQLITE_FULL');
    assert.ok(guarded.recordHistory([{ finding: '0'.repeat(16), at: AT, event: 'a line' }]));
    assert.is(guarded.failure, '');
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
