/** Compiles the small programs of the bench, once per content, into build/bench. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** What the bench makes for itself; not in the repository. */
export const workshop = join(project, 'build/bench');

/** `source` is a C++ file below bench/; the path of its program. */
export function compiled(source: string): string {
  const path = join(project, 'bench', source);
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
  const program = join(workshop, `${basename(source, '.cc')}-${hash}`);
  if (!existsSync(program)) {
    mkdirSync(workshop, { recursive: true });
    const fresh = `${program}.${process.pid}`;
    execFileSync('g++', ['-std=c++20', '-O3', '-Wall', '-Wextra', path, '-o', fresh]);
    renameSync(fresh, program);
  }
  return program;
}
