/** Keeps the password out of the ledger. */
import type { Redactor } from '../../base/redactor.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { LedgerBatch, Mailbox, Messages } from './ledger/types.ts';

/** What sources of people use of the ledger. */
export type SourceLedger = Pick<
  Ledger,
  'messageKey' | 'commit' | 'place' | 'units' | 'keepFolders' | 'finish'
>;

export class RedactedLedger implements SourceLedger {
  readonly #ledger: SourceLedger;
  readonly #redactor: Redactor;
  /** Cleaned mailboxes by those of each reader, and how many secrets were known then. */
  #cleaned = new WeakMap<Messages['mailboxes'], (Mailbox | null)[]>();
  #secrets = 0;

  constructor(ledger: SourceLedger, redactor: Redactor) {
    this.#ledger = ledger;
    this.#redactor = redactor;
  }

  get messageKey(): Uint8Array {
    return this.#ledger.messageKey;
  }

  commit({ messages, place, units }: LedgerBatch): number {
    return this.#ledger.commit({
      messages: messages.map((some) => ({ ...some, mailboxes: this.#boxes(some.mailboxes) })),
      place: place === null ? null : { ...place, folder: this.#redactor.text(place.folder) },
      units,
    });
  }

  place(source: string, folder: string): string | null {
    return this.#ledger.place(source, this.#redactor.text(folder));
  }

  units(source: string, folder: string): ReadonlySet<number> {
    return this.#ledger.units(source, this.#redactor.text(folder));
  }

  keepFolders(source: string, folders: readonly string[]): void {
    const named = folders.map((folder) => this.#redactor.text(folder));
    this.#ledger.keepFolders(source, named);
  }

  finish(): void {
    this.#ledger.finish();
  }

  /** An address with the password in it is dropped, a name is kept without it. Mailboxes keep their places: only new ones are checked. */
  #boxes(boxes: Messages['mailboxes']): Messages['mailboxes'] {
    if (this.#secrets !== this.#redactor.secrets) {
      this.#cleaned = new WeakMap();
      this.#secrets = this.#redactor.secrets;
    }
    const cleaned = this.#cleaned.get(boxes) ?? [];
    this.#cleaned.set(boxes, cleaned);
    for (let at = cleaned.length; at < boxes.length; at += 1) cleaned.push(this.#box(boxes[at] ?? null));
    return cleaned;
  }

  #box(box: Mailbox | null): Mailbox | null {
    if (box === null || this.#redactor.hasLong(box.address)) return null;
    return this.#redactor.finds(box.name) ? { ...box, name: this.#redactor.text(box.name) } : box;
  }
}
