/**
 * What messages add up to, per address. Everything adds up in the same way in whatever order messages come, and times and traits of
 * a message that was counted before may come again: they change nothing. Pure.
 */
import type { FirstContact } from '../records/ledger.ts';
import type { Mailbox, MessageFacts } from './ledger-types.ts';

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

export const openingOf = (atMs: number | null, contact: number): number => (atMs ?? NEVER) * 4 + contact;
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

/** `counted` tells which messages were counted before, by their place in the list; `forgottenMs` until when an address is left out. */
export function tally(
  messages: readonly MessageFacts[],
  own: ReadonlySet<string>,
  counted: (index: number) => boolean,
  forgottenMs: (address: string) => number | null,
): ReadonlyMap<string, Tally> {
  const people = new Map<string, Tally>();
  messages.forEach((message, index) => {
    const { atMs } = message;
    const fresh = !counted(index);
    const add = (boxes: readonly Mailbox[], count: Count, contact: number, traits: number): void => {
      for (const { address, name } of boxes) {
        if (own.has(address)) continue;
        const until = forgottenMs(address);
        if (until !== null && (atMs ?? 0) <= until) continue;
        let one = people.get(address);
        if (one === undefined) {
          one = {
            received: 0,
            sent: 0,
            copied: 0,
            opening: Infinity,
            lastMs: UNKNOWN_MS,
            traits: 0,
            fresh: false,
            message: -1,
            names: null,
          };
          people.set(address, one);
        } else if (one.message === index) continue;
        one.message = index;
        one.opening = Math.min(one.opening, openingOf(atMs, contact));
        one.lastMs = Math.max(one.lastMs, atMs ?? UNKNOWN_MS);
        one.traits |= traits;
        if (!fresh) continue;
        one.fresh = true;
        one[count] += 1;
        if (name === '') continue;
        one.names ??= new Map();
        one.names.set(name, (one.names.get(name) ?? 0) + 1);
      }
    };
    if (message.from.some(({ address }) => own.has(address))) {
      add(message.to, 'sent', OUT, 0);
      add(message.copied, 'copied', OUT, 0);
      add(message.from, 'copied', BESIDE, 0);
    } else {
      add(message.from, 'received', IN, (message.list ? 0 : STRAIGHT) | (message.automated ? 0 : BY_HAND));
      add(message.to, 'copied', BESIDE, 0);
      add(message.copied, 'copied', BESIDE, 0);
    }
  });
  return people;
}

/** FNV-1a, 32 bits: by it names are drawn when an address has more than are kept, so that the order of messages does not matter. */
export function drawOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
