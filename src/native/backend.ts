/** The sweep backend that `DESK_BACKEND` forces. */
import type { Backend } from './types.ts';

/** @throws Error with a remedy when the backend asked for does not exist or is not in this version. */
export function chooseBackend(wanted: string | undefined = process.env.DESK_BACKEND): Backend {
  if (wanted === undefined || wanted === '' || wanted === 'procfs') return 'procfs';
  const remedy = 'Unset DESK_BACKEND, or set it to procfs.';
  if (wanted === 'bpf')
    throw new Error(`DESK_BACKEND=bpf: the bpf backend is not in this version. ${remedy}`);
  throw new Error(`DESK_BACKEND="${wanted.replace(/[^\w-]/g, '?')}" is no backend. ${remedy}`);
}
