/** What the mail people ledger takes: messages go in, persons come out (`records/ledger.ts`). No mail text is kept. */

/** During a long import what was committed is put before readers (`finish`) so often. */
export const FINISH_EVERY_MS = 2000;

/** Somebody a message names. */
export interface Mailbox {
  /** addr-spec (RFC 5322 section 3.4.1), its domain in lower-case ASCII (IDNA). */
  readonly address: string;
  /** Cleaned display name; "" without one. */
  readonly name: string;
}

/** What the ledger wants of a message; from its header alone. */
export interface MessageFacts {
  /**
   * 16 bytes that are the same wherever the same message is read again: it counts once. Messages of one key name the same people by
   * the same names; time, list and automated may differ from copy to copy.
   */
  readonly key: Uint8Array;
  /** Milliseconds since the epoch at which it was delivered, else written; null without a believable time. */
  readonly atMs: number | null;
  readonly from: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  /** Cc and Bcc. */
  readonly copied: readonly Mailbox[];
  /** It came over a mailing list (List-Id, RFC 2919). */
  readonly list: boolean;
  /** A program sent it (Auto-Submitted, RFC 3834; Precedence; a null return path). */
  readonly automated: boolean;
}

/** Where reading a folder goes on: what it means is the source's own affair. */
export interface FolderPlace {
  /** As configured, e.g. `maildir:~/Mail`. */
  readonly source: string;
  /** Name of the folder within the source. */
  readonly folder: string;
  /** JSON of the source's own making. */
  readonly place: string;
}

/** What is written in one transaction: a kill leaves all of it or nothing. */
export interface LedgerBatch {
  readonly messages: readonly MessageFacts[];
  readonly place: FolderPlace | null;
  /** Files of the folder that were read, and those that are gone, as numbers of the source's making (below 2^53). */
  readonly units: { readonly read: readonly number[]; readonly gone: readonly number[] };
}
