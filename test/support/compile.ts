/** Compiles the C++ helpers of tests and benchmarks, once per content. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from './require.ts';

/** The owner of the programs: `build/test` or `build/bench`. */
type Kind = 'test' | 'bench';
const inTree = (kind: Kind): string => join(projectRoot, 'build', kind);

/** A folder for them: in the build tree, or one under the temporary folder when the tree belongs to another user. */
export function buildFolder(kind: Kind): string {
  const folders = [inTree(kind), join(tmpdir(), `desk-${kind}-${process.geteuid?.()}`)];
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      if (lstatSync(folder).uid === process.geteuid?.()) return folder;
    } catch {}
  }
  throw new Error(`no folder for compiled helpers can be written: ${folders.join(', ')}`);
}

interface Sources {
  /** Source files, each compiled by itself. */
  readonly files?: readonly string[];
  /** Text of one more source file. */
  readonly text?: string;
  /** Files that these include. */
  readonly read?: readonly string[];
  readonly flags: readonly string[];
}

/** Path of the program, which is compiled if neither this user nor the owner of the build tree has compiled it before. */
export function compileOnce(
  kind: Kind,
  name: string,
  { files = [], text = '', read = [], flags }: Sources,
): string {
  const hash = createHash('sha256').update(flags.join(' ')).update(text);
  for (const path of [...files, ...read]) hash.update(readFileSync(path));
  const file = `${name}-${hash.digest('hex').slice(0, 12)}`;
  const folder = buildFolder(kind);
  const known = [inTree(kind), folder].map((one) => join(one, file)).find((path) => existsSync(path));
  if (known !== undefined) return known;
  const program = join(folder, file);
  const fresh = `${program}.${process.pid}`;
  const unit = text === '' ? [] : ['-x', 'c++', '-', '-x', 'none'];
  execFileSync('g++', ['-std=c++20', '-o', fresh, ...files, ...unit, ...flags], {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  chmodSync(fresh, 0o755);
  renameSync(fresh, program);
  return program;
}

/** A program of `test/support`, e.g. `actor.cc`. */
export const compiled = (source: string, ...flags: readonly string[]): string =>
  compileOnce('test', basename(source, '.cc'), {
    files: [fileURLToPath(new URL(source, import.meta.url))],
    flags: ['-O1', '-Wall', '-Wextra', '-pthread', ...flags],
  });

/**
 * A program of `test/native` with files of `native` (names without ending), under ASan and UBSan: a single translation unit,
 * which compiles in half the time. `apart` are files whose names clash with those of the others.
 */
export function sanitized(
  source: string,
  of: readonly string[],
  { apart = [], flags = [] }: { readonly apart?: readonly string[]; readonly flags?: readonly string[] } = {},
): string {
  const native = join(projectRoot, 'native');
  const path = (name: string): string => join(native, `${name}.cc`);
  const unit = [join(projectRoot, 'test/native', source), ...of.map(path)];
  const headers = readdirSync(native, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.h'),
  );
  return compileOnce('test', basename(source, '.cc'), {
    files: apart.map(path),
    text: unit.map((file) => `#include "${file}"\n`).join(''),
    read: [...unit, ...headers.sort().map((name) => join(native, name))],
    flags: ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', ...flags, `-I${native}`],
  });
}
