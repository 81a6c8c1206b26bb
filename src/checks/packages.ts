/** Files of packages whose content is another one, as checks see them. */
import type { Severity } from '../policy/severity.ts';
import type { Unread } from './unread.ts';

export interface AlteredFile {
  readonly path: string;
  readonly package: string;
  readonly version: string;
  /** `dpkg`, `rpm` or `pacman`. */
  readonly database: string;
  /** Digests of what the package has, and of what the file has: MD5, or with the algorithm before it, as `sha256:…`. */
  readonly expected: string;
  readonly found: string;
  /** It begins as a program or script does, or may be run. */
  readonly program: boolean;
  /** Its ctime, which no program sets, ms since the epoch. */
  readonly changedMs: number;
}

export interface PackageFacts {
  readonly altered: readonly AlteredFile[];
  /** What could not be compared: a file, or a package as a whole. */
  readonly unread: readonly Unread[];
  /** Why nothing could be compared; "" where packages were. */
  readonly trouble: string;
}

/** A package database of this machine; `state`: `read`, or why it was not, an error code or a phrase. */
interface DatabaseState {
  readonly name: string;
  readonly state: string;
}

/** Why not all packages are known, as a phrase; "" where they are. */
export function databaseTrouble(databases: readonly DatabaseState[]): string {
  if (databases.length === 0) return 'this machine has no package database of dpkg, rpm or pacman';
  return databases
    .filter(({ state }) => state !== 'read')
    .map(({ name, state }) => `the ${name} database could not be read (${state})`)
    .join('; ');
}

/** Of a link in a package, which has no digest. */
const NO_DIGEST = /^0+$/;

/** Evidence of two digests, named by their algorithm. */
export function digestEvidence(packaged: string, found: string): Readonly<Record<string, string>> {
  if (NO_DIGEST.test(packaged)) return { packaged: 'a link to a file of a package', md5_found: found };
  return packaged.includes(':')
    ? { digest_packaged: packaged, digest_found: found }
    : { md5_packaged: packaged, md5_found: found };
}

/** What is loaded or interpreted by its name, executable or not. */
const CODE =
  /\.(?:so(?:\.[\d.]+)?|ko(?:\.\w+)?|py|pth|pl|pm|rb|js|mjs|cjs|sh|bash|lua|php|jar|class|tcl|el|service|timer|socket|path|mount|target|rules|conf)$/;

/** Of a file that runs, or configures what does. */
export const severityOf = ({ program, path }: AlteredFile): Severity =>
  program || CODE.test(path) || path.startsWith('/boot/') ? 'high' : 'low';

/** More files of one package are reported together: a tool has updated itself in place. */
const MOST_ALONE = 3;

/** A file, or the folder that has all of these. */
export interface AlteredGroup<F = AlteredFile> {
  readonly path: string;
  readonly files: readonly F[];
}

function folderOf(paths: readonly string[]): string {
  const above = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  let folder = above(paths[0] ?? '');
  while (folder !== '' && !paths.every((path) => path.startsWith(`${folder}/`))) folder = above(folder);
  return folder || '/';
}

/** As they are reported, in their order. */
export function groupsOf<F extends Pick<AlteredFile, 'path' | 'package' | 'database'>>(
  altered: readonly F[],
): AlteredGroup<F>[] {
  const packages = new Map<string, F[]>();
  for (const file of altered) {
    const key = `${file.database} ${file.package}`;
    const files = packages.get(key) ?? [];
    packages.set(key, files);
    files.push(file);
  }
  return [...packages.values()].flatMap((files) =>
    files.length > MOST_ALONE
      ? [{ path: folderOf(files.map(({ path }) => path)), files }]
      : files.map((file) => ({ path: file.path, files: [file] })),
  );
}
