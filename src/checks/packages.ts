/** Files of packages whose content is another one, as checks see them. */
import type { Severity } from '../policy/severity.ts';
import type { Unread } from './unread.ts';

export interface AlteredFile {
  readonly path: string;
  readonly package: string;
  readonly version: string;
  /** What the package has, MD5, and what the file has. */
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
}

/** Why no package is known, from what desk-peek says of dpkg's database: `read`, `none` or an error code; "" where it was read. */
export function dpkgTrouble(state: string): string {
  if (state === 'read') return '';
  return state === 'none'
    ? 'dpkg is not installed (no /var/lib/dpkg/status)'
    : `the dpkg database could not be read (${state})`;
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
export function groupsOf<F extends Pick<AlteredFile, 'path' | 'package'>>(
  altered: readonly F[],
): AlteredGroup<F>[] {
  const packages = new Map<string, F[]>();
  for (const file of altered) {
    const files = packages.get(file.package) ?? [];
    packages.set(file.package, files);
    files.push(file);
  }
  return [...packages.values()].flatMap((files) =>
    files.length > MOST_ALONE
      ? [{ path: folderOf(files.map(({ path }) => path)), files }]
      : files.map((file) => ({ path: file.path, files: [file] })),
  );
}
