/** Where the configured assistant is: what a question to it may cost hangs on that (security rules 4 and 7). */
import type { Config } from '../../config-schema.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `port` is given on this machine only. */
type AssistantPlace = { readonly at: 'none' | 'elsewhere' } | { readonly at: 'here'; readonly port: number };

export function assistantPlace({ assistant }: Config): AssistantPlace {
  if (assistant.base_url === '') return { at: 'none' };
  const { hostname, port, protocol } = new URL(assistant.base_url);
  if (!LOOPBACK.test(hostname)) return { at: 'elsewhere' };
  return { at: 'here', port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}
