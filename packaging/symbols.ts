/** What compiled files may ask of the machine they run on, checked by readelf(1). */
import { basename } from 'node:path';
import { OLDEST_GLIBC, type Target } from './targets.ts';
import { output } from './tools.ts';

const readelf = (...args: readonly string[]): string => output('readelf', args);

const isNewer = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) > 0;

/** libc and its parts; the C++ library is inside. */
const LIBRARIES = {
  glibc: /^(?:lib(?:c|m|dl|pthread|rt)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+)$/,
  musl: /^libc\.so$/,
} as const;

/** Names of the libraries that a file needs, and the versions of symbols it needs of them, e.g. `['GLIBC', '2.28']`. */
export function needsOf(file: string): {
  readonly libraries: readonly string[];
  readonly versions: readonly (readonly [string, string])[];
} {
  const libraries = [...readelf('-dW', file).matchAll(/\(NEEDED\).*\[(.+?)\]/g)];
  const versions = [...readelf('-VW', file).matchAll(/Name: ([A-Z]+)_([\d.]+)\s+Flags/g)];
  return {
    libraries: libraries.map(([, library = '']) => library),
    versions: versions.map(([, name = '', version = '']) => [name, version]),
  };
}

/** Faults of a compiled file, none when it fits the target. */
export function faultsOf(file: string, { libc }: Pick<Target, 'libc'>): readonly string[] {
  const dynamic = readelf('-dW', file);
  const name = basename(file);
  const needed = [...dynamic.matchAll(/\(NEEDED\).*\[(.+?)\]/g)].map(([, library = '']) => library);
  const foreign = needed.filter((library) => !LIBRARIES[libc].test(library));
  const symbols = readelf('--dyn-syms', '-W', file);
  const versions = new Set([...symbols.matchAll(/@GLIBC_([\d.]+)/g)].map(([, version = '']) => version));
  const newer = [...versions].filter((version) => libc === 'musl' || isNewer(version, OLDEST_GLIBC));
  return [
    ...foreign.map((library) => `${name} needs ${library}`),
    ...(libc === 'musl' && name.endsWith('.node') && needed.length === 0
      ? [`${name} holds a libc of its own`]
      : []),
    ...newer.map((version) => `${name} needs GLIBC_${version}`),
    ...(name.endsWith('.node') && !dynamic.includes('NODELETE')
      ? [`${name} may be unloaded while its threads run`]
      : []),
    ...(!name.endsWith('.node') && !/^ *Type: +DYN\b/m.test(readelf('-hW', file))
      ? [`${name} is not position-independent`]
      : []),
    // dlopen(3) fails if a library needs more static TLS than glibc reserves; musl refuses all of them.
    ...(dynamic.includes('STATIC_TLS') ? [`${name} uses static TLS`] : []),
  ];
}
