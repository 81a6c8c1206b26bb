/** Address fields of mail headers (RFC 5322 section 3.4) as mailboxes. */
import { addressParser, decodeWords } from 'postal-mime';
import type { Mailbox } from './ledger/types.ts';
import { addressOf } from './people/address.ts';
import { cleanName } from './people/name.ts';

/** One mailbox: `Name <a@b>`, `"Name" <a@b>`, `a@b`, `a@b (Name)`, or RFC 2047 words before `<a@b>`. Else the slower parser, same result. */
const SPECIAL = String.raw`\0-\x1f"\\<>()@,;:=`;
const ATOM = String.raw`[^\s${SPECIAL}]+@[^\s${SPECIAL}]+`;
const PLAIN = new RegExp(
  String.raw`^(?:(?:"([^${SPECIAL}]*)"|([^${SPECIAL}]*[^${SPECIAL}\s])) *)?<(${ATOM})>$`,
);
const BARE = new RegExp(String.raw`^(${ATOM})(?: \(([^${SPECIAL}]*)\))?$`);
const ENCODED = new RegExp(
  String.raw`^(=\?[\w-]+\?[bq]\?[!->@-~]*\?=(?: =\?[\w-]+\?[bq]\?[!->@-~]*\?=)*) <(${ATOM})>$`,
  'i',
);

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

/** An encoded word (RFC 2047 section 2): to the parser a word as a whole, with any content. */
const ENCODED_WORD = /=\?[^\s?]+\?[bq]\?[^\s?]*\?=/gi;
/** Around the number of an encoded word: decoding is done once, and for names alone. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
/** Within a `=?` that is not part of an encoded word. */
const SPLIT = '\ue002';

function mailbox(address: string, name: string): Mailbox | null {
  const normal = addressOf(address);
  return normal === null ? null : { address: normal, name: cleanName(name, normal) };
}

/** By the parser alone. An address that ends within an encoded word is dropped. */
export function parseAddresses(text: string): Mailbox[] {
  const words: string[] = [];
  const sealed = text
    .replaceAll(/[\ue000-\ue002]/g, '')
    .replaceAll(ENCODED_WORD, (word) => `${OPEN}${words.push(word) - 1}${CLOSE}`)
    .replaceAll('=?', `=${SPLIT}?`);
  const unsealed = (part: string): string =>
    part
      .replaceAll(SPLIT, '')
      .replaceAll(/\ue000(\d+)\ue001/g, (_, number: string) => words[Number(number)] ?? '');
  return addressParser(sealed, { flatten: true }).flatMap((one) => {
    const address = unsealed(one.address ?? '');
    if (address.includes(OPEN)) return [];
    const name = unsealed(one.name);
    const box = mailbox(address, name.includes('=?') ? decodeWords(name) : name);
    return box === null ? [] : [box];
  });
}

/** The mailboxes of an unfolded address field, a byte per character; what is not an address is left out. Time is linear in its length. */
export function readAddresses(field: string): readonly Mailbox[] {
  // Blanks are trimmed first: a pattern that could match them at two places would try every division.
  const text = decodeBytes(field).trim();
  const box = usual(text);
  return box === null ? parseAddresses(text) : [box];
}

function usual(text: string): Mailbox | null {
  const [, quoted, phrase, address] = PLAIN.exec(text) ?? [];
  if (address !== undefined) return mailbox(address, quoted ?? phrase ?? '');
  const [, bare, comment] = BARE.exec(text) ?? [];
  if (bare !== undefined) return mailbox(bare, comment ?? '');
  const [, words = '', of] = ENCODED.exec(text) ?? [];
  return of === undefined ? null : mailbox(of, decodeWords(words));
}
