/** The part of the native boundary that reads headers of messages. */
import type { Refusal } from './types.ts';

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
  /** Number of the first new text; 0: numbers start again. */
  readonly firstText: number;
  /** New texts, each ended by LF, a character per byte: address fields, or their parts when no comma is quoted; blanks are collapsed. */
  readonly texts: string;
}

/** Message files of a directory, in its order. */
export interface MessageFolder {
  /** Each ended by NUL, a character per byte. */
  readonly names: string;
  /** Where each begins in them, and where they end. */
  readonly begins: Uint32Array;
  /** Identities below 2^53: in a Maildir of the name up to its first colon, in an MH folder of inode, size and time. */
  readonly units: Float64Array;
}

export interface ReadFiles extends ReadMessages {
  /** Of each file that was read: 0 added, -1 gone, empty or not regular, else the errno. */
  readonly states: Int32Array<ArrayBuffer>;
}

export interface NativeMessageReader {
  /** Adds the message of a header, at most 64 KiB of it; bytes of texts that wait. `nowMs`: a time more than a day later is ignored. */
  add(header: Uint8Array, nowMs: number): number;
  /**
   * Reads message files of a directory on its own threads, until all are read, `forMs` have passed, or the texts are a few MiB, one file
   * at least; `names` as in `MessageFolder`. Includes what was added. Links are not followed, nothing blocks. Other calls throw meanwhile.
   */
  read(directory: string, names: string, nowMs: number, forMs: number): Promise<ReadFiles>;
  take(): ReadMessages;
}

export interface MailAddon {
  /** Messages by name of a Maildir directory (`cur`, `new`) or an MH folder; in MH regular files only. */
  listMessages(directory: string, kind: 'maildir' | 'mh'): MessageFolder | Refusal;

  readonly messageFieldNames: readonly string[];
  readonly MessageReader: new (key: Uint8Array) => NativeMessageReader;
}
