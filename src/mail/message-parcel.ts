/** Facts of many messages as few buffers, for the way between threads: people are told once, messages are numbers. Pure. */
import type { Mailbox, MessageFacts } from '../store/ledger-types.ts';

export interface Parcel {
  /** JSON: address and name in turns. */
  readonly people: string;
  /** Of each message: time (-1: none), flags, how many from, to, copied, and their numbers among the people. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** 16 bytes each. */
  readonly keys: Uint8Array<ArrayBuffer>;
}

const KEY_BYTES = 16;
const NO_TIME = -1;
const LIST = 1;
const AUTOMATED = 2;

export function packed(messages: readonly MessageFacts[]): Parcel {
  const people: string[] = [];
  const known = new Map<Mailbox, number>();
  const numbers: number[] = [];
  const keys = new Uint8Array(messages.length * KEY_BYTES);
  messages.forEach(({ key, atMs, from, to, copied, list, automated }, index) => {
    keys.set(key, index * KEY_BYTES);
    numbers.push(
      atMs ?? NO_TIME,
      (list ? LIST : 0) | (automated ? AUTOMATED : 0),
      from.length,
      to.length,
      copied.length,
    );
    for (const boxes of [from, to, copied])
      for (const box of boxes) {
        let number = known.get(box);
        if (number === undefined) {
          number = people.push(box.address, box.name) / 2 - 1;
          known.set(box, number);
        }
        numbers.push(number);
      }
  });
  return { people: JSON.stringify(people), numbers: Float64Array.from(numbers), keys };
}

export function unpacked({ people, numbers, keys }: Parcel): MessageFacts[] {
  const texts = JSON.parse(people) as string[];
  const boxes: Mailbox[] = [];
  for (let at = 0; at < texts.length; at += 2)
    boxes.push({ address: texts[at] as string, name: texts[at + 1] as string });
  const messages: MessageFacts[] = [];
  let at = 0;
  const next = (): number => {
    at += 1;
    return numbers[at - 1] as number;
  };
  const some = (count: number): Mailbox[] => Array.from({ length: count }, () => boxes[next()] as Mailbox);
  while (at < numbers.length) {
    const atMs = next();
    const flags = next();
    const [from, to, copied] = [next(), next(), next()];
    const key = keys.subarray(messages.length * KEY_BYTES, (messages.length + 1) * KEY_BYTES);
    messages.push({
      key,
      atMs: atMs === NO_TIME ? null : atMs,
      from: some(from),
      to: some(to),
      copied: some(copied),
      list: (flags & LIST) !== 0,
      automated: (flags & AUTOMATED) !== 0,
    });
  }
  return messages;
}
