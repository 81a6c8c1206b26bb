/** What vouches for a listener: the answer of the rules of public-listener and unknown-local-listener, with its reason. Pure. */
import type { Listener, Snapshot } from '../engine/snapshot.ts';
import { type AllowedListener, hasEnded } from '../policy/law.ts';
import type { CheckContext } from './check.ts';
import { listenerKey, listenerKeyText } from './subjects.ts';

/** `law`: `[[listen]]` of law.toml; `baseline`: it was learned; "": neither. */
export type Voucher = 'law' | 'baseline' | '';

type Context = Pick<CheckContext, 'snapshot' | 'law' | 'known'>;

/** Of each listener of a snapshot. */
export const vouchersOf = (context: Context): readonly Voucher[] =>
  context.snapshot.listeners.map((listener) => voucherOf(listener, context));

/** The entry of the law that a listener of the snapshot falls under. */
export function lawEntryOf(
  listener: Listener,
  { snapshot, law }: Pick<Context, 'snapshot' | 'law'>,
): AllowedListener | undefined {
  return law.allowedListeners.find(
    (allowed) => !hasEnded(allowed, snapshot.at.epochMs) && covers(allowed, listener, snapshot),
  );
}

function voucherOf(listener: Listener, { snapshot, law, known }: Context): Voucher {
  if (lawEntryOf(listener, { snapshot, law }) !== undefined) return 'law';
  return known?.listeners.has(listenerKey(snapshot, listener)) === true ? 'baseline' : '';
}

/** One with an executable is told by its key, which says `ephemeral` for some ports. */
function covers(allowed: AllowedListener, listener: Listener, snapshot: Snapshot): boolean {
  const { ports, protocol, scope, executable } = allowed;
  if (!ports.includes(listener.port) || protocol !== listener.protocol) return false;
  if (scope !== 'any' && scope !== listener.scope) return false;
  if (executable === '') return true;
  const key = listenerKey(snapshot, listener);
  return [listener.port, 'ephemeral' as const].some(
    (port) => key === listenerKeyText(listener.scope, protocol, port, executable),
  );
}
