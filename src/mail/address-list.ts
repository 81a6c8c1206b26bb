/** Address fields of mail headers (RFC 5322 section 3.4) as mailboxes. */
import { addressParser, decodeWords } from 'postal-mime';
import { addressOf } from '../people/address.ts';
import { cleanName } from '../people/name.ts';
import type { Mailbox } from '../store/ledger-types.ts';

/** All are let go when so many are remembered. */
const REMEMBERED_FIELDS = 32_768;
const LONGEST_REMEMBERED = 512;

/** One mailbox in a plain form, no blanks around it: `Name <a@b>`, `"Name" <a@b>` or `a@b`. Everything else is for the parser. */
const PLAIN =
  /^(?:(?:"([^"\\<>()@,;:=]*)"|([^"\\<>()@,;:=]*[^"\\<>()@,;:=\s]))[ \t]*)?<([^\s"\\<>()@,;:=]+@[^\s"\\<>()@,;:=]+)>$/;
const BARE = /^([^\s"\\<>()@,;:=]+@[^\s"\\<>()@,;:=]+)$/;
/** No field has so many people that want to be known. */
const LONGEST_FIELD = 65_536;

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** 0x80 to 0x9f of windows-1252 (Node's decoder takes them for controls). */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Header text whose every character is a byte: as UTF-8 where it is that (RFC 6532), else as Western text of old programs. */
function decodeBytes(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return text.replaceAll(/[\x80-\x9f]/g, (char) => WESTERN[char.charCodeAt(0) - 0x80] as string);
  }
}

/** An encoded word (RFC 2047 section 2): to the parser a word as a whole, whatever is in it. */
const ENCODED_WORD = /=\?[^\s?]+\?[bq]\?[^\s?]*\?=/gi;
/** Around the number of an encoded word, and within `=?` of what is none: decoding is done once, and for names alone. */
const OPEN = '\ue000';
const CLOSE = '\ue001';

function mailbox(address: string, name: string): Mailbox | null {
  const normal = addressOf(address);
  return normal === null ? null : { address: normal, name: cleanName(name, normal) };
}

function parsed(text: string): Mailbox[] {
  const words: string[] = [];
  const sealed = text
    .replaceAll(/[\ue000\ue001]/g, '')
    .replaceAll(ENCODED_WORD, (word) => `${OPEN}${words.push(word) - 1}${CLOSE}`)
    .replaceAll('=?', `=${OPEN}?`);
  const unsealed = (part: string): string =>
    part.replaceAll(/\ue000(?:(\d+)\ue001)?/g, (_, number?: string) =>
      number === undefined ? '' : (words[Number(number)] ?? ''),
    );
  return addressParser(sealed, { flatten: true }).flatMap((one) => {
    const name = unsealed(one.name);
    const box = mailbox(unsealed(one.address ?? ''), name.includes('=?') ? decodeWords(name) : name);
    return box === null ? [] : [box];
  });
}

/** A slice of a header would keep all of it in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Reads address fields and remembers those that were read lately: the same people write again and again. */
export class AddressLists {
  readonly #read = new Map<string, readonly Mailbox[]>();

  /** The mailboxes of an unfolded field, a byte per character; what is no address is left out. Time is linear in its length. */
  read(field: string): readonly Mailbox[] {
    if (field.length > LONGEST_REMEMBERED) return this.#parse(copyOf(field.slice(0, LONGEST_FIELD)));
    const known = this.#read.get(field);
    if (known !== undefined) return known;
    const own = copyOf(field);
    const boxes = this.#parse(own);
    if (this.#read.size >= REMEMBERED_FIELDS) this.#read.clear();
    this.#read.set(own, boxes);
    return boxes;
  }

  #parse(field: string): readonly Mailbox[] {
    // Where nothing hides a comma, every part is a mailbox of its own, and maybe one that was read before.
    if (field.includes(',') && !/["()\\:;]|=\?/.test(field))
      return field.split(',').flatMap((part) => this.read(part));
    // Blanks around it are not the patterns' work: what could take them at two places would try every division.
    const text = decodeBytes(field).trim();
    const [, quoted, phrase, address] = PLAIN.exec(text) ?? [];
    const box = mailbox(address ?? BARE.exec(text)?.[1] ?? '', quoted ?? phrase ?? '');
    return box === null ? parsed(text) : [box];
  }
}
