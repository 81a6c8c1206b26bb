/** Headers of messages become what the ledger takes (RFC 5322). Never throws. */
import { loadNative } from '../../engine/native/load.ts';
import type {
  MailAddon,
  MessageFolder,
  NativeMessageReader,
  ReadFiles,
  ReadMessages,
} from '../../engine/native/mail-types.ts';
import { isRefusal } from '../../engine/native/types.ts';
import { readAddresses } from './address-list.ts';
import type { Mailbox, Messages } from './ledger/types.ts';

/** Bytes of a header that are read. */
export const LONGEST_HEADER = 65_536;
/** Bytes that may wait: taking more would take long. */
export const MOST_WAITING = 2 << 20;
/** Addresses of one message that count. */
const MOST_ADDRESSES = 200;

/** The fields that are read. */
export const FIELDS: readonly string[] =
  'from to cc bcc date subject message-id received return-path list-id auto-submitted precedence'.split(' ');

let loaded: MailAddon | undefined;
/** Choosing a build reads the system, so it is done once. */
function addon(): MailAddon {
  loaded ??= loadNative().addon;
  return loaded;
}

/** @throws the system's error, with its `code` */
export function listMessages(directory: string, kind: 'maildir' | 'mh'): MessageFolder {
  const folder = addon().listMessages(directory, kind);
  if (isRefusal(folder))
    throw Object.assign(new Error(`${directory}: ${folder.code}`), { code: folder.code });
  return folder;
}

export class MessageReader {
  readonly #native: NativeMessageReader;
  /** Of each text of address fields, by its number: the mailboxes it names, by theirs. Most name one. */
  #texts: (number | readonly number[])[] = [];
  #mailboxes: Mailbox[] = [];

  /** `key`: of the ledger that takes the messages. */
  constructor(key: Uint8Array) {
    this.#native = new (addon().MessageReader)(key);
  }

  /** Adds the message of a header block (to its first empty line); returns how many bytes of new texts wait to be taken. */
  add(header: Uint8Array, nowMs: number): number {
    return this.#native.add(header, nowMs);
  }

  /** Reads message files; see `NativeMessageReader`. What was read is for `messagesOf`, in the order in which it was read. */
  read(directory: string, names: string, nowMs: number, forMs: number): Promise<ReadFiles> {
    return this.#native.read(directory, names, nowMs, forMs);
  }

  /** Takes what was added. */
  take(): Messages {
    return this.messagesOf(this.#native.take());
  }

  /** Mailboxes keep their places until messages come with another array of them. */
  messagesOf({ keys, times, flags, named, ends, firstText, texts }: ReadMessages): Messages {
    if (firstText === 0) {
      this.#texts = [];
      this.#mailboxes = [];
    }
    for (let at = 0; at < texts.length; ) {
      const end = texts.indexOf('\n', at);
      this.#learn(texts.slice(at, end));
      at = end + 1;
    }
    return { keys, times, flags, ...this.#people(named, ends), mailboxes: this.#mailboxes };
  }

  #learn(text: string): void {
    const first = this.#mailboxes.length;
    const found = readAddresses(text);
    this.#mailboxes.push(...found);
    this.#texts.push(found.length === 1 ? first : found.map((_, at) => first + at));
  }

  /** The mailboxes of texts. */
  #people(named: Uint32Array, ends: Uint32Array): { named: Uint32Array; ends: Uint32Array } {
    const people: number[] = [];
    const stops = new Uint32Array(ends.length);
    let at = 0;
    let most = 0;
    for (let list = 0; list < ends.length; list += 1) {
      if (list % 3 === 0) most = people.length + MOST_ADDRESSES;
      for (const end = ends[list] as number; at < end; at += 1) {
        const found = this.#texts[named[at] as number] as number | readonly number[];
        if (typeof found !== 'number') people.push(...found.slice(0, most - people.length));
        else if (people.length < most) people.push(found);
      }
      stops[list] = people.length;
    }
    return { named: Uint32Array.from(people), ends: stops };
  }
}
