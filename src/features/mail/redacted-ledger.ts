/** What goes into the ledger never holds the password, whatever a server sends. */

import type { Redactor } from '../../base/redactor.ts';
import type { LedgerTotals } from '../../records/ledger.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { LedgerBatch, Mailbox, Messages } from './ledger/types.ts';

export class RedactedLedger implements Ledger {
  readonly #ledger: Ledger;
  readonly #redactor: Redactor;
  /** Those of each reader, cleaned of so many secrets. */
  #cleaned = new WeakMap<Messages['mailboxes'], (Mailbox | null)[]>();
  #cleanedBy = 0;

  constructor(ledger: Ledger, redactor: Redactor) {
    this.#ledger = ledger;
    this.#redactor = redactor;
  }

  get recovered(): string {
    return this.#ledger.recovered;
  }

  get messageKey(): Uint8Array {
    return this.#ledger.messageKey;
  }

  commit({ messages, place, units }: LedgerBatch): number {
    const cleaned = messages.map((some) => ({ ...some, mailboxes: this.#boxes(some.mailboxes) }));
    const own = place === null ? null : { ...place, folder: this.#redactor.text(place.folder) };
    return this.#ledger.commit({ messages: cleaned, place: own, units });
  }

  place(source: string, folder: string): string | null {
    return this.#ledger.place(source, this.#redactor.text(folder));
  }

  units(source: string, folder: string): ReadonlySet<number> {
    return this.#ledger.units(source, this.#redactor.text(folder));
  }

  folders(source: string): readonly string[] {
    return this.#ledger.folders(source);
  }

  keepFolders(source: string, folders: readonly string[]): void {
    this.#ledger.keepFolders(
      source,
      folders.map((folder) => this.#redactor.text(folder)),
    );
  }

  finish(): void {
    this.#ledger.finish();
  }

  forget(address: string): boolean {
    return this.#ledger.forget(address);
  }

  totals(): LedgerTotals {
    return this.#ledger.totals();
  }

  close(): void {
    this.#ledger.close();
  }

  /** An address that tells the password is nobody's; a name is kept without it. Mailboxes stay in their places: only new ones are looked at. */
  #boxes(boxes: Messages['mailboxes']): Messages['mailboxes'] {
    if (this.#cleanedBy !== this.#redactor.secrets) {
      this.#cleaned = new WeakMap();
      this.#cleanedBy = this.#redactor.secrets;
    }
    const cleaned = this.#cleaned.get(boxes) ?? [];
    this.#cleaned.set(boxes, cleaned);
    for (let at = cleaned.length; at < boxes.length; at += 1) cleaned.push(this.#box(boxes[at] ?? null));
    return cleaned;
  }

  #box(box: Mailbox | null): Mailbox | null {
    if (box === null || this.#redactor.tells(box.address)) return null;
    return this.#redactor.finds(box.name) ? { ...box, name: this.#redactor.text(box.name) } : box;
  }
}
