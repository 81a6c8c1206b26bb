/**
 * Names and domains that look like others: skeletons in the manner of UTS #39 section 4 and domains one slip of the finger away.
 * What a person wrote to is the measure: the ledger keeps those in `Known`.
 */
import { domainToUnicode } from 'node:url';
import { addressOf, domainPart } from './address.ts';
import { CONFUSABLE } from './confusables.ts';

interface Odd {
  readonly kind: 'mixed-script' | 'address-in-name' | 'lookalike-domain' | 'lookalike-name';
  readonly about: string;
}

/**
 * The same text for all that look alike: compatibility forms, marks, case and confusable characters are one, and so are 0 and o,
 * 1 and l, rn and m, vv and w.
 */
export function skeleton(text: string): string {
  let plain = text;
  if (/[^ -~]/.test(plain)) {
    plain = plain.normalize('NFKD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '');
    plain = plain.replaceAll(/[^ -~]/gu, (char) => CONFUSABLE[char] ?? char);
  }
  return plain
    .toLowerCase()
    .replaceAll(/[^ -~]/gu, (char) => CONFUSABLE[char] ?? char)
    .replaceAll(/0/g, 'o')
    .replaceAll(/[1|]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** A domain as people see it. */
const shown = (domain: string): string =>
  domain.includes('xn--') ? domainToUnicode(domain) || domain : domain;

export const domainSkeleton = (domain: string): string => skeleton(shown(domain));

/** Skeleton of a name by which two people are mistaken for each other; "" for one word alone, which many share. */
export function nameSkeleton(name: string): string {
  const words = skeleton(name)
    .split(/[\s,.]+/)
    .filter((word) => word !== '')
    .sort();
  return words.length < 2 ? '' : words.join(' ');
}

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Thai',
  'Georgian',
  'Ethiopic',
  'Khmer',
  'Cherokee',
  'Coptic',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
].map((name) => ({ name, has: new RegExp(`\\p{Script=${name}}`, 'u') }));
const OF_NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;
/** What UTS #39 section 5.2 calls highly restrictive. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

export function mixesScripts(word: string): boolean {
  if (!/\P{ASCII}/u.test(word)) return false;
  const scripts = new Set<string>();
  for (const char of word)
    if (!OF_NO_SCRIPT.test(char)) scripts.add(SCRIPTS.find(({ has }) => has.test(char))?.name ?? 'another');
  return (
    scripts.size > 1 && !TOGETHER.some((group) => [...scripts].every((script) => group.includes(script)))
  );
}

/** What is odd about a person by themselves: of several the first. */
export function oddOf(address: string, names: readonly string[]): Odd[] {
  const odd: Odd[] = [];
  const words = [...shown(domainPart(address)).split('.'), ...names.flatMap((name) => name.split(/[\s,.]+/))];
  const mixed = words.find(mixesScripts);
  if (mixed !== undefined) odd.push({ kind: 'mixed-script', about: mixed });
  for (const name of names) {
    if (!/[@＠﹫]/.test(name)) continue;
    const inside = /[^\s<>()[\]"',;:@]+@[^\s<>()[\]"',;:@]+/u.exec(name.normalize('NFKC'))?.[0];
    const other = inside === undefined ? null : addressOf(inside);
    if (other === null || other === address) continue;
    odd.push({ kind: 'address-in-name', about: other });
    break;
  }
  return odd;
}

/** Fewer letters than these are too close to too many. */
const LEAST_LETTERS = 6;
const enoughLetters = (domain: string): boolean =>
  domain.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= LEAST_LETTERS;

/** Whether one letter more, less, other, or two exchanged make `b` of `a`. */
export function oneSlipApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [middleA, middleB] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (middleA.length <= 1 && middleB.length <= 1) return true;
  return (
    middleA.length === 2 && middleB.length === 2 && middleA[0] === middleB[1] && middleA[1] === middleB[0]
  );
}

/** The text itself and all that lacks one of its characters: two texts one slip apart share one. */
function* lacking(text: string): Generator<string> {
  yield text;
  for (let at = 0; at < text.length; at += 1) yield text.slice(0, at) + text.slice(at + 1);
}

/** Well-known providers that are one slip from another well-known one, and are none. */
const PROVIDERS = new Set(
  'gmail.com mail.com ymail.com email.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr live.com live.de gmx.com gmx.net mail.ru mail.de email.de freenet.de'.split(
    ' ',
  ),
);

/** Texts with the least of them told: the answer is the same in whatever order they came. */
class Groups {
  readonly #groups = new Map<string, Set<string>>();

  add(key: string, text: string): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, new Set([text]));
    else group.add(text);
  }

  delete(key: string, text: string): void {
    const group = this.#groups.get(key);
    if (group?.delete(text) && group.size === 0) this.#groups.delete(key);
  }

  of(key: string): ReadonlySet<string> {
    return this.#groups.get(key) ?? new Set();
  }
}

const least = (texts: Iterable<string>): string | null => {
  let first: string | null = null;
  for (const text of texts) if (first === null || text < first) first = text;
  return first;
};

/** Domains and names of people who were written to. */
export class Known {
  readonly #domains = new Set<string>();
  readonly #bySkeleton = new Groups();
  readonly #byLack = new Groups();
  readonly #byName = new Groups();
  /** Address → skeleton of its name. */
  readonly #people = new Map<string, string>();

  /** Tells the domain when it is new, and the skeletons of names that stand for other people now. */
  add(address: string, name: string): { readonly domain: string | null; readonly names: readonly string[] } {
    const now = nameSkeleton(name);
    const before = this.#people.get(address);
    if (before === now) return { domain: null, names: [] };
    this.#people.set(address, now);
    if (before) this.#byName.delete(before, address);
    if (now !== '') this.#byName.add(now, address);
    const names = [before ?? '', now].filter((each) => each !== '');
    const domain = domainPart(address);
    if (before !== undefined || this.#domains.has(domain)) return { domain: null, names };
    this.#domains.add(domain);
    this.#bySkeleton.add(domainSkeleton(domain), domain);
    if (enoughLetters(shown(domain)))
      for (const part of lacking(shown(domain))) this.#byLack.add(part, domain);
    return { domain, names };
  }

  /** What a domain that was never written to is like; null when nothing. */
  likeDomain(domain: string): string | null {
    if (this.#domains.has(domain)) return null;
    const same = least(this.#bySkeleton.of(domainSkeleton(domain)));
    if (same !== null) return same;
    if (PROVIDERS.has(domain)) return null;
    const text = shown(domain);
    const near = new Set<string>();
    for (const part of lacking(text))
      for (const other of this.#byLack.of(part)) if (oneSlipApart(text, shown(other))) near.add(other);
    return least(near);
  }

  /** Whom somebody who was never written to may be mistaken for: the same name in another domain; null when nobody. */
  likeName(address: string, skeletonOfName: string): string | null {
    if (skeletonOfName === '' || this.#people.has(address)) return null;
    const domain = domainPart(address);
    return least([...this.#byName.of(skeletonOfName)].filter((other) => domainPart(other) !== domain));
  }
}
