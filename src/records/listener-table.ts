/** `GET /h7/listeners` (`H7_LISTENERS`): the listeners of a moment as columns of equal length. */
import { z } from 'zod';
import type { Excused, Subject } from '../checks/judgement.ts';
import type { Voucher } from '../checks/vouched.ts';
import type { Listener } from '../engine/snapshot.ts';
import { count, type RecordOf, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { offsetTime } from './time.ts';

const ALLOWED = ['desk', 'law', 'baseline', 'accepted', 'benign', ''] as const;
type Allowed = (typeof ALLOWED)[number];

/** The checks that ask whether a listener may be there. */
const JUDGES: readonly string[] = ['public-listener', 'unknown-local-listener'];

interface ListenersAsked {
  readonly moment: Moment;
  /** Of each listener of the moment. */
  readonly vouchers: readonly Voucher[];
}

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

/** The first that answers: our own, the law, the baseline, and what excuses its fail. */
function allowedBy(
  { moment, vouchers }: ListenersAsked,
  excusesOf: (one: Listener) => readonly Excused[],
  listener: Listener,
  place: number,
): Allowed {
  const { deskPids } = moment.snapshot.engine;
  const { holders } = listener;
  if (holders.length > 0 && holders.every(({ pid }) => deskPids.includes(pid))) return 'desk';
  const voucher = vouchers[place] ?? '';
  if (voucher !== '') return voucher;
  return excusesOf(listener)[0]?.source ?? '';
}

const { field, constant, record } = wordsFor<ListenersAsked>();

/** A column: one value per listener. */
const column = <T extends z.ZodType>(type: T, meaning: string, value: (listener: Listener) => z.input<T>) =>
  field(z.array(type), meaning, ({ moment }) => moment.snapshot.listeners.map(value));

const text = z.string();

export const listenerTable = record(
  'ListenerTable',
  'The listening sockets of a snapshot: lists of equal length, one place per socket',
  {
    ts: field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
    word: constant('H7_LISTENERS', 'name of this answer'),
    generation: field(count, 'generation of the snapshot', ({ moment }) => moment.snapshot.generation),
    total: field(
      count,
      'sockets: the length of every list',
      ({ moment }) => moment.snapshot.listeners.length,
    ),
    protocol: column(
      z.enum(['tcp', 'udp']),
      'TCP in LISTEN, or UDP that is not connected',
      (one) => one.protocol,
    ),
    address: column(text, 'bound address, IPv6 as in RFC 5952', (one) => one.address),
    port: column(count, 'bound port', (one) => one.port),
    scope: column(z.enum(['loopback', 'public']), 'public: bound beyond loopback', (one) => one.scope),
    inode: column(count, 'inode of the socket', (one) => one.inode),
    uid: column(count, 'user who made the socket', (one) => one.creatorUid),
    executable: column(text, 'path that its first holder runs; "" when unknown', (one) => one.executable),
    pids: column(
      z.array(count),
      'processes that hold it, ascending; empty when unknown or none',
      ({ holders }) => [...new Set(holders.map(({ pid }) => pid))],
    ),
    owner: column(
      z.enum(['held', 'ownerless', 'blind']),
      'held; ownerless: no process holds it; blind: some descriptor tables could not be read',
      (one) => one.owner,
    ),
    allowed: field(
      z.array(z.enum(ALLOWED)),
      'what allows it: held by the desk alone; [[listen]] of the law; learned; accepted or explained by a benign cause or the law; "": nothing does, or nothing asks (UDP on ephemeral ports)',
      (asked) => {
        const { snapshot, judgement } = asked.moment;
        const excusesOf = byListener(judgement.excused.filter(({ check }) => JUDGES.includes(check)));
        return snapshot.listeners.map((one, place) => allowedBy(asked, excusesOf, one, place));
      },
    ),
    findings: field(z.array(z.array(text)), 'ids of the open findings about it', ({ moment }) => {
      const findingsOf = byListener(moment.judgement.findings);
      return moment.snapshot.listeners.map((listener) => findingsOf(listener).map(({ id }) => id));
    }),
  },
);
export type ListenerTable = RecordOf<typeof listenerTable>;
