/** What a question needs from the ledger, and the records it is answered with. */
import type { RecordOf } from '../../records/define.ts';
import type { people, who } from '../../records/people.ts';
import { unmarked } from './knowledge.ts';
import type { Question } from './understand.ts';

/** One address, or a search; "" = everybody. */
export type PeopleWanted = { readonly address: string } | { readonly search: string };

/** What the ledger says: one of both. */
export interface LedgerAnswer {
  /** `GET /email/api/who`; null when a list was asked for, or the text is not an address. */
  readonly who: RecordOf<typeof who> | null;
  /** `GET /email/api/people`; null when one address was asked for. */
  readonly people: RecordOf<typeof people> | null;
}

const WHO_IS =
  /\b(?:who(?:'s| is| was)|wer ist|wer war|qui est|quien es|do (?:i|you|we) know|kenn(?:st|e) (?:du|ich))\s+(.{2,80}?)[\s?!.]*$/iu;

/** "a Grace", "anyone called Grace" */
const SOMEBODY =
  /^(?:an?|any(?:one|body)?|some(?:one|body)?|person|people|jemand\w*|eine?n?|une?|quelqu'un|alguien)\s+(?:(?:called|named|namens|by the name of|whose name is|appele\w*|llamad\w*)\s+)?/iu;

/** "when did ada last write", "did I hear from jean", "mails from grace" */
const CONTACT =
  /\b(?:did|does|has|hat)\s+((?:[\p{L}-]{2,40}\s){1,3}?)(?:ever\s|last\s|also\s)?(?:wr[io]te|mail|e-?mail|contact|send|sent|geschrieben)|\b(?:hear|heard|mails?|messages?|letters?|e-?mails?|write|wrote|written)\s(?:from|to|by|with|von|an|mit|de)\s((?:[\p{L}-]{2,40}\s?){1,3})[\s?!.]*$/iu;
const CALLED =
  /\b(?:called|named|by the name of|namens|appele\w*|llamad\w*)\s((?:[\p{L}-]{2,40}\s?){1,3})[\s?!.]*$/iu;
const AT_DOMAIN = /\b(?:at|from|of|bei|von|chez|de|en)\s+@?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)[\s?!.]*$/iu;

const MAIL_OF =
  /\b((?:[\p{L}-]{1,40} ){0,2}[\p{L}-]{1,40})['’]s (?:e-?mails?|mails?|address|messages?|letters?)\b/iu;
/** Two words or more that begin like names, one after the other. */
const FULL_NAME = /\p{Lu}[\p{L}-]{1,40}(?: \p{Lu}[\p{L}-]{1,40}){1,3}/u;
const LONGEST_NAME = 4;

/** The name in "who is NAME", "NAME's address", or among several words of a question about mail, where it may be a person's; else "". */
export function nameAsked({ text, names, any }: Question): string {
  if (names.length === 0) return '';
  const plain = unmarked(text);
  const known = names.map((name) => unmarked(name).replace(/['’]s$/u, ''));
  const whole = WHO_IS.exec(plain)?.[1]?.replace(SOMEBODY, '').trim();
  const mailed = any('mail', 'write') || /\baddress/i.test(plain) ? FULL_NAME.exec(plain)?.[0] : undefined;
  const [, wrote, from] = CONTACT.exec(plain) ?? [];
  const called = any('people') ? CALLED.exec(plain)?.[1] : undefined;
  const domain = any('people', 'mail', 'write') ? AT_DOMAIN.exec(plain)?.[1] : undefined;
  const words = (whole ?? called ?? mailed ?? MAIL_OF.exec(plain)?.[1] ?? wrote ?? from ?? domain ?? '')
    .trim()
    .split(/\s+/);
  // A name found by its position loses the words before it.
  const cut = whole === undefined ? words.findLastIndex((word) => !known.includes(word)) + 1 : 0;
  const name = words.slice(cut);
  return name.length <= LONGEST_NAME && name.every((word) => known.includes(word)) ? name.join(' ') : '';
}

/** Of people in passing: by whom a thing is done, or whom something befell. */
const IN_PASSING =
  /\b(?:by|for|without|like|von) (?:an? |any |some |other |most |the |eine[rnm]? )?(?:person|people|humans?|menschen?)\b|\b(?:people|persons?|everyone|everybody) (?:whose|say|said|think)\b|\b(?:does|must|should|can|will) an? (?:person|human)\b/u;
/** Questions about logins and network access are about accounts and listeners, not about people of the ledger. */
const OF_MACHINE =
  /\b(?:sudo\w*|log ?in|login|sign in|internet|from outside|einlog\w*|anmeld\w*|entrar|iniciar sesion|se connecter|ouvrir une session)\b/;
/** In a question about one of these, people in passing are not the subject. */
const ofOtherSubject = ({ any }: Question): boolean =>
  any('baseline', 'camera', 'certificate', 'find', 'gate', 'law', 'listen', 'port') ||
  any('process', 'review', 'site', 'temperature', 'wrap');

export const asksForPeople = (question: Question): boolean =>
  (question.has('people') &&
    !OF_MACHINE.test(question.plain) &&
    !(question.says(IN_PASSING) && ofOtherSubject(question))) ||
  (question.has('who') &&
    question.any('write', 'mail') &&
    !question.any('process', 'port', 'identity', 'client')) ||
  nameAsked(question) !== '';

/** Null when it is not about people. */
export function peopleWanted(question: Question): PeopleWanted | null {
  const { address } = question.entities;
  if (address !== null) return { address };
  return asksForPeople(question) ? { search: nameAsked(question) } : null;
}
