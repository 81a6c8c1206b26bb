/** Compiles the small programs of the bench, once per content, into build/bench. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

const inTree = join(project, 'build/bench');
/** What the bench makes for itself, not in the repository; elsewhere when the tree belongs to another user. */
export const workshop = writable(inTree) ? inTree : join(tmpdir(), `desk-bench-${process.geteuid?.()}`);

function writable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * `source` is a C++ file below bench/, `others` those that it is linked with, `read` what these include, below the project;
 * the path of its program. One that somebody else has compiled in the tree is as good.
 */
export function compiled(
  source: string,
  {
    flags = [],
    others = [],
    read = [],
  }: Readonly<Partial<Record<'flags' | 'others' | 'read', readonly string[]>>> = {},
): string {
  const paths = [join(project, 'bench', source), ...others.map((other) => join(project, other))];
  const hash = createHash('sha256').update(flags.join(' '));
  for (const path of [...paths, ...read.map((file) => join(project, file))]) hash.update(readFileSync(path));
  const name = `${basename(source, '.cc')}-${hash.digest('hex').slice(0, 12)}`;
  const there = [inTree, workshop].map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (there !== undefined) return there;
  mkdirSync(workshop, { recursive: true });
  const program = join(workshop, name);
  const fresh = `${program}.${process.pid}`;
  const words = ['-std=c++20', '-O3', '-Wall', '-Wextra', ...flags, ...paths, '-o', fresh];
  execFileSync('g++', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  renameSync(fresh, program);
  return program;
}
