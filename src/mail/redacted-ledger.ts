/** What goes into the ledger never holds the password, whatever a server sends. */
import type { LedgerTotals } from '../records/ledger.ts';
import type { Ledger } from '../store/ledger.ts';
import type { LedgerBatch, Mailbox } from '../store/ledger-types.ts';
import type { Redactor } from './redact.ts';

export class RedactedLedger implements Ledger {
  readonly #ledger: Ledger;
  readonly #redactor: Redactor;

  constructor(ledger: Ledger, redactor: Redactor) {
    this.#ledger = ledger;
    this.#redactor = redactor;
  }

  get recovered(): string {
    return this.#ledger.recovered;
  }

  commit({ messages, place, units }: LedgerBatch): number {
    const cleaned = messages.map(({ from, to, copied, ...message }) => ({
      ...message,
      from: this.#boxes(from),
      to: this.#boxes(to),
      copied: this.#boxes(copied),
    }));
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

  dropFolder(source: string, folder: string): void {
    this.#ledger.dropFolder(source, folder);
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

  /** An address that tells the password is nobody's; a name is kept without it. */
  #boxes(boxes: readonly Mailbox[]): readonly Mailbox[] {
    if (!boxes.some(({ address, name }) => this.#redactor.finds(name) || this.#redactor.tells(address)))
      return boxes;
    return boxes
      .filter(({ address }) => !this.#redactor.tells(address))
      .map(({ address, name }) => ({ address, name: this.#redactor.text(name) }));
  }
}
