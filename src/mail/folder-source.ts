/** Mail folders of this machine as sources of people: what Maildir, MH and mbox have in common. */
import { type BigIntStats, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../store/ledger.ts';
import type { FolderPlace, LedgerBatch, MessageFacts } from '../store/ledger-types.ts';
import { AddressLists } from './address-list.ts';
import { LONGEST_HEADER, readHeader } from './header.ts';

export interface FolderStep {
  /** To be committed before the next step is asked for. */
  readonly batch: LedgerBatch;
  /** Messages of this run: read, and how many there are to read as far as it is known. */
  readonly progress: { readonly done: number; readonly total: number };
}

export interface FolderEnd {
  /** "" when all was read; else what could not be, why, and what to do. */
  readonly reason: string;
  /** Folders that are read. */
  readonly folders: number;
}

/** Reads what is new, in steps of less than half a second; stopping between two loses nothing. */
export type FolderRun = Generator<FolderStep, FolderEnd, void>;

export interface Asked {
  /** As configured, e.g. `maildir:~/Mail`. */
  readonly source: string;
  readonly path: string;
  readonly ledger: Pick<Ledger, 'place' | 'units' | 'folders' | 'dropFolder'>;
  readonly now: () => number;
}

const MESSAGES_A_STEP = 4000;
const STEP_MS = 400;

/** `~` is the home of the user that the service runs as. */
export const expandHome = (path: string, home: string): string =>
  path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;

/** Folders of mail that nobody sent, wanted or kept: by a name of theirs or of one they lie in. */
const PASSED_OVER = new Set([
  ...[
    'trash',
    'bin',
    'deleted',
    'deleted items',
    'deleted messages',
    'deleted mail',
    'junk',
    'junk e-mail',
    'junk email',
  ],
  ...[
    'junk mail',
    'spam',
    'bulk mail',
    'drafts',
    'draft',
    'templates',
    'template',
    'queue',
    'outbox',
    'unsent messages',
  ],
]);

/** Whether a folder is no source of people; its levels are divided by `delimiter`. IMAP's special uses come beside. */
export const isPassedOver = (folder: string, delimiter = '/'): boolean =>
  folder.split(delimiter).some((level) => PASSED_OVER.has(level.trim().toLowerCase()));

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** Why a path of the configuration cannot be read. */
export function unreadable({ source }: Pick<Asked, 'source'>, path: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return `${path} is not there: make it, or take ${source} out of [mail] sources.`;
  if (code === 'ENOTDIR') return `${path} is no folder: name one in [mail] sources in place of ${source}.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} must not be read (${code}): let the service's user read it.`;
  return `${path} cannot be read (${code}).`;
}

/** What is tried and refused is counted, and told once. */
export class Troubles {
  #first = '';
  #more = 0;

  add(reason: string): void {
    if (this.#first === '') this.#first = reason;
    else this.#more += 1;
  }

  get reason(): string {
    return this.#more === 0 ? this.#first : `${this.#first} And ${this.#more} more like it.`;
  }
}

/** 53 bits of a text, two FNV-1a hashes side by side: numbers files of one folder. */
export function hash53(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9dc5811c];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 15);
  }
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}

/** Clocks of file systems tick in jiffies: a time this young may be that of a change to come. */
const STILL_MS = 2000;

/**
 * State of a folder by which an unchanged one is known at the price of a `stat` each; "" while it is too young to tell. Where a
 * folder is not there, 0 stands.
 */
export function stateOf(paths: readonly string[], nowMs: number): string {
  const stats = paths.map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  const young = stats.some((info) => info !== undefined && Math.abs(nowMs - Number(info.mtimeMs)) < STILL_MS);
  return young ? '' : stats.map((info) => (info === undefined ? '0' : timeOf(info))).join(' ');
}

const timeOf = ({ ino, mtimeNs }: BigIntStats): string => `${ino}:${mtimeNs}`;

const EMPTY_LINE = Buffer.from('\n\n');
const EMPTY_CRLF_LINE = Buffer.from('\n\r\n');
const FIRST_READ = 16_384;

/** Bytes of a header block with its empty line; -1 when it does not end here. */
export function headerEnd(bytes: Uint8Array): number {
  const buffer = bytes as Buffer;
  const end = buffer.indexOf(EMPTY_LINE);
  const crlf = (end < 0 ? buffer : buffer.subarray(0, end)).indexOf(EMPTY_CRLF_LINE);
  return crlf >= 0 ? crlf + 3 : end < 0 ? -1 : end + 2;
}

/** Reads messages, a file each, into one buffer, and remembers address lists over all of them. */
export class MessageFiles {
  readonly #buffer = Buffer.allocUnsafeSlow(LONGEST_HEADER);
  readonly #lists = new AddressLists();
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  facts(header: Uint8Array): MessageFacts {
    return readHeader(header, this.#nowMs, this.#lists);
  }

  /**
   * A message's facts; null for what is no regular file or is gone meanwhile. Nothing can hold the reader up: links are not
   * followed, FIFOs and devices not waited for. @throws what the system says else.
   */
  read(path: string): MessageFacts | null {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (['ENOENT', 'ELOOP', 'ENXIO', 'ENODEV'].includes(codeOf(error))) return null;
      throw error;
    }
    try {
      const buffer = this.#buffer;
      let length = readSync(file, buffer, 0, FIRST_READ, null);
      let end = headerEnd(buffer.subarray(0, length));
      while (end < 0 && length >= FIRST_READ && length < buffer.length) {
        const more = readSync(file, buffer, length, buffer.length - length, null);
        if (more === 0) break;
        length += more;
        end = headerEnd(buffer.subarray(0, length));
      }
      return length === 0 ? null : this.facts(buffer.subarray(0, end < 0 ? length : end));
    } catch (error) {
      if (['EISDIR', 'EAGAIN'].includes(codeOf(error))) return null;
      throw error;
    } finally {
      closeSync(file);
    }
  }
}

/** Collects what a step is made of. */
export class Batch {
  #messages: MessageFacts[] = [];
  #read: number[] = [];
  #started = performance.now();

  add(facts: MessageFacts, unit?: number): void {
    this.#messages.push(facts);
    if (unit !== undefined) this.#read.push(unit);
  }

  /** A file that is none of a message: known, and not looked at again. */
  pass(unit: number): void {
    this.#read.push(unit);
  }

  get full(): boolean {
    return (
      this.#messages.length >= MESSAGES_A_STEP ||
      (this.#messages.length > 0 && performance.now() - this.#started > STEP_MS)
    );
  }

  /** Takes what was collected. */
  take(place: FolderPlace, gone: readonly number[] = []): LedgerBatch {
    const batch = { messages: this.#messages, place, units: { read: this.#read, gone } };
    this.#messages = [];
    this.#read = [];
    this.#started = performance.now();
    return batch;
  }
}

/** Levels of folders that are looked through; deeper ones are no mail. */
const DEEPEST = 16;

/** Folders below a path, itself first, as levels divided by slashes (itself ""). Links are not followed. */
export function* foldersBelow(
  path: string,
  enter: (name: string) => boolean,
  troubles: (path: string, error: unknown) => void,
  folder = '',
  depth = 0,
): Generator<string> {
  yield folder;
  if (depth >= DEEPEST) return;
  let names: string[];
  try {
    names = readdirSync(join(path, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && enter(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    troubles(join(path, folder), error);
    return;
  }
  for (const name of names)
    yield* foldersBelow(path, enter, troubles, folder === '' ? name : `${folder}/${name}`, depth + 1);
}
