/** Where the configured assistant is: whether a question to it needs a token depends on that (security rules 4 and 7). */
import { isLoopbackHost } from '../../base/addresses.ts';
import type { Config } from '../../config/schema.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { AssistantFacts } from '../../records/state.ts';

/** `port`: on this machine only. */
type AssistantPlace = { readonly at: 'none' | 'elsewhere' } | { readonly at: 'here'; readonly port: number };

export function assistantPlace({ assistant }: Config): AssistantPlace {
  if (assistant.base_url === '') return { at: 'none' };
  const { hostname, port, protocol } = new URL(assistant.base_url);
  if (!isLoopbackHost(hostname.replace(/^\[|\]$/g, ''))) return { at: 'elsewhere' };
  return { at: 'here', port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

/** With the holders of its port on this machine; a remote assistant has none here. */
export function assistantFacts(config: Config, snapshot: Snapshot): AssistantFacts {
  const place = assistantPlace(config);
  if (place.at !== 'here') return { place: place.at, pids: 0 };
  const pids = snapshot.listeners
    .filter((listener) => listener.protocol === 'tcp' && listener.port === place.port)
    .flatMap((listener) => listener.holders.map((holder) => holder.pid));
  return { place: 'here', pids: new Set(pids).size };
}
