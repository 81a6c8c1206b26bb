/** The sweep backend: the best that runs here, or the one that `DESK_BACKEND` forces. */
import type { Backend, NativeAddon, Refusal } from './types.ts';

const UNFORCE = 'Unset DESK_BACKEND, or set it to procfs, to read /proc instead.';

export interface BackendChoice {
  readonly backend: Backend;
  /** Why it is not bpf, in a sentence; `''` when it is. */
  readonly reason: string;
}

/** The backend that was asked for cannot be had: never a silent fallback. */
export class BackendError extends Error {
  override readonly name = 'BackendError';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/**
 * Asks the addon whether the bpf backend runs (which loads it) unless procfs is forced.
 * @throws BackendError when the backend asked for does not exist or cannot run here.
 */
export function chooseBackend(
  addon: Pick<NativeAddon, 'bpfState'>,
  wanted: string | undefined = process.env.DESK_BACKEND,
): BackendChoice {
  if (wanted === 'procfs') return { backend: 'procfs', reason: 'DESK_BACKEND=procfs asks for it' };
  if (wanted !== undefined && wanted !== '' && wanted !== 'bpf') {
    throw new BackendError(
      `DESK_BACKEND="${wanted.replace(/[^\w-]/g, '?')}" is not a backend.`,
      'Unset DESK_BACKEND, or set it to bpf or procfs.',
    );
  }
  const { available, stage, reason, code } = addon.bpfState();
  if (available) return { backend: 'bpf', reason: '' };
  const why = `${reason} (stage ${stage}, ${code})`;
  if (wanted === 'bpf') {
    throw new BackendError(`DESK_BACKEND=bpf cannot run here. ${why}.`, UNFORCE);
  }
  return { backend: 'procfs', reason: why };
}

/**
 * The backend to go on with when the loaded iterator refuses a sweep.
 * @throws BackendError when bpf is forced.
 */
export function withoutBpf(
  { code, source }: Refusal,
  wanted: string | undefined = process.env.DESK_BACKEND,
): BackendChoice {
  const why =
    code === 'EXDEV' ? '/proc shows another pid namespace than the kernel tells of' : `${source}: ${code}`;
  if (wanted === 'bpf') throw new BackendError(`DESK_BACKEND=bpf cannot sweep here. ${why}.`, UNFORCE);
  return { backend: 'procfs', reason: why };
}
