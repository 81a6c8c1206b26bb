/** Mail folders of this machine as sources of people: what Maildir, MH and mbox have in common. */
import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeText } from '../../base/error-code.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { LedgerBatch } from './ledger/types.ts';

interface FolderStep {
  /** To be committed before the next step is asked for. */
  readonly batch: LedgerBatch;
  /** Messages of this run: read, and how many there are to read as far as it is known. */
  readonly progress: { readonly done: number; readonly total: number };
}

interface FolderEnd {
  /** "" when all was read; else what could not be, why, and what to do. */
  readonly reason: string;
  /** Folders that are read. */
  readonly folders: number;
}

/** Reads what is new, in steps of less than half a second; stopping between two loses nothing. */
export type FolderRun = AsyncGenerator<FolderStep, FolderEnd, void>;

export interface Asked {
  /** As configured, e.g. `maildir:~/Mail`. */
  readonly source: string;
  readonly path: string;
  readonly ledger: Pick<Ledger, 'messageKey' | 'place' | 'units' | 'keepFolders'>;
  readonly now: () => number;
}

/** `~` is the home of the user that the service runs as. */
export const expandHome = (path: string, home: string): string =>
  path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;

/** Folders of mail that nobody sent, wanted or kept: by a name of theirs or of one they lie in. */
const PASSED_OVER = new Set([
  'trash',
  'bin',
  'deleted',
  'deleted items',
  'deleted messages',
  'deleted mail',
  'junk',
  'junk e-mail',
  'junk email',
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
]);

/** Whether a folder is no source of people; its levels are divided by `delimiter`. IMAP's special uses come beside. */
export const isPassedOver = (folder: string, delimiter = '/'): boolean =>
  folder.split(delimiter).some((level) => PASSED_OVER.has(level.trim().toLowerCase()));

/** A phrase: why a path of the configuration cannot be read, and what to do. */
function unreadable(source: string, path: string, error: unknown): string {
  const code = codeText(error);
  if (code === 'ENOENT') return `${path} is not there: make it, or take ${source} out of [mail] sources`;
  if (code === 'ENOTDIR') return `${path} is not a folder: name one in [mail] sources in place of ${source}`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} must not be read (${code}): let the service's user read it`;
  return `${path} cannot be read (${code})`;
}

/** What of a source is tried and refused is counted, and told once. */
export class Troubles {
  readonly #source: string;
  #first = '';
  #more = 0;

  constructor({ source }: Pick<Asked, 'source'>) {
    this.#source = source;
  }

  /** The system's word about a path of the source. */
  refused(path: string, error: unknown): void {
    this.add(unreadable(this.#source, path, error));
  }

  add(reason: string): void {
    if (this.#first === '') this.#first = reason;
    else this.#more += 1;
  }

  get reason(): string {
    return this.#more === 0 ? this.#first : `${this.#first} (and ${this.#more} more like it)`;
  }
}

/** Lets folders go that the source has no more: what they brought stays. */
export function dropGone({ source, ledger }: Asked, folders: readonly { readonly name: string }[]): void {
  ledger.keepFolders(
    source,
    folders.map(({ name }) => name),
  );
}

/** Clocks of file systems tick in jiffies: a time this young may be that of a change to come. */
const STILL_MS = 2000;

/** What `stat` says; undefined where nothing is, or nothing that can be looked at: whoever opens it is told why. */
export function infoOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * State of a folder by which an unchanged one is known at the price of a `stat` each; "" while it is too young to tell. Where a
 * folder is not there, 0 stands.
 */
export function stateOf(paths: readonly string[], nowMs: number): string {
  const stats = paths.map(infoOf);
  const young = stats.some((info) => info !== undefined && Math.abs(nowMs - Number(info.mtimeMs)) < STILL_MS);
  return young ? '' : stats.map((info) => (info === undefined ? '0' : timeOf(info))).join(' ');
}

const timeOf = ({ ino, mtimeNs }: BigIntStats): string => `${ino}:${mtimeNs}`;

/** Levels of folders that are looked through; deeper ones are no mail. */
const DEEPEST = 16;

/** The folders of a source that is one; null when it cannot be read at all, and nothing is known of its folders. */
export function foldersOf(
  { path }: Asked,
  enter: (name: string) => boolean,
  troubles: Troubles,
): readonly string[] | null {
  try {
    readdirSync(path);
  } catch (error) {
    troubles.refused(path, error);
    return null;
  }
  return [...foldersBelow(path, enter, troubles)];
}

/** Folders below a path, itself first, as levels divided by slashes (itself ""). Links are not followed. */
export function* foldersBelow(
  path: string,
  enter: (name: string) => boolean,
  troubles: Troubles,
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
    troubles.refused(join(path, folder), error);
    return;
  }
  for (const name of names)
    yield* foldersBelow(path, enter, troubles, folder === '' ? name : `${folder}/${name}`, depth + 1);
}
