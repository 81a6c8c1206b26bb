/** What the mail people ledger takes: messages go in, persons come out (`records/ledger.ts`). No mail text is kept. */

/** Period of `finish` during a long import. */
export const FINISH_EVERY_MS = 2000;

/** Somebody a message names. */
export interface Mailbox {
  /** addr-spec (RFC 5322 section 3.4.1), its domain in lower-case ASCII (IDNA). */
  readonly address: string;
  /** Cleaned display name; "" without one. */
  readonly name: string;
}

/** `flags` of a message: it came over a mailing list (List-Id, RFC 2919). */
export const OVER_LIST = 1;
/** A program sent it (Auto-Submitted, RFC 3834; Precedence; a null return path). */
export const BY_PROGRAM = 2;
/** In `times`, of a message without a believable time. */
export const NO_TIME = -1;
export const KEY_BYTES = 16;

/** What the ledger wants of messages, from their headers alone: a row each, as columns. */
export interface Messages {
  /**
   * `KEY_BYTES` each, the same wherever the same message is read again: it counts once. Messages of one key name the same people by
   * the same names; time and flags may differ from copy to copy.
   */
  readonly keys: Uint8Array;
  /** Milliseconds since the epoch at which they were delivered, else written. */
  readonly times: Float64Array;
  readonly flags: Uint8Array;
  /** Whom they name, as places in `mailboxes`, and three ends among them of each message: of from, of to, of cc with bcc. */
  readonly named: Uint32Array;
  readonly ends: Uint32Array;
  /** Null: not a person. There may be more than are named. */
  readonly mailboxes: readonly (Mailbox | null)[];
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
  readonly messages: readonly Messages[];
  readonly place: FolderPlace | null;
  /** Files of the folder that were read, and those that are gone, as numbers of the source's making (below 2^53). */
  readonly units: { readonly read: readonly number[]; readonly gone: readonly number[] };
}
