/** The part of the native boundary that reads headers of messages. */
import type { Refusal } from './types.ts';

/** Rows of messages, as columns of numbers. */
export interface ReadMessages {
  /** 16 bytes each: a keyed hash (SipHash-2-4-128) of Message-ID, else date and subject, and of all who are named. */
  readonly keys: Uint8Array<ArrayBuffer>;
  /** Milliseconds since the epoch; -1 without a believable time. */
  readonly times: Float64Array<ArrayBuffer>;
  /** 1: over a list; 2: sent by a program. */
  readonly flags: Uint8Array<ArrayBuffer>;
  /** Numbers of texts of all messages, and of each message where its from, to, and cc with bcc end among them. */
  readonly named: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Number of the first new text; 0: numbers begin anew. */
  readonly firstText: number;
  /**
   * The new texts, each ended by a line feed, a character per byte: address fields, or where nothing hides a comma their parts; every
   * run of blanks and folds is one space.
   */
  readonly texts: string;
}

/** Message files of a directory, in its order. */
export interface MessageFolder {
  /** Each ended by NUL, a character per byte. */
  readonly names: string;
  /** Where each begins in them, and where they end. */
  readonly begins: Uint32Array;
  /**
   * Numbers by which they are known again, below 2^53: in a Maildir of the name up to its first colon, in an MH folder of inode, size and
   * time.
   */
  readonly units: Float64Array;
}

export interface ReadFiles extends ReadMessages {
  /** Of each file that was looked at: 0 it was added, -1 it is gone, empty or no regular file, else the errno. */
  readonly states: Int32Array<ArrayBuffer>;
}

export interface NativeMessageReader {
  /** Adds the message of a header, at most 64 KiB of it; bytes of texts that wait. `nowMs`: what is a day beyond is no believable time. */
  add(header: Uint8Array, nowMs: number): number;
  /**
   * Reads message files of a directory on threads of its own, until all are read, so many milliseconds are over, or their texts are a few
   * MiB, one at least; `names` as `MessageFolder` has them. What was added is taken with them. Links are not followed, nothing is waited
   * for. Until it has, whatever else is asked of the reader throws.
   */
  read(directory: string, names: string, nowMs: number, forMs: number): Promise<ReadFiles>;
  /** What was added since it was last taken. */
  take(): ReadMessages;
}

export interface MailAddon {
  /** Lists a directory of a Maildir (`cur`, `new`) or an MH folder; what is no message by its name is left out, in MH what is no file too. */
  listMessages(directory: string, kind: 'maildir' | 'mh'): MessageFolder | Refusal;

  /** The fields that are read, lower case. */
  readonly messageFieldNames: readonly string[];
  /** `key`: 16 bytes. */
  readonly MessageReader: new (
    key: Uint8Array,
  ) => NativeMessageReader;
}
