/** The sweep backend: the best that runs here, or the one that `DESK_BACKEND` forces. */
import type { Backend, NativeAddon, Refusal } from './types.ts';

const UNFORCE = 'Unset DESK_BACKEND, or set it to procfs, to read /proc instead.';

export interface BackendChoice {
  readonly backend: Backend;
  /** Why it is not bpf, in a sentence; `''` when it is. */
  readonly reason: string;
}

/** The backend asked for cannot run: never a silent fallback. */
export class BackendError extends Error {
  override readonly name = 'BackendError';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** The addon says whether bpf runs (which loads it), unless procfs is forced. @throws BackendError when the one asked for cannot run. */
export function chooseBackend(
  addon: Pick<NativeAddon, 'bpfState'>,
  wanted: string | undefined = process.env.DESK_BACKEND,
): BackendChoice {
  if (wanted === 'procfs') return { backend: 'procfs', reason: 'DESK_BACKEND=procfs asks for it' };
  if (wanted && wanted !== 'bpf')
    throw new BackendError(
      `DESK_BACKEND="${wanted.replace(/[^\w-]/g, '?')}" is not a backend.`,
      'Unset DESK_BACKEND, or set it to bpf or procfs.',
    );
  const { available, stage, reason, code } = addon.bpfState();
  if (available) return { backend: 'bpf', reason: '' };
  const why = `${reason} (stage ${stage}, ${code})`;
  if (wanted === 'bpf') throw new BackendError(`DESK_BACKEND=bpf cannot run here. ${why}.`, UNFORCE);
  return { backend: 'procfs', reason: why };
}

const PASSING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']);

/** An error that says nothing about the iterator: the next sweep may use it. */
export const isPassing = ({ code }: Refusal): boolean => PASSING.has(code);

/** The backend to continue with when the loaded iterator refuses a sweep. @throws BackendError when bpf is forced. */
export function withoutBpf(
  { code, source }: Refusal,
  wanted: string | undefined = process.env.DESK_BACKEND,
): BackendChoice {
  const why =
    code === 'EXDEV' ? '/proc shows another pid namespace than the kernel reports' : `${source}: ${code}`;
  if (wanted === 'bpf') throw new BackendError(`DESK_BACKEND=bpf cannot sweep here. ${why}.`, UNFORCE);
  return { backend: 'procfs', reason: why };
}
