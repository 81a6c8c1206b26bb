// clang-tidy over what is shipped, in a long run over every C++ file, by the rules of .clang-tidy.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { configure, inParallel, needs, project, run } from './tools.mjs';

// The analyzer, which follows every call, only in a long run: it takes half of the time.
const SHALLOW = '-clang-analyzer-*';
// What a unit of several sources consists of.
const BATCHED = '-bugprone-suspicious-include';
const isBatch = (path) => path.startsWith('build/');
const isShipped = (path) => isBatch(path) || (path.startsWith('native/') && !path.startsWith('native/fuzz/'));

/** Several sources at a time take a quarter of the time; those that `words` choose, and all in a long run, are read one by one. */
export async function tidy(tally, { words, chosen, long }) {
  needs('clang-tidy', 'clang-tidy');
  const single = long || words.length > 0;
  const folder = await configure('', { single });
  const commands = JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8'));
  const files = [...new Set(commands.map(({ file }) => relative(project, file)))].filter(
    (file) => chosen(file) && (long || isShipped(file)),
  );
  await inParallel(files, async (file) => {
    const left = [...(long ? [] : [SHALLOW]), ...(isBatch(file) ? [BATCHED] : [])].join(',');
    const options = ['--quiet', ...(left === '' ? [] : [`--checks=${left}`]), '-p', folder];
    tally.add(`tidy ${file}`, await run('clang-tidy', [...options, join(project, file)]));
  });
}
