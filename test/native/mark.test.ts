/** The choice of the CPU build, and loading it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadFrom, loadNative } from '../../src/engine/native/load.ts';
import { chooseMark, marksOf, runnableMarks } from '../../src/engine/native/mark.ts';
import { loader, moduleUrl } from '../support/entry.ts';

const test = suite('mark');
const LOADER = moduleUrl('../../src/engine/native/load.ts', import.meta.url);
const BUILDS = fileURLToPath(new URL('../../build/Release', import.meta.url));

const V4_FLAGS =
  'fpu sse sse2 pni ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt xsave avx f16c lahf_lm abm bmi1 avx2 bmi2 ' +
  'avx512f avx512dq avx512cd avx512bw avx512vl';
const cpuinfo = (flags: string) => `processor\t: 0\nmodel name\t: some\nflags\t\t: ${flags}\nbugs\t\t:\n`;

test('the CPU flags decide which builds can run', () => {
  assert.equal(marksOf('x64', cpuinfo(V4_FLAGS)), ['avx512_mark', 'x86_64']);
  for (const flag of ['avx512vl', 'avx512f', 'bmi2', 'popcnt', 'movbe']) {
    const without = V4_FLAGS.split(' ').filter((one) => one !== flag);
    assert.equal(marksOf('x64', cpuinfo(without.join(' '))), ['x86_64'], flag);
  }
  assert.equal(marksOf('x64', ''), ['x86_64']);
  assert.equal(marksOf('arm64', cpuinfo(V4_FLAGS)), ['aarch64']);
  assert.equal(marksOf('riscv64', ''), []);
});

test('a requested build is used or refused, never replaced', () => {
  assert.is(chooseMark('', ['avx512_mark', 'x86_64']), 'avx512_mark');
  assert.is(chooseMark('', ['x86_64']), 'x86_64');
  assert.is(chooseMark('x86_64', ['avx512_mark', 'x86_64']), 'x86_64');
  assert.throws(() => chooseMark('sse9', ['x86_64']), /DESK_MARK=sse9 is not a mark.*x86_64/);
  assert.throws(() => chooseMark('avx512_mark', ['x86_64']), /cannot run on this CPU.*Set it to x86_64/);
  assert.throws(() => chooseMark('aarch64', ['avx512_mark', 'x86_64']), /cannot run/);
  assert.throws(() => chooseMark(undefined, []), /No native build exists/);
});

test('the loaded build is the chosen one', () => {
  const { addon, build } = loadNative();
  assert.is(addon.mark, chooseMark());
  assert.is(build, `desk_${addon.mark}.node`);
  assert.is(loadNative().addon, addon);
  for (const mark of runnableMarks()) assert.is(loadFrom(BUILDS, mark).addon.mark, mark);
});

test('an invalid DESK_MARK stops a new process before anything is loaded', () => {
  const foreign = process.arch === 'x64' ? 'aarch64' : 'x86_64';
  for (const mark of ['nonsense', foreign]) {
    const run = spawnSync(
      process.execPath,
      [...loader, '-e', `import(${JSON.stringify(LOADER)}).then((m) => m.loadNative())`],
      { env: { ...process.env, DESK_MARK: mark }, encoding: 'utf8' },
    );
    assert.is(run.status, 1, run.stderr);
    assert.match(run.stderr, new RegExp(`DESK_MARK=${mark}`));
    assert.match(run.stderr, /Set it to/);
  }
});

test('a missing or broken build names its file and the remedy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-builds-'));
  try {
    assert.throws(() => loadFrom(folder, 'x86_64'), /desk_x86_64\.node is missing.*node native\/build\.mjs/);
    writeFileSync(join(folder, 'desk_x86_64.node'), 'no shared object');
    assert.throws(() => loadFrom(folder, 'x86_64'), /does not load.*node native\/build\.mjs/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
