// For binding.gyp, which has no unity builds: `node native/batches.mjs native/sources.txt` writes files that include six sources each
// to build/batches, and prints their paths. Most of the time to build is reading headers. CMake does the same by itself.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SIZE = 6;
const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [list] = process.argv.slice(2);
const sources = readFileSync(join(project, list), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('native/'));
const folder = join('build/batches', dirname(list));
mkdirSync(join(project, folder), { recursive: true });
for (let start = 0; start < sources.length; start += SIZE) {
  const path = join(folder, `${start / SIZE}.cc`);
  const batch = sources.slice(start, start + SIZE);
  writeFileSync(join(project, path), batch.map((source) => `#include "${join(project, source)}"\n`).join(''));
  console.log(path);
}
