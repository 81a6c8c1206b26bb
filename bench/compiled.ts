/** Compiles the small programs of the bench, once per content, into build/bench. */
import { basename, join } from 'node:path';
import { buildFolder, compileOnce } from '../test/support/compile.ts';
import { projectRoot } from '../test/support/require.ts';

export const project = projectRoot;

/** Generated files of the bench, not in the repository; elsewhere if the tree belongs to another user. */
export const workshop = buildFolder('bench');

/**
 * `source` is a C++ file below bench/, `others` those that it is linked with, `read` what these include, below the project;
 * the path of its program.
 */
export function compiled(
  source: string,
  {
    flags = [],
    others = [],
    read = [],
  }: Readonly<Partial<Record<'flags' | 'others' | 'read', readonly string[]>>> = {},
): string {
  const inProject = (file: string): string => join(project, file);
  return compileOnce('bench', basename(source, '.cc'), {
    files: [join(project, 'bench', source), ...others.map(inProject)],
    read: read.map(inProject),
    flags: ['-O3', '-Wall', '-Wextra', ...flags],
  });
}
