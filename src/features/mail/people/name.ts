/** Display names: cleaned for people to read, folded to be searched and sorted. */
import { addressOf } from './address.ts';

const LONGEST = 128;
/** Code units that are read: four times what is kept, so that a name of a megabyte costs no more. */
const LOOKED_AT = 2048;

const PRINTABLE = /^[!-~]+(?: [!-~]+)*$/;
/** Format, bidi and zero-width characters, halves of pairs, private use, noncharacters, and what is ignorable by default (UAX #44). */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]+/gu;
/** Line ends and controls divide words. */
const BLANK = /[\p{Cc}\p{Z}\s]+/gu;
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
  '`': "'",
};

/** Without the quotes that mail programs put around names. */
function unquoted(text: string): string {
  let [from, to] = [0, text.length];
  for (;;) {
    while (from < to && text[from] === ' ') from += 1;
    while (from < to && text[to - 1] === ' ') to -= 1;
    if (to - from < 2 || QUOTES[text[from] as string] !== text[to - 1]) return text.slice(from, to);
    from += 1;
    to -= 1;
  }
}

/**
 * A display name as people may see it: NFC, no controls, nothing invisible or turning the direction of text, single spaces, no
 * quotes around it, at most 128 code points. "" when it is nothing but the address. Cleaning twice changes nothing.
 */
export function cleanName(text: string, address = ''): string {
  let name = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  if (!PRINTABLE.test(name))
    name = name.replaceAll(BLANK, ' ').replaceAll(UNSEEN, '').replaceAll(BLANK, ' ').normalize('NFC');
  name = unquoted(name);
  if (name.length > LONGEST) name = unquoted([...name].slice(0, LONGEST).join(''));
  if (address === '' || !name.includes('@')) return name;
  const bare = name.startsWith('<') && name.endsWith('>') ? name.slice(1, -1) : name;
  return bare.toLowerCase() === address || addressOf(bare) === address ? '' : name;
}

/** For search and order: without case and marks, compatibility forms as their plain ones (NFKD). */
export const folded = (text: string): string =>
  /^[\n -~]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replaceAll(/\p{M}+/gu, '')
        .toUpperCase()
        .toLowerCase()
        .normalize('NFC');

/** Addresses in a name. */
export const addressesIn = (name: string): string[] =>
  /[@＠﹫]/.test(name)
    ? (
        name.normalize('NFKC').match(/[^\s<>()[\]"',;:@]+@[^\s<>()[\]"',;:@]*[^\s<>()[\]"',;:@.!?]/gu) ?? []
      ).flatMap((text) => addressOf(text) ?? [])
    : [];

/** A name without its words that contain an address. */
const withoutAddresses = (name: string): string =>
  /[@＠﹫]/.test(name)
    ? name
        .split(' ')
        .filter((word) => !/[@＠﹫]/.test(word))
        .join(' ')
    : name;

/** Names that may be shown where addresses may not: without words that contain one, and without those that are the local part. */
export function openNames(address: string, names: readonly string[]): string[] {
  const local = folded(address.slice(0, address.lastIndexOf('@')));
  const open = names.map(withoutAddresses).filter((name) => name !== '' && folded(name) !== local);
  return [...new Set(open)];
}
