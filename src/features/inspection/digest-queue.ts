/**
 * Files whose digest is wanted, the next one first: those that root runs, then those of system users, then all others, and users
 * in turn, so that one with many programs delays the others by one file each. Bounded for each user.
 */
import { programKey } from '../../checks/content.ts';
import type { ProcessSubject } from '../../checks/subjects.ts';

/** Of one user; of root so many as digests are kept. */
const MOST_OF_A_USER = 256;
export const MOST_OF_ROOT = 4_096;
/** Uids below it belong to the system (uid_min of login.defs(5)). */
const FIRST_USER = 1_000;

/** Who runs it: a uid, or a word for those that are not users of this machine. */
export type Owner = number | 'unknown' | 'container';

/** Of what runs in a container the uid is that of a user there. */
export function ownerOf(subject: ProcessSubject): Owner {
  if (programKey(subject).endsWith('@container')) return 'container';
  return subject.uid ?? 'unknown';
}

const rankOf = (owner: Owner): number =>
  typeof owner !== 'number' ? 2 : owner === 0 ? 0 : owner < FIRST_USER ? 1 : 2;

export class DigestQueue<Item> {
  /** By owner, in whose turn it is; of each the items by key. */
  readonly #owners = new Map<Owner, Map<string, Item>>();
  readonly #ownerOf = new Map<string, Owner>();

  get size(): number {
    return this.#ownerOf.size;
  }

  has(key: string): boolean {
    return this.#ownerOf.has(key);
  }

  keys(): Iterable<string> {
    return this.#ownerOf.keys();
  }

  /** False when there are too many of this owner; what is wanted already is replaced, and keeps its place. */
  add(key: string, item: Item, owner: Owner): boolean {
    const before = this.#ownerOf.get(key);
    // A more important owner takes it over.
    if (before !== undefined && rankOf(before) <= rankOf(owner)) {
      this.#owners.get(before)?.set(key, item);
      return true;
    }
    const items = this.#owners.get(owner) ?? new Map<string, Item>();
    if (items.size >= (owner === 0 ? MOST_OF_ROOT : MOST_OF_A_USER)) return before !== undefined;
    if (before !== undefined) this.delete(key);
    this.#owners.set(owner, items.set(key, item));
    this.#ownerOf.set(key, owner);
    return true;
  }

  /** The most important one, which stays here. */
  next(): readonly [key: string, item: Item] | undefined {
    let first: readonly [rank: number, items: Map<string, Item>] | undefined;
    for (const [owner, items] of this.#owners) {
      const rank = rankOf(owner);
      if (first === undefined || rank < first[0]) first = [rank, items];
    }
    return first?.[1].entries().next().value;
  }

  /** Its owner has had a turn. */
  delete(key: string): void {
    const owner = this.#ownerOf.get(key);
    if (owner === undefined) return;
    this.#ownerOf.delete(key);
    const items = this.#owners.get(owner);
    items?.delete(key);
    this.#owners.delete(owner);
    if (items !== undefined && items.size > 0) this.#owners.set(owner, items);
  }

  clear(): void {
    this.#owners.clear();
    this.#ownerOf.clear();
  }
}
