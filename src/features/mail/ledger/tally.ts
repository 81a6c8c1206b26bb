/** Sums of messages per address, the same in any order; times and traits of a message counted before change nothing. Pure. */
import type { FirstContact } from '../../../records/ledger.ts';
import { BY_PROGRAM, type Messages, NO_TIME, OVER_LIST } from './types.ts';

/** Opening contact by its code: of two at the same time the lesser code counts. */
export const CONTACTS: readonly FirstContact[] = ['out', 'in', 'beside'];
const OUT = 0;
const IN = 1;
const BESIDE = 2;

/** Milliseconds beyond every believable time: of messages that have none. */
const NEVER = 2 ** 48;
export const UNKNOWN_MS = -1;

/** Some message of theirs came straight, not over a list; some was sent by no program. */
export const STRAIGHT = 1;
export const BY_HAND = 2;

const openingOf = (atMs: number | null, contact: number): number => (atMs ?? NEVER) * 4 + contact;
export const contactOf = (opening: number): FirstContact => CONTACTS[opening % 4] as FirstContact;
export const firstMsOf = (opening: number): number => {
  const ms = Math.floor(opening / 4);
  return ms === NEVER ? UNKNOWN_MS : ms;
};

export interface Tally {
  received: number;
  sent: number;
  copied: number;
  opening: number;
  lastMs: number;
  traits: number;
  /** Some message that was not counted before names them. */
  fresh: boolean;
  /** The message that named them last. */
  message: number;
  /** Name → messages with it; null without any. */
  names: Map<string, number> | null;
}

type Count = 'received' | 'sent' | 'copied';

/** Bit of `flags`: the message was counted before. */
export const COUNTED = 128;

/** Adds messages up, batch by batch: those of one list of mailboxes, which may grow between. */
export class Tallies {
  readonly #own: ReadonlySet<string>;
  readonly #people = new Map<string, Tally>();
  #mailboxes: Messages['mailboxes'] = [];
  /** The person of a mailbox; null for none or the user. */
  readonly #persons: (Tally | null)[] = [];
  /** Messages in which its name counts. */
  readonly #seen: number[] = [];
  #messages = 0;

  /** `own`: the user's addresses. */
  constructor(own: ReadonlySet<string>) {
    this.#own = own;
  }

  /** At most so many people are named. */
  get size(): number {
    return this.#people.size;
  }

  add(messages: Messages): void {
    this.#know(messages.mailboxes);
    const [people, seen] = [this.#persons, this.#seen];
    const { times, flags, named, ends } = messages;
    let [number, flag] = [0, 0];
    let atMs: number | null = null;
    // One for all messages: to make it for each costs as much as what it does.
    const add = (first: number, end: number, count: Count, contact: number, traits: number): void => {
      for (let at = first; at < end; at += 1) {
        const mailbox = named[at] as number;
        const one = people[mailbox];
        if (!one || one.message === number) continue;
        one.message = number;
        one.opening = Math.min(one.opening, openingOf(atMs, contact));
        one.lastMs = Math.max(one.lastMs, atMs ?? UNKNOWN_MS);
        one.traits |= traits;
        if (flag & COUNTED) continue;
        one.fresh = true;
        one[count] += 1;
        seen[mailbox] = (seen[mailbox] as number) + 1;
      }
    };
    let start = 0;
    for (let index = 0; index < times.length; index += 1) {
      number = this.#messages;
      this.#messages += 1;
      const time = times[index] as number;
      atMs = time === NO_TIME ? null : time;
      flag = flags[index] as number;
      const from = ends[3 * index] as number;
      const to = ends[3 * index + 1] as number;
      const end = ends[3 * index + 2] as number;
      if (this.#isMine(messages, start, from)) {
        add(from, to, 'sent', OUT, 0);
        add(to, end, 'copied', OUT, 0);
        add(start, from, 'copied', BESIDE, 0);
      } else {
        const traits = (flag & OVER_LIST ? 0 : STRAIGHT) | (flag & BY_PROGRAM ? 0 : BY_HAND);
        add(start, from, 'received', IN, traits);
        add(from, end, 'copied', BESIDE, 0);
      }
      start = end;
    }
  }

  /** All people that counted messages named. Call it once, at the end. */
  *all(): Generator<[address: string, tally: Tally]> {
    this.#persons.forEach((one, at) => {
      const name = this.#mailboxes[at]?.name ?? '';
      const times = this.#seen[at] as number;
      if (one === null || times === 0 || name === '') return;
      one.names ??= new Map();
      one.names.set(name, (one.names.get(name) ?? 0) + times);
    });
    for (const entry of this.#people) if (entry[1].message >= 0) yield entry;
  }

  #isMine({ named, mailboxes }: Messages, first: number, end: number): boolean {
    for (let at = first; at < end; at += 1)
      if (this.#own.has(mailboxes[named[at] as number]?.address ?? '')) return true;
    return false;
  }

  #know(mailboxes: Messages['mailboxes']): void {
    this.#mailboxes = mailboxes;
    for (let at = this.#persons.length; at < mailboxes.length; at += 1) {
      const address = mailboxes[at]?.address;
      this.#persons.push(address === undefined || this.#own.has(address) ? null : this.#person(address));
      this.#seen.push(0);
    }
  }

  #person(address: string): Tally {
    let one = this.#people.get(address);
    if (one === undefined) {
      const counts = { received: 0, sent: 0, copied: 0 };
      one = {
        ...counts,
        opening: Infinity,
        lastMs: UNKNOWN_MS,
        traits: 0,
        fresh: false,
        message: -1,
        names: null,
      };
      this.#people.set(address, one);
    }
    return one;
  }
}

/** FNV-1a, 32 bits: by it names are drawn when an address has more than are kept, so that the order of messages does not matter. */
export function drawOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
