/** What is shown of a listener, column by column. */

import type { AllowSource } from '../checks/allowed-listeners.ts';
import type { Subject } from '../checks/subjects.ts';
import type { Listener } from '../engine/snapshot.ts';
import type { Suppressed } from '../findings/finding.ts';
import { type Cell, type CellType, columnOf, type RowOf, type Shown, tableOf } from './columns.ts';
import type { DeskState } from './state.ts';

const ALLOWED = ['desk', 'law', 'baseline', 'accepted', 'benign', ''] as const;

/** The checks that ask whether a listener may be there. */
const JUDGES: readonly string[] = ['public-listener', 'unknown-local-listener'];

export interface ListenersAsked {
  readonly state: DeskState;
  /** Of each listener of the snapshot. */
  readonly allowSources: readonly AllowSource[];
}

interface ListenerSource extends ListenersAsked {
  readonly findingsOf: (one: Listener) => readonly { readonly id: string }[];
  readonly suppressionsOf: (one: Listener) => readonly Suppressed[];
}

export const listenerSource = (asked: ListenersAsked): ListenerSource => {
  const { suppressed, findings } = asked.state.judgement;
  return {
    ...asked,
    findingsOf: byListener(findings),
    suppressionsOf: byListener(suppressed.filter(({ check }) => JUDGES.includes(check))),
  };
};

/** What was reported of each listener of our own network, in its order. */
function byListener<T extends { readonly subject: Subject }>(
  said: readonly T[],
): (one: Listener) => readonly T[] {
  const keyOf = ({ inode, port, protocol }: Pick<Listener, 'inode' | 'port' | 'protocol'>): string =>
    `${protocol} ${port} ${inode}`;
  const found = new Map<string, T[]>();
  for (const one of said) {
    const { subject } = one;
    if (subject.kind !== 'listener' || subject.namespace !== undefined) continue;
    const key = keyOf(subject);
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return (listener) => found.get(keyOf(listener)) ?? [];
}

const at = ({ state }: ListenerSource, row: number): Listener => state.snapshot.listeners[row] as Listener;

/** The first that answers: our own, the law, the baseline, and what suppresses its fail. */
function allowed(source: ListenerSource, row: number): Cell<typeof ALLOWED> {
  const { deskPids } = source.state.snapshot.engine;
  const listener = at(source, row);
  if (listener.holders.length > 0 && listener.holders.every(({ pid }) => deskPids.includes(pid)))
    return 'desk';
  return source.allowSources[row] || (source.suppressionsOf(listener)[0]?.source ?? '');
}

const column = columnOf<ListenerSource>();
const own = <const T extends CellType>(
  type: T,
  meaning: string,
  read: (one: Listener) => Cell<T>,
  shown: Shown,
) => column(type, meaning, (source, row) => read(at(source, row)), shown);

export const LISTENERS = tableOf({
  id: 'listeners',
  path: '/h7/listeners',
  title: 'Listeners',
  noun: ['listener', 'listeners'],
  columns: {
    protocol: own(['tcp', 'udp'], 'TCP in LISTEN, or UDP that is not connected', (one) => one.protocol, {
      head: 'Protocol',
    }),
    address: own('text', 'bound address, IPv6 as in RFC 5952', (one) => one.address, { head: 'Address' }),
    port: own('count', 'bound port', (one) => one.port, { head: 'Port', as: 'number' }),
    scope: own(['loopback', 'public'], 'public: bound beyond loopback', (one) => one.scope, {
      head: 'Reach',
      tones: { public: 'warn', loopback: 'calm' },
    }),
    inode: own('count', 'inode of the socket', (one) => one.inode, { head: 'Socket inode' }),
    uid: own('count', 'user who made the socket', (one) => one.creatorUid, { head: 'User', as: 'number' }),
    executable: own('text', 'path that its first holder runs; "" when unknown', (one) => one.executable, {
      head: 'Executable',
      as: 'path',
      or: 'owner',
    }),
    pids: own(
      'count[]',
      'processes that hold it, ascending; may be empty',
      (one) => [...new Set(one.holders.map(({ pid }) => pid))],
      { head: 'Held by', as: 'number', to: 'process', absent: 'none known' },
    ),
    owner: own(
      ['held', 'ownerless', 'blind'],
      'held; ownerless: no process holds it; blind: some descriptor tables could not be read',
      (one) => one.owner,
      { head: 'Owner' },
    ),
    allowed: column(
      ALLOWED,
      'what allows it: held only by the desk; [[listen]] of the law; learned; accepted or explained by a benign cause or the law; "": nothing, or not judged (UDP on ephemeral ports)',
      allowed,
      {
        head: 'Allowed',
        words: {
          desk: 'the desk itself',
          law: 'by law',
          baseline: 'learned',
          accepted: 'accepted',
          benign: 'benign',
          '': 'by nothing',
        },
      },
    ),
    findings: column(
      'text[]',
      'ids of the open findings about it',
      (source, row) => source.findingsOf(at(source, row)).map(({ id }) => id),
      { head: 'Findings', as: 'findings', absent: 'none' },
    ),
  },
  order: ['port', 'protocol', 'address', 'scope', 'executable', 'pids', 'uid', 'allowed', 'findings'],
  sort: { key: 'findings', descending: true },
  searched: ['port', 'protocol', 'address', 'scope', 'executable', 'pids', 'uid', 'owner', 'allowed'],
  searchHint: 'Filter by port, address, path, pid, user',
  identity: ['protocol', 'port', 'inode'],
  picks: [
    ['all', 'All', null],
    ['public', 'Public', ({ scope }, row) => scope[row] === 'public'],
    ['loopback', 'Loopback', ({ scope }, row) => scope[row] === 'loopback'],
    ['unowned', 'Without owner', ({ owner }, row) => owner[row] !== 'held'],
    ['findings', 'With findings', ({ findings }, row) => (findings[row]?.length ?? 0) > 0],
  ],
});
export type ListenerRow = RowOf<(typeof LISTENERS)['columns']>;
