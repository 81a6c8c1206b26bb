// The unit tests under ASan + UBSan and under TSan, and the tests of the addon with an addon under ASan + UBSan.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build, configure, project, runSanitized, runtime, work } from './tools.mjs';

// Test files of test/native that do not run there, each with the reason.
const leftOut = {
  'build.test.ts': 'builds the addon itself',
  'fuzz-corpus.test.ts': 'does not use the addon',
  'mark.test.ts': 'needs every build of the machine',
};

const PROGRAMS = ['desk-peek', 'desk-start'];

/** Whether a test file compiles sanitized programs of its own, which would conflict with a second runtime. */
const sanitizesItself = (file) => /-fsanitize=|\bsanitized\(/.test(readFileSync(join(project, file), 'utf8'));

/** A copy of the tree with the sanitized addon and helper in place of the real ones. */
function makeTree(folder, mark) {
  const tree = join(work, 'tree');
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, 'build/Release'), { recursive: true });
  for (const part of ['src', 'test', 'native', 'package.json', 'tsconfig.json'])
    cpSync(join(project, part), join(tree, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(tree, 'node_modules'));
  const file = `desk_${mark}.node`;
  cpSync(join(folder, 'Release', file), join(tree, 'build/Release', file));
  for (const program of PROGRAMS) cpSync(join(folder, program), join(tree, 'build/Release', program));
  return tree;
}

const addonFiles = (chosen) =>
  readdirSync(join(project, 'test/native'))
    .filter((file) => file.endsWith('.test.ts') && !leftOut[file])
    .map((file) => `test/native/${file}`)
    .filter((file) => !sanitizesItself(file))
    .concat('test/engine/sweep.test.ts')
    .filter(chosen);

async function addonTests(tally, files, folder, mark) {
  const env = {
    LD_PRELOAD: runtime('asan', '.so'),
    // V8 does not free its memory when node ends; leaks of ours are found by the unit tests and fuzz targets.
    ASAN_OPTIONS: 'detect_leaks=0:malloc_context_size=8',
    DESK_MARK: mark,
    // The tree has no dist.
    DESK_TEST_ENTRY: 'src',
  };
  const cwd = makeTree(folder, mark);
  const result = await runSanitized(process.execPath, ['--import', 'tsx', 'test/run.ts', ...files], {
    seconds: 600,
    env,
    cwd,
  });
  tally.addSummary(`addon ${mark} under ASan and UBSan`, result);
}

function runsAvx512() {
  return process.arch === 'x64' && /^flags\s*:.*\bavx512vl\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
}

const runsUnit = (chosen) => chosen('test/native/unit');

/** The builds of the addon that are tested, none when no test file is chosen. */
function marksOf(chosen, long) {
  if (addonFiles(chosen).length === 0) return [];
  const baseline = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return long && runsAvx512() ? [baseline, 'avx512_mark'] : [baseline];
}

/** Builds everything that `sanitize` runs; the folders of the builds. */
export async function buildSanitized(chosen, long) {
  runtime('asan', '.so');
  runtime('tsan', '.a');
  const [address, thread] = [await configure('address'), await configure('thread')];
  const addons = marksOf(chosen, long).map((mark) => `desk_${mark}`);
  const unit = runsUnit(chosen) ? ['unit'] : [];
  const targets = [...unit, ...addons, ...(addons.length > 0 ? PROGRAMS : [])];
  if (targets.length > 0) await build(address, targets);
  if (unit.length > 0) await build(thread, unit);
  return { address, thread };
}

export async function sanitize(tally, chosen, long) {
  const { address, thread } = await buildSanitized(chosen, long);
  const units = async (name, folder) => {
    if (!runsUnit(chosen)) return;
    const result = await runSanitized(join(folder, 'unit'), long ? ['20'] : [], { seconds: 600 });
    tally.addSummary(`unit tests under ${name}`, result);
  };
  await units('ASan and UBSan', address);
  for (const mark of marksOf(chosen, long)) await addonTests(tally, addonFiles(chosen), address, mark);
  await units('TSan', thread);
}
