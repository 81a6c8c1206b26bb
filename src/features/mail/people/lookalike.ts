/** Names and domains that resemble (same skeleton, domain one edit away) those that the user wrote to (`Known`). */
import { domainPart } from './address.ts';
import { domainSkeleton, shown } from './skeleton.ts';

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

/** Well-known providers that are one slip from another one without imitating it. */
const PROVIDERS =
  'gmail.com mail.com ymail.com email.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr live.com live.de gmx.com gmx.net mail.ru mail.de email.de freenet.de';
const isProvider = (domain: string): boolean => PROVIDERS.split(' ').includes(domain);

/** Texts by a key that several may have. */
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

/** The result does not depend on their order. */
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
  /** Answers of `likeDomain`, until another domain is known. */
  readonly #likes = new Map<string, string | null>();
  /** Address → skeleton of its name. */
  readonly #people = new Map<string, string>();

  /** `now` is the skeleton of their name. Returns the domain when it is new, and the skeletons that belong to other people now. */
  add(address: string, now: string): { readonly domain: string | null; readonly names: readonly string[] } {
    const before = this.#people.get(address);
    if (before === now) return { domain: null, names: [] };
    this.#people.set(address, now);
    if (before) this.#byName.delete(before, address);
    if (now !== '') this.#byName.add(now, address);
    const names = [before ?? '', now].filter((each) => each !== '');
    const domain = domainPart(address);
    if (before !== undefined || this.#domains.has(domain)) return { domain: null, names };
    this.#domains.add(domain);
    this.#likes.clear();
    this.#bySkeleton.add(domainSkeleton(domain), domain);
    if (enoughLetters(shown(domain)))
      for (const part of lacking(shown(domain))) this.#byLack.add(part, domain);
    return { domain, names };
  }

  /** The domain that one you never wrote to resembles; null for none. */
  likeDomain(domain: string): string | null {
    let like = this.#likes.get(domain);
    if (like === undefined) {
      like = this.#findLike(domain);
      this.#likes.set(domain, like);
    }
    return like;
  }

  #findLike(domain: string): string | null {
    if (this.#domains.has(domain)) return null;
    const same = least(this.#bySkeleton.of(domainSkeleton(domain)));
    if (same !== null) return same;
    if (isProvider(domain)) return null;
    const text = shown(domain);
    const near = new Set<string>();
    for (const part of lacking(text))
      for (const other of this.#byLack.of(part)) if (oneSlipApart(text, shown(other))) near.add(other);
    return least(near);
  }

  /** The person whom one you never wrote to may be mistaken for: the same name in another domain; null for none. */
  likeName(address: string, skeletonOfName: string): string | null {
    if (skeletonOfName === '' || this.#people.has(address)) return null;
    const domain = domainPart(address);
    let first: string | null = null;
    for (const other of this.#byName.of(skeletonOfName))
      if ((first === null || other < first) && domainPart(other) !== domain) first = other;
    return first;
  }
}
