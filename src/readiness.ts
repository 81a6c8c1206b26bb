/** What /readyz says: each part by name, with the reason while it is down. */
import type { Desk } from './desk.ts';
import type { LoopFacts, ServiceListener } from './records/moment.ts';

interface ReadinessParts {
  readonly seen: boolean;
  readonly loop: LoopFacts;
  /** Why each of these is down; "" when it is not. */
  readonly troubles: { readonly engine: string; readonly [part: string]: string };
  readonly listeners: readonly ServiceListener[];
}

export function readinessOf({
  seen,
  loop,
  troubles,
  listeners,
}: ReadinessParts): ReturnType<Desk['readiness']> {
  const parts: Record<string, { ok: boolean; reason: string }> = {};
  for (const [part, reason] of Object.entries(troubles)) parts[part] = { ok: reason === '', reason };
  const engine = { ok: seen && troubles.engine === '', reason: troubles.engine };
  const stale = loop.on && !loop.fresh;
  parts.engine = engine;
  parts.loop = { ok: !stale, reason: stale ? 'the last snapshot is older than two periods' : '' };
  for (const { role, state, reason } of listeners)
    if (state !== 'off') parts[`listener.${role}`] = { ok: state === 'bound', reason };
  // Only what no answer can do without makes the service unready; the rest is shown.
  return { ready: engine.ok && !stale, parts };
}
