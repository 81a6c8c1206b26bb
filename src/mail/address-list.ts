/** Address fields of mail headers (RFC 5322 section 3.4) as mailboxes. */
import { addressParser, decodeWords } from 'postal-mime';
import { addressOf } from '../people/address.ts';
import { cleanName } from '../people/name.ts';
import type { Mailbox } from '../store/ledger-types.ts';

/** Of each of two generations. A field of a hundred people has about 4,000 characters. */
const REMEMBERED_FIELDS = 16_384;
const LONGEST_REMEMBERED = 512;

/** One mailbox in a plain form: `Name <a@b>`, `"Name" <a@b>` or `a@b`. Everything else is for the parser. */
const PLAIN =
  /^[ \t]*(?:(?:"([^"\\<>()@,;:=]*)"|([^"\\<>()@,;:=]*[^"\\<>()@,;:=\s]))[ \t]*)?<([^\s"\\<>()@,;:=]+@[^\s"\\<>()@,;:=]+)>[ \t]*$/;
const BARE = /^[ \t]*([^\s"\\<>()@,;:=]+@[^\s"\\<>()@,;:=]+)[ \t]*$/;
/** No field has so many people that want to be known. */
const LONGEST_FIELD = 65_536;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const western = new TextDecoder('windows-1252');

/** Header text whose every character is a byte: as UTF-8 where it is that (RFC 6532), else as Western text of old programs. */
export function decodeBytes(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}

/** Put into `=?`, so that encoded words are words to the parser; decoding is done once, and for names alone. */
const SEAL = '\ue000';

function mailbox(address: string, name: string): Mailbox | null {
  const normal = addressOf(address);
  return normal === null ? null : { address: normal, name: cleanName(name, normal) };
}

function parsed(text: string): Mailbox[] {
  const sealed = text.replaceAll(SEAL, '').replaceAll('=?', `=${SEAL}?`);
  return addressParser(sealed, { flatten: true }).flatMap((one) => {
    const name = one.name.replaceAll(SEAL, '');
    const box = mailbox(
      (one.address ?? '').replaceAll(SEAL, ''),
      name.includes('=?') ? decodeWords(name) : name,
    );
    return box === null ? [] : [box];
  });
}

/** A slice of a header would keep all of it in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Reads address fields and remembers those that were read lately: the same people write again and again. */
export class AddressLists {
  #young = new Map<string, readonly Mailbox[]>();
  #old = this.#young;

  /** The mailboxes of an unfolded field, a byte per character; what is no address is left out. Time is linear in its length. */
  read(field: string): readonly Mailbox[] {
    if (field.length > LONGEST_REMEMBERED) return this.#parse(copyOf(field.slice(0, LONGEST_FIELD)));
    const young = this.#young.get(field);
    if (young !== undefined) return young;
    const own = copyOf(field);
    const boxes = this.#old.get(own) ?? this.#parse(own);
    if (this.#young.size >= REMEMBERED_FIELDS) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(own, boxes);
    return boxes;
  }

  #parse(field: string): readonly Mailbox[] {
    if (!field.includes(',')) return this.#one(field);
    // Where nothing hides a comma, every part is a mailbox of its own, and maybe one that was read before.
    if (!/["()\\:;]/.test(field))
      return field.split(',').flatMap((part) => (part.length < field.length ? this.read(part) : []));
    return parsed(decodeBytes(field));
  }

  #one(text: string): readonly Mailbox[] {
    const plain = PLAIN.exec(text);
    const box =
      plain !== null
        ? mailbox(plain[3] as string, decodeBytes(plain[1] ?? plain[2] ?? ''))
        : mailbox(BARE.exec(text)?.[1] ?? '', '');
    return box !== null && !/[\x80-\xff]/.test(plain?.[3] ?? box.address) ? [box] : parsed(decodeBytes(text));
  }
}
