/** The listeners as grounds name them, each with what explains it. */
import { listenerKey } from '../checks/subjects.ts';
import type { Listener, Snapshot } from '../engine/snapshot.ts';
import type { AllowedListener, Law } from '../law/law.ts';
import type { Moment } from '../records/moment.ts';

export interface ListenerFacts {
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
  readonly scope: 'loopback' | 'public';
  readonly inode: number;
  readonly owner: Listener['owner'];
  /** "" when it is not known. */
  readonly executable: string;
  readonly pids: readonly number[];
  /** `desk`: a listener of its own. `nothing`: neither law nor baseline know it, or the law bans it. */
  readonly known_by: 'desk' | 'law' | 'baseline' | 'accepted' | 'benign' | 'nothing';
  /** Which of `law.listen` allows it; null when none does. */
  readonly law_entry: number | null;
  /** Id of the open finding about it; null when there is none. */
  readonly finding: string | null;
}

const allows = (entry: AllowedListener, listener: Listener, nowMs: number): boolean =>
  entry.ports.includes(listener.port) &&
  entry.protocol === listener.protocol &&
  (entry.scope === 'any' || entry.scope === listener.scope) &&
  (entry.executable === '' || entry.executable === listener.executable) &&
  (entry.expiresMs === null || nowMs < entry.expiresMs);

/** `held`: keys of the listeners of the held generation. */
export function listenerRows(
  { snapshot, judgement }: Pick<Moment, 'snapshot' | 'judgement'>,
  law: Law,
  held: ReadonlySet<string>,
): readonly ListenerFacts[] {
  const about = new Map<number, string>();
  for (const { id, subject } of judgement.findings)
    if (subject.kind === 'listener' && subject.namespace === undefined) about.set(subject.inode, id);
  const excused = new Map<number, ListenerFacts['known_by']>();
  for (const { subject, source } of judgement.excused)
    if (subject.kind === 'listener' && subject.namespace === undefined) excused.set(subject.inode, source);
  return snapshot.listeners.map((listener) => {
    const entry = law.allowedListeners.findIndex((one) => allows(one, listener, snapshot.at.epochMs));
    const finding = about.get(listener.inode) ?? null;
    return {
      protocol: listener.protocol,
      address: listener.address,
      port: listener.port,
      scope: listener.scope,
      inode: listener.inode,
      owner: listener.owner,
      executable: listener.executable,
      pids: listener.holders.map(({ pid }) => pid),
      known_by: finding === null ? knownBy(snapshot, listener, entry, held, excused) : 'nothing',
      law_entry: entry < 0 ? null : entry,
      finding,
    };
  });
}

function knownBy(
  snapshot: Snapshot,
  listener: Listener,
  entry: number,
  held: ReadonlySet<string>,
  excused: ReadonlyMap<number, ListenerFacts['known_by']>,
): ListenerFacts['known_by'] {
  const { holders } = listener;
  if (holders.length > 0 && holders.every(({ pid }) => snapshot.engine.deskPids.includes(pid))) return 'desk';
  if (entry >= 0) return 'law';
  return excused.get(listener.inode) ?? (held.has(listenerKey(snapshot, listener)) ? 'baseline' : 'nothing');
}
