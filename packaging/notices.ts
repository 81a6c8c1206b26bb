/**
 * The file NOTICES of a package: licences of the code of others that is inside our own files. What npm installs beside them has its
 * licence in its own folder. libc++, libunwind and compiler-rt, or libstdc++ and libgcc, need no notice in compiled files (LLVM exception,
 * GCC runtime library exception).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiler } from './compile.ts';
import type { Target } from './targets.ts';
import { PROJECT } from './tools.ts';

export const NOTICES = 'NOTICES';
/** What Vite writes about the scripts of the pages (vite.config.ts), below `dist`. */
export const OF_PAGES = 'assets/licenses.md';

interface Part {
  readonly name: string;
  readonly text: string;
}

/** The licence texts in a folder; of a package without one, the end of its readme, where npm packages have it; "" without both. */
export function licenceText(folder: string): string {
  const names = readdirSync(folder).sort();
  const own = names.filter((name) => /^(?:licen[cs]e|copying)/i.test(name));
  if (own.length > 0) return own.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
  const readme = names.find((name) => /^readme/i.test(name));
  const [, text = ''] = readme
    ? readFileSync(join(folder, readme), 'utf8').split(/^#+ *licen[cs]e.*$/im)
    : [];
  return text.trim();
}

/** A package of the project with its licence. @throws Error where it has none. */
function partOf(name: string): Part {
  const text = licenceText(join(PROJECT, 'node_modules', name));
  if (text === '') throw new Error(`${name} has no file with its licence`);
  return { name, text };
}

const textOf = (parts: readonly Part[]): string =>
  [
    'Compiled files of this package contain code of others:',
    ...parts.map(({ name, text }) => `${name}\n${'-'.repeat(name.length)}\n\n${text}`),
  ].join('\n\n');

/** Of the package of JavaScript. */
export const pageNotices = (): string => readFileSync(join(PROJECT, 'dist', OF_PAGES), 'utf8');

/** Of a package of compiled code. `built`: it was not made by Zig, whose programs for musl have musl inside. */
export function compiledNotices({ libc, libsql }: Target, built: boolean): string {
  const parts = [partOf('node-addon-api'), partOf('node-api-headers')];
  // Its package has no licence of its own; it is made from the same sources.
  parts.push({ name: libsql, text: partOf('libsql').text });
  if (libc === 'musl' && !built)
    parts.push({
      name: 'musl',
      text: readFileSync(join(compiler(), 'lib/libc/musl/COPYRIGHT'), 'utf8').trim(),
    });
  return `${textOf(parts)}\n`;
}
