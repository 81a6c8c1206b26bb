/** Messages on their way between threads: mailboxes are told once, in the first parcel that comes after they were read. Pure. */
import type { Mailbox, Messages } from '../store/ledger-types.ts';

export interface Parcel extends Omit<Messages, 'mailboxes'> {
  /** Place of the first mailbox that is told; 0: places begin anew. */
  readonly first: number;
  /** JSON: address and name in turns, "" for nobody. */
  readonly people: string;
}

/** Packs what one reader gives. */
export class Packer {
  #mailboxes: Messages['mailboxes'] = [];
  #told = 0;

  pack({ mailboxes, ...columns }: Messages): Parcel {
    if (this.#mailboxes !== mailboxes) this.#told = 0;
    const first = this.#told;
    this.#mailboxes = mailboxes;
    this.#told = mailboxes.length;
    const people = mailboxes.slice(first).flatMap((box) => [box?.address ?? '', box?.name ?? '']);
    return { ...columns, first, people: JSON.stringify(people) };
  }
}

/** Unpacks what one packer packed, in the same order. */
export class Unpacker {
  #mailboxes: (Mailbox | null)[] = [];

  unpack({ first, people, ...columns }: Parcel): Messages {
    if (first === 0) this.#mailboxes = [];
    const texts = JSON.parse(people) as string[];
    for (let at = 0; at < texts.length; at += 2) {
      const address = texts[at] as string;
      this.#mailboxes.push(address === '' ? null : { address, name: texts[at + 1] as string });
    }
    return { ...columns, mailboxes: this.#mailboxes };
  }
}
