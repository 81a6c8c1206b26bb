/**
 * Where compiled code is: the addon, desk-peek, desk-start and the SQLite binding. A checkout compiles its own
 * (native/build.mjs). An installed package has it from another package, which npm chooses by CPU and C library.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from './version.ts';

/** The folder of our package.json, from src/base and from dist/base. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The C libraries that npm knows (`libc` of package.json). */
const LIBCS = ['glibc', 'musl'] as const;

/** The name of the package for a CPU, as Node names it, and a C library. */
export const packageName = (cpu: string, libc: string): string => `hostess-desk-linux-${cpu}-${libc}`;

interface Compiled {
  /** The folder of the addon and the programs; they may be missing. */
  readonly folder: string;
  /** Loads libsql. Throws where it is missing. */
  readonly loadSqlite: () => unknown;
  /** What to do when something of it is missing or does not load. */
  readonly remedy: string;
}

const usesGlibc = (): boolean => {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
};

/**
 * Compiled code for the package in `root`. Looks for the other package where npm puts it, in its node_modules or beside it, and
 * nowhere else: `require.resolve` would look in the home folder too. One of another version does not count.
 */
export function findCompiled(
  root = ROOT,
  { cpu = process.arch as string, isGlibc = usesGlibc, version = VERSION } = {},
): Compiled {
  const inCheckout = existsSync(join(root, 'native/build.mjs'));
  if (inCheckout)
    return {
      folder: join(root, 'build/Release'),
      loadSqlite: () => createRequire(join(root, 'package.json'))('libsql'),
      remedy: 'run "node native/build.mjs" in the checkout',
    };
  const found = LIBCS.flatMap((libc) =>
    [join(root, 'node_modules'), dirname(root)].map((place) => ({
      libc,
      file: join(place, packageName(cpu, libc), 'package.json'),
    })),
  ).filter(({ file }) => existsSync(file));
  const fitting = found.filter(({ file }) => JSON.parse(readFileSync(file, 'utf8')).version === version);
  // npm chooses one, unless it is forced.
  const one = fitting.every(({ libc }) => libc === fitting[0]?.libc) ? fitting[0]?.libc : undefined;
  const wanted = one ?? (isGlibc() ? 'glibc' : 'musl');
  const file = fitting.find(({ libc }) => libc === wanted)?.file ?? join(root, 'package.json');
  const other = found.length > 0 && fitting.length === 0 ? ' of this version' : '';
  return {
    folder: dirname(file),
    // By its path: a search would go on in the folders above and in the home folder.
    loadSqlite: () => createRequire(file)(join(dirname(file), 'node_modules/libsql')),
    remedy: `install hostess-desk again together with ${packageName(cpu, wanted)}${other} (npm leaves it out with --omit=optional), or compile the sources`,
  };
}

export const COMPILED = findCompiled();
