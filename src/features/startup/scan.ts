/** Passes over every place, and over those that changed since the last one. */

import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { linkResolver } from '../../base/file-systems.ts';
import { isLossy } from '../../base/visible-text.ts';
import { databaseTrouble } from '../../checks/packages.ts';
import { concernOf, type StartupFact } from '../../checks/startup.ts';
import { folderOf, type Missed, type Unread } from '../../checks/unread.ts';
import { containerFiles } from '../../desk/container-files.ts';
import type { InstalledPackage } from '../../desk/packages.ts';
import type { StartupScan } from '../../desk/startup.ts';
import { containerView } from '../../privileges/container.ts';
import { HANGS, type PeekOptions } from '../../privileges/peek-helper.ts';
import { type Account, bareHomesOf, homesOf, namesOf, parseAccounts } from './accounts.ts';
import { entriesOf } from './entries.ts';
import { HungHomes } from './hung-homes.ts';
import { type PrivilegedMounts, privilegedMounts } from './mounts.ts';
import type { Place } from './place.ts';
import { type FilePattern, FileReader, patternKey } from './reader.ts';
import type { FileScan, ScannedFile } from './scanned-file.ts';

/** Targets of links that are watched. */
const MOST_TARGETS = 256;
/** Homes that a pass reads. */
const MOST_HOMES = 2_000;
const PASSWD = '/etc/passwd';
const NONE_READ = 'none was read';
const MOUNTS = '/proc/self/mountinfo';

interface Wanted extends FilePattern {
  readonly place: Place;
  readonly home: Account | null;
}

/** What one pattern named when it was read last. */
interface Found {
  readonly files: readonly {
    readonly path: string;
    /** Where a link leads if no package has it; "" for all other files. */
    readonly target: string;
    readonly entries: readonly StartupFact[];
    readonly origins: readonly string[];
    readonly unread: string;
    /** There is no text because of an error; one that is too long is an entry. */
    readonly isRefused: boolean;
  }[];
  readonly unread: readonly Unread[];
}

/** What may have changed since the last pass. */
export interface Changed {
  readonly patterns: readonly FilePattern[];
  /** Files that links lead to. */
  readonly targets: ReadonlySet<string>;
  /** The list of accounts has. */
  readonly accounts: boolean;
}

interface Sought {
  readonly homes: readonly Account[];
  /** Of these, what sshd reads. */
  readonly bare: readonly Account[];
  readonly mounts: readonly string[];
}

/** What a pass reads, in the order of the places; `~/` for each home. */
function wantedOf(places: readonly Place[], { homes, bare, mounts }: Sought): Wanted[] {
  return places.flatMap((place) =>
    place.files.flatMap((pattern): Wanted[] => {
      const depth = place.depth ?? 'text';
      const whole = { place, depth, viewer: 0, home: null };
      if (depth === 'privileged') return mounts.map((mount) => ({ ...whole, pattern: mount }));
      if (!pattern.startsWith('~/')) return [{ ...whole, pattern }];
      const all = pattern.startsWith('~/.ssh/') ? [...homes, ...bare] : homes;
      return all.map((home) => ({
        place,
        depth,
        pattern: `${home.home}${pattern.slice(1)}`,
        viewer: home.uid,
        home,
      }));
    }),
  );
}

/** Equal for what finds the same in two passes, if no file has changed. */
const keyOf = (wanted: Wanted): string =>
  [wanted.place.id, wanted.home?.name, wanted.home?.home, patternKey(wanted)].join(' ');

/** An entry that is made from a packaged file is expected; `origins` are those of the entries, "" without one. */
function withOrigins(entries: readonly StartupFact[], origins: readonly string[]): readonly StartupFact[] {
  const packaged = new Set(
    origins.filter((origin, at) => origin !== '' && entries[at]?.voucher.kind === 'package'),
  );
  return entries.map((entry, at) => (packaged.has(origins[at] ?? '') ? { ...entry, expected: true } : entry));
}

const accountKey = ({ name, uid, home }: Account): string => [name, uid, home].join(':');

/** Kinds of files whose changes count; "": nothing is there yet. A masked unit leads to /dev/null, which changes all the time. */
const TARGET_KINDS = ['', 'regular', 'folder'];

/** A `*` in it would be a pattern. */
function targetOf({ path, link, real, kind, owners = [] }: ScannedFile): string {
  if (link === '' || owners.length > 0 || !TARGET_KINDS.includes(kind)) return '';
  const target = real || resolve(dirname(path), link);
  return target.includes('*') ? '' : target;
}

/** The kernel's list never blocks. */
async function mountsOf(): Promise<PrivilegedMounts> {
  return privilegedMounts(await readFile(MOUNTS, 'latin1'));
}

interface ScanOptions extends PeekOptions {
  readonly places: readonly Place[];
}

/** Never rejects for what the machine refuses: that is `unread`. One pass at a time. */
export class StartupScanner {
  readonly #places: readonly Place[];
  readonly #reader: FileReader;
  #wanted: readonly Wanted[] = [];
  readonly #found = new Map<Wanted, Found>();
  #accounts: readonly Account[] = [];
  #nameOf: (uid: number) => string = String;
  /** The first home that was left out; "" where none was. */
  #leftOut = '';
  #notWalked: PrivilegedMounts['others'] = [];
  /** Why no home is known; null if they are known. */
  #homesUnread: (Pick<Unread, 'path' | 'reason'> & { readonly isMissed: boolean }) | null = null;
  #packages = NONE_READ;
  #busy = false;
  #readMs = 0;

  constructor({ places, ...options }: ScanOptions) {
    this.#places = places;
    this.#reader = new FileReader(options);
  }

  /** What the last pass was about. */
  get patterns(): readonly FilePattern[] {
    const { isStuck } = this.#reader;
    return this.#wanted.map((wanted) => ({
      ...{ depth: wanted.depth, viewer: wanted.viewer, pattern: wanted.pattern },
      hangs: isStuck && (this.#found.get(wanted)?.unread.some(({ reason }) => reason === HANGS) ?? false),
    }));
  }

  /** Files outside of these patterns that the last walk found, and nothing vouches for. */
  get programs(): readonly string[] {
    return this.#walked().flatMap(([, { files }]) =>
      files
        .filter(({ entries }) => entries.some((entry) => concernOf(entry) !== null))
        .map(({ path }) => path),
    );
  }

  /** Files that links of these patterns lead to, which may be anywhere, and need not be there. */
  get targets(): readonly string[] {
    const all = [...this.#found].flatMap(([{ depth }, { files }]) =>
      depth === 'privileged' ? [] : files.flatMap(({ target }) => target || []),
    );
    return [...new Set(all)].slice(0, MOST_TARGETS);
  }

  /** Reads everything; without `walks`, what takes a walk over a file system is as it was read before. */
  async all({ walks = true } = {}): Promise<StartupScan> {
    const sinceMs = performance.now();
    return this.#everything(sinceMs, { walks, accounts: await this.#readAccounts() });
  }

  async #everything(
    sinceMs: number,
    { walks, accounts }: { walks: boolean; accounts: readonly Account[] },
  ): Promise<StartupScan> {
    this.#packages = NONE_READ;
    await this.#seek(accounts, walks ? [] : this.#walked());
    await this.#read(this.#missing());
    await this.#reader.endWalks();
    // Where nothing was walked, that part is as old as before.
    if (walks) this.#readMs = Date.now();
    return this.#together(sinceMs);
  }

  /** What these accounts make it read; of that, what `kept` has found. */
  async #seek(accounts: readonly Account[], kept: readonly (readonly [Wanted, Found])[]): Promise<void> {
    const homes = homesOf(accounts);
    this.#accounts = accounts;
    this.#leftOut = homes[MOST_HOMES]?.home ?? '';
    this.#nameOf = namesOf(accounts);
    const { walked, others } = await mountsOf();
    this.#notWalked = others;
    this.#wanted = wantedOf(this.#places, {
      homes: homes.slice(0, MOST_HOMES),
      bare: bareHomesOf(accounts),
      mounts: walked,
    });
    const before = new Map(kept.map(([wanted, found]) => [keyOf(wanted), found]));
    this.#found.clear();
    for (const wanted of this.#wanted) {
      const found = before.get(keyOf(wanted));
      if (found !== undefined) this.#found.set(wanted, found);
    }
  }

  #missing(): Wanted[] {
    return this.#wanted.filter((wanted) => !this.#found.has(wanted));
  }

  #walked(): [Wanted, Found][] {
    return [...this.#found].filter(([{ depth }]) => depth === 'privileged');
  }

  /**
   * Reads some of `patterns`, and those with a link to one of `targets`; the rest is as it was read before. With `accounts` also the
   * homes of new ones; everything but walks, if accounts have changed in another way.
   */
  async some({ patterns, targets, accounts }: Changed): Promise<StartupScan> {
    const sinceMs = performance.now();
    const keys = new Set(patterns.map(patternKey));
    for (const [wanted, { files }] of this.#found)
      if (keys.has(patternKey(wanted)) || files.some(({ target }) => targets.has(target)))
        this.#found.delete(wanted);
    if (accounts) {
      const now = await this.#readAccounts();
      if (!this.#areMore(now)) return this.#everything(sinceMs, { walks: false, accounts: now });
      await this.#seek(now, [...this.#found]);
    }
    await this.#read(this.#missing());
    return this.#together(sinceMs);
  }

  /** Whether these are the known accounts and more, with the same names for their uids. */
  #areMore(accounts: readonly Account[]): boolean {
    const keys = new Set(accounts.map(accountKey));
    const nameOf = namesOf(accounts);
    return this.#accounts.every(
      (one) => keys.has(accountKey(one)) && nameOf(one.uid) === this.#nameOf(one.uid),
    );
  }

  /** Ends the helper until it is asked again. */
  rest(): Promise<void> {
    return this.#reader.rest();
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** Empty if they could not be read: then homes are unread too. */
  async #readAccounts(): Promise<Account[]> {
    const scan = await this.#reader.read({ depth: 'text', viewer: 0, pattern: PASSWD });
    const [file] = typeof scan === 'string' ? [] : scan.files;
    const reason = typeof scan === 'string' ? scan : (file?.error ?? (file === undefined ? 'ENOENT' : ''));
    this.#homesUnread =
      file?.text === undefined
        ? { path: PASSWD, reason: reason || 'it has no text', isMissed: typeof scan === 'string' }
        : null;
    return parseAccounts(file?.text ?? '');
  }

  async #read(wanted: readonly Wanted[]): Promise<void> {
    // Nothing is asked, so it is as busy as before.
    if (wanted.length === 0) return;
    this.#busy = false;
    const hung = new HungHomes();
    const withoutLinks = linkResolver();
    for (const one of wanted) {
      const { home = '' } = one.home ?? {};
      const scan = home !== '' && hung.has(home) ? HANGS : await this.#reader.read(one);
      if (home !== '' && !hung.has(home)) hung.note(home, scan === HANGS);
      this.#found.set(one, this.#foundIn(one, scan, withoutLinks));
    }
  }

  /** `withoutLinks` gives the path of a folder as findings have it. */
  #foundIn(
    { place, pattern, home }: Wanted,
    scan: FileScan | string,
    withoutLinks: (folder: string) => string,
  ): Found {
    /** A folder of a home is not looked at: what hangs is there. */
    const partAt = (path: string, folder: string): Missed => {
      const top = home?.home ?? folder;
      return { place: place.id, path: join(withoutLinks(top), path.slice(top.length)) };
    };
    if (typeof scan === 'string') {
      const path = folderOf(pattern);
      const missed = partAt(path, path === pattern ? dirname(path) : path);
      return { files: [], unread: [{ path: pattern, reason: scan, missed }] };
    }
    this.#packages = databaseTrouble(scan.databases);
    this.#busy ||= scan.busy;
    const more = scan.cut ? [{ path: pattern, reason: 'it has more than is read' }] : [];
    return {
      files: scan.files.map((file) => ({
        ...{ path: file.path, target: targetOf(file) },
        ...entriesOf(place, file, home, this.#nameOf),
        isRefused: file.error !== undefined && file.error !== 'EFBIG',
      })),
      unread: [
        ...more,
        ...scan.unread.map(({ path, error }) => ({ path, reason: error, refused: partAt(path, path) })),
      ],
    };
  }

  /** As `Startup.ownerOf`. */
  async ownerOf(path: string): Promise<InstalledPackage | null | string> {
    // A `*` is a pattern to the helper.
    if (!path.startsWith('/') || path.includes('*') || isLossy(path)) return 'its path cannot be looked up';
    const container = containerFiles(containerView());
    if (container !== '') return container;
    const scan = await this.#reader.read({ depth: 'facts', viewer: 0, pattern: path });
    if (typeof scan === 'string') return scan;
    const trouble = databaseTrouble(scan.databases);
    const [file] = scan.files;
    if (file === undefined) return scan.unread[0]?.error ?? 'no file is there';
    const owner = file.owners?.find(({ removed }) => !removed);
    if (owner === undefined) return trouble === '' ? null : trouble;
    const { name, version, database } = owner;
    return { name, version, database };
  }

  #together(sinceMs: number): StartupScan {
    const entries: StartupFact[] = [];
    const origins: string[] = [];
    // Several patterns may lead to one file, as by /lib and /usr/lib, or through one folder.
    const unread = new Map<string, StartupScan['unread'][number]>();
    const seen = new Set<string>();
    const leave = (place: Place, one: Unread) =>
      unread.set([place.id, one.path, one.reason].join('\0'), { ...one, place });
    for (const wanted of this.#wanted) {
      const { place } = wanted;
      const found = this.#found.get(wanted);
      for (const one of found?.unread ?? []) leave(place, one);
      for (const file of found?.files ?? []) {
        const key = `${place.id} ${file.path}`;
        if (seen.has(key)) continue;
        seen.add(key);
        for (const [at, entry] of file.entries.entries()) {
          entries.push(entry);
          const origin = file.origins[at] ?? '';
          origins.push(origin && `${place.id} ${origin}`);
        }
        const { path, unread: reason, isRefused } = file;
        if (reason !== '')
          leave(place, { path, reason, ...(isRefused && { refused: { place: place.id, path } }) });
      }
    }
    const walking = this.#places.find(({ depth }) => depth === 'privileged');
    if (walking !== undefined)
      for (const { path, type } of this.#notWalked)
        leave(walking, { path, reason: `programs of file systems of type ${type} are not listed` });
    const ofHomes = this.#places.filter(({ files }) => files.some((pattern) => pattern.startsWith('~/')));
    for (const place of ofHomes) {
      const part = { place: place.id, path: '/' };
      if (this.#homesUnread !== null) {
        const { isMissed, ...homes } = this.#homesUnread;
        leave(place, { ...homes, ...(isMissed ? { missed: part } : { refused: part }) });
      } else if (this.#leftOut !== '')
        leave(place, { path: this.#leftOut, reason: `only ${MOST_HOMES} homes are read` });
    }
    const [packages, busy] = [this.#packages, this.#busy];
    const tookMs = performance.now() - sinceMs;
    const unwatched = 'it was read once';
    const container = containerFiles(containerView());
    return {
      entries: withOrigins(entries, origins),
      ...{ unread: [...unread.values()], packages, busy, unwatched, container },
      ...{ files: seen.size, readMs: this.#readMs, tookMs },
    };
  }
}

/** One pass alone. */
export async function scanStartup(options: ScanOptions): Promise<StartupScan> {
  const scanner = new StartupScanner(options);
  try {
    return await scanner.all();
  } finally {
    await scanner.close();
  }
}
