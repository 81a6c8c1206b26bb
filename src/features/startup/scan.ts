/** One pass over every place. */
import type { PeekOptions } from '../../privileges/peek-helper.ts';
import { type Account, homesOf, namesOf, parseAccounts } from './accounts.ts';
import { entriesOf, type StartupEntry } from './entries.ts';
import type { Place } from './place.ts';
import { type FilePattern, FileReader } from './reader.ts';
import type { FileScan } from './scanned-file.ts';

/** Homes that a pass reads. */
const MOST_HOMES = 2_000;
const PASSWD = '/etc/passwd';

export interface UnreadPlace {
  readonly place: Place;
  readonly path: string;
  /** An error code, or a phrase. */
  readonly reason: string;
}

export interface StartupScan {
  readonly entries: readonly StartupEntry[];
  /** What could not be read, or not all of it. */
  readonly unread: readonly UnreadPlace[];
  /** Why no package can vouch for files; "" if the dpkg database was read. */
  readonly packages: string;
  readonly files: number;
  readonly tookMs: number;
}

interface Wanted extends FilePattern {
  readonly place: Place;
  readonly home: Account | null;
}

/** What a pass reads, in the order of the places; `~/` for each home. */
function wantedOf(places: readonly Place[], homes: readonly Account[]): Wanted[] {
  return places.flatMap((place) =>
    place.files.flatMap((pattern): Wanted[] => {
      const depth = place.depth ?? 'text';
      if (!pattern.startsWith('~/')) return [{ place, depth, pattern, viewer: 0, home: null }];
      return homes.map((home) => ({
        place,
        depth,
        pattern: `${home.home}${pattern.slice(1)}`,
        viewer: home.uid,
        home,
      }));
    }),
  );
}

export interface ScanOptions extends PeekOptions {
  readonly places: readonly Place[];
}

/** Never rejects for what the machine refuses: that is `unread`. */
export async function scanStartup({ places, ...options }: ScanOptions): Promise<StartupScan> {
  const sinceMs = performance.now();
  const reader = new FileReader(options);
  try {
    const accounts = await readAccounts(reader);
    const homes = homesOf(accounts);
    const pass = new Pass(places, namesOf(accounts));
    for (const wanted of wantedOf(places, homes.slice(0, MOST_HOMES)))
      pass.take(wanted, await reader.read(wanted));
    if (homes.length > MOST_HOMES)
      pass.leave(homes[MOST_HOMES]?.home ?? '', `only ${MOST_HOMES} homes are read`);
    return { ...pass.found(), tookMs: performance.now() - sinceMs };
  } finally {
    await reader.close();
  }
}

async function readAccounts(reader: FileReader): Promise<Account[]> {
  const scan = await reader.read({ depth: 'text', viewer: 0, pattern: PASSWD });
  return typeof scan === 'string' ? [] : parseAccounts(scan.files[0]?.text ?? '');
}

class Pass {
  readonly #places: readonly Place[];
  readonly #nameOf: (uid: number) => string;
  readonly #entries: StartupEntry[] = [];
  /** By place, path and reason: several patterns lead through one folder. */
  readonly #unread = new Map<string, UnreadPlace>();
  /** Files that were read, by place: several patterns may lead to one, as by /lib and /usr/lib. */
  readonly #seen = new Set<string>();
  #packages = 'none was read';
  #files = 0;

  constructor(places: readonly Place[], nameOf: (uid: number) => string) {
    this.#places = places;
    this.#nameOf = nameOf;
  }

  take({ place, pattern, home }: Wanted, scan: FileScan | string): void {
    const leave = (path: string, reason: string) => this.#leave(place, path, reason);
    if (typeof scan === 'string') return void leave(pattern, scan);
    this.#packages = packagesText(scan.packages);
    if (scan.cut) leave(pattern, 'it has more than is read');
    for (const { path, error } of scan.unread) leave(path, error);
    for (const file of scan.files) {
      const key = `${place.id} ${file.path}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.#files++;
      const { entries, unread } = entriesOf(place, file, home, this.#nameOf);
      this.#entries.push(...entries);
      if (unread !== '') leave(file.path, unread);
    }
  }

  /** Something that was left out, for every place of homes. */
  leave(path: string, reason: string): void {
    for (const place of this.#places)
      if (place.files.some((pattern) => pattern.startsWith('~/'))) this.#leave(place, path, reason);
  }

  #leave(place: Place, path: string, reason: string): void {
    this.#unread.set([place.id, path, reason].join('\0'), { place, path, reason });
  }

  found(): Omit<StartupScan, 'tookMs'> {
    const unread = [...this.#unread.values()];
    return { entries: this.#entries, unread, packages: this.#packages, files: this.#files };
  }
}

function packagesText(packages: string): string {
  if (packages === 'read') return '';
  return packages === 'none'
    ? 'dpkg is not installed (no /var/lib/dpkg/status)'
    : `the dpkg database could not be read (${packages})`;
}
