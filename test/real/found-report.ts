/**
 * Run by `scene.ts` in separate namespaces: creates what a scene asks for, rechecks, and prints as JSON the findings with the
 * pids of what was created.
 */
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { startActors } from '../support/actor.ts';
import { recheckOnce } from '../support/recheck.ts';
import { startSleeper } from '../support/sleeper.ts';
import type { Report, Scene } from './scene.ts';

const scene = JSON.parse(process.argv[2] ?? '') as Scene;

/** Whether an ordinary reader, through the C library, sees the preload file. */
const seenByReaders = (): boolean => {
  try {
    return readFileSync('/etc/ld.so.preload').length > 0;
  } catch {
    return false;
  }
};

async function startSleepers(programs: readonly string[]) {
  const sleepers = [];
  for (const program of programs) {
    mkdirSync(dirname(program), { recursive: true });
    copyFileSync('/bin/sleep', program);
    sleepers.push(await startSleeper(program));
  }
  return sleepers;
}

const { checks, actors: words = [], actor, sleepers: programs = [], upgraded = false, known } = scene;
const actors = words.length > 0 ? await startActors(words, actor) : null;
const sleepers = await startSleepers(programs);
try {
  for (const program of upgraded ? programs : []) {
    copyFileSync('/bin/sleep', `${program}.new`);
    renameSync(`${program}.new`, program);
  }
  const seen = await recheckOnce({
    checks,
    ...(scene.engine && { engine: scene.engine }),
    ...(scene.slow && { slow: scene.slow }),
    ...(scene.law && { law: scene.law }),
    ...(known && { known: { identities: new Set(), listeners: new Set(known), classes: new Set() } }),
  });
  const report: Report = {
    ...seen,
    actors: words.map((_, at) => actors?.pid(at) ?? -1),
    sleepers: sleepers.map(({ pid }) => pid),
    seenByReaders: seenByReaders(),
  };
  process.stdout.write(JSON.stringify(report));
} finally {
  for (const sleeper of sleepers) await sleeper[Symbol.asyncDispose]();
  await actors?.stop();
}
