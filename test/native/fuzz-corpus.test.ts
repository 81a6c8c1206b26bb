/** The seeds of the fuzz targets match the generated ones, and the check of the C++ sources reports wrong arguments and missing tools. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectRoot } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { corpusFolder, makeSeeds } from './fuzz-seeds.ts';

const corpus = suite('fuzz corpus');

const targets = readdirSync(join(projectRoot, 'native/fuzz'))
  .filter((file) => file.endsWith('.cc'))
  .map((file) => file.slice(0, -'.cc'.length))
  .sort();

corpus('every target has seeds, and every folder of seeds has a target', () => {
  assert.equal(readdirSync(corpusFolder).sort(), targets);
  assert.equal(Object.keys(makeSeeds()).sort(), targets);
});

corpus('the committed seeds equal what `node --import tsx test/native/fuzz-seeds.ts` writes', () => {
  for (const [target, seeds] of Object.entries(makeSeeds())) {
    const folder = join(corpusFolder, target);
    const kept = readdirSync(folder).filter((name) => !name.startsWith('found-'));
    assert.equal(kept.sort(), Object.keys(seeds).sort(), target);
    for (const [name, seed] of Object.entries(seeds))
      assert.ok(readFileSync(join(folder, name)).equals(seed), `${target}/${name}`);
  }
});

corpus('the corpus stays small', () => {
  const bytes = readdirSync(corpusFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
  assert.ok(bytes > 0 && bytes <= 200 * 1024, `${bytes} bytes`);
});

const check = (...args: string[]) =>
  spawnSync(process.execPath, ['native/check.mjs', ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: patientMs(60_000),
    // None of the check's tools is on this PATH.
    env: { ...process.env, PATH: '/nonexistent' },
  });

corpus('a wrong argument and a missing tool are reported in one sentence', () => {
  for (const [args, said] of [
    [['--fuzz=0'], /--fuzz=0: SECONDS must be a whole number/],
    [['--fuzz=soon'], /--fuzz=soon: SECONDS must be a whole number/],
    [['--nonsense'], /Unknown option '--nonsense'/],
    [['--tidy'], /clang-tidy is missing \(Debian: apt install clang-tidy\)/],
    [['--sanitize'], /clang\+\+ is missing \(Debian: apt install clang\)/],
  ] as const) {
    const run = check(...args);
    assert.is(run.status, 1);
    assert.match(run.stderr, said);
    assert.not.match(run.stderr, / at .*:\d+:\d+/);
  }
});

corpus.run();
