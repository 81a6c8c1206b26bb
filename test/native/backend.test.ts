import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BackendError, chooseBackend, withoutBpf } from '../../src/engine/native/backend.ts';
import type { BpfState } from '../../src/engine/native/types.ts';

const working: BpfState = { available: true, iterator: 'open_coded', stage: '', reason: '', code: '' };
const refused: BpfState = {
  available: false,
  iterator: '',
  stage: 'permission',
  reason: 'It needs root',
  code: 'EPERM',
};
const addon = (state: BpfState) => ({ bpfState: () => state });

test('with DESK_BACKEND unset or empty the best backend is selected, with the reason when it is not bpf', () => {
  for (const wanted of [undefined, '']) {
    assert.equal(chooseBackend(addon(working), wanted), { backend: 'bpf', reason: '' });
    const { backend, reason } = chooseBackend(addon(refused), wanted);
    assert.is(backend, 'procfs');
    assert.match(reason, /It needs root.*permission.*EPERM/);
  }
});

test('procfs can be forced without trying bpf', () => {
  const never = {
    bpfState: () => {
      throw new Error('asked');
    },
  };
  const { backend, reason } = chooseBackend(never, 'procfs');
  assert.is(backend, 'procfs');
  assert.match(reason, /DESK_BACKEND/);
});

/** The error that a call throws; it must have a remedy. */
function thrown(call: () => unknown): BackendError {
  try {
    call();
  } catch (error) {
    assert.instance(error, BackendError);
    return error as BackendError;
  }
  throw new Error('nothing was thrown');
}

test('a forced bpf that cannot run is an error with its reason and remedy, never a silent fallback', () => {
  assert.equal(chooseBackend(addon(working), 'bpf'), { backend: 'bpf', reason: '' });
  const error = thrown(() => chooseBackend(addon(refused), 'bpf'));
  assert.match(error.message, /cannot run.*It needs root/);
  assert.match(error.remedy, /procfs/);
});

test('when a loaded iterator refuses a sweep, procfs takes over and the reason is reported, unless bpf is forced', () => {
  const refusal = { errno: 18, code: 'EXDEV', source: 'bpf iter/task' };
  const { backend, reason } = withoutBpf(refusal, undefined);
  assert.is(backend, 'procfs');
  assert.match(reason, /another pid namespace/);
  assert.match(withoutBpf({ ...refusal, code: 'EBADMSG' }, '').reason, /iter\/task: EBADMSG/);
  assert.match(thrown(() => withoutBpf(refusal, 'bpf')).remedy, /procfs/);
});

test('an unknown backend name is an error with a remedy', () => {
  const error = thrown(() => chooseBackend(addon(working), 'nonsense'));
  assert.match(error.message, /is not a backend/);
  assert.match(error.remedy, /bpf or procfs/);
  assert.not.ok(thrown(() => chooseBackend(addon(working), '\u001b[31m')).message.includes('\u001b'));
});

test.run();
