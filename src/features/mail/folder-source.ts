/** Mail folders of this machine as sources of people: what Maildir, MH and mbox have in common. */
import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeText } from '../../base/error-code.ts';
import type { LedgerBatch } from './ledger/types.ts';
import type { SourceLedger } from './redacted-ledger.ts';

interface FolderStep {
  /** To be committed before the next step is requested. */
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
  readonly ledger: Pick<SourceLedger, 'messageKey' | 'place' | 'units' | 'keepFolders'>;
  readonly now: () => number;
}

/** `~` is the home of the user that the service runs as. */
export const expandHome = (path: string, home: string): string =>
  path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;

/** Folders whose mail was not sent, wanted or kept: by their name or that of a parent. */
const PASSED_OVER = new Set(
  [
    'trash,bin,deleted,deleted items,deleted messages,deleted mail,junk,junk e-mail,junk email,junk mail,spam,bulk mail',
    'drafts,draft,templates,template,queue,outbox,unsent messages',
  ].flatMap((names) => names.split(',')),
);

/** Whether a folder is skipped by its name; `delimiter` divides its levels. IMAP has special uses too. */
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

/** What of a source could not be read: the first reason and the number of others. */
export class Troubles {
  readonly #source: string;
  #first = '';
  #more = 0;

  constructor({ source }: Pick<Asked, 'source'>) {
    this.#source = source;
  }

  /** An error of the system about a path of the source. */
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

/** Drops folders that the source does not have any more: what they brought stays. */
export function dropGone({ source, ledger }: Asked, folders: readonly { readonly name: string }[]): void {
  const names = folders.map(({ name }) => name);
  ledger.keepFolders(source, names);
}

/** Clocks of file systems tick in jiffies: a time this young may be that of a change to come. */
const STILL_MS = 2000;

/** `stat` of a path; undefined on any error: opening the file reports it. */
export function infoOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Text by which an unchanged folder is recognised with one `stat` per path; 0 for a missing one. "" while a change is too recent. */
export function stateOf(paths: readonly string[], nowMs: number): string {
  const stats = paths.map(infoOf);
  const young = stats.some((info) => info !== undefined && Math.abs(nowMs - Number(info.mtimeMs)) < STILL_MS);
  return young
    ? ''
    : stats.map((info) => (info === undefined ? '0' : `${info.ino}:${info.mtimeNs}`)).join(' ');
}

/** Levels of folders that are read. */
const DEEPEST = 16;

/** The folders of a source; null when it cannot be read at all. */
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
