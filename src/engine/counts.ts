/** Totals over the listeners. */
import type { Counts, Listener, Machine } from './snapshot.ts';

/**
 * Whether a socket offers a service. UDP does below the ephemeral range only: a socket above it is far more often a client
 * waiting for its answer. While the range is unknown every UDP socket counts.
 */
export function isService(
  { protocol, port }: Pick<Listener, 'protocol' | 'port'>,
  ephemeral: Machine['ephemeral'],
): boolean {
  return protocol === 'tcp' || ephemeral === null || port < ephemeral[0];
}

/** Distinct (protocol, port, executable) of services beyond loopback and on it. */
export function countListeners(
  listeners: readonly Listener[],
  ephemeral: Machine['ephemeral'],
): Pick<Counts, 'publicListeners' | 'loopbackListeners'> {
  const seen = { public: new Set<string>(), loopback: new Set<string>() };
  for (const listener of listeners) {
    if (!isService(listener, ephemeral)) continue;
    seen[listener.scope].add(`${listener.protocol} ${listener.port} ${listener.executable}`);
  }
  return { publicListeners: seen.public.size, loopbackListeners: seen.loopback.size };
}
