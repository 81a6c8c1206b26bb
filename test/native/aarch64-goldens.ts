/**
 * The fixture goldens and the batch on an aarch64 build: `aarch64.mjs` bundles this file and runs it with an arm64 node.
 * Arguments: the folder of the build, the folder of the goldens. The last line is `N passed, N failed`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { loadFrom } from '../../src/engine/native/load.ts';
import { chooseMark } from '../../src/engine/native/mark.ts';
import { ROOTS, SOCKETS, writeRoot } from '../fixtures/proc/roots.ts';
import { answersOf, batchCase, setCases } from './batch-cases.ts';
import { renderRoot, sweep } from './render.ts';

const [builds, goldens] = process.argv.slice(2);
if (builds === undefined || goldens === undefined) throw new Error('usage: aarch64-goldens BUILDS GOLDENS');

let passed = 0;
let failed = 0;
function check(name: string, good: boolean): void {
  if (good) passed++;
  else failed++;
  console.log(`${good ? ' ok ' : 'FAIL'} ${name}`);
}

check('the mark of this CPU is aarch64', process.arch === 'arm64' && chooseMark() === 'aarch64');
const { addon } = loadFrom(builds, 'aarch64');
const folder = mkdtempSync(join(tmpdir(), 'desk-aarch64-'));
try {
  for (const name of ROOTS) {
    const golden: unknown = JSON.parse(readFileSync(join(goldens, `${name}.json`), 'utf8'));
    const path = writeRoot(folder, name);
    for (const shards of [1, 3]) {
      check(`${name} in ${shards}`, isDeepStrictEqual(renderRoot(addon, path, SOCKETS, shards), golden));
    }
  }
  const root = addon.openRoot('/proc') as number;
  const swept = sweep(addon, root, [], 2, { processes: 65_536, sockets: 0, holders: 0, text: 1 << 22 });
  addon.closeRoot(root);
  check(
    'the real /proc is swept',
    swept.columns.processes.pid.subarray(0, swept.count).includes(process.pid),
  );
  const alike = (one: Parameters<typeof answersOf>[1]): boolean => {
    const { kernel, reference } = answersOf(addon, one);
    return kernel === reference;
  };
  const random = fc.check(fc.property(batchCase, alike), { numRuns: 60, seed: 8766 });
  check(`random batches ${random.failed ? fc.defaultReportMessage(random) : ''}`, !random.failed);
  // The largest sets take minutes in the emulator and use the same code as those of a thousand.
  for (const one of setCases().filter(({ program }) => (program.sets[0]?.length ?? 0) <= 1000))
    check(`a set of ${one.program.sets[0]?.length}`, alike(one));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
