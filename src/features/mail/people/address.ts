/**
 * Mail addresses in one normal form: an addr-spec (RFC 5322 section 3.4.1, with the UTF-8 of RFC 6531 in the local part) and a
 * domain as IDNA ASCII in lower case (UTS #46). Two spellings of one mailbox are one person.
 */
import { domainToASCII, domainToUnicode } from 'node:url';
import { isHostName } from '../../../base/host-name.ts';

/** RFC 5321 section 4.5.3.1, in octets; an address is a path without its angle brackets. */
const LONGEST_LOCAL = 64;
const LONGEST = 254;

const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]";
const DOT_ATOM = new RegExp(`^${ATEXT}+(?:\\.${ATEXT}+)*$`, 'u');
/** Controls, format characters, halves of surrogate pairs, private use, and what shows nothing. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
const PLAIN = /^[a-z0-9._+-]+@[a-z0-9.-]+$/;

const octets = (text: string): number => Buffer.byteLength(text, 'utf8');
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());

/**
 * The domain in lower-case ASCII; null for what is not a domain name: spaces, IP literals (programs write from those, people do
 * not), a trailing dot, labels that IDNA does not allow.
 */
function domainOf(text: string): string | null {
  let domain = text.toLowerCase();
  // An ASCII name is itself; the URL parser behind domainToASCII would read 127.1 as an address.
  if (/\P{ASCII}/u.test(domain) || domain.includes('xn--')) {
    if (/[%\s/\\?#@:]/.test(domain)) return null;
    domain = domainToASCII(domain);
    // A name that cannot be shown is not an internationalised name.
    if (domain === '' || domainToUnicode(domain) === '') return null;
  }
  return isHostName(domain) ? domain : null;
}

/** Unquoted where it need not be quoted; null for what RFC 5322 does not allow. */
function localPartOf(text: string): string | null {
  let local = text;
  if (text.startsWith('"')) {
    if (text.length < 3 || !text.endsWith('"')) return null;
    const inside = text.slice(1, -1);
    if (!/^(?:[^"\\]|\\.)*$/su.test(inside)) return null;
    local = inside.replaceAll(/\\(.)/gsu, '$1');
  }
  local = asciiLower(local.normalize('NFC'));
  if (UNSEEN.test(local)) return null;
  if (DOT_ATOM.test(local)) return /\p{Z}/u.test(local) ? null : local;
  if (!text.startsWith('"')) return null;
  return `"${local.replaceAll(/["\\]/g, '\\$&')}"`;
}

/**
 * The normal form of an address; null for what is not one. Upper and lower case of ASCII letters are one in the local part too:
 * RFC 5321 section 2.4 leaves it to the server, and the servers that people use fold it.
 */
export function addressOf(text: string): string | null {
  if (text.length > 2 * LONGEST) return null;
  const given = text.trim();
  const at = given.lastIndexOf('@');
  if (at < 1) return null;
  const local =
    PLAIN.test(given) && !/^\.|\.\.|\.@/.test(given) ? given.slice(0, at) : localPartOf(given.slice(0, at));
  const domain = domainOf(given.slice(at + 1));
  if (local === null || domain === null || octets(local) > LONGEST_LOCAL) return null;
  const address = `${local}@${domain}`;
  return octets(address) <= LONGEST ? address : null;
}

/** The domain of an address in its normal form. */
export const domainPart = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Local parts of programs, whole or as a word of it: those that mailbox providers and RFC 2142, 3834 and 5230 name. */
const PROGRAMS =
  /(?:^|[._+=-])(?:no-?_?reply|do-?_?not-?_?reply|never-?reply|mailer-?daemon|postmaster|bounces?|bounced|auto-?(?:reply|responder|mailer|notify|confirm)|notifications?|notify|alerts?|newsletters?|daemon|cron|robot|mailman)(?:$|[._+=-])/;

/** The address says that a program writes from it. */
export const isProgram = (address: string): boolean =>
  PROGRAMS.test(address.slice(0, address.lastIndexOf('@')));
