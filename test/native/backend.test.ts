import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseBackend } from '../../src/native/backend.ts';
import type { BpfState } from '../../src/native/types.ts';

const working: BpfState = { available: true, stage: '', reason: '', code: '' };
const refused: BpfState = { available: false, stage: 'permission', reason: 'It needs root', code: 'EPERM' };
const addon = (state: BpfState) => ({ bpfState: () => state });

test('unset and empty mean the best that runs, and say why it is not bpf', () => {
  for (const wanted of [undefined, '']) {
    assert.equal(chooseBackend(addon(working), wanted), { backend: 'bpf', reason: '' });
    const { backend, reason } = chooseBackend(addon(refused), wanted);
    assert.is(backend, 'procfs');
    assert.match(reason, /It needs root.*permission.*EPERM/);
  }
});

test('procfs is forced without asking for bpf', () => {
  const never = {
    bpfState: () => {
      throw new Error('asked');
    },
  };
  const { backend, reason } = chooseBackend(never, 'procfs');
  assert.is(backend, 'procfs');
  assert.match(reason, /DESK_BACKEND/);
});

test('a forced bpf that cannot run is an error with its reason and what to do, never a silent fallback', () => {
  assert.equal(chooseBackend(addon(working), 'bpf'), { backend: 'bpf', reason: '' });
  assert.throws(() => chooseBackend(addon(refused), 'bpf'), /cannot run.*It needs root.*procfs/);
});

test('another backend is an error that says so and what to do', () => {
  assert.throws(() => chooseBackend(addon(working), 'nonsense'), /no backend.*bpf or procfs/);
  assert.throws(
    () => chooseBackend(addon(working), '\u001b[31m'),
    (error: Error) => !error.message.includes('\u001b'),
  );
});

test.run();
