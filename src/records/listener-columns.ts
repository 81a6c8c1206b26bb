/** What is shown of a listener, column by column. */
import type { Excused, Subject } from '../checks/judgement.ts';
import type { Voucher } from '../checks/vouched.ts';
import type { Listener } from '../engine/snapshot.ts';
import { type Cell, columnOf, type RowOf, tableOf } from './columns.ts';
import type { Moment } from './moment.ts';

const ALLOWED = ['desk', 'law', 'baseline', 'accepted', 'benign', ''] as const;

/** The checks that ask whether a listener may be there. */
const JUDGES: readonly string[] = ['public-listener', 'unknown-local-listener'];

export interface ListenersAsked {
  readonly moment: Moment;
  /** Of each listener of the moment. */
  readonly vouchers: readonly Voucher[];
}

interface ListenerSource extends ListenersAsked {
  readonly findingsOf: (one: Listener) => readonly { readonly id: string }[];
  readonly excusesOf: (one: Listener) => readonly Excused[];
}

export const listenerSource = (asked: ListenersAsked): ListenerSource => {
  const { excused, findings } = asked.moment.judgement;
  return {
    ...asked,
    findingsOf: byListener(findings),
    excusesOf: byListener(excused.filter(({ check }) => JUDGES.includes(check))),
  };
};

/** What was said of each listener of our own network, in its order. */
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
    const others = found.get(key);
    if (others === undefined) found.set(key, [one]);
    else others.push(one);
  }
  return (listener) => found.get(keyOf(listener)) ?? [];
}

const at = ({ moment }: ListenerSource, row: number): Listener => moment.snapshot.listeners[row] as Listener;

/** The first that answers: our own, the law, the baseline, and what excuses its fail. */
function allowed(source: ListenerSource, row: number): Cell<typeof ALLOWED> {
  const { deskPids } = source.moment.snapshot.engine;
  const listener = at(source, row);
  if (listener.holders.length > 0 && listener.holders.every(({ pid }) => deskPids.includes(pid)))
    return 'desk';
  return source.vouchers[row] || (source.excusesOf(listener)[0]?.source ?? '');
}

const column = columnOf<ListenerSource>();

export const LISTENERS = tableOf({
  id: 'listeners',
  path: '/h7/listeners',
  title: 'Listeners',
  noun: ['listener', 'listeners'],
  columns: {
    protocol: column(
      ['tcp', 'udp'],
      'TCP in LISTEN, or UDP that is not connected',
      (source, row) => at(source, row).protocol,
      { head: 'Protocol' },
    ),
    address: column('text', 'bound address, IPv6 as in RFC 5952', (source, row) => at(source, row).address, {
      head: 'Address',
    }),
    port: column('count', 'bound port', (source, row) => at(source, row).port, {
      head: 'Port',
      as: 'number',
    }),
    scope: column(
      ['loopback', 'public'],
      'public: bound beyond loopback',
      (source, row) => at(source, row).scope,
      { head: 'Reach', tones: { public: 'warn', loopback: 'calm' } },
    ),
    inode: column('count', 'inode of the socket', (source, row) => at(source, row).inode, {
      head: 'Socket inode',
    }),
    uid: column('count', 'user who made the socket', (source, row) => at(source, row).creatorUid, {
      head: 'User',
      as: 'number',
    }),
    executable: column(
      'text',
      'path that its first holder runs; "" when unknown',
      (source, row) => at(source, row).executable,
      { head: 'Executable', as: 'path', or: 'owner' },
    ),
    pids: column(
      'count[]',
      'processes that hold it, ascending; empty when unknown or none',
      (source, row) => [...new Set(at(source, row).holders.map(({ pid }) => pid))],
      { head: 'Held by', as: 'number', absent: 'none known' },
    ),
    owner: column(
      ['held', 'ownerless', 'blind'],
      'held; ownerless: no process holds it; blind: some descriptor tables could not be read',
      (source, row) => at(source, row).owner,
      { head: 'Owner' },
    ),
    allowed: column(
      ALLOWED,
      'what allows it: held by the desk alone; [[listen]] of the law; learned; accepted or explained by a benign cause or the law; "": nothing does, or nothing asks (UDP on ephemeral ports)',
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
