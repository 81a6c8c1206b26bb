/**
 * The listeners that the law or the baseline allows, as a condition over rows and for one listener with the source; and what the
 * checks of the others share. Pure.
 */
import { SCOPE } from '../engine/native/batch-types.ts';
import type { Listener } from '../engine/snapshot.ts';
import { type AllowedListener, hasEnded, type Law } from '../policy/law.ts';
import { LEARN } from './blindness.ts';
import type { CheckContext, FailParts, Known } from './check.ts';
import {
  all,
  always,
  any,
  type Expression,
  equals,
  flag,
  type ListenerColumn,
  member,
  never,
  not,
  type Parameter,
  port,
  type Rule,
} from './rule.ts';
import {
  endpointText,
  holderText,
  listenerAt,
  listenerEvidence,
  listenerKey,
  listenerKeyText,
  listenerSubject,
} from './subjects.ts';

/** IPPROTO_TCP and IPPROTO_UDP, as the protocol column holds them. */
const PROTOCOL = { tcp: 6n, udp: 17n } as const;

const before = (expiresMs: number): Parameter => ({
  name: `before ${expiresMs}`,
  of: ({ at }) => (at.epochMs < expiresMs ? 1n : 0n),
});

/** One without executable is recognised by its columns, one with by its key, which says `ephemeral` for some ports. */
function covered(allowed: AllowedListener, hash: (text: string) => bigint): Expression<ListenerColumn> {
  const { ports, protocol, scope, executable } = allowed;
  const onPort = port('port', new Set(ports));
  if (executable === '')
    return all(
      onPort,
      equals('protocol', PROTOCOL[protocol]),
      scope === 'any' ? always : equals('scope', BigInt(SCOPE[scope])),
    );
  const scopes = scope === 'any' ? (['loopback', 'public'] as const) : [scope];
  const keys = scopes.flatMap((one) =>
    [...ports, 'ephemeral' as const].map((at) => hash(listenerKeyText(one, protocol, at, executable))),
  );
  return all(onPort, member('key', keys));
}

const allowedByLaw = (
  { allowedListeners }: Law,
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
    (allowed) => !hasEnded(allowed, snapshot.at.epochMs) && isAllowed(allowed, listener),
  );
}

function allowSourceOf(listener: Listener, { snapshot, law, known }: Context): AllowSource {
  if (lawEntryOf(listener, { snapshot, law }) !== undefined) return 'law';
  return known?.listeners.has(listenerKey(snapshot, listener)) === true ? 'baseline' : '';
}

/** The same as `covered`, of one listener. */
function isAllowed({ ports, protocol, scope, executable }: AllowedListener, listener: Listener): boolean {
  if (!ports.includes(listener.port) || protocol !== listener.protocol) return false;
  if (scope !== 'any' && scope !== listener.scope) return false;
  return executable === '' || (listener.owner !== 'ownerless' && listener.executable === executable);
}

/** Fails of the listeners in `which` that are neither learned, allowed by the law nor our own; those on banned ports are another check's. */
export function unlearnedRule(
  which: Expression<ListenerColumn>,
  law: Law,
  known: Known | null,
  hash: (text: string) => bigint,
): Rule {
  const allowed = any(equals('own', 1n), allowedByLaw(law, hash));
  const applies = all(which, not(port('port', law.bannedPorts)));
  if (known !== null) {
    const learned = member('key', [...known.listeners].map(hash));
    return { subjects: 'listeners', applies, fails: not(any(allowed, learned)) };
  }
  const reason = 'nothing has been learned yet, so no such listener is known good';
  return {
    subjects: 'listeners',
    applies,
    blind: [{ when: not(allowed), reason, cure: LEARN, hides: false }],
    fails: never,
  };
}

/** Whether every process shows its descriptors: `explainUnlearned` depends on it beside the listener. */
export const seesHolders = ({ snapshot: { probes } }: CheckContext): boolean =>
  probes.some(({ id, works }) => id === 'descriptors' && works);

export function explainUnlearned(context: CheckContext, row: number): FailParts {
  const { snapshot } = context;
  const listener = listenerAt(snapshot, row);
  return {
    unattributed: seesHolders(context) && listener.owner !== 'ownerless' && listener.executable === '',
    subject: listenerSubject(listener),
    summary: `${endpointText(listener)} is held by ${holderText(listener)} and was never learned`,
    evidence: listenerEvidence(listener),
  };
}
