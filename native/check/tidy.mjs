// clang-tidy over what is shipped, in a long run over every C++ file, by the rules of .clang-tidy.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { configure, inParallel, needs, project, run } from './tools.mjs';

// The analyzer, which follows every call, only in a long run: it takes half of the time.
const shallow = ['--checks=-clang-analyzer-*'];
const shipped = (path) => path.startsWith('native/') && !path.startsWith('native/fuzz/');

export async function tidy(tally, chosen, long) {
  needs('clang-tidy', 'clang-tidy');
  const folder = await configure('');
  const commands = JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8'));
  const files = [...new Set(commands.map(({ file }) => relative(project, file)))].filter(
    (file) => chosen(file) && (long || shipped(file)),
  );
  await inParallel(files, async (file) => {
    const words = ['--quiet', ...(long ? [] : shallow), '-p', folder, join(project, file)];
    tally.add(`tidy ${file}`, await run('clang-tidy', words));
  });
}
