/** What the addon read of the host, as a snapshot tells it. */
import type { ExecutableFate, HostResult } from './native/host-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';
import type { Host } from './snapshot.ts';

/** A refusal in the place of the whole is one of every part. */
export function hostFrom(result: HostResult | Refusal, fates: Host['fates']): Host {
  if (isRefusal(result)) {
    const [preload, packets, promiscuous, covers] = [result, result, result, result];
    return Object.freeze({ preload, packets, promiscuous, covers, sessionUids: new Set<number>(), fates });
  }
  const { sessionUids } = result;
  // Who is logged in only softens what is found: without the folders nobody is.
  return Object.freeze({ ...result, sessionUids: new Set(isRefusal(sessionUids) ? [] : sessionUids), fates });
}

/** What became of the executables of these processes; those whose link cannot be read again are left out. */
export function fatesFrom(pids: Int32Array, answers: readonly (ExecutableFate | Refusal)[]): Host['fates'] {
  const fates = new Map<number, ExecutableFate>();
  answers.forEach((fate, at) => {
    if (!isRefusal(fate)) fates.set(pids[at] as number, fate);
  });
  return fates;
}
