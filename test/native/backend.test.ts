import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseBackend } from '../../src/native/backend.ts';

test('unset, empty and procfs mean procfs', () => {
  for (const wanted of [undefined, '', 'procfs']) assert.is(chooseBackend(wanted), 'procfs');
});

test('another backend is an error that says so and what to do, never a silent fallback', () => {
  assert.throws(() => chooseBackend('bpf'), /not in this version.*procfs/);
  assert.throws(() => chooseBackend('nonsense'), /no backend.*procfs/);
  assert.throws(
    () => chooseBackend('\u001b[31m'),
    (error: Error) => !error.message.includes('\u001b'),
  );
});

test.run();
