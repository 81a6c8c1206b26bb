/** Compiles the small programs of the bench, once per content, into build/bench. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** What the bench makes for itself, not in the repository; elsewhere when the tree belongs to another user. */
export const workshop = writable(join(project, 'build/bench'))
  ? join(project, 'build/bench')
  : join(tmpdir(), `desk-bench-${process.geteuid?.()}`);

function writable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

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
