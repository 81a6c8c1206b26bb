/** Messages of tests one by one, and as the columns that the ledger takes. */

import {
  BY_PROGRAM,
  KEY_BYTES,
  type Mailbox,
  type Messages,
  NO_TIME,
  OVER_LIST,
} from '../../src/features/mail/ledger/types.ts';
import { MessageReader } from '../../src/features/mail/message-reader.ts';

export interface MessageFacts {
  readonly key: Uint8Array;
  /** Null without a believable time. */
  readonly atMs: number | null;
  readonly from: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  /** Cc and Bcc. */
  readonly copied: readonly Mailbox[];
  readonly list: boolean;
  readonly automated: boolean;
}

/** As a ledger's, but known. */
export const TEST_KEY = Uint8Array.from({ length: KEY_BYTES }, (_, at) => at);

export function columnsOf(messages: readonly MessageFacts[]): Messages {
  const mailboxes: Mailbox[] = [];
  const places = new Map<string, number>();
  const named: number[] = [];
  const ends: number[] = [];
  for (const { from, to, copied } of messages)
    for (const list of [from, to, copied]) {
      for (const box of list) {
        const text = JSON.stringify(box);
        if (!places.has(text)) places.set(text, mailboxes.push(box) - 1);
        named.push(places.get(text) as number);
      }
      ends.push(named.length);
    }
  return {
    keys: Uint8Array.from(messages.flatMap(({ key }) => [...key])),
    times: Float64Array.from(messages, ({ atMs }) => atMs ?? NO_TIME),
    flags: Uint8Array.from(
      messages,
      ({ list, automated }) => (list ? OVER_LIST : 0) | (automated ? BY_PROGRAM : 0),
    ),
    named: Uint32Array.from(named),
    ends: Uint32Array.from(ends),
    mailboxes,
  };
}

export function factsOf({ keys, times, flags, named, ends, mailboxes }: Messages): MessageFacts[] {
  const list = (at: number): Mailbox[] =>
    [...named.subarray(at === 0 ? 0 : ends[at - 1], ends[at])].flatMap((place) => mailboxes[place] ?? []);
  return Array.from(times, (atMs, index) => ({
    key: keys.slice(index * KEY_BYTES, (index + 1) * KEY_BYTES),
    atMs: atMs === NO_TIME ? null : atMs,
    from: list(3 * index),
    to: list(3 * index + 1),
    copied: list(3 * index + 2),
    list: ((flags[index] as number) & OVER_LIST) !== 0,
    automated: ((flags[index] as number) & BY_PROGRAM) !== 0,
  }));
}

const shared = new MessageReader(TEST_KEY);

/** The facts of one header, as every source reads it. */
export function readHeader(bytes: Uint8Array, nowMs: number, reader = shared): MessageFacts {
  reader.add(bytes, nowMs);
  return factsOf(reader.take())[0] as MessageFacts;
}
