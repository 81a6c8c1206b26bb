/** What compiled files may ask of the machine they run on, checked by readelf(1). */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { OLDEST_GLIBC, type Target } from './targets.ts';

function readelf(...args: readonly string[]): string {
  const { status, stdout, error } = spawnSync('readelf', args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`readelf ${args.join(' ')}: ${error?.message ?? status}`);
  return stdout;
}

const isNewer = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) > 0;

/** libc and its parts; the C++ library is inside. */
const LIBRARIES = {
  glibc: /^(?:lib(?:c|m|dl|pthread|rt)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+)$/,
  musl: /^libc\.so$/,
} as const;

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
    // dlopen(3) fails if a library needs more static TLS than glibc reserves; musl refuses all of them.
    ...(dynamic.includes('STATIC_TLS') ? [`${name} uses static TLS`] : []),
  ];
}
