/** The listeners that the law allows, as a condition over rows. */

import { SCOPE } from '../native/batch-types.ts';
import type { AllowedListener, Law } from '../policy/law.ts';
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
import { listenerKeyText } from './subjects.ts';

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
