/** The libraries that compiled files need, as packages of Debian: what dpkg-shlibdeps(1) would find, without the libraries being installed. */
import { needsOf } from './symbols.ts';

/** First version of GCC with a version of libstdc++'s symbols (GCC manual, "ABI Policy and Guidelines"). */
const GCC_WITH: Readonly<Record<string, string>> = {
  '3.4.25': '8',
  '3.4.26': '9',
  '3.4.28': '10',
  '3.4.29': '11',
  '3.4.30': '12',
  '3.4.31': '13',
  '3.4.32': '13',
  '3.4.33': '14',
};

/** Package, prefix of its symbols' versions, and the version of the package for the newest of these. */
const LIBRARIES: readonly (readonly [RegExp, string, string, (newest: string) => string])[] = [
  [/^(?:lib(?:c|m|dl|pthread|rt)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+)$/, 'libc6', 'GLIBC', (newest) => newest],
  [/^libstdc\+\+\.so\.6$/, 'libstdc++6', 'GLIBCXX', gccWith],
  // Its symbols that are used here are older than any Debian that is supported.
  [/^libgcc_s\.so\.1$/, 'libgcc-s1', 'GCC', () => '3.0'],
];

function gccWith(newest: string): string {
  const versions = Object.keys(GCC_WITH);
  const found = versions.find((version) => newest.localeCompare(version, 'en', { numeric: true }) <= 0);
  if (found === undefined) throw new Error(`no GCC is known with GLIBCXX_${newest}`);
  return GCC_WITH[found] as string;
}

/** Entries of `Depends` for these files, sorted. Throws for a library that no entry of the table has. */
export function dependsOf(files: readonly string[]): readonly string[] {
  const newest = new Map<string, string>();
  for (const { libraries, versions } of files.map(needsOf))
    for (const library of libraries) {
      const entry = LIBRARIES.find(([name]) => name.test(library));
      if (entry === undefined) throw new Error(`no package of Debian is known for ${library}`);
      const [, name, prefix] = entry;
      const all = [
        newest.get(name) ?? '0',
        ...versions.filter(([of]) => of === prefix).map(([, version]) => version),
      ];
      newest.set(name, all.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0] as string);
    }
  return LIBRARIES.filter(([, name]) => newest.has(name))
    .map(([, name, , versionFor]) => `${name} (>= ${versionFor(newest.get(name) as string)})`)
    .sort();
}
