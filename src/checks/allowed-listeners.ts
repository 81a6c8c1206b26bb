/** The listeners that the law or the baseline allows: as a condition over rows, and of one listener with the source. Pure. */

import { SCOPE } from '../engine/native/batch-types.ts';
import type { Listener, Snapshot } from '../engine/snapshot.ts';
import { type AllowedListener, hasEnded, type Law } from '../policy/law.ts';
import type { CheckContext } from './check.ts';
import {
  all,
  always,
  any,
  type Expression,
  equals,
  flag,
  type ListenerColumn,
  member,
  type Parameter,
  port,
} from './rule.ts';
import { listenerKey, listenerKeyText } from './subjects.ts';

/** IPPROTO_TCP and IPPROTO_UDP, as the protocol column holds them. */
const PROTOCOL = { tcp: 6n, udp: 17n } as const;

const before = (expiresMs: number): Parameter => ({
  name: `before ${expiresMs}`,
  of: ({ at }) => (at.epochMs < expiresMs ? 1n : 0n),
});

const scopesOf = ({ scope }: AllowedListener): readonly (keyof typeof SCOPE)[] =>
  scope === 'any' ? ['loopback', 'public'] : [scope];

/** One without executable is told by its columns, one with by its key, which says `ephemeral` for some ports. */
function covered(allowed: AllowedListener, hash: (text: string) => bigint): Expression<ListenerColumn> {
  const { ports, protocol, scope, executable } = allowed;
  const onPort = port('port', new Set(ports));
  if (executable === '')
    return all(
      onPort,
      equals('protocol', PROTOCOL[protocol]),
      scope === 'any' ? always : equals('scope', BigInt(SCOPE[scope])),
    );
  const keys = scopesOf(allowed).flatMap((one) =>
    [...ports, 'ephemeral' as const].map((at) => hash(listenerKeyText(one, protocol, at, executable))),
  );
  return all(onPort, member('key', keys));
}

export const allowedByLaw = (
  { allowedListeners }: Pick<Law, 'allowedListeners'>,
  hash: (text: string) => bigint,
): Expression<ListenerColumn> =>
  any(
    ...allowedListeners.map((allowed) => {
      const rows = covered(allowed, hash);
      return allowed.expiresMs === null ? rows : all(flag(before(allowed.expiresMs)), rows);
    }),
  );

/** `law`: `[[listen]]` of law.toml; `baseline`: it was learned; "": neither. */
export type AllowSource = 'law' | 'baseline' | '';

type Context = Pick<CheckContext, 'snapshot' | 'law' | 'known'>;

/** Of each listener of a snapshot. */
export const allowSourcesOf = (context: Context): readonly AllowSource[] =>
  context.snapshot.listeners.map((listener) => allowSourceOf(listener, context));

/** The entry of the law that a listener of the snapshot falls under. */
export function lawEntryOf(
  listener: Listener,
  { snapshot, law }: Pick<Context, 'snapshot' | 'law'>,
): AllowedListener | undefined {
  return law.allowedListeners.find(
    (allowed) => !hasEnded(allowed, snapshot.at.epochMs) && isAllowed(allowed, listener, snapshot),
  );
}

function allowSourceOf(listener: Listener, { snapshot, law, known }: Context): AllowSource {
  if (lawEntryOf(listener, { snapshot, law }) !== undefined) return 'law';
  return known?.listeners.has(listenerKey(snapshot, listener)) === true ? 'baseline' : '';
}

/** One with an executable is told by its key, which says `ephemeral` for some ports. */
function isAllowed(allowed: AllowedListener, listener: Listener, snapshot: Snapshot): boolean {
  const { ports, protocol, scope, executable } = allowed;
  if (!ports.includes(listener.port) || protocol !== listener.protocol) return false;
  if (scope !== 'any' && scope !== listener.scope) return false;
  if (executable === '') return true;
  const key = listenerKey(snapshot, listener);
  return [listener.port, 'ephemeral' as const].some(
    (port) => key === listenerKeyText(listener.scope, protocol, port, executable),
  );
}
