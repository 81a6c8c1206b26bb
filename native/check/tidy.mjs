// clang-tidy over every C++ file, by the rules of .clang-tidy.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { configure, inParallel, needs, project, run } from './tools.mjs';

// The analyzer, which follows every call, only in a long run: it takes half of the time.
const shallow = ['--checks=-clang-analyzer-*'];

export async function tidy(tally, chosen, long) {
  needs('clang-tidy', 'clang-tidy');
  const folder = await configure('');
  const commands = JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8'));
  const files = [...new Set(commands.map(({ file }) => file))].filter((file) =>
    chosen(relative(project, file)),
  );
  await inParallel(files, async (file) => {
    const looked = await run('clang-tidy', ['--quiet', ...(long ? [] : shallow), '-p', folder, file]);
    tally.add(`tidy ${relative(project, file)}`, looked);
  });
}
