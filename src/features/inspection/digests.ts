/** Digests of program files: what is known by image, what is read next, and the reading by a helper. */
import type { Logger } from 'pino';
import { isLossy } from '../../base/visible-text.ts';
import { imageKey, programKey } from '../../checks/content.ts';
import type { ProcessSubject } from '../../checks/subjects.ts';
import type { Note } from '../../privileges/child.ts';
import { type DigestAnswer, Helper } from './helper.ts';

/** Files in the queue of one user. */
const MOST_OF_A_USER = 256;
/** The same for root; also how many files are kept in addition to those in use, the newest. */
const MOST_OF_ROOT = 4_096;
/** Lower uids belong to the system (uid_min of login.defs(5)). */
const FIRST_USER = 1_000;
/** An unreadable file is read again when its process is next inspected after this time. */
const UNREAD_AGAIN_MS = 60_000;
/** A large file on a slow disk takes this long, and three times as long on a busy machine; after that it counts as unread. */
const DEADLINE_MS = 10_000;
const MOST_MS = 30_000;

export type DigestHelper = Pick<Helper, 'digest' | 'digestAt' | 'close'>;

export const digestHelper = (note?: Note): DigestHelper =>
  new Helper({ deadlineMs: DEADLINE_MS, mostMs: MOST_MS, ...(note && { note }) });

interface File {
  /** "" when it could not be read, undefined until it was. */
  sha256: string | undefined;
  atMs: number;
  /** Identifies its content in findings, set by the first finding; "" before. */
  name: string;
}

export class Files {
  readonly #files = new Map<string, File>();
  readonly #running: () => number;

  /** `running`: the number of processes. */
  constructor(running: () => number) {
    this.#running = running;
  }

  /** "" when it could not be read, undefined until it was. */
  digestOf(image: string): string | undefined {
    return this.#files.get(image)?.sha256;
  }

  keep(image: string, sha256: string): void {
    Object.assign(this.#file(image), { sha256, atMs: performance.now() });
  }

  /** A file that could not be read some time ago counts as not read yet. */
  forgive(image: string): void {
    const file = this.#files.get(image);
    if (file?.sha256 === '' && performance.now() - file.atMs > UNREAD_AGAIN_MS) file.sha256 = undefined;
  }

  /** Identifies its content in findings. It stays the same when the digest is read later, so the finding keeps its id. */
  nameOf(image: string): string {
    const file = this.#file(image);
    file.name ||= file.sha256 || image;
    return file.name;
  }

  #file(image: string): File {
    const known = this.#files.get(image);
    if (known !== undefined) return known;
    const file: File = { sha256: undefined, atMs: 0, name: '' };
    this.#files.set(image, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MOST_OF_ROOT + this.#running() && oldest !== undefined) this.#files.delete(oldest);
    return file;
  }
}

type Owner = number | 'unknown' | 'container';

/** A uid of a container is not one of this machine. */
export const ownerOf = (subject: ProcessSubject): Owner =>
  programKey(subject).endsWith('@container') ? 'container' : (subject.uid ?? 'unknown');

const rankOf = (owner: Owner): number => (owner === 0 ? 0 : Number(owner) < FIRST_USER ? 1 : 2);

/**
 * Files to read: first those that root runs, then those of system users, then all others, and users in turn, so that a user with
 * many programs delays the others by one file each. Bounded for each user.
 */
export class DigestQueue<Item> {
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

  /** False when this owner has too many. A key that is queued already gets the new item and keeps its place. */
  add(key: string, item: Item, owner: Owner): boolean {
    const before = this.#ownerOf.get(key);
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

  /** The most important one, which stays queued. */
  next(): readonly [key: string, item: Item] | undefined {
    const [first] = [...this.#owners].sort(([one], [other]) => rankOf(one) - rankOf(other));
    return first?.[1].entries().next().value;
  }

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

interface Wanted {
  readonly subject: ProcessSubject;
  /** `imageKey` of the file that it ran when it was inspected. */
  readonly key: string;
  readonly ended?: true;
}

/**
 * The digest of the file that a process runs, or that is at its path once the process has ended; "" when it cannot be read. When the
 * process has ended, `gone` may return another one that runs the file, which is returned then.
 */
export async function readDigest<Other>(
  { subject, key, ended }: Wanted,
  helper: DigestHelper,
  log: Logger,
  gone: () => Other | undefined,
): Promise<string | Other> {
  const { pid, start, executable } = subject;
  // Only the file that was inspected counts.
  const digestIn = (answer: DigestAnswer): string =>
    answer.kind === 'digest' && imageKey(answer.content) === key ? answer.content.sha256 : '';
  let answer: DigestAnswer = ended ? { kind: 'gone' } : await helper.digest(pid, start);
  const sha256 = digestIn(answer);
  if (sha256 !== '') return sha256;
  const other = answer.kind === 'gone' ? gone() : undefined;
  if (other !== undefined) return other;
  // The process has ended, or runs another file; this one may still be at its path.
  if ((answer.kind === 'gone' || answer.kind === 'digest') && isWholePath(executable))
    answer = await helper.digestAt(executable, pid, start);
  const found = digestIn(answer);
  if (found === '') log.debug({ executable, answer }, 'the content of a program was not read');
  return found;
}

/** It was not unlinked, and no byte of it was lost when it became text. */
const isWholePath = (path: string): boolean =>
  path.startsWith('/') && !path.endsWith(' (deleted)') && !isLossy(path);
